//! The `hitscan` command.
fn main() {}
