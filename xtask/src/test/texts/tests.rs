use super::source::{keys, texts};
use super::{is_listed, is_shown, others_keys};
use crate::modules::tokens::without_tests;

fn check(code: &str, expected: &[&str]) {
    let found = texts(&without_tests(code).unwrap().0);
    let found: Vec<&str> = found.iter().map(|text| text.value.as_str()).collect();
    assert_eq!(found, expected, "{code}");
}

#[test]
fn texts_are_found_by_their_place_and_their_look() {
    check(r#"view! { <p class="Big one">"now"</p> }"#, &["now"]);
    check(
        r#"view! { <Literal name="The prompt" /> }"#,
        &["The prompt"],
    );
    check(r#"view! { <input name="first-rule" /> }"#, &[]);
    check(r#"view! { <b title="of" /> }"#, &["of"]);
    check(r#"view! { <b attr:data-x="open" /> }"#, &[]);
    check(
        r#"view! { <p>{move || if on.get() { "Stop it" } else { "on" }}</p> }"#,
        &["Stop it"],
    );
    check(
        r#"let a = format!("{n} of {all}", n = "two words");"#,
        &["{n} of {all}", "two words"],
    );
    check(
        r#"match key { "Enter" | "Escape" => "Done", _ => "" }"#,
        &["Done"],
    );
    check(
        r#"let a = b.map_or_else(|| "this model", |b| "two words");"#,
        &["this model", "two words"],
    );
    check(r#"let a = key == "Enter" || key != "Escape";"#, &[]);
}

#[test]
fn what_a_developer_reads_is_no_text() {
    check(
        r#"tracing::info!("Two words"); a.expect("two words"); assert!(a, "two words");"#,
        &[],
    );
    check(
        r#"#[cfg(test)] mod tests { const A: &str = "two words"; } const B: &str = "Two";"#,
        &["Two"],
    );
    check(
        r#"#[cfg(any(test, target_arch = "wasm32"))] const A: &str = "Two";"#,
        &["Two"],
    );
    check(r#"#[must_use = "two words"] fn a() {}"#, &[]);
    check(r#"t!(parts.close, name = name)"#, &[]);
}

/// "llama3.2 ist deleted" was said in German: the word was filled into a translated sentence.
#[test]
fn one_word_is_a_text_where_it_is_filled_in_announced_or_beside_words_of_the_catalogue() {
    check(
        r#"fn a(self) -> String { let done = match self { Self::Load => "loaded", Self::Pull => "pulled" }; t!(b.c, done = done) }"#,
        &["loaded", "pulled"],
    );
    check(
        r#"t!(parts.close, name = "gone", why = &"two words")"#,
        &["gone", "two words"],
    );
    check(
        r#"notices.announce("done"); notices.show(format!("{n}: {}", "late"));"#,
        &["done", "late"],
    );
    check(
        r#"fn a() -> String { let by = b.unwrap_or("you"); let c = Some("none".to_owned()); name += " (missing)"; t!(b.c) }"#,
        &["you", "none", " (missing)"],
    );
    check(
        r#"const A: [P; 1] = [P { note: || t!(a.b), default: "random" }]; fn b() -> &'static str { "key" }"#,
        &["random"],
    );
    check(
        r#"fn a(f: F) { match f { A => f.write_str("new"), B => f.write_str(t!(a.b)) } }"#,
        &["new"],
    );
}

#[test]
fn one_word_is_no_text_as_a_key_an_attribute_or_an_argument_of_a_call() {
    for code in [
        r#"fn a() -> String { let b = c.get("model"); if d == "json" { t!(b.c) } else { e } }"#,
        r#"fn a() { match b { "left" | "right" => t!(b.c), "both" => t!(b.d), _ => e } }"#,
        r#"fn a() { [("small", t!(a.b)), ("large", t!(a.c))] }"#,
        r#"fn a() { let b = [("class", "task"), ("role", "img"), ("aria-label", t!(a.b))]; }"#,
        r#"fn a() { view! { <p data-on=move || b.get().then_some("true")>{t!(a.b)}</p> } }"#,
        r#"fn a() { with("span", &[("class", "chip")]); t!(a.b) }"#,
        r#"fn class(self) -> &'static str { match self { Self::Small => "small", _ => "large" } }"#,
    ] {
        check(code, &[]);
    }
}

#[test]
fn the_keys_of_the_catalogue_are_found_in_the_code() {
    let found = keys("{t!(parts.close)} t!(\n    count.messages,\n    count = 2) format!(x)");
    assert_eq!(
        found.into_iter().collect::<Vec<_>>(),
        ["count.messages", "parts.close"]
    );
}

#[test]
fn a_text_of_a_room_is_named_in_that_room_alone() {
    let rooms = ["read-ahead", "speech"].map(str::to_owned);
    let code = "t!(speech.slow) + t!(common.close) + plain_t!(read_ahead.on)";
    let others = |file: &str| Vec::from_iter(others_keys(file, &keys(code), &rooms));
    assert_eq!(others("rooms/speech/src/lib.rs"), ["read_ahead.on"]);
    assert_eq!(others("rooms/read-ahead/src/lib.rs"), ["speech.slow"]);
    assert_eq!(
        others("kernel/view/src/page.rs"),
        ["read_ahead.on", "speech.slow"]
    );
}

#[test]
fn what_is_listed_as_no_text_is_none_in_its_file() {
    assert!(is_listed("kernel/view/src/a.rs", "Enter"));
    assert!(is_listed("rooms/import/src/plan/formats.rs", "Zstandard"));
    assert!(!is_listed("kernel/view/src/a.rs", "Zstandard"));
    assert!(is_shown("src/app.rs") && is_shown("kernel/wire/src/parameters.rs"));
    assert!(!is_shown("rooms/demo/src/server/answer.rs") && !is_shown("src/program/flags.rs"));
}
