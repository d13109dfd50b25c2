//! What goes with a prompt besides the messages of its branch: others offer it, the window has it, and the preview, the
//! request and the receipt are made of the window.

use crate::house::{House, reactive, says, small_image};
use crate::machine::{Machine, settle};
use reactive_graph::graph::untrack;
use reactive_graph::owner::Owner;
use reactive_graph::prelude::*;
use sash_chat::window::Parts;
use sash_chat::{
    BuiltinTool, FoundMessage, Id, Message, Policy, PromptChoice, PromptDraft, RecallMode,
    RecallSetting, RecalledBlock, RecalledPiece, Tool,
};
use std::cell::Cell;
use std::rc::Rc;

const DRAFT: &str = "How often did you say to run ANALYZE on the SQLite database?";

/// A chat with talk of a database above the window; returns the id of the answer about it.
fn talk(machine: &Machine, house: House) -> Id {
    for (question, answer) in [
        (
            "The search page is slow.",
            "Add an index on the title column, and run ANALYZE on the SQLite database once a month.",
        ),
        ("And pictures?", "Save them as WebP, and load them late."),
        ("And caching?", "Name each picture by its hash."),
        ("And fonts?", "Load two at most."),
    ] {
        house.exchange(machine, question, answer);
    }
    house.chats.path.get_untracked()[1]
}

fn recall_by_itself(house: House) {
    house.steering.set_recall(RecallSetting {
        mode: RecallMode::ByItself,
        ..RecallSetting::default()
    });
}

fn quoted(text: &str) -> RecalledBlock {
    RecalledBlock {
        pieces: Vec::new(),
        text: text.to_owned(),
    }
}

fn tools(tools: &[BuiltinTool]) -> Vec<Tool> {
    tools.iter().copied().map(Tool::Builtin).collect()
}

fn asked(house: House) -> (Message, Message) {
    let path = house.chats.path.get_untracked();
    let message = |back: usize| {
        let message = house.chats.message(path[path.len() - back]);
        message.expect("a message")
    };
    (message(2), message(1))
}

#[test]
fn a_window_with_quotes_a_summary_and_tools_is_previewed_sent_and_receipted_alike() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        machine.answer(says(&["They talked of a page."]));
        house.summaries.write();
        machine.pass(100.0);
        house.steering.set_tools(tools(&[BuiltinTool::Calculate]));
        recall_by_itself(house);
        house.write(DRAFT);
        machine.pass(300.0);
        let window = house.steering.window.get_untracked();
        let quotes = window.quotes.clone().expect("quotes");
        assert!(quotes.quotes(meant));
        assert!(window.summary.is_some() && window.tools.len() == 1);
        let preview = house.answers.next_request();
        let tokens = house.steering.fit.get_untracked().1;
        house.exchange(machine, DRAFT, "Once a month.");
        let mut request = machine.requests.borrow().last().cloned().unwrap();
        request.answer_id = None;
        assert_eq!(request, preview);
        assert_eq!(request.prompt, format!("{}\n\n{DRAFT}", quotes.text));
        assert!(request.system.unwrap().contains("They talked of a page."));
        let (question, answer) = asked(house);
        assert_eq!(question.recalled, Some(quotes));
        let receipt = answer.receipt.unwrap();
        assert_eq!(receipt.recalled, [question.id]);
        assert_eq!(receipt.summary, window.summary);
        assert_eq!(receipt.tools, ["calculate"]);
        assert_eq!(receipt.prompt_tokens.estimated, tokens);
        assert_eq!(receipt.sent[..window.entries.len()], window.ids());
        // Asked again, it is the same, whatever is offered now.
        house.steering.contribute_quotes(|_| Some(quoted("late")));
        machine.answer(says(&["Monthly."]));
        house.answers.answer_again(answer.id);
        machine.pass(100.0);
        let again = machine.requests.borrow().last().cloned().unwrap();
        assert_eq!((again.prompt, again.tools), (request.prompt, request.tools));
    });
}

#[test]
fn what_several_offer_goes_together_and_ends_with_who_offered_it() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        house.write("And?");
        let prompt = || untrack(|| house.answers.next_request()).prompt;
        assert_eq!(prompt(), "And?");
        let owner = Owner::new();
        owner.with(|| house.steering.contribute_quotes(|_| Some(quoted("one"))));
        house.steering.contribute_quotes(|_| Some(quoted("two")));
        house.steering.contribute_quotes(|_| None);
        assert_eq!(prompt(), "one\n\ntwo\n\nAnd?");
        let offer = |summary, of: &[BuiltinTool]| {
            let parts = Parts {
                summary,
                tools: tools(of),
            };
            house.steering.contribute(move |_| parts.clone());
        };
        owner.with(|| offer(None, &[BuiltinTool::Calculate]));
        offer(None, &[BuiltinTool::Calculate, BuiltinTool::CurrentTime]);
        let names = || house.steering.window.with_untracked(|w| w.tools.clone());
        let both = tools(&[BuiltinTool::Calculate, BuiltinTool::CurrentTime]);
        assert_eq!(names(), both, "no tool goes twice");
        let (_, answer) = house.exchange(machine, "And?", "Nothing.");
        let receipt = house.chats.message(answer).unwrap().receipt.unwrap();
        assert_eq!(receipt.tools.len(), 2);
        owner.cleanup();
        assert_eq!(prompt(), "two\n\nAnd?");
        assert_eq!(names(), both);
    });
}

