//! Building trees.

use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use hitscan::{BuildOptions, Bvh, Quality};
use hitscan_benches::subjects;

fn build(criterion: &mut Criterion) {
    for subject in subjects() {
        let mut group = criterion.benchmark_group(format!("build/{}", subject.name));
        group.sample_size(10);
        group.warm_up_time(Duration::from_millis(300));
        group.measurement_time(Duration::from_secs(1));
        group.throughput(Throughput::Elements(subject.mesh.triangle_count() as u64));
        for (name, quality) in
            [("fast", Quality::Fast), ("balanced", Quality::Balanced), ("high", Quality::High)]
        {
            let options = BuildOptions::from(quality);
            group.bench_function(name, |bencher| {
                let mesh = || subject.mesh.clone();
                bencher.iter_batched(
                    mesh,
                    |mesh| Bvh::build(mesh, &options),
                    BatchSize::LargeInput,
                );
            });
        }
    }
}

criterion_group!(benches, build);
criterion_main!(benches);
