//! Conversion of formulas: those that models write, and hostile ones.

mod hostile;

use super::{Element, ElementContent, MAX_BYTES, parse};

/// A formula in brackets: `mfrac(mi:a mi:b)`. Attributes are left out, except classes.
fn show(source: &str) -> String {
    let Some(math) = parse(source, true) else {
        return "nothing".to_owned();
    };
    let ElementContent::Children(children) = &math.content else {
        return "no math".to_owned();
    };
    children.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn one(element: &Element) -> String {
    let name = element.tag.name();
    let class = element.attributes.iter().find(|(name, _)| *name == "class");
    let class = class.map_or(String::new(), |(_, class)| format!(".{class}"));
    match &element.content {
        ElementContent::Text(text) => format!("{name}{class}:{text}"),
        ElementContent::Children(children) => {
            let inner: Vec<String> = children.iter().map(one).collect();
            format!("{name}{class}({})", inner.join(" "))
        }
    }
}

/// Every formula of `written.txt`, which holds formulas as models write them.
#[test]
fn formulas_as_models_write_them() {
    let all = include_str!("written.txt").lines();
    let (shown, not): (Vec<_>, Vec<_>) = all.partition(|source| parse(source, true).is_some());
    println!("{} formulas shown, {} not", shown.len(), not.len());
    assert_eq!(not, [] as [&str; 0]);
    assert!(shown.len() >= 100);
}

#[test]
fn the_shape_of_formulas() {
    for (source, expected) in [
        (r"\frac{a}{b}", "mfrac(mi:a mi:b)"),
        (r"\frac12", "mfrac(mn:1 mn:2)"),
        (r"x_1^2", "msubsup(mi:x mn:1 mn:2)"),
        (
            r"\sum_{i=1}^{n} i",
            "munderover(mo:∑ mrow(mi:i mo:= mn:1) mi:n) mi:i",
        ),
        (r"\int_0^1 f", "msubsup(mo:∫ mn:0 mn:1) mi:f"),
        (r"\sqrt[3]{27}", "mroot(mn:27 mn:3)"),
        (r"f''(x)", "msup(mi:f mo:′′) mo:( mi:x mo:)"),
        (r"\mathbb{R}^n", "msup(mi:ℝ mi:n)"),
        (r"\mathrm{km}", "mi:km"),
        (r"\bm{x}", "mi:𝒙"),
        (r"\mu", "mi:μ"),
        (r"\hat{x}", "mover(mi:x mo:ˆ)"),
        (r"\not=", "mo:=\u{338}"),
        (r"\cancel{x}", "mrow.struck(mi:x)"),
        (r"\boxed{42}", "mrow.boxed(mn:42)"),
        (r"\phantom{x}", "mphantom(mi:x)"),
        (r"x \tag{1}", "mi:x mspace() mtext:(1)"),
        (r"x = y \label{eq:1} \nonumber", "mi:x mo:= mi:y"),
        (r"10{,}000", "mn:10 mo:, mn:000"),
        ("20% of x", "mn:20 mi:% mi:o mi:f mi:x"),
        (
            r"\text{if $x$ is 50\% of \$3}",
            "mrow(mtext:if\u{a0} mi:x mtext:\u{a0}is\u{a0}50%\u{a0}of\u{a0}$3)",
        ),
        (
            r"\begin{pmatrix}1&2\\3&4\\\end{pmatrix}",
            "mrow(mo:( mtable(mtr(mtd(mn:1) mtd(mn:2)) mtr(mtd(mn:3) mtd(mn:4))) mo:))",
        ),
        (
            r"\begin{array}{c|r}a&b\\\hline c&d\end{array}",
            "mtable(mtr(mtd(mi:a) mtd.rule-left right(mi:b)) \
             mtr(mtd.rule-above(mi:c) mtd.rule-left right rule-above(mi:d)))",
        ),
        (
            r"\begin{aligned}a&=b\\&=c\end{aligned}",
            "mtable.lines(mtr(mtd.right(mi:a) mtd.left(mo:= mi:b)) mtr(mtd.right() mtd.left(mo:= mi:c)))",
        ),
        // Colours of a model are removed, the coloured text stays.
        (r"\textcolor{white}{x} \color{nocolour} y", "mi:x mi:y"),
    ] {
        assert_eq!(show(source), expected, "{source}");
    }
}

/// A sign without a left operand is a prefix, not a binary operator.
#[test]
fn signs() {
    let spaced = |source: &str| -> Vec<bool> {
        let Some(ElementContent::Children(children)) =
            parse(source, false).map(|math| math.content)
        else {
            return Vec::new();
        };
        let signs = children.iter().filter(|child| child.text() == "−");
        let set = |sign: &Element| sign.attributes.iter().any(|(name, _)| *name == "lspace");
        signs.map(|sign| !set(sign)).collect()
    };
    assert_eq!(spaced("-a - b = -c"), [false, true, false]);
    assert_eq!(spaced("(-a) - (-b)"), [false, true, false]);
    assert_eq!(spaced("a, -b"), [false]);
}

#[test]
fn what_is_not_understood_is_not_shown_at_all() {
    for source in [
        "",
        " ",
        r"\frac{a}",
        r"{",
        r"}",
        r"a^b^c",
        r"\unknown",
        r"a & b",
        r"\left( x",
        r"\begin{matrix} a",
        r"\text{\unknown}",
        r"\text{a $x b}",
        "\u{e000}",
        r"\",
    ] {
        assert_eq!(show(source), "nothing", "{source}");
    }
    assert!(parse(&"x".repeat(MAX_BYTES), true).is_some());
    assert!(parse(&"x".repeat(MAX_BYTES + 1), true).is_none());
}
