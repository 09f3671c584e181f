//! What users of this crate see, one module a subject.

mod build;
mod defects;
mod file;
mod obj;
mod refit;
mod topology;
