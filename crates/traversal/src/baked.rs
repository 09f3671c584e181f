//! Meshes with their trees, saved and opened again without building.

use std::io::{Read, Write};
use std::ops::RangeBounds;
use std::path::Path;
use std::sync::Arc;

use hitscan_core::baked::{self, BakedError};
use hitscan_core::bvh2::InvalidTree;
use hitscan_core::memory::SharedBytes;
use hitscan_core::{Bvh8, TriangleMesh};

use crate::bvh::Bvh;

/// Saving and opening again. An opened tree answers bit for bit as the one that was saved, on
/// every machine that is little-endian; on others every way of saving and opening is an error.
impl Bvh {
    /// Writes the mesh and its tree into a file, which takes its name only when it is whole: after
    /// an error there is what was there before.
    ///
    /// # Errors
    /// [`baked::BakedFault::Io`] if it cannot be written.
    ///
    /// ```
    /// use hitscan_core::{BuildOptions, Ray, TriangleMesh};
    /// use hitscan_traversal::{Bvh, Raycast};
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let built = Bvh::build(TriangleMesh::from_soup(&[corners])?, &BuildOptions::default());
    /// let path = std::env::temp_dir().join(format!("triangle.{}.hscan", std::process::id()));
    /// built.save(&path)?;
    ///
    /// let loaded = Bvh::load(&path)?;
    /// let ray = Ray::new([0.25, 0.5, 3.0], [0.0, 0.0, -1.0]);
    /// assert_eq!(loaded.closest_hit(&ray), built.closest_hit(&ray));
    /// assert_eq!(loaded.mesh().positions(), corners);
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), BakedError> {
        baked::save(path, self.mesh(), self.tree())
    }

    /// Reads a file into memory of its own, in huge pages where the system has them, and checks
    /// every byte of it.
    ///
    /// # Errors
    /// See [`baked::BakedFault`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, BakedError> {
        baked::load(path).map(Self::of_pair)
    }

    /// Reads the tree that was baked of this very mesh, which may be moved or renamed but not
    /// changed, and uses the mesh that is given.
    ///
    /// # Errors
    /// [`baked::BakedFault::Stale`] if the file was baked of another mesh; else see
    /// [`baked::BakedFault`].
    ///
    /// ```
    /// use hitscan_core::baked::BakedFault;
    /// use hitscan_core::{BuildOptions, TriangleMesh};
    /// use hitscan_traversal::Bvh;
    ///
    /// # let folder = std::env::temp_dir();
    /// # let path = folder.join(format!("cached.{}.hscan", std::process::id()));
    /// # let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// # let mesh = std::sync::Arc::new(TriangleMesh::from_soup(&[corners])?);
    /// let bvh = match Bvh::load_for(&path, mesh.clone()) {
    ///     Ok(bvh) => bvh,
    ///     // Not there, stale, damaged, or of another version: all of them are mended by baking.
    ///     Err(_) => {
    ///         let bvh = Bvh::build(mesh, &BuildOptions::default());
    ///         bvh.save(&path)?;
    ///         bvh
    ///     }
    /// };
    ///
    /// let other = bvh.mesh().as_ref().clone().with_positions(vec![[7.0; 3]; 3])?;
    /// let stale = Bvh::load_for(&path, other).unwrap_err();
    /// assert!(matches!(stale.fault, BakedFault::Stale));
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load_for(
        path: impl AsRef<Path>,
        mesh: impl Into<Arc<TriangleMesh>>,
    ) -> Result<Self, BakedError> {
        let mesh = mesh.into();
        let tree = baked::load_for(path, &mesh)?;
        Ok(Self::of_tree(mesh, tree))
    }

    /// Maps a file into memory and walks it there: [`Bvh::view`] of a whole file. Needs the cargo
    /// feature `mmap`.
    ///
    /// Nothing is copied and little is read, so that opening takes some 45 ms for ten million
    /// triangles, and processes that open the same file share its memory. Rays are slower than after
    /// [`Bvh::load`] where the tree is much larger than the caches, because mapped files are in
    /// small pages.
    ///
    /// **Nobody may write into the file while it is open**: see
    /// [`MappedFile`](hitscan_core::memory::MappedFile). To save over it is fine.
    ///
    /// # Errors
    /// See [`baked::BakedFault`].
    #[cfg(feature = "mmap")]
    pub fn open(path: impl AsRef<Path>) -> Result<Self, BakedError> {
        let path = path.as_ref();
        let in_file = |fault| BakedError { file: Some(path.into()), fault };
        let file = hitscan_core::memory::MappedFile::open(path);
        let bytes: SharedBytes = Arc::new(file.map_err(|error| in_file(error.into()))?);
        Self::view(&bytes, ..).map_err(|error| in_file(error.fault))
    }

    /// A tree where it is, in bytes that something else holds: a mapped file, a part of a file of
    /// assets, bytes that are compiled into the program.
    ///
    /// The structure is checked, so that no ray panics or goes on for ever, whatever the bytes.
    /// Checksums are not: bits that flipped in a box or a leaf give wrong answers. Leaves are looked
    /// at before the first change of the tree ([`Bvh::refit`], [`DynamicBvh::new`](crate::DynamicBvh::new)). Both
    /// [`Bvh::from_bytes`], which copies, and [`Bvh::validate`], which looks at every number,
    /// notice these.
    ///
    /// # Errors
    /// [`baked::BakedFault::Misaligned`] if the range does not begin at a multiple of 64 bytes in
    /// memory; else see [`baked::BakedFault`].
    ///
    /// ```
    /// use hitscan_core::memory::SharedBytes;
    /// use hitscan_traversal::Bvh;
    /// # use hitscan_core::{BuildOptions, TriangleMesh};
    /// # use hitscan_traversal::Raycast;
    /// # use std::sync::Arc;
    ///
    /// /// Bytes whose memory begins at a multiple of 64, as that of a mapped file does.
    /// #[repr(align(64))]
    /// struct Aligned([u8; 2048]);
    ///
    /// impl AsRef<[u8]> for Aligned {
    ///     fn as_ref(&self) -> &[u8] {
    ///         &self.0
    ///     }
    /// }
    ///
    /// # let mut assets = Aligned([0; 2048]);
    /// # let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// # let built = Bvh::build(TriangleMesh::from_soup(&[corners])?, &BuildOptions::default());
    /// # let mut baked = Vec::new();
    /// # built.write_to(&mut baked)?;
    /// # let (first, end) = (512, 512 + baked.len());
    /// # assets.0[first..end].copy_from_slice(&baked);
    /// let assets: SharedBytes = Arc::new(assets);
    /// let bvh = Bvh::view(&assets, first..end)?;
    /// assert_eq!(bvh.mesh().triangle_count(), 1);
    /// # assert!(bvh.any_hit(&hitscan_core::Ray::new([0.25, 0.5, 3.0], [0.0, 0.0, -1.0])));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn view(bytes: &SharedBytes, range: impl RangeBounds<usize>) -> Result<Self, BakedError> {
        baked::view(bytes, range).map(Self::of_pair)
    }

    /// Writes what [`Bvh::save`] would write to anything that takes bytes.
    ///
    /// # Errors
    /// [`baked::BakedFault::Io`] if it cannot be written.
    pub fn write_to(&self, writer: impl Write) -> Result<(), BakedError> {
        baked::write(writer, self.mesh(), self.tree())
    }

    /// Reads what [`Bvh::write_to`] wrote, checks every byte of it, and leaves what comes after it
    /// unread. No length is believed before the bytes are there.
    ///
    /// # Errors
    /// See [`baked::BakedFault`].
    pub fn read_from(reader: impl Read) -> Result<Self, BakedError> {
        baked::read(reader).map(Self::of_pair)
    }

    /// Copies a tree out of bytes, which may lie anywhere, and checks every one of them.
    ///
    /// # Errors
    /// See [`baked::BakedFault`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BakedError> {
        baked::from_bytes(bytes).map(Self::of_pair)
    }

    /// Whether this is a tree over its mesh in every number, so that it answers as a test of every
    /// triangle would. A tree that was built is; one that was opened need not be, if somebody
    /// changed its file and the checksums with it, or if nobody looked at these.
    ///
    /// # Errors
    /// [`InvalidTree`] names the first line of the block at fault.
    pub fn validate(&self) -> Result<(), InvalidTree> {
        self.tree().validate(self.mesh())
    }

    fn of_pair((mesh, tree): (TriangleMesh, Bvh8)) -> Self {
        Self::of_tree(Arc::new(mesh), tree)
    }
}
