use super::numbers::{amount, measures_of};
use super::parts::{Part, paths};
use crate::modules::rust_files;
use crate::place;

#[test]
fn the_longest_path_decides_where_a_file_belongs() {
    for (file, part) in [
        ("kernel/stores/src/chats.rs", Part::KernelPage),
        ("crates/search/src/recall.rs", Part::Room("recall")),
        ("crates/search/src/recall/index.rs", Part::Room("recall")),
        ("rooms/queue/src/store.rs", Part::Room("queue")),
        ("crates/state/src/stores.rs", Part::Rest),
        ("crates/records/src/queue.rs", Part::Room("queue")),
        ("crates/text/src/lines.rs", Part::Library),
        ("kernel/server/src/api/models.rs", Part::KernelServer),
        ("src/api/backup.rs", Part::Room("backup")),
        ("rooms/appearance/src/theme.rs", Part::Room("appearance")),
        ("src/program/run.rs", Part::Rest),
        ("kernel/view/src/parts/banner.rs", Part::KernelPage),
        ("src/ui/backup.rs", Part::Room("backup")),
        ("src/ui/backups.rs", Part::Rest),
        ("xtask/src/main.rs", Part::Tools),
    ] {
        assert_eq!(Part::of(file), part, "{file}");
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
    let root = place::root();
    let folders = ["src", "crates", "kernel", "rooms"].map(|folder| rust_files(&root.join(folder)));
    let files = folders.into_iter().flat_map(Result::unwrap);
    let files = files.map(|file| file.strip_prefix(&root).unwrap().display().to_string());
    let rest: Vec<_> = files
        .filter(|file| Part::of(file) == Part::Rest && !file.starts_with("src/program/"))
        .collect();
    assert_eq!(
        rest,
        [
            "src/api/mod.rs",
            "src/browser/mod.rs",
            "src/lib.rs",
            "src/main.rs",
            "src/pages.rs",
            "src/server/args.rs",
            "src/server/config.rs",
            "src/server/embedded_client.rs",
            "src/server/mod.rs",
            "src/server/room_limits.rs",
            "src/ui/all_commands.rs",
            "src/ui/all_settings.rs",
            "src/ui/app.rs",
            "src/ui/mod.rs",
            "src/ui/provide_stores.rs",
            "src/ui/room_edges.rs",
            "src/ui/stores.rs",
            "crates/calls/src/lib.rs",
            "crates/records/src/lib.rs",
            "crates/state/src/lib.rs",
            "crates/state/src/room_edges.rs",
            "crates/state/src/stores.rs",
        ]
    );
}

#[test]
fn the_kernel_names_no_room_and_a_room_no_other() {
    let (queue, speech) = (Part::Room("queue"), Part::Room("speech"));
    assert!(
        queue.may_use(queue) && queue.may_use(Part::KernelPage) && queue.may_use(Part::Library)
    );
    assert!(
        !queue.may_use(speech) && !Part::KernelPage.may_use(queue) && !Part::Library.may_use(queue)
    );
    assert!(Part::Rest.may_use(queue));
}

#[test]
fn lines_of_tests_are_none_of_the_program() {
    let text = "//! Module.\n\nfn a() {}\n\n/// Why.\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n}\n\nstruct A;\n\
        impl A {\n    #[cfg(test)]\n    fn t() {\n    }\n}\n#[cfg(not(test))]\nconst B: u8 = 0;\n";
    let of = |file| amount("lines of the program", file, &measures_of(text).unwrap()).unwrap();
    assert_eq!(of("src/ui/a.rs"), 10);
    assert_eq!(of("xtask/src/a.rs"), 0);
    assert_eq!(of("kernel/log/benches/a.rs"), 0);
    assert_eq!(of("kernel/log/src/tests/a.rs"), 0);
}

#[test]
fn what_is_counted_is_counted_where_it_matters() {
    let text = "fn a(b: &'static str, c: &'static Stores, d: &'static strange::D) { // &'static E, untrack\n\
        untrack(|| b.get_untracked()); Effect::new(move || { c.set(1) }); Effect::new(move || view(c.get())); }\n";
    let measures = measures_of(text).unwrap();
    for (name, file, expected) in [
        ("&'static in stores", "crates/state/src/a.rs", 2),
        ("&'static in stores", "src/ui/a.rs", 0),
        ("untracked reads in views", "src/ui/a.rs", 2),
        ("effects in views that write signals", "src/ui/a.rs", 1),
        (
            "effects in views that write signals",
            "crates/state/src/a.rs",
            0,
        ),
        ("functions over 80 lines", "src/ui/a.rs", 0),
    ] {
        assert_eq!(
            amount(name, file, &measures),
            Some(expected),
            "{name}, {file}"
        );
    }
    let long = format!("fn a() {{\n{}}}\n", "b();\n".repeat(79));
    assert_eq!(
        amount(
            "functions over 80 lines",
            "a.rs",
            &measures_of(&long).unwrap()
        ),
        Some(1)
    );
    assert_eq!(
        amount(
            "files over 400 lines",
            "a.rs",
            &measures_of(&"fn a() {}\n".repeat(401)).unwrap()
        ),
        Some(1)
    );
}
