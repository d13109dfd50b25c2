//! Pairs of rooms of which one is a crate: what one does while the other works.

use crate::comparing::{asked, models};
use crate::embedder;
use crate::house::{House, reactive};
use crate::machine::Machine;
use alerts::{AlertDevice, Alerts};
use compare::Compare;
use futures::FutureExt;
use futures::channel::mpsc::UnboundedSender;
use futures::future::ready;
use queue::{Queue, QueueState};
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use read_ahead::{
    PLACEHOLDER, READS_AHEAD, ReadAhead, ReadEnd, ReadRequest, ReadResult, common_tokens,
};
use sash_chat::{
    BuiltinTool, Id, Message, Policy, RecallMode, RecallSetting, Role, Summary, ToolCall,
};
use sash_harness::{Slow, builtin_tools, says, settle, two_listeners};
use sash_stores::edges::Call;
use sash_stores::{AnswerEvent, LogEvent};
use sash_wire::{Fault, Frame};
use serde_json::json;
use std::cell::RefCell;
use std::rc::Rc;
use storage::Deleted;
use summaries::Summaries;

const REFERS: &str = "How often did you say to run ANALYZE on the SQLite database?";

type Answer = UnboundedSender<Result<Frame, Fault>>;

/// Asks a question and begins its answer, whose frames the test sends.
fn begin(machine: &Machine, house: House) -> Answer {
    let answer = machine.stream_answer();
    assert!(house.answers.ask("Long".to_owned()));
    machine.pass(100.0);
    answer
}

fn end(machine: &Machine, answer: &Answer, words: &str) {
    for frame in says(&[words]) {
        assert!(answer.unbounded_send(frame).is_ok());
    }
    machine.pass(100.0);
}

fn add(house: House, queue: Queue, prompts: &[&str]) {
    for prompt in prompts {
        house.write(prompt);
        queue.add_draft();
        settle();
    }
}

fn id(queue: Queue, at: usize) -> Id {
    queue.prompts.with_untracked(|all| all[at].id)
}

fn recall_by_itself(house: House) {
    house.steering.set_recall(RecallSetting {
        mode: RecallMode::ByItself,
        ..RecallSetting::default()
    });
}

/// Regression: messages found only when the prompt was sent were quoted unseen.
#[test]
fn what_is_found_after_a_prompt_was_queued_does_not_go_with_it() {
    reactive(|machine, house| {
        let queue = Queue::new(house.kernel);
        house.talk_of_a_database(machine);
        let first = begin(machine, house);
        add(house, queue, &[REFERS]);
        recall_by_itself(house);
        let _second = machine.stream_answer();
        end(machine, &first, "One");
        let requests = machine.requests.borrow();
        assert_eq!(requests.last().unwrap().prompt, REFERS);
    });
}

/// What goes with a prompt of the queue.
fn kept(queue: Queue, at: usize) -> Vec<Id> {
    let prompt = queue.prompts.with_untracked(|all| all[at].prompt());
    let known = prompt.choice.known();
    known.map(|found| found.piece.message).collect()
}

#[test]
fn what_is_found_when_a_prompt_is_queued_is_at_its_row_and_is_what_goes() {
    reactive(|machine, house| {
        let queue = Queue::new(house.kernel);
        let meant = house.talk_of_a_database(machine);
        recall_by_itself(house);
        let first = begin(machine, house);
        // Queued in a hurry: it is looked for at once.
        add(house, queue, &[REFERS, REFERS]);
        assert!(kept(queue, 0).contains(&meant) && kept(queue, 1).contains(&meant));
        assert_eq!(house.steering.quotes.get_untracked(), None);
        // It is left out of one of them.
        queue.leave_out(id(queue, 1), meant);
        assert!(!kept(queue, 1).contains(&meant));
        // Another tab has the same, and so has this one after a reload.
        let other = House::reopened(&machine.another_tab(), Some(house.chat()));
        assert_eq!(kept(Queue::new(other.kernel), 0), kept(queue, 0));
        // Nothing is found at its turn that was not there.
        house.steering.set_recall(RecallSetting::default());
        let second = machine.stream_answer();
        let _third = machine.stream_answer();
        end(machine, &first, "One");
        let prompt = |machine: &Machine| machine.requests.borrow().last().unwrap().prompt.clone();
        assert!(
            prompt(machine).contains("once a month"),
            "{}",
            prompt(machine)
        );
        end(machine, &second, "Two");
        assert!(
            !prompt(machine).contains("once a month"),
            "{}",
            prompt(machine)
        );
    });
}

