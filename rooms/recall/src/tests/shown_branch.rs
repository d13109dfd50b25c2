//! The index of the branch that is shown.

use super::house::reactive;
use reactive_graph::prelude::*;
use sash_harness::says;
use sash_search::SearchQuery;

#[test]
fn a_branch_grows_and_of_another_one_nothing_is_found() {
    reactive(|machine, house| {
        let index = house.all_chats;
        let len = || index.in_branch(house.chat(), |branch| branch.rank("", &|_, _| true).len());
        let words = |word: &str| {
            index.in_branch(house.chat(), |branch| {
                branch.rank(word, &|_, _| true)[0].words.clone()
            })
        };
        house.exchange(machine, "What is tea?", "A drink of leaves.");
        let (question, _) = house.exchange(machine, "And red wine?", "A drink of grapes.");
        assert!(index.extend_branch());
        assert_eq!(len(), 4);
        assert_eq!(words("grapes"), ["grapes"]);
        house.exchange(machine, "And beer?", "A drink of barley.");
        assert!(index.extend_branch());
        assert_eq!(len(), 6);
        machine.answer(says(&["It has no alcohol."]));
        let version = house.version(question, "And water?");
        assert!(house.answers.ask_instead_of(question, version));
        machine.pass(100.0);
        assert!(index.extend_branch());
        assert_eq!(words("grapes"), Vec::<String>::new());
    });
}

#[test]
fn the_search_finds_nothing_of_a_temporary_chat_and_no_word_of_it_stays_when_it_is_left() {
    reactive(|machine, house| {
        house.exchange(machine, "What is tea?", "A drink of leaves.");
        house.chats.begin_temporary();
        house.exchange(machine, "And coffee?", "A drink of beans.");
        let index = house.all_chats;
        let (chat, path) = (house.chat(), house.chats.path.get_untracked());
        assert!(index.extend_branch());
        let found = index.in_branch(chat, |branch| branch.rank("beans", &|_, _| true));
        assert_eq!(found[0].words, ["beans"]);
        index.begin();
        machine.pass(50.0);
        let found = |words: &str| index.search(&SearchQuery::read(words)).len();
        assert_eq!((found("leaves"), found("beans")), (1, 0));
        assert_eq!(index.progress.get_untracked().messages, 2);
        house.chats.begin_chat();
        machine.pass(50.0);
        let kept = index.with_index(|index, _| index.branch(chat, path).rank("", &|_, _| true));
        assert_eq!(kept, Some(Vec::new()));
        assert_eq!(index.progress.get_untracked().messages, 2);
    });
}
