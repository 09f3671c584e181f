//! `hitscan render`: a picture of a mesh, drawn with the rays it is about.

mod ambient;
mod color;
mod cost;
mod depth;
mod font;
mod ground;
mod legend;
mod lit;
mod normals;
mod picture;
mod prim;
mod sampling;
mod surface;
mod tiles;

use anyhow::bail;

use crate::args::{RenderArgs, Shade};
use crate::failure::Usage;
use crate::mesh_file;

use crate::viewpoint::Viewpoint;
use picture::Picture;
use surface::View;

pub(crate) fn run(args: &RenderArgs) -> anyhow::Result<()> {
    let is_png =
        args.out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    if !is_png {
        let path = args.out.display();
        return Err(Usage(format!("--out {path}: pictures are written as .png")).into());
    }
    let built = mesh_file::read_and_build(&args.mesh, args.format)?;
    let bounds = built.bvh.mesh().bounds();
    if bounds.is_empty() {
        bail!("{}: holds no triangle to draw", args.mesh.mesh.display());
    }
    let viewpoint = Viewpoint::new(args.into(), built.bvh.mesh())?;
    let view = View::new(&built.bvh, viewpoint, bounds);
    let picture = draw(&view, args);
    picture.write_png(&args.out)
}

fn draw(view: &View<'_>, args: &RenderArgs) -> Picture {
    let samples = args.samples;
    match args.shade {
        Shade::Lit => tiles::draw(view, samples, &lit::Lit::new(view)),
        Shade::Normals => tiles::draw(view, samples, &normals::Normals),
        Shade::Prim => tiles::draw(view, samples, &prim::Prims),
        Shade::Ao => tiles::draw(view, samples, &ambient::Ambient::new(view)),
        Shade::Depth => {
            let depth = depth::Depth::new(view);
            let mut picture = tiles::draw(view, samples, &depth);
            depth.legend().draw(&mut picture);
            picture
        }
        Shade::Cost => {
            let cost = cost::Cost::new(view);
            let mut picture = tiles::draw(view, samples, &cost);
            cost.legend().draw(&mut picture);
            picture
        }
    }
}