#[test]
fn what_is_found_later_is_offered_and_goes_once_the_person_includes_it() {
    reactive(|machine, house| {
        let queue = Queue::new(house.kernel);
        let meant = house.talk_of_a_database(machine);
        let first = begin(machine, house);
        add(house, queue, &[REFERS]);
        let queued = id(queue, 0);
        assert!(kept(queue, 0).is_empty());
        let since = || {
            let prompt = untrack(|| queue.prompt(queued)).unwrap();
            house.recall.recalls.found_since(&prompt)
        };
        assert!(since().is_empty());
        recall_by_itself(house);
        let offers = since();
        let found = offers.iter().find(|found| found.piece.message == meant);
        let found = found.expect("an offer");
        assert!(!found.words.is_empty());
        queue.include(queued, found.clone());
        assert_eq!(kept(queue, 0), [meant]);
        let offers = since();
        assert!(offers.iter().all(|found| found.piece.message != meant));
        // What is muted by then does not go all the same.
        add(house, queue, &[REFERS]);
        let second = machine.stream_answer();
        let _third = machine.stream_answer();
        end(machine, &first, "One");
        let prompt = |machine: &Machine| machine.requests.borrow().last().unwrap().prompt.clone();
        assert!(prompt(machine).contains("once a month"));
        let asked = house.chats.path.get_untracked()[10];
        house.steering.unrecall(asked, true);
        house.steering.mute(meant, true);
        end(machine, &second, "Two");
        assert!(
            !prompt(machine).contains("once a month"),
            "{}",
            prompt(machine)
        );
    });
}

/// *Edit* forgot what was included at the row, unless the search found it again.
#[test]
fn a_prompt_that_is_edited_keeps_what_is_at_its_row() {
    reactive(|machine, house| {
        let queue = Queue::new(house.kernel);
        let meant = house.talk_of_a_database(machine);
        let _first = begin(machine, house);
        recall_by_itself(house);
        add(house, queue, &[REFERS]);
        assert_eq!(kept(queue, 0), [meant]);
        house.steering.set_recall(RecallSetting {
            mode: RecallMode::Offer,
            ..RecallSetting::default()
        });
        assert!(queue.edit(id(queue, 0)));
        let choice = house.drafts.choice.get_untracked();
        let mut included = choice.included.iter();
        assert!(included.any(|found| found.piece.message == meant));
    });
}

#[test]
fn a_queue_waits_for_all_models_and_goes_on_behind_the_first_one_that_did_not_fail() {
    reactive(|machine, house| {
        let compare = Compare::new(house.kernel);
        let queue = Queue::new(house.kernel);
        let models = models(machine, house);
        house.write("Which?");
        let held = machine.stream_answer();
        assert!(compare.ask(None, &models[..2]));
        machine.pass(100.0);
        house.write("Then?");
        queue.add_draft();
        assert_eq!(queue.state(), QueueState::AwaitsModels);
        machine.answer(says(&["Two"]));
        machine.answer(says(&["Now"]));
        // A model that fails is no reason not to ask the next one.
        assert!(held.unbounded_send(Err(Fault::ConnectionLost)).is_ok());
        drop(held);
        for _ in 0..4 {
            machine.pass(100.0);
        }
        assert_eq!(house.texts(), ["Which?", "Two", "Then?", "Now"]);
        let used = ["tiny:latest", "two:latest", "tiny:latest"];
        assert_eq!(asked(machine), used);
    });
}

/// Switches the calculator on, which the next answer calls.
fn script_calculation(machine: &Machine, house: House) {
    house
        .steering
        .set_tools(builtin_tools(&[BuiltinTool::Calculate]));
    settle();
    let called = json!([{"function": {"name": "calculate", "arguments": {"expression": "1"}}}]);
    let calls = Frame::ToolCalls {
        calls: ToolCall::list(&called),
        left_out: 0,
    };
    machine.answer([Ok(calls)].into_iter().chain(says(&[])).collect());
}

