//! The eight-wide tree that rays walk.

/// An eight-wide tree.
#[derive(Clone, Debug)]
pub struct Bvh8;
