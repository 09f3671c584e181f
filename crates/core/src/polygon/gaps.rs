//! The triangles that close what ear cutting leaves open along a polygon's edges.
//!
//! Ears leave out corners on the line between their neighbours. What is open then is bounded by
//! the polygon's edges that no ear has, and by the ears' edges that neither another ear nor the
//! polygon has, run backwards: closed loops, each of which makes a fan.

use std::collections::{BTreeMap, HashSet};

/// Gives each triangle that the ears of a polygon of `count` corners leave open. Corners are
/// numbered around the polygon, and the ears wound as it is.
pub(super) fn close(count: u32, ears: &[[u32; 3]], mut give: impl FnMut([u32; 3])) {
    let after = |corner: u32| if corner + 1 < count { corner + 1 } else { 0 };
    let edges = |&[a, b, c]: &[u32; 3]| [(a, b), (b, c), (c, a)];
    let of_ears: HashSet<(u32, u32)> = ears.iter().flat_map(edges).collect();
    let mut open: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for corner in (0..count).filter(|&corner| !of_ears.contains(&(corner, after(corner)))) {
        open.entry(corner).or_default().push(after(corner));
    }
    for (a, b) in ears.iter().flat_map(edges) {
        if after(a) != b && !of_ears.contains(&(b, a)) {
            open.entry(b).or_default().push(a);
        }
    }
    // Where each corner is on the path.
    let mut places: BTreeMap<u32, usize> = BTreeMap::new();
    let mut path = Vec::new();
    while let Some((&start, _)) = open.first_key_value() {
        path.push(start);
        places.insert(start, 0);
        while let Some(to) = path.last().and_then(|from| take_edge(&mut open, *from)) {
            let Some(&place) = places.get(&to) else {
                places.insert(to, path.len());
                path.push(to);
                continue;
            };
            for pair in path[place + 1..].windows(2) {
                give([to, pair[0], pair[1]]);
            }
            for corner in path.drain(place + 1..) {
                places.remove(&corner);
            }
        }
        path.clear();
        places.clear();
    }
}

/// Takes an open edge that starts at a corner; its end.
fn take_edge(open: &mut BTreeMap<u32, Vec<u32>>, from: u32) -> Option<u32> {
    let ends = open.get_mut(&from)?;
    let to = ends.pop();
    if ends.is_empty() {
        open.remove(&from);
    }
    to
}
