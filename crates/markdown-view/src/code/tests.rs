//! Tests in the browser: the buttons of a code block.

use super::{block, code_of, listen, text_of};
use sash_browser_kit::clock;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement};

wasm_bindgen_test_configure!(run_in_browser);

/// Listens once: two listeners would press a button twice.
fn listening() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(listen);
}

fn find(within: &Element, what: &str) -> HtmlElement {
    let found = within.query_selector(what).unwrap().unwrap();
    found.unchecked_into()
}

#[wasm_bindgen_test]
async fn copying_leaves_hidden_characters_out_and_answers() {
    listening();
    let document = web_sys::window().unwrap().document().unwrap();
    let figure = block("rs");
    document.body().unwrap().append_child(&figure).unwrap();
    assert_eq!(find(&figure, ".code-language").inner_text(), "Rust");
    let code = code_of(&figure).unwrap();
    for (class, text) in [("tok-k", "let "), ("hidden-mark", "U+202E"), ("", "a;\n")] {
        let span = document.create_element("span").unwrap();
        span.set_class_name(class);
        span.set_text_content(Some(text));
        code.append_child(&span).unwrap();
    }
    assert_eq!(text_of(&code), "let a;\n");
    find(&figure, "button.copy").click();
    let status = find(&figure, ".code-status");
    for _ in 0..100 {
        if !status.text_content().unwrap().is_empty() {
            break;
        }
        clock::wait(10).await;
    }
    assert!(["Copied", "Could not copy"].contains(&status.text_content().unwrap().as_str()));
}

#[wasm_bindgen_test]
fn wrapping_is_the_blocks_own() {
    listening();
    let body = web_sys::window()
        .unwrap()
        .document()
        .unwrap()
        .body()
        .unwrap();
    let (one, two) = (block("js"), block("js"));
    for figure in [&one, &two] {
        body.append_child(figure).unwrap();
    }
    let wrap = find(&one, "button.wrap");
    let pressed = |figure| {
        find(figure, "button.wrap")
            .get_attribute("aria-pressed")
            .unwrap()
    };
    wrap.click();
    assert_eq!(
        (pressed(&one).as_str(), pressed(&two).as_str()),
        ("true", "false")
    );
    assert!(one.has_attribute("data-wrap") && !two.has_attribute("data-wrap"));
    wrap.click();
    assert_eq!(pressed(&one), "false");
}
