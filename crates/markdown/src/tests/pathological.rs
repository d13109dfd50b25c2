//! Inputs for which some parser takes superlinear time: the lists of cmark, cmark-gfm and markdown-it, and
//! our own. Steps, parsed bytes and nodes are counted, not time.

use super::super::{Block, Document, MAX_SIGNS, Node, work};
use super::whole;

/// Each is repeated.
const UNITS: [&str; 142] = [
    "a**b",
    "a__b",
    "[",
    "]",
    "![",
    "[a](",
    "[a](b",
    "[a](<b",
    "[a][",
    "![[]()",
    "[](",
    "](",
    "[]",
    "[x]",
    "[a",
    "a]",
    "*[a](",
    "[*a](b",
    "![](<",
    "<!--",
    "<!- ",
    "<?",
    "<!A",
    "<![CDATA[",
    "<a b='",
    "<a ",
    "</",
    "<a/>",
    "<x y",
    "<",
    "<>",
    "<b>",
    "<br>",
    "``\\",
    "`",
    "`a``",
    "$`",
    "*a **a ",
    "*a_ ",
    "_a",
    "__a_",
    "_a __a_ ",
    "a_b_c ",
    "*",
    "**",
    "***a* ",
    "_*",
    "*_a",
    "*a* ",
    "`a` ",
    "~~a",
    "~~a ",
    "~a~~ ",
    "&",
    "&a",
    "&a;",
    "&amp;",
    "\0",
    "\\",
    "\\(",
    "\\[",
    "\\(x",
    "\\(x\\) ",
    "$",
    "$$",
    "$x$",
    "$x$ ",
    "$$x$$ ",
    "$$\n",
    "\\begin{a} ",
    "\\begin{align}\n",
    "\\begin{align} ",
    "- ",
    "> ",
    "1. ",
    "-\n",
    "- a\n",
    "- a\n\n",
    "1) a\n\n",
    "- x\n  y\n",
    "- a\n\n  b\n",
    "- > a\n",
    "> - a\n",
    "- ```\n",
    "- [ ] a\n",
    "+ a\n* a\n- a\n",
    "\r -\x0b",
    "> a\n",
    "> a\n>\n",
    "> a\n\n",
    ">a\nb\n\n",
    "[foo]: /url\n",
    "[foo]: /url\n\n",
    "[foo]\n",
    "[foo] ",
    "[a\n",
    "[a]: <b\n",
    "[a]: b \"c\n",
    "aaa\n-\n",
    "aaa\n=\n",
    "a\n==\n",
    "word\n\n",
    "word\n",
    "word ",
    "a",
    "```\n",
    "```\n\n",
    "~~~\na\n~~~\n",
    "***\n",
    "*-\n",
    "* * *\n",
    "# a\n",
    "#\n",
    "<div>\n",
    "<div>\n\n",
    "<!-- a -->\n",
    "<!-- a\n",
    "<pre>\n",
    "https://a.b ",
    "https://a.b\n\n",
    "http://",
    "xhttp://",
    "www.a.b ",
    "www.",
    "xwww.",
    "(www.",
    "a@b.c ",
    "a@b.c,",
    "a@",
    "@",
    "<a@b.c> ",
    "\u{202e}",
    "a\u{202e}",
    "a\u{202e}\n\n",
    "\u{e0041}",
    "| a | b |\n",
    "|a|\n|-|\n|b|\n\n",
    "    a\n",
    "a  \n",
    "a\\\n",
    "[^1]",
    "[^1]: a\n",
];

/// Makes a text of about that many bytes.
type OfBytes = fn(usize) -> String;

