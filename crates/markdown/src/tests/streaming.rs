//! However the text is split, the final blocks equal those of the whole text, and frozen blocks stay the
//! same.

use super::super::{Block, Document};
use super::{Example, answers, corpus, one, whole};
use proptest::prelude::*;
use std::sync::Arc;

const ANSWERS: [&str; 9] = [
    "# Sorting\n\nThere are *three* ways:\n\n1. First, `sort`:\n\n   ```rust\n   let mut a = vec![3, 1];\n\n   a.sort();\n   ```\n\n2. Then\n   - nested\n   - [x] done\n\n     loose now\n3. last\n\nAfter the list.\n\n2. another\n\n> quote\nlazy\n\n> other\n\nEnd **bold** https://example.com/a_b.\n",
    "Setext\n======\n\ntext\n---\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | `|` |\n\nafter\n\n    code\n\n    more\n\ntail\n***\nx\n",
    "<div>\n\n*a*\n\n</div>\n\n<!-- a\n\nb --> c\n\n<pre>\n\nx</pre>\n\ninline <b>x</b> <!-- y --> z\n\n```\nopen\n\n- never closed\n",
    "See [one][a] and [two].\n\nMore [a].\n\n[two]: https://two.example 'a\ntitle'\n\nlist:\n- [a]\n\n[a]: https://a.example\n[A]: https://other.example\n\nlast [two][]\n",
    "- a\n\n- b\n\n\n- c\n-\n\n  d\n\n* other\n\n  - deep\n\n        code\n\n10) ten\n\n11) eleven\n\n    in it\n\nout\n",
    "Prices are $5 and $10.\n\nThe root $x_1 * y_1$ of \\(a*b*c\\):\n\n$$\nx_1 = \\frac{-b}{2a} \\\\\n- y\n$$\n\n1. one\n   \\[\n   a & b\n   \\]\n\n   more $z$\n2. two\n\n> $$\n> x > 0\n> $$\n\n| $|x|$ | $5 |\n|---|---|\n| \\(y\\) | $$z$$ |\n\n```math\nq^2\n```\n\nend $\n",
    "$$\nnever\n\nclosed *at* all\n\n\\[\n\n\\(a\n\n$$a$$\nb $$c\n\nd$$\n\n```\n$x\n\n\\[\n```\n\n`a $b` c$ d\n\n# $$e\nf$$\n\n- $g\n- h$\n\n\\\\[i\\\\]\n\n$$\nlast",
    "So\n\n\\begin{align*}\na_1 &= b * c \\\\\n# d &= *e*\n\\end{align*}\n\n1. one\n   \\begin{equation}\n   x > 0\n   \\end{equation}\n\n> \\begin{gather}\n> - y\n> \\end{gather}\n\n\\begin{align}\n# never\n\nclosed *at* all\n\n\\begin{align}\n***\n```\n\\end{align}\n```\n\nsee \\begin{align}\nx\n\\end{align}\n\n\\begin{multline}\nlast",
    "Ünïcode \u{202e}hidden\u{202c} 日本語\r\n\r\nwindows\r\n\r\n- lines\r\n- b\r\n\r\n```js\r\nx\r\n```\r\n\r\nend\r\n",
];

pub(super) fn shown(blocks: &[Block]) -> String {
    blocks.iter().map(|block| one(&block.node) + "\n").collect()
}

/// Streams `text` in pieces that end at `ends` and checks all invariants after each.
#[track_caller]
pub(super) fn stream<'a>(text: &str, ends: impl Iterator<Item = usize> + 'a) -> Document {
    let mut document = Document::new();
    let mut from = 0;
    for end in ends {
        let frozen = document.blocks()[..document.frozen()].to_vec();
        let waiting: Vec<bool> = (0..frozen.len())
            .map(|at| document.is_waiting(at))
            .collect();
        document.append(&text[from..end]);
        from = end;
        for ((was, is), waiting) in frozen.iter().zip(document.blocks()).zip(waiting) {
            let same = Arc::ptr_eq(&was.node, &is.node) && was.start == is.start;
            assert!(same || waiting, "a frozen block changed in {text:?}");
        }
        if let Some(anew) = document.reparsed() {
            let (grown, anew) = (shown(document.blocks()), shown(anew.blocks()));
            assert_eq!(grown, anew, "{end} of {text:?}");
        }
    }
    document.append(&text[from..]);
    document.finish();
    let expected = whole(text);
    let expected = expected.blocks();
    assert_eq!(shown(document.blocks()), shown(expected), "{text:?}");
    assert_eq!(document.blocks(), expected, "{text:?}");
    document
}

pub(super) fn every(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.char_indices().map(|(at, _)| at)
}

