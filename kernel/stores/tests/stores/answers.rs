//! From a prompt to the end of its answer, without a browser.

use reactive_graph::prelude::*;
use sash_chat::{Id, NoText, Outcome};
use sash_harness::{House, Machine, reactive, says, settle, text};
use sash_stores::{AnswerState, OverflowSource, ReadingEstimate, Wait, cut_off_words};
use sash_wire::{DoneReason, EngineState, Fault, Frame, LoadedModel, ReadingProgress, Usage};

/// The outcome of the last answer on the branch.
fn last_outcome(house: House) -> Option<Outcome> {
    house.chats.open.with_untracked(|chat| {
        let last = chat.leaf().and_then(|id| chat.get(id));
        last.map(|message| message.outcome.clone())
    })
}

/// The last text of a chat that a reload would show.
fn kept_text(house: House, chat: Id) -> Option<String> {
    house.kept(chat).pop()
}

fn last_text(house: House) -> String {
    house.texts().pop().unwrap_or_default()
}

#[test]
fn a_prompt_is_in_the_log_before_it_is_sent_and_the_answer_after_it() {
    reactive(|machine, house| {
        machine.answer(says(&["Hello", " there"]));
        assert!(house.answers.ask("Hi".to_owned()));
        let chat = house.chats.open_id_untracked();
        let kept = house.storage.with_log(|log| log.load(chat)).flatten();
        assert!(
            kept.is_some_and(|chat| chat.newest().is_some()),
            "the question is kept"
        );
        machine.pass(100.0);
        assert_eq!(last_text(house), "Hello there");
        assert!(!house.answers.runs_in(chat));
        let kept = house.storage.with_log(|log| log.load(chat)).flatten();
        let kept = kept.map(|chat| {
            chat.path()
                .iter()
                .map(|m| m.content.clone())
                .collect::<Vec<_>>()
        });
        assert_eq!(kept, Some(vec!["Hi".to_owned(), "Hello there".to_owned()]));
    });
}

#[test]
fn the_request_carries_what_the_window_shows() {
    reactive(|machine, house| {
        for n in 0..4 {
            machine.answer(says(&[&format!("answer {n}")]));
            assert!(house.answers.ask(format!("question {n}")));
            machine.pass(100.0);
        }
        let shown = house
            .steering
            .window
            .with_untracked(|window| window.entries.len());
        assert_eq!(shown, 3);
        house.drafts.set_text("and now?");
        let next = house.answers.next_request();
        assert!(house.answers.ask("and now?".to_owned()));
        settle();
        let sent = machine.requests.borrow().last().cloned();
        assert_eq!(sent.as_ref(), Some(&next));
        assert_eq!(sent.map(|request| request.context.len()), Some(3));
    });
}

#[test]
fn stopping_keeps_what_came() {
    reactive(|machine, house| {
        machine.hold_open(vec![text("Half")]);
        assert!(house.answers.ask("Hi".to_owned()));
        machine.pass(50.0);
        let chat = house.chats.open_id_untracked();
        assert!(house.answers.runs_in(chat));
        assert!(!house.answers.can_send(), "one answer at a time in a chat");
        house.answers.stop(chat);
        assert!(!house.answers.runs_in(chat));
        assert_eq!(last_outcome(house), Some(Outcome::Stopped));
        assert_eq!(last_text(house), "Half");
        assert_eq!(kept_text(house, chat).as_deref(), Some("Half"));
    });
}

#[test]
fn a_fault_keeps_the_text_that_came_and_is_said() {
    reactive(|machine, house| {
        let error = Fault::OllamaLost;
        machine.answer(vec![text("Half a"), Ok(Frame::Error { error })]);
        assert!(house.answers.ask("Hi".to_owned()));
        settle();
        assert_eq!(
            house.notices.alert.get_untracked(),
            Fault::OllamaLost.to_string()
        );
        assert_eq!(last_text(house), "Half a");
        machine.pass(2000.0);
        assert_eq!(
            house.notices.alert.get_untracked(),
            "",
            "it can be said again"
        );
    });
}

