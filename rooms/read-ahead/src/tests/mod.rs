//! Reading ahead: what is read, when, and what keeps it from being read.

mod house;

use crate::reads::ReadStop;
use crate::{PLACEHOLDER, ReadAheadTime, ReadEnd, ReadRequest, ReadResult};
use house::{House, Machine, reactive, two_tabs};
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::window::Parts;
use sash_chat::{Chat, Message, ModelId, Policy, RecallMode, RecallSetting, Receipt, Summary};
use sash_harness::{says, settle, small_image};
use sash_wire::{DraftMark, EngineInfo, EngineReach, Fault, Frame, ModelInfo, Usage};

/// A page whose model is in memory, with a chat of two exchanges. A minute has passed since.
fn talk(machine: &Machine, house: House) {
    machine.set_reads_ahead(true);
    for (question, answer) in [
        ("What goes with lentils?", LONG),
        ("And with rice?", "Beans."),
    ] {
        house.exchange(machine, question, answer);
    }
    machine.pass(61_000.0);
    machine.reads.borrow_mut().clear();
}

const LONG: &str = "A bottle of red wine goes well with it.";

/// Types a draft and rests.
fn type_and_rest(machine: &Machine, house: House, draft: &str) {
    house.write(draft);
    machine.pass(800.0);
}

fn prompts(machine: &Machine) -> Vec<String> {
    let reads = machine.reads.borrow();
    reads
        .iter()
        .map(|read| read.request.prompt.clone())
        .collect()
}

/// The beginning of an answer.
fn begun() -> Vec<Result<Frame, Fault>> {
    vec![Ok(Frame::Text {
        text: "Th".to_owned(),
    })]
}

fn stop(house: House) -> Option<ReadStop> {
    untrack(|| {
        house
            .read_ahead
            .reads
            .stop_of(&ModelId::new(None, "tiny:latest"))
    })
}

fn last(machine: &Machine) -> ReadRequest {
    let last = machine.reads.borrow().last().cloned();
    last.unwrap_or_else(|| panic!("a read"))
}

#[test]
fn the_draft_is_read_at_rests_up_to_its_last_whole_word_as_it_will_be_sent() {
    reactive(|machine, house| {
        talk(machine, house);
        house.write("Whi");
        machine.pass(300.0);
        house.write("Which");
        machine.pass(600.0);
        assert!(prompts(machine).is_empty(), "no rest yet");
        machine.pass(200.0);
        assert_eq!(prompts(machine), [PLACEHOLDER], "the window alone");
        type_and_rest(machine, house, "Which is newer");
        type_and_rest(machine, house, "Which is newer now");
        assert_eq!(
            prompts(machine),
            [PLACEHOLDER, "Which is", "Which is newer"]
        );
        let read = last(machine);
        assert_eq!(read.request.draft, Some(DraftMark::Unasked));
        machine.answer(says(&["This one."]));
        assert!(house.answers.ask("Which is newer now?".to_owned()));
        settle();
        let sent = machine.requests.borrow().last().cloned().unwrap();
        let mut as_read = read.request.clone();
        (as_read.prompt, as_read.draft) = (sent.prompt.clone(), None);
        assert_eq!(as_read, sent, "one body");
    });
}

/// Each key began the rest anew, so a draft without a pause was read no further than at its last one.
#[test]
fn a_draft_that_is_typed_in_without_a_pause_is_read_meanwhile() {
    reactive(|machine, house| {
        talk(machine, house);
        let words = "Which of these two wines is the newer one and which would you open first";
        let mut left = Vec::new();
        for (end, _) in words.char_indices().skip(1) {
            house.write(&words[..end]);
            machine.pass(100.0);
            let read = prompts(machine).pop().unwrap_or_default();
            let read = if read == PLACEHOLDER { 0 } else { read.len() };
            left.push(end - read);
        }
        // Two seconds of twenty letters, and a word that was not whole.
        assert!(left.iter().skip(30).all(|left| *left <= 28), "{left:?}");
        let count = prompts(machine).len();
        assert!((3..=5).contains(&count), "{count} reads in 7 s");
    });
}

