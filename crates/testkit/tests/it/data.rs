//! The files in data/ are the ones that the testkit makes.

use std::path::Path;

use hitscan_testkit::data;

#[test]
fn files_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let mut bytes = 0;
    for (name, text) in data::files() {
        let found = std::fs::read_to_string(folder.join(name)).expect(name);
        let same = found.lines().eq(text.lines());
        assert!(same, "{name} is stale: cargo run -p hitscan-testkit --bin make-data");
        bytes += text.len();
    }
    assert!(bytes < 500_000, "{bytes} bytes are more than a small checkout should carry");
}
