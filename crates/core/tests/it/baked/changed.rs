//! Trees from files whose checksums fit and whose leaves cannot be: what looks at leaves says so, or
//! passes over them, and nothing changes.

use hitscan_core::baked;
use hitscan_core::build::build;
use hitscan_core::bvh8::{ChangeError, Leaf4, Paths, Refitter, Structure, TreeProfile};
use hitscan_core::{BuildOptions, Bvh8, Quality, TreeLayout, TriangleMesh};
use hitscan_testkit::meshes;

use super::view;

const NOT_THERE: &str = "has a triangle that is not there";
const NOT_FINITE: &str = "has a triangle that is not finite";
const TWICE: &str = "has a triangle twice";
const WITHOUT_MARK: &str = "has a triangle of another leaf without a mark";
const EMPTY: &str = "has an empty lane that names a triangle";
const NUMBER: &str = "has another number of triangles than the tree says";

/// A baked file of a mesh that has triangles which are not finite, and where its leaves are.
struct File {
    mesh: TriangleMesh,
    bytes: Vec<u8>,
    layout: TreeLayout,
    /// The lines of all leaves with four triangles, in order.
    full_leaves: Vec<usize>,
}

impl File {
    const BLOCKS: usize = 256;

    fn new(quality: Quality, layout: TreeLayout) -> Self {
        let parts = [meshes::icosphere(1.0, [0.0; 3], 3), meshes::beams(300, 1)];
        let mesh = meshes::with_broken_triangles(&meshes::joined(&parts));
        let tree = Bvh8::from_bvh2_in(layout, &build(&mesh, &quality.into()), &mesh);
        let mut bytes = Vec::new();
        baked::write(&mut bytes, &mesh, &tree).expect("memory takes all");
        let (_, viewed) = view(&bytes).expect("it is right");
        let places = viewed.visits().map(|visit| visit.place).filter(|place| place.is_leaf());
        let is_full = |prims: &[u32; 4]| prims.iter().all(|prim| prim & Leaf4::SPLIT == 0);
        let full = places.filter(|&place| {
            viewed.prims(place).count() == 4 && is_full(viewed.marked_prims(place))
        });
        let full_leaves = full.map(|place| layout.line(place)).collect();
        Self { mesh, bytes, layout, full_leaves }
    }

    /// Where a leaf's lane names its triangle.
    fn place(&self, line: usize, lane: usize) -> usize {
        let first = if self.layout == TreeLayout::Fast { 144 } else { 48 };
        Self::BLOCKS + 64 * line + first + 4 * lane
    }

    fn prim(&self, line: usize, lane: usize) -> u32 {
        let place = self.place(line, lane);
        u32::from_le_bytes(self.bytes[place..place + 4].try_into().expect("four bytes"))
    }

    fn with(&self, place: usize, number: u32) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        bytes[place..place + 4].copy_from_slice(&number.to_le_bytes());
        baked::reseal(&mut bytes);
        bytes
    }
}

fn files() -> impl Iterator<Item = File> {
    let layouts = TreeLayout::ALL.into_iter();
    layouts.flat_map(|layout| Quality::ALL.map(|quality| File::new(quality, layout)))
}

/// A change of a tree.
type Change<'a> = dyn Fn(&mut Bvh8) -> Result<Structure, ChangeError> + 'a;

/// Everything that changes a tree says what is wrong with it, and leaves it as it is.
fn assert_refused(tree: &Bvh8, mesh: &TriangleMesh, told: &str) {
    assert_eq!(tree.check_leaves(mesh).expect_err(told).to_string(), told);
    let refused = |change: &Change<'_>| {
        let mut changed = tree.clone();
        let error = change(&mut changed).expect_err(told);
        assert!(matches!(error, ChangeError::InvalidTree(_)));
        assert_eq!(error.to_string(), told);
        assert!(changed == *tree, "{told}");
    };
    refused(&|tree| tree.refit(mesh));
    refused(&|tree| tree.graft(mesh, &[0]));
    refused(&|tree| Refitter::default().graft(tree, mesh, &[0]));
    // In another layout it is the same tree, wherever its blocks are.
    for layout in TreeLayout::ALL {
        let error = tree.in_layout(layout, mesh).refit(mesh).expect_err(told);
        let fault = |told: &str| told.split_once(": ").expect("a node and a fault").1.to_owned();
        assert_eq!(fault(&error.to_string()), fault(told));
    }
    if tree.statistics().references == tree.statistics().triangles {
        let paths = Paths::new(tree, mesh);
        refused(&|tree| tree.refit_triangles(mesh, &paths, &[0, 7]));
    }
    let _ = (tree.absent(mesh), TreeProfile::new(tree, mesh));
}

