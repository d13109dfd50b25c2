//! Lists that a model writes as HTML into a table's cell.

use super::show;
use super::streaming::{every, stream};

fn cell(text: &str) -> String {
    let table = format!("|a|b|\n|-|-|\n|{text}|x|");
    stream(&table, every(&table));
    let shown = show(&table);
    let (_, body) = shown.rsplit_once("(tr (td").expect("a row");
    let (cell, _) = body.rsplit_once(" (td \"x\")").expect("two cells");
    cell.trim_end_matches(')').trim().to_owned()
}

/// Regression: the tags were shown as text.
#[test]
fn the_items_of_a_list_are_lines() {
    for (text, expected) in [
        ("<ul><li>one</li><li>two</li></ul>", r#""one" br "two""#),
        (
            "see:<ul><li>one</li><li>two</li></ul>end",
            r#""see:" br "one" br "two" br "end""#,
        ),
        (
            "<ol> <li> one </li> <li>two</li> </ol>",
            r#"" one " br "two""#,
        ),
        ("<UL><LI>one<LI>two</UL>", r#""one" br "two""#),
        (
            "<ul class=\"x\"><li value='2'>**one**</li><li>`two`</li></ul>",
            r#"(strong "one") br (code "two""#,
        ),
        (
            "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>",
            r#""a" br "b" br "c""#,
        ),
        ("a<br><ul><li>b</li></ul><br>c", r#""a" br "b" br "c""#),
        ("<ul><li>a</li></ul><ul><li>b</li></ul>", r#""a" br "b""#),
    ] {
        assert_eq!(cell(text), expected, "{text}");
    }
}

#[test]
fn other_tags_stay_text() {
    for (text, expected) in [
        ("<li>one</li>", r#""<li>one</li>""#),
        ("the <ul> element", r#""the <ul> element""#),
        ("`<ul><li>`", r#"(code "<ul><li>""#),
        ("<ul><b>x</b></ul>", r#""<ul><b>x</b></ul>""#),
        ("<link><list>", r#""<link><list>""#),
    ] {
        assert_eq!(cell(text), expected, "{text}");
    }
    let outside = "a <ul><li>b</li></ul> c";
    assert_eq!(show(outside), r#"(p "a <ul><li>b</li></ul> c")"#);
}
