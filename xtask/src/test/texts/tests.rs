use super::source::{keys, texts};

fn check(code: &str, expected: &[&str]) {
    let found = texts(code).unwrap();
    let found: Vec<&str> = found.iter().map(|text| text.value.as_str()).collect();
    assert_eq!(found, expected, "{code}");
}

#[test]
fn texts_are_found_by_their_place_and_their_look() {
    check(r#"view! { <p class="Big one">"now"</p> }"#, &["now"]);
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
    check(r#"#[must_use = "two words"] fn a() {}"#, &[]);
    check(r#"t!(parts.close, name = "Two words")"#, &[]);
}

#[test]
fn the_keys_of_the_catalogue_are_found_in_the_code() {
    let found = keys("{t!(parts.close)} t!(\n    count.messages,\n    count = 2) format!(x)");
    assert_eq!(
        found.into_iter().collect::<Vec<_>>(),
        ["count.messages", "parts.close"]
    );
}