#[test]
fn between_two_rounds_of_tools_no_summary_is_asked_for() {
    reactive(|machine, house| {
        let summaries = Summaries::new(house.kernel);
        house.use_tools(machine);
        for n in 1..=8 {
            house.exchange(machine, &format!("question {n}"), "answer");
        }
        script_calculation(machine, house);
        let calculated = machine.slow_calculation();
        assert!(house.answers.ask("How much?".to_owned()));
        // Switched on while the answer runs, so that the next summary is due when it ends.
        summaries.set_automatic(true);
        machine.pass(200.0);
        let requests = machine.requests.borrow().len();
        assert!(summaries.draft.get_untracked().is_none());
        machine.answer(says(&["Two."]));
        machine.answer(says(&["They talked."]));
        calculated.send(()).unwrap();
        machine.pass(200.0);
        let asked: Vec<String> = machine.requests.borrow()[requests..]
            .iter()
            .map(|request| request.prompt.chars().take(10).collect())
            .collect();
        assert_eq!(
            asked.len(),
            2,
            "the second round, then the summary: {asked:?}"
        );
        assert_eq!(asked[0], "");
        assert_eq!(summaries.versions().len(), 1);
    });
}

#[test]
fn a_summary_that_is_being_written_stops_the_work_of_idle_times() {
    reactive(|machine, house| {
        let summaries = Summaries::new(house.kernel);
        machine.embedder.talk(machine, *house);
        let _never = machine.embedder.slow();
        embedder::choose(machine, house.recall.embeddings);
        summaries.write();
        machine.pass(5000.0);
        assert_eq!(
            (
                machine.embedder.dropped.get(),
                machine.embedder.asked.borrow().len()
            ),
            (1, 1)
        );
        summaries.stop();
        machine.pass(5000.0);
        let path = house.chats.path.get_untracked();
        let has = |id: &&Id| house.recall.embeddings.has_vector(house.chat(), **id);
        assert_eq!(path.iter().filter(has).count(), 8);
    });
}

/// Both would be asked of one engine, and the model that reads may be put out of memory.
#[test]
fn vectors_of_messages_wait_while_a_prompt_is_read_ahead() {
    reactive(|machine, house| {
        let gate = Slow::default();
        let end = gate.hold_back();
        let call = Call::new(move |request: ReadRequest| {
            let whole = ReadResult {
                end: ReadEnd::Whole,
                read_tokens: common_tokens(&request.request, &request.request),
                ..ReadResult::default()
            };
            gate.next().map(|_| Ok::<_, Fault>(whole))
        });
        _ = ReadAhead::new(house.kernel, call);
        machine.say(READS_AHEAD, true);
        machine.is_loaded.set(true);
        machine.embedder.talk(machine, *house);
        machine.pass(61_000.0);
        type_and_rest(machine, house, "What goes with lentils");
        embedder::choose(machine, house.recall.embeddings);
        machine.pass(5000.0);
        let path = house.chats.path.get_untracked();
        let has = |id: &&Id| house.recall.embeddings.has_vector(house.chat(), **id);
        assert_eq!(path.iter().filter(has).count(), 0);
        end.send(()).unwrap();
        machine.pass(5000.0);
        assert_eq!(path.iter().filter(has).count(), 8);
    });
}

#[test]
fn what_is_deleted_for_good_has_no_vectors() {
    reactive(|machine, house| {
        machine.embedder.talk(machine, *house);
        embedder::choose(machine, house.recall.embeddings);
        let (_, answer) = house.exchange(machine, "And then?", "Nothing.");
        machine.pass(5000.0);
        let kept = || machine.embedder.kept.borrow().1.len();
        assert_eq!(kept(), 10);
        house.chats.delete_message(answer);
        let purge = async move {
            let trash = house.library().deleted().await.unwrap();
            let ids = trash.iter().map(Deleted::id).collect();
            assert_eq!(house.library().purge(ids).await, []);
        };
        machine.edges().spawn(purge);
        machine.pass(100.0);
        assert_eq!(kept(), 9);
    });
}

const LONG: &str = "A bottle of red wine goes well with it.";

type Reads = Rc<RefCell<Vec<ReadRequest>>>;

/// Has the model read ahead in a chat of two exchanges, a minute later. Returns what it was to read.
fn talk_and_read_ahead(machine: &Machine, house: House) -> Reads {
    let reads = Reads::default();
    let noted = Rc::clone(&reads);
    let call = Call::new(move |request: ReadRequest| {
        let whole = ReadResult {
            end: ReadEnd::Whole,
            read_tokens: common_tokens(&request.request, &request.request),
            ..ReadResult::default()
        };
        noted.borrow_mut().push(request);
        ready(Ok::<_, Fault>(whole))
    });
    _ = ReadAhead::new(house.kernel, call);
    machine.say(READS_AHEAD, true);
    machine.is_loaded.set(true);
    for (question, answer) in [
        ("What goes with lentils?", LONG),
        ("And with rice?", "Beans."),
    ] {
        house.exchange(machine, question, answer);
    }
    machine.pass(61_000.0);
    reads.borrow_mut().clear();
    reads
}

