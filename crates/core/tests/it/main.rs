//! What users of this crate see, one module a subject.

mod build;
mod defects;
mod obj;
mod topology;
