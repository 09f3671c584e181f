//! The caller's pool is the one that works, and its size changes no answer.

use std::collections::HashSet;
use std::sync::Mutex;

use hitscan_batch::{BatchOptions, BatchRaycast};
use hitscan_core::Hit;
use hitscan_traversal::QueryOptions;
use rayon::ThreadPoolBuilder;

use crate::world;

#[test]
fn any_number_of_threads_gives_the_same_answers() {
    let (tree, rays) = (world::tree(), world::rays(world::MANY + 3));
    let answers = || {
        (
            tree.closest_hits(&rays),
            tree.any_hits(&rays),
            tree.count_hits_of(&rays),
            tree.all_hits_of(&rays),
        )
    };
    let outside = answers();
    for threads in [1, 2, 3, 8] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        assert!(pool.install(answers) == outside, "{threads} threads");
    }
}

#[test]
fn rays_are_cast_on_the_callers_pool() {
    let (tree, rays) = (world::tree(), world::rays(world::MANY));
    for threads in [1, 2, 3, 8] {
        let name = |i| format!("caller's thread {i}");
        let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build();
        let seen = Mutex::new(HashSet::new());
        let filter = |_: &Hit| {
            let name = std::thread::current().name().map(str::to_owned);
            seen.lock().expect("no panic").insert(name)
        };
        // The filter says true only to a thread's first hit, which does not matter here.
        let query = QueryOptions { filter: Some(&filter), ..QueryOptions::DEFAULT };
        let options = BatchOptions { query, ..BatchOptions::default() };
        pool.expect("a pool").install(|| {
            tree.closest_hits_with(&rays, &options).expect("nobody cancels");
            tree.any_hits_with(&rays, &options).expect("nobody cancels");
            tree.count_hits_of_with(&rays, &options).expect("nobody cancels");
            tree.all_hits_of_with(&rays, &options).expect("nobody cancels");
        });
        let seen = seen.into_inner().expect("no panic");
        assert!(!seen.is_empty() && seen.len() <= threads);
        for name in seen {
            assert!(name.as_deref().is_some_and(|name| name.starts_with("caller's")), "{name:?}");
        }
    }
}
