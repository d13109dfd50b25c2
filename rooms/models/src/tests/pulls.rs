//! Pulling models.

use super::house::{House, reactive};
use crate::{LayerProgress, ModelFault, PullFrame, PullPhase, PullState, RememberedPull};
use reactive_graph::prelude::*;
use sash_chat::ModelId;
use sash_harness::{settle, three_engines};
use sash_wire::{EngineAction, EngineInfo, EngineKind, EngineState, Fault, ModelInfo};
use std::cell::Cell;
use std::rc::Rc;

fn layer(digest: &str, completed: u64) -> Result<PullFrame, Fault> {
    let digest = digest.to_owned();
    Ok(PullFrame::Layer(LayerProgress {
        digest,
        total: 100,
        completed,
    }))
}

/// The first pull of the list.
fn pull(house: House) -> Option<PullState> {
    house.pulls.all.get_untracked().into_iter().next()
}

fn phases(house: House) -> Vec<(String, PullPhase)> {
    let all = house.pulls.all.get_untracked();
    all.into_iter().map(|p| (p.model.name, p.phase)).collect()
}

/// Pulls a model beside the chats.
fn begin(house: House, model: &str) -> Result<(), Fault> {
    house.pulls.start(house.pulls.named(model), None)
}

/// Pulls a model for the chat that is open.
fn begin_for_chat(house: House, model: ModelId) -> Result<(), Fault> {
    let chat = house.chats.open_id_untracked();
    house.pulls.start(model, Some(chat))
}

fn start(house: House, model: &str) {
    assert_eq!(begin(house, model), Ok(()));
    settle();
}

fn remembered(model: &str, stopped: bool) -> RememberedPull {
    RememberedPull {
        model: model.to_owned(),
        stopped,
        fault: None,
        choose: false,
        chat: None,
        engine: None,
    }
}

#[test]
fn progress_is_that_of_all_layers() {
    reactive(|machine, house| {
        let frames = machine.stream_pull();
        start(house, "small");
        assert_eq!(pull(house).map(|pull| pull.whole()), Some((0, 0)));
        let text = "pulling manifest".to_owned();
        frames.unbounded_send(Ok(PullFrame::Status { text })).ok();
        settle();
        assert_eq!(house.pulls.progress().map(|all| all.percent), Some(None));
        for frame in [layer("a", 20), layer("b", 0), layer("a", 100)] {
            frames.unbounded_send(frame).ok();
            settle();
        }
        assert_eq!(pull(house).map(|pull| pull.whole()), Some((100, 200)));
        assert_eq!(
            pull(house).map(|p| p.status).as_deref(),
            Some("downloading")
        );
        let all = house.pulls.progress().unwrap();
        assert_eq!(
            (&*all.first, all.count, all.percent),
            ("small", 1, Some(50))
        );
        let text = "verifying".to_owned();
        frames.unbounded_send(Ok(PullFrame::Status { text })).ok();
        settle();
        assert_eq!(pull(house).map(|p| p.status).as_deref(), Some("verifying"));
    });
}

#[test]
fn speed_and_time_left_are_those_of_the_bytes_that_come() {
    reactive(|machine, house| {
        let frames = machine.stream_pull();
        start(house, "small");
        // What was there before the pull is not counted.
        frames.unbounded_send(layer("a", 40)).ok();
        machine.pass(1000.0);
        let seen = |p: PullState| (p.rate.speed(), p.seconds_left());
        assert_eq!(pull(house).map(seen), Some((0, None)));
        frames.unbounded_send(layer("a", 60)).ok();
        settle();
        assert_eq!(pull(house).map(seen), Some((20, Some(2))));
    });
}

#[test]
fn a_model_that_was_pulled_for_the_chat_is_chosen_by_its_whole_name() {
    reactive(|machine, house| {
        let frames = machine.stream_pull();
        house.pulls.asked.set(true);
        assert_eq!(begin_for_chat(house, "small".into()), Ok(()));
        machine.more_models.borrow_mut().push(ModelInfo {
            name: "small:latest".to_owned(),
            ..ModelInfo::default()
        });
        frames.unbounded_send(Ok(PullFrame::Done)).ok();
        settle();
        assert!(pull(house).is_none());
        assert!(!house.pulls.asked.get_untracked());
        assert_eq!(house.notices.status.get_untracked(), "small is ready");
        assert_eq!(
            house
                .steering
                .model
                .get_untracked()
                .map(|model| model.name)
                .as_deref(),
            Some("small:latest")
        );
    });
}

