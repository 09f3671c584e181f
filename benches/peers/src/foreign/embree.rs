//! Embree 4 from a shared library, loaded at run time and never unloaded.

use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::mem::ManuallyDrop;
use std::path::Path;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};

use anyhow::{Context, bail};
use libloading::Library;

/// `RTCRay`.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    pub origin: [f32; 3],
    pub t_near: f32,
    pub direction: [f32; 3],
    pub time: f32,
    /// The distance of the hit afterwards; −∞ where an occlusion query found one.
    pub t_far: f32,
    pub mask: u32,
    pub id: u32,
    pub flags: u32,
}

/// `RTCHit`, for one level of instances.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    pub normal: [f32; 3],
    pub u: f32,
    pub v: f32,
    pub prim: u32,
    /// [`NONE`] before the query, and after it where nothing was hit.
    pub geometry: u32,
    pub instance: [u32; 2],
}

/// `RTCRayHit`.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug)]
pub struct RayHit {
    pub ray: Ray,
    pub hit: Hit,
}

/// `RTCRay8` or `RTCRay16`: the fields of [`Ray`], N of each.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
pub struct Rays<const N: usize> {
    pub origin: [[f32; N]; 3],
    pub t_near: [f32; N],
    pub direction: [[f32; N]; 3],
    pub time: [f32; N],
    pub t_far: [f32; N],
    pub mask: [u32; N],
    pub id: [u32; N],
    pub flags: [u32; N],
}

/// `RTCHit8` or `RTCHit16`: the fields of [`Hit`], N of each.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
pub struct Hits<const N: usize> {
    pub normal: [[f32; N]; 3],
    pub u: [f32; N],
    pub v: [f32; N],
    pub prim: [u32; N],
    pub geometry: [u32; N],
    pub instance: [[u32; N]; 2],
}

/// `RTCRayHit8` or `RTCRayHit16`.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
pub struct RaysHits<const N: usize> {
    pub rays: Rays<N>,
    pub hits: Hits<N>,
}

/// Which of N rays are active: −1 for yes, 0 for no.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
pub struct Active<const N: usize>(pub [i32; N]);

const _: () = assert!(size_of::<Ray>() == 48);
const _: () = assert!(size_of::<RayHit>() == 96);
const _: () = assert!(size_of::<Rays<8>>() == 384);
const _: () = assert!(size_of::<Rays<16>>() == 768);
const _: () = assert!(size_of::<RaysHits<16>>() == 1344);

/// `RTC_INVALID_GEOMETRY_ID`.
pub const NONE: u32 = u32::MAX;

/// `RTCBuildQuality`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    Low = 0,
    Medium = 1,
    High = 2,
}

/// `RTCIntersectArguments` and `RTCOccludedArguments`, which have the same layout.
#[repr(C)]
struct Arguments {
    flags: c_int,
    feature_mask: c_uint,
    context: *mut c_void,
    filter: *mut c_void,
    callback: *mut c_void,
    // Builds with RTC_MIN_WIDTH end in a float.
    min_width_distance_factor: f32,
}

impl Arguments {
    const COHERENT: c_int = 1 << 16;

    fn new(coherent: bool) -> Self {
        Self {
            flags: if coherent { Self::COHERENT } else { 0 },
            feature_mask: c_uint::MAX,
            context: ptr::null_mut(),
            filter: ptr::null_mut(),
            callback: ptr::null_mut(),
            min_width_distance_factor: 0.0,
        }
    }
}

type Handle = *mut c_void;
type MemoryMonitor = unsafe extern "C" fn(*mut c_void, isize, bool) -> bool;
type Query1 = unsafe extern "C" fn(Handle, *mut c_void, *mut Arguments);
type QueryPacket = unsafe extern "C" fn(*const c_int, Handle, *mut c_void, *mut Arguments);

