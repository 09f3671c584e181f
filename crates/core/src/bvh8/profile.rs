//! What a tree looks like, level by level and leaf by leaf, and how much its boxes overlap.
//!
//! The overlap is that of Aila, Karras and Laine, "On Quality Metrics of Bounding Volume
//! Hierarchies", 2013, section 3.2, taken at points instead of pieces of the surface:
//!
//! ```text
//! for points spread evenly over the surface:
//!     count the blocks whose boxes hold the point, without those that have its triangle below
//! overlap = the mean count
//! ```

use glam::DVec3;

use super::{Bvh8, ChildRef, Leaf4};
use crate::mesh::TriangleMesh;

/// How many points of the surface are looked at.
const POINTS: usize = 16_384;

/// What a tree looks like, level by level and leaf by leaf.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TreeProfile {
    /// How many nodes each level has, the root's first.
    pub nodes_by_level: Vec<usize>,
    /// How many leaves each level has, the root's first.
    pub leaves_by_level: Vec<usize>,
    /// How many leaves have no triangle, one, two, three and four.
    pub leaves_by_size: [usize; Leaf4::LANES + 1],
    /// How many nodes have no child, one, two, …, eight.
    pub nodes_by_children: [usize; 9],
    /// How many nodes and leaves a point on the surface lies in on average without belonging to
    /// them: the end-point overlap, with a cost of one for each. A ray that ends there visits
    /// them for nothing. 0 without a surface.
    ///
    /// Taken at 16,384 points, the same ones each time.
    pub overlap: f64,
}

impl TreeProfile {
    /// Looks at a tree and the mesh that it is over. A triangle that the mesh does not have, which
    /// only a file can name, counts as any other.
    #[must_use]
    pub fn new(tree: &Bvh8, mesh: &TriangleMesh) -> Self {
        let mut profile = Self { overlap: overlap(tree, mesh), ..Self::default() };
        for visit in tree.visits() {
            if visit.level == profile.nodes_by_level.len() {
                profile.nodes_by_level.push(0);
                profile.leaves_by_level.push(0);
            }
            if visit.place.is_leaf() {
                profile.leaves_by_level[visit.level] += 1;
                profile.leaves_by_size[tree.prims(visit.place).count()] += 1;
            } else {
                profile.nodes_by_level[visit.level] += 1;
                profile.nodes_by_children[tree.node_copy(visit.place).child_count as usize] += 1;
            }
        }
        profile
    }
}

fn overlap(tree: &Bvh8, mesh: &TriangleMesh) -> f64 {
    let area = |prim: u32| {
        let [a, b, c] = mesh.triangle(prim).map(|corner| DVec3::from(corner.map(f64::from)));
        let area = (b - a).cross(c - a).length();
        if area.is_finite() { area } else { 0.0 }
    };
    let prims = 0..mesh.triangle_count() as u32;
    let whole: f64 = prims.clone().map(area).sum();
    if whole == 0.0 {
        return 0.0;
    }
    // One point in each of as many equal pieces of the surface in the triangles' order.
    let step = whole / POINTS as f64;
    let mut passed = 0.0;
    let (mut points, mut strangers) = (0_usize, 0_usize);
    for prim in prims {
        passed += area(prim);
        while points < POINTS && (points as f64 + 0.5) * step <= passed {
            let point = point_on(mesh.triangle(prim), points);
            strangers += Around { tree, point, prim }.count(tree.root).strangers;
            points += 1;
        }
    }
    strangers as f64 / points.max(1) as f64
}

/// A point on a triangle, evenly spread with `i`: the additive sequence of the plastic number.
fn point_on(triangle: [[f32; 3]; 3], i: usize) -> DVec3 {
    const STEPS: [f64; 2] = [0.754_877_666_246_692_7, 0.569_840_290_998_053_3];
    let [mut u, mut v] = STEPS.map(|step| (0.5 + step * i as f64).fract());
    if u + v > 1.0 {
        (u, v) = (1.0 - u, 1.0 - v);
    }
    let [a, b, c] = triangle.map(|corner| DVec3::from(corner.map(f64::from)));
    a + (b - a) * u + (c - a) * v
}

/// The blocks around a point of a triangle.
struct Around<'a> {
    tree: &'a Bvh8,
    point: DVec3,
    prim: u32,
}

/// What was found in a subtree whose box holds the point.
#[derive(Default)]
struct Found {
    /// Blocks that hold the point and do not have its triangle.
    strangers: usize,
    /// Whether the triangle is here.
    is_home: bool,
}

impl Around<'_> {
    fn count(&self, place: ChildRef) -> Found {
        let mut found = Found::default();
        if place.is_leaf() {
            found.is_home = self.tree.prims(place).any(|prim| prim == self.prim);
        } else {
            let node = self.tree.node_copy(place);
            for lane in 0..node.child_count as usize {
                let bounds = node.child_bounds(lane);
                let is_in = bounds.min.as_dvec3().cmple(self.point).all()
                    && bounds.max.as_dvec3().cmpge(self.point).all();
                if is_in {
                    let below = self.count(node.children[lane]);
                    found.strangers += below.strangers;
                    found.is_home |= below.is_home;
                }
            }
        }
        found.strangers += usize::from(!found.is_home);
        found
    }
}
