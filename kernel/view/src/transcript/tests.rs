//! In the browser: what a reader does in a message while it grows.

use super::answer::Thinking;
use super::message_state::MessageState;
use super::sash::Mark;
use leptos::prelude::*;
use leptos::task::tick;
use sash_chat::{Id, Role};
use sash_stores::AnswerState;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement};

wasm_bindgen_test_configure!(run_in_browser);

/// The thinking of a running answer, in the page.
fn thinking(thinking: RwSignal<String>) -> HtmlElement {
    let place = document().create_element("div").unwrap();
    document().body().unwrap().append_child(&place).unwrap();
    let place: HtmlElement = place.unchecked_into();
    let view = move || {
        provide_context(MessageState {
            id: Id(1),
            role: Role::Assistant,
            text: RwSignal::new(String::new()),
            thinking,
            calls: RwSignal::new(Vec::new()),
            calls_left_out: RwSignal::new(0),
            state: RwSignal::new(AnswerState::Writing),
            endable: RwSignal::new(false),
            running: Memo::new(|_| true),
            receipt: RwSignal::new(None),
            mark: Memo::new(|_| Mark::default()),
            near: RwSignal::new(false),
            menu_open: RwSignal::new(false),
            editing: RwSignal::new(false),
            edit_button: NodeRef::new(),
            row: NodeRef::new(),
            receipt_shown: Memo::new(|_| false),
        });
        view! { <Thinking /> }
    };
    leptos::mount::mount_to(place.clone(), view).forget();
    place
}

fn find(place: &Element, what: &str) -> Option<HtmlElement> {
    let found = place.query_selector(what).unwrap();
    found.map(JsCast::unchecked_into)
}

#[wasm_bindgen_test]
async fn a_selection_stays_while_the_thinking_grows() {
    let text = RwSignal::new(String::new());
    let place = thinking(text);
    tick().await;
    assert_eq!(find(&place, "details"), None);
    text.set("One two three".to_owned());
    tick().await;
    let shown = find(&place, ".thinking-text").unwrap();
    let node = shown.first_child().unwrap();
    let range = document().create_range().unwrap();
    range.set_start(&node, 4).unwrap();
    range.set_end(&node, 7).unwrap();
    let selection = window().get_selection().unwrap().unwrap();
    selection.remove_all_ranges().unwrap();
    selection.add_range(&range).unwrap();
    for n in 0..50 {
        text.update(|text| *text += &format!(" {n}"));
        tick().await;
    }
    assert_eq!(String::from(selection.to_string()), "two");
    assert_eq!(shown.first_child(), Some(node));
    assert_eq!(shown.text_content(), Some(text.get_untracked()));
    place.remove();
}

#[wasm_bindgen_test]
async fn the_thinking_that_the_reader_folded_stays_folded_while_it_grows() {
    let text = RwSignal::new("One".to_owned());
    let place = thinking(text);
    tick().await;
    let details = find(&place, "details").unwrap();
    assert!(details.has_attribute("open"));
    details.remove_attribute("open").unwrap();
    text.update(|text| *text += " two");
    tick().await;
    assert!(!details.has_attribute("open"));
    place.remove();
}
