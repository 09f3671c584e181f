//! Why rays hit or miss, on meshes where it is known.

mod agreement;
mod nearby;
mod verdicts;
