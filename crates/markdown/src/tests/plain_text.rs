//! Answers as plain text.

use crate::plain_text;

#[track_caller]
fn check(markdown: &str, text: &str) {
    assert_eq!(plain_text(markdown), text);
}

#[test]
fn marks_are_left_out_and_words_stay() {
    check("## Which *index* is **best**?", "Which index is best?");
    check("> - Quoted `code` ~~first~~", "Quoted code first");
    check("1. One\n2. Two\n\n- [x] three", "One\nTwo\nthree");
    check(
        "See [the docs](https://a.example/x), ![a cat](cat.png)",
        "See the docs, a cat",
    );
    check(
        "```rust\nfn main() {}\n```\nIt runs.",
        "fn main() {}\nIt runs.",
    );
    check("| a | b |\n|---|---|\n| **1** | `2` |", "a b \n1 2");
    check("One\n\n---\n\nTwo\\*", "One\nTwo*");
    check("2 * 3 and snake_case", "2 * 3 and snake_case");
    check("It costs $5 and $6.", "It costs $5 and $6.");
    check("", "");
}

#[test]
fn a_formula_is_the_text_that_it_says() {
    check("It is $E = mc^2$.", "It is E = mc^2.");
    check("It is \\(x_1 + x_2\\).", "It is x_1 + x_2.");
    check("$$\\frac{a}{b+1} = \\sqrt{x}$$", "a/(b+1) = √x");
    check("So $\\alpha \\leq x^{n+1}$", "So α ≤ x^(n+1)");
    check("$\\sum_{i=1}^{10} i^{2}$", "∑_(i = 1)^10i^2");
    check("$f'(x) \\to \\sqrt[3]{x}$", "f′(x) → √[3]x");
    // One that is not understood is its source without the dollars.
    check("$\\unknown{x}$", "\\unknown{x}");
}
