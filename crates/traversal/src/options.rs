//! What a query may be told beyond its ray.

use hitscan_core::Hit;

/// Which side of a triangle can be hit. A culled triangle hides nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Faces {
    /// Both sides.
    #[default]
    Both,
    /// Only fronts: the side from which the corners run counter-clockwise.
    Front,
    /// Only backs.
    Back,
}

/// What happens where a ray meets an edge or a vertex that triangles share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EdgeRule {
    /// Every triangle that the ray touches counts, edges and vertices included.
    Closed,
    /// Each crossing of the surface counts once: the ray is taken as moved sideways by an
    /// infinitely small step, the same for all triangles.
    Once,
}

/// What a query may be told beyond its ray. The default asks for nothing and costs nothing.
#[derive(Clone, Copy)]
pub struct QueryOptions<'a> {
    /// Which sides can be hit; both by default.
    pub faces: Faces,
    /// Only instances whose own mask shares a bit with this one are hit; all bits by default.
    pub mask: u32,
    /// A triangle that is not hit, such as the one that the ray starts on; none by default.
    pub skip: Option<u32>,
    /// Which hits count, asked for each candidate in no particular order; all by default.
    pub filter: Option<&'a (dyn Fn(&Hit) -> bool + Sync)>,
    /// What happens on shared edges. By default [`EdgeRule::Closed`] for closest and any,
    /// [`EdgeRule::Once`] for all and count.
    pub edge_rule: Option<EdgeRule>,
}

impl QueryOptions<'_> {
    /// The default: both sides, everything counts.
    pub const DEFAULT: QueryOptions<'static> = QueryOptions {
        faces: Faces::Both,
        mask: u32::MAX,
        skip: None,
        filter: None,
        edge_rule: None,
    };

    /// Whether every triangle counts, and on shared edges what the query says.
    #[inline(always)]
    pub(crate) fn are_plain(&self) -> bool {
        let Self { faces, mask: _, skip, filter, edge_rule } = self;
        *faces == Faces::Both && skip.is_none() && filter.is_none() && edge_rule.is_none()
    }
}

impl Default for QueryOptions<'_> {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl std::fmt::Debug for QueryOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QueryOptions")
            .field("faces", &self.faces)
            .field("mask", &self.mask)
            .field("skip", &self.skip)
            .field("filter", &self.filter.map(|_| ".."))
            .field("edge_rule", &self.edge_rule)
            .finish()
    }
}
