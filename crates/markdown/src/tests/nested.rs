//! Fences within a block of Markdown.

use super::super::Document;
use super::streaming::{every, stream};
use super::{show, whole};

#[track_caller]
fn gives(text: &str, expected: &str) {
    assert_eq!(show(text), expected, "\n{text}");
    for text in [
        text.to_owned(),
        format!("Before.\n\n{text}"),
        text.replace('\n', "\r\n"),
    ] {
        stream(&text, every(&text));
        stream(&text, every(&text).step_by(5));
    }
}

#[test]
fn a_fence_with_a_language_opens_an_inner_block() {
    gives(
        "```markdown\n# T\n\n```rust\nlet a;\n```\n\nMore\n```\n\nAfter *it*.\n",
        r##"(pre "markdown" "# T\n\n```rust\nlet a;\n```\n\nMore\n") (p "After " (em "it") ".")"##,
    );
    // Two in a row, one within the other, tildes, indented up to three spaces.
    gives(
        "```md\n```a\n1\n```\n```b\n2\n```\n```\nx\n",
        r#"(pre "md" "```a\n1\n```\n```b\n2\n```\n") (p "x")"#,
    );
    gives(
        "~~~MD\n~~~md\n~~~c\n1\n~~~\n~~~\n~~~\nx\n",
        r#"(pre "MD" "~~~md\n~~~c\n1\n~~~\n~~~\n") (p "x")"#,
    );
    gives(
        "```markdown\n1. a\n\n   ```sh\n   ls $x $y\n   ```\n```\n$z$\n",
        r#"(pre "markdown" "1. a\n\n   ```sh\n   ls $x $y\n   ```\n") (p (inline "$z$"))"#,
    );
    // A longer fence around needs no rule, and other languages have none.
    gives(
        "````markdown\n```rust\n1\n```\n````\nx\n",
        r#"(pre "markdown" "```rust\n1\n```\n") (p "x")"#,
    );
    gives(
        "```text\n```rust\n```\n*x*\n",
        r#"(pre "text" "```rust\n") (p (em "x"))"#,
    );
}

#[test]
fn what_cannot_be_told_is_read_as_commonmark_reads_it() {
    // A bare fence always closes.
    gives(
        "```markdown\n```\n*a*\n",
        r#"(pre "markdown") (p (em "a"))"#,
    );
    // Not closed at the end: what follows is not swallowed.
    gives(
        "```markdown\nBegin with\n```rust\n```\n\n# After\n\n- *b*\n",
        r#"(pre "markdown" "Begin with\n```rust\n") (h1 "After") (ul (li (em "b")))"#,
    );
    gives(
        "```markdown\n```rust\n```\n\n```markdown\n```rust\n```\n*b*\n",
        r#"(pre "markdown" "```rust\n") (pre "markdown" "```rust\n") (p (em "b"))"#,
    );
    // Within a list or a quote.
    gives(
        "> ```md\n> ```a\n> ```\n\n*b*\n",
        r#"(quote (pre "md" "```a\n")) (p (em "b"))"#,
    );
}

#[test]
fn blocks_that_never_close_are_read_a_bounded_number_of_times() {
    let text = "```markdown\n```rust\n```\n\n*a*\n\n".repeat(2_000);
    super::super::work::take();
    whole(&text);
    let steps = super::super::work::take();
    assert!(steps < text.len() * 40, "{steps} for {}", text.len());
}

#[test]
fn a_long_block_with_inner_ones_is_not_parsed_again() {
    let inner = "Some *text*:\n\n```rust\nlet a = 1;\n```\n\n".repeat(500);
    let text = format!("```markdown\n{inner}```\n\nAfter.\n");
    let mut document = Document::new();
    for piece in text.as_bytes().chunks(16) {
        document.append(std::str::from_utf8(piece).unwrap());
    }
    document.finish();
    assert_eq!(document.blocks(), whole(&text).blocks());
    assert_eq!(document.blocks().len(), 2);
    let parsed = document.parsed_bytes();
    assert!(parsed < text.len() * 2, "{parsed} for {}", text.len());
}
