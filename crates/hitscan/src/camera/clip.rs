//! What a projection matrix projects to: conventions that differ between graphics interfaces.

use glam::{DMat4, DVec3, DVec4};

/// The conventions of a clip space: which depth is near, and which way y points.
///
/// Pick the one of your graphics interface, and add [`ClipSpace::reversed`] if your projection
/// puts the near plane at the greater depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipSpace {
    /// The depth of the near plane after division by w.
    pub z_near: f32,
    /// The depth of the far plane, at infinity or not, after division by w.
    pub z_far: f32,
    /// Whether y points to the top of the image.
    pub y_up: bool,
}

impl ClipSpace {
    /// wgpu, `DirectX` and Metal: depth 0 to 1, y up.
    #[doc(alias = "directx")]
    #[doc(alias = "metal")]
    pub const WGPU: Self = Self { z_near: 0.0, z_far: 1.0, y_up: true };
    /// OpenGL and WebGL: depth −1 to 1, y up.
    pub const OPENGL: Self = Self { z_near: -1.0, z_far: 1.0, y_up: true };
    /// Vulkan: depth 0 to 1, y down.
    pub const VULKAN: Self = Self { z_near: 0.0, z_far: 1.0, y_up: false };

    /// The same clip space with near and far exchanged, as "reversed z" has it.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { z_near: self.z_far, z_far: self.z_near, ..self }
    }

    /// The point on the near plane and the direction away from it, of any length.
    ///
    /// With P(z) = M·(x, y, z, 1), the world point is P.xyz / P.w, and its derivative along z has
    /// the direction of P'.xyz·P.w − P.xyz·P'.w. Unlike the difference to the point on the far
    /// plane, that stays finite when the far plane is at infinity.
    pub(super) fn ray(self, to_world: &DMat4, across: f64, upward: f64) -> (DVec3, DVec3) {
        let y = if self.y_up { upward } else { -upward };
        let near = *to_world * DVec4::new(across, y, self.z_near.into(), 1.0);
        let deeper = if self.z_far < self.z_near { -to_world.z_axis } else { to_world.z_axis };
        let direction = deeper.truncate() * near.w - near.truncate() * deeper.w;
        (near.truncate() / near.w, direction)
    }
}
