//! The facade as its users see it.

mod camera;
mod scene;