/// The functions of the library that are used here.
struct Functions {
    new_device: unsafe extern "C" fn(*const c_char) -> Handle,
    device_error: unsafe extern "C" fn(Handle) -> c_int,
    memory_monitor: unsafe extern "C" fn(Handle, MemoryMonitor, *mut c_void),
    device_property: unsafe extern "C" fn(Handle, c_int) -> isize,
    new_scene: unsafe extern "C" fn(Handle) -> Handle,
    set_scene_flags: unsafe extern "C" fn(Handle, c_int),
    set_scene_quality: unsafe extern "C" fn(Handle, c_int),
    commit_scene: unsafe extern "C" fn(Handle),
    new_geometry: unsafe extern "C" fn(Handle, c_int) -> Handle,
    set_geometry_quality: unsafe extern "C" fn(Handle, c_int),
    new_buffer: unsafe extern "C" fn(Handle, c_int, c_uint, c_int, usize, usize) -> *mut c_void,
    commit_geometry: unsafe extern "C" fn(Handle),
    release_geometry: unsafe extern "C" fn(Handle),
    release_scene: unsafe extern "C" fn(Handle),
    release_device: unsafe extern "C" fn(Handle),
    attach_geometry: unsafe extern "C" fn(Handle, Handle) -> c_uint,
    intersect1: Query1,
    occluded1: Query1,
    intersect8: QueryPacket,
    occluded8: QueryPacket,
    intersect16: QueryPacket,
    occluded16: QueryPacket,
    /// Unloading Embree while its threads live crashes, so it stays.
    _library: ManuallyDrop<Library>,
}

/// Embree, loaded.
#[derive(Clone)]
pub struct Embree(Arc<Functions>);

impl Embree {
    /// Loads the library at `path`.
    pub fn load(path: &Path) -> anyhow::Result<Self> {
        // SAFETY: Embree's and TBB's initialisers need nothing but to be run once.
        let library = unsafe { Library::new(path) }.context("cannot load Embree")?;
        let library = ManuallyDrop::new(library);
        macro_rules! function {
            ($name:literal) => {{
                // SAFETY: the field's type is the C declaration of Embree 4's header, and the
                // library is never unloaded, so the address stays good.
                let symbol = unsafe { library.get($name.as_bytes()) };
                *symbol.with_context(|| format!("Embree has no {}", $name))?
            }};
        }
        Ok(Self(Arc::new(Functions {
            new_device: function!("rtcNewDevice"),
            device_error: function!("rtcGetDeviceError"),
            memory_monitor: function!("rtcSetDeviceMemoryMonitorFunction"),
            device_property: function!("rtcGetDeviceProperty"),
            new_scene: function!("rtcNewScene"),
            set_scene_flags: function!("rtcSetSceneFlags"),
            set_scene_quality: function!("rtcSetSceneBuildQuality"),
            commit_scene: function!("rtcCommitScene"),
            new_geometry: function!("rtcNewGeometry"),
            set_geometry_quality: function!("rtcSetGeometryBuildQuality"),
            new_buffer: function!("rtcSetNewGeometryBuffer"),
            commit_geometry: function!("rtcCommitGeometry"),
            release_geometry: function!("rtcReleaseGeometry"),
            release_scene: function!("rtcReleaseScene"),
            release_device: function!("rtcReleaseDevice"),
            attach_geometry: function!("rtcAttachGeometry"),
            intersect1: function!("rtcIntersect1"),
            occluded1: function!("rtcOccluded1"),
            intersect8: function!("rtcIntersect8"),
            occluded8: function!("rtcOccluded8"),
            intersect16: function!("rtcIntersect16"),
            occluded16: function!("rtcOccluded16"),
            _library: library,
        })))
    }

    /// A scene of one triangle mesh on a device of its own, built.
    pub fn scene(
        &self,
        positions: &[[f32; 3]],
        indices: &[[u32; 3]],
        quality: Quality,
        config: &str,
    ) -> anyhow::Result<Scene> {
        self.prepare((positions, indices), quality, false, config)?.commit()
    }

