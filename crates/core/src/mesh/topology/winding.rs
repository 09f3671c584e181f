//! Which triangles run the wrong way, by pieces of the surface.
//!
//! A disjoint-set forest (Tarjan, "Efficiency of a Good but Not Linear Set Union Algorithm", 1975)
//! that keeps for each triangle whether it is wound as the root of its set is.

/// Sets of triangles that hang together, with their windings.
#[derive(Debug)]
pub(super) struct Windings {
    /// For each triangle one nearer to its root, and in the lowest bit whether it disagrees.
    parents: Vec<Link>,
    /// How many triangles hang from a root.
    sizes: Vec<u32>,
    /// Roots of sets in which triangles both agree and disagree, by different ways.
    one_sided: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    /// Itself for a root, [`Link::ABSENT`] for a triangle that has no part.
    to: u32,
    disagrees: bool,
}

impl Link {
    const ABSENT: u32 = u32::MAX;
}

/// What there is to tell of the surface.
#[derive(Debug, Default)]
pub(super) struct Surface {
    pub(super) flipped: Vec<u32>,
    pub(super) pieces: usize,
    pub(super) one_sided: usize,
}

impl Windings {
    pub(super) fn new(triangles: usize) -> Self {
        Self {
            parents: vec![Link { to: Link::ABSENT, disagrees: false }; triangles],
            sizes: vec![1; triangles],
            one_sided: vec![false; triangles],
        }
    }

    /// Makes a triangle a part of the surface.
    pub(super) fn add(&mut self, prim: u32) {
        let link = &mut self.parents[prim as usize];
        if link.to == Link::ABSENT {
            link.to = prim;
        }
    }

    /// Joins two triangles that share an edge; they `agree` if they run along it in opposite
    /// directions.
    pub(super) fn join(&mut self, a: u32, b: u32, agree: bool) {
        self.add(a);
        self.add(b);
        let (mut a, mut b) = (self.root(a), self.root(b));
        let disagrees = a.disagrees ^ b.disagrees ^ !agree;
        if a.to == b.to {
            self.one_sided[a.to as usize] |= disagrees;
            return;
        }
        if self.sizes[a.to as usize] < self.sizes[b.to as usize] {
            std::mem::swap(&mut a, &mut b);
        }
        let (kept, joined) = (a.to as usize, b.to as usize);
        self.parents[joined] = Link { to: a.to, disagrees };
        self.sizes[kept] += self.sizes[joined];
        self.one_sided[kept] |= self.one_sided[joined];
    }

    /// The root above a triangle, and whether the triangle disagrees with it.
    fn root(&mut self, prim: u32) -> Link {
        let mut link = Link { to: prim, disagrees: false };
        loop {
            let parent = self.parents[link.to as usize];
            if parent.to == link.to {
                return link;
            }
            // Path halving: each one on the way skips its parent.
            let above = self.parents[parent.to as usize];
            if above.to != parent.to {
                let disagrees = parent.disagrees ^ above.disagrees;
                self.parents[link.to as usize] = Link { to: above.to, disagrees };
                link = Link { to: above.to, disagrees: link.disagrees ^ disagrees };
            } else {
                return Link { to: parent.to, disagrees: link.disagrees ^ parent.disagrees };
            }
        }
    }

    /// Says what was found.
    pub(super) fn finish(mut self) -> Surface {
        let count = self.parents.len() as u32;
        let mut disagreeing = vec![0_u32; self.parents.len()];
        let mut surface = Surface::default();
        for prim in (0..count).filter(|&prim| self.has(prim)).collect::<Vec<_>>() {
            let link = self.root(prim);
            disagreeing[link.to as usize] += u32::from(link.disagrees);
            if link.to == prim {
                surface.pieces += 1;
                surface.one_sided += usize::from(self.one_sided[prim as usize]);
            }
        }
        // Half against half: those that the first triangle of the piece does not agree with.
        let mut first = vec![None; self.parents.len()];
        for prim in 0..count {
            if !self.has(prim) {
                continue;
            }
            let link = self.root(prim);
            let piece = link.to as usize;
            let first = *first[piece].get_or_insert(link.disagrees);
            let (minority, size) = (disagreeing[piece], self.sizes[piece]);
            let flipped = match (2 * u64::from(minority)).cmp(&u64::from(size)) {
                std::cmp::Ordering::Less => link.disagrees,
                std::cmp::Ordering::Equal => link.disagrees != first,
                std::cmp::Ordering::Greater => !link.disagrees,
            };
            if flipped && !self.one_sided[piece] {
                surface.flipped.push(prim);
            }
        }
        surface
    }

    fn has(&self, prim: u32) -> bool {
        self.parents[prim as usize].to != Link::ABSENT
    }
}