/// The blocks of a single parse without freezing.
pub(super) fn unfrozen(text: &str) -> String {
    let references = Default::default();
    let before = super::super::model::ParseContext {
        links: 0,
        references: &references,
        end: super::super::model::TextEnd::Ended,
        own: usize::MAX,
    };
    let parsed = super::super::parse::parse(text, &before);
    parsed
        .blocks
        .iter()
        .map(|block| one(&block.node) + "\n")
        .collect()
}

#[test]
fn a_backtick_behind_a_fence_makes_it_text_however_it_comes() {
    // While the formula is open it masks the backtick, and the line looks like a fence.
    let text = "```\t\\(`|-|-|\n        [a]  \n\n";
    stream(text, (6..text.len()).step_by(6));
    stream(text, every(text));
}

#[test]
fn a_formula_in_the_first_item_is_open_whatever_was_frozen_before_its_list() {
    // A list remembered whether it was the first block of a text whose beginning was frozen just then.
    let text = "<div>\n\n* ~~\n    \\begin{gather*}\n\n";
    stream(text, every(text));
}

#[test]
fn a_paragraph_that_is_frozen_as_soon_as_it_is_read_does_not_grow() {
    let text = "&amp;```math\n\u{feff}\n\n\n\n";
    stream(text, every(text));
}

#[test]
fn answers_letter_by_letter() {
    for text in ANSWERS {
        let document = stream(text, every(text));
        assert_eq!(shown(document.blocks()), unfrozen(text));
    }
    let all = ANSWERS.join("\n\n");
    assert_eq!(shown(stream(&all, every(&all)).blocks()), unfrozen(&all));
}

#[test]
fn answers_cut_once_at_every_place() {
    for text in ANSWERS {
        for end in every(text) {
            stream(text, [end].into_iter());
            // The blocks that are shown when a stream ends there.
            stream(
                &text[..end],
                [end / 2]
                    .into_iter()
                    .filter(|at| text.is_char_boundary(*at)),
            );
        }
    }
}

#[test]
fn examples_of_the_specifications() {
    for name in ["commonmark-spec.txt", "gfm-spec.txt"] {
        let examples = corpus(name);
        for (index, Example { source: text, .. }) in examples.iter().enumerate() {
            stream(text, every(text));
            if index % 5 > 0 && std::env::var_os("SASH_TESTS").is_none_or(|all| all != "all") {
                continue;
            }
            // One example may leave markup open that the next one closes.
            let after = &examples[(index * 7 + 1) % examples.len()].source;
            for between in ["", "\n"] {
                let both = format!("{text}{between}{after}");
                assert_eq!(shown(stream(&both, every(&both)).blocks()), unfrozen(&both));
            }
        }
        println!(
            "{name}: {} examples streamed, alone and in pairs (every fifth without `cargo xtask test --all`)",
            examples.len()
        );
    }
}

#[test]
fn unfinished_markup_looks_finished() {
    let now = |text: &str| {
        let mut document = Document::new();
        document.append(text);
        shown(document.blocks())
    };
    assert_eq!(now("```rust\nlet a"), "(pre \"rust\" \"let a\")\n");
    assert_eq!(now("a **b"), "(p \"a \" (strong \"b\"))\n");
    assert_eq!(now("a [b](https://c.d"), "(p \"a b\")\n");
    assert_eq!(now("a https://c.d"), "(p \"a https://c.d\")\n");
    assert_eq!(
        now("a https://c.d "),
        "(p \"a \" (a https://c.d \"https://c.d\"))\n"
    );
    assert_eq!(now("Here:\n-"), "(p \"Here:\")\n");
    assert_eq!(now("a **b\n\nc"), "(p \"a **b\")\n(p \"c\")\n");
}

#[test]
fn a_definition_serves_the_blocks_after_it_at_once() {
    let mut document = Document::new();
    document.append("[a]: https://b.c\n\none\n\ntwo\n\nthree\n");
    assert_eq!(document.frozen(), 2);
    document.append("\nfour [A] and");
    assert_eq!(document.frozen(), 3);
    assert!(shown(document.blocks()).contains("(a https://b.c \"A\")"));
}

#[test]
fn a_block_waits_for_its_definition_and_for_nothing_else() {
    let mut document = Document::new();
    for text in [
        "one [a]\n\n",
        "two\n\n",
        "[b]: https://b.b\n\nthree [b]\n\n",
    ] {
        document.append(text);
    }
    assert_eq!(document.frozen(), 3);
    let waiting =
        |document: &Document| (0..3).map(|at| document.is_waiting(at)).collect::<Vec<_>>();
    assert_eq!(waiting(&document), [true, false, false]);
    let before = document.blocks().to_vec();
    document.append("[a]: https://a.a\n[b]: https://other\n\nfour [b]\n\n");
    let same = |at: usize| Arc::ptr_eq(&before[at].node, &document.blocks()[at].node);
    assert_eq!([same(0), same(1), same(2)], [false, true, true]);
    let now = shown(document.blocks());
    assert!(
        now.starts_with("(p \"one \" (a https://a.a \"a\"))"),
        "{now}"
    );
    assert!(
        now.ends_with("(p \"four \" (a https://b.b \"b\"))\n"),
        "{now}"
    );
}