#[test]
fn a_model_that_was_pulled_for_a_chat_is_not_given_to_another_that_is_open_at_the_end() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let asked_for_it = house.chat();
        let frames = machine.stream_pull();
        assert_eq!(begin_for_chat(house, "small".into()), Ok(()));
        settle();
        house.chats.begin_chat();
        settle();
        house.exchange(machine, "Something else", "Yes");
        machine.more_models.borrow_mut().push(ModelInfo {
            name: "small:latest".to_owned(),
            ..ModelInfo::default()
        });
        frames.unbounded_send(Ok(PullFrame::Done)).ok();
        settle();
        let model = |chat| {
            let head = house.storage.with_log(|log| log.head(chat)).flatten();
            head.and_then(|head| head.model)
        };
        assert_eq!(model(asked_for_it).as_deref(), Some("small:latest"));
        assert_ne!(model(house.chat()).as_deref(), Some("small:latest"));
    });
}

#[test]
fn a_model_that_was_pulled_beside_the_chat_is_not_chosen() {
    reactive(|machine, house| {
        let completed = Rc::new(Cell::new(0));
        let count = Rc::clone(&completed);
        house
            .pulls
            .completed
            .on(move |()| count.set(count.get() + 1));
        let frames = machine.stream_pull();
        start(house, "small");
        machine.more_models.borrow_mut().push(ModelInfo {
            name: "small:latest".to_owned(),
            ..ModelInfo::default()
        });
        frames.unbounded_send(Ok(PullFrame::Done)).ok();
        settle();
        assert_eq!(house.toast().as_deref(), Some("small is ready"));
        assert_eq!(
            house
                .steering
                .model
                .get_untracked()
                .map(|model| model.name)
                .as_deref(),
            Some("tiny:latest")
        );
        assert_eq!(completed.get(), 1);
    });
}

#[test]
fn stopping_a_pull_ends_the_request_and_the_next_start_resumes_it() {
    reactive(|machine, house| {
        let frames = machine.stream_pull();
        start(house, "small");
        assert!(!frames.is_closed());
        frames.unbounded_send(layer("a", 20)).ok();
        settle();
        house.pulls.stop(&"small".into());
        settle();
        assert!(frames.is_closed());
        let stopped = ("small".to_owned(), PullPhase::Stopped);
        assert_eq!(phases(house), [stopped]);
        assert_eq!(house.pulls.latest_active(), None);
        assert_eq!(house.notices.status.get_untracked(), "Pull stopped");
        let _frames = machine.stream_pull();
        start(house, "small");
        let whole = pull(house).map(|pull| (pull.phase.clone(), pull.whole()));
        assert_eq!(whole, Some((PullPhase::Running, (20, 100))));
        assert_eq!(*machine.pulled.borrow(), ["small", "small"]);
    });
}

#[test]
fn a_pull_that_fails_says_why_and_keeps_how_far_it_came_until_the_next_one() {
    reactive(|machine, house| {
        let frames = machine.stream_pull();
        start(house, "small");
        frames.unbounded_send(layer("a", 20)).ok();
        let error = Fault::OllamaLost;
        frames.unbounded_send(Ok(PullFrame::Error { error })).ok();
        settle();
        let ended = pull(house).map(|pull| (pull.whole(), pull.fault().cloned()));
        assert_eq!(ended, Some(((20, 100), Some(Fault::OllamaLost))));
        assert_eq!(house.pulls.latest_fault(), Some(Fault::OllamaLost));
        let said = house.notices.alert.get_untracked();
        assert_eq!(said, Fault::OllamaLost.to_string());
        let _frames = machine.stream_pull();
        start(house, "small");
        assert_eq!(house.pulls.latest_fault(), None);
        assert_eq!(house.pulls.latest_active(), Some("small".into()));
    });
}

#[test]
fn a_pull_that_ends_without_saying_so_was_lost() {
    reactive(|machine, house| {
        let frames = machine.stream_pull();
        start(house, "small");
        frames.unbounded_send(layer("a", 100)).ok();
        drop(frames);
        settle();
        assert_eq!(house.pulls.latest_fault(), Some(Fault::ConnectionLost));
    });
}