#[test]
fn a_stream_without_an_end_is_not_a_complete_answer() {
    reactive(|machine, house| {
        machine.answer(vec![text("Half")]);
        assert!(house.answers.ask("Hi".to_owned()));
        // The server is asked for the rest, and does not know the answer.
        machine.pass(300.0);
        let chat = house.chats.open_id_untracked();
        assert!(!house.answers.runs_in(chat));
        assert_eq!(last_outcome(house), Some(Fault::ConnectionLost.outcome()));
        assert_eq!(last_text(house), "Half");
    });
}

#[test]
fn the_tail_of_a_running_answer_is_written_once_a_second() {
    reactive(|machine, house| {
        let words: Vec<_> = (0..5).map(|n| text(&format!("word{n} "))).collect();
        // The stream stays open: received text is saved, and no end is.
        machine.hold_open(words);
        assert!(house.answers.ask("Hi".to_owned()));
        let chat = house.chats.open_id_untracked();
        machine.pass(900.0);
        assert_eq!(kept_text(house, chat).as_deref(), Some(""), "not yet");
        machine.pass(200.0);
        let kept = kept_text(house, chat);
        assert_eq!(kept.as_deref(), Some("word0 word1 word2 word3 word4 "));
        let id = house
            .answers
            .answering
            .with_untracked(|all| all.get(&chat).copied());
        let message = id.and_then(|id| house.chats.message(id));
        let answer = message.map(|message| house.answers.live(&message));
        let shown = answer.map(|a| (a.text.get_untracked(), a.state.get_untracked()));
        assert_eq!(
            shown,
            Some((
                "word0 word1 word2 word3 word4 ".to_owned(),
                AnswerState::Writing
            ))
        );
    });
}

#[test]
fn what_does_not_fit_is_not_sent_and_nothing_is_written() {
    reactive(|machine, house| {
        house.settings.change(|settings| {
            settings.contexts.push(sash_stores::ModelContext {
                model: "tiny:latest".to_owned(),
                tokens: 64,
            });
        });
        let long = "many words that fill the context ".repeat(40);
        assert!(!house.answers.ask(long.clone()));
        assert!(machine.requests.borrow().is_empty());
        assert!(house.chats.open.with_untracked(sash_chat::Chat::is_empty));
        let told = house.steering.overflow.get_untracked();
        assert!(told.is_some_and(|told| told.guessed
            && told.asked == OverflowSource::Draft
            && told.context == 64));
        // Sending the request again overrides the estimate: Ollama counts and cuts nothing.
        assert!(house.answers.ask(long));
    });
}

#[test]
fn a_deleted_chat_stops_its_answer_and_comes_back_with_it() {
    reactive(|machine, house| {
        assert!(house.answers.ask("Hi".to_owned()));
        machine.pass(20.0);
        let chat = house.chats.open_id_untracked();
        house.answers.delete_chat(chat);
        assert!(!house.answers.runs_in(chat));
        assert!(house.chats.list.with_untracked(Vec::is_empty));
        assert!(house.chats.undo_last());
        assert_eq!(house.chats.open_id_untracked(), chat);
        assert_eq!(house.chats.list.with_untracked(Vec::len), 1);
    });
}

#[test]
fn the_time_to_the_first_token_is_in_the_receipt_and_the_speed_is_known_after_a_second() {
    reactive(|machine, house| {
        let frames = machine.stream_answer();
        assert!(house.answers.ask("Hi".to_owned()));
        machine.pass(2_500.0);
        let id = house.chats.open.with_untracked(|chat| chat.leaf());
        let id = id.unwrap_or_else(|| panic!("an answer"));
        let figures = || house.answers.figures_of(id);
        let speed_of = || figures().and_then(|figures| figures.speed);
        assert_eq!(figures(), None);
        frames
            .unbounded_send(text("one two three four five six seven eight nine ten"))
            .unwrap();
        machine.pass(500.0);
        assert!(figures().is_some_and(|figures| figures.is_estimated));
        assert_eq!(speed_of(), None, "too early to say");
        machine.pass(500.0);
        let speed = speed_of();
        assert!(
            speed.is_some_and(|speed| (8..=14).contains(&speed)),
            "{speed:?}"
        );
        // The average sinks while nothing comes.
        machine.pass(4_000.0);
        assert!(speed_of() < speed);
        let shown = figures();
        house.answers.stop(house.chat());
        settle();
        // They stay, also after a reload.
        assert_eq!(figures(), shown);
        let again = House::reopened(machine, Some(house.chat()));
        assert_eq!(again.answers.figures_of(id), shown);
        let receipt = house.chats.message(id).and_then(|message| message.receipt);
        let first = receipt.and_then(|receipt| receipt.first_token_ms);
        assert!(
            first.is_some_and(|ms| (2_500..2_600).contains(&ms)),
            "{first:?}"
        );
    });
}

