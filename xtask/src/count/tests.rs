use super::numbers::{Numbers, add, is_counted};
use super::parts::{KERNEL_PAGE, KERNEL_SERVER, REST, TOOLS, part_of, paths};
use crate::modules::{SourceFile, sources};
use crate::place;

#[test]
fn the_longest_path_decides_where_a_file_belongs() {
    for (file, part) in [
        ("kernel/stores/src/chats.rs", KERNEL_PAGE),
        ("crates/search/src/recall.rs", "room recall"),
        ("crates/search/src/recall/index.rs", "room recall"),
        ("rooms/queue/src/store.rs", "room queue"),
        ("crates/records/src/queue.rs", "room queue"),
        ("crates/text/src/lines.rs", "libraries"),
        ("kernel/server/src/api/models.rs", KERNEL_SERVER),
        ("crates/records/src/backup/fields.rs", "room backup"),
        ("crates/records/src/backups.rs", "libraries"),
        ("src/program/run.rs", REST),
        ("xtask/src/main.rs", TOOLS),
    ] {
        assert_eq!(part_of(file), part, "{file}");
    }
}

#[test]
fn each_path_of_the_table_is_there() {
    let is_there = |path: &&str| {
        let path = place::root().join(path);
        path.exists() || path.with_extension("rs").exists()
    };
    let paths = paths().map(|(path, _)| path);
    let gone: Vec<_> = paths.filter(|path| !is_there(path)).collect();
    assert_eq!(gone, [""; 0]);
}

/// What belongs to no part may name every room: a new file must have a row.
#[test]
fn only_the_roots_belong_to_no_part() {
    let sources = sources().unwrap();
    let rest: Vec<_> = sources
        .keys()
        .filter(|file| part_of(file) == REST && !file.starts_with("src/program/"))
        .collect();
    assert_eq!(
        rest,
        [
            "crates/records/src/lib.rs",
            "src/all_commands.rs",
            "src/all_settings.rs",
            "src/app.rs",
            "src/lib.rs",
            "src/main.rs",
            "src/pages.rs",
            "src/start.rs",
        ]
    );
}

/// How much of a number is in a file with this text.
fn amount(name: &str, file: &str, text: &str) -> usize {
    let source = SourceFile::parse(text.to_owned()).unwrap();
    let mut numbers = Numbers::default();
    add(&mut numbers, file, &source.measures);
    let places = numbers.falling.get(name).into_iter().flatten();
    places.map(|place| place.amount).sum()
}

#[test]
fn lines_of_tests_are_none_of_the_program() {
    let text = "//! Module.\n\nfn a() {}\n\n/// Why.\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n}\n\nstruct A;\n\
        impl A {\n    #[cfg(test)]\n    fn t() {\n    }\n}\n#[cfg(not(test))]\nconst B: u8 = 0;\n";
    let lines = |file| amount("lines of the program", file, text);
    assert_eq!(lines("kernel/view/src/a.rs"), 10);
    assert_eq!(lines("xtask/src/a.rs"), 0);
    assert!(!is_counted("kernel/log/benches/a.rs"));
    assert!(!is_counted("kernel/log/src/stream_tests.rs"));
}

#[test]
fn what_is_counted_is_counted_where_it_matters() {
    let text = "fn a(b: B, c: C) { // untrack\n\
        untrack(|| b.get_untracked()); Effect::new(move || { c.set(1) }); Effect::new(move || view(c.get())); }\n";
    for (name, file, expected) in [
        ("untracked reads in views", "kernel/view/src/a.rs", 2),
        ("untracked reads in views", "kernel/stores/src/a.rs", 0),
        (
            "effects in views that write signals",
            "kernel/view/src/a.rs",
            1,
        ),
        (
            "effects in views that write signals",
            "rooms/a/src/view/b.rs",
            1,
        ),
        (
            "effects in views that write signals",
            "rooms/a/src/store.rs",
            0,
        ),
        ("functions over 80 lines", "kernel/view/src/a.rs", 0),
    ] {
        assert_eq!(amount(name, file, text), expected, "{name}, {file}");
    }
    let long = format!("fn a() {{\n{}}}\n", "b();\n".repeat(79));
    assert_eq!(amount("functions over 80 lines", "a.rs", &long), 1);
    let long = "fn a() {}\n".repeat(401);
    assert_eq!(amount("files over 400 lines", "a.rs", &long), 1);
}
