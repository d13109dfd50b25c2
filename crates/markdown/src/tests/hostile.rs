use super::super::node::plain;
use super::super::{
    Document, MAX_BYTES, MAX_CELLS, MAX_COLUMNS, MAX_DEPTH, MAX_LINKS, MAX_PIECES, MAX_ROWS, Node,
    RendererNote, Tag,
};
use super::{show, whole};

fn nodes(document: &Document) -> Vec<Node> {
    let blocks = document.blocks().iter();
    blocks.map(|block| (*block.node).clone()).collect()
}

/// The number of nodes and their depth.
fn measure(nodes: &[Node]) -> (usize, usize) {
    nodes.iter().fold((0, 0), |(count, depth), node| {
        let (inner, below) = match node {
            Node::Element(_, children) => measure(children),
            _ => (0, 0),
        };
        (count + 1 + inner, depth.max(below + 1))
    })
}

/// The position of the note that the rest is plain text.
fn note(nodes: &[Node]) -> Option<usize> {
    let is_note = |node: &Node| matches!(node, Node::Note(RendererNote::TooLong { .. }));
    nodes.iter().position(is_note)
}

/// Regression: eighty-eight kilobytes of hidden characters became fifty thousand elements.
#[test]
fn runs_of_hidden_characters_are_one_mark_and_marks_are_counted() {
    let marks = |text: &str| {
        fn count(nodes: &[Node]) -> usize {
            let of = |node: &Node| match node {
                Node::Hidden(_) => 1,
                Node::Element(_, children) => count(children),
                _ => 0,
            };
            nodes.iter().map(of).sum()
        }
        let nodes = nodes(&whole(text));
        (count(&nodes), plain(&nodes))
    };
    let run = "\u{202e}\u{e0048}\u{e0069}\u{2066}".repeat(100);
    assert_eq!(marks(&format!("a{run}b")).0, 1);
    for wrap in ["", "`", "**", "# ", "| ", "- ", "```\n", "[a](b) "] {
        let unit = "a\u{202e}";
        let (count, text) = marks(&format!("{wrap}{}", unit.repeat(50_000)));
        assert_eq!(count, MAX_LINKS, "{wrap:?}");
        // Hidden characters beyond the limit become codes and stay joined to the text between them.
        assert!(!text.contains('\u{202e}'), "{wrap:?}");
        let all = text.matches("U+202E").count();
        assert!(all == 50_000, "{wrap:?}: {all}");
    }
    let blocks = marks(&"a\u{202e}\n\n".repeat(5_000));
    assert_eq!(blocks.0, MAX_LINKS);
    assert!(!blocks.1.contains('\u{202e}'));
}

fn count(nodes: &[Node], wanted: fn(&Tag) -> bool) -> usize {
    let of = |node: &Node| match node {
        Node::Element(tag, children) => usize::from(wanted(tag)) + count(children, wanted),
        _ => 0,
    };
    nodes.iter().map(of).sum()
}

#[test]
fn no_other_scheme_becomes_a_link() {
    for address in [
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "&#106;avascript:alert(1)",
        "javascript&colon;alert(1)",
        "java&Tab;script:alert(1)",
        "&#1;javascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///a",
        "//evil.com",
        "\\\\evil.com",
        "https:evil.com",
        "https://a@evil.com",
        "/a",
        "javascript://%0aalert(1)",
        "blob:https://a.b/c",
        "%6aavascript:alert(1)",
        "https&#58;//a&#64;b.c",
    ] {
        for text in [
            format!("[a]({address})"),
            format!("[a](<{address}>)"),
            format!("<{address}>"),
            format!("[a]\n\n[a]: {address}"),
            format!("![a]({address})"),
            format!("[![a]({address})]({address})"),
        ] {
            let shown = show(&text);
            assert!(!shown.contains("(a "), "{text} gave {shown}");
            assert!(
                !shown.contains("(img") || shown.contains("-)"),
                "{text} gave {shown}"
            );
        }
    }
}

