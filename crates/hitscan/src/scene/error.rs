//! Why a mesh could not be placed in a scene.

use hitscan_core::Cancelled;

/// Why an instance could not be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// A number of the transform is NaN or infinite.
    #[error("the transform's row {row}, column {column} is not finite (both counted from 0)")]
    NotFinite {
        /// The row, 0 to 2.
        row: usize,
        /// The column, 0 to 3.
        column: usize,
    },
    /// The transform flattens space: its determinant is zero, or would be with other last digits
    /// of its f64 numbers; or its inverse overflows.
    #[error("the transform has no inverse: it flattens the mesh")]
    Singular,
    /// The matrix is a projection: its last row is not 0, 0, 0, 1.
    #[error("the matrix is not affine: its last row is not 0, 0, 0, 1")]
    Projective,
    /// There is no instance of that number.
    #[error("there is no instance {instance}: the scene has {count}")]
    NoInstance {
        /// The number asked for.
        instance: u32,
        /// How many there are.
        count: usize,
    },
    /// More instances than a 32-bit number can tell apart.
    #[error("a scene holds no more than 2^32 - 2 instances")]
    TooManyInstances,
    /// The building of its trees was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<std::convert::Infallible> for SceneError {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}
