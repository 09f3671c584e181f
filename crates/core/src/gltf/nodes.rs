//! The nodes of a scene, from its roots down, with their transforms multiplied.

use super::Rows;
use super::document::{Document, DocumentNode};
use crate::file::fault::{Fault, Place, Warnings};

/// A node that has a mesh.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    /// Which of the document's nodes it is; none where a mesh stands for itself.
    pub(super) index: Option<usize>,
    pub(super) name: Option<&'a str>,
    /// Which of the document's meshes; later, which of those that are read.
    pub(super) shape: usize,
    pub(super) rows: Rows,
}

/// The map that changes nothing.
pub(super) const IDENTITY: Rows =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

/// All nodes that have a mesh, parents before their children.
pub(super) fn placed<'a>(
    document: &'a Document,
    warnings: &mut Warnings,
) -> Result<Vec<Node<'a>>, Fault> {
    let mut seen = vec![false; document.nodes.len()];
    let mut placed = Vec::new();
    // The last one is next.
    let mut waiting: Vec<(usize, Rows)> =
        roots(document)?.into_iter().rev().map(|root| (root, IDENTITY)).collect();
    while let Some((index, parent)) = waiting.pop() {
        let part = || Place::Part(format!("nodes[{index}]"));
        let Some(node) = document.nodes.get(index) else {
            return Err(Fault::new(part(), "there is no such node"));
        };
        if std::mem::replace(&mut seen[index], true) {
            return Err(Fault::new(part(), "the node has two parents, or is its own ancestor"));
        }
        let rows = product(&parent, &local(node).map_err(|told| Fault::new(part(), told))?);
        waiting.extend(node.children.iter().rev().map(|&child| (child, rows)));
        let Some(mesh) = node.mesh else { continue };
        if mesh >= document.meshes.len() {
            return Err(Fault::new(part(), format!("there is no meshes[{mesh}]")));
        }
        for (ignored, what) in [
            (node.skin.is_some(), "a skin is not applied: the mesh stays in its rest pose"),
            (node.extensions.instancing.is_some(), "the mesh's further instances are left out"),
        ] {
            if ignored {
                warnings.add(part(), || what.into())?;
            }
        }
        placed.push(Node { index: Some(index), name: node.name.as_deref(), shape: mesh, rows });
    }
    Ok(placed)
}

/// The nodes of the scene; without a scene, those that are no node's child.
fn roots(document: &Document) -> Result<Vec<usize>, Fault> {
    if let Some(scene) = document.scenes.get(document.scene.unwrap_or(0)) {
        return Ok(scene.nodes.clone());
    }
    if let Some(scene) = document.scene {
        return Err(Fault::new(
            Place::Part("scene".into()),
            format!("there is no scenes[{scene}]"),
        ));
    }
    let mut is_child = vec![false; document.nodes.len()];
    for &child in document.nodes.iter().flat_map(|node| &node.children) {
        if let Some(is_child) = is_child.get_mut(child) {
            *is_child = true;
        }
    }
    Ok((0..document.nodes.len()).filter(|&node| !is_child[node]).collect())
}

/// A node's own transform.
fn local(node: &DocumentNode) -> Result<Rows, &'static str> {
    if let Some(matrix) = &node.matrix {
        let row = |row: usize| [matrix[row], matrix[row + 4], matrix[row + 8], matrix[row + 12]];
        if row(3) != [0.0, 0.0, 0.0, 1.0] {
            return Err("its matrix is not affine: its last row is not 0, 0, 0, 1");
        }
        return Ok([row(0), row(1), row(2)]);
    }
    let [x, y, z, w] = node.rotation.as_deref().copied().unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let length = x * x + y * y + z * z + w * w;
    if length == 0.0 || !length.is_finite() {
        return Err("its rotation is no quaternion");
    }
    let twice = 2.0 / length;
    let rotation = [
        [1.0 - twice * (y * y + z * z), twice * (x * y - z * w), twice * (x * z + y * w)],
        [twice * (x * y + z * w), 1.0 - twice * (x * x + z * z), twice * (y * z - x * w)],
        [twice * (x * z - y * w), twice * (y * z + x * w), 1.0 - twice * (x * x + y * y)],
    ];
    let scale = node.scale.as_deref().copied().unwrap_or([1.0; 3]);
    let translation = node.translation.as_deref().copied().unwrap_or([0.0; 3]);
    Ok(std::array::from_fn(|row| {
        let [a, b, c] = rotation[row];
        [a * scale[0], b * scale[1], c * scale[2], translation[row]]
    }))
}

/// The map that first does `b`, then `a`.
fn product(a: &Rows, b: &Rows) -> Rows {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let sum = (0..3).map(|i| a[row][i] * b[i][column]).sum::<f64>();
            if column == 3 { sum + a[row][3] } else { sum }
        })
    })
}

/// A point in world space.
pub(super) fn apply(rows: &Rows, [x, y, z]: [f64; 3]) -> [f64; 3] {
    rows.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3])
}

/// Whether a map turns left into right.
pub(super) fn mirrors([a, b, c]: &Rows) -> bool {
    let minor = |x: usize, y: usize| b[x] * c[y] - b[y] * c[x];
    a[0] * minor(1, 2) + a[1] * minor(2, 0) + a[2] * minor(0, 1) < 0.0
}
