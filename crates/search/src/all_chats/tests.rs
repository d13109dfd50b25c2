use super::*;
use sash_chat::{Head, Role};
use sash_log::{Kinds, MemoryStore};

const CHAT: Id = Id(1);
const OTHER: Id = Id(2);
const TEXTS: [&str; 4] = [
    "Which database should I use for a recipe site?",
    "SQLite is plenty. Back it up with VACUUM INTO every night.",
    "And full-text search over the ingredients?",
    "FTS5 is built in: a virtual table with the unicode61 tokenizer, kept in step by triggers.",
];

/// A log and the index that follows it.
struct Followed {
    log: Log<MemoryStore>,
    index: AllChatsIndex,
}

impl Followed {
    /// A log with the messages of one chat that are given by their `seq`.
    fn new(seqs: &[u32]) -> Self {
        let mut log = Log::open(MemoryStore::default(), Id(99), Kinds::default())
            .ok()
            .unwrap();
        let mut index = AllChatsIndex::new(&mut log);
        index.read_all(std::iter::empty());
        let mut followed = Self { log, index };
        for chat in [CHAT, OTHER] {
            followed.log.save_head(&Head::new(chat, 1)).unwrap();
        }
        for seq in seqs {
            followed.write(CHAT, *seq);
        }
        followed
    }

    fn write(&mut self, chat: Id, seq: u32) {
        self.log.save_message(chat, &message(seq)).unwrap();
        self.follow();
    }

    /// Follows all changes; returns the steps that this takes.
    fn follow(&mut self) -> usize {
        let mut steps = 0;
        while self.index.step(&mut self.log, 0) {
            steps += 1;
        }
        steps
    }

    fn search(&mut self, query: &str) -> Vec<(Id, Option<Id>)> {
        let hits = self.index.search(&mut self.log, &SearchQuery::read(query));
        hits.iter().map(|hit| (hit.chat, hit.message)).collect()
    }

    fn recall(&self) -> Vec<(Id, Id)> {
        let prompt = "Do the triggers slow down the tokenizer?".into();
        let found = self.index.recall(prompt, &|_, _| true);
        found.iter().map(|one| (one.chat, one.message)).collect()
    }

    /// Whether a word is in the index, of a message that can be found or not.
    fn holds(&self, word: &str) -> bool {
        self.index.messages.holds(word)
    }
}

#[test]
fn a_message_is_found_by_search_and_by_recall() {
    let mut all = Followed::new(&[1, 2, 3, 4]);
    assert_eq!(all.index.len(), 4);
    assert_eq!(all.search("trigg"), [(CHAT, Some(Id(4)))]);
    assert_eq!(all.recall()[0], (CHAT, Id(4)));
    let prompt = "Do the triggers slow down the tokenizer?".into();
    assert!(all.index.recall(prompt, &|_, _| false).is_empty());
}

#[test]
fn a_message_that_comes_late_is_recalled_at_its_place() {
    let mut all = Followed::new(&[1, 2, 4, 3]);
    let in_order = Followed::new(&[1, 2, 3, 4]);
    assert_eq!(all.index.len(), 4);
    assert_eq!(all.search("ingredients "), [(CHAT, Some(Id(3)))]);
    assert_eq!(all.search("trigg"), [(CHAT, Some(Id(4)))]);
    assert_eq!(all.recall(), in_order.recall());
}

#[test]
fn what_is_in_the_trash_is_not_found_until_it_is_restored() {
    let mut all = Followed::new(&[1, 2, 3, 4]);
    let message = all.log.find_message(CHAT, Id(4)).unwrap();
    all.log.remove_message(CHAT, &message, 9).unwrap();
    all.follow();
    assert_eq!(all.index.len(), 3);
    assert!(all.search("trigg").is_empty());
    assert!(!all.recall().contains(&(CHAT, Id(4))));
    all.log.restore_message(CHAT, Id(4));
    all.follow();
    assert_eq!(all.recall()[0], (CHAT, Id(4)));
}

#[test]
fn of_what_is_purged_no_word_stays() {
    let mut all = Followed::new(&[1, 2, 3, 4]);
    assert!(all.holds("ingredients") && all.holds("sqlite"));
    let message = all.log.find_message(CHAT, Id(3)).unwrap();
    all.log.remove_message(CHAT, &message, 9).unwrap();
    all.log.purge_messages(CHAT, &[Id(3)], 9).unwrap();
    all.follow();
    assert!(!all.holds("ingredients") && all.holds("sqlite"));
    assert_eq!(all.recall()[0], (CHAT, Id(4)), "its neighbours are found");
    all.write(OTHER, 4);
    all.log.delete(CHAT, 9).unwrap();
    all.log.purge(CHAT, 9);
    all.follow();
    assert!(!all.holds("sqlite"));
    assert_eq!(all.search("trigg"), [(OTHER, Some(Id(4)))]);
    assert_eq!(all.index.messages.len(), 1);
}

#[test]
fn a_title_is_found_until_it_is_another_one() {
    let mut all = Followed::new(&[]);
    let mut rename = |title: Option<&str>| {
        all.log
            .save_head(&Head {
                title: title.map(str::to_owned),
                ..Head::new(CHAT, 5)
            })
            .unwrap();
        all.follow();
        ["cook", "bak"].map(|word| all.search(word).len())
    };
    assert_eq!(rename(Some("Cooking")), [1, 0]);
    assert_eq!(rename(Some("Baking")), [0, 1]);
    assert_eq!(rename(None), [0, 0]);
    assert!(all.index.is_empty() && !all.holds("cooking"));
}

