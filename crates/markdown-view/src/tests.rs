//! Tests in the browser: the page's content while an answer streams.

use crate::MarkdownText;
use leptos::prelude::*;
use leptos::task::tick;
use sash_browser_kit::clock;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement};

wasm_bindgen_test_configure!(run_in_browser);

const ANSWER: &str = "# Title\n\nFirst *paragraph* with `code` and [a link](https://example.com/x).\n\n\
    1. one\n2. two\n\n   ```rust\n   let a = 1;\n   ```\n3. **three\n   more**\n\n\
    | a | b |\n|---|--:|\n| 1 | https://example.com |\n| 3 | ~~4~~ |\n\n\
    > quote\n> - [x] done\n> - [ ] to do\n\nSetext\n---\n\n<b>raw</b> ![alt](https://example.org/i.png)\n\n\
    ```js\nlet b;\n\nlet c = \"\u{202e}\";\n```\n\nSee [late] and \u{2066}hidden.\n\n[late]: https://example.net\n";

/// Waits until the answer in `place` is built. A long one is built in several tasks.
async fn built(place: &Element) {
    tick().await;
    while find(place, "[aria-busy]").is_some() {
        clock::wait(1).await;
    }
}

/// The view of an answer, and its element.
fn view(text: &ArcRwSignal<String>, running: &ArcRwSignal<bool>) -> HtmlElement {
    let place: HtmlElement = document()
        .create_element("section")
        .unwrap()
        .unchecked_into();
    document().body().unwrap().append_child(&place).unwrap();
    let (text, running) = (text.clone(), running.clone());
    leptos::mount::mount_to(place.clone(), move || {
        let running = Memo::new(move |_| running.get());
        view! { <MarkdownText text running /> }
    })
    .forget();
    place
}

async fn whole(text: &str) -> Element {
    let place = view(&ArcRwSignal::new(text.to_owned()), &ArcRwSignal::new(false));
    built(&place).await;
    place.first_element_child().unwrap()
}

fn find(within: &Element, what: &str) -> Option<Element> {
    within.query_selector(what).unwrap()
}

#[wasm_bindgen_test]
async fn elements_stay_while_the_answer_grows() {
    let text = ArcRwSignal::new("# Title\n\nThe first".to_owned());
    let running = ArcRwSignal::new(true);
    let place = view(&text, &running);
    built(&place).await;
    let title = find(&place, "h4").unwrap();
    let open = find(&place, "p").unwrap();
    let letters = open.first_child().unwrap();
    for (at, _) in ANSWER.char_indices().skip(1) {
        text.set(format!(
            "# Title\n\nThe first paragraph.\n\n{}",
            &ANSWER[..at]
        ));
        built(&place).await;
    }
    running.set(false);
    built(&place).await;
    let part = find(&place, ".part").unwrap();
    assert!(part.first_child().unwrap().is_same_node(Some(&title)));
    assert!(title.next_sibling().unwrap().is_same_node(Some(&open)));
    assert!(open.first_child().unwrap().is_same_node(Some(&letters)));
    assert_eq!(open.text_content().unwrap(), "The first paragraph.");
}

#[wasm_bindgen_test]
async fn the_open_code_block_keeps_its_elements() {
    let text = ArcRwSignal::new("- a\n\n  ```rust\n  let".to_owned());
    let place = view(&text, &ArcRwSignal::new(true));
    built(&place).await;
    let code = find(&place, "pre code").unwrap();
    let letters = code.first_child().unwrap();
    text.set("- a\n\n  ```rust\n  let a = 1;\n  ```\n\n  b\n- c".into());
    built(&place).await;
    assert!(find(&place, "pre code").unwrap().is_same_node(Some(&code)));
    assert!(code.first_child().unwrap().is_same_node(Some(&letters)));
    assert_eq!(code.text_content().unwrap(), "let a = 1;\n");
}

