//! Reading OBJ text from memory.

use std::fmt::Write;
use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hitscan::TriangleMesh;
use hitscan::obj::{ObjOptions, read_bytes};
use hitscan_benches::subjects;

/// The mesh as an exporter would write it, with or without texture coordinates and normals.
fn text(mesh: &TriangleMesh, full: bool) -> String {
    let mut text = String::from("o subject\n");
    for [x, y, z] in mesh.positions() {
        writeln!(text, "v {x:.6} {y:.6} {z:.6}").expect("a string takes everything");
        if full {
            writeln!(text, "vt {x:.4} {y:.4}").expect("a string takes everything");
        }
    }
    if full {
        text += "vn 0.0000 0.0000 1.0000\n";
    }
    for corners in mesh.indices() {
        text.push('f');
        for corner in corners.map(|index| index + 1) {
            let corner = if full { format!("{corner}/{corner}/1") } else { corner.to_string() };
            text.push(' ');
            text += &corner;
        }
        text.push('\n');
    }
    text
}

fn obj(criterion: &mut Criterion) {
    let [_, terrain, _] = subjects();
    let mut group = criterion.benchmark_group("obj");
    group.sample_size(20);
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(1));
    for (name, full) in [("positions", false), ("full", true)] {
        let text = text(&terrain.mesh, full);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter_with_large_drop(|| {
                let bytes = black_box(text.as_bytes());
                read_bytes(bytes, name, ObjOptions::default()).expect("our own text is good")
            });
        });
    }
}

criterion_group!(benches, obj);
criterion_main!(benches);
