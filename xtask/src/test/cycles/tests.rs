use super::graph::Graph;
use std::path::Path;

/// The cycles of a crate with these files.
#[track_caller]
fn cycles(files: &[(&str, &str)]) -> Vec<String> {
    let read = |path: &Path| {
        let file = files.iter().find(|(name, _)| Path::new(name) == path);
        let (_, text) = file.ok_or_else(|| format!("{} is not there", path.display()))?;
        Ok((*text).to_owned())
    };
    Graph::read(Path::new("lib.rs"), &read).unwrap().cycles()
}

#[test]
fn two_modules_that_import_from_each_other_are_a_cycle() {
    let found = cycles(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use super::b::B; pub struct A(B);"),
        ("b.rs", "use crate::a::A; pub struct B(Box<A>);"),
        ("c.rs", "use crate::{a::A, b::B}; fn c(_: A, _: B) {}"),
    ]);
    assert_eq!(found, ["  a -> b: B\n  b -> a: A"]);
}

#[test]
fn a_cycle_may_be_long_and_its_paths_may_stand_in_the_code() {
    let found = cycles(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "pub fn a() { crate::b::b() }"),
        ("b.rs", "pub fn b() { println!(\"{}\", super::c::c()) }"),
        ("c.rs", "use super::a; pub fn c() { a::a() }"),
    ]);
    assert_eq!(found, ["  a -> b: b\n  b -> c: c\n  c -> a: a"]);
}

#[test]
fn imports_that_point_one_way_are_no_cycle() {
    let found = cycles(&[
        ("lib.rs", "mod a; mod b; pub use a::A;"),
        (
            "a.rs",
            "use std::fmt; use super::b::{self, B}; pub struct A(B, fmt::Error, b::B);",
        ),
        ("b.rs", "pub struct B; impl B { pub fn a(&self) {} }"),
    ]);
    assert_eq!(found, [""; 0]);
}

#[test]
fn re_exports_are_followed_to_the_definition() {
    // `a` re-exports its children's items; the children depend on each other in one direction.
    let files = [
        ("lib.rs", "pub mod a;"),
        (
            "a/mod.rs",
            "mod low; mod high; pub use high::High; pub use low::*;",
        ),
        ("a/low.rs", "pub struct Low;"),
        ("a/high.rs", "use super::Low; pub struct High(Low);"),
    ];
    assert_eq!(cycles(&files), [""; 0]);
    let [lib, a, _, high] = files;
    let low = ("a/low.rs", "pub struct Low(crate::a::High);");
    assert_eq!(
        cycles(&[lib, a, low, high]),
        ["  a::high -> a::low: Low\n  a::low -> a::high: High"]
    );
}

#[test]
fn a_function_may_be_called_like_a_module() {
    let found = cycles(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "pub fn a() { super::b::c() }"),
        ("b.rs", "use super::{a, c}; pub fn c() { a::a(); c::c() }"),
        ("c.rs", "pub fn c() {}"),
    ]);
    assert_eq!(found, ["  a -> b: c\n  b -> a: a"]);
}

#[test]
fn what_a_module_takes_from_within_it_is_no_need() {
    let found = cycles(&[
        ("lib.rs", "mod a; mod b;"),
        (
            "a.rs",
            "mod part; pub struct A(part::Part); pub(crate) const N: u8 = 1;",
        ),
        (
            "a/part.rs",
            "use super::{A, N}; pub struct Part; impl A { pub fn n() -> u8 { N } }",
        ),
        ("b.rs", "use crate::a::A; fn b(_: A) {}"),
    ]);
    assert_eq!(found, [""; 0]);
    // The child modules can be part of cycles with other modules.
    let found = cycles(&[
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "pub mod part;"),
        ("a/part.rs", "pub fn part() { crate::b::b() }"),
        ("b.rs", "use super::a::part; pub fn b() { part::part() }"),
    ]);
    assert_eq!(found, ["  a::part -> b: b\n  b -> a::part: part"]);
}

#[test]
fn tests_and_visibilities_need_nothing() {
    let found = cycles(&[
        ("lib.rs", "mod a; mod b;"),
        (
            "a.rs",
            "pub(in crate::b) struct A; impl A { #[cfg(test)] fn t() { crate::b::b() } }
             #[cfg(test)] mod tests { use crate::b::b; #[test] fn t() { b() } }
             #[cfg(all(test, not(target_arch = \"wasm32\")))] use crate::b;",
        ),
        (
            "b.rs",
            "use crate::a::A; pub fn b(_: A) {} #[cfg(not(test))] fn c() {}",
        ),
    ]);
    assert_eq!(found, [""; 0]);
}

#[test]
fn an_inline_module_belongs_to_its_file() {
    let found = cycles(&[
        ("lib.rs", "mod a; mod b;"),
        (
            "a.rs",
            "pub struct A; mod inner { use super::A; use super::super::b::B; fn f(_: A, _: B) {} }",
        ),
        ("b.rs", "pub struct B(super::a::A);"),
    ]);
    assert_eq!(found, ["  a -> b: B\n  b -> a: A"]);
}

#[test]
fn this_workspace_can_be_read() {
    let roots = super::roots(&crate::place::root()).unwrap();
    assert!(roots.iter().any(|root| root.ends_with("xtask/src/main.rs")));
    for root in roots {
        let read = |file: &Path| std::fs::read_to_string(file).map_err(|error| error.to_string());
        Graph::read(&root, &read).unwrap();
    }
}
