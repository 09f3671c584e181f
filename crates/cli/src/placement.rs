//! Where the mesh stands in the world: rays go to it, points and normals come back, in f64.
//!
//! A mesh's own coordinates are relative to its local origin. With a matrix `[M | T]` a point p of
//! the mesh stands at `M·(origin + p) + T`, so rays are moved by `M·origin + T` first, where f64
//! loses nothing, and then by the inverse of M. t stays what it was: `M·(o + t·d) = M·o + t·M·d`.

use anyhow::bail;
use glam::{DMat3, DVec3};
use hitscan::{Ray, RayF64};

/// Where the mesh stands in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// Where the mesh's local zero stands.
    origin: [f64; 3],
    turn: Option<Turn>,
}

/// The linear part of a placement.
#[derive(Clone, Copy, Debug)]
struct Turn {
    inverse: DMat3,
    /// What turns normals: the inverse transpose.
    normals: DMat3,
}

impl Placement {
    /// A mesh with this local origin, placed by a 3×4 matrix if one is given.
    pub(crate) fn new(origin: [f64; 3], matrix: Option<[f64; 12]>) -> anyhow::Result<Self> {
        let Some(m) = matrix else { return Ok(Self { origin, turn: None }) };
        let [row_x, row_y, row_z] = [0, 4, 8].map(|i| DVec3::new(m[i], m[i + 1], m[i + 2]));
        let linear = DMat3::from_cols(row_x, row_y, row_z).transpose();
        let inverse = linear.inverse();
        // A determinant that is zero but for rounding is as bad as zero: compare it with the
        // volume that rows of these lengths could span.
        let volume = row_x.length() * row_y.length() * row_z.length();
        let determinant = linear.determinant();
        let singular = determinant.abs() <= 1e-14 * volume;
        if singular || !inverse.is_finite() || !determinant.is_normal() {
            bail!("--transform is singular: it flattens the mesh, so rays cannot be taken back");
        }
        let translation = DVec3::new(m[3], m[7], m[11]);
        let origin = (linear * DVec3::from(origin) + translation).to_array();
        Ok(Self { origin, turn: Some(Turn { inverse, normals: inverse.transpose() }) })
    }

    /// The ray as the mesh sees it.
    pub(crate) fn ray_to_mesh(&self, ray: &RayF64) -> Ray {
        let Some(turn) = &self.turn else { return ray.relative_to(self.origin) };
        let origin = turn.inverse * (DVec3::from(ray.origin) - DVec3::from(self.origin));
        let direction = turn.inverse * DVec3::from(ray.direction);
        let moved = RayF64 { origin: origin.to_array(), direction: direction.to_array(), ..*ray };
        moved.relative_to([0.0; 3])
    }

    /// The mesh's unit normal as the world sees it.
    pub(crate) fn normal_to_world(&self, normal: [f32; 3]) -> [f32; 3] {
        let Some(turn) = &self.turn else { return normal };
        let normal = turn.normals * DVec3::from(normal.map(f64::from));
        normal.normalize_or_zero().as_vec3().to_array()
    }

    /// Whether world coordinates may need more digits than f32 has.
    pub(crate) fn is_far(&self) -> bool {
        self.origin != [0.0; 3]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_translation_moves_rays_back() -> anyhow::Result<()> {
        let far = 4_500_000.0;
        let matrix = [1.0, 0.0, 0.0, far, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let placement = Placement::new([0.25, 0.0, 0.0], Some(matrix))?;
        let ray = placement.ray_to_mesh(&RayF64::new([far + 1.125, 0.0, 5.0], [0.0, 0.0, -1.0]));
        assert_eq!(ray, Ray::new([0.875, 0.0, 5.0], [0.0, 0.0, -1.0]));
        Ok(())
    }

    #[test]
    fn normals_take_the_inverse_transpose() -> anyhow::Result<()> {
        let matrix = [2.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let placement = Placement::new([0.0; 3], Some(matrix))?;
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let [x, y, _] = placement.normal_to_world([half, half, 0.0]);
        assert!((y / x - 2.0).abs() < 1e-6, "a slope stretched along x grows steeper: {x} {y}");
        Ok(())
    }

    #[test]
    fn a_flattening_matrix_is_refused() {
        for scale in [1e-20, 1.0, 1e20] {
            let rank_two = [1.0, 2.0, 3.0, 0.0, 4.0, 5.0, 6.0, 0.0, 7.0, 8.0, 9.0, 0.0];
            assert!(Placement::new([0.0; 3], Some(rank_two.map(|x| x * scale))).is_err());
            let fine = [scale, 0.0, 0.0, 0.0, 0.0, scale, 0.0, 0.0, 0.0, 0.0, scale, 0.0];
            assert!(Placement::new([0.0; 3], Some(fine)).is_ok());
        }
    }
}
