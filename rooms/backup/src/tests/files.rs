use crate::files::{DirectoryFiles, FileStat};
use crate::memory_files::MemoryFiles;
use crate::{BackupFault, BackupProblem};
use futures::executor::block_on;

const FULL: BackupFault = BackupFault::Failed {
    problem: BackupProblem::Full,
};
const NOT_PLAIN: BackupFault = BackupFault::Failed {
    problem: BackupProblem::NotPlain,
};

fn names(files: &MemoryFiles, directory: &str) -> Vec<(String, bool, bool)> {
    let entries = block_on(files.entries(directory)).unwrap().into_iter();
    entries
        .map(|entry| (entry.name, entry.is_file, entry.is_directory))
        .collect()
}

#[test]
fn files_in_memory_are_read_as_they_were_written() {
    let files = MemoryFiles::default();
    files.time.set(5);
    block_on(files.write("chats/1/2.jsonl", b"words")).unwrap();
    files.is_slow.set(true);
    assert_eq!(
        block_on(files.read("chats/1/2.jsonl", 5)),
        Ok(Some(b"words".to_vec()))
    );
    assert_eq!(
        block_on(files.read("chats/1/2.jsonl", 4)),
        Err(BackupFault::TooLong)
    );
    assert_eq!(
        block_on(files.head("chats/1/2.jsonl", 4)),
        Ok(Some(b"word".to_vec()))
    );
    let stat = FileStat {
        size: 5,
        modified_ms: 5,
    };
    assert_eq!(block_on(files.stat("chats/1/2.jsonl")), Ok(Some(stat)));
    assert_eq!(block_on(files.stat("chats/1/3.jsonl")), Ok(None));
    assert_eq!(names(&files, ""), [("chats".to_owned(), false, true)]);
    assert_eq!(
        names(&files, "chats/1"),
        [("2.jsonl".to_owned(), true, false)]
    );
    assert_eq!(names(&files, "kept"), []);
    assert_eq!(files.having(b"ord"), ["chats/1/2.jsonl"]);
    block_on(files.remove("chats/1/2.jsonl")).unwrap();
    block_on(files.remove("chats/1/2.jsonl")).unwrap();
    assert_eq!(files.paths(), Vec::<String>::new());
}

#[test]
fn files_in_memory_fail_stop_and_are_full_as_they_are_told() {
    let files = MemoryFiles::default();
    files.fail(2, BackupProblem::Denied);
    assert_eq!(block_on(files.write("a", b"1")), Ok(()));
    assert!(block_on(files.write("a", b"2")).is_err());
    assert_eq!(block_on(files.write("b", b"3")), Ok(()));
    assert_eq!(files.text("a").as_deref(), Some("1"));
    // The former file takes its room until the new one is there.
    files.room.set(Some(3));
    assert_eq!(block_on(files.write("a", b"4")), Ok(()));
    assert_eq!(block_on(files.write("a", b"55")), Err(FULL));
    files.stop_after(1);
    assert_eq!(block_on(files.remove("a")), Ok(()));
    assert!(block_on(files.remove("b")).is_err() && block_on(files.stat("b")).is_err());
    let restarted = files.restarted();
    assert_eq!(block_on(restarted.read("b", 9)), Ok(Some(b"3".to_vec())));
}

#[test]
fn a_link_or_a_pipe_is_neither_read_nor_written() {
    let files = MemoryFiles::default();
    files.set("chats/1/2.jsonl", "words");
    files.oddities.borrow_mut().insert("chats/3".to_owned());
    let expected = [
        ("1".to_owned(), false, true),
        ("3".to_owned(), false, false),
    ];
    assert_eq!(names(&files, "chats"), expected);
    for path in ["chats/3", "chats/3/2.jsonl", "chats/1"] {
        assert_eq!(block_on(files.read(path, 9)), Err(NOT_PLAIN), "{path}");
        assert_eq!(block_on(files.write(path, b"1")), Err(NOT_PLAIN), "{path}");
    }
    assert_eq!(block_on(files.entries("chats/3")), Err(NOT_PLAIN));
}
