//! Meshes at their places, as parts of one mesh.

use super::Rows;
use super::nodes::{self, Node};
use super::shape::Shape;
use crate::file::draft::Draft;
use crate::file::fault::{Fault, Place, Source};
use crate::mesh::TriangleMesh;

/// Faces of one primitive at one node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    first_face: usize,
    node: Option<usize>,
    mesh: usize,
    primitive: usize,
}

/// Adds a mesh at a node. A mirrored one is wound the other way round, so that its front stays
/// its front.
pub(super) fn bake(
    shape: &Shape<'_>,
    node: &Node<'_>,
    draft: &mut Draft,
    stretches: &mut Vec<Stretch>,
) -> Result<(), Fault> {
    let first = draft.vertices() as u32;
    draft.reserve(shape.positions.len(), shape.triangle_count());
    let part = || match node.index {
        Some(index) => format!("nodes[{index}], {}", shape.part()),
        None => shape.part(),
    };
    for (i, &position) in shape.positions.iter().enumerate() {
        let position = nodes::apply(&node.rows, position);
        draft.vertex(position, || Place::Part(format!("{}, vertex {i}", part())))?;
    }
    let mirrored = nodes::mirrors(&node.rows);
    for piece in &shape.pieces {
        draft.part([node.name.or(shape.name), shape.name, piece.material]);
        let (first_face, primitive) = (draft.faces(), piece.primitive);
        stretches.push(Stretch { first_face, node: node.index, mesh: shape.index, primitive });
        let place = || Place::Part(format!("{}.primitives[{primitive}]", part()));
        for &[a, b, c] in &piece.triangles {
            let corners = if mirrored { [a, c, b] } else { [a, b, c] };
            draft.face(&corners.map(|corner| first + corner), place)?;
        }
        if !piece.left_over.is_empty() {
            draft.face(&piece.left_over, place)?;
        }
    }
    Ok(())
}

/// Where a face stands.
pub(super) fn place_of(stretches: &[Stretch], face: usize) -> Place {
    let after = stretches.partition_point(|stretch| stretch.first_face <= face);
    let Some(stretch) = after.checked_sub(1).map(|last| stretches[last]) else {
        return Place::Part("scene".into());
    };
    let Stretch { first_face, node, mesh, primitive } = stretch;
    let node = node.map_or_else(String::new, |node| format!("nodes[{node}], "));
    let triangle = face - first_face;
    Place::Part(format!("{node}meshes[{mesh}].primitives[{primitive}], triangle {triangle}"))
}

/// A mesh with a transform applied to its vertices.
pub(super) fn flattened(mesh: &TriangleMesh, rows: &Rows) -> TriangleMesh {
    let mut draft = Draft::new(false);
    let origin = mesh.origin();
    let place = || Place::Part(String::new());
    let mut fill = || -> Result<(), Fault> {
        for position in mesh.positions() {
            let position = std::array::from_fn(|axis| f64::from(position[axis]) + origin[axis]);
            draft.vertex(nodes::apply(rows, position), place)?;
        }
        mesh.indices().iter().try_for_each(|corners| draft.face(corners, place))
    };
    // Warnings are errors in strict mode only, and what was a mesh before is one after.
    let filled = fill();
    debug_assert!(filled.is_ok(), "{filled:?}");
    let source = Source { bytes: b"", name: "", strict: false };
    let made = draft.finish(&source, |_| place(), place());
    made.map(|(made, _)| made.with_parts(mesh.parts().clone())).unwrap_or_default()
}
