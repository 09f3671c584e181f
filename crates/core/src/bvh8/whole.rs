//! Triangles in parts made whole again: before they move, since their parts would not move along.

use std::collections::HashMap;

use super::refit::block_mut;
use super::{Bvh8, ChildRef, Leaf4, TreeLayout};
use crate::Aabb;
use crate::mesh::TriangleMesh;

impl Bvh8 {
    /// Leaves each triangle in one leaf only, that whose box grows least by it. The leaves and
    /// boxes of the tree are then to be made anew.
    ///
    /// With the whole triangle in each leaf that has a part of it, answers would be right as well,
    /// but boxes larger, and rays would test it more than once.
    pub(super) fn make_whole(&mut self, mesh: &TriangleMesh) {
        if self.statistics.references == self.statistics.triangles {
            return;
        }
        let mut homes: HashMap<u32, (f64, ChildRef)> = HashMap::new();
        let mut with_parts = Vec::new();
        for visit in self.visits().filter(|visit| visit.place.is_leaf()) {
            let (leaf, place, bounds) = (self.leaf(visit.place), visit.place, visit.bounds);
            let mut has_part = false;
            for (prim, is_part) in leaf.marked_prims().map(Leaf4::unmarked) {
                if !is_part {
                    continue;
                }
                has_part = true;
                let around = bounds.union(Aabb::of_triangle(mesh.triangle(prim)));
                let growth = around.half_area() - bounds.half_area();
                let home = homes.entry(prim).or_insert((growth, place));
                if growth < home.0 {
                    *home = (growth, place);
                }
            }
            if has_part {
                with_parts.push(place);
            }
        }
        let lines = self.lines_mut();
        for place in with_parts {
            let leaf: &mut Leaf4 =
                block_mut(lines, TreeLayout::Fast.line(place)).expect("a leaf is whole");
            leaf.retain(|prim| homes.get(&prim).is_none_or(|home| home.1 == place));
        }
    }
}
