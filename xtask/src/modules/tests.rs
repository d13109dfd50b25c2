use super::graph::Graph;
use super::source::SourceFile;

/// The cycles of a crate with these files.
#[track_caller]
fn cycles(files: &[(&str, &str)]) -> Vec<String> {
    let files = files.iter().map(|(name, text)| {
        let source = SourceFile::parse((*text).to_owned());
        ((*name).to_owned(), source.unwrap())
    });
    Graph::of("lib.rs", &files.collect()).uses().cycles()
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

/// `ui::header` used the function `ui::compare::ask_several`, which was taken for the module of that name.
#[test]
fn a_function_may_be_called_like_a_module_beside_it() {
    let lib = ("lib.rs", "mod a; mod b;");
    let b = ("b.rs", "use crate::a::ask; pub fn b() { ask() }");
    let found = cycles(&[
        lib,
        ("a/mod.rs", "mod ask; pub fn ask() {}"),
        ("a/ask.rs", "pub fn c() { crate::b::b() }"),
        b,
    ]);
    assert_eq!(found, ["  a::ask -> b: b\n  b -> a: ask"]);
    let found = cycles(&[
        lib,
        ("a/mod.rs", "mod ask; pub use self::ask::ask;"),
        ("a/ask.rs", "pub fn ask() { crate::b::b() }"),
        b,
    ]);
    assert_eq!(found, ["  a::ask -> b: b\n  b -> a::ask: ask"]);
}

#[test]
fn a_module_and_its_child_that_use_each_other_are_a_cycle() {
    let child = ("a/part.rs", "use super::N; pub struct Part([u8; N]);");
    let found = cycles(&[
        ("lib.rs", "mod a;"),
        (
            "a.rs",
            "mod part; use part::Part; pub const N: usize = 1; pub struct A(Part);",
        ),
        child,
    ]);
    assert_eq!(found, ["  a -> a::part: Part\n  a::part -> a: N"]);
    // A declaration and a re-export use nothing of the child.
    let found = cycles(&[
        ("lib.rs", "mod a;"),
        (
            "a.rs",
            "mod part; pub(crate) use part::Part; pub const N: usize = 1;",
        ),
        child,
    ]);
    assert_eq!(found, [""; 0]);
    // The use of a re-exported name is a use.
    let found = cycles(&[
        ("lib.rs", "mod a;"),
        (
            "a.rs",
            "mod part; pub use part::Part; pub const N: usize = 1; fn f(_: Part) {}",
        ),
        child,
    ]);
    assert_eq!(found, ["  a -> a::part: Part\n  a::part -> a: N"]);
}

#[test]
fn the_crate_root_is_a_module_like_others() {
    let found = cycles(&[
        (
            "lib.rs",
            "mod a; pub struct Root; fn start() { a::run(Root) }",
        ),
        ("a.rs", "pub fn run(_: crate::Root) {}"),
    ]);
    assert_eq!(found, ["  crate -> a: run\n  a -> crate: Root"]);
}

#[test]
fn folders_that_use_each_other_are_a_cycle() {
    let found = cycles(&[
        ("lib.rs", "mod a; mod b;"),
        ("a/mod.rs", "pub mod high; pub mod low;"),
        ("a/high.rs", "pub fn high() { crate::b::b() }"),
        ("a/low.rs", "pub struct Low;"),
        ("b.rs", "use crate::a::low::Low; pub fn b() -> Low { Low }"),
    ]);
    assert_eq!(found, ["  a::high -> b: b\n  b -> a::low: Low"]);
}

#[test]
fn a_child_may_add_methods_to_a_type_of_its_parent() {
    let lib = ("lib.rs", "mod a; mod b;");
    let parent = (
        "a.rs",
        "mod part; use part::Part; pub struct A(Part); fn n() -> u8 { 1 }",
    );
    let b = ("b.rs", "pub fn b() {}");
    let methods = "use super::{A, n}; pub struct Part; impl A { pub fn n(&self) -> u8 { n() } }";
    assert_eq!(cycles(&[lib, parent, ("a/part.rs", methods), b]), [""; 0]);
    // Outside of the block it is a use.
    let function = format!("{methods} fn f(_: A) {{}}");
    assert_eq!(
        cycles(&[lib, parent, ("a/part.rs", &function), b]),
        ["  a -> a::part: Part\n  a::part -> a: A"]
    );
    // What the block uses of other modules is the file's.
    let other = "use super::A; pub struct Part; impl A { pub fn n(&self) { crate::b::b() } }";
    let b = ("b.rs", "pub fn b() { crate::a::a() }");
    let parent = (
        "a.rs",
        "mod part; use part::Part; pub struct A(Part); pub fn a() {}",
    );
    assert_eq!(
        cycles(&[lib, parent, ("a/part.rs", other), b]),
        ["  a::part -> b: b\n  b -> a: a"]
    );
    // A file that is not below the type's module depends on it.
    let found = cycles(&[
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "use crate::b::B; pub struct A(B);"),
        ("b.rs", "use crate::a::A; pub struct B; impl A {}"),
    ]);
    assert_eq!(found, ["  a -> b: B\n  b -> a: A"]);
}

#[test]
fn a_trait_that_is_imported_for_its_methods_is_used() {
    let found = cycles(&[
        ("lib.rs", "mod a; mod b;"),
        (
            "a.rs",
            "use crate::b::Tell as _; pub struct A; fn f() { 1.tell() }",
        ),
        (
            "b.rs",
            "pub trait Tell { fn tell(&self, _: crate::a::A) {} }",
        ),
    ]);
    assert_eq!(found, ["  a -> b: Tell\n  b -> a: A"]);
}

#[test]
fn a_variable_may_be_called_like_a_child_module() {
    let found = cycles(&[
        ("lib.rs", "mod a;"),
        (
            "a.rs",
            "mod part; pub struct A; fn f(part: u8) -> u8 { part }",
        ),
        ("a/part.rs", "pub fn g(_: super::A) {}"),
    ]);
    assert_eq!(found, [""; 0]);
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

/// A name of a method, of a field or of a variable is no use of a function that is called like it.
#[test]
fn methods_and_fields_are_called_as_they_like() {
    let found = cycles(&[
        ("lib.rs", "mod a;"),
        (
            "a.rs",
            "mod ask; pub use ask::ask; pub struct A; fn f(a: X) -> X { a.ask(X { ask: 1 }) }",
        ),
        ("a/ask.rs", "pub fn ask(_: super::A) {}"),
    ]);
    assert_eq!(found, [""; 0]);
}

#[test]
fn a_type_that_is_returned_is_no_block_of_methods() {
    let found = cycles(&[
        ("lib.rs", "mod a;"),
        (
            "a.rs",
            "mod part; use part::part; pub trait A {} fn f() { part(); }",
        ),
        (
            "a/part.rs",
            "use super::A; impl<T: Fn() -> u8> A for T where T: Copy {} pub fn part() -> impl A { 1 }",
        ),
    ]);
    assert_eq!(found, ["  a -> a::part: part\n  a::part -> a: A"]);
}

#[test]
fn this_workspace_can_be_read() {
    let sources = super::sources().unwrap();
    let roots: Vec<_> = super::roots(&sources).collect();
    for root in ["kernel/chat/src/lib.rs", "src/main.rs", "xtask/src/main.rs"] {
        assert!(roots.contains(&&root.to_owned()), "{root}");
    }
}
