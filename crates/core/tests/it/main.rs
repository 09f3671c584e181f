//! What users of this crate see, one module a subject.

mod baked;
mod build;
mod can_be_hit;
mod compact;
mod defects;
mod file;
mod obj;
mod refit;
mod topology;
