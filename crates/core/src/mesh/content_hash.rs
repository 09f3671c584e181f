//! A number that tells whether a mesh is still the one that a tree was built over.

use super::TriangleMesh;
use crate::checksum::{Checksum, checksum};

impl TriangleMesh {
    /// A number made of the positions, the indices and the origin, bit by bit: meshes that differ
    /// in any of these almost certainly differ in it. Names and polygons do not count.
    ///
    /// It is the same on every machine and stays the same as long as the format of baked trees
    /// does, so that it may name a file in a cache. It is no protection against somebody who
    /// makes up meshes on purpose.
    ///
    /// ```
    /// use hitscan_core::TriangleMesh;
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let mesh = TriangleMesh::from_soup(&[corners])?;
    /// assert_eq!(mesh.content_hash(), mesh.clone().content_hash());
    /// let other = mesh.clone().with_positions(vec![[0.0; 3]; 3])?;
    /// assert_ne!(mesh.content_hash(), other.content_hash());
    /// # Ok::<(), hitscan_core::MeshError>(())
    /// ```
    #[must_use]
    pub fn content_hash(&self) -> u64 {
        let of = |bytes: &[u8]| checksum(bytes);
        Self::content_hash_of(
            self.origin,
            of(bytemuck::cast_slice(&self.positions)),
            of(bytemuck::cast_slice(&self.indices)),
        )
    }

    /// The same, by the checksums of the lists.
    pub(crate) fn content_hash_of(origin: [f64; 3], positions: u64, indices: u64) -> u64 {
        let mut hash = Checksum::default();
        hash.add(&[positions, indices].map(u64::to_le_bytes).concat());
        hash.add(&origin.map(f64::to_le_bytes).concat());
        hash.finish()
    }
}
