use super::show;

#[track_caller]
fn gives(text: &str, expected: &str) {
    assert_eq!(show(text), expected, "\n{text}");
}

#[test]
fn blocks() {
    gives(
        "# A\n\nb *c* **d** ~~e~~ `f`",
        r#"(h1 "A") (p "b " (em "c") " " (strong "d") " " (del "e") " " (code "f"))"#,
    );
    gives(
        "a\n===\n\n---\n\n> b\nc",
        r#"(h1 "a") hr (quote (p "b\nc"))"#,
    );
    gives(
        "- a\n- b\n  1. c",
        r#"(ul (li "a") (li "b" (ol 1 (li "c"))))"#,
    );
    gives("3. a\n\n4. b", r#"(ol 3 (li (p "a")) (li (p "b")))"#);
    gives("- [x] a\n- [ ] b", r#"(ul (li [x] "a") (li [ ] "b"))"#);
    gives(
        "```rust ignore\nlet a;\n\nb\n```",
        r#"(pre "rust" "let a;\n\nb\n")"#,
    );
    gives("    a\n    b", r#"(pre "" "a\nb")"#);
    gives("a  \nb\\\nc", r#"(p "a" br "b" br "c")"#);
    gives("", "");
}

#[test]
fn tables() {
    gives(
        "| a | b |\n|:--|--:|\n| 1 | x<br>y |\n| 2 |",
        r#"(table (tr (th left "a") (th right "b")) (tr (td left "1") (td right "x" br "y")) (tr (td left "2") (td right)))"#,
    );
}

#[test]
fn raw_html_is_text() {
    gives(
        "<div onclick=x>\n<b>a</b>\n</div>",
        r#"(raw "<div onclick=x>\n<b>a</b>\n</div>")"#,
    );
    gives("a <b>c</b> <br>", r#"(p "a <b>c</b> <br>")"#);
    gives(
        "<script>alert(1)</script>",
        r#"(raw "<script>alert(1)</script>")"#,
    );
}

#[test]
fn links() {
    gives("[a](https://b.c/d \"t\")", r#"(p (a https://b.c/d "a"))"#);
    gives(
        "<https://b.c> <a@b.c>",
        r#"(p (a https://b.c "https://b.c") " " (a mailto:a@b.c "a@b.c"))"#,
    );
    gives(
        "see https://b.c/d_e_f.",
        r#"(p "see " (a https://b.c/d_e_f "https://b.c/d_e_f") ".")"#,
    );
    gives(
        "[https://x.y](https://b.c)",
        r#"(p (a https://b.c "https://x.y"))"#,
    );
    gives(
        "`https://x.y` [r]\n\n[r]: https://b.c",
        r#"(p (code "https://x.y") " " (a https://b.c "r"))"#,
    );
    gives(
        "[a](/b) [c](./d)",
        r#"(p (not-a "/b" "a") " " (not-a "./d" "c"))"#,
    );
    gives(
        "**https://a.b**",
        r#"(p (strong (a https://a.b "https://a.b")))"#,
    );
}

#[test]
fn images_are_chips() {
    gives("![a *b*](https://c.d/e.png)", r#"(p (img "a b" c.d))"#);
    gives(
        "![a](data:image/png;base64,x) ![](/x)",
        r#"(p (img "a" -) " " (img "" -))"#,
    );
    gives(
        "[![a](https://b.c/d)](https://e.f)",
        r#"(p (a https://e.f (img "a" -)))"#,
    );
}

#[test]
fn hidden_characters_are_marks() {
    gives(
        "a\u{202e}b",
        r#"(p "a" <U+202E right-to-left override> "b")"#,
    );
    gives(
        "`a\u{2066}`",
        r#"(p (code "a" <U+2066 left-to-right isolate>))"#,
    );
    gives(
        "```\n\u{e0041}\u{e0042}\n```",
        r#"(pre "" <hidden text: AB> "\n")"#,
    );
    gives(
        "![\u{202e}](x)",
        r#"(p (img "U+202E right-to-left override" -))"#,
    );
    gives("```a\u{202e}b\n```", r#"(pre "")"#);
    assert_eq!(show("a\u{200d}"), format!("(p {:?})", "a\u{200d}"));
}