    /// The same before it is built; `compact` asks for the tree that takes least memory.
    pub fn prepare(
        &self,
        (positions, indices): (&[[f32; 3]], &[[u32; 3]]),
        quality: Quality,
        compact: bool,
        config: &str,
    ) -> anyhow::Result<Prepared> {
        const TRIANGLES: c_int = 0;
        const INDEX: (c_int, c_int) = (0, 0x5003);
        const VERTEX: (c_int, c_int) = (1, 0x9003);
        const COMPACT: c_int = 2;
        let (functions, quality) = (&*self.0, quality as c_int);
        let config = CString::new(config)?;
        // SAFETY: `config` ends in a zero byte and outlives the call.
        let device = unsafe { (functions.new_device)(config.as_ptr()) };
        if device.is_null() {
            bail!("Embree gives no device");
        }
        let memory = Box::new(AtomicIsize::new(0));
        let counter = ptr::from_ref(&*memory).cast_mut().cast();
        // SAFETY: `device` is live; `count_memory` has the type of Embree's header, and the counter
        // is freed after the device.
        unsafe { (functions.memory_monitor)(device, count_memory, counter) };
        // SAFETY: `device` is a live device.
        let scene = unsafe { (functions.new_scene)(device) };
        let owned = Owned { embree: self.clone(), device, scene, memory };
        // SAFETY: `scene` is a live scene, and `quality` one of RTCBuildQuality.
        unsafe { (functions.set_scene_quality)(scene, quality) };
        // SAFETY: `scene` is a live scene, and the flags are some of RTCSceneFlags.
        unsafe { (functions.set_scene_flags)(scene, if compact { COMPACT } else { 0 }) };
        // SAFETY: `device` is a live device; 0 is RTC_GEOMETRY_TYPE_TRIANGLE.
        let geometry = unsafe { (functions.new_geometry)(device, TRIANGLES) };
        // SAFETY: `geometry` is a live geometry, and `quality` one of RTCBuildQuality.
        unsafe { (functions.set_geometry_quality)(geometry, quality) };
        self.fill(geometry, VERTEX, positions)?;
        self.fill(geometry, INDEX, indices)?;
        // SAFETY: `geometry` is a live geometry with both its buffers.
        unsafe { (functions.commit_geometry)(geometry) };
        // SAFETY: both are live and belong to the same device.
        unsafe { (functions.attach_geometry)(scene, geometry) };
        // SAFETY: `geometry` is live, and the scene keeps it.
        unsafe { (functions.release_geometry)(geometry) };
        Ok(Prepared(owned))
    }

    /// Gives a geometry a buffer of three 32-bit numbers an item, and fills it.
    fn fill<T: Copy>(
        &self,
        geometry: Handle,
        (kind, format): (c_int, c_int),
        items: &[[T; 3]],
    ) -> anyhow::Result<()> {
        const { assert!(size_of::<T>() == 4, "the formats are of 32-bit numbers") };
        let stride = size_of::<[T; 3]>();
        // SAFETY: `geometry` is a live geometry; kind and format are constants of Embree's header
        // that belong together, and the stride is the size of such an item.
        let buffer = unsafe { (self.0.new_buffer)(geometry, kind, 0, format, stride, items.len()) };
        if buffer.is_null() {
            bail!("Embree has no memory for a buffer");
        }
        // SAFETY: Embree gave at least `items.len()` items of `stride` bytes at `buffer`, which
        // nothing else knows of.
        unsafe { ptr::copy_nonoverlapping(items.as_ptr(), buffer.cast(), items.len()) };
        Ok(())
    }
}

/// Adds up what Embree says it allocates.
unsafe extern "C" fn count_memory(counter: *mut c_void, bytes: isize, _after: bool) -> bool {
    // SAFETY: it is the counter that was given with this function, which lives as long as the
    // device and is only used as an atomic number.
    let counter = unsafe { &*counter.cast::<AtomicIsize>() };
    counter.fetch_add(bytes, Ordering::Relaxed);
    true
}

/// A scene that has its triangles, but no tree yet.
pub struct Prepared(Owned);

impl Prepared {
    /// Builds the tree.
    pub fn commit(self) -> anyhow::Result<Scene> {
        let Owned { ref embree, device, scene, ref memory } = self.0;
        let functions = &*embree.0;
        let before = memory.load(Ordering::Relaxed);
        // SAFETY: `scene` is a live scene, seen by no other thread yet.
        unsafe { (functions.commit_scene)(scene) };
        let bytes = memory.load(Ordering::Relaxed) - before;
        // SAFETY: `device` is a live device.
        let error = unsafe { (functions.device_error)(device) };
        if error != 0 {
            bail!("Embree reports error {error}");
        }
        const NATIVE_RAY16_SUPPORTED: c_int = 34;
        // SAFETY: `device` is a live device, and the property one of RTCDeviceProperty.
        let native16 = unsafe { (functions.device_property)(device, NATIVE_RAY16_SUPPORTED) };
        let embree = embree.clone();
        let owned = Arc::new(self.0);
        Ok(Scene { embree, handle: scene, native16: native16 != 0, bytes, _owned: owned })
    }
}

