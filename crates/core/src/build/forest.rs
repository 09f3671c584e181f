//! The nodes of a tree that several threads build.

use super::Steps;
use crate::Aabb;
use crate::bvh2::{Kind2, Node2};
use crate::cancel::Cancelled;
use crate::memory;

/// The nodes of a subtree in depth-first order, in pieces as threads made them.
///
/// A right child is counted from its parent until the tree is whole: nobody knows earlier how many
/// nodes come before.
#[derive(Default)]
pub(super) struct Forest {
    /// Pieces that are complete.
    pieces: Vec<Vec<Node2>>,
    /// How many nodes they have.
    before: usize,
    last: Vec<Node2>,
}

/// An inner node that is not complete.
#[derive(Clone, Copy)]
pub(super) struct Open {
    piece: usize,
    slot: usize,
    index: usize,
}

impl Forest {
    pub(super) fn with_capacity(nodes: usize) -> Self {
        Self { last: memory::in_huge_pages(nodes), ..Self::default() }
    }

    fn len(&self) -> usize {
        self.before + self.last.len()
    }

    /// Adds a node that is not inner.
    pub(super) fn leaf(&mut self, bounds: Aabb, kind: Kind2) {
        self.last.push(Node2 { bounds, kind });
    }

    /// Adds an inner node; its left child comes next. Its box is told at the end.
    pub(super) fn inner(&mut self) -> Open {
        let open = Open { piece: self.pieces.len(), slot: self.last.len(), index: self.len() };
        self.last.push(Node2 { bounds: Aabb::EMPTY, kind: Kind2::Inner { right: 0 } });
        open
    }

    /// Says that the right child of an inner node comes next.
    pub(super) fn right_begins(&mut self, open: Open) {
        let right = (self.len() - open.index) as u32;
        self.node(open).kind = Kind2::Inner { right };
    }

    /// Says what the box around an inner node is.
    pub(super) fn close(&mut self, open: Open, bounds: Aabb) {
        self.node(open).bounds = bounds;
    }

    fn node(&mut self, open: Open) -> &mut Node2 {
        &mut self.pieces.get_mut(open.piece).unwrap_or(&mut self.last)[open.slot]
    }

    /// Adds nodes that another thread made.
    pub(super) fn append(&mut self, other: Self) {
        let all = self.len() + other.len();
        self.pieces.push(std::mem::replace(&mut self.last, other.last));
        self.pieces.extend(other.pieces);
        self.before = all - self.last.len();
    }

    /// The nodes of the whole tree.
    pub(super) fn into_nodes(self, steps: &Steps<'_>) -> Result<Vec<Node2>, Cancelled> {
        steps.check()?;
        let whole = |index: u32, kind: Kind2| match kind {
            Kind2::Inner { right } => Kind2::Inner { right: right + index },
            whole @ (Kind2::Leaf { .. } | Kind2::Leaves { .. }) => whole,
        };
        let Self { mut pieces, mut last, .. } = self;
        if pieces.is_empty() {
            for (index, node) in (0..).zip(&mut last) {
                node.kind = whole(index, node.kind);
            }
            return Ok(last);
        }
        pieces.push(last);
        let lengths: Vec<usize> = pieces.iter().map(Vec::len).collect();
        let lengths_before =
            lengths.iter().scan(0, |next, length| Some(std::mem::replace(next, *next + length)));
        let starts: Vec<usize> = lengths_before.collect();
        memory::list_of_parts(&lengths, |piece, nodes| {
            steps.check()?;
            for (index, node) in (starts[piece] as u32..).zip(&pieces[piece]) {
                nodes.push(&[Node2 { kind: whole(index, node.kind), ..*node }]);
            }
            Ok(())
        })
    }
}
