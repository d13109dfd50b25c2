//! Hostile formulas: nothing panics, hangs or leaves the closed set.

use super::super::{Element, ElementContent, parse};
use super::show;
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// Checks that names and values are ours; returns the number of elements and their depth.
fn measure(element: &Element) -> (usize, usize) {
    for (name, value) in &element.attributes {
        assert!(
            match *name {
                "alttext" => element.tag == super::super::MathTag::Math,
                "display" => value == "block",
                "mathvariant" => value == "normal",
                "class" => value.split(' ').all(|class| [
                    "boxed",
                    "struck",
                    "lines",
                    "left",
                    "right",
                    "rule-left",
                    "rule-right",
                    "rule-above",
                    "rule-below",
                ]
                .contains(&class)),
                "form" => ["prefix", "infix", "postfix"].contains(&&**value),
                "accent" | "accentunder" | "stretchy" | "symmetric" | "fence" | "largeop"
                | "movablelimits" | "displaystyle" => ["true", "false"].contains(&&**value),
                "lspace" | "rspace" | "linethickness" => value == "0",
                "scriptlevel" => value.len() == 1,
                "width" | "minsize" | "maxsize" => value.ends_with("em") && value.len() < 9,
                _ => false,
            },
            "{name}={value}"
        );
    }
    match &element.content {
        ElementContent::Text(_) => (1, 1),
        ElementContent::Children(children) => children
            .iter()
            .map(measure)
            .fold((1, 1), |(sum, deepest), (count, depth)| {
                (sum + count, deepest.max(depth + 1))
            }),
    }
}

/// Parses in bounded time, on a stack no larger than the page's.
fn survive(source: String) -> Option<(usize, usize)> {
    let since = Instant::now();
    let bytes = source.len();
    let small = std::thread::Builder::new().stack_size(1 << 20);
    let parsed = small.spawn(move || parse(&source, true).map(|math| measure(&math)));
    let measured = parsed.unwrap().join().unwrap();
    let took = since.elapsed();
    assert!(took < Duration::from_secs(2), "{bytes} bytes took {took:?}");
    if let Some((count, depth)) = measured {
        assert!(
            count < 4 * bytes + 10 && depth < 400,
            "{count} elements, {depth} deep"
        );
    }
    measured
}

#[test]
fn nothing_leads_out_of_the_formula() {
    for source in [
        r"\href{https://evil.example}{x}",
        r"\href{javascript:alert(1)}{x}",
        r"\url{https://evil.example}",
        r"\includegraphics{https://evil.example/x.png}",
        r"\htmlClass{a}{x}",
        r"\htmlId{a}{x}",
        r"\htmlStyle{color:red}{x}",
        r"\htmlData{a=b}{x}",
        r"\class{a}{x}",
        r"\style{color:red}{x}",
        r"\cssId{a}{x}",
        r"\unicode{x3c}",
        r"\input{/etc/passwd}",
        r"\write18{x}",
        r"\csname x\endcsname",
        r"\newcommand{\x}{y}\x",
        r"\def\x{y}\x",
        r"\let\x=\frac",
        r"\def\a{\a\a}\a",
    ] {
        assert_eq!(show(source), "nothing", "{source}");
    }
    // HTML is plain text.
    assert_eq!(show(r"\text{<b>x</b>}"), "mtext:<b>x</b>");
    assert_eq!(show("<b>"), "mo:< mi:b mo:>");
}