/// The state of an Ollama with `tiny:latest` in memory, or with nothing.
pub fn loaded(is: bool) -> EngineState {
    let model = LoadedModel {
        name: "tiny:latest".to_owned(),
        context_length: Some(4096),
        ..LoadedModel::default()
    };
    EngineState {
        reachable: true,
        loaded: Some(model).filter(|_| is).into_iter().collect(),
        ..EngineState::default()
    }
}

#[test]
fn what_an_answer_waits_for_is_said_as_far_as_it_is_known() {
    reactive(|machine, house| {
        let look = |is: bool| {
            *machine.found.borrow_mut() = Some(Ok(loaded(is)));
            house.engine.refresh();
            settle();
        };
        look(true);
        assert!(house.answers.ask("Hi".to_owned()));
        settle();
        let id = house.chats.open.with_untracked(|chat| chat.leaf());
        let id = id.unwrap_or_else(|| panic!("an answer"));
        let wait = || house.answers.wait_of(id, &"tiny:latest".into());
        assert_eq!(wait(), Wait::Reading(ReadingEstimate::Unknown));
        // The answer of another tab may come first.
        house.remote.record(Id(77));
        assert_eq!(wait(), Wait::Unknown);
        house.remote.end(Id(77));
        look(false);
        assert_eq!(wait(), Wait::Loading(None));
        // Ollama lists a model while it loads it, too.
        look(true);
        assert_eq!(wait(), Wait::LoadingOrReading);
    });
}

#[test]
fn an_engine_that_tells_how_far_it_has_read_is_believed() {
    reactive(|machine, house| {
        let frames = machine.stream_answer();
        assert!(house.answers.ask("Hi".to_owned()));
        settle();
        let id = house.chats.open.with_untracked(|chat| chat.leaf());
        let id = id.unwrap_or_else(|| panic!("an answer"));
        let wait = || house.answers.wait_of(id, &"tiny:latest".into());
        let progress = ReadingProgress {
            total: 3000,
            cached: 0,
            processed: 1024,
            ms: 400,
        };
        frames.unbounded_send(Ok(Frame::Reading(progress))).unwrap();
        frames.unbounded_send(Ok(Frame::Unknown)).unwrap();
        settle();
        assert_eq!(wait(), Wait::Reading(ReadingEstimate::Counted(progress)));
        let live = house
            .chats
            .with_message(id, |message| house.answers.live(message));
        let state = live.map(|live| live.state.get_untracked());
        assert!(matches!(state, Some(AnswerState::Waiting(_))));
        // Another tab's answer does not matter to an engine that is reading this one.
        house.remote.record(Id(77));
        assert_eq!(wait(), Wait::Reading(ReadingEstimate::Counted(progress)));
    });
}

