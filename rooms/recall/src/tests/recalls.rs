//! Recall by itself: what is shown for a draft is what is sent and frozen.

use super::embedder::by_itself;
use super::house::{House, Machine, reactive};
use reactive_graph::prelude::*;
use sash_chat::PromptChoice;
use sash_chat::window::ContextFit;
use sash_chat::{Id, Policy, RecallMode, RecallSetting, RecalledBlock};
use sash_harness::says;

pub const DRAFT: &str = "How often did you say to run ANALYZE on the SQLite database?";

/// A chat with talk of a database far above the window; returns the id of the answer about it.
pub fn talk(machine: &Machine, house: House) -> Id {
    house.steering.set_recall(by_itself());
    for (question, answer) in [
        (
            "The search page is slow, it takes almost two seconds.",
            "Add an index on the title column, and run ANALYZE on the SQLite database once a month.",
        ),
        (
            "How do I make pictures load faster?",
            "Save them as WebP, and load what is below the fold late.",
        ),
        (
            "And caching?",
            "Give each picture a name that holds a hash of its content.",
        ),
        (
            "What does a good 404 page say?",
            "That the page is gone, and where to go.",
        ),
    ] {
        house.exchange(machine, question, answer);
    }
    house.chats.path.get_untracked()[1]
}

fn shown(house: House) -> Option<RecalledBlock> {
    house.steering.quotes.get_untracked()
}

/// The prompt of the last request.
pub fn sent(machine: &Machine) -> String {
    let requests = machine.requests.borrow();
    requests
        .last()
        .map(|request| request.prompt.clone())
        .unwrap_or_default()
}

#[test]
fn what_fits_the_draft_is_shown_in_a_pause_and_goes_along_frozen() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        house.write(DRAFT);
        machine.pass(100.0);
        assert_eq!(shown(house), None, "not while it is typed");
        machine.pass(100.0);
        let block = shown(house).unwrap();
        assert!(block.quotes(meant), "{block:?}");
        let preview = house.answers.next_request().prompt;
        assert_eq!(preview, format!("{}\n\n{DRAFT}", block.text));
        house.exchange(machine, DRAFT, "Once a month.");
        assert_eq!(sent(machine), preview);
        let path = house.chats.path.get_untracked();
        let question = house.chats.message(path[path.len() - 2]).unwrap();
        assert_eq!(
            (question.content.as_str(), question.recalled),
            (DRAFT, Some(block))
        );
        let answer = house.chats.message(path[path.len() - 1]).unwrap();
        assert_eq!(answer.receipt.unwrap().recalled, [question.id]);
        house.write("");
        assert_eq!(shown(house), None);
    });
}

#[test]
fn later_requests_repeat_it_byte_for_byte_until_it_is_taken_out() {
    reactive(|machine, house| {
        talk(machine, house);
        house.write(DRAFT);
        machine.pass(200.0);
        let frozen = format!("{}\n\n{DRAFT}", shown(house).unwrap().text);
        house.exchange(machine, DRAFT, "Once a month.");
        house.exchange(machine, "Thanks!", "You are welcome.");
        let context = |machine: &Machine| {
            let requests = machine.requests.borrow();
            let context = requests.last().unwrap().context.iter();
            context.map(|m| m.content.clone()).collect::<Vec<_>>()
        };
        assert!(context(machine).contains(&frozen));
        let question = house.chats.path.get_untracked()[8];
        house.steering.unrecall(question, true);
        house.steering.set_policy(Policy::Everything);
        house.exchange(machine, "And now?", "Nothing else.");
        assert!(context(machine).contains(&DRAFT.to_owned()));
        assert!(!context(machine).contains(&frozen));
        assert!(house.chats.undo_last(), "the policy");
        assert!(house.chats.undo_last(), "the messages are back");
        assert!(
            house
                .chats
                .open
                .with_untracked(|chat| chat.head.settings.unrecalled.is_empty())
        );
    });
}

#[test]
fn asking_again_sends_the_same_bytes() {
    reactive(|machine, house| {
        talk(machine, house);
        house.write(DRAFT);
        machine.pass(200.0);
        house.exchange(machine, DRAFT, "Once a month.");
        let first = sent(machine);
        let answer = *house.chats.path.get_untracked().last().unwrap();
        house.answers.answer_again(answer);
        assert_eq!(sent(machine), first);
    });
}

