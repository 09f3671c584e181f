//! Baked files whose checksums fit and whose contents cannot be.

use hitscan_core::baked::{self, BakedFault};
use hitscan_core::bvh8::{ChildRef, Leaf4, Node8, NodeCopy};
use hitscan_core::{Bvh2, Quality};
use hitscan_testkit::meshes;

use super::{fault, full_mesh, view};
use crate::tree;

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

    /// Where a block begins; the root is block 1.
    const fn block(index: usize) -> usize {
        Self::BLOCKS + index * size_of::<Node8>()
    }

    /// What a node says of its children: the first one's place, and 8 − how many are nodes, four
    /// bits in each of eight numbers.
    fn children(&self, node: usize) -> u32 {
        (0..8).map(|lane| (self.number(Self::block(node) + 4 * lane) & 15) << (4 * lane)).sum()
    }

    fn with_children(mut self, node: usize, children: u32) -> Self {
        for lane in 0..8 {
            let byte = &mut self.0[Self::block(node) + 4 * lane];
            *byte = *byte & 0xF0 | (children >> (4 * lane) & 15) as u8;
        }
        self
    }

    /// Sets a plane of a child's box.
    fn with_plane(self, node: usize, [axis, side, lane]: [usize; 3], plane: f32) -> Self {
        self.set(Self::block(node) + 4 * (16 * axis + 8 * side + lane), plane.to_bits())
    }

    fn child_count(&self, node: usize) -> usize {
        let high = |lane: usize| f32::from_bits(self.number(Self::block(node) + 4 * (8 + lane)));
        (0..8).filter(|&lane| high(lane).is_finite()).count()
    }

    /// Where the children of a node are, which of them are nodes, and how many there are.
    fn family(&self, node: usize) -> (usize, usize, usize) {
        let children = self.children(node);
        let nodes = 8 - (children >> 28) as usize;
        (children as usize % (1 << 28), nodes, self.child_count(node))
    }

    /// A node that has fewer than eight children, all of them leaves.
    fn small_family(&self) -> usize {
        let mut open = vec![1];
        while let Some(node) = open.pop() {
            let (first, nodes, children) = self.family(node);
            if nodes == 0 && children < 8 {
                return node;
            }
            open.extend(first..first + nodes);
        }
        panic!("all families are large")
    }

    /// A leaf of that node.
    fn leaf(&self, index: usize) -> usize {
        Self::block(self.family(self.small_family()).0 + index)
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
    let nodes = forged().nodes();
    assert!(nodes > 20);
    let root = forged().children(1);
    assert_eq!(root & 0x0FFF_FFFF, 2, "the root's children come next");
    let family = forged().small_family();
    let children = forged().child_count(family);
    let small = forged().children(family);
    let one_node = 1 << 28;
    let (child, count) =
        ("a child is not there, or has another parent", "a node has no children, or too many");
    let lane = "an empty lane leads somewhere";
    let cases = [
        ("a node that is its own child", forged().with_children(1, root - 1), child),
        ("a block that is left out", forged().with_children(1, root + 1), child),
        ("a parent further down", forged().with_children(2, root), child),
        ("beyond the end", forged().with_children(1, root + (1 << 20)), child),
        ("the greatest place", forged().with_children(1, root | 0x0FFF_FFFF), child),
        ("the empty leaf", forged().with_children(1, root - 2), child),
        ("leaves as nodes", forged().with_children(family, small - 8 * one_node), count),
        (
            "too few nodes",
            forged().with_children(1, root | (8 * one_node)),
            "a block has no parent",
        ),
        ("fewer than no nodes", forged().with_children(1, root | (15 * one_node)), count),
        ("fewer than nodes", forged().with_plane(1, [0, 1, 0], f32::NEG_INFINITY), count),
        ("one fewer", forged().with_plane(family, [0, 1, children - 1], f32::NEG_INFINITY), lane),
        ("one more", forged().with_plane(family, [0, 1, children], 0.0), child),
        ("a box in an empty lane", forged().with_plane(family, [1, 0, children], 0.0), lane),
        ("another one", forged().with_plane(family, [2, 1, 7], 0.0), lane),
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

/// Such a tree is checked by several threads.
#[test]
fn no_forged_structure_of_a_large_tree_is_let_in() {
    let bytes = super::baked(&meshes::terrain(300, 300, 1), Quality::Fast);
    let forged = || Forged(bytes.clone());
    assert!(forged().nodes() > 1 << 13);
    assert!(view(&forged().0).is_ok());
    let (family, root) = (forged().small_family(), forged().children(1));
    let leaves = forged().children(family);
    for children in [root, leaves + 1, leaves - 1, leaves + (1 << 20), forged().children(2)] {
        let mut forged = forged().with_children(family, children);
        baked::reseal(&mut forged.0);
        for told in [view(&forged.0), baked::from_bytes(&forged.0)].map(fault) {
            assert!(matches!(told, BakedFault::Invalid { .. }), "{children:x}: {told}");
        }
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
            let mut block = NodeCopy::EMPTY;
            let is_last = node == nodes;
            let place = node + 1;
            block.push(bounds, if is_last { ChildRef::leaf(place) } else { ChildRef::node(place) });
            bytes.extend_from_slice(bytemuck::bytes_of(&Node8::of(&block)));
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