#[test]
fn where_an_engine_does_not_tell_the_last_answers_are_a_guess() {
    reactive(|machine, house| {
        // What the engine had in its cache was not read.
        let usage = |read: u64, ms| Usage {
            prompt_tokens: Some(read + 5_000),
            cached_tokens: Some(5_000),
            prompt_ms: Some(ms),
            ..Usage::default()
        };
        let model = &"tiny:latest".into();
        *machine.found.borrow_mut() = Some(Ok(loaded(true)));
        house.engine.refresh();
        settle();
        let mut wait = Wait::Unknown;
        // 100 tokens a second, the median of three; an answer to a short prompt does not count.
        for (tokens, ms) in [
            (1000, 10_000.0),
            (1000, 50_000.0),
            (1000, 5_000.0),
            (20, 60.0),
        ] {
            let frames = machine.stream_answer();
            assert!(house.answers.ask("word ".repeat(1000)));
            settle();
            let id = house.chats.open.with_untracked(|chat| chat.leaf()).unwrap();
            wait = house.answers.wait_of(id, model);
            let done = Frame::Done {
                reason: DoneReason::Stop,
                usage: usage(tokens, ms),
            };
            frames.unbounded_send(text("Yes")).unwrap();
            frames.unbounded_send(Ok(done)).unwrap();
            settle();
        }
        let Wait::Reading(ReadingEstimate::Guessed { tokens, ms }) = wait else {
            panic!("{wait:?}");
        };
        assert_eq!(ms, tokens * 10, "{tokens}");
    });
}

/// What is said of an answer that thinks and writes, asked for so many milliseconds ago.
fn stages_said(waited: f64) -> Vec<String> {
    let mut said = Vec::new();
    reactive(|machine, house| {
        let frames = machine.stream_answer();
        assert!(house.answers.ask("Hi".to_owned()));
        machine.pass(waited);
        let thinking = |text: &str| {
            let text = text.to_owned();
            Ok(Frame::Thinking { text })
        };
        for frame in [thinking("a"), thinking("b"), text("c"), text("d")] {
            frames.unbounded_send(frame).ok();
            settle();
            said.push(house.notices.status.get_untracked());
        }
    });
    said.dedup();
    said.retain(|said| said.ends_with('…'));
    said
}

#[test]
fn the_stages_of_a_slow_answer_are_said() {
    assert_eq!(stages_said(5_000.0), ["Thinking…", "Writing…"]);
}

#[test]
fn the_stages_of_a_quick_answer_are_not_said() {
    assert_eq!(stages_said(0.0), [""; 0]);
}

#[test]
fn thinking_that_can_be_ended_is_ended_once() {
    reactive(|machine, house| {
        let frames = machine.stream_answer();
        assert!(house.answers.ask("Hi".to_owned()));
        settle();
        let id = house.chats.open.with_untracked(|chat| chat.leaf());
        let id = id.unwrap_or_else(|| panic!("an answer"));
        let live = house
            .chats
            .with_message(id, |message| house.answers.live(message));
        let endable = live.unwrap_or_else(|| panic!("it runs")).endable;
        house.answers.answer_now(id);
        assert!(!endable.get_untracked());
        let named = Frame::Endable {
            id: "chatcmpl-1".into(),
        };
        let thinking = Frame::Thinking { text: "Hm".into() };
        for frame in [named, thinking] {
            frames.unbounded_send(Ok(frame)).unwrap();
        }
        settle();
        assert!(endable.get_untracked());
        *machine.refusal.borrow_mut() = Some(Fault::OllamaBusy);
        house.answers.answer_now(id);
        house.answers.answer_now(id);
        settle();
        assert_eq!(
            *machine.asked.borrow(),
            ["answer now tiny:latest chatcmpl-1"]
        );
        assert!(!endable.get_untracked());
        let toast = house.notices.toast.get_untracked();
        assert_eq!(
            toast.map(|toast| toast.text),
            Some(Fault::OllamaBusy.to_string())
        );
    });
}

/// Nothing is waited for between the last frame and the record.
#[test]
fn a_stop_after_the_last_frame_leaves_a_complete_answer_complete() {
    reactive(|machine, house| {
        let frames = machine.stream_answer();
        assert!(house.answers.ask("Hi".to_owned()));
        for frame in says(&["Hello"]) {
            frames.unbounded_send(frame).unwrap();
        }
        settle();
        assert_eq!(house.kept(house.chat()), ["Hi", "Hello"]);
        house.answers.stop(house.chat());
        settle();
        let kept = house.storage.with_log(|log| log.load(house.chat()));
        let outcome = kept
            .flatten()
            .and_then(|chat| chat.newest().map(|m| m.outcome.clone()));
        assert_eq!(outcome, Some(Outcome::Complete));
    });
}

