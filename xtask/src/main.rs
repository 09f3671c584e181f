//! The project's chores, run as `cargo xtask NAME`.
fn main() {}
