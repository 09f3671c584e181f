//! The meshes that rays are cast at, and where they are looked at from.

use std::path::Path;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use hitscan::TriangleMesh;
use hitscan::obj::{self, ObjOptions};
use hitscan_testkit::meshes::{forest, soup, terrain_of};
use hitscan_testkit::rays::Camera;

/// Where a camera is, and the point that it looks at.
pub type View = ([f64; 3], [f64; 3]);

/// A mesh and the camera of its primary rays.
pub struct Subject {
    pub name: String,
    pub mesh: Arc<TriangleMesh>,
    pub camera: Camera,
}

/// Interiors, which a camera outside would see nothing of: (a part of the name, eye, target).
const INTERIORS: [(&str, [f64; 3], [f64; 3]); 1] = [("sponza", [-12.0, 4.0, 0.0], [0.0, 3.5, 0.0])];

/// The trees of `forest`: 1.3 million triangles.
const TREES: u32 = 2540;

/// A number of triangles: `1000`, `1k` or `1M`.
pub fn count(text: &str) -> Result<u32, String> {
    let of = |letter: char, unit: u32| Some((text.strip_suffix(letter)?, unit));
    let (digits, unit) = of('k', 1000).or_else(|| of('M', 1_000_000)).unwrap_or((text, 1));
    let count = digits.parse::<u32>().ok().and_then(|count| count.checked_mul(unit));
    count.filter(|&count| count > 0).ok_or_else(|| format!("how many triangles are `{text}`?"))
}

/// Reads or generates the mesh that `spec` names.
pub fn load(spec: &str, view: Option<View>) -> anyhow::Result<Subject> {
    let (kind, count) = spec.split_once(':').unwrap_or((spec, ""));
    let count = || self::count(count).map_err(|why| anyhow!("`{spec}`: {why}"));
    let mesh = match kind {
        "terrain" => terrain_of(count()?, 1),
        "soup" => {
            let count = count()?;
            soup(count, 2.0 / f64::from(count.max(1)).cbrt(), 1)
        }
        "forest" => forest(TREES, 1),
        path => obj::read_file(path, ObjOptions::default())?.0,
    };
    if mesh.bounds().is_empty() {
        bail!("`{spec}` has no triangles");
    }
    let name = Path::new(spec).file_stem().unwrap_or(spec.as_ref()).to_string_lossy().into_owned();
    let mut camera = Camera::outside(mesh.bounds());
    let interior = INTERIORS.iter().find(|(part, ..)| name.contains(part));
    if let Some(&(_, eye, target)) = interior {
        camera = Camera { eye, target, field_of_view: 75.0, ..camera };
    }
    if let Some((eye, target)) = view {
        camera = Camera { eye, target, ..camera };
    }
    Ok(Subject { name, mesh: Arc::new(mesh), camera })
}