/// Types a draft and rests.
fn type_and_rest(machine: &Machine, house: House, draft: &str) {
    house.write(draft);
    machine.pass(800.0);
}

#[test]
fn what_is_recalled_is_read_ahead_too() {
    reactive(|machine, house| {
        let reads = talk_and_read_ahead(machine, house);
        house.steering.set_policy(Policy::Messages(1));
        recall_by_itself(house);
        type_and_rest(machine, house, "What goes with lentils again");
        machine.pass(2_000.0);
        let last = reads.borrow().last().cloned().expect("a read");
        assert!(last.request.prompt.contains(LONG), "{last:?}");
    });
}

/// No receipt of the engine names the summary.
#[test]
fn a_summary_keeps_an_engine_elsewhere_from_reading_the_rest() {
    reactive(|machine, house| {
        machine.is_elsewhere.set(true);
        house.engine.refresh();
        settle();
        _ = Summaries::new(house.kernel);
        let reads = talk_and_read_ahead(machine, house);
        type_and_rest(machine, house, "Which is newer");
        assert_eq!(reads.borrow().len(), 1);
        assert_eq!(reads.borrow()[0].request.prompt, PLACEHOLDER);
        house.write("");
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
        settle();
        machine.pass(61_000.0);
        type_and_rest(machine, house, "Which is newer now");
        assert_eq!(reads.borrow().len(), 1);
    });
}

/// Holds `Tools::run_calls`: whether the answer is still the last of its branch is looked up when its tools have ended.
#[test]
fn no_result_is_written_behind_an_answer_after_which_something_else_was_asked() {
    reactive(|machine, house| {
        let tools = house.use_tools(machine);
        script_calculation(machine, house);
        let calculated = machine.slow_calculation();
        assert!(house.answers.ask("How much?".to_owned()));
        machine.pass(200.0);
        let (chat, caller) = (house.chat(), house.chats.path.get_untracked()[1]);
        // As from another device.
        let asked = Message {
            content: "Never mind.".to_owned(),
            ..Message::new(Id(5000), Some(caller), 9, Role::User, 0)
        };
        house.storage.write(|log| log.save_message(chat, &asked));
        house.storage.events().emit(&LogEvent::ManyWritten);
        assert!(tools.runs_tools(caller));
        calculated.send(()).unwrap();
        machine.pass(200.0);
        assert_eq!(house.texts(), ["How much?", "", "Never mind."]);
        assert_eq!(house.kept(chat), house.texts());
        assert_eq!(machine.requests.borrow().len(), 1);
    });
}

/// Shows nothing and plays nothing.
struct Silent;

impl AlertDevice for Silent {
    fn notify(&self, _title: &str, _body: &str, _on_click: Box<dyn FnOnce()>) {}
    fn play_sound(&self) {}
}

#[test]
fn whoever_hears_of_answers_leaves_the_queue_and_the_title_their_own() {
    reactive(|machine, house| {
        let alerts = Alerts::new(house.kernel, Rc::new(Silent));
        let queue = Queue::new(house.kernel);
        let heard = two_listeners(house.answers.events(), |event| match event {
            AnswerEvent::Ended(_, message) => message.content.clone(),
            AnswerEvent::Free(free) => format!("{:?}", free.outcome),
            AnswerEvent::Sending(_, request) => format!("sends {}", request.prompt),
            AnswerEvent::Ending(..) => "ends".to_owned(),
            AnswerEvent::Called(_) | AnswerEvent::Stopping(_) => "none".to_owned(),
        });
        machine.hidden.set(true);
        machine.answer(says(&["Hello"]));
        assert!(house.answers.ask("Hi".to_owned()));
        house.write("And then?");
        queue.add_draft();
        machine.answer(says(&["That"]));
        machine.pass(100.0);
        assert_eq!(house.texts(), ["Hi", "Hello", "And then?", "That"]);
        assert!(alerts.has_unseen());
        let of = |prompt: &str, answer: &str| {
            let sends = format!("sends {prompt}");
            let all = [sends.as_str(), "ends", answer, "Complete"];
            let two = |what: &&str| ["a", "b"].map(|who| format!("{who}: {what}"));
            all.iter().flat_map(two).collect::<Vec<_>>()
        };
        let all = [of("Hi", "Hello"), of("And then?", "That")];
        assert_eq!(heard.take(), all.concat());
    });
}