#[test]
fn a_prompt_that_is_read_to_its_end_has_its_tokens_exactly() {
    reactive(|machine, house| {
        talk(machine, house);
        let exact = || house.steering.exact_tokens.get_untracked();
        let whole = |tokens| ReadResult {
            end: ReadEnd::Whole,
            prompt_tokens: Some(tokens),
            ..ReadResult::default()
        };
        let results = [Ok(whole(70)), Ok(whole(77))];
        machine.read_results.borrow_mut().extend(results);
        type_and_rest(machine, house, "Which is newer");
        assert_eq!(exact(), None, "its last word was not read");
        type_and_rest(machine, house, "Which is newer?");
        assert_eq!(prompts(machine).last().unwrap(), "Which is newer?");
        assert_eq!(exact(), Some(77));
        house.write("Which is newer? And");
        assert_eq!(exact(), None);
    });
}

#[test]
fn nothing_is_read_twice_and_nothing_without_a_key() {
    reactive(|machine, house| {
        talk(machine, house);
        machine.pass(3_600_000.0);
        assert!(prompts(machine).is_empty(), "a page that is left open");
        type_and_rest(machine, house, "Which is newer");
        let read = prompts(machine).len();
        type_and_rest(machine, house, "Which is new");
        type_and_rest(machine, house, "Which is newer");
        machine.pass(3_600_000.0);
        assert_eq!(prompts(machine).len(), read, "{:?}", prompts(machine));
    });
}

#[test]
fn a_prompt_comes_first_and_ends_what_is_read() {
    reactive(|machine, house| {
        talk(machine, house);
        let slow = machine.slow_read();
        type_and_rest(machine, house, "Which is newer");
        let running = || untrack(|| house.read_ahead.is_reading());
        assert!(running());
        machine.hold_open(begun());
        assert!(house.answers.ask("Which is newer?".to_owned()));
        settle();
        assert!(!running() && slow.is_canceled(), "the request was dropped");
        type_and_rest(machine, house, "And then what");
        machine.pass(5_000.0);
        assert_eq!(prompts(machine).len(), 1, "nothing while an answer runs");
    });
}

#[test]
fn nothing_is_read_while_another_tab_answers() {
    two_tabs(|machine, house, there, other| {
        machine.set_reads_ahead(true);
        house.engine.refresh();
        settle();
        there.hold_open(begun());
        assert!(other.answers.ask("And?".to_owned()));
        settle();
        there.pass(1_100.0);
        machine.tell(house.tabs);
        house.chats.begin_chat();
        machine.pass(61_000.0);
        type_and_rest(machine, house, "Which is newer");
        assert!(prompts(machine).is_empty());
    });
}

#[test]
fn for_half_a_minute_after_another_chats_prompt_nothing_is_read() {
    reactive(|machine, house| {
        talk(machine, house);
        house.exchange(machine, "Once more?", "Yes.");
        house.chats.begin_chat();
        settle();
        type_and_rest(machine, house, "Which is newer");
        assert!(prompts(machine).is_empty());
        machine.pass(20_000.0);
        assert!(prompts(machine).is_empty());
        machine.pass(11_000.0);
        assert_eq!(prompts(machine), ["Which is"], "then it is");
    });
}

#[test]
fn what_the_browser_and_the_person_say_keeps_it_from_reading() {
    reactive(|machine, house| {
        talk(machine, house);
        let quiet = |why: &str| {
            type_and_rest(machine, house, &format!("Which is newer {why}"));
            machine.pass(1_000.0);
            assert!(prompts(machine).is_empty(), "{why}");
        };
        machine.hidden.set(true);
        quiet("hidden");
        machine.hidden.set(false);
        machine.saves_data.set(true);
        quiet("saving");
        machine.saves_data.set(false);
        house
            .read_ahead
            .settings
            .change(|settings| settings.read_ahead = ReadAheadTime::Never);
        quiet("never");
        house
            .read_ahead
            .settings
            .change(|settings| settings.read_ahead = ReadAheadTime::Writing);
        machine.set_reads_ahead(false);
        house.engine.refresh();
        settle();
        quiet("switched off at the server");
        machine.set_reads_ahead(true);
        house.engine.refresh();
        settle();
        let image = small_image();
        house.drafts.images.set(vec![image]);
        quiet("an image that was not sent");
        house.drafts.images.set(Vec::new());
        type_and_rest(machine, house, "Which is newer now");
        assert_eq!(prompts(machine).len(), 1, "nothing is in its way");
    });
}