/// A key and a step of the window's edge must ask nobody what goes along.
#[test]
fn neither_a_key_nor_a_drag_asks_for_parts_and_quotes_do_not_wake_who_looks_for_them() {
    reactive(|machine, house| {
        talk(machine, house);
        let counted = || Rc::new(Cell::new(0));
        let (parts, quotes, chosen) = (counted(), counted(), counted());
        let count = |runs: &Rc<Cell<u32>>| runs.set(runs.get() + 1);
        let shown = reactive_graph::signal::RwSignal::new(None);
        let runs = Rc::clone(&parts);
        house.steering.contribute(move |_| {
            count(&runs);
            Parts::default()
        });
        let runs = Rc::clone(&quotes);
        house.steering.contribute_quotes(move |_| {
            count(&runs);
            shown.get()
        });
        let runs = Rc::clone(&chosen);
        reactive_graph::effect::Effect::new(move || {
            house.steering.chosen.track();
            count(&runs);
        });
        house.write("H");
        let read = || _ = house.steering.fit.get_untracked();
        read();
        let all = || [&parts, &quotes, &chosen].map(|runs| runs.get());
        let before = all();
        for draft in ["Ho", "How", "How?"] {
            house.write(draft);
            read();
        }
        assert_eq!(all(), before, "keys");
        house.steering.show_policy(Policy::Messages(1));
        settle();
        read();
        let [asked_parts, asked_quotes, seen] = before;
        assert_eq!(all(), [asked_parts, asked_quotes, seen + 1], "a drag");
        shown.set(Some(quoted("found")));
        settle();
        read();
        assert_eq!(all(), [asked_parts, asked_quotes + 1, seen + 1], "quotes");
        assert!(house.steering.window.with_untracked(|w| w.quotes.is_some()));
    });
}

fn found(message: Id) -> FoundMessage {
    RecalledPiece {
        message,
        chat: None,
        excerpt: false,
    }
    .into()
}

/// Writes a prompt with an image, one message that the person included and one that they left out.
fn write_with_choices(machine: &Machine, house: House) -> PromptDraft {
    let path = house.chats.path.get_untracked();
    recall_by_itself(house);
    house.drafts.images.set(vec![small_image()]);
    house.drafts.choice.update(|choice| {
        choice.include(found(path[2]));
        choice.exclude(path[0]);
    });
    house.write(DRAFT);
    machine.pass(300.0);
    let prompt = house.drafts.going_prompt();
    let PromptDraft {
        text,
        images,
        choice,
    } = &prompt;
    let PromptChoice {
        included,
        left_out,
        found,
    } = choice;
    assert_eq!((text.as_str(), images.len()), (DRAFT, 1));
    assert_eq!((included.len(), left_out.len()), (1, 1));
    assert!(found.as_ref().is_some_and(|found| !found.is_empty()));
    prompt
}

/// What is sent for a question, and the question as it is stored.
fn sent(machine: &Machine, house: House) -> (String, Vec<u64>, Option<RecalledBlock>) {
    let request = machine.requests.borrow().last().cloned();
    let request = request.expect("a request");
    let (question, _) = asked(house);
    let images = question.images.iter().map(|image| image.size);
    (request.prompt, images.collect(), question.recalled)
}

#[test]
fn a_queued_prompt_is_the_composers_in_all_its_fields_and_goes_as_that_would() {
    let sent_by = |queues: bool| {
        let result = Rc::new(Cell::new(None));
        let set = Rc::clone(&result);
        reactive(move |machine, house| {
            talk(machine, house);
            // The last exchange is the same for both: only then is the window.
            let long = machine.stream_answer();
            assert!(house.answers.ask("Long".to_owned()));
            machine.pass(100.0);
            let end = || {
                for frame in says(&["Yes."]) {
                    assert!(long.unbounded_send(frame).is_ok());
                }
                machine.pass(300.0);
            };
            let _next = machine.stream_answer();
            if queues {
                let prompt = write_with_choices(machine, house);
                assert!(house.drafts.entering().ask(&prompt), "the queue takes it");
                assert_eq!(house.drafts.prompt(), PromptDraft::default());
                let id = house.queue.prompts.with_untracked(|all| all[0].id);
                assert_eq!(untrack(|| house.queue.prompt(id)), Some(prompt));
                end();
            } else {
                end();
                let prompt = write_with_choices(machine, house);
                assert!(!house.drafts.entering().ask(&prompt), "nobody takes it");
                assert!(house.answers.ask(prompt.text));
                machine.pass(100.0);
            }
            set.set(Some(sent(machine, house)));
        });
        result.take().expect("a request")
    };
    let (composer, queue) = (sent_by(false), sent_by(true));
    assert_eq!(composer, queue);
    let (prompt, images, recalled) = composer;
    assert!(prompt.contains("once a month") && prompt.contains("And pictures?"));
    assert!(!prompt.contains("The search page is slow."));
    assert_eq!((images.len(), recalled.is_some()), (1, true));
}
