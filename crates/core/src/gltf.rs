//! The reader of glTF 2.0, as a document (`.gltf`) or in a container (`.glb`).
//!
//! Read are the triangles, strips and fans of the default scene, or of the first one, or of all
//! nodes where there is no scene. Positions may be floats or, as `KHR_mesh_quantization` has it,
//! integers, and may be sparse. Placements are multiplied in f64. Skins, morph targets and
//! animations stay in their rest pose, with a warning for the first two. A file that requires an
//! extension which may change its shape is an error.

mod accessor;
mod buffers;
mod container;
mod document;
mod nodes;
mod placed;
mod shape;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use crate::file::draft::Draft;
use crate::file::fault::{Fault, Place, Source, Warnings};
use crate::file::{ReadError, ReadOptions, read_whole};
use crate::mesh::{MeshReport, TriangleMesh};
use buffers::Buffers;
use container::Container;
use nodes::Node;
use shape::{Shape, Shapes};

/// The greatest number of triangles or of vertices of a mesh.
const MAX_COUNT: usize = u32::MAX as usize - 1;

/// Where a mesh stands: a 3×4 row-major affine map from mesh to world, in f64.
pub type Rows = [[f64; 4]; 3];

/// The scene of a glTF file: meshes, and where each of them stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GltfScene {
    /// The meshes that are placed, in order of their first placement. The object is the mesh's
    /// name.
    pub meshes: Vec<Arc<TriangleMesh>>,
    /// The nodes that have a mesh: parents before their children, else in the order of the file.
    pub placements: Vec<Placement>,
}

/// A node that has a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// Which of [`GltfScene::meshes`] it is.
    pub mesh: usize,
    /// Where it stands. A map that mirrors keeps the front of the mesh in front.
    pub rows: Rows,
    /// The node's name, if it has one.
    pub name: Option<String>,
}

impl GltfScene {
    /// One placed mesh with its transform applied to its vertices, for a transform that cannot be
    /// inverted.
    ///
    /// # Panics
    /// If there is no such placement.
    #[must_use]
    pub fn flattened(&self, placement: usize) -> TriangleMesh {
        let Placement { mesh, rows, .. } = &self.placements[placement];
        placed::flattened(&self.meshes[*mesh], rows)
    }
}

/// Reads the scene of a file, each mesh once and its placements beside it.
///
/// Data in other files must lie in the document's own folder or below.
/// [`crate::file::read_file`] reads the same as one mesh.
///
/// # Errors
/// [`ReadError::Io`] if a file cannot be read, and else what is wrong, with its place.
pub fn read_file(
    path: impl AsRef<Path>,
    options: &ReadOptions,
) -> Result<(GltfScene, MeshReport), ReadError> {
    let path = path.as_ref();
    let bytes = read_whole(path)?;
    let name = path.display().to_string();
    let source = Source { bytes: &bytes, name: &name, strict: options.strict };
    read_scene(&source, path.parent(), options)
}

/// Reads the scene of a file's bytes; `name` is what errors call it. All data must be in them.
///
/// # Errors
/// As [`read_file`].
pub fn read_bytes(
    bytes: &[u8],
    name: &str,
    options: &ReadOptions,
) -> Result<(GltfScene, MeshReport), ReadError> {
    read_scene(&Source { bytes, name, strict: options.strict }, None, options)
}

