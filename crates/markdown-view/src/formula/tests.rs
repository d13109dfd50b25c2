//! Tests in the browser: formulas as elements, on the stack of a browser program.

use super::{MATHML, show};
use leptos::prelude::document;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::Element;

wasm_bindgen_test_configure!(run_in_browser);

/// An element with its source, after showing a formula in it.
fn shown(tex: &str) -> Element {
    let place = document().create_element("span").unwrap();
    place.set_text_content(Some(tex));
    document().body().unwrap().append_child(&place).unwrap();
    show(&place, tex, true);
    place
}

fn all_mathml(element: &Element, tex: &str) {
    let mut next = element.first_element_child();
    while let Some(child) = next {
        assert_eq!(child.namespace_uri().as_deref(), Some(MATHML), "{tex}");
        all_mathml(&child, tex);
        next = child.next_element_sibling();
    }
}

#[wasm_bindgen_test]
fn every_formula_is_made_of_mathml_alone() {
    for tex in include_str!("../../../markdown/src/mathml/tests/written.txt").lines() {
        let place = shown(tex);
        assert_eq!(place.child_element_count(), 1, "{tex}");
        all_mathml(&place, tex);
        let strange = place.query_selector("[href], [style], [id], [onclick]");
        assert!(strange.unwrap().is_none());
        place.remove();
    }
}

#[wasm_bindgen_test]
fn what_is_not_understood_stays_as_it_was() {
    for tex in [
        r"\unknown",
        r"\frac{a}",
        r"\href{javascript:alert(1)}{x}",
        r"\def\a{\a\a}\a",
        "{",
    ] {
        let place = shown(tex);
        assert_eq!(place.child_element_count(), 0, "{tex}");
        assert_eq!(place.text_content().as_deref(), Some(tex));
        place.remove();
    }
}

/// Neither the parser's recursion nor ours overflows the browser's stack.
#[wasm_bindgen_test]
fn deep_formulas_do_not_end_the_program() {
    for piece in [
        "{",
        "\\sqrt{",
        "\\sqrt ",
        "\\frac{1}",
        "\\frac1",
        "\\left(",
        "x^{",
        "\\begin{matrix}",
        "\\boxed{",
        "\\text{$",
        "\\displaystyle ",
        "\\hat ",
        "\\not ",
        "\\mathbf{",
    ] {
        for times in [60, 64, 8192 / piece.len()] {
            let closing = match piece {
                "\\left(" => "\\right)".to_owned(),
                "\\begin{matrix}" => "\\end{matrix}".to_owned(),
                "\\text{$" => "$}".to_owned(),
                piece => "}".repeat(piece.matches('{').count()),
            };
            shown(&format!(
                "{} x{}",
                piece.repeat(times),
                closing.repeat(times)
            ))
            .remove();
        }
    }
}
