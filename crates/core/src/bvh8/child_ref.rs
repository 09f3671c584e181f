//! What leads from a node to its children.

/// Where a child is: a [place](super::TreeLayout::line) in the tree's array, and what begins there.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
pub struct ChildRef(u32);

impl ChildRef {
    const KIND_SHIFT: u32 = 30;
    const LEAF_BIT: u32 = 1 << 31;
    const PLACE: u32 = (1 << Self::KIND_SHIFT) - 1;

    /// The kind of a reference to a node.
    pub const NODE: usize = 0;

    /// The kind of a reference to a leaf.
    pub const LEAF: usize = 2;

    /// The kind of [`Self::NOWHERE`].
    pub const NOTHING: usize = 3;

    /// Every kind is less than this.
    pub const KINDS: usize = 4;

    /// A leaf that begins at the first place.
    pub(super) const FIRST_LEAF: Self = Self(Self::LEAF_BIT);

    /// The greatest number of places that a tree has.
    pub const MAX_PLACES: usize = Self::PLACE as usize;

    /// Leads to nothing: where a walk ends.
    pub const NOWHERE: Self = Self(u32::MAX);

    /// A node at a place.
    ///
    /// # Panics
    /// If the place does not fit 30 bits.
    #[must_use]
    pub fn node(place: usize) -> Self {
        assert!(place < Self::PLACE as usize, "the tree is too large");
        Self(place as u32)
    }

    /// A leaf at a place.
    ///
    /// # Panics
    /// If the place does not fit 30 bits.
    #[must_use]
    pub fn leaf(place: usize) -> Self {
        Self(Self::node(place).0 | Self::LEAF_BIT)
    }

    /// Whether a leaf begins there; not to be asked of [`ChildRef::NOWHERE`].
    #[inline(always)]
    #[must_use]
    pub const fn is_leaf(self) -> bool {
        self.0 & Self::LEAF_BIT != 0
    }

    /// What begins there: [`Self::NODE`], [`Self::LEAF`] or, for nothing, [`Self::NOTHING`].
    #[inline(always)]
    #[must_use]
    pub const fn kind(self) -> usize {
        (self.0 >> Self::KIND_SHIFT) as usize
    }

    /// The place of a node; of anything else, no place in any tree.
    // The bits of the kind, which are zero, stay: an instruction less between a node and the next.
    #[inline(always)]
    #[must_use]
    pub const fn node_place(self) -> usize {
        self.0 as usize
    }

    /// The place.
    #[inline(always)]
    #[must_use]
    pub const fn place(self) -> usize {
        (self.0 & Self::PLACE) as usize
    }
}
