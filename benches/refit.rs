//! Fitting trees to meshes that move, beside building them.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hitscan::{BuildOptions, Bvh, DynamicBvh, Quality};
use hitscan_benches::subjects;

fn refit(criterion: &mut Criterion) {
    for subject in subjects() {
        let mut group = criterion.benchmark_group(format!("refit/{}", subject.name));
        group.sample_size(10);
        group.warm_up_time(Duration::from_millis(300));
        group.measurement_time(Duration::from_secs(1));
        group.throughput(Throughput::Elements(subject.mesh.triangle_count() as u64));
        let options = BuildOptions::from(Quality::Fast);
        let rest = subject.mesh.positions();
        let bent: Vec<_> = rest.iter().map(|[x, y, z]| [*x, y + 0.1 * x.sin(), *z]).collect();

        group.bench_function("fast build", |bencher| {
            bencher.iter(|| Bvh::build(subject.mesh.clone(), &options));
        });
        let mut bvh = Bvh::build(subject.mesh.as_ref().clone(), &options);
        group.bench_function("refit", |bencher| {
            let mut positions = [rest, &bent].into_iter().cycle();
            bencher.iter(|| positions.next().map(|positions| bvh.refit(positions)));
        });
        let mut dynamic = DynamicBvh::new(bvh, options).expect("it was built here");
        let some = rest.len() / 2..rest.len() / 2 + 100;
        group.bench_function("update of 100 vertices", |bencher| {
            let mut positions = [rest, &bent].into_iter().cycle();
            bencher.iter(|| {
                let positions = positions.next().map(|positions| &positions[some.clone()]);
                positions.map(|positions| dynamic.update_vertices(some.start, positions))
            });
        });
    }
}

criterion_group!(benches, refit);
criterion_main!(benches);
