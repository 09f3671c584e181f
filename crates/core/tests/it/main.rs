//! What users of this crate see, one module a subject.

mod obj;