#[test]
fn nesting_ends_at_the_cap_and_keeps_the_text() {
    let n = 100_000;
    for (open, close) in [
        (">", ""),
        ("- ", ""),
        ("*a ", " b*"),
        ("[", "](https://a.b)"),
        ("![", "](c)"),
        ("1. ", ""),
    ] {
        let n = if open == "- " || open == "1. " {
            2000
        } else {
            n
        };
        let document = whole(&format!("{}deep{}", open.repeat(n), close.repeat(n)));
        let nodes = nodes(&document);
        let (count, depth) = measure(&nodes);
        assert!(depth <= MAX_DEPTH + 1, "{open}: {depth}");
        assert!(count <= 8 * n, "{open}: {count}");
        assert!(plain(&nodes).contains("deep"), "{open}");
    }
}

#[test]
fn huge_tables_are_shown_as_written() {
    let row = |n: usize| format!("|{}\n", "a|".repeat(n));
    let table = |columns: usize, rows: usize| {
        row(columns) + &format!("|{}\n", "-|".repeat(columns)) + &row(columns).repeat(rows)
    };
    let tables = |text: &str| count(&nodes(&whole(text)), |tag| *tag == Tag::Table);
    assert_eq!(tables(&table(MAX_COLUMNS, 2)), 1);
    assert_eq!(tables(&table(2, MAX_ROWS)), 1);
    // A table of many columns ends with the last row that fits.
    let wide = nodes(&whole(&table(50, 800)));
    let [
        Node::Element(Tag::Table, rows),
        Node::Element(Tag::Raw, rest),
    ] = &wide[..]
    else {
        panic!("{} nodes", wide.len());
    };
    assert_eq!(rows.len(), MAX_CELLS / 50 + 1);
    assert_eq!(plain(rest), row(50).repeat(800 - MAX_CELLS / 50));
    for text in [table(MAX_COLUMNS + 1, 2), table(400, 100)] {
        let nodes = nodes(&whole(&text));
        assert!(matches!(&nodes[..], [Node::Element(Tag::Raw, _)]));
        assert_eq!(plain(&nodes).trim_end(), text.trim_end());
    }
    // A long table stays the table that it was while it arrived.
    let long = nodes(&whole(&table(2, MAX_ROWS + 3)));
    let [
        Node::Element(Tag::Table, rows),
        Node::Element(Tag::Raw, rest),
    ] = &long[..]
    else {
        panic!("{} nodes", long.len());
    };
    assert_eq!(rows.len(), MAX_ROWS + 1);
    assert_eq!(plain(rest), row(2).repeat(3));
    let quoted = nodes(&whole(&format!(
        "> {}",
        table(2, MAX_ROWS + 3).replace('\n', "\n> ")
    )));
    assert!(matches!(&quoted[..], [Node::Element(Tag::Quote, inner)] if inner.len() == 2));
}

#[test]
fn links_are_counted_over_the_whole_answer() {
    let text = "[a](https://b.c) https://d.e\n\n".repeat(MAX_LINKS);
    let mut streamed = Document::new();
    for piece in text.as_bytes().chunks(997) {
        streamed.append(std::str::from_utf8(piece).unwrap());
    }
    streamed.finish();
    assert_eq!(
        count(&nodes(&streamed), |tag| matches!(tag, Tag::Link(_))),
        MAX_LINKS
    );
    assert_eq!(streamed.blocks(), whole(&text).blocks());
}

#[test]
fn formulas_are_counted_over_the_whole_answer() {
    let text = "$x$ and $y$\n\n".repeat(MAX_LINKS);
    let document = whole(&text);
    let nodes = nodes(&document);
    let mut formulas = 0;
    for node in &nodes {
        let Node::Element(_, children) = node else {
            continue;
        };
        let of_them = |node: &&Node| matches!(node, Node::Formula { .. });
        formulas += children.iter().filter(of_them).count();
    }
    assert_eq!(formulas, MAX_LINKS);
    assert!(plain(&nodes).ends_with("$x$ and $y$"));
}

#[test]
fn beyond_a_mebibyte_is_plain_text() {
    let paragraph = format!("*a* ö {}\n\n", "and words, words, words ".repeat(10));
    let text = paragraph.repeat((MAX_BYTES + 32_000) / paragraph.len());
    let document = whole(&text);
    let nodes = nodes(&document);
    let note = note(&nodes).expect("a note");
    // The rest is in pieces, of which a browser lays out only the visible ones.
    assert_eq!(note, nodes.len() - 3);
    assert!(plain(&nodes[note..]).contains("*a*"));
    let Node::Note(RendererNote::TooLong { rest }) = &nodes[note] else {
        panic!("{:?}", nodes[note]);
    };
    assert_eq!(*rest, text.len() - document.blocks()[note].start);
    assert_eq!(count(&nodes, |tag| *tag == Tag::Rest), 2);
    let mut streamed = Document::new();
    for piece in text.split_inclusive("\n\n") {
        streamed.append(piece);
    }
    streamed.finish();
    assert_eq!(streamed.blocks(), document.blocks());
    assert!(MAX_BYTES - document.blocks()[note].start < 4);
    assert!(document.parsed_bytes() <= MAX_BYTES * 2);
    let letters = |text: &str| text.matches(['a', 'ö']).count();
    assert_eq!(letters(&plain(&nodes)), letters(&text));
}