#[test]
fn no_forged_leaf_is_changed() {
    for file in files() {
        let [a, b, .., last] = file.full_leaves[..] else { panic!("there are many leaves") };
        let count = file.mesh.triangle_count() as u32;
        let split = |prim: u32| prim | Leaf4::SPLIT;
        let broken = (0..count)
            .find(|&prim| file.mesh.triangle(prim).as_flattened().iter().any(|x| x.is_nan()))
            .expect("some triangle is not finite");
        let cases = [
            (a, 0, count, NOT_THERE),
            (last, 3, count, NOT_THERE),
            (b, 2, Leaf4::NO_PRIM - 1, NOT_THERE),
            (b, 1, split(count), NOT_THERE),
            (b, 1, broken, NOT_FINITE),
            (b, 1, file.prim(b, 0), TWICE),
            (b, 1, split(file.prim(b, 0)), TWICE),
            (last, 0, file.prim(a, 3), WITHOUT_MARK),
            (last, 0, split(file.prim(a, 3)), WITHOUT_MARK),
            (a, 0, Leaf4::NO_PRIM, EMPTY),
            (a, 2, u32::MAX, EMPTY),
        ];
        for (line, lane, prim, fault) in cases {
            let bytes = file.with(file.place(line, lane), prim);
            let (mesh, tree) = view(&bytes).expect("leaves are not read");
            assert_refused(&tree, &mesh, &format!("node {line}: {fault}"));
            // Who reads them sees what no ray may meet; the rest is for whoever changes the tree.
            if let Ok((mesh, tree)) = baked::from_bytes(&bytes) {
                assert_refused(&tree, &mesh, &format!("node {line}: {fault}"));
            }
        }
        let root = file.layout.line(view(&file.bytes).expect("it is right").1.root());
        let triangles = u64::from_le_bytes(file.bytes[96..104].try_into().expect("eight bytes"));
        let bytes =
            [file.with(96, triangles as u32 - 1), file.with(file.place(last, 3), Leaf4::NO_PRIM)];
        for bytes in bytes {
            let (mesh, tree) = view(&bytes).expect("leaves are not read");
            assert_refused(&tree, &mesh, &format!("node {root}: {NUMBER}"));
        }
    }
}

/// What is not checked is made anew by the first change, whichever that is.
#[test]
fn corners_and_boxes_that_are_wrong_are_made_anew() {
    for file in files() {
        let (mesh, right) = view(&file.bytes).expect("it is right");
        let mut bytes = file.bytes.clone();
        for visit in right.visits().filter(|&visit| visit.place != right.root()) {
            let line = file.layout.line(visit.place);
            let (is_leaf, is_fast) = (visit.place.is_leaf(), file.layout == TreeLayout::Fast);
            // The high planes along y; the node's own box; corners; vertices.
            let (first, last) = match (is_leaf, is_fast) {
                (false, true) => (96, 96),
                (false, false) => (36, 56),
                (true, true) => (0, 140),
                (true, false) => (0, 44),
            };
            for place in (first..=last).step_by(4) {
                let place = File::BLOCKS + 64 * line + place;
                bytes[place..place + 4].copy_from_slice(&f32::NEG_INFINITY.to_le_bytes());
            }
        }
        baked::reseal(&mut bytes);
        let (_, wrong) = view(&bytes).expect("that is not looked at");
        assert!(wrong.validate(&mesh).is_err());
        assert_eq!(wrong.check_leaves(&mesh), Ok(()));
        let is_whole = right.statistics().references == right.statistics().triangles;
        let mut changes: Vec<Box<Change<'_>>> = vec![
            Box::new(|tree| tree.refit(&mesh)),
            Box::new(|tree| tree.graft(&mesh, &[0])),
            Box::new(|tree| Refitter::default().graft(tree, &mesh, &[0])),
        ];
        if is_whole {
            let paths = Paths::new(&wrong, &mesh);
            changes.push(Box::new({
                let mesh = &mesh;
                move |tree| tree.refit_triangles(mesh, &paths, &[3])
            }));
        }
        for change in changes {
            let mut tree = wrong.clone();
            assert_eq!(change(&mut tree), Ok(Structure::Kept));
            assert_eq!(tree.validate(&mesh), Ok(()));
        }
    }
}

/// From the second change on, a tree from a file is as one that was built.
#[test]
fn trees_from_files_are_checked_once() {
    let options = BuildOptions::from(Quality::Balanced);
    let mut mesh = meshes::terrain(40, 40, 1);
    let mut bytes = Vec::new();
    baked::write(&mut bytes, &mesh, &Bvh8::from_bvh2(&build(&mesh, &options), &mesh))
        .expect("memory takes all");
    let (_, mut tree) = view(&bytes).expect("it is right");
    // Another mesh: without a check, nothing is said of it.
    let few = TriangleMesh::new(mesh.positions().to_vec(), mesh.indices()[..9].to_vec());
    let few = few.expect("nine triangles");
    assert!(tree.check_leaves(&few).is_err());
    assert_eq!(tree.refit(&mesh), Ok(Structure::Kept));
    assert_eq!(tree.check_leaves(&few), Ok(()));
    let paths = Paths::new(&tree, &mesh);
    mesh.remove_triangles(&[5]).expect("it is there");
    assert_eq!(tree.refit_triangles(&mesh, &paths, &[5]), Ok(Structure::Kept));
    assert_eq!(tree.statistics().triangles, mesh.triangle_count() - 1);
    assert_eq!(tree.validate(&mesh), Ok(()));
}
