//! A mesh far from zero and rays in double precision, as files: the answers of the recentred twin.

use std::fmt::Write as _;

use crate::tool::Tool;

/// How far, in numbers whose sums with sixteenths are exact in f64 but far from it in f32.
const AT: [f64; 3] = [500_000.0, 4_649_776.0, 16.0];

/// A roof of two quads and rays at it, moved.
fn files(tool: &Tool, name: &str, at: [f64; 3]) {
    let mut mesh = String::new();
    for i in 0..6 {
        let [x, y] = [f64::from(i % 3), f64::from(i / 3)].map(|x| 0.1875 * x);
        let z = if i % 3 == 1 { 0.125 } else { 0.0 };
        let _ = writeln!(mesh, "v {} {} {}", at[0] + x + 0.0625, at[1] + y, at[2] + z);
    }
    tool.write(&format!("{name}.obj"), mesh + "f 1 2 5 4\nf 2 3 6 5\n");
    let mut rays = String::from("ox,oy,oz,dx,dy,dz\n");
    for i in 0..49 {
        let [x, y] = [i % 7, i / 7].map(|i| f64::from(i) * 0.0625);
        let tilt = f64::from(i % 5) * 0.0625;
        let _ = writeln!(rays, "{},{},{},{tilt},0,-0.5", at[0] + x, at[1] + y, at[2] + 2.0);
    }
    tool.write(&format!("{name}.csv"), rays);
}

#[test]
fn a_georeferenced_file_prints_what_its_recentred_twin_does() {
    let tool = Tool::new();
    files(&tool, "near", [0.0; 3]);
    files(&tool, "far", AT);
    for query in ["closest", "any", "all", "count"] {
        let cast = |name: &str| {
            let (mesh, rays) = (format!("{name}.obj"), format!("{name}.csv"));
            tool.stdout(&["cast", &mesh, "--rays", &rays, "--query", query])
        };
        let (near, far) = (cast("near"), cast("far"));
        let header: Vec<&str> = near.lines().next().expect("a header").split(',').collect();
        assert_eq!(near.lines().count(), far.lines().count(), "{query}");
        let mut points = 0;
        for (near, far) in near.lines().zip(far.lines()).skip(1) {
            for (column, (near, far)) in header.iter().zip(near.split(',').zip(far.split(','))) {
                let place = ["x", "y", "z"].iter().position(|axis| axis == column);
                match place.filter(|_| !near.is_empty()) {
                    Some(axis) => {
                        let [near, far] = [near, far].map(|x| x.parse::<f64>().expect("a number"));
                        assert!((far - AT[axis] - near).abs() < 1e-7, "{column}: {near}, {far}");
                        points += 1;
                    }
                    None => assert_eq!(near, far, "{query}, {column}"),
                }
            }
        }
        assert!(points >= 15 || header.len() == 2, "{query}: {points} coordinates");
    }
}
