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
        let index = AllChatsIndex::new(&mut log);
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
        let message = Message {
            content: TEXTS[seq as usize - 1].to_owned(),
            ..Message::new(Id(u64::from(seq)), None, seq, Role::User, u64::from(seq))
        };
        self.log.save_message(chat, &message).unwrap();
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
        self.index.words.holds(word) || self.index.terms.holds(word)
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
fn a_chat_in_which_a_message_comes_late_is_read_again_and_nothing_is_there_twice() {
    let mut all = Followed::new(&[1, 2, 4, 3]);
    let in_order = Followed::new(&[1, 2, 3, 4]);
    assert_eq!(all.index.len(), 4);
    assert_eq!(all.search("ingredients "), [(CHAT, Some(Id(3)))]);
    assert_eq!(all.search("trigg"), [(CHAT, Some(Id(4)))]);
    assert_eq!(all.index.terms.len(), 4);
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
    assert_eq!((all.index.words.len(), all.index.terms.len()), (1, 1));
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
