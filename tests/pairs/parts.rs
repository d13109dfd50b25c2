//! Parts that rooms offer go with a prompt: the preview, the request and the receipt are made of the window that has it.

use crate::house::{House, reactive};
use crate::machine::Machine;
use reactive_graph::prelude::*;
use sash_chat::{
    BuiltinTool, FoundMessage, Id, Message, PromptChoice, PromptDraft, RecallMode, RecallSetting,
    RecalledBlock, RecalledPiece,
};
use sash_harness::{builtin_tools, quoted, says, small_image};
use std::cell::Cell;
use std::rc::Rc;
use summaries::Summaries;

const DRAFT: &str = "How often did you say to run ANALYZE on the SQLite database?";

fn recall_by_itself(house: House) {
    house.steering.set_recall(RecallSetting {
        mode: RecallMode::ByItself,
        ..RecallSetting::default()
    });
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
        let summaries = Summaries::new(house.kernel);
        house.use_tools(machine);
        let meant = house.talk_of_a_database(machine);
        machine.answer(says(&["They talked of a page."]));
        summaries.write();
        machine.pass(100.0);
        house
            .steering
            .set_tools(builtin_tools(&[BuiltinTool::Calculate]));
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
fn a_prompt_that_is_put_aside_goes_as_that_of_the_composer_would() {
    let sent_by = |puts_aside: bool| {
        let result = Rc::new(Cell::new(None));
        let set = Rc::clone(&result);
        reactive(move |machine, house| {
            house.talk_of_a_database(machine);
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
            if puts_aside {
                let prompt = write_with_choices(machine, house);
                house.drafts.put_aside();
                assert_eq!(house.drafts.prompt(), PromptDraft::default());
                end();
                assert!(house.answers.ask_put_aside(Id(1), prompt, None));
                machine.pass(100.0);
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
    let (composer, put_aside) = (sent_by(false), sent_by(true));
    assert_eq!(composer, put_aside);
    let (prompt, images, recalled) = composer;
    assert!(prompt.contains("once a month") && prompt.contains("And pictures?"));
    assert!(!prompt.contains("The search page is slow."));
    assert_eq!((images.len(), recalled.is_some()), (1, true));
}
