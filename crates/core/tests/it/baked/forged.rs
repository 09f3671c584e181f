//! Baked files whose checksums fit and whose contents cannot be.

use hitscan_core::baked::{self, BakedFault};
use hitscan_core::bvh8::{ChildRef, Leaf4, Node8};
use hitscan_core::{Bvh2, Bvh8, Quality};
use hitscan_testkit::meshes;

use super::{fault, full_mesh, tree, view};

/// A baked file that is changed and sealed again, so that checksums do not tell.
struct Forged(Vec<u8>);

impl Forged {
    const BLOCKS: usize = 256;

    fn new() -> Self {
        Self(super::baked(&meshes::icosphere(1.0, [0.0; 3], 3), Quality::Balanced))
    }

    fn set(mut self, place: usize, value: u32) -> Self {
        self.0[place..place + 4].copy_from_slice(&value.to_le_bytes());
        self
    }

    fn number(&self, place: usize) -> u32 {
        u32::from_le_bytes(self.0[place..place + 4].try_into().unwrap())
    }

    fn nodes(&self) -> usize {
        self.number(80) as usize
    }

    /// Where a node's lane has its reference.
    fn child(node: usize, lane: usize) -> usize {
        Self::BLOCKS + size_of::<Leaf4>() + node * size_of::<Node8>() + 192 + 4 * lane
    }

    /// A node's last child that is a node changes places with its first leaf.
    fn with_a_leaf_before_a_node(self) -> Self {
        for node in 0..self.nodes() {
            for lane in 1..8 {
                let places = [Self::child(node, lane - 1), Self::child(node, lane)];
                let [before, after] = places.map(|place| self.number(place));
                if before < 1 << 31 && after > 1 << 31 {
                    return self.set(places[0], after).set(places[1], before);
                }
            }
        }
        panic!("no node has children of both kinds")
    }

    fn leaf(&self, index: usize) -> usize {
        Self::BLOCKS + size_of::<Leaf4>() * (1 + index) + self.nodes() * size_of::<Node8>()
    }

    fn fault(mut self) -> String {
        baked::reseal(&mut self.0);
        let [told, viewed] = [baked::from_bytes(&self.0), view(&self.0)].map(fault);
        assert!(matches!(told, BakedFault::Invalid { .. }), "{told}");
        assert_eq!(told.to_string(), viewed.to_string());
        told.to_string()
    }
}

#[test]
fn no_forged_structure_is_let_in() {
    let forged = Forged::new;
    assert!(baked::from_bytes(&forged().0).is_ok());
    let node = |index: usize| (Leaf4::LINES + index * Node8::LINES) as u32;
    let leaf = |line: u32| 1 << 31 | line;
    let nodes = forged().nodes();
    assert!(nodes > 20);
    let first_leaf = node(nodes);
    let second = forged().number(Forged::child(0, 1));
    let child = "a child is not the next block of its kind";
    let cases = [
        ("a node that is its own child", forged().set(Forged::child(0, 0), node(0)), child),
        ("two parents", forged().set(Forged::child(0, 0), second), child),
        ("a parent further down", forged().set(Forged::child(9, 0), node(2)), child),
        ("beyond the end", forged().set(Forged::child(0, 0), node(1 << 20)), child),
        ("the greatest line", forged().set(Forged::child(0, 0), (1 << 30) - 1), child),
        ("a leaf as a node", forged().set(Forged::child(0, 0), first_leaf), child),
        ("a node as a leaf", forged().set(Forged::child(0, 0), leaf(node(1))), child),
        ("within a node", forged().set(Forged::child(0, 0), node(1) + 1), child),
        ("the empty leaf", forged().set(Forged::child(0, 0), leaf(0)), child),
        ("no kind", forged().set(Forged::child(0, 0), 1 << 30 | node(1)), child),
        ("nowhere", forged().set(Forged::child(0, 0), u32::MAX), child),
        (
            "a leaf before a node",
            forged().with_a_leaf_before_a_node(),
            "a node comes behind a leaf",
        ),
        (
            "no children",
            forged().set(Forged::child(0, 8), 0),
            "a node has no children, or too many",
        ),
        ("nine", forged().set(Forged::child(0, 8), 9), "a node has no children, or too many"),
        ("one fewer", forged().set(Forged::child(0, 8), 1), "an empty lane leads somewhere"),
        (
            "a first leaf with a triangle",
            forged().set(Forged::BLOCKS + 144, 0),
            "the first leaf is not empty",
        ),
        ("more nodes", forged().set(80, nodes as u32 + 3), "wrong number of nodes or leaves"),
        ("most nodes", forged().set(84, u32::MAX), "wrong number of nodes or leaves"),
        ("more triangles", forged().set(96, 1281), "wrong number of triangles"),
        ("bounds that are none", forged().set(56, 0x7fc0_0000), "the box around all is none"),
        ("an origin that is none", forged().set(36, 0x7ff0_0000), "their origin is not finite"),
    ];
    for (name, forged, fault) in cases {
        let told = forged.fault();
        assert!(told.ends_with(fault), "{name}: {told}");
    }
}

