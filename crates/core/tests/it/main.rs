//! What users of this crate see, one module a subject.

mod build;
mod file;
mod obj;