#[test]
fn a_new_message_costs_one_step_however_much_there_is() {
    let mut all = Followed::new(&[1, 2, 3]);
    let message = Message::new(Id(4), None, 4, Role::User, 4);
    all.log.save_message(CHAT, &message).unwrap();
    assert_eq!(all.follow(), 1);
}

fn message(seq: u32) -> Message {
    Message {
        content: TEXTS[seq as usize - 1].to_owned(),
        ..Message::new(Id(u64::from(seq)), None, seq, Role::User, u64::from(seq))
    }
}

fn message_without_text(seq: u32) -> Message {
    Message {
        content: String::new(),
        ..message(seq)
    }
}

#[test]
fn before_all_chats_are_read_it_follows_the_chat_that_is_shown_alone() {
    let mut all = Followed::new(&[]);
    all.index = AllChatsIndex::new(&mut all.log);
    all.write(CHAT, 1);
    all.write(OTHER, 2);
    assert!(all.index.is_empty());
    all.index.add_shown(&all.log, CHAT, &message(1), 0);
    all.write(CHAT, 4);
    assert_eq!(all.search("trigg"), [(CHAT, Some(Id(4)))]);
    all.index.read_all([CHAT, OTHER].into_iter());
    all.follow();
    assert_eq!(all.index.len(), 3);
    assert_eq!(all.search("sqlite "), [(OTHER, Some(Id(2)))]);
}

#[test]
fn a_temporary_chat_is_in_its_branch_and_nowhere_else_until_it_is_kept() {
    let mut all = Followed::new(&[]);
    all.log.begin_temporary(Id(3));
    all.log.save_head(&Head::new(Id(3), 1)).unwrap();
    all.log.save_message(Id(3), &message(4)).unwrap();
    all.index.add_shown(&all.log, Id(3), &message(4), 0);
    all.follow();
    let branch = |all: &Followed| all.index.branch(Id(3), [Id(4)]).messages.len();
    assert_eq!(branch(&all), 1);
    assert!(all.index.is_empty() && all.search("trigg").is_empty() && all.recall().is_empty());
    all.log.keep_temporary(Id(3)).unwrap();
    all.follow();
    assert_eq!(all.search("trigg"), [(Id(3), Some(Id(4)))]);
    all.index.remove_chat(Id(3));
    all.follow();
    assert_eq!(branch(&all), 0);
    assert!(!all.holds("trigger") && !all.holds("triggers"));
}

/// A chat that another tab deleted is on the page until that is heard, and came into the index once more.
#[test]
fn a_deleted_chat_that_is_still_shown_is_not_found() {
    let mut all = Followed::new(&[1, 2]);
    all.log.delete(CHAT, 9).unwrap();
    all.follow();
    assert!(!all.index.add_shown(&all.log, CHAT, &message(2), 0));
    assert!(all.search("sqlite ").is_empty() && !all.holds("sqlite"));
}

#[test]
fn of_an_answer_that_was_read_before_its_end_the_whole_text_is_found() {
    let mut all = Followed::new(&[1]);
    all.log
        .begin_tail(CHAT, &message_without_text(2), None)
        .unwrap();
    all.log.append_tail(CHAT, Id(2), 1, "SQLite").unwrap();
    all.index = AllChatsIndex::new(&mut all.log);
    all.index.read_all([CHAT].into_iter());
    all.follow();
    assert_eq!(
        (all.search("sqlite ").len(), all.search("vacuum").len()),
        (1, 0)
    );
    assert!(all.index.add_shown(&all.log, CHAT, &message(2), 0));
    assert!(!all.index.add_shown(&all.log, CHAT, &message(2), 0), "once");
    assert_eq!(
        (all.search("sqlite ").len(), all.search("vacuum").len()),
        (1, 1)
    );
}

/// Of an answer that another tab wrote while this one showed it, the search found only what it had at first.
#[test]
fn of_an_answer_that_was_shown_before_its_end_the_whole_text_is_found() {
    let mut all = Followed::new(&[1]);
    all.log
        .begin_tail(CHAT, &message_without_text(2), None)
        .unwrap();
    let show = |all: &mut Followed, piece: u32, text: &str| {
        all.log.append_tail(CHAT, Id(2), piece, text).unwrap();
        let shown = all.log.find_message(CHAT, Id(2)).unwrap();
        let is_new = all.index.add_shown(&all.log, CHAT, &shown, 0);
        assert!(is_new && !all.index.add_shown(&all.log, CHAT, &shown, 0));
        ["sqlite ", "plenty ", "vacuum "].map(|word| all.search(word).len())
    };
    assert_eq!(show(&mut all, 1, "SQLite"), [1, 0, 0]);
    assert_eq!(show(&mut all, 2, " is plenty."), [1, 1, 0]);
    all.write(CHAT, 2);
    assert_eq!(all.search("vacuum "), [(CHAT, Some(Id(2)))]);
    assert!(!all.index.add_shown(&all.log, CHAT, &message(2), 0));
    assert_eq!(all.index.len(), 2);
}
