//! Progress is told one call at a time, in rising numbers, and to the end.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use hitscan_batch::{BatchOptions, BatchRaycast};
use hitscan_core::Ray;
use hitscan_traversal::Bvh;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::world;

type Query = fn(&Bvh, &[Ray], &BatchOptions<'_>);

const QUERIES: [Query; 4] = [
    |tree, rays, options| drop(tree.closest_hits_with(rays, options).expect("nobody cancels")),
    |tree, rays, options| drop(tree.any_hits_with(rays, options).expect("nobody cancels")),
    |tree, rays, options| drop(tree.count_hits_of_with(rays, options).expect("nobody cancels")),
    |tree, rays, options| drop(tree.all_hits_of_with(rays, options).expect("nobody cancels")),
];

#[test]
fn progress_rises_to_the_end() {
    let (tree, rays) = (world::tree(), world::rays(world::MANY + 1));
    for threads in [1, 2, 8] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        for query in QUERIES {
            let (calls, busy) = (Mutex::new(Vec::new()), AtomicBool::new(false));
            let progress = |done, all| {
                assert!(!busy.swap(true, Ordering::SeqCst), "two calls at once");
                calls.lock().expect("no panic").push((done, all));
                busy.store(false, Ordering::SeqCst);
            };
            let options = BatchOptions { progress: Some(&progress), ..BatchOptions::default() };
            pool.install(|| query(&tree, &rays, &options));
            let calls = calls.into_inner().expect("no panic");
            assert!(calls.is_sorted_by(|a, b| a.0 < b.0), "{calls:?}");
            assert!(calls.iter().all(|call| call.1 == rays.len()), "{calls:?}");
            assert_eq!(calls.last(), Some(&(rays.len(), rays.len())));
            if threads == 1 {
                assert!(calls.len() >= 4, "one thread tells every chunk: {calls:?}");
            }
        }
    }
}

#[test]
fn an_empty_batch_tells_nothing() {
    let tree = world::tree();
    let progress = |done, all| panic!("{done} of {all}");
    let options = BatchOptions { progress: Some(&progress), ..BatchOptions::default() };
    for query in QUERIES {
        query(&tree, &[], &options);
    }
}

#[test]
fn a_callback_may_use_the_pool_itself() {
    let (tree, rays) = (world::tree(), world::rays(world::MANY));
    let last = Mutex::new(0);
    let progress = |done, _| {
        let sum: usize = (0..1000_usize).into_par_iter().map(|i| i % 7).sum();
        *last.lock().expect("no panic") = done + sum - 2997;
    };
    let options = BatchOptions { progress: Some(&progress), ..BatchOptions::default() };
    for threads in [1, 2, 8] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        for query in QUERIES {
            pool.install(|| query(&tree, &rays, &options));
            assert_eq!(*last.lock().expect("no panic"), rays.len());
        }
    }
}
