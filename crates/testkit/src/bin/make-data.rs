//! Writes the mesh and ray files in data/: `cargo run -p hitscan-testkit --bin make-data`.

#![forbid(unsafe_code)]

use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    for (name, text) in hitscan_testkit::data::files() {
        std::fs::write(folder.join(name), &text)?;
        println!("{name}: {} lines, {} bytes", text.lines().count(), text.len());
    }
    Ok(())
}
