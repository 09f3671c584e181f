//! The chores, as who calls them sees them.

mod chart;
mod picture;
