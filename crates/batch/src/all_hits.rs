//! All hits of many rays in one list.

use hitscan_core::Hit;

/// The hits of many rays in one list: the hits of ray `i` are `hits[offsets[i]..offsets[i + 1]]`,
/// near to far (compressed sparse rows).
///
/// ```
/// use hitscan_batch::BatchRaycast;
/// use hitscan_core::{BuildOptions, Ray, TriangleMesh};
/// use hitscan_traversal::Bvh;
///
/// let at = |z| [[-1.0, -1.0, z], [3.0, -1.0, z], [-1.0, 3.0, z]];
/// let mesh = TriangleMesh::from_soup(&[at(1.0), at(2.0)])?;
/// let tree = Bvh::build(mesh, &BuildOptions::default());
/// let up = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
/// let down = Ray::new([0.0; 3], [0.0, 0.0, -1.0]);
///
/// let all = tree.all_hits_of(&[up, down, up]);
/// assert_eq!(all.offsets, [0, 2, 2, 4]);
/// assert_eq!(all.of_ray(0).iter().map(|hit| hit.t).collect::<Vec<_>>(), [1.0, 2.0]);
/// assert!(all.of_ray(1).is_empty());
/// # Ok::<(), hitscan_core::MeshError>(())
/// ```
#[doc(alias = "csr")]
#[derive(Clone, Debug, PartialEq)]
pub struct AllHits {
    /// Where each ray's hits begin; one longer than the rays, the last is the number of hits.
    pub offsets: Vec<usize>,
    /// The hits, ray by ray.
    pub hits: Vec<Hit>,
}

impl AllHits {
    /// Puts together the hits of consecutive rays from how many each has.
    pub(crate) fn from_counts(counts: &[usize], hits: Vec<Hit>) -> Self {
        let mut sum = 0;
        let ends = counts.iter().map(|count| {
            sum += count;
            sum
        });
        Self { offsets: std::iter::once(0).chain(ends).collect(), hits }
    }

    /// The hits of one ray, near to far.
    ///
    /// # Panics
    /// If there is no such ray.
    #[must_use]
    pub fn of_ray(&self, ray: usize) -> &[Hit] {
        &self.hits[self.offsets[ray]..self.offsets[ray + 1]]
    }

    /// The hits of each ray, in the order of the rays.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[Hit]> {
        self.offsets.windows(2).map(|ends| &self.hits[ends[0]..ends[1]])
    }

    /// How many rays there are.
    #[must_use]
    pub fn ray_count(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }
}