#[test]
fn after_an_answer_the_window_is_read_only_where_the_person_wants_that() {
    reactive(|machine, house| {
        talk(machine, house);
        house.exchange(machine, "More?", "Yes.");
        machine.pass(5_000.0);
        assert!(prompts(machine).is_empty());
        house
            .read_ahead
            .settings
            .change(|settings| settings.read_ahead = ReadAheadTime::AnswersToo);
        house.exchange(machine, "And more?", "No.");
        machine.pass(5_000.0);
        assert_eq!(prompts(machine), [PLACEHOLDER]);
        machine.pass(3_600_000.0);
        assert_eq!(prompts(machine).len(), 1);
    });
}

#[test]
fn a_window_that_changes_with_the_draft_is_read_once_it_rests() {
    reactive(|machine, house| {
        talk(machine, house);
        house.steering.set_policy(Policy::Fits);
        type_and_rest(machine, house, "Which is newer");
        assert!(prompts(machine).is_empty(), "it may still change");
        machine.pass(800.0);
        assert_eq!(prompts(machine), ["Which is"]);
    });
}

/// Such a window keeps room for what is recalled, so it follows the draft, too: it was read at once and then again.
#[test]
fn a_window_that_keeps_room_for_what_is_recalled_is_read_once_it_rests() {
    for policy in [GROWS, Policy::Tokens(2_000)] {
        reactive(|machine, house| {
            talk(machine, house);
            house.steering.set_policy(policy);
            house.steering.set_recall(RecallSetting {
                mode: RecallMode::ByItself,
                ..RecallSetting::default()
            });
            type_and_rest(machine, house, "Which is newer");
            assert!(prompts(machine).is_empty(), "{policy:?}: it may change");
            machine.pass(800.0);
            assert_eq!(prompts(machine), ["Which is"], "{policy:?}");
        });
    }
}

#[test]
fn a_window_that_recalls_nothing_is_read_at_the_first_rest() {
    for policy in [GROWS, Policy::Tokens(2_000)] {
        reactive(|machine, house| {
            talk(machine, house);
            house.steering.set_policy(policy);
            type_and_rest(machine, house, "Which is newer");
            assert_eq!(prompts(machine), ["Which is"], "{policy:?}");
        });
    }
}

const GROWS: Policy = Policy::Steady {
    keep: 4,
    grow_to: 12,
};

#[test]
fn an_engine_elsewhere_reads_what_was_sent_and_no_draft() {
    reactive(|machine, house| {
        talk(machine, house);
        machine.is_elsewhere.set(true);
        house.engine.refresh();
        settle();
        type_and_rest(machine, house, "Which is newer");
        type_and_rest(machine, house, "Which is newer now and then");
        assert_eq!(prompts(machine), [PLACEHOLDER]);
        let read = last(machine).request;
        assert_eq!(read.draft, None);
        assert!(!serde_json::to_string(&read).unwrap().contains("newer"));
        house.answer_drafts("ollama", true);
        type_and_rest(machine, house, "Which is newer now and here");
        assert_eq!(last(machine).request.prompt, "Which is newer now and");
        assert_eq!(last(machine).request.draft, Some(DraftMark::Allowed));
    });
}

/// A second engine, `box`, on another machine, beside the first one; both have the model in memory.
fn with_box(machine: &Machine, house: House) {
    let first = house.engine.engines.get_untracked().remove(0);
    let other = EngineInfo {
        name: "box".to_owned(),
        reach: EngineReach::Remote,
        address_digest: "digest of box".to_owned(),
        ..first.clone()
    };
    *machine.engines.borrow_mut() = vec![first, other];
    let model = ModelInfo {
        name: "tiny:latest".to_owned(),
        engine: Some("box".to_owned()),
        ..ModelInfo::default()
    };
    let models = [("box".to_owned(), vec![model])];
    machine.models_of.borrow_mut().extend(models);
    machine.is_loaded_everywhere.set(true);
    house.engine.refresh();
    settle();
}

fn choose_box(machine: &Machine, house: House) {
    house
        .chats
        .choose_model(ModelId::new(Some("box"), "tiny:latest"));
    machine.pass(2_000.0);
}

