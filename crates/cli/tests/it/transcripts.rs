//! Commands with what they print and how they end, word for word.

#[test]
fn commands_print_what_their_transcripts_say() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").case("tests/cmd/*.toml");
}
