//! What leads from a node to its children.

use std::hash::{Hash, Hasher};

/// Where a child is: a [place](super::TreeLayout::line) in the tree's array, and whether a leaf or a
/// node begins there.
// The place is in the lower 28 bits, and the highest one says that it is a leaf. Those between do
// not matter: the sum that a reference is calculated by leaves something there.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub struct ChildRef(u32);

impl ChildRef {
    const LEAF_BIT: u32 = 1 << 31;
    const PLACE: u32 = (1 << 28) - 1;

    /// Every place is less than this.
    pub const PLACES: usize = Self::PLACE as usize;

    /// A leaf at the first place.
    pub(super) const FIRST_LEAF: Self = Self(Self::LEAF_BIT);

    /// Leads to nothing, as if to a leaf: where a walk ends.
    pub const NOWHERE: Self = Self(Self::LEAF_BIT | Self::PLACE);

    /// A node at a place.
    ///
    /// # Panics
    /// If the place is not below [`Self::PLACES`].
    #[must_use]
    pub fn node(place: usize) -> Self {
        assert!(place < Self::PLACES, "the tree is too large");
        Self(place as u32)
    }

    /// A leaf at a place.
    ///
    /// # Panics
    /// If the place is not below [`Self::PLACES`].
    #[must_use]
    pub fn leaf(place: usize) -> Self {
        Self(Self::node(place).0 | Self::LEAF_BIT)
    }

    #[inline(always)]
    pub(super) const fn of_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Whether a leaf begins there, or [nothing](Self::NOWHERE).
    #[inline(always)]
    #[must_use]
    pub const fn is_leaf(self) -> bool {
        self.0 & Self::LEAF_BIT != 0
    }

    /// The place.
    #[inline(always)]
    #[must_use]
    pub const fn place(self) -> usize {
        (self.0 & Self::PLACE) as usize
    }
}

/// A child in a lane of some [`Children`], or where a reference leads to: what a single ray goes on
/// with, without the sum that makes a reference of it.
///
/// From a test of boxes to the next one there is nothing to do but to wait, and each step more is
/// waited for: 2 to 5 % of a single ray's time.
///
/// [`Children`]: super::Children
#[derive(Clone, Copy, Debug)]
pub struct ChildAt {
    bits: u32,
    lane: usize,
}

impl ChildAt {
    #[inline(always)]
    pub(super) const fn in_lane(bits: u32, lane: usize) -> Self {
        Self { bits, lane }
    }

    /// As [`ChildRef::is_leaf`].
    #[inline(always)]
    #[must_use]
    pub const fn is_leaf(self) -> bool {
        (self.bits >> 28) as usize + self.lane >= 8
    }

    /// As [`ChildRef::place`].
    #[inline(always)]
    #[must_use]
    pub const fn place(self) -> usize {
        (self.bits & ChildRef::PLACE) as usize + self.lane
    }
}

impl From<ChildRef> for ChildAt {
    #[inline(always)]
    fn from(child: ChildRef) -> Self {
        Self { bits: child.0, lane: 0 }
    }
}

impl PartialEq for ChildRef {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        (self.0 ^ other.0) & (Self::LEAF_BIT | Self::PLACE) == 0
    }
}

impl Eq for ChildRef {}

impl Hash for ChildRef {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0 & (Self::LEAF_BIT | Self::PLACE)).hash(state);
    }
}
