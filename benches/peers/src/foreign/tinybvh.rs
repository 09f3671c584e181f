//! tinybvh, compiled for this machine by the build script.

use std::ffi::c_void;

use crate::engines::Answer;

/// A ray as the C++ side takes it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    origin: [f32; 3],
    t_max: f32,
    direction: [f32; 3],
    unused: f32,
    reciprocal: [f32; 3],
    unused2: f32,
}

const _: () = assert!(size_of::<Ray>() == 48);
const _: () = assert!(size_of::<Answer>() == 8);

impl Ray {
    /// tinybvh's own infinity.
    const FAR: f32 = 1e30;

    pub fn new(ray: &hitscan::Ray) -> Self {
        // As its `safercp` does it.
        let reciprocal = |d: f32| if d.abs() > 1e-12 { 1.0 / d } else { Self::FAR.copysign(d) };
        Self {
            origin: ray.origin,
            t_max: ray.t_max.min(Self::FAR),
            direction: ray.direction,
            unused: 0.0,
            reciprocal: ray.direction.map(reciprocal),
            unused2: 0.0,
        }
    }
}

// SAFETY: tinybvh.cpp defines these with the same types; all are called through `Tree`, which keeps
// what they demand.
unsafe extern "C" {
    fn peers_tinybvh_build(corners: *const f32, triangles: u32, high_quality: i32) -> *mut c_void;
    fn peers_tinybvh_bytes(tree: *const c_void) -> usize;
    fn peers_tinybvh_free(tree: *mut c_void);
    fn peers_tinybvh_closest(
        tree: *const c_void,
        rays: *const Ray,
        count: usize,
        answers: *mut Answer,
    );
    fn peers_tinybvh_any(tree: *const c_void, rays: *const Ray, count: usize, answers: *mut Answer);
}

/// A built `BVH8_CPU`.
pub struct Tree {
    handle: *mut c_void,
    /// The tree points into them.
    _corners: Vec<[[f32; 4]; 3]>,
}

// SAFETY: after it is built, the tree is only read.
unsafe impl Send for Tree {}
// SAFETY: as above.
unsafe impl Sync for Tree {}

impl Tree {
    pub fn build(corners: Vec<[[f32; 4]; 3]>, high_quality: bool) -> Self {
        let (first, count) = (corners.as_ptr().cast(), corners.len() as u32);
        // SAFETY: `corners` holds as many triangles of 12 floats as it is said to, and lives as
        // long as the tree; moving the vector does not move what it points to.
        let handle = unsafe { peers_tinybvh_build(first, count, i32::from(high_quality)) };
        Self { handle, _corners: corners }
    }

    /// Nodes, and triangles as the tree has them.
    pub fn bytes(&self) -> usize {
        // SAFETY: the tree is built.
        unsafe { peers_tinybvh_bytes(self.handle) }
    }

    pub fn closest(&self, rays: &[Ray], answers: &mut [Answer]) {
        assert_eq!(rays.len(), answers.len(), "one answer a ray");
        let answers = answers.as_mut_ptr();
        // SAFETY: the tree is built, and both arrays are as long as they are said to be.
        unsafe { peers_tinybvh_closest(self.handle, rays.as_ptr(), rays.len(), answers) };
    }

    pub fn any(&self, rays: &[Ray], answers: &mut [Answer]) {
        assert_eq!(rays.len(), answers.len(), "one answer a ray");
        let answers = answers.as_mut_ptr();
        // SAFETY: as in `closest`.
        unsafe { peers_tinybvh_any(self.handle, rays.as_ptr(), rays.len(), answers) };
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // SAFETY: the tree was made by `peers_tinybvh_build` and is not used again.
        unsafe { peers_tinybvh_free(self.handle) };
    }
}
