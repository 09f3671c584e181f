//! A tree that is built in the background.

use std::sync::{Arc, Mutex, PoisonError};

use hitscan_core::{BuildOptions, BuildWatch, CancelToken, TriangleMesh};

use crate::bvh::Bvh;

/// A tree that is built in the background. Dropped, the build ends.
#[derive(Debug)]
pub(super) struct Rebuild {
    place: Arc<Mutex<Option<Bvh>>>,
    token: CancelToken,
}

impl Rebuild {
    /// Begins, as a task on the rayon pool that the caller is in.
    pub(super) fn start(mesh: Arc<TriangleMesh>, options: BuildOptions) -> Self {
        let place = Arc::new(Mutex::new(None));
        let goal = Arc::downgrade(&place);
        let token = CancelToken::new();
        let nobody_waits = token.clone();
        rayon::spawn(move || {
            let watch = BuildWatch { cancel: Some(&nobody_waits), ..BuildWatch::default() };
            let Ok(mut bvh) = Bvh::build_with(mesh, &options, &watch) else { return };
            super::make_whole(&mut bvh);
            if let Some(place) = goal.upgrade() {
                *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(bvh);
            }
        });
        Self { place, token }
    }

    /// The tree, if it is ready; only once.
    pub(super) fn take(&self) -> Option<Bvh> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for Rebuild {
    fn drop(&mut self) {
        self.token.cancel();
    }
}
