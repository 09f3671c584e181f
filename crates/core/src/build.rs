//! Builders: from a mesh to a binary tree.

/// How much time to spend on a better tree. Every quality gives the same answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Quality {
    /// The shortest build: for meshes that are rebuilt often.
    Fast,
    /// A good tree in little time.
    #[default]
    Balanced,
    /// The best tree: for meshes that are built once and cast at often.
    High,
}

/// How to build a tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BuildOptions {
    /// How much time to spend on a better tree; [`Quality::Balanced`] by default.
    pub quality: Quality,
}

impl From<Quality> for BuildOptions {
    fn from(quality: Quality) -> Self {
        Self { quality }
    }
}
