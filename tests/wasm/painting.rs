//! The colours of code (`rooms/highlight`): spans around a text that does not change.

use sash_browser_kit::clock;
use sash_markdown_view::code::{block, code_of, text_of};
use std::rc::Rc;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::Element;

fn document() -> web_sys::Document {
    web_sys::window().unwrap().document().unwrap()
}

/// The code element of a block in the page: texts with marks between them.
fn code(texts: &[&str]) -> Element {
    let figure = block("js");
    document().body().unwrap().append_child(&figure).unwrap();
    let code = code_of(&figure).unwrap();
    for (at, text) in texts.iter().enumerate() {
        if at > 0 {
            let mark = document().create_element("span").unwrap();
            mark.set_class_name("hidden-mark");
            mark.set_text_content(Some("U+202E"));
            code.append_child(&mark).unwrap();
        }
        let text = document().create_text_node(text);
        code.append_child(&text).unwrap();
    }
    code
}

fn paint(code: &Element, runs: &str) {
    highlight::paint(code.clone(), Rc::from(runs));
}

/// The classes and texts of an element's children.
fn children(code: &Element) -> Vec<String> {
    let mut all = Vec::new();
    let mut next = code.first_child();
    while let Some(child) = next {
        let class = wasm_bindgen::JsCast::dyn_ref::<Element>(&child).map(Element::class_name);
        let text = child.text_content().unwrap();
        all.push(format!("{}:{text}", class.unwrap_or_default()));
        next = child.next_sibling();
    }
    all
}

#[wasm_bindgen_test]
fn runs_go_around_marks_and_count_as_strings_do() {
    let code = code(&["let a😀 = \"x", "y\";"]);
    let text = text_of(&code);
    paint(&code, "k4 6 s4 1");
    let expected = [
        "tok-k:let ",
        ":a😀 = ",
        "tok-s:\"x",
        "hidden-mark:U+202E",
        "tok-s:y\"",
        ":;",
    ];
    assert_eq!(children(&code), expected);
    assert_eq!(text_of(&code), text);
}

#[wasm_bindgen_test]
fn runs_of_another_text_and_classes_of_nobody_do_nothing() {
    for runs in ["", "k2", "k2 900", "x", "k-1", "k4 k", "4294967299"] {
        let code = code(&["abc"]);
        paint(&code, runs);
        assert_eq!(children(&code), [":abc"], "{runs}");
    }
    let code = code(&["abc"]);
    paint(&code, "x1 kk1 k1");
    assert_eq!(children(&code), [":a", "tok-k:b", "tok-k:c"]);
}

#[wasm_bindgen_test]
async fn a_long_block_is_painted_a_slice_at_a_time() {
    let text = "ab\n".repeat(1000);
    // The shape of long code: its beginning, then parts of their own.
    let code = code(&[&text]);
    let part = document().create_element("span").unwrap();
    part.set_class_name("lines");
    part.set_text_content(Some(&text));
    code.append_child(&part).unwrap();
    let whole = text.repeat(2);
    paint(&code, "k1 2 ".repeat(2000).trim_end());
    let spans = |code: &Element| {
        let parts = children(code);
        assert!(parts.iter().all(|part| part.starts_with("lines:ab\n")));
        let mut spans = 0;
        let mut part = code.first_element_child();
        while let Some(lines) = part {
            let painted = children(&lines).into_iter();
            spans += painted.filter(|child| child == "tok-k:a").count();
            part = lines.next_element_sibling();
        }
        spans
    };
    let first = spans(&code);
    assert!(first > 100 && first < 1000, "{first}");
    for _ in 0..200 {
        assert_eq!(text_of(&code), whole);
        if spans(&code) == 2000 {
            break;
        }
        clock::pause().await;
    }
    assert_eq!(spans(&code), 2000);
    assert_eq!(text_of(&code), whole);
    assert_eq!(children(&code).len(), 2);
}

#[wasm_bindgen_test]
async fn a_block_with_a_selection_waits() {
    let code = code(&["let a;"]);
    let selection = web_sys::window().unwrap().get_selection().unwrap().unwrap();
    selection.select_all_children(&code).unwrap();
    paint(&code, "k4 2");
    assert_eq!(children(&code), [":let a;"]);
    selection.remove_all_ranges().unwrap();
    for _ in 0..200 {
        if children(&code).len() == 2 {
            break;
        }
        clock::wait(10).await;
    }
    assert_eq!(children(&code), ["tok-k:let ", ":a;"]);
}
