//! Any bytes as an OBJ file: no panic, the same mesh however the text is cut, and rays that agree.

#![no_main]

use hitscan::TriangleMesh;
use hitscan::obj::{ObjOptions, read_bytes_in_pieces};
use hitscan_fuzz::answers::{Read, consistent, read};
use libfuzzer_sys::fuzz_target;

/// Whether two readings are the same, bit for bit; NaN is not equal to itself.
fn alike(p: Option<&Read>, q: Option<&Read>) -> bool {
    let (Some((mesh, report)), Some((other, other_report))) = (p, q) else {
        return p.is_none() && q.is_none();
    };
    let bits = |mesh: &TriangleMesh| -> Vec<u32> {
        mesh.positions().as_flattened().iter().map(|x| x.to_bits()).collect()
    };
    bits(mesh) == bits(other)
        && mesh.origin().map(f64::to_bits) == other.origin().map(f64::to_bits)
        && mesh.indices() == other.indices()
        && mesh.parts() == other.parts()
        && report == other_report
}

fuzz_target!(|bytes: &[u8]| {
    let whole = read(bytes, false);
    for piece_length in [1, 16] {
        let options = ObjOptions::default();
        let pieces = read_bytes_in_pieces(bytes, "fuzz.obj", options, piece_length).ok();
        assert!(alike(pieces.as_ref(), whole.as_ref()), "in pieces of {piece_length}");
    }
    let Some((mesh, report)) = whole else {
        assert!(read(bytes, true).is_none(), "strict reads what lenient does not");
        return;
    };
    assert_eq!(report.triangles, mesh.triangle_count());
    assert!(report.triangles <= bytes.len(), "a triangle takes more than a byte");
    let strict = read(bytes, true);
    assert_eq!(strict.is_some(), report.warning_count == 0, "{:?}", report.warnings);
    if mesh.triangle_count() <= 256 {
        consistent(mesh);
    }
});