/// Inputs in which numbers or lengths matter.
const OTHERS: [(&str, OfBytes); 22] = [
    ("backticks of growing length", |n| {
        numbered(n, |i| format!("e{}", "`".repeat(i % 1500)))
    }),
    ("emphasis, nested", |n| {
        "*a **a ".repeat(n / 14) + "b" + &" a** a*".repeat(n / 14)
    }),
    ("brackets, nested", |n| {
        "[".repeat(n / 2) + "a" + &"]".repeat(n / 2)
    }),
    ("lists, nested", |n| {
        numbered(n, |i| format!("{}* a\n", "  ".repeat(i % 100)))
    }),
    ("wide table", |n| {
        format!("|{}\n|{}\n", "x|".repeat(n / 4), "-|".repeat(n / 4))
    }),
    ("table of short rows", |n| {
        format!(
            "|{}\n|{}\n{}",
            "x|".repeat(60),
            "-|".repeat(60),
            "|\n".repeat(n / 2)
        )
    }),
    ("table", |n| {
        format!("| a | b |\n|---|---|\n{}", "| c | d |\n".repeat(n / 10))
    }),
    ("a long row", |n| {
        format!("| a | b |\n|---|---|\n| {}", "word ".repeat(n / 5))
    }),
    ("definitions", |n| {
        numbered(n, |i| format!("[a{i}]: /url{i}\n"))
    }),
    ("definitions that differ in case", |n| {
        numbered(n, |i| {
            format!("[{}{}]: /u\n", ["ß", "ss", "SS", "ẞ", "ſs"][i % 5], i / 5)
        })
    }),
    ("references, then definitions", |n| {
        numbered(n / 2, |i| format!("[a{i}] "))
            + "\n\n"
            + &numbered(n / 2, |i| format!("[a{i}]: /u\n\n"))
    }),
    ("paragraphs of references, then definitions", |n| {
        numbered(n / 2, |i| format!("[a{i}]\n\n"))
            + &numbered(n / 2, |i| format!("[a{i}]: /u\n\nx\n\n"))
    }),
    ("one definition of many", |n| {
        "[a]\n\n".repeat(n / 5) + "[a]: /u\n"
    }),
    ("a long definition of many", |n| {
        format!("[a]: /{}\n\n{}", "x".repeat(n / 2), "[a]".repeat(n / 6))
    }),
    ("code with hidden characters", |n| {
        format!("```\n{}", "a\u{202e}\n".repeat(n / 5))
    }),
    ("half a fence", |n| format!("```\na\n{}", "`".repeat(n))),
    ("a fence in a list", |n| {
        format!("- a\n\n  ```\n{}", "  let a = 1;\n".repeat(n / 13))
    }),
    ("headings in a formula", |n| {
        format!("$\n{}", "# a\n".repeat(n / 4))
    }),
    ("one item of many paragraphs", |n| {
        format!("- a\n\n{}", "  word word\n\n".repeat(n / 13))
    }),
    ("emphasis that stays open", |n| {
        format!("a *b {}", "Some plain words, and more. ".repeat(n / 28))
    }),
    ("footnotes", |n| {
        numbered(n / 2, |i| format!("a[^{i}] "))
            + "\n\n"
            + &numbered(n / 2, |i| format!("[^{i}]: a\n"))
    }),
    ("an open comment", |n| {
        format!("<!--\n{}", "a *b*\n\n".repeat(n / 7))
    }),
];

fn numbered(length: usize, one: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    let mut number = 1;
    while text.len() < length {
        text.push_str(&one(number));
        number += 1;
    }
    text
}

/// All inputs, of about that many bytes.
fn inputs(length: usize) -> Vec<(String, String)> {
    let units = UNITS.iter();
    let units = units.map(|unit| (format!("{unit:?}"), unit.repeat(length / unit.len() + 1)));
    let others = OTHERS.iter();
    units
        .chain(others.map(|(name, text)| ((*name).to_owned(), text(length))))
        .collect()
}

fn nodes(nodes: &[Node]) -> usize {
    let of = |node: &Node| match node {
        Node::Element(_, children) => 1 + nodes_of(children),
        _ => 1,
    };
    nodes.iter().map(of).sum()
}

fn nodes_of(children: &[Node]) -> usize {
    nodes(children)
}

fn all_nodes(document: &Document) -> usize {
    let blocks = document.blocks().iter();
    blocks
        .map(|block| nodes(std::slice::from_ref(&block.node)))
        .sum()
}

/// The steps for a text parsed at once.
fn steps(text: &str) -> usize {
    work::take();
    let document = whole(text);
    assert!(document.parsed_bytes() <= 3 * text.len() + 100);
    work::take()
}