#[test]
fn a_pull_whose_connection_broke_is_taken_up_by_a_reload_and_a_refused_one_is_not() {
    reactive(|machine, house| {
        let reason = "the disk is full".to_owned();
        let failed = Fault::from(ModelFault::PullFailed {
            reason,
            cause: None,
        });
        let faults = [
            Fault::ConnectionLost,
            failed.clone(),
            ModelFault::NotInRegistry.into(),
        ];
        for (model, fault) in ["a", "b", "c"].into_iter().zip(faults) {
            machine.refuse_pull(fault);
            start(house, model);
        }
        let stopped = |model, fault| RememberedPull {
            fault: Some(fault),
            ..remembered(model, true)
        };
        let expected = [
            remembered("a", false),
            stopped("b", failed.clone()),
            stopped("c", ModelFault::NotInRegistry.into()),
        ];
        assert_eq!(house.pulls.remembered(), expected);
        // The reason is there after the reload, and a name that does not exist cannot be resumed.
        let reloaded = House::new(&machine.another_tab());
        reloaded.pulls.restore(house.pulls.remembered());
        let seen = |model: &str| {
            reloaded
                .pulls
                .with(&model.into(), |p| (p.fault().cloned(), p.can_resume()))
        };
        assert_eq!(seen("b"), (Some(failed), true));
        assert_eq!(seen("c"), (Some(ModelFault::NotInRegistry.into()), false));
    });
}

#[test]
fn a_name_that_is_none_is_never_sent() {
    reactive(|machine, house| {
        for name in ["", "bad name", "http://evil.example/a/b"] {
            let model = name.to_owned();
            let refused = Err(Fault::InvalidModelName { model });
            assert_eq!(begin(house, name), refused);
        }
        settle();
        assert!(machine.pulled.borrow().is_empty());
        assert!(pull(house).is_none());
    });
}

#[test]
fn three_pulls_run_at_once_and_the_next_one_follows() {
    reactive(|machine, house| {
        let mut frames: Vec<_> = (0..4).map(|_| machine.stream_pull()).collect();
        for model in ["a", "b", "c", "d"] {
            start(house, model);
        }
        assert_eq!(*machine.pulled.borrow(), ["a", "b", "c"]);
        assert_eq!(phases(house)[3].1, PullPhase::Waiting);
        // A frame belongs to its own pull.
        frames[1].unbounded_send(layer("x", 7)).ok();
        settle();
        let whole = |model: &str| house.pulls.with(&model.into(), PullState::whole);
        assert_eq!((whole("a"), whole("b")), ((0, 0), (7, 100)));
        frames.remove(0).unbounded_send(Ok(PullFrame::Done)).ok();
        settle();
        assert_eq!(
            machine.pulled.borrow().last().map(String::as_str),
            Some("d")
        );
        assert_eq!(phases(house).len(), 3);
        house.pulls.remove(&"c".into());
        settle();
        assert_eq!(phases(house).len(), 2);
        assert!(frames[1].is_closed());
    });
}

#[test]
fn a_pull_that_finds_the_server_busy_asks_again() {
    reactive(|machine, house| {
        machine.refuse_pull(Fault::TooManyAnswers { limit: 3 });
        let _frames = machine.stream_pull();
        start(house, "small");
        assert_eq!(pull(house).map(|p| p.phase), Some(PullPhase::Waiting));
        machine.pass(5_000.0);
        assert_eq!(pull(house).map(|p| p.phase), Some(PullPhase::Running));
        assert_eq!(machine.pulled.borrow().len(), 2);
    });
}