/// The whole chat went to the other engine as soon as its model was chosen.
#[test]
fn another_engine_reads_the_window_only_once_it_was_asked_with_it() {
    reactive(|machine, house| {
        talk(machine, house);
        with_box(machine, house);
        house.write("Which is newer");
        machine.reads.borrow_mut().clear();
        choose_box(machine, house);
        type_and_rest(machine, house, "Which is newer now");
        assert!(prompts(machine).is_empty(), "{:?}", prompts(machine));

        house.write("");
        house.exchange(machine, "Which is newer?", "This one.");
        machine.pass(61_000.0);
        type_and_rest(machine, house, "And then");
        assert_eq!(prompts(machine), [PLACEHOLDER], "it has read all of it");
        assert_eq!(last(machine).request.engine.as_deref(), Some("box"));
    });
}

#[test]
fn a_pinned_message_is_read_ahead_by_an_engine_that_was_sent_it() {
    reactive(|machine, house| {
        talk(machine, house);
        with_box(machine, house);
        let first = house.chats.path.get_untracked()[0];
        choose_box(machine, house);
        house.steering.set_policy(Policy::Messages(0));
        house.exchange(machine, "Which is newer?", "This one.");
        house.steering.set_policy(Policy::Messages(2));
        machine.pass(61_000.0);
        type_and_rest(machine, house, "And then");
        assert_eq!(
            prompts(machine),
            [PLACEHOLDER],
            "its own question and answer"
        );
        house.steering.pin(first, true);
        type_and_rest(machine, house, "And then what");
        assert_eq!(prompts(machine).len(), 1, "the pin is not its own");
        house.steering.pin(first, false);
        house.steering.set_policy(Policy::Messages(3));
        type_and_rest(machine, house, "And then what else");
        assert_eq!(prompts(machine).len(), 1, "nor is one more message");
    });
}

#[test]
fn what_no_receipt_of_an_engine_names_keeps_it_from_reading_the_rest() {
    type Change = fn(&Machine, House);
    let changes: [(&str, Change); 4] = [
        ("a version by hand", |_, house| {
            let answer = *house.chats.path.get_untracked().last().unwrap();
            let answer = house.chats.message(answer).unwrap();
            let by_hand = Message {
                id: house.edges.new_id(),
                seq: house.chats.open.with_untracked(Chat::next_seq),
                content: "By hand.".to_owned(),
                edited: Some(answer.id),
                receipt: answer.receipt.as_ref().map(Receipt::of_edited),
                ..answer
            };
            let (chat, id) = (house.chat(), by_hand.id);
            house.storage.write(|log| log.save_message(chat, &by_hand));
            house.chats.show(chat, [by_hand]);
            house.chats.walk_to(id);
        }),
        ("another system prompt", |_, house| {
            house.steering.set_system("Be brief.");
        }),
        ("a summary", |_, house| {
            let path = house.chats.path.get_untracked();
            house.steering.set_policy(Policy::Messages(2));
            house.chats.change_head(house.chat(), |head| {
                head.add_summary(Summary {
                    number: 0,
                    text: "About food.".to_owned(),
                    from: path[0],
                    through: path[1],
                    count: 2,
                    model: None,
                    prompt_tokens: None,
                    answer_tokens: None,
                    created: 0,
                    edited: false,
                    cut_off: false,
                });
            });
            // As a contributor offers it.
            house.steering.contribute(|_| Parts {
                summary: Some(0),
                ..Parts::default()
            });
        }),
        ("an answer of another engine", |machine, house| {
            with_box(machine, house);
            choose_box(machine, house);
            house.exchange(machine, "And?", "And.");
            house.chats.choose_model(ModelId::new(None, "tiny:latest"));
        }),
    ];
    for (kind, change) in changes {
        reactive(|machine, house| {
            machine.is_elsewhere.set(true);
            house.engine.refresh();
            settle();
            talk(machine, house);
            type_and_rest(machine, house, "Which is newer");
            assert_eq!(prompts(machine), [PLACEHOLDER], "before: {kind}");
            house.write("");
            change(machine, house);
            settle();
            machine.pass(61_000.0);
            type_and_rest(machine, house, "Which is newer now");
            assert_eq!(prompts(machine).len(), 1, "{kind}");
        });
    }
}

