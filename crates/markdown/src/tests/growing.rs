//! A token in a long paragraph, table or list costs only the new text, and the result is the same as if all
//! came at once.

use super::super::{Document, MAX_ROWS};
use super::streaming::{every, stream};
use super::{one, whole};
use std::fmt::Write as _;

/// A table with everything that a cell can hold.
fn table(rows: usize) -> String {
    let mut text = "Here:\n\n| name | *n* | [note](https://a.b) |\n|---|--:|:-:|\n".to_owned();
    for n in 0..rows {
        let _ = match n % 11 {
            0 => writeln!(text, "| row {n} | `a \\| b` | **bold** and *half |"),
            1 => writeln!(
                text,
                "| [link](https://example.com/{n}) | a \\| b | https://c.d/{n} |"
            ),
            2 => writeln!(text, "| too few |"),
            3 => writeln!(text, "| too | many | of | {n} |"),
            4 => writeln!(text, "| [known] and [later] | [text][known] | <br> x |\r"),
            5 => writeln!(text, "| \u{202e}hidden\u{202c} | é 日本 | ~~no~~ `|` |"),
            6 => writeln!(text, "| $x_{n}$ | \\(a*b*c\\) | $5 and $10 |"),
            7 => writeln!(text, "| | | |"),
            8 => writeln!(text, "|a|b|c"),
            9 => writeln!(text, "| --- | :-: | ![image](https://e.f/{n}.png) |"),
            _ => writeln!(text, "| <b>raw</b> | &amp; | a_b_c \\* |"),
        };
    }
    text
}

/// A list with everything that an item can hold.
fn list(items: usize, loose: bool, ordered: bool) -> String {
    let mut text = String::new();
    let between = if loose { "\n\n" } else { "\n" };
    for n in 0..items {
        let (mark, pad) = match ordered {
            true => (
                format!("{}. ", n + 3),
                " ".repeat((n + 3).to_string().len() + 2),
            ),
            false => ("- ".to_owned(), "  ".to_owned()),
        };
        text.push_str(&mark);
        let _ = match n % 8 {
            0 => write!(text, "item **{n}** and `code"),
            1 => write!(
                text,
                "with\n{pad}- nested *{n}*\n{pad}- [ ] two\n{pad}  1. deep"
            ),
            2 => write!(
                text,
                "code:\n{pad}```rust\n{pad}let a;\n\n{pad}- {n}\n{pad}```"
            ),
            3 => write!(text, "[known] [later] https://c.d/{n}"),
            4 => write!(text, "lazy\nline $x_{n}$"),
            5 => write!(text, "**Bold**: [half](https://a"),
            6 => write!(text, "> quote {n}\r"),
            _ => write!(text, "\u{202e}é日本 ~~no~~"),
        };
        text.push_str(between);
    }
    text
}

#[test]
fn tables_and_lists_letter_by_letter() {
    let known = "[known]: https://known.example\n\nText.\n\n";
    let later = "\nAfter.\n\n[later]: https://later.example\n\nEnd.\n";
    let mut all = vec![table(40), table(12).replace("Here:\n\n", "Here:\n")];
    for ordered in [false, true] {
        for loose in [false, true] {
            all.push(list(24, loose, ordered));
            all.push(format!("Steps:\n{}", list(24, loose, ordered)));
        }
        // Tight until the end, then loose.
        all.push(list(20, false, ordered) + "\n" + &list(10, true, ordered));
    }
    for text in all {
        let text = format!("{known}{text}{later}");
        stream(&text, every(&text));
        stream(&text, every(&text).step_by(37));
    }
}

/// The cost in pieces of 16 characters: parsed bytes per byte.
fn cost(text: &str) -> f64 {
    let mut document = Document::new();
    let letters: Vec<char> = text.chars().collect();
    for piece in letters.chunks(16) {
        document.append(&piece.iter().collect::<String>());
    }
    let streamed = document.parsed_bytes();
    document.finish();
    let blocks = |document: &Document| -> Vec<String> {
        document
            .blocks()
            .iter()
            .map(|block| one(&block.node))
            .collect()
    };
    assert_eq!(blocks(&document), blocks(&whole(text)));
    streamed as f64 / text.len() as f64
}

#[test]
fn what_is_finished_of_a_table_or_a_list_is_not_parsed_again() {
    for (what, text) in [
        (
            "table",
            table(MAX_ROWS) + "\nThat is all, and more of it.\n",
        ),
        ("list", list(2000, false, false)),
        ("loose list", list(2000, true, false)),
        (
            "ordered list",
            list(2000, false, true) + "\nThat is all, and more of it.\n",
        ),
        ("loose ordered list", list(2000, true, true)),
        (
            "list after a line",
            format!("Steps:\n{}", list(2000, false, false)),
        ),
    ] {
        let cost = cost(&text);
        println!(
            "{what} of {} bytes: {cost:.1} bytes parsed for each",
            text.len()
        );
        assert!(cost < 40.0, "{what}: {cost}");
    }
}

/// Plain words, in many lines or in one, with all characters that plain words may contain.
fn words(letters: usize, line: usize) -> String {
    let some = "Once (in 1843) there was, so to say, a wave; it ran: far! Was 3 + 4 = 7? \"Yes\", 日本 é — end.";
    let mut text = "Begin".to_owned();
    let mut since = 0;
    for word in some.split(' ').cycle() {
        if text.len() > letters {
            break;
        }
        let letter = word.starts_with(char::is_alphabetic);
        let between = match since {
            n if n > line && letter => "\n",
            n if n % 5 == 4 => "  ",
            _ => " ",
        };
        since = if between == "\n" { 0 } else { since + 1 };
        text.push_str(between);
        text.push_str(word);
    }
    text
}

#[test]
fn paragraphs_letter_by_letter() {
    for line in [7, usize::MAX] {
        let text = words(900, line);
        for end in [
            "\n\nAfter.\n",
            " *and* more `of it`.\n\nAfter.",
            "\n---\n",
            "\n2. two\n- one\n",
            " www.example.com/a b@c.example https://d.e and &amp; so\n",
            " $x$ [known] [text][later]\n\n[later]: /to\n",
            "  \nbroken, and \\\nso\n",
        ] {
            let text = format!("[known]: /known\n\n*Now* {text}{end}");
            stream(&text, every(&text));
            stream(&text, every(&text).step_by(23));
        }
    }
}

#[test]
fn words_of_a_long_paragraph_are_not_parsed_again() {
    // A colon may begin an address, and then the whole paragraph is parsed.
    for line in [12, usize::MAX] {
        let text = words(200_000, line).replace(':', ";");
        let cost = cost(&text);
        println!("in lines of {line}: {cost:.1} bytes parsed for each");
        assert!(cost < 3.0, "{line}: {cost}");
    }
}

#[test]
fn long_code_is_not_parsed_again_at_the_end() {
    let code = "    let line = 1; // of *code*\n".repeat(5000);
    for end in ["", "```", "```\n"] {
        let text = format!("Here:\n\n```rust\n{code}{end}");
        let mut document = Document::new();
        for piece in text.as_bytes().chunks(64) {
            document.append(std::str::from_utf8(piece).unwrap());
        }
        document.finish();
        assert_eq!(document.blocks(), whole(&text).blocks());
        let parsed = document.parsed_bytes();
        assert!(parsed < text.len() + 1000, "{end:?}: {parsed}");
    }
}
