//! A tree that is built in the background.

use std::sync::{Arc, Mutex, PoisonError};

use hitscan_core::{BuildOptions, TriangleMesh};

use crate::bvh::Bvh;

/// A tree that is built in the background. Dropped, it is built all the same and thrown away.
#[derive(Debug)]
pub(super) struct Rebuild {
    place: Arc<Mutex<Option<Bvh>>>,
}

impl Rebuild {
    /// Begins, as a task on the rayon pool that the caller is in.
    pub(super) fn start(mesh: Arc<TriangleMesh>, options: BuildOptions) -> Self {
        let place = Arc::new(Mutex::new(None));
        let goal = Arc::downgrade(&place);
        rayon::spawn(move || {
            // Nobody waits for it any more: nothing to do.
            if goal.strong_count() == 0 {
                return;
            }
            let mut bvh = Bvh::build(mesh, &options);
            super::make_whole(&mut bvh);
            if let Some(place) = goal.upgrade() {
                *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(bvh);
            }
        });
        Self { place }
    }

    /// The tree, if it is ready; only once.
    pub(super) fn take(&self) -> Option<Bvh> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
