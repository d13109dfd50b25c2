//! Formulas in Markdown: what is a formula and what is not, and that neither language consumes the other's
//! characters.

use super::super::formula::mask;
use super::super::model::TextEnd;
use super::super::{Document, Node, tex};
use super::{one, show};

fn now(text: &str) -> String {
    let mut document = Document::new();
    document.append(text);
    let blocks = document.blocks().iter();
    blocks
        .map(|block| one(&block.node))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The formulas of a text, with their delimiters.
fn formulas(text: &str) -> Vec<String> {
    fn walk(node: &Node, out: &mut Vec<String>) {
        match node {
            Node::Formula { written, .. } => out.push(written.clone()),
            Node::Element(_, children) => children.iter().for_each(|child| walk(child, out)),
            _ => {}
        }
    }
    let mut document = Document::new();
    document.append(text);
    document.finish();
    let mut out = Vec::new();
    for block in document.blocks() {
        walk(&block.node, &mut out);
    }
    out
}

#[test]
fn formulas_are_found() {
    for (text, expected) in [
        ("$x$", vec!["$x$"]),
        ("the value $5x + 3$ is", vec!["$5x + 3$"]),
        (r"$\alpha$, $\beta$", vec![r"$\alpha$", r"$\beta$"]),
        ("($x$)", vec!["$x$"]),
        ("$x$-axis and $n$th, $k$-th", vec!["$x$", "$n$", "$k$"]),
        ("函数$f(x)$是", vec!["$f(x)$"]),
        (
            "$a_1 * b_2 * c_3$ and $a_i$",
            vec!["$a_1 * b_2 * c_3$", "$a_i$"],
        ),
        (r"\(a_1 * b\) and \[c\]", vec![r"\(a_1 * b\)"]),
        (r"\(x\)", vec![r"\(x\)"]),
        ("$$x$$", vec!["$$x$$"]),
        ("so $$x = 1$$ holds", vec!["$$x = 1$$"]),
        ("$$\nx \\\\\n- y\n= z\n$$", vec!["$$\nx \\\\\n- y\n= z\n$$"]),
        ("\\[\n  x^2\n\\]", vec!["\\[\nx^2\n\\]"]),
        (
            "\\[\n\\begin{pmatrix} a & b \\\\[2pt] c & d \\end{pmatrix}\n\\]",
            vec!["\\[\n\\begin{pmatrix} a & b \\\\[2pt] c & d \\end{pmatrix}\n\\]"],
        ),
        ("1. one\n   $$\n   x\n   $$\n2. two", vec!["$$\nx\n$$"]),
        ("- \\[\n  x\n  \\]", vec!["\\[\nx\n\\]"]),
        ("> $$\n> x > 0\n> $$", vec!["$$\nx > 0\n$$"]),
        ("# On $x^2$", vec!["$x^2$"]),
        ("**$x_1$ and $x_2$**", vec!["$x_1$", "$x_2$"]),
        ("**Formula:** $x$, *$y$*", vec!["$x$", "$y$"]),
        ("[$x$](https://a.b)", vec!["$x$"]),
        (
            "| a | b |\n|---|---|\n| $|x|$ | \\(y\\) |",
            vec!["$|x|$", "\\(y\\)"],
        ),
        (r"$\text{a \$5 note}$", vec![r"$\text{a \$5 note}$"]),
        (r"$$\text{if $x$}$$", vec![r"$$\text{if $x$}$$"]),
        ("$<b>x</b> & \\& < y$", vec!["$<b>x</b> & \\& < y$"]),
        ("$100$ and $1{,}000$", vec!["$100$", "$1{,}000$"]),
        ("$5 and then $x$", vec!["$x$"]),
        ("$a\n+ b$", vec![]),
        ("$a +\nb$", vec!["$a +\nb$"]),
        ("```math\nx^2\n```", vec!["```math\nx^2\n```"]),
        // Regression: an environment without other delimiters was shown as text.
        (
            "So\n\\begin{align*}\na_1 &= b * c \\\\\n- d &= *e\n\\end{align*}.",
            vec!["\\begin{align*}\na_1 &= b * c \\\\\n- d &= *e\n\\end{align*}"],
        ),
        (
            "\\begin{equation}\\begin{aligned} a &= b \\end{aligned}\\end{equation}",
            vec!["\\begin{equation}\\begin{aligned} a &= b \\end{aligned}\\end{equation}"],
        ),
        (
            "1. one\n   \\begin{gather}\n   x \\text{ if $y$}\n   \\end{gather}\n2. two",
            vec!["\\begin{gather}\nx \\text{ if $y$}\n\\end{gather}"],
        ),
        (
            "> \\begin{align}\n> x > 0\n> \\end{align}",
            vec!["\\begin{align}\nx > 0\n\\end{align}"],
        ),
        (
            "$$\n\\begin{align}\nx\n\\end{align}\n$$",
            vec!["$$\n\\begin{align}\nx\n\\end{align}\n$$"],
        ),
    ] {
        assert_eq!(formulas(text), expected, "{text}");
    }
}

#[test]
fn prices_variables_and_code_are_none() {
    for text in [
        "$5 and $10",
        "costs $20, or US$30",
        "$HOME and $PATH",
        "$HOME/$USER",
        "$HOME:$PATH and $MY_VAR/$OTHER_VAR",
        "Set ${HOST}:${PORT}, ${A}/${B}",
        "Escape them with \\( and \\) in a regex",
        "| a | b | c |\n|---|---|---|\n|USD|$|US$|\n|Basic|$|Pro|$|",
        "```math\na\u{202e}b\n```",
        "it is $5–$10",
        "between $5-$10",
        "from $5/month and 10$ more",
        "$5. Then 3$",
        "a$b$c",
        "only one $",
        "$ x $",
        "$$",
        "$$ and $$$",
        "Cheap ($), fair ($$), dear ($$$)",
        "$$$x$$$",
        r"\$x\$ and \\(x\\)",
        "`$x$` and ``$y$ ` $z$``",
        "    $x$",
        "```\n$x$\n\\[y\\]\n$$\nz\n$$\n```",
        "```latex\n$$x$$\n```",
        "[a](https://b.c/$x$)",
        "<https://b.c/$x$>",
        "https://b.c/$x$/$y$",
        "<div>$x$</div>",
        r"see \[1\], \[2\]",
        r"\[1\] Smith",
        r"\[sic\] and \[a\](https://b.c)",
        "- costs $x\n- costs y$",
        "$a `b$` c",
        "$x\n\ny$",
        "$$\nx\n\ny\n$$",
        "\\[\nx",
        "| a | b |\n|---|---|\n| $5 | $6 |\n| \\[ | \\] |",
        "![$x$](https://a.b/c.png)",
        "Use \\begin{align} x \\end{align} for it",
        "`\\begin{align}`\nx\n`\\end{align}`",
        "```latex\n\\begin{align}\n*x* &= y\n\\end{align}\n```",
        "    \\begin{align}\n    x\n    \\end{align}",
        "\\begin{align}\nx\n\n\\end{align}",
        "\\begin{align}\nx\n\\end{align*}",
        "\\begin{align}\n\\begin{align}\nx",
        "\\begin{itemize}\nx\n\\end{itemize}",
        "\\begin{align}\\end{align}",
    ] {
        assert_eq!(formulas(text), [] as [&str; 0], "{text}");
    }
}

/// Text that turns out not to be a formula is restored exactly.
#[test]
fn what_is_none_is_text_as_ever() {
    for (text, expected) in [
        ("`a $x_1 * 2$ b`", r#"(p (code "a $x_1 * 2$ b"))"#),
        (
            "```\n$a_1 * `b` | \\[c\\]$\n```",
            r#"(pre "" "$a_1 * `b` | \\[c\\]$\n")"#,
        ),
        (
            "    $a_1 * b$  \n    \\(c\\)",
            r#"(pre "" "$a_1 * b$  \n\\(c\\)")"#,
        ),
        ("<div>\n$a*b$\n</div>", r#"(raw "<div>\n$a*b$\n</div>")"#),
        ("![$a*b$](https://c.d/e)", r#"(p (img "$a*b$" c.d))"#),
        ("a $ b \\$ c", r#"(p "a $ b $ c")"#),
        (
            "\u{1}*a* $x$ \u{18}",
            "(p \"\u{7f}\" (em \"a\") \" \" (inline \"$x$\") \" \u{7f}\")",
        ),
        // Hidden characters must be shown, so this is not a formula.
        (
            "$a\u{202e}b$",
            "(p \"$a\" <U+202E right-to-left override> \"b$\")",
        ),
        ("# $$a\nb$$", r#"(h1 "$$a") (p "b$$")"#),
    ] {
        let shown = show(text);
        if text.contains('\u{202e}') {
            assert!(!shown.contains("inline"), "{shown}");
        } else {
            assert_eq!(shown, expected.replace('\u{7f}', "\\u{7f}"), "{text}");
        }
    }
}

#[test]
fn where_they_stand() {
    assert_eq!(
        show("Here:\n\\[\nx\n\\]\nwhere *y*."),
        r#"(p "Here:\n" (math "\\[\nx\n\\]") "\nwhere " (em "y") ".")"#
    );
    assert_eq!(
        show("|a|\n|-|\n|$$x$$|"),
        r#"(table (tr (th "a")) (tr (td (inline "$$x$$"))))"#
    );
    assert_eq!(show("```math\nx\n```"), r#"(math "```math\nx\n```")"#);
    assert_eq!(
        show("see https://a.b and $x$ https://c.d"),
        r#"(p "see " (a https://a.b "https://a.b") " and " (inline "$x$") " " (a https://c.d "https://c.d"))"#
    );
}

/// An open display formula is held; anything else is text until it is closed.
#[test]
fn an_open_formula_is_calm() {
    assert_eq!(
        now("Sum:\n\n$$\na_1 * b_2 * c"),
        r#"(p "Sum:") (p (math open "$$\na_1 * b_2 * c"))"#
    );
    assert_eq!(now("\\[\nx \\\\"), r#"(p (math open "\\[\nx \\\\"))"#);
    assert_eq!(
        now("so \\(a_1 * b_2"),
        r#"(p "so " (inline open "\\(a_1 * b_2"))"#
    );
    assert_eq!(now("costs $5 *and*"), r#"(p "costs $5 " (em "and"))"#);
    assert_eq!(
        now("$$\nx\n\nafter *it*"),
        r#"(p "$$\nx") (p "after " (em "it"))"#
    );
    assert!(!now(&format!("$$\n{}", "x*".repeat(5000))).contains("open"));
    assert_eq!(now("```math\nx"), r#"(pre "math" "x")"#);
    assert_eq!(
        now("```math\nx\n```\n\nafter"),
        r#"(math "```math\nx\n```") (p "after")"#
    );
    assert_eq!(
        now("\\begin{align}\na_1 * b_2 &= **c"),
        r#"(p (math open "\\begin{align}\na_1 * b_2 &= **c"))"#
    );
    for text in [
        "a\n\n$",
        "a\n\n$$",
        "a\n\n\\",
        "a\n\n\\[",
        "a\n\n\\begin{ali",
        "a\n\n\\begin{align*}",
    ] {
        assert_eq!(now(text), r#"(p "a")"#, "{text}");
    }
}

#[test]
fn delimiters_are_taken_off() {
    for (written, expected) in [
        ("$x$", "x"),
        ("$$\nx\n$$", "\nx\n"),
        (r"\(x\)", "x"),
        (r"\[x\]", "x"),
        (r"\begin{align}x\end{align}", r"\begin{align}x\end{align}"),
        ("```math\nx\n```", "x\n"),
        ("x", "x"),
    ] {
        assert_eq!(tex(written), expected);
    }
}

/// The cost is linear in the number of delimiters.
#[test]
fn many_delimiters_are_quick() {
    // Regression: each of thirty thousand delimiters after list markers scanned all of them.
    let lead = "-".repeat(50_000);
    for piece in [
        &format!("{lead}{}", "$ ".repeat(25_000)),
        &format!("{lead}{}", "```` ".repeat(10_000)),
        &format!("x {}{} ", "\\[".repeat(4000), "\\]".repeat(4000)),
        "$",
        "$x",
        "$x ",
        "$$",
        "$$\n",
        "\\(",
        "\\[",
        "\\[\n",
        "\\begin{align}\n",
        "\\begin{align}\n\\begin{equation}\n\\begin{gather*}\n",
        "- \\begin{align}\nx\\end{gather}\n",
        "`",
        "$`",
        "``$",
        "](",
        "<a:",
        "$a\n",
        "x$\n\n",
        "\\",
    ] {
        let text = piece.repeat((100_000 / piece.len()).max(1));
        let once = std::time::Instant::now();
        mask(&text, TextEnd::Growing);
        mask(&text, TextEnd::Ended);
        let took = once.elapsed();
        assert!(took.as_millis() < 1000, "{piece:?}: {took:?}");
    }
}

/// Formulas written by models pass through Markdown unchanged, with every kind of delimiter.
#[test]
fn every_formula_comes_through() {
    for source in include_str!("../mathml/tests/written.txt").lines() {
        for written in [
            format!("$$\n{source}\n$$"),
            format!("\\[\n{source}\n\\]"),
            format!("\\({source}\\)"),
            format!("\\begin{{gathered}}\n{source}\n\\end{{gathered}}"),
        ] {
            assert_eq!(formulas(&written), [written.as_str()]);
            assert_eq!(formulas(&format!("- {written}")), [written.as_str()]);
            assert_eq!(
                formulas(&format!("> {}", written.replace('\n', "\n> "))),
                [written]
            );
        }
    }
}

/// Otherwise Markdown would remove the backslash of an escaped bracket.
#[test]
fn stopped_in_half_a_formula_the_text_is_as_it_was_written() {
    for written in [
        "\\(a \\frac{b",
        "\\(a + b",
        "\\[\nx_1 * y_1 * z \\\\\n\\frac{a",
        "$$\na_1 = *b* \\, c",
        "\\begin{align}\na_1 &= *b* \\\\",
    ] {
        for begin in ["", "So ", "- ", "> "] {
            // A display formula is not recognised within a line of words.
            if begin == "So " && !written.starts_with("\\(")
                || !begin.is_empty() && written.contains('\n')
            {
                continue;
            }
            let shown = show(&format!("{begin}{written}"));
            assert!(
                shown.contains(&format!("{written:?}").replace('"', "")),
                "{shown}"
            );
            let mut document = Document::new();
            document.append(begin);
            document.append(written);
            document.finish();
            let stopped: Vec<_> = document
                .blocks()
                .iter()
                .map(|block| one(&block.node))
                .collect();
            assert_eq!(stopped.join(" "), shown);
        }
    }
    // An escaped bracket before words is a bracket.
    assert_eq!(
        show("a \\(see **above**"),
        "(p \"a (see \" (strong \"above\"))"
    );
    assert_eq!(show("\\[sic"), "(p \"[sic\")");
    // Closed formulas, and those followed by more text, follow the usual rules.
    assert_eq!(show("\\(x^2\n\nmore"), "(p \"(x^2\") (p \"more\")");
}