/// The steps for a text in pieces of 200 bytes; the result must be the same.
fn in_pieces(name: &str, text: &str) -> usize {
    work::take();
    let mut document = Document::without_budget();
    let mut pieces = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, more) = rest.split_at(rest.floor_char_boundary(200));
        rest = more;
        pieces += 1;
        document.append(piece);
    }
    // A parse that was started within the budget is completed, which adds twice the text at most.
    let parsed = document.parsed_bytes();
    let most = Document::most(text.len(), pieces) + 2 * text.len();
    assert!(parsed <= most, "{name}: {parsed} bytes parsed of {most}");
    document.finish();
    let steps = work::take();
    assert!(
        document.blocks() == whole(text).blocks(),
        "{name}: other blocks in pieces"
    );
    steps
}

#[test]
fn steps_grow_with_the_text() {
    for ((name, short), (_, long)) in inputs(4000).into_iter().zip(inputs(16_000)) {
        for (what, change) in [("", "\n"), (" with CRLF", "\r\n"), (" with tabs", "\t\n")] {
            if change != "\n" && !short.contains('\n') {
                continue;
            }
            let [short, long] = [&short, &long].map(|text| text.replace('\n', change));
            let [few, many] = [&short, &long].map(|text| steps(text));
            assert!(
                many <= 5 * few + 50_000,
                "{name}{what}: {few} steps, of four times as much {many}"
            );
        }
    }
}

#[test]
fn in_small_pieces_too() {
    // Every third input, because the test is slow.
    let every = |all: Vec<_>| all.into_iter().step_by(3);
    for ((name, short), (_, long)) in every(inputs(5000)).zip(every(inputs(20_000))) {
        let [few, many] = [&short, &long].map(|text| in_pieces(&name, text));
        assert!(
            many <= 6 * few + 400_000,
            "{name}: {few} steps, of four times as much {many}"
        );
    }
}

/// The size of the page: as many signs as allowed, two nodes for each, and the text between.
#[test]
#[ignore = "takes minutes without optimisation"]
fn a_megabyte_of_each_is_bounded() {
    for (name, text) in inputs(1_000_000) {
        let document = whole(&text);
        let count = all_nodes(&document);
        assert!(count <= 2 * MAX_SIGNS + 4000, "{name}: {count} nodes");
        in_pieces(&name, &text);
    }
}

#[test]
fn so_many_nodes_and_no_more() {
    for unit in [
        "#\n",
        "word\n\n",
        "- a\n",
        "- a\n\n",
        "-\n",
        "\r -\u{b}",
        "- a\r\n",
        "*a*\n\n",
        "|a|\n|-|\n|b|\n\n",
        "> a\n>\n",
        "<b>\n\n",
    ] {
        let text = unit.repeat(500_000 / unit.len());
        let document = whole(&text);
        let count = all_nodes(&document);
        assert!(count <= 2 * MAX_SIGNS + 100, "{unit:?}: {count} nodes");
    }
}

/// A carriage return ends a line too: a list of 250,000 items took a browser 20 s.
#[test]
fn lines_count_whatever_ends_them() {
    let places = ["\n", "\r", "\r\n"].map(|end| {
        let text = format!("- a{end}").repeat(20_000);
        let document = whole(&text);
        let note = document
            .blocks()
            .iter()
            .find(|block| matches!(*block.node, Node::Note(_)));
        note.expect("a note").start.div_ceil(3 + end.len())
    });
    assert_eq!(places, [places[0]; 3]);
}

/// A paragraph is laid out as a whole.
#[test]
fn what_has_no_blank_line_ends_and_code_does_not() {
    let ends = |text: &str| {
        let document = whole(text);
        let is_note = |block: &Block| matches!(*block.node, Node::Note(_));
        document.blocks().iter().any(is_note)
    };
    assert!(ends(&"word ".repeat(50_000)));
    assert!(ends(&"word word word word\n".repeat(12_000)));
    assert!(!ends(&format!("{}\n\n", "word ".repeat(30_000)).repeat(4)));
    assert!(!ends(&format!(
        "```\n{}```\n",
        "let a = b;\n".repeat(40_000)
    )));
    assert!(!ends(&format!(
        "```\n{}\n```\n",
        "let a = b;".repeat(40_000)
    )));
}
