//! The volume of a closed mesh: by its triangles, by the crossings of grids of rays, as stated.

use hitscan::prelude::BatchRaycast;
use hitscan::{Bvh, Quality, TriangleMesh};
use hitscan_testkit::volume::{Grid, by_divergence};

/// The coarsest grid's cells on a side; each grid has twice as many as the one before.
const COARSEST: u32 = 64;

/// A grid's volume is off by less than this, relative, over its cells on a side: a face along the
/// rays, as plates and boxes have them, is off by half a cell at most. Round meshes do far better.
const ERROR: f64 = 0.5;

/// What the stated volume may be off by: its last digits, and the rounding of corners to f32.
const STATED_ERROR: f64 = 1e-6;

/// Prints the volumes, and returns how many faults there are.
pub(super) fn measure(mesh: &TriangleMesh, finest: u32, stated: Option<f64>) -> usize {
    let exact = by_divergence(mesh);
    let mut faults = 0;
    match stated {
        Some(stated) => {
            let off = (exact / stated - 1.0).abs();
            faults += usize::from(off.is_nan() || off > STATED_ERROR);
            println!("volume by triangles {exact:.8e}, stated {stated:.8e}, off by {off:.1e}");
        }
        None => println!("volume by triangles {exact:.8e}"),
    }
    println!("   grid      rays      hits  unbalanced  by crossings  off by   by parity");
    let bvh = Bvh::build(mesh.clone(), &Quality::Balanced.into());
    let mut side = COARSEST;
    while side <= finest {
        let (mut rays, mut hit_count, mut unbalanced) = (0, 0, 0);
        let (mut volume, mut by_parity) = (0.0, 0.0);
        for axis in 0..3 {
            let grid = Grid::across(mesh.bounds(), axis, side);
            let hits = bvh.all_hits_of(&grid.rays);
            let of_each = || (0..grid.rays.len()).map(|i| hits.of_ray(i));
            let leaves = |hits: &[hitscan::Hit]| hits.iter().filter(|hit| !hit.front).count();
            unbalanced += of_each().filter(|hits| 2 * leaves(hits) != hits.len()).count();
            hit_count += of_each().map(<[_]>::len).sum::<usize>();
            rays += grid.rays.len();
            volume += grid.volume(of_each()) / 3.0;
            by_parity += grid.volume_by_parity(of_each()) / 3.0;
        }
        let off = (volume / exact - 1.0).abs();
        println!(
            "{side:>7} {rays:>9} {hit_count:>9} {unbalanced:>11} {volume:>13.6e} {off:>7.1e} \
             {by_parity:>11.4e}"
        );
        let limit = ERROR / f64::from(side);
        faults += unbalanced + usize::from(off.is_nan() || off > limit);
        side *= 2;
    }
    faults
}
