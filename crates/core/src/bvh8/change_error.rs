//! Why a tree could not be changed.

use crate::bvh2::{Bvh2, InvalidTree};

/// Why a tree could not be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// It would become deeper than any walk is made for, and is to be built anew. Only hostile ones
    /// are near that.
    #[error("the tree would become deeper than {}", Bvh2::MAX_DEPTH)]
    TooDeep,
    /// It came from bytes, and its leaves are not those of a tree over this mesh. It is as it was.
    #[error(transparent)]
    InvalidTree(#[from] InvalidTree),
}