#[test]
fn it_goes_on_part_by_part_and_says_how_far_it_is() {
    reactive(|machine, house| {
        talk(machine, house);
        let part = |tokens| ReadResult {
            end: ReadEnd::Part,
            read_tokens: tokens,
            ..ReadResult::default()
        };
        machine
            .read_results
            .borrow_mut()
            .extend([Ok(part(10)), Ok(part(20))]);
        type_and_rest(machine, house, "Which is newer");
        let befores: Vec<_> = machine
            .reads
            .borrow()
            .iter()
            .map(|read| read.read_before)
            .collect();
        assert_eq!(befores.len(), 3);
        assert!(befores.is_sorted() && befores[2] >= 20, "{befores:?}");
        let progress = house.read_ahead.progress.get_untracked().unwrap();
        assert_eq!(progress.tokens, progress.total);
        assert!(!untrack(|| house.read_ahead.is_reading()));
    });
}

#[test]
fn a_read_that_loads_the_model_is_the_last_one() {
    reactive(|machine, house| {
        talk(machine, house);
        let loaded = ReadResult {
            end: ReadEnd::Whole,
            read_tokens: 50,
            load_ms: Some(3_000.0),
            ..ReadResult::default()
        };
        machine.read_results.borrow_mut().push_back(Ok(loaded));
        type_and_rest(machine, house, "Which is newer");
        assert_eq!(stop(house), Some(ReadStop::Loaded));
        assert!(
            house.toast().unwrap().contains("load"),
            "{:?}",
            house.toast()
        );
        type_and_rest(machine, house, "Which is newer now");
        assert_eq!(prompts(machine).len(), 1);
    });
}

#[test]
fn a_refusal_is_said_once() {
    reactive(|machine, house| {
        talk(machine, house);
        let reason = "roles must alternate".to_owned();
        let refusal = Fault::TemplateRefused { reason };
        machine.read_results.borrow_mut().push_back(Err(refusal));
        type_and_rest(machine, house, "Which is newer");
        assert!(matches!(stop(house), Some(ReadStop::Refused(_))));
        type_and_rest(machine, house, "Which is newer now");
        assert_eq!(prompts(machine).len(), 1);
    });
}

#[test]
fn the_receipt_says_what_was_read_before_and_work_that_is_gone_twice_ends_it() {
    reactive(|machine, house| {
        talk(machine, house);
        let ask = |n: usize, cached: u64| {
            type_and_rest(
                machine,
                house,
                &format!("{} {n} ", "river stone cloud ".repeat(200)),
            );
            let usage = Usage {
                prompt_tokens: Some(1474),
                cached_tokens: Some(cached),
                ..Usage::default()
            };
            let done = Frame::Done {
                reason: sash_wire::DoneReason::Stop,
                usage,
            };
            let text = Frame::Text { text: "So.".into() };
            machine.answer(vec![Ok(text), Ok(done)]);
            let draft = house.drafts.draft.get_untracked();
            assert!(house.answers.ask(format!("{draft}now?")));
            house.write("");
            machine.pass(100.0);
            let id = *house.chats.path.get_untracked().last().unwrap();
            house
                .chats
                .message(id)
                .unwrap()
                .receipt
                .unwrap()
                .read_ahead
                .unwrap()
        };
        let before = ask(1, 1404);
        assert_eq!((before.tokens, before.estimated), (1404, false));
        assert!(
            before.used > 500 && before.used <= before.read,
            "{before:?}"
        );
        ask(2, 3);
        assert_eq!(stop(house), None);
        ask(3, 3);
        assert_eq!(stop(house), Some(ReadStop::Gone));
    });
}

/// Holds `ReadAhead::read` and `ReadAhead::start`: another rest and another chat end what is being read.
#[test]
fn what_is_read_ends_at_the_next_rest_and_with_its_chat() {
    reactive(|machine, house| {
        talk(machine, house);
        let first = machine.slow_read();
        type_and_rest(machine, house, "Which is newer");
        assert!(!first.is_canceled());
        let second = machine.slow_read();
        type_and_rest(machine, house, "Which is newer now");
        assert!(first.is_canceled() && !second.is_canceled());
        let progress = || house.read_ahead.progress.get_untracked();
        assert!(progress().is_some() && untrack(|| house.read_ahead.is_reading()));
        house.chats.begin_chat();
        settle();
        assert!(second.is_canceled());
        assert_eq!(progress(), None);
    });
}