#[test]
fn no_forged_leaf_is_read() {
    for number in [1280, Leaf4::NO_PRIM, u32::MAX] {
        let mut forged = Forged::new();
        let place = forged.leaf(2) + 144;
        forged = forged.set(place, number);
        baked::reseal(&mut forged.0);
        let told = fault(baked::from_bytes(&forged.0)).to_string();
        assert!(told.ends_with("a leaf has a triangle that is not there"), "{told}");
        // A view does not read it; who looks at all of the tree does.
        let (mesh, tree) = view(&forged.0).unwrap();
        assert!(tree.validate(&mesh).is_err());
    }
}

#[test]
fn a_forged_mesh_is_not_let_in() {
    let forged = Forged::new();
    let positions = Forged::BLOCKS + forged.number(112) as usize;
    let indices = positions + forged.number(128) as usize;
    let indices = indices.next_multiple_of(64);
    let told = forged.set(indices + 12, 642).fault();
    assert!(told.ends_with("triangle 1 uses vertex 642, but the mesh has 642 vertices"), "{told}");

    let mut bytes = super::baked(&full_mesh(), Quality::Fast);
    let len = bytes.len();
    bytes[len - 1] = 0xff;
    baked::reseal(&mut bytes);
    assert!(fault(view(&bytes)).to_string().ends_with("names: one is not text"));
}

#[test]
fn a_chain_that_is_too_deep_is_not_let_in() {
    // Nodes of one child each, down to a leaf.
    let chain = |nodes: usize| {
        let mesh = meshes::tetrahedron();
        let mut bytes = super::baked(&mesh, Quality::Fast);
        let leaf: Leaf4 = *bytemuck::from_bytes(bytemuck::cast_slice::<_, u8>(
            &tree(&mesh, Quality::Fast).lines()[3..6],
        ));
        let positions =
            bytes.split_off(256 + u64::from_le_bytes(bytes[112..120].try_into().unwrap()) as usize);
        bytes.truncate(256 + size_of::<Leaf4>());
        let bounds = mesh.bounds();
        for node in 1..=nodes {
            let line = Leaf4::LINES + node * Node8::LINES;
            let mut block = Node8::empty(Bvh8::NO_CHILD);
            let is_last = node == nodes;
            block.push(bounds, if is_last { ChildRef::leaf(line) } else { ChildRef::node(line) });
            bytes.extend_from_slice(bytemuck::bytes_of(&block));
        }
        bytes.extend_from_slice(bytemuck::bytes_of(&leaf));
        let blocks = bytes.len() as u64 - 256;
        bytes.extend(positions);
        bytes[80..88].copy_from_slice(&(nodes as u64).to_le_bytes());
        bytes[112..120].copy_from_slice(&blocks.to_le_bytes());
        baked::reseal(&mut bytes);
        baked::from_bytes(&bytes)
    };
    let (mesh, deep) = chain(Bvh2::MAX_DEPTH - 1).unwrap();
    assert_eq!(deep.statistics().depth, Bvh2::MAX_DEPTH);
    assert_eq!(deep.validate(&mesh), Ok(()));
    assert!(fault(chain(Bvh2::MAX_DEPTH)).to_string().ends_with("a node is too deep"));
}

#[test]
fn no_length_is_believed_before_the_bytes_are_there() {
    // A header that promises 2^60 bytes of blocks, or as many as a usize can hold.
    for promised in [1_u64 << 60, u64::MAX - 1023, 1 << 40] {
        let mut bytes = super::baked(&full_mesh(), Quality::Fast);
        bytes[112..120].copy_from_slice(&promised.to_le_bytes());
        baked::reseal(&mut bytes);
        let faults = [baked::read(&bytes[..]), baked::from_bytes(&bytes), view(&bytes)].map(fault);
        for fault in faults {
            let known = matches!(fault, BakedFault::Length { .. } | BakedFault::Damaged { .. });
            assert!(known, "{fault}");
        }
    }
}