#[wasm_bindgen_test]
async fn streamed_and_whole_are_the_same_page() {
    let expected = whole(ANSWER).await.inner_html();
    for step in [1, 7, 50] {
        let text = ArcRwSignal::new(String::new());
        let running = ArcRwSignal::new(true);
        let place = view(&text, &running);
        for (at, _) in ANSWER.char_indices().step_by(step) {
            text.set(ANSWER[..at].to_owned());
            built(&place).await;
        }
        text.set(ANSWER.to_owned());
        running.set(false);
        built(&place).await;
        let answer = place.first_element_child().unwrap();
        assert_eq!(answer.inner_html(), expected, "in steps of {step}");
        // Another answer in the same element.
        text.set("other".into());
        built(&place).await;
        assert_eq!(
            answer.inner_html(),
            "<div class=\"part\"><p dir=\"auto\">other</p></div>"
        );
    }
}

#[wasm_bindgen_test]
async fn the_set_of_elements() {
    let answer = whole(ANSWER).await;
    let link = find(&answer, "p a").unwrap();
    assert_eq!(link.get_attribute("href").unwrap(), "https://example.com/x");
    assert_eq!(link.get_attribute("target").unwrap(), "_blank");
    assert_eq!(
        link.get_attribute("rel").unwrap(),
        "noopener noreferrer nofollow"
    );
    let host = link.next_element_sibling().unwrap();
    assert_eq!(host.text_content().unwrap(), " (example.com)");
    let bare = find(&answer, "td a").unwrap();
    assert!(bare.next_element_sibling().is_none());
    let code = find(&answer, "figure.code > pre").unwrap();
    for (name, value) in [
        ("role", "group"),
        ("tabindex", "0"),
        ("aria-label", "Code, Rust"),
    ] {
        assert_eq!(code.get_attribute(name).unwrap(), value);
    }
    let table = find(&answer, "div.table").unwrap();
    assert_eq!(table.get_attribute("aria-label").unwrap(), "Table");
    assert_eq!(
        find(&table, "th.right").unwrap().text_content().unwrap(),
        "b"
    );
    assert_eq!(
        find(&answer, "a.chip").unwrap().text_content().unwrap(),
        "Image: alt (example.org)"
    );
    assert!(find(&answer, "img, b, h1, h2, h3, [style], [onclick]").is_none());
    let marks = answer.query_selector_all_len(".hidden-mark");
    assert_eq!(marks, 2);
    assert!(find(&answer, "[aria-label=done]").is_some());
}

#[wasm_bindgen_test]
async fn hostile_text_stays_text() {
    let answer = whole(
        "<img src=x onerror=alert(1)>\n\n<script>alert(1)</script>\n\na <iframe src=//evil.com> [b](javascript:alert(1)) \
         <javascript:alert(1)> [c](data:text/html,x) ![d](//evil.com/x.png) [e](https://f.g/\"onclick=x)\n",
    )
    .await;
    assert!(find(&answer, "img, script, iframe, [onclick], [onerror]").is_none());
    let links = answer.query_selector_all_len("a");
    assert_eq!(links, 1);
    assert!(answer.text_content().unwrap().contains("onerror=alert(1)>"));
    let deep = whole(&"> ".repeat(20_000)).await;
    assert!(deep.query_selector_all_len("blockquote") <= 100);
}

trait Count {
    fn query_selector_all_len(&self, what: &str) -> usize;
}

impl Count for Element {
    /// Walks the tree: `querySelectorAll` needs a web-sys feature that the page itself does not use.
    fn query_selector_all_len(&self, what: &str) -> usize {
        let mut count = 0;
        let mut next = self.first_element_child();
        while let Some(child) = next {
            count += usize::from(child.matches(what).unwrap());
            count += child.query_selector_all_len(what);
            next = child.next_element_sibling();
        }
        count
    }
}

#[wasm_bindgen_test]
async fn a_block_in_spans_that_changes_after_all_is_built_anew() {
    let text = ArcRwSignal::new("```rust\nfn a() {}\n```\n".to_owned());
    let place = view(&text, &ArcRwSignal::new(false));
    built(&place).await;
    let code = find(&place, "pre code").unwrap();
    let span = document().create_element("span").unwrap();
    span.set_text_content(Some("fn a() {}\n"));
    code.replace_child(&span, &code.first_child().unwrap())
        .unwrap();
    text.set("```rust\nfn a() {}\nfn b() {}\n```\n".into());
    built(&place).await;
    let code = find(&place, "pre code").unwrap();
    assert_eq!(code.text_content().unwrap(), "fn a() {}\nfn b() {}\n");
    assert!(find(&code, "span").is_none());
}
