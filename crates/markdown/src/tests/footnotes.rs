//! Footnotes: references in the text, notes where they are defined.

use super::super::{Document, MAX_LINKS, Node};
use super::streaming::{every, shown, stream, unfrozen};
use super::{one, show, whole};
use std::fmt::Write as _;

fn now(document: &Document) -> String {
    let blocks = document.blocks().iter().map(|block| one(&block.node));
    blocks.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_footnote_has_its_mark_and_its_text() {
    assert_eq!(
        show(
            "Word[^1], *and[^Note]*.\n\n[^1]: First *one*.\n[^note]: Second.\n\n    More.\n\nEnd.\n"
        ),
        "(p \"Word\" (note \"1\") \", \" (em \"and\" (note \"Note\")) \".\") \
         (footnote \"1\" (p \"First \" (em \"one\") \".\")) \
         (footnote \"note\" (p \"Second.\") (p \"More.\")) (p \"End.\")"
    );
    assert_eq!(
        show("| a[^1] | b |\n|---|---|\n| c | d[^1][^2] |\n\n- e[^2]\n\n[^1]: x\n\n[^2]: y"),
        "(table (tr (th \"a\" (note \"1\")) (th \"b\")) (tr (td \"c\") (td \"d\" (note \"1\") (note \"2\")))) \
         (ul (li \"e\" (note \"2\"))) (footnote \"1\" (p \"x\")) (footnote \"2\" (p \"y\"))"
    );
}

#[test]
fn what_only_looks_like_one_is_text() {
    for (text, shown) in [
        (
            "not `[^1]` and [^a-z] or [^2]\n\n[^1]: x",
            "(p \"not \" (code \"[^1]\") \" and [^a-z] or [^2]\")",
        ),
        ("a \\[^1]\n\n[^1]: x", "(p \"a [^1]\")"),
        (
            "a [^1](https://b.c)\n\n[^1]: x",
            "(p \"a \" (a https://b.c \"^1\"))",
        ),
        (
            "a [^ ] [^] [^<b>] [^`x`]\n\n[^1]: x",
            "(p \"a [^ ] [^] [^<b>] [^\" (code \"x\") \"]\")",
        ),
        (
            "```\n[^1]: y [^1]\n```\n\n[^1]: x",
            "(pre \"\" \"[^1]: y [^1]\\n\")",
        ),
        ("![a [^1]](b)\n\n[^1]: x", "(p (img \"a [^1]\" -))"),
    ] {
        assert_eq!(
            show(text).replace(" (footnote \"1\" (p \"x\"))", ""),
            shown,
            "{text}"
        );
    }
    assert_eq!(
        show("a [^1^][1]\n\n[1]: https://b.c"),
        "(p \"a \" (a https://b.c \"^1^\"))"
    );
    // A label is plain text, whatever it contains.
    let hostile = show("a[^\"onclick=x]\n\n[^\"onclick=x]: b");
    assert!(hostile.contains("(note \"\\\"onclick=x\")"), "{hostile}");
}

#[test]
fn a_footnote_that_comes_late_reaches_its_mark() {
    let mut document = Document::new();
    document.append("One[^a] and [^");
    assert_eq!(now(&document), "(p \"One[^a] and\")");
    document.append("b].\n\nTwo.\n\n[^b]: is b\n\n");
    assert_eq!(document.frozen(), 2);
    document.append("[^a]: is a\n\nEnd");
    assert!(
        now(&document)
            .starts_with("(p \"One\" (note \"a\") \" and \" (note \"b\") \".\") (p \"Two.\")"),
        "{}",
        now(&document)
    );
}

#[test]
fn what_looks_like_a_footnote_is_the_same_when_a_definition_comes_late() {
    for text in [
        "[x][^x][x]\n\n[x]: /u\n\nend",
        "[x][^x][x]\n\nend\n\n[x]: /u\n",
        "![x][^y][x]\n\nend\n\n[^y]: note\n\n[x]: /u\n",
        "[y]: https://c.d\n    [^x]: > \n- \n\n?>[^x]",
        "- - \n[^y]: n\n\r\n    [^x]: [y]: https://c.d\n",
        "[x][^x](b)\n\nend\n\n[x]: /u\n\n[^x]: note",
    ] {
        for step in [1, 2, 7] {
            let document = stream(text, every(text).step_by(step));
            assert_eq!(shown(document.blocks()), unfrozen(text));
        }
    }
}

#[test]
fn footnotes_in_pieces_are_those_of_the_whole() {
    for text in [
        "A[^1] b[^2].\n\n[^1]: one\n    more\n\n    ```\n    code\n    ```\n[^2]: two\n[^1]: again\n\n- c[^3]\n\n  [^3]: three\n\nEnd[^3] [^4].",
        "[^1]: first\n\nlater[^1] and [^1](x) [^1][y]\n\n[y]: /z\n\n> quoted[^q]\n> [^q]: in it\n",
        "$x[^1]$ \\(a[^1]\\) `[^1]` [^1]\n[^1]: $y$ \u{202e}\n",
    ] {
        for step in [1, 2, 7] {
            stream(text, every(text).step_by(step));
        }
    }
}

#[test]
fn thousands_of_footnotes_cost_no_more_than_their_number() {
    let mut text = String::new();
    for n in 0..4000 {
        let _ = write!(text, "word[^{n}] ");
        if n % 10 == 0 {
            text.push_str("\n\n");
        }
    }
    text.push_str("\n\n");
    for n in 0..4000 {
        let _ = write!(text, "[^{n}]: note\n{}", if n % 3 == 0 { "\n" } else { "" });
    }
    let whole = whole(&text);
    let mut document = Document::without_budget();
    let mut pieces = 0;
    for piece in text.as_bytes().chunks(200) {
        document.append(std::str::from_utf8(piece).unwrap());
        pieces += 1;
    }
    let parsed = document.parsed_bytes();
    assert!(
        parsed <= Document::most(text.len(), pieces) + text.len(),
        "{parsed}"
    );
    document.finish();
    assert_eq!(document.blocks(), whole.blocks());
    let marks = |nodes: &[Node]| {
        nodes
            .iter()
            .filter(|node| matches!(node, Node::FootnoteReference(_)))
            .count()
    };
    let of = |node: &Node| match node {
        Node::Element(_, children) => marks(children),
        _ => 0,
    };
    let all: usize = whole.blocks().iter().map(|block| of(&block.node)).sum();
    assert_eq!(all, MAX_LINKS);
}
