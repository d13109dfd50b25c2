//! In the browser: formulas as elements, on the stack that a program in the browser has.

use super::{MATHML, show};
use leptos::prelude::document;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::Element;

wasm_bindgen_test_configure!(run_in_browser);

/// A place that shows its source, after it was asked to show a formula.
fn shown(tex: &str) -> Element {
    let place = document().create_element("span").unwrap();
    place.set_text_content(Some(tex));
    document().body().unwrap().append_child(&place).unwrap();
    show(&place, tex, true);
    place
}

#[wasm_bindgen_test]
fn every_formula_is_made_of_mathml_alone() {
    for tex in include_str!("../../formula/tests/written.txt").lines() {
        let place = shown(tex);
        assert_eq!(place.child_element_count(), 1, "{tex}");
        let all = place.query_selector_all("*").unwrap();
        for index in 0..all.length() {
            let element = all.get(index).unwrap();
            assert_eq!(
                element.lookup_namespace_uri(None).as_deref(),
                Some(MATHML),
                "{tex}"
            );
        }
        assert!(
            place
                .query_selector("[href], [style], [id], [onclick]")
                .unwrap()
                .is_none()
        );
        assert!(place.get_bounding_client_rect().height() > 5.0, "{tex}");
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

/// Neither the parser's recursion nor ours is too deep for the browser's stack.
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