/// Inputs known to be quadratic in some parser. Nodes and bytes are counted, not time. Regression: the text
/// added to complete emphasis followed the address, so every incomplete address became a link.
#[test]
fn half_an_address_is_no_link_within_emphasis_either() {
    for text in [
        "**see https://example.co",
        "*https://example.co",
        "~~a https://example.co",
        "**write to a@example.co",
    ] {
        let mut document = Document::new();
        document.append(text);
        let links = count(&nodes(&document), |tag| matches!(tag, Tag::Link(_)));
        assert_eq!(links, 0, "{text}");
        document.append("m now** or* so~~ ");
        let links = count(&nodes(&document), |tag| matches!(tag, Tag::Link(_)));
        assert_eq!(links, 1, "{text}");
    }
}

/// Regression: a browser took longer to make five thousand elements of one paragraph than to show all the
/// rest.
#[test]
fn a_paragraph_has_so_many_elements_and_all_its_text() {
    let any = |tag: &Tag| !matches!(tag, Tag::Paragraph);
    for (piece, text) in [
        ("`a` ", "a "),
        ("*a* ", "a "),
        ("**a** ", "a "),
        ("~~a~~ ", "a "),
        ("[a](https://b.c) ", "a "),
        ("**a *b* `c`** ", "a b c "),
    ] {
        let mut document = Document::new();
        document.append(&piece.repeat(5000));
        document.finish();
        let all = nodes(&document);
        let elements = count(&all, any);
        assert!(elements <= MAX_PIECES * 2, "{piece}: {elements}");
        assert!(elements >= MAX_PIECES / 2, "{piece}: {elements}");
        assert_eq!(plain(&all).trim_end(), text.repeat(5000).trim_end());
    }
    // The bound applies to each paragraph separately.
    let mut document = Document::new();
    document.append(&format!("{}\n\n", "`a` ".repeat(900)).repeat(3));
    document.finish();
    assert_eq!(count(&nodes(&document), any), 2700);
}

/// Regression: each of them was once read as often as there were blocks, or marks, before it.
#[test]
fn many_blocks_and_marks_cost_no_more_than_their_number() {
    for text in [
        format!("$\n{}", "# a\n".repeat(10_000)),
        format!("```\n{}", "a\u{202e}".repeat(12_500)),
    ] {
        let once = std::time::Instant::now();
        let mut document = Document::new();
        document.append(&text);
        document.append("x");
        document.finish();
        let took = once.elapsed();
        assert!(took.as_millis() < 2000, "{took:?}");
    }
}

#[test]
fn pathological_inputs_stay_small() {
    let n = 20_000;
    for unit in [
        "[",
        "![",
        "[a](",
        "[a][",
        "*a **a ",
        "*",
        "_a_",
        "`",
        "`a``",
        "<",
        "<!--",
        "<?",
        "<![CDATA[",
        "<a b='",
        "&",
        "\\",
        "|",
        "| a ",
        "> ",
        "a\n===\n",
        "[a]: b\n",
        "[a]\n",
        "***a* ",
        "~~a",
        "https://a.b ",
        "http://",
        "![[]()",
        "(",
        "\u{202e}",
        "\u{e0041}",
        "\0",
        "\r",
        "- \n",
        "1)\n",
        "\t",
        "a\u{301}",
        "- [ ] a\n",
        "```\n",
        "<div>\n",
    ] {
        let text = unit.repeat(n);
        let document = whole(&text);
        let (count, depth) = measure(&nodes(&document));
        assert!(count <= 4 * n + 4, "{unit:?}: {count} nodes");
        assert!(depth <= MAX_DEPTH + 1, "{unit:?}: depth {depth}");
        assert!(document.parsed_bytes() <= 3 * text.len(), "{unit:?}");
    }
}