/// Reads a scene as one mesh: each node's triangles after those of the nodes before it. A node's
/// name, else its mesh's, is its triangles' object; the mesh's name is their group.
pub(crate) fn read_baked(
    source: &Source<'_>,
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<(TriangleMesh, MeshReport), ReadError> {
    let mut draft = Draft::new(source.strict);
    let container = container::open(source, &mut draft.warnings)?;
    let scene = Scene::read(source, &container, folder, options, &mut draft.warnings)?;
    let mut stretches = Vec::new();
    scene.within(options).map_err(|fault| source.error(fault))?;
    for node in &scene.nodes {
        placed::bake(&scene.shapes[node.shape], node, &mut draft, &mut stretches)
            .map_err(|fault| source.error(fault))?;
    }
    draft.finish(source, |face| placed::place_of(&stretches, face), end())
}

fn read_scene(
    source: &Source<'_>,
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<(GltfScene, MeshReport), ReadError> {
    let mut warnings = Warnings::new(source.strict);
    let container = container::open(source, &mut warnings)?;
    let scene = Scene::read(source, &container, folder, options, &mut warnings)?;
    let mut report = MeshReport::default();
    warnings.tell(Vec::new(), source, &mut report)?;
    let mut meshes = Vec::with_capacity(scene.shapes.len());
    for shape in &scene.shapes {
        let mut draft = Draft::new(source.strict);
        let mut stretches = Vec::new();
        placed::bake(shape, &shape.at_rest(), &mut draft, &mut stretches)
            .map_err(|fault| source.error(fault))?;
        let place = |face| placed::place_of(&stretches, face);
        let (mesh, of_mesh) = draft.finish(source, place, Place::Part(shape.part()))?;
        add(&mut report, of_mesh);
        meshes.push(Arc::new(mesh));
    }
    let placements = scene.nodes.iter().map(|node| Placement {
        mesh: node.shape,
        rows: node.rows,
        name: node.name.map(str::to_owned),
    });
    let placements = placements.collect();
    if meshes.is_empty() {
        let message = "the file holds no triangles";
        if source.strict {
            return Err(source.error(Fault::new(end(), message)));
        }
        report.warn(0, message);
    }
    Ok((GltfScene { meshes, placements }, report))
}

/// What a place is called where the file as a whole is meant.
fn end() -> Place {
    Place::Part("scene".into())
}

/// The sums of two reports.
fn add(report: &mut MeshReport, more: MeshReport) {
    report.vertices += more.vertices;
    report.polygons += more.polygons;
    report.triangles += more.triangles;
    report.skipped += more.skipped;
    report.degenerate += more.degenerate;
    report.duplicate += more.duplicate;
    report.non_finite += more.non_finite;
    let count = report.warning_count + more.warning_count;
    for warning in more.warnings {
        report.warn(warning.line, warning.message);
    }
    report.warning_count = count;
}

/// A scene that is read but not yet made into meshes.
struct Scene<'a> {
    /// The meshes that are placed and have triangles, in order of their first placement.
    shapes: Vec<Shape<'a>>,
    /// The nodes that have one of them.
    nodes: Vec<Node<'a>>,
}

impl<'a> Scene<'a> {
    fn read(
        source: &'a Source<'a>,
        container: &'a Container<'a>,
        folder: Option<&'a Path>,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<Self, ReadError> {
        let document = &container.document;
        let refuse = |part: String, message: String| {
            Err(source.error(Fault::new(Place::Part(part), message)))
        };
        let version = &document.asset.version;
        if version.split('.').next() != Some("2") {
            let message = format!("glTF {version} is not supported, only 2.0");
            return refuse("asset.version".into(), message);
        }
        if let Some((i, name)) = document.unknown_extension() {
            let message = format!("the extension {name} is not supported");
            return refuse(format!("extensionsRequired[{i}]"), message);
        }
        let mut nodes = nodes::placed(document, warnings).map_err(|fault| source.error(fault))?;
        let buffers = Buffers::new(source, document, container.data, folder);
        let mut reader = Shapes::new(&buffers, document, options);
        let mut shapes = Vec::new();
        // For each of the document's meshes that was read, which shape it is, if it is one.
        let mut numbers: HashMap<usize, Option<usize>> = HashMap::new();
        for node in &nodes {
            if numbers.contains_key(&node.shape) {
                continue;
            }
            let shape = reader.read(node.shape, warnings)?;
            let is_one = !shape.pieces.is_empty();
            numbers.insert(node.shape, is_one.then_some(shapes.len()));
            if is_one {
                shapes.push(shape);
            }
        }
        nodes.retain_mut(|node| {
            let number = numbers[&node.shape];
            node.shape = number.unwrap_or(0);
            number.is_some()
        });
        Ok(Self { shapes, nodes })
    }

    /// Checks that the placed meshes together have no more triangles and vertices than allowed.
    fn within(&self, options: &ReadOptions) -> Result<(), Fault> {
        let most = options.most_triangles.min(MAX_COUNT);
        let of_nodes = |count: fn(&Shape<'_>) -> usize| -> u128 {
            self.nodes.iter().map(|node| count(&self.shapes[node.shape]) as u128).sum()
        };
        for (what, made) in [
            ("triangles", of_nodes(|shape| shape.triangle_count())),
            ("vertices", of_nodes(|shape| shape.positions.len())),
            // A primitive of one or two corners makes a warning each time.
            ("primitives", of_nodes(|shape| shape.pieces.len())),
        ] {
            if made > most as u128 {
                let message = format!("it makes {made} {what}, more than the {most} allowed");
                return Err(Fault::new(end(), message));
            }
        }
        Ok(())
    }
}