/// An answer that a length limit ended, with these counts.
fn cut_off(house: House, machine: &Machine, words: &str, counts: (u64, u64)) -> Id {
    let usage = Usage {
        prompt_tokens: Some(counts.0),
        answer_tokens: Some(counts.1),
        ..Usage::default()
    };
    let reason = DoneReason::Length;
    machine.answer(vec![text(words), Ok(Frame::Done { reason, usage })]);
    assert!(house.answers.ask("Go on".to_owned()));
    machine.pass(100.0);
    house
        .chats
        .path
        .with_untracked(|path| path.last().copied().unwrap_or(Id(0)))
}

/// The tokens of the whole text were shown over the time of its end, as 260 a second.
#[test]
fn the_figures_of_an_answer_that_was_carried_on_are_those_of_the_rest() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let former = cut_off(house, machine, &"word ".repeat(500), (10, 5));
        let stream = machine.stream_answer();
        house.answers.continue_answer(former);
        settle();
        stream.unbounded_send(text("one two three four")).unwrap();
        machine.pass(2_000.0);
        let answer = house
            .chats
            .path
            .with_untracked(|path| *path.last().unwrap());
        let shown = house.answers.figures_of(answer).unwrap();
        assert!(shown.tokens < 20, "{shown:?}");
        house.answers.stop(house.chat());
        settle();
        assert_eq!(house.answers.figures_of(answer), Some(shown));
    });
}

#[test]
fn a_cut_off_answer_is_carried_on_in_a_version_that_begins_with_its_text() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let former = cut_off(house, machine, "One, two, ", (10, 5));
        let stream = machine.stream_answer();
        house.answers.continue_answer(former);
        settle();
        let sent = machine.requests.borrow().last().cloned().unwrap();
        assert!(sent.continue_final_message && sent.prompt.is_empty());
        assert_eq!(sent.check(), Ok(()));
        let said: Vec<_> = sent.context.iter().map(|m| m.content.clone()).collect();
        assert_eq!(said, ["Hi", "Hello", "Go on", "One, two, "]);
        let answer = house
            .chats
            .path
            .with_untracked(|path| *path.last().unwrap());
        let message = house.chats.message(answer).unwrap();
        let live = house.answers.live(&message);
        assert_eq!(
            live.text.get_untracked(),
            "One, two, ",
            "the beginning stays on the page"
        );
        stream.unbounded_send(text("three.")).unwrap();
        machine.pass(1500.0);
        assert_eq!(
            house.kept(house.chat()).last().unwrap(),
            "One, two, three.",
            "and in the tail"
        );
        for frame in says(&[]) {
            stream.unbounded_send(frame).unwrap();
        }
        machine.pass(100.0);
        assert_eq!(house.texts(), ["Hi", "Hello", "Go on", "One, two, three."]);
        let message = house.chats.message(answer).unwrap();
        assert_eq!(message.outcome, Outcome::Complete);
        let receipt = message.receipt.unwrap();
        assert_eq!(receipt.continued, Some(former));
        assert_eq!(receipt.sent.last(), Some(&former), "the model read it");
        assert_eq!(
            house.chats.message(former).unwrap().content,
            "One, two, ",
            "it never changes"
        );
        let versions = house
            .chats
            .open
            .with_untracked(|chat| chat.tree.versions(answer));
        assert_eq!(versions, [former, answer]);
    });
}

