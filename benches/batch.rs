//! Many rays at once, on all threads.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hitscan::prelude::*;
use hitscan_benches::{Query, subjects};

fn batch(criterion: &mut Criterion) {
    for subject in subjects() {
        let bvh = subject.tree();
        let mut group = criterion.benchmark_group(format!("batch/{}", subject.name));
        group.sample_size(20);
        group.warm_up_time(Duration::from_millis(300));
        group.measurement_time(Duration::from_secs(1));
        for set in subject.ray_sets(&bvh, 8) {
            group.throughput(Throughput::Elements(set.rays.len() as u64));
            group.bench_function(set.name, |bencher| match set.query {
                Query::Closest => bencher.iter_with_large_drop(|| bvh.closest_hits(&set.rays)),
                Query::Any => bencher.iter_with_large_drop(|| bvh.any_hits(&set.rays)),
                Query::All => bencher.iter_with_large_drop(|| bvh.all_hits_of(&set.rays)),
            });
        }
    }
}

criterion_group!(benches, batch);
criterion_main!(benches);
