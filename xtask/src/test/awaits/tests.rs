use super::{compare, listed, source};

#[track_caller]
fn awaits(text: &str) -> Vec<(String, usize)> {
    source::awaits(text).unwrap().into_iter().collect()
}

#[test]
fn an_await_that_something_follows_is_counted_for_its_function() {
    let text = "
        impl A {
            fn load(self) {
                spawn(async move {
                    let list = asked.await;
                    while let Some(frame) = frames.next().await { self.list.set(frame); }
                    self.list.set(list);
                });
            }
        }
        async fn save(key: Key) { let done = write(key).await; note(done); }
    ";
    assert_eq!(awaits(text), [("load".into(), 2), ("save".into(), 1)]);
}

#[test]
fn an_await_that_ends_its_function_or_block_is_not_counted() {
    let text = "
        async fn a() -> Result<()> { prepare(); commit().await? }
        async fn b(x: bool) { if x { one().await } else { match y { 1 => two().await, _ => {} } } }
        fn c() { spawn(async move { is_held(&name).await }); }
        fn d() { spawn(async move { is_held(&name).await; }); }
        fn f() -> impl IntoView { view! { <a on:click=move |_| spawn(async move { x().await; y() }) /> } }
        #[cfg(test)] mod tests { async fn e() { x().await; y(); } }
    ";
    assert_eq!(awaits(text), [("d".into(), 1), ("f".into(), 1)]);
}

#[test]
fn the_list_and_the_code_must_be_the_same() {
    let list = "# Awaits\n\n## a.rs\n- `load`, 2: the list; nothing.\n- `gone`, 1: x.\n";
    let list = listed(list).unwrap();
    let found = [(("a.rs", "load"), 3), (("b.rs", "save"), 1)];
    let found =
        found.map(|((file, function), count)| ((file.to_owned(), function.to_owned()), count));
    let problems = compare(&found.into(), &list);
    assert_eq!(
        problems,
        [
            "a.rs: `load` waits 3 times and goes on; docs/awaits.md says 2",
            "b.rs: `save` waits (1) and goes on; docs/awaits.md has no entry for it",
            "docs/awaits.md: a.rs has no `gone` that waits and goes on",
        ]
    );
    for wrong in [
        "- `load`: x",
        "- `load`, two: x",
        "- `load`, 2: ",
        "- `a`, 1: x\n- `a`, 1: y",
    ] {
        assert!(listed(wrong).is_err(), "{wrong}");
    }
}
