//! The binary tree that every builder makes.

/// A binary tree over triangles.
#[derive(Clone, Debug)]
pub struct Bvh2;