#[test]
fn an_edited_question_looks_anew_among_the_messages_before_it() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        let pictures = house.chats.path.get_untracked()[3];
        house.write(DRAFT);
        machine.pass(200.0);
        let (question, answer) = house.exchange(machine, DRAFT, "Save them once a month as WebP.");
        let edited = "Did you say to save the pictures as WebP?";
        let block = house
            .recalls
            .for_version(question, edited, &PromptChoice::default())
            .unwrap();
        assert!(block.quotes(pictures), "{block:?}");
        assert!(!block.quotes(meant) && !block.quotes(answer) && !block.quotes(question));
        machine.answer(says(&["Yes."]));
        assert!(
            house
                .answers
                .ask_instead_of(question, house.version(question, edited))
        );
        machine.pass(100.0);
        assert_eq!(sent(machine), format!("{}\n\n{edited}", block.text));
        let path = house.chats.path.get_untracked();
        assert_eq!(
            house.recalls.of_question(path[path.len() - 2]),
            Some(block.clone())
        );
        // What the person left out stays out.
        let mut choice = PromptChoice::default();
        choice.exclude(pictures);
        let block = house.recalls.for_version(question, edited, &choice);
        assert!(block.is_none_or(|block| !block.quotes(pictures)));
    });
}

#[test]
fn one_that_is_left_out_does_not_go() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        house.write(DRAFT);
        machine.pass(200.0);
        house.recalls.exclude(meant);
        assert!(shown(house).is_none_or(|block| !block.quotes(meant)));
        // Nor does it come back with the next letter, or when the prompt is sent.
        house.write(&format!("{DRAFT}!"));
        machine.pass(200.0);
        house.recalls.prepare(DRAFT);
        assert!(shown(house).is_none_or(|block| !block.quotes(meant)));
    });
}

#[test]
fn nothing_is_added_when_nothing_fits_or_when_it_is_off() {
    reactive(|machine, house| {
        talk(machine, house);
        house.write("Write a poem about the sea");
        machine.pass(200.0);
        assert_eq!(shown(house), None);
        house.steering.set_recall(RecallSetting::default());
        house.write(DRAFT);
        machine.pass(200.0);
        assert_eq!(shown(house), None);
        assert!(house.recalls.offered().is_some(), "it is offered instead");
    });
}

#[test]
fn what_the_request_has_already_is_not_recalled_again() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        house.write(DRAFT);
        machine.pass(200.0);
        house.exchange(machine, DRAFT, "Once a month.");
        // The question of before, with its block, is in the window.
        house.write(DRAFT);
        machine.pass(200.0);
        assert!(shown(house).is_none_or(|block| !block.quotes(meant)));
        house.steering.set_policy(Policy::Everything);
        machine.pass(200.0);
        assert_eq!(shown(house), None, "everything is in the window");
    });
}

#[test]
fn new_chats_begin_with_the_recall_that_was_chosen_for_them_and_older_ones_keep_theirs() {
    reactive(|machine, house| {
        house.exchange(machine, "Hello", "Hello to you.");
        let older = house.chat();
        let by_itself = RecallSetting {
            mode: RecallMode::ByItself,
            tokens: 256,
            all_chats: false,
        };
        house
            .settings
            .change(|settings| settings.recall = Some(by_itself));
        let now = || house.steering.recall_setting.get_untracked();
        assert_eq!(now(), RecallSetting::default());
        house.chats.begin_chat();
        assert_eq!(now(), by_itself);
        house.chats.open_chat(older);
        assert_eq!(now(), RecallSetting::default());
    });
}

#[test]
fn a_prompt_that_is_sent_in_a_hurry_gets_what_fits_it_too() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        house.write(DRAFT);
        house.recalls.prepare(DRAFT);
        assert!(shown(house).unwrap().quotes(meant));
    });
}

#[test]
fn messages_of_other_chats_go_only_where_the_chat_wants_them_and_name_their_chat() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        let other = house.chat();
        house.chats.begin_chat();
        house.exchange(machine, "Hello", "Hello to you.");
        house.exchange(machine, "Is it late?", "It is noon.");
        house.steering.set_recall(by_itself());
        house.write(DRAFT);
        machine.pass(300.0);
        assert_eq!(shown(house), None, "this branch alone");
        house.steering.set_recall(RecallSetting {
            all_chats: true,
            ..by_itself()
        });
        machine.pass(300.0);
        let block = shown(house).unwrap();
        let piece = block
            .pieces
            .iter()
            .find(|piece| piece.message == meant)
            .unwrap();
        assert_eq!(piece.chat, Some(other));
        assert!(
            block.text.contains("in the chat “The search page is slow"),
            "{}",
            block.text
        );
        house.chats.delete_chat(other);
        house.write(&format!("{DRAFT} "));
        machine.pass(300.0);
        assert_eq!(shown(house), None, "a deleted chat is recalled no more");
    });
}

