//! Builds tell how far they are, and end where they are cancelled.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use hitscan::{
    BuildOptions, BuildProgress, BuildStage, BuildWatch, Bvh, CancelToken, Cancelled, Quality,
    TriangleMesh,
};
use hitscan_testkit::meshes;
use rayon::ThreadPoolBuilder;

/// A mesh that is built in several parts at each stage, and cut into parts by `High`.
fn mesh() -> Arc<TriangleMesh> {
    Arc::new(meshes::joined(&[meshes::terrain(130, 130, 7), meshes::beams(9000, 3)]))
}

fn on_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("a pool of a few threads").install(work)
}

fn bytes(bvh: &Bvh) -> Vec<u8> {
    let mut bytes = Vec::new();
    bvh.write_to(&mut bytes).expect("a list takes all");
    bytes
}

#[test]
fn progress_rises_to_the_end_through_every_stage() {
    let mesh = mesh();
    for quality in Quality::ALL {
        let options = BuildOptions::from(quality);
        let unwatched = bytes(&Bvh::build(mesh.clone(), &options));
        for threads in [1, 2, 8] {
            let (calls, busy) = (Mutex::new(Vec::new()), AtomicBool::new(false));
            let progress = |progress: BuildProgress| {
                assert!(!busy.swap(true, Ordering::SeqCst), "two calls at once");
                calls.lock().expect("no panic").push(progress);
                busy.store(false, Ordering::SeqCst);
            };
            let watch = BuildWatch { progress: Some(&progress), cancel: None };
            let built = on_pool(threads, || Bvh::build_with(mesh.clone(), &options, &watch));
            assert!(bytes(&built.expect("nobody cancels")) == unwatched, "{quality:?}");
            let calls = calls.into_inner().expect("no panic");
            assert!(calls.is_sorted_by(|a, b| a.stage <= b.stage), "{calls:?}");
            assert!(calls.is_sorted_by(|a, b| a.fraction < b.fraction), "{calls:?}");
            assert!(calls[0].fraction > 0.0);
            assert_eq!(calls.last().map(|call| call.fraction), Some(1.0));
            for stage in BuildStage::ALL {
                let told = calls.iter().filter(|call| call.stage == stage).count();
                assert_eq!(told > 0, stage.is_in(quality), "{quality:?} {stage:?}");
                // One thread tells every part.
                assert!(threads > 1 || told != 1, "{quality:?} {stage:?}");
            }
        }
    }
}

#[test]
fn a_build_ends_in_whatever_stage_it_is_cancelled() {
    let mesh = mesh();
    for quality in Quality::ALL {
        let options = BuildOptions::from(quality);
        for stage in BuildStage::ALL.into_iter().filter(|stage| stage.is_in(quality)) {
            for threads in [1, 2, 8] {
                let token = CancelToken::new();
                let last = Mutex::new(None);
                let progress = |progress: BuildProgress| {
                    *last.lock().expect("no panic") = Some(progress.stage);
                    if progress.stage == stage {
                        token.cancel();
                    }
                };
                let watch = BuildWatch { progress: Some(&progress), cancel: Some(&token) };
                let built = on_pool(threads, || Bvh::build_with(mesh.clone(), &options, &watch));
                assert_eq!(built.err(), Some(Cancelled), "{quality:?} {stage:?} {threads}");
                // No later stage was begun, and nobody holds the mesh any more.
                assert_eq!(last.into_inner().expect("no panic"), Some(stage));
                assert_eq!(Arc::strong_count(&mesh), 1);
            }
        }
    }
}

#[test]
fn a_token_cancelled_before_the_start_builds_nothing() {
    let token = CancelToken::new();
    token.clone().cancel();
    let progress = |progress: BuildProgress| panic!("{progress:?}");
    let watch = BuildWatch { progress: Some(&progress), cancel: Some(&token) };
    for quality in Quality::ALL {
        for mesh in [mesh(), Arc::default()] {
            let built = Bvh::build_with(mesh, &BuildOptions::from(quality), &watch);
            assert_eq!(built.err(), Some(Cancelled), "{quality:?}");
        }
    }
}

#[test]
fn cancelling_with_the_last_call_changes_nothing() {
    let mesh = mesh();
    for quality in Quality::ALL {
        for threads in [1, 2] {
            let token = CancelToken::new();
            let progress = |progress: BuildProgress| {
                if progress.fraction == 1.0 {
                    token.cancel();
                }
            };
            let watch = BuildWatch { progress: Some(&progress), cancel: Some(&token) };
            let options = BuildOptions::from(quality);
            assert!(on_pool(threads, || Bvh::build_with(mesh.clone(), &options, &watch)).is_ok());
            assert!(token.is_cancelled());
        }
    }
}

#[test]
fn an_empty_mesh_tells_nothing() {
    let progress = |progress: BuildProgress| panic!("{progress:?}");
    let watch = BuildWatch { progress: Some(&progress), cancel: None };
    for quality in Quality::ALL {
        let options = BuildOptions::from(quality);
        assert!(Bvh::build_with(TriangleMesh::default(), &options, &watch).is_ok());
    }
}
