//! A cancelled batch says so, and leaves the rest of its rays alone.

use std::sync::atomic::{AtomicUsize, Ordering};

use hitscan_batch::{BatchOptions, BatchRaycast, CancelToken, Cancelled};
use hitscan_core::{Hit, Ray};
use hitscan_traversal::{Bvh, QueryOptions};
use rayon::ThreadPoolBuilder;

use crate::world;

type Query = fn(&Bvh, &[Ray], &BatchOptions<'_>) -> Result<usize, Cancelled>;

const QUERIES: [Query; 4] = [
    |tree, rays, options| Ok(tree.closest_hits_with(rays, options)?.len()),
    |tree, rays, options| Ok(tree.any_hits_with(rays, options)?.len()),
    |tree, rays, options| Ok(tree.count_hits_of_with(rays, options)?.len()),
    |tree, rays, options| Ok(tree.all_hits_of_with(rays, options)?.ray_count()),
];

#[test]
fn cancelling_from_the_callback_ends_the_batch() {
    let tree = world::tree();
    let rays = world::rays(10 * world::MANY);
    for threads in [1, 2, 8] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        for query in QUERIES {
            let count = AtomicUsize::new(0);
            let counting = |_: &Hit| count.fetch_add(1, Ordering::Relaxed) < usize::MAX;
            let options = with_filter(&counting);
            assert_eq!(pool.install(|| query(&tree, &rays, &options)), Ok(rays.len()));
            let all = count.swap(0, Ordering::Relaxed);

            let token = CancelToken::new();
            let progress = |_, _| token.cancel();
            // Were the callback's thread put to sleep by the system, the others would go on to
            // the end; so they wait for it half-way. By then some chunk has long been finished.
            let patient = |_: &Hit| {
                while count.load(Ordering::Relaxed) > all / 2 && !token.is_cancelled() {
                    std::thread::yield_now();
                }
                count.fetch_add(1, Ordering::Relaxed) < usize::MAX
            };
            let options = BatchOptions {
                progress: Some(&progress),
                cancel: Some(&token),
                ..with_filter(&patient)
            };
            assert_eq!(pool.install(|| query(&tree, &rays, &options)), Err(Cancelled));
            let cast = count.into_inner();
            assert!(cast > 0 && cast < all / 4 * 3, "{cast} of {all} hits were looked at");
        }
    }
}

fn with_filter(filter: &(dyn Fn(&Hit) -> bool + Sync)) -> BatchOptions<'_> {
    let query = QueryOptions { filter: Some(filter), ..QueryOptions::DEFAULT };
    BatchOptions { query, ..BatchOptions::default() }
}

#[test]
fn a_token_cancelled_before_the_start_casts_nothing() {
    let (tree, rays) = (world::tree(), world::rays(10));
    let token = CancelToken::new();
    token.clone().cancel();
    assert!(token.is_cancelled(), "clones share their state");
    let filter = |_: &Hit| panic!("no ray should be cast");
    let query_options = QueryOptions { filter: Some(&filter), ..QueryOptions::DEFAULT };
    let options =
        BatchOptions { query: query_options, cancel: Some(&token), ..BatchOptions::default() };
    for query in QUERIES {
        assert_eq!(query(&tree, &rays, &options), Err(Cancelled));
        assert_eq!(query(&tree, &[], &options), Ok(0), "nothing was left undone");
    }
}

#[test]
fn cancelling_after_the_last_ray_changes_nothing() {
    let (tree, rays) = (world::tree(), world::rays(world::MANY));
    for query in QUERIES {
        let token = CancelToken::new();
        let progress = |done, all| {
            if done == all {
                token.cancel();
            }
        };
        let options = BatchOptions {
            progress: Some(&progress),
            cancel: Some(&token),
            ..BatchOptions::default()
        };
        assert_eq!(query(&tree, &rays, &options), Ok(rays.len()));
        assert!(token.is_cancelled());
    }
}

#[test]
fn a_token_that_nobody_cancels_costs_no_answer() {
    let (tree, rays) = (world::tree(), world::rays(5000));
    let token = CancelToken::new();
    let options = BatchOptions { cancel: Some(&token), ..BatchOptions::default() };
    assert_eq!(tree.closest_hits_with(&rays, &options), Ok(tree.closest_hits(&rays)));
}