#[test]
fn long_and_deep() {
    for piece in [
        "{",
        "}",
        "{}",
        "{x",
        "x",
        "^",
        "^{",
        "_{",
        "x^{",
        "x_{x^{",
        "\\frac",
        "\\frac{",
        "\\frac1",
        "\\frac{1}",
        "\\sqrt",
        "\\sqrt{",
        "\\sqrt[",
        "\\sqrt\\hat",
        "\\left(",
        "\\right)",
        "\\left(x\\right)",
        "\\left",
        "\\begin{matrix}",
        "\\begin{matrix}a&",
        "\\begin{",
        "\\end{matrix}",
        "\\\\",
        "&",
        "\\text{",
        "\\text{$",
        "\\text{$x$}",
        "\\boxed{",
        "\\boxed{x}",
        "\\hat",
        "\\hat{",
        "\\not",
        "\\mathbf",
        "\\mathbf{",
        "\\displaystyle",
        "\\textstyle{",
        "\\color{red}",
        "\\alpha",
        "\\alpha ",
        "'",
        "''",
        "x'",
        "\\limits",
        "\\overset{",
        "\\underbrace{x}_",
        "\\operatorname{a}",
        "\\operatorname",
        "\\substack{a\\\\",
        "\\begin{array}{c",
        "\\begin{array}{|c|}",
        "\\hline",
        "\\middle|",
        "\\big",
        "\\kern1em",
        "\\hspace{9999em}",
        "\\hspace{-9em}",
        "%",
        "\\%",
        "#",
        "~",
        "$",
        "\\$",
        "é",
        "\u{1d400}",
        "\u{338}",
        "\\u",
        "\\",
        "\\ ",
        "1",
        "1.",
        "1,",
        "-",
        "|",
        "\\|",
        "[",
        "\\[",
        "\\(",
        "\\sideset{_1}{^2}\\sum",
        "\\binom",
        "\\xrightarrow",
        "\\xrightarrow[a]{",
        "\\genfrac()",
        "\\mathop",
        "\\mathrel{",
    ] {
        for times in [1, 2, 50, 60, 61, 63, 64, 65, 8192 / piece.len()] {
            survive(piece.repeat(times));
            let closing = match piece {
                "\\left(" => "\\right)".to_owned(),
                "\\begin{matrix}" | "\\begin{matrix}a&" => "\\end{matrix}".to_owned(),
                "\\text{$" => "$}".to_owned(),
                piece => "}".repeat(piece.matches('{').count()),
            };
            survive(format!("{}x{}", piece.repeat(times), closing.repeat(times)));
        }
    }
    survive("x^{2} + \\frac{1}{y} ".repeat(6000)); // 120 kB
}

/// The limits accept deep formulas and refuse deeper ones.
#[test]
fn depth_is_bounded() {
    let nested = |times| format!("{}x{}", "\\sqrt{".repeat(times), "}".repeat(times));
    assert!(survive(nested(60)).is_some());
    assert!(survive(nested(65)).is_none());
    assert!(survive("\\sqrt".repeat(60) + " x").is_some());
    assert!(survive("\\sqrt".repeat(61) + " x").is_none());
    // Consecutive Greek letters are not arguments of one another, so any number of them is accepted.
    assert!(survive("\\alpha + 2\\beta + 3".repeat(200)).is_some());
    assert!(survive("\\sqrt\\frac1".repeat(31) + " x").is_none());
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{",
        "}",
        "{",
        "}",
        "^",
        "_",
        "x",
        "1",
        " ",
        "\\frac",
        "\\sqrt",
        "[",
        "]",
        "\\left(",
        "\\right)",
        "\\left.",
        "\\right|",
        "\\middle|",
        "\\begin{matrix}",
        "\\end{matrix}",
        "\\begin{cases}",
        "\\end{cases}",
        "\\begin{aligned}",
        "\\end{aligned}",
        "\\begin{array}{c|r}",
        "\\end{array}",
        "&",
        "\\\\",
        "\\\\[2pt]",
        "\\hline",
        "\\text{a}",
        "\\text{",
        "$",
        "\\hat",
        "\\overline",
        "\\sum",
        "\\int",
        "\\limits",
        "\\lim",
        "\\sin",
        "\\mathbb",
        "\\mathrm{",
        "\\operatorname{a}",
        "\\operatorname*{b}",
        "\\not",
        "\\cancel",
        "\\boxed{",
        "\\phantom{",
        "\\tag{1}",
        "\\displaystyle",
        "\\color{red}",
        "\\binom",
        "\\xrightarrow{a}",
        "\\underbrace{",
        "\\big(",
        "\\Big|",
        "'",
        "-",
        "=",
        ",",
        ".",
        "|",
        "\\|",
        "%",
        "~",
        "#",
        "\n",
        "\\,",
        "\\!",
        "\\quad",
        "\\hspace{1em}",
        "é",
        "𝔸",
        "\\é",
        "\\",
        "\\alpha",
        "(",
        ")",
        "\\mathop",
        "\\substack{a\\\\b}",
        "\\bmod",
        "\\pmod",
        "\\prime",
        "<",
        ">",
        "/",
        "\\genfrac",
        "\\sideset",
        "\\kern",
        "\\overset",
        "\\textbf{",
    ]);
    prop::collection::vec(piece, 1..30).prop_map(|all| all.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_pieces(source in pieces()) {
        if let Some(math) = parse(&source, true) {
            measure(&math);
        }
    }

    #[test]
    fn any_text(source in "\\PC{0,60}") {
        if let Some(math) = parse(&source, false) {
            measure(&math);
        }
    }
}
