//! One ray a call.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hitscan::prelude::*;
use hitscan_benches::{Query, subjects};

fn single(criterion: &mut Criterion) {
    for subject in subjects() {
        let bvh = subject.tree();
        let mut group = criterion.benchmark_group(format!("single/{}", subject.name));
        group.sample_size(20);
        group.warm_up_time(Duration::from_millis(300));
        group.measurement_time(Duration::from_secs(1));
        for set in subject.ray_sets(&bvh, 6) {
            group.throughput(Throughput::Elements(set.rays.len() as u64));
            group.bench_function(set.name, |bencher| match set.query {
                Query::Closest => bencher.iter(|| {
                    for ray in &set.rays {
                        black_box(bvh.closest_hit(ray));
                    }
                }),
                Query::Any => bencher.iter(|| {
                    for ray in &set.rays {
                        black_box(bvh.any_hit(ray));
                    }
                }),
                Query::All => bencher.iter(|| {
                    for ray in &set.rays {
                        black_box(bvh.all_hits(ray));
                    }
                }),
            });
        }
    }
}

criterion_group!(benches, single);
criterion_main!(benches);