/// A mute counted in the message's own chat alone.
#[test]
fn a_message_that_is_muted_in_another_chat_is_not_recalled_from_there() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        house.steering.mute(meant, true);
        house.chats.begin_chat();
        house.exchange(machine, "Hello", "Hello to you.");
        house.steering.set_recall(RecallSetting {
            all_chats: true,
            ..by_itself()
        });
        house.write(DRAFT);
        machine.pass(300.0);
        assert!(shown(house).is_none_or(|block| !block.quotes(meant)));
    });
}

const SUBJECTS: [&str; 6] = [
    "tomatoes",
    "violins",
    "glaciers",
    "passports",
    "beehives",
    "comets",
];

/// A question and its answer on a subject that comes back every six turns.
fn about(turn: usize) -> (String, String) {
    let subject = SUBJECTS[turn % SUBJECTS.len()];
    let said = format!("One more thing about {subject} is worth knowing, namely number {turn}. ");
    (
        format!("What did you say about {subject}, question {turn}?"),
        said.repeat(5),
    )
}

/// Asks 30 questions with 2,048 tokens of context. Each request fits, and is the one that was shown. Returns how many of
/// them recalled something.
fn ask_thirty(machine: &Machine, house: House) -> usize {
    let mut recalled = 0;
    for turn in 0..30 {
        let (question, answer) = about(turn);
        house.steering.raise_context(2_048);
        house.write(&question);
        machine.pass(300.0);
        let (fit, tokens) = house.steering.fit.get_untracked();
        assert_ne!(fit, ContextFit::Over, "{tokens} tokens at turn {turn}");
        let preview = house.answers.next_request();
        recalled += usize::from(shown(house).is_some());
        let window = house.steering.window.get_untracked().ids();
        let (_, id) = house.exchange(machine, &question, &answer);
        assert_eq!(sent(machine), preview.prompt);
        let answer = house.chats.message(id).expect("an answer");
        let receipt = answer.receipt.expect("a receipt");
        assert_eq!(receipt.sent[..window.len()], window, "turn {turn}");
    }
    recalled
}

const GROWS: Policy = Policy::Steady {
    keep: 4,
    grow_to: 12,
};

/// Once the window grew to twelve messages whatever their questions had recalled, and at turn 16 the prompt did not fit.
#[test]
fn a_window_that_grows_has_room_for_what_is_recalled_at_each_turn() {
    for policy in [
        GROWS,
        Policy::Tokens(1_500),
        Policy::Messages(6),
        Policy::Fits,
    ] {
        reactive(|machine, house| {
            house.steering.set_policy(policy);
            house.steering.set_recall(by_itself());
            assert!(ask_thirty(machine, house) >= 5, "{policy:?}");
        });
    }
}

#[test]
fn it_has_room_for_what_is_recalled_from_other_chats() {
    for policy in [GROWS, Policy::Tokens(1_500)] {
        reactive(|machine, house| {
            for turn in 0..6 {
                let (question, answer) = about(turn);
                house.exchange(machine, &question, &answer);
            }
            house.chats.begin_chat();
            house.steering.set_policy(policy);
            house.steering.set_recall(RecallSetting {
                all_chats: true,
                ..by_itself()
            });
            assert!(ask_thirty(machine, house) >= 5, "{policy:?}");
        });
    }
}

/// The window once ended where a context of 4,096 tokens that was only assumed would be full.
#[test]
fn a_context_that_nobody_named_bounds_no_window_that_recalls() {
    for policy in [
        Policy::Steady {
            keep: 20,
            grow_to: 64,
        },
        Policy::Tokens(20_000),
    ] {
        reactive(|machine, house| {
            house.steering.set_policy(policy);
            house.steering.set_recall(by_itself());
            for turn in 0..12 {
                let answer = format!("Answer {turn}. {}", "word ".repeat(500));
                house.exchange(machine, &format!("Question {turn}?"), &answer);
            }
            assert_eq!(house.steering.context.get_untracked(), None);
            let window = || house.steering.window.with_untracked(|w| w.messages());
            assert_eq!(window(), 24, "{policy:?}");
            house.steering.raise_context(4_096);
            assert!(window() < 24, "{policy:?}: {}", window());
        });
    }
}
