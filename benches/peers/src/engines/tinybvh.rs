//! tinybvh: its 8-wide CPU tree, from its plain and its high-quality build.

#[cfg(tinybvh)]
pub use with::{contestants, single};

#[cfg(not(tinybvh))]
pub fn contestants(
    _: &hitscan::TriangleMesh,
    _: &crate::args::Casting,
) -> anyhow::Result<Vec<Box<dyn super::Contestant>>> {
    anyhow::bail!("{}", env!("TINYBVH_MISSING"))
}

#[cfg(tinybvh)]
mod with {
    use std::ops::Range;

    use hitscan::{Level, TriangleMesh};

    use crate::arena::timed;
    use crate::args::Casting;
    use crate::engines::{Answer, Caster, Chunked, Contestant};
    use crate::foreign::tinybvh::{Ray, Tree};
    use crate::rays::Query;

    /// The contestants that were asked for.
    pub fn contestants(
        mesh: &TriangleMesh,
        args: &Casting,
    ) -> anyhow::Result<Vec<Box<dyn Contestant>>> {
        let is_below = |level: Level| !matches!(level.name(), "avx2" | "avx512");
        anyhow::ensure!(!args.level.is_some_and(is_below), "its 8-wide tree needs AVX2");
        let qualities = [("tinybvh", false), ("tinybvh-hq", true)];
        let wanted = qualities.into_iter().filter(|(engine, _)| args.wants(engine));
        let built = wanted.map(|(engine, high_quality)| {
            let corners = (0..mesh.triangle_count() as u32)
                .map(|prim| mesh.triangle(prim).map(|[x, y, z]| [x, y, z, 0.0]))
                .collect();
            let tree = timed(engine, || Tree::build(corners, high_quality));
            single(engine, tree)
        });
        Ok(built.collect())
    }

    /// One ray a call.
    pub fn single(engine: &'static str, tree: Tree) -> Box<dyn Contestant> {
        Chunked::boxed(Tinybvh { engine, tree, rays: Vec::new() })
    }

    struct Tinybvh {
        engine: &'static str,
        tree: Tree,
        rays: Vec<Ray>,
    }

    impl Caster for Tinybvh {
        fn engine(&self) -> &'static str {
            self.engine
        }

        fn take(&mut self, rays: &[hitscan::Ray], _: Query) {
            self.rays = rays.iter().map(Ray::new).collect();
        }

        fn closest(&self, rays: Range<usize>, answers: &mut [Answer]) {
            self.tree.closest(&self.rays[rays], answers);
        }

        fn any(&self, rays: Range<usize>, answers: &mut [Answer]) {
            self.tree.any(&self.rays[rays], answers);
        }
    }
}