#[test]
fn a_formula_ends_with_its_item_where_a_definition_follows() {
    for text in [
        "a\n+    ```math\n\n[^y]: n\n",
        "- ```math\n  x\n\n[y]: /n\n\nend",
    ] {
        for step in [1, 2, 5, 100] {
            let document = stream(text, every(text).step_by(step));
            assert_eq!(shown(document.blocks()), unfrozen(text));
        }
    }
}

/// Regression: many models write a space after the fence; when it arrived alone, everything after it was
/// code.
#[test]
fn a_fence_closes_with_white_space_behind_it_in_whatever_pieces() {
    for end in ["``` ", "```\t", "``` \t ", "````  "] {
        for begin in ["", "- a\n\n"] {
            let text = format!("{begin}```rust\nlet a;\n{end}\n\nAfter *it*.\n\nEnd.");
            for step in 1..6 {
                stream(&text, every(&text).step_by(step));
            }
            let mut document = Document::new();
            for piece in [
                "```rust\nlet a;\n",
                "```",
                end.trim_start_matches('`'),
                "\n",
                "\n*b*",
            ] {
                document.append(piece);
            }
            let now = shown(document.blocks());
            assert_eq!(
                now, "(pre \"rust\" \"let a;\\n\")\n(p (em \"b\"))\n",
                "{end:?}"
            );
        }
    }
}

#[test]
fn long_answers_cut_once_at_every_place() {
    for (name, text) in answers() {
        let document = stream(&text, every(&text));
        assert_eq!(shown(document.blocks()), unfrozen(&text), "{name}");
        let expected = whole(&text);
        for end in every(&text) {
            let mut document = Document::new();
            document.append(&text[..end]);
            document.append(&text[end..]);
            document.finish();
            assert_eq!(document.blocks(), expected.blocks(), "{name} cut at {end}");
        }
        let frozen = expected.blocks().len();
        println!("{name}: {} cuts, {frozen} blocks", text.chars().count());
    }
}

/// The cost of streaming: parsed bytes per byte of the answer, in pieces of 12 bytes.
#[test]
fn only_the_tail_is_parsed() {
    let answer = ANSWERS[..2].concat().repeat(40);
    let document = stream(
        &answer,
        (0..answer.len())
            .step_by(12)
            .filter(|at| answer.is_char_boundary(*at)),
    );
    let cost = document.parsed_bytes() as f64 / answer.len() as f64;
    let all = answer.len() as f64 / 24.0;
    println!(
        "{} bytes, {cost:.1} bytes parsed for each (everything each time: {all:.1})",
        answer.len()
    );
    assert!(cost < 20.0, "{cost}");
}

fn fragments() -> impl Strategy<Value = String> {
    let fragment = prop::sample::select(vec![
        "- ",
        "1. ",
        "2",
        ".",
        ")",
        "\n",
        "\n",
        "\n\n",
        "\n\n",
        "    ",
        "\t",
        "  ",
        " ",
        "> ",
        "```",
        "~~~",
        "<div>",
        "</div>",
        "<!--",
        "-->",
        "<pre>",
        "</pre>",
        "<?",
        "?>",
        "<x",
        "|a|b|\n|-|-|\n",
        "|",
        "[x]: /u",
        "[x]",
        "'",
        "\"",
        "(",
        "===",
        "---",
        "-",
        "#",
        "# ",
        "word",
        "$",
        "$",
        "$$",
        "$$\n",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "\\\\",
        "_",
        "```math\n",
        "\\begin{align}\n",
        "\\begin{gather*}",
        "\\end{align}",
        "\\end{gather*}\n",
        "\u{1}",
        "\u{18}",
        "*",
        "**",
        "`",
        "\r\n",
        "\r",
        "\\",
        "+",
        "* ",
        "10) ",
        "- [ ] ",
        "é",
        "https://a.b",
        "[y]: https://c.d\n",
        "[y]",
        "[^x]",
        "[^x]: ",
        "\n[^y]: n\n",
        "[^y] ",
        "![",
        "](",
        "~~",
        "<br>",
        "&amp;",
        "\u{202e}",
        "\0",
        "\u{feff}",
        ":",
        "\u{a0}",
        "\x0b",
        "\x0c",
    ]);
    prop::collection::vec(fragment, 1..40).prop_map(|all| all.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_fragments_letter_by_letter(text in fragments()) {
        let document = stream(&text, every(&text));
        prop_assert_eq!(shown(document.blocks()), unfrozen(&text));
    }

    #[test]
    fn any_text(text in any::<String>()) {
        stream(&text, every(&text));
    }
}
