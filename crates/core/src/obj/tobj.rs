//! Meshes from programs that load OBJ with the `tobj` crate.

use crate::mesh::{MeshError, Part, Parts, TriangleMesh};
use crate::polygon::Triangulator;

/// All models that `tobj` loaded as one mesh, each model's name as its triangles' object.
///
/// Faces of more than three corners, which `tobj` keeps unless it is told to triangulate, are cut
/// into triangles as [`super::read_file`] does; faces of fewer make none. No models give an empty
/// mesh.
///
/// # Errors
/// [`MeshError::IndexOutOfRange`] if a face uses a vertex that its model does not have (the
/// triangle named is the first of that face), [`MeshError::TooMany`] if there are more than 2³²−2
/// vertices or triangles.
///
/// ```
/// use hitscan_core::obj::from_tobj;
/// let text = b"o plate\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
/// let (models, _) =
///     tobj::load_obj_buf(&mut &text[..], &tobj::LoadOptions::default(), |_| Ok(Default::default()))?;
/// let mesh = from_tobj(&models)?;
/// assert_eq!(mesh.triangle_count(), 2);
/// assert_eq!(mesh.parts().names_of(1).object, Some("plate"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_tobj(models: &[::tobj::Model]) -> Result<TriangleMesh, MeshError> {
    let (mut positions, mut indices) = (Vec::new(), Vec::new());
    let (mut runs, mut names, mut polygons) = (Vec::new(), Vec::new(), Vec::new());
    let mut triangulator = Triangulator::new();
    let mut face = 0;
    for model in models {
        let (own_positions, _) = model.mesh.positions.as_chunks::<3>();
        let first_vertex = positions.len() as u32;
        positions.extend_from_slice(own_positions);
        let first_triangle = indices.len();
        for corners in faces(&model.mesh).filter(|corners| corners.len() >= 3) {
            let vertices = own_positions.len();
            if let Some(&index) = corners.iter().find(|&&index| index as usize >= vertices) {
                return Err(MeshError::IndexOutOfRange {
                    triangle: indices.len(),
                    index,
                    vertices,
                });
            }
            let from = indices.len();
            indices.resize(from + corners.len() - 2, [0; 3]);
            triangulator.cut(corners, own_positions, &mut indices[from..]);
            polygons.resize(indices.len(), face);
            face += 1;
        }
        for index in indices[first_triangle..].as_flattened_mut() {
            *index = index.wrapping_add(first_vertex);
        }
        if indices.len() > first_triangle {
            let object = (!model.name.is_empty()).then_some(names.len() as u32);
            names.extend(object.map(|_| model.name.clone()));
            let first_prim = first_triangle as u32;
            runs.push(Part { first_prim, object, group: None, material: None });
        }
    }
    if face as usize == indices.len() {
        polygons.clear();
    }
    let mesh = TriangleMesh::new(positions, indices)?;
    Ok(mesh.with_parts(Parts::new(runs, names, polygons)))
}

/// The corners of each face.
fn faces(mesh: &::tobj::Mesh) -> impl Iterator<Item = &[u32]> {
    let mut rest = &mesh.indices[..];
    let mut arities = mesh.face_arities.iter();
    std::iter::from_fn(move || {
        // `tobj` leaves the list empty where all faces are triangles.
        let arity = if mesh.face_arities.is_empty() { 3 } else { *arities.next()? as usize };
        let corners;
        (corners, rest) = rest.split_at_checked(arity)?;
        Some(corners)
    })
}
