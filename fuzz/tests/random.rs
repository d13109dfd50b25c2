//! Runs every target with random inputs, on stable Rust. `PROPTEST_CASES=100000 cargo test -p
//! sash-fuzz --release` runs more.

use proptest::prelude::*;
use sash_fuzz::{formula, import, lines, markdown, records};

/// Generates inputs from arbitrary bytes and from pieces that have a meaning for the target.
fn input(pieces: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => prop::sample::select(pieces).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    let pieces = prop::collection::vec(piece, 0..40);
    (any::<u8>(), pieces)
        .prop_map(|(first, pieces)| std::iter::once(first).chain(pieces.concat()).collect())
}

const LINES: &[&str] = &[
    "{\"a\":1}",
    "\n",
    "\r\n",
    " ",
    "é",
    "日本",
    "long long long long long ",
];
const MARKDOWN: &[&str] = &[
    "a",
    "word ",
    "\n",
    "\n\n",
    "\r\n",
    "  ",
    "    ",
    "\t",
    "# ",
    "- ",
    "1. ",
    "> ",
    "```",
    "~~~",
    "`",
    "*",
    "**",
    "_",
    "~~",
    "|",
    "|-|-|\n",
    "[a]",
    "(/b)",
    "[a]: /b\n",
    "[^1]",
    "[^1]: n\n",
    "![",
    "]",
    "<br>",
    "<div>",
    "&amp;",
    "\\",
    "$",
    "$$",
    "\\(",
    "\\)",
    "\\[",
    "\\]",
    "---\n",
    "===\n",
    "https://a.example",
    "é",
    "\u{202e}",
    "- [x] ",
];
const FORMULAS: &[&str] = &[
    "x",
    "1",
    "+",
    "^",
    "_",
    "{",
    "}",
    "\\frac",
    "\\sqrt",
    "[",
    "]",
    "\\left(",
    "\\right)",
    "\\begin{matrix}",
    "\\end{matrix}",
    "&",
    "\\\\",
    "\\text{a}",
    "\\alpha",
    "\\sum",
    " ",
    "$",
    "\\color{red}",
    "'",
    "\\hline",
];
const IMPORTS: &[&str] = &[
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "null",
    "1",
    "-1",
    "1e999",
    "\"id\":\"a\"",
    "\"title\":\"t\"",
    "\"messages\":",
    "\"history\":",
    "\"mapping\":",
    "\"chat\":",
    "\"models\":[]",
    "{\"role\":\"user\",\"content\":\"a\"}",
    "{\"mapping\":{\"a\":{\"message\":{\"author\":{\"role\":\"user\"},\"content\":{\"parts\":[\"a\"]}}}}}",
    "{\"id\":\"a\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}",
    "{\"app\":\"sash\",\"schema\":1}\n",
    "{\"key\":\"sash:c:0000000000000001\",\"crc\":\"00000000\",\"data\":{}}\n",
    "\n",
    "\\ud83d",
    "é",
];
const RECORDS: &[&str] = &[
    "1|",
    "2|",
    "00000000|",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"id\":\"0000000000000002\"",
    "\"seq\":1",
    "\"seq\":-1",
    "\"role\":\"user\"",
    "\"content\":\"a\"",
    "\"created\":5",
    "\"policy\":\"fits\"",
    "\"at\":1",
    "\"purged\":true",
    "\"parent\":null",
    "\"outcome\":\"x\"",
    "\"pins\":[1]",
    "7",
    "\"a\"",
    "null",
    "é",
];

proptest! {
    #[test]
    fn a_stream_has_the_same_lines_however_it_is_cut(data in input(LINES)) {
        lines::run(&data);
    }

    #[test]
    fn a_streamed_answer_shows_what_the_whole_one_shows(data in input(MARKDOWN)) {
        markdown::run(&data);
    }

    #[test]
    fn any_formula_is_read_or_refused(data in input(FORMULAS)) {
        formula::run(&data);
    }

    #[test]
    fn any_file_is_refused_or_imported_once(data in input(IMPORTS)) {
        import::run(&data);
    }

    #[test]
    fn whatever_stands_in_the_store_is_read_or_kept(data in input(RECORDS)) {
        records::run(&data);
    }
}