#[test]
fn a_reload_takes_up_what_ran_and_lists_what_was_stopped() {
    reactive(|machine, house| {
        let _frames = [machine.stream_pull(), machine.stream_pull()];
        start(house, "a");
        start(house, "b");
        house.pulls.stop(&"a".into());
        assert_eq!(
            house.pulls.remembered(),
            [remembered("a", true), remembered("b", false)]
        );
        // The page is loaded again while Ollama is away.
        let loaded = machine.another_tab();
        *loaded.found.borrow_mut() = Some(Ok(EngineState::default()));
        let reloaded = House::new(&loaded);
        let _frames = machine.stream_pull();
        machine.pulled.borrow_mut().clear();
        reloaded.pulls.restore(house.pulls.remembered());
        settle();
        assert!(machine.pulled.borrow().is_empty());
        assert_eq!(reloaded.pulls.latest_active(), Some("b".into()));
        *loaded.found.borrow_mut() = None;
        loaded.pass(2_000.0);
        assert_eq!(*machine.pulled.borrow(), ["b"]);
        assert_eq!(phases(reloaded)[0].1, PullPhase::Stopped);
    });
}

/// An engine that can pull.
fn puller(name: &str, kind: EngineKind) -> EngineInfo {
    EngineInfo {
        name: name.to_owned(),
        kind,
        can: vec![EngineAction::Pull],
        ..EngineInfo::default()
    }
}

/// It was told as begun, and the pull that ran was taken for it.
#[test]
fn a_name_that_is_being_pulled_into_one_engine_is_pulled_into_another_one_too() {
    reactive(|machine, house| {
        *machine.engines.borrow_mut() = vec![
            puller("here", EngineKind::Ollama),
            puller("box", EngineKind::Ollama),
        ];
        house.engine.refresh();
        settle();
        let mut frames = vec![machine.stream_pull(), machine.stream_pull()];
        start(house, "small");
        house.pulls.chosen.set(Some(Some("box".to_owned())));
        start(house, "small");
        assert_eq!(*machine.pulled.borrow(), ["small", "small on box"]);
        // Each has its own progress, and a stop is one of its own pull.
        frames[1].unbounded_send(layer("x", 7)).ok();
        settle();
        let there = ModelId::new(Some("box"), "small");
        let whole = |model: &ModelId| house.pulls.with(model, PullState::whole);
        assert_eq!((whole(&"small".into()), whole(&there)), ((0, 0), (7, 100)));
        house.pulls.stop(&there);
        settle();
        assert!(!frames[0].is_closed() && frames[1].is_closed());
        // Both are there after a reload, and each is resumed into its own engine, whichever one is chosen.
        let reloaded = House::new(&machine.another_tab());
        frames.push(machine.stream_pull());
        reloaded.pulls.restore(house.pulls.remembered());
        settle();
        assert_eq!(phases(reloaded).len(), 2);
        frames.push(machine.stream_pull());
        reloaded.pulls.resume(&there);
        settle();
        assert_eq!(machine.pulled.borrow()[2..], ["small", "small on box"]);
        // So is the model of an answer that is gone.
        frames.push(machine.stream_pull());
        let gone = ModelId::new(None, "gone");
        assert_eq!(begin_for_chat(house, gone), Ok(()));
        settle();
        let pulled = machine.pulled.borrow();
        assert_eq!(pulled.last().map(String::as_str), Some("gone"));
    });
}

#[test]
fn a_pull_goes_into_the_engine_that_was_chosen_and_a_reload_remembers_it() {
    reactive(|machine, house| {
        *machine.engines.borrow_mut() = vec![
            puller("here", EngineKind::Ollama),
            puller("llama", EngineKind::OpenAi),
        ];
        house.engine.refresh();
        settle();
        let _frames = [machine.stream_pull(), machine.stream_pull()];
        start(house, "small");
        // Only Ollama's names have a grammar.
        let odd = "Org/Model:Q4 K";
        assert!(begin(house, odd).is_err());
        house.pulls.chosen.set(Some(Some("llama".to_owned())));
        start(house, odd);
        assert_eq!(
            *machine.pulled.borrow(),
            ["small", "Org/Model:Q4 K on llama"]
        );
        let remembered = house.pulls.remembered().pop();
        assert_eq!(
            remembered.and_then(|pull| pull.engine).as_deref(),
            Some("llama")
        );
    });
}

#[test]
fn a_model_is_pulled_into_the_first_engine_that_can() {
    reactive(|machine, house| {
        three_engines(machine, *house);
        machine.engines.borrow_mut()[0].can.clear();
        house.engine.refresh();
        settle();
        let frames = machine.stream_pull();
        begin(house, "small").unwrap();
        settle();
        assert_eq!(*machine.pulled.borrow(), ["small on box"]);
        drop(frames);
    });
}
