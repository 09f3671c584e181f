//! The boxes that a ray meets on its way through the tree, found apart from the walk.
//!
//! Nearest boxes come first and what lies behind a hit is left out, as in the walk, but each box
//! is tested for itself, in f64, and everything is written down.

use std::collections::HashSet;

use hitscan_core::bvh8::{Bvh8, ChildRef};
use hitscan_core::{Aabb, Ray};

use super::triangle::{Tester, TriangleTest, Verdict};

/// A box of the tree that was looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxVisit {
    /// How deep it lies: 0 is the box around everything.
    pub level: u32,
    /// The box, relative to the mesh's origin.
    pub bounds: Aabb,
    /// What is in it.
    pub content: BoxContent,
    /// What became of it.
    pub fate: BoxFate,
    /// The `t` at which the ray's line enters it; greater than `leave` if the line misses it.
    pub enter: f64,
    /// The `t` at which the ray's line leaves it.
    pub leave: f64,
}

/// What is in a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoxContent {
    /// So many boxes.
    Boxes(u32),
    /// So many triangles.
    Triangles(u32),
}

/// What became of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoxFate {
    /// The ray goes through it, so that what is in it is looked at.
    Entered,
    /// The line passes it by.
    Beside,
    /// The line goes through it, before `t_min`.
    Before,
    /// The line goes through it, beyond `t_max`.
    Beyond,
    /// The ray goes through it, behind a hit that was found already.
    Hidden,
}

/// What was seen on a ray's way.
#[derive(Debug, Default)]
pub(super) struct Way {
    pub(super) boxes: Vec<BoxVisit>,
    pub(super) triangles: Vec<TriangleTest>,
}

/// How much farther than the nearest hit a box is still looked into, relative to that: more than
/// a hit's `t` can be off.
const T_SLACK: f64 = 1.0 / (1 << 13) as f64;

/// What the roundings of a plane's distance in f64 can do, and a little more.
const PLANE_SLACK: f64 = 8.0 * f64::EPSILON;

impl Way {
    /// Follows a valid ray.
    pub(super) fn of(tree: &Bvh8, tester: &Tester<'_>) -> Self {
        let mut way = Self::default();
        let ray = tester.ray;
        let mut best = f64::from(ray.t_max);
        let root = way.look(tree, ray, tree.root(), tree.bounds(), 0);
        let mut open = Vec::from_iter(root);
        // A tree with spatial splits has some triangles in several leaves.
        let mut tested = HashSet::new();
        while let Some((place, child)) = open.pop() {
            let visit = &mut way.boxes[place];
            if visit.enter > best + best.abs() * T_SLACK {
                visit.fate = BoxFate::Hidden;
                continue;
            }
            let level = visit.level + 1;
            if child.is_leaf() {
                // A file may name some that are not there.
                let is_there = |&prim: &u32| (prim as usize) < tester.mesh.triangle_count();
                let prims = tree.prims(child).filter(is_there);
                for prim in prims.filter(|&prim| tested.insert(prim)) {
                    let test = tester.test(prim);
                    if let (Verdict::Hit, Some(crossing)) = (test.verdict, test.crossing) {
                        best = best.min(f64::from(crossing.t));
                    }
                    way.triangles.push(test);
                }
                continue;
            }
            let node = tree.node_copy(child);
            let first = open.len();
            for lane in 0..node.child_count as usize {
                let bounds = node.child_bounds(lane);
                open.extend(way.look(tree, ray, node.children[lane], bounds, level));
            }
            open[first..].sort_by(|a, b| {
                let enter = |place: usize| way.boxes[place].enter;
                enter(b.0).total_cmp(&enter(a.0))
            });
        }
        way
    }

    /// Looks at a box; if the ray goes through it, gives its place and where it leads.
    fn look(
        &mut self,
        tree: &Bvh8,
        ray: &Ray,
        child: ChildRef,
        bounds: Aabb,
        level: u32,
    ) -> Option<(usize, ChildRef)> {
        let content = if child.is_leaf() {
            BoxContent::Triangles(tree.prims(child).count() as u32)
        } else {
            BoxContent::Boxes(tree.node_copy(child).child_count)
        };
        let [enter, leave] = slab(ray, bounds);
        let (t_min, t_max) = (f64::from(ray.t_min), f64::from(ray.t_max));
        let fate = if enter > leave {
            BoxFate::Beside
        } else if leave < t_min - t_min.abs() * T_SLACK {
            BoxFate::Before
        } else if enter > t_max + t_max.abs() * T_SLACK {
            BoxFate::Beyond
        } else {
            BoxFate::Entered
        };
        self.boxes.push(BoxVisit { level, bounds, content, fate, enter, leave });
        (fate == BoxFate::Entered).then_some((self.boxes.len() - 1, child))
    }
}

/// Where the ray's line enters and leaves a box, widened by more than rounding.
fn slab(ray: &Ray, bounds: Aabb) -> [f64; 2] {
    let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
    for axis in 0..3 {
        let [origin, direction, low, high] =
            [ray.origin[axis], ray.direction[axis], bounds.min[axis], bounds.max[axis]]
                .map(f64::from);
        if direction == 0.0 {
            if !(low..=high).contains(&origin) {
                return [f64::INFINITY, f64::NEG_INFINITY];
            }
            continue;
        }
        let [a, b] = [low, high].map(|plane| (plane - origin) / direction);
        let (near, far) = (a.min(b), a.max(b));
        enter = enter.max(near - near.abs() * PLANE_SLACK);
        leave = leave.min(far + far.abs() * PLANE_SLACK);
    }
    [enter, leave]
}
