//! Batches answer as single rays do, on the caller's threads, and can be watched and ended.

mod answers;
mod cancel;
mod pool;
mod progress;
mod world;