/// A built scene.
#[derive(Clone)]
pub struct Scene {
    embree: Embree,
    handle: Handle,
    native16: bool,
    bytes: isize,
    _owned: Arc<Owned>,
}

/// A scene and its device, freed together.
struct Owned {
    embree: Embree,
    device: Handle,
    scene: Handle,
    memory: Box<AtomicIsize>,
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the scene is live, and whoever could use it has gone.
        unsafe { (self.embree.0.release_scene)(self.scene) };
        // SAFETY: the device is live, and its only scene has gone.
        unsafe { (self.embree.0.release_device)(self.device) };
    }
}

// SAFETY: Embree lets any thread release what no other uses any more.
unsafe impl Send for Owned {}
// SAFETY: nothing is done with a shared reference that is not atomic.
unsafe impl Sync for Owned {}

// SAFETY: a committed scene is never changed here, and Embree lets any number of threads query it.
unsafe impl Send for Scene {}
// SAFETY: as above.
unsafe impl Sync for Scene {}

impl Scene {
    /// What the tree takes, as Embree counts it.
    pub fn bytes(&self) -> usize {
        self.bytes.max(0).unsigned_abs()
    }

    /// `rtcIntersect1`.
    #[inline]
    pub fn intersect(&self, query: &mut RayHit) {
        let query = ptr::from_mut(query).cast();
        // SAFETY: the scene is committed, the ray is of the layout and alignment that Embree
        // expects and ours alone; no arguments is allowed.
        unsafe { (self.embree.0.intersect1)(self.handle, query, ptr::null_mut()) };
    }

    /// `rtcOccluded1`.
    #[inline]
    pub fn occluded(&self, ray: &mut Ray) {
        let ray = ptr::from_mut(ray).cast();
        // SAFETY: as in `intersect`.
        unsafe { (self.embree.0.occluded1)(self.handle, ray, ptr::null_mut()) };
    }

    /// Whether Embree has packets of 16 here; otherwise it would take them apart.
    pub fn has_packets_of_16(&self) -> bool {
        self.native16
    }

    /// `rtcIntersect8` or `rtcIntersect16`, told whether the rays go much the same way.
    #[inline]
    pub fn intersect_packet<const N: usize>(
        &self,
        active: &Active<N>,
        query: &mut RaysHits<N>,
        coherent: bool,
    ) {
        let functions = &*self.embree.0;
        let intersect = by_width::<N>(functions.intersect8, functions.intersect16);
        let mut arguments = Arguments::new(coherent);
        let query = ptr::from_mut(query).cast();
        // SAFETY: as in `intersect`; `active` is aligned to 64 bytes, and the arguments have
        // RTCIntersectArguments' layout and outlive the call.
        unsafe { intersect(active.0.as_ptr(), self.handle, query, &raw mut arguments) };
    }

    /// `rtcOccluded8` or `rtcOccluded16`, told whether the rays go much the same way.
    #[inline]
    pub fn occluded_packet<const N: usize>(
        &self,
        active: &Active<N>,
        rays: &mut Rays<N>,
        coherent: bool,
    ) {
        let functions = &*self.embree.0;
        let occluded = by_width::<N>(functions.occluded8, functions.occluded16);
        let mut arguments = Arguments::new(coherent);
        let rays = ptr::from_mut(rays).cast();
        // SAFETY: as in `intersect_packet`.
        unsafe { occluded(active.0.as_ptr(), self.handle, rays, &raw mut arguments) };
    }
}

fn by_width<const N: usize>(eight: QueryPacket, sixteen: QueryPacket) -> QueryPacket {
    const { assert!(N == 8 || N == 16, "packets are of 8 or of 16 rays here") };
    if N == 8 { eight } else { sixteen }
}