#[test]
fn where_an_answer_cannot_be_carried_on_a_new_question_asks_and_the_reason_is_said() {
    reactive(|machine, house| {
        let former = cut_off(house, machine, "One, two, ", (10, 5));
        let reason = "does not take it".to_owned();
        machine.answer(vec![Ok(Frame::Error {
            error: Fault::RequestRefused { reason },
        })]);
        machine.answer(says(&["three."]));
        house.answers.continue_answer(former);
        machine.pass(100.0);
        let asked = "Continue exactly where you stopped.";
        assert_eq!(house.texts(), ["Go on", "One, two, ", asked, "three."]);
        let toast =
            "The engine cannot continue an answer, so Sash asks for the rest in a new question";
        assert_eq!(house.toast().as_deref(), Some(toast));
        // A complete answer was ended by the model: only a question makes it go on.
        let (_, complete) = house.exchange(machine, "And?", "Four.");
        machine.answer(says(&["Five."]));
        house.answers.continue_answer(complete);
        machine.pass(100.0);
        assert_eq!(
            house.texts().split_off(4),
            ["And?", "Four.", asked, "Five."]
        );
    });
}

/// Holds `Answers::run_held`: the question that asks instead is put only if that answer is in the open chat.
#[test]
fn a_refusal_to_carry_on_an_answer_asks_nothing_in_the_chat_that_was_opened_meanwhile() {
    reactive(|machine, house| {
        let former = cut_off(house, machine, "One, two, ", (10, 5));
        let stream = machine.stream_answer();
        house.answers.continue_answer(former);
        settle();
        let chat = house.chat();
        house.chats.begin_chat();
        house.exchange(machine, "Quick", "Yes");
        let asked = machine.requests.borrow().len();
        let reason = "does not take it".to_owned();
        let error = Fault::RequestRefused { reason };
        stream.unbounded_send(Ok(Frame::Error { error })).unwrap();
        machine.pass(100.0);
        assert!(!house.answers.runs_in(chat));
        assert_eq!(machine.requests.borrow().len(), asked);
        assert_eq!(house.texts(), ["Quick", "Yes"]);
    });
}

#[test]
fn an_answer_that_filled_the_context_says_so_and_not_one_that_reached_its_own_limit() {
    reactive(|machine, house| {
        let words = |id| {
            let receipt = house.chats.message(id).unwrap().receipt;
            let receipt = receipt.map(|receipt| house.answers.with_context(receipt));
            cut_off_words(receipt.as_ref(), false)
        };
        // Which context the model has is known only once it was loaded for the answer.
        *machine.found.borrow_mut() = Some(Ok(loaded(true)));
        let full = cut_off(house, machine, "So long", (48, 4048));
        assert_eq!(
            words(full),
            "The answer ended because the context (4,096) was full"
        );
        let short = cut_off(house, machine, "So long", (48, 500));
        assert_eq!(words(short), "Cut off by a length limit");
        let larger = house.answers.context_to_continue(full);
        assert_eq!(larger, Some(8192));
        machine.answer(says(&[" and longer"]));
        house.answers.raise_context_and_continue(full, 8192);
        machine.pass(100.0);
        let sent = machine.requests.borrow().last().cloned().unwrap();
        assert_eq!(sent.options.unwrap()["num_ctx"], 8192);
        assert_eq!(last_text(house), "So long and longer");
    });
}

/// It was announced as complete with no words, and looked like nothing.
#[test]
fn an_answer_without_text_says_so() {
    reactive(|machine, house| {
        let thinking = || Ok(Frame::Thinking { text: "Hm.".into() });
        let done = || says(&[]).pop().unwrap();
        for (frames, no_text, words) in [
            (vec![done()], NoText::Empty, "This answer has no text."),
            (
                vec![text(" \n"), done()],
                NoText::Empty,
                "This answer has no text.",
            ),
            (
                vec![thinking(), done()],
                NoText::OnlyThinking,
                "This answer has no text, only thinking.",
            ),
        ] {
            machine.hidden.set(true);
            machine.answer(frames);
            assert!(house.answers.ask("Hi".to_owned()));
            machine.pass(100.0);
            assert_eq!(last_outcome(house), Some(Outcome::Complete));
            let found = house.chats.open.with_untracked(|chat| {
                let last = chat.leaf().and_then(|id| chat.get(id));
                last.and_then(NoText::of)
            });
            assert_eq!(found, Some(no_text));
            assert_eq!(house.notices.status.get_untracked(), words);
        }
    });
}
