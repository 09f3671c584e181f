//! Whether the leaves of a tree that came from bytes are such as changes of it rely on.

use super::{Bvh8, Leaf4};
use crate::bvh2::InvalidTree;
use crate::mesh::TriangleMesh;

/// In how many leaves a triangle was found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Nowhere,
    /// In one leaf, without a mark.
    Whole,
    /// In some leaves, with a mark in each.
    InParts,
}

impl Bvh8 {
    /// Checks what a refit relies on and does not make anew: each leaf names triangles of the mesh
    /// whose corners are finite, its empty lanes come last, no triangle is in two leaves without a
    /// mark, and there are as many as the tree says. Corners and boxes are not looked at.
    ///
    /// A tree that was built, or refitted before, needs no check, and none is made. One that was
    /// opened is checked by its first refit in any case; who moves the mesh before that may want to
    /// know it earlier.
    ///
    /// # Errors
    /// [`InvalidTree`] names the line of the first block at fault.
    pub fn check_leaves(&self, mesh: &TriangleMesh) -> Result<(), InvalidTree> {
        if self.is_known {
            return Ok(());
        }
        let mut found = vec![Found::Nowhere; mesh.triangle_count()];
        let is_finite = |numbers: &[f32]| numbers.iter().all(|x| x.is_finite());
        let all_finite = is_finite(mesh.positions().as_flattened());
        let mut references = 0;
        for leaf in self.visits().map(|visit| visit.place).filter(|place| place.is_leaf()) {
            let fail = |fault| Err(InvalidTree { node: self.layout.line(leaf), fault });
            let marked_prims = self.marked_prims(leaf);
            let count = self.prims(leaf).count();
            references += count;
            for (lane, &marked_prim) in marked_prims[..count].iter().enumerate() {
                let (prim, is_part) = Leaf4::unmarked(marked_prim);
                let Some(before) = found.get_mut(prim as usize) else {
                    return fail("has a triangle that is not there");
                };
                if !all_finite && !is_finite(mesh.triangle(prim).as_flattened()) {
                    return fail("has a triangle that is not finite");
                }
                let is_same = |&other: &u32| Leaf4::unmarked(other).0 == prim;
                let is_repeated = marked_prims[..lane].iter().any(is_same);
                *before = match (*before, is_part) {
                    _ if is_repeated => return fail("has a triangle twice"),
                    (Found::Nowhere, false) => Found::Whole,
                    (Found::Nowhere | Found::InParts, true) => Found::InParts,
                    _ => return fail("has a triangle of another leaf without a mark"),
                };
            }
            if marked_prims[count..].iter().any(|&marked_prim| marked_prim != Leaf4::NO_PRIM) {
                return fail("has an empty lane that names a triangle");
            }
        }
        let triangles = found.iter().filter(|&&found| found != Found::Nowhere).count();
        if [triangles, references] != [self.statistics.triangles, self.statistics.references] {
            let fault = "has another number of triangles than the tree says";
            return Err(InvalidTree { node: self.layout.line(self.root), fault });
        }
        Ok(())
    }
}
