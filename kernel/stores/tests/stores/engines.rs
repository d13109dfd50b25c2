//! Several engines: their models in one list, an engine that is away, and settings that are kept apart.

use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::ModelId;
use sash_chat::window::FirstMessageRule;
use sash_harness::{
    House, Machine, engine_model, llama_router, reactive, says, settle, three_engines,
};
use sash_stores::{ReadingEstimate, Wait};
use sash_wire::{
    DraftMark, EngineAction, EngineInfo, EngineReach, EngineState, Fault, Frame, ModelInfo,
    ReadingProgress, UnsentScope, Upstream,
};
use serde_json::json;

#[test]
fn a_router_says_how_far_a_model_is_loaded_and_then_how_far_it_reads() {
    reactive(|machine, house| {
        llama_router(machine, house, Some(42));
        let frames = machine.stream_answer();
        assert!(house.answers.ask("Hi".to_owned()));
        settle();
        let id = house.chats.open.with_untracked(|chat| chat.leaf());
        let id = id.unwrap_or_else(|| panic!("an answer"));
        let wait = || house.answers.wait_of(id, &"tiny:latest".into());
        assert_eq!(wait(), Wait::Loading(Some(42)));
        llama_router(machine, house, None);
        assert_eq!(wait(), Wait::Unknown, "it may answer somebody else first");
        let progress = ReadingProgress {
            total: 10,
            ..ReadingProgress::default()
        };
        frames.unbounded_send(Ok(Frame::Reading(progress))).ok();
        settle();
        assert_eq!(wait(), Wait::Reading(ReadingEstimate::Counted(progress)));
    });
}

fn names(house: House) -> Vec<String> {
    let models = house.engine.models;
    models.with_untracked(|models| models.iter().map(|m| m.id().key().into_owned()).collect())
}

#[test]
fn the_models_of_all_engines_are_listed_and_one_that_is_away_costs_only_its_own() {
    reactive(|machine, house| {
        three_engines(machine, house);
        let all = ["tiny:latest", "box\ttiny:latest", "vllm\tQwen/Qwen3"];
        assert_eq!(names(house), all);
        machine.models_of.borrow_mut().remove("box");
        house.engine.refresh();
        settle();
        assert_eq!(names(house), [all[0], all[2]]);
        *machine.found.borrow_mut() = Some(Ok(EngineState {
            engines: machine.engines.borrow().clone(),
            ..EngineState::default()
        }));
        house.engine.refresh();
        settle();
        assert_eq!(names(house), [all[2]], "the first engine is away, too");
        assert!(house.engine.is_reachable());
        let away = || untrack(|| house.engine.away_models());
        let keys = |models: Vec<ModelInfo>| {
            let keys = models.iter().map(|model| model.id().key().into_owned());
            keys.collect::<Vec<_>>()
        };
        assert_eq!(keys(away()), all[..2], "they are known all the same");
        let of_box = ModelId::new(Some("box"), "tiny:latest");
        house.chats.choose_model(of_box.clone());
        assert_eq!(house.steering.model.get_untracked(), Some(of_box));
        *machine.found.borrow_mut() = None;
        machine.pass(2000.0);
        assert_eq!(
            names(house),
            [all[0], all[2]],
            "the page looks again by itself"
        );
    });
}

/// After a reload nothing of such an engine was in the lists.
#[test]
fn an_engine_that_is_away_since_the_page_was_opened_is_named_without_its_models() {
    reactive(|machine, house| {
        three_engines(machine, house);
        let unknown = |house: House| untrack(|| house.engine.away_without_models());
        assert!(unknown(house).is_empty());
        let lists = machine.models_of.borrow().clone();
        machine.models_of.borrow_mut().remove("box");
        house.engine.refresh();
        settle();
        assert!(unknown(house).is_empty(), "they are known");
        let reloaded = House::new(machine);
        assert_eq!(unknown(reloaded), ["box"]);
        *machine.models_of.borrow_mut() = lists;
        reloaded.engine.refresh();
        settle();
        assert!(unknown(reloaded).is_empty());
    });
}

/// It counted as being asked still, so its models were missing until its former request ended.
#[test]
fn an_engine_that_was_slow_when_the_demo_was_chosen_is_asked_again_after_it() {
    reactive(|machine, house| {
        three_engines(machine, house);
        let all = names(house);
        machine.mute_engines.borrow_mut().push("vllm".to_owned());
        house.engine.refresh();
        settle();
        machine.mute_engines.borrow_mut().clear();
        for upstream in [Upstream::Demo, Upstream::Configured] {
            house.engine.use_upstream(upstream);
            settle();
        }
        assert_eq!(names(house), all);
    });
}

#[test]
fn an_engine_that_is_too_busy_for_its_list_keeps_its_models() {
    reactive(|machine, house| {
        three_engines(machine, house);
        let all = names(house);
        machine.busy_engines.borrow_mut().push("vllm".to_owned());
        house.engine.refresh();
        settle();
        assert_eq!(names(house), all);
    });
}

#[test]
fn an_engine_that_never_answers_holds_up_no_other() {
    reactive(|machine, house| {
        machine.mute_engines.borrow_mut().push("box".to_owned());
        three_engines(machine, house);
        assert_eq!(names(house), ["tiny:latest", "vllm\tQwen/Qwen3"]);
        machine.looks.borrow_mut().clear();
        machine.pass(10_000.0);
        assert_eq!(
            machine.looks.borrow().len(),
            5,
            "the first is asked again as ever"
        );
    });
}

/// Holds `EngineStore::fetch_list`: a list that was asked for before a deletion is dropped.
#[test]
fn a_list_of_another_engine_that_was_asked_for_before_a_deletion_brings_nothing_back() {
    reactive(|machine, house| {
        three_engines(machine, house);
        let of_box = ModelId::new(Some("box"), "tiny:latest");
        let again = machine.slow_list();
        any_spawner::Executor::spawn_local(house.engine.list_again(of_box.engine.clone()));
        settle();
        house.engine.forget(&of_box);
        again.send(()).unwrap();
        settle();
        let left = ["tiny:latest", "vllm\tQwen/Qwen3"];
        assert_eq!(names(house), left);
        let lists = [(); 3].map(|()| machine.slow_list());
        house.engine.refresh();
        settle();
        house.engine.forget(&of_box);
        for list in lists {
            list.send(()).unwrap();
        }
        settle();
        assert_eq!(names(house), left);
    });
}

#[test]
fn a_prompt_names_the_engine_of_its_model_and_so_does_the_receipt() {
    reactive(|machine, house| {
        three_engines(machine, house);
        let last = |machine: &Machine| {
            let requests = machine.requests.borrow();
            requests
                .last()
                .map(|r| (r.model.clone(), r.engine.clone()))
                .unwrap()
        };
        let receipt = |id| {
            house
                .chats
                .message(id)
                .and_then(|message| message.receipt)
                .unwrap()
        };
        let (_, answer) = house.exchange(machine, "Hi", "Hello");
        assert_eq!(last(machine), ("tiny:latest".to_owned(), None));
        assert_eq!(receipt(answer).engine, None);
        house
            .chats
            .choose_model(ModelId::new(Some("box"), "tiny:latest"));
        let (_, answer) = house.exchange(machine, "And you?", "Fine");
        assert_eq!(
            last(machine),
            ("tiny:latest".to_owned(), Some("box".to_owned()))
        );
        assert_eq!(receipt(answer).engine.as_deref(), Some("box"));
        let chat = house.chat();
        let kept = house
            .storage
            .with_log(|log| log.head(chat))
            .flatten()
            .unwrap();
        assert_eq!(
            kept.model_id(),
            Some(ModelId::new(Some("box"), "tiny:latest"))
        );
        assert_eq!(house.chats.new_chat().head.model_id(), kept.model_id());
    });
}

#[test]
fn two_models_of_one_name_have_settings_of_their_own() {
    reactive(|machine, house| {
        three_engines(machine, house);
        let here = ModelId::new(None, "tiny:latest");
        let there = ModelId::new(Some("box"), "tiny:latest");
        house.chats.choose_model(there.clone());
        settle();
        house.steering.raise_context(1024);
        house
            .steering
            .set_parameter("temperature", Some(json!(0.2)));
        house.steering.share_parameters();
        machine.answer(says(&["Hello"]));
        let (_, answer) = house.exchange(machine, "Hi", "Hello");
        house.answers.include_question(answer);
        settle();
        let context = |model: &ModelId| untrack(|| house.steering.parameters_of(model));
        assert_eq!(
            context(&there),
            json!({"temperature":0.2,"num_ctx":1024})
                .as_object()
                .unwrap()
                .clone()
        );
        assert!(context(&here).is_empty());
        let opening = |model: &ModelId| untrack(|| house.settings.opening_for(Some(&*model.key())));
        assert_eq!(opening(&there), FirstMessageRule::Question);
        assert_eq!(opening(&here), FirstMessageRule::Any);
    });
}

#[test]
fn what_an_engine_does_not_take_is_not_sent_and_its_context_is_the_one_it_tells() {
    reactive(|machine, house| {
        three_engines(machine, house);
        house.steering.set_parameter("mirostat", Some(json!(2)));
        house
            .steering
            .set_parameter("temperature", Some(json!(0.5)));
        house
            .chats
            .choose_model(ModelId::new(Some("vllm"), "Qwen/Qwen3"));
        settle();
        assert!(!untrack(|| house.steering.accepts("num_ctx")));
        assert_eq!(house.steering.context.get_untracked(), Some(2048));
        let request = untrack(|| house.answers.next_request());
        assert_eq!(
            request.options.map(serde_json::Value::from),
            Some(json!({"temperature":0.5}))
        );
        assert!(!untrack(|| house
            .engine
            .can(EngineAction::Render, Some("vllm"))));
        assert_eq!(untrack(|| house.engine.title(Some("vllm"))), "vllm");
        assert_eq!(untrack(|| house.engine.title(Some("box"))), "Ollama");
    });
}

#[test]
fn the_state_of_each_engine_is_told_by_its_name() {
    reactive(|machine, house| {
        three_engines(machine, house);
        machine.models_of.borrow_mut().remove("vllm");
        house.engine.refresh();
        settle();
        let states = untrack(|| house.engine.states());
        let states = states
            .into_iter()
            .map(|(engine, state)| (engine.name, state.unwrap().reachable));
        let expected = [("here", true), ("box", true), ("vllm", false)];
        assert!(states.eq(expected.map(|(name, reachable)| (name.to_owned(), reachable))));
    });
}

#[test]
fn engines_that_are_away_are_named() {
    reactive(|machine, house| {
        three_engines(machine, house);
        let away = || untrack(|| house.engine.away());
        assert_eq!(away(), Vec::<String>::new());
        *machine.found.borrow_mut() = Some(Ok(EngineState {
            engines: machine.engines.borrow().clone(),
            ..EngineState::default()
        }));
        house.engine.refresh();
        settle();
        assert_eq!(away(), ["here"]);
    });
}

#[test]
fn before_enter_an_engine_gets_what_the_person_lets_it_have() {
    reactive(|machine, house| {
        let may = |engine: Option<&str>, name: &str| {
            untrack(|| house.engine.may_send(&ModelId::new(engine, name)))
        };
        three_engines(machine, house);
        assert_eq!(may(None, "tiny:latest"), UnsentScope::Draft);
        assert_eq!(may(Some("box"), "tiny:latest"), UnsentScope::Sent);
        assert_eq!(may(Some("vllm"), "Qwen/Qwen3"), UnsentScope::Nothing);
        assert_eq!(may(Some("gone"), "tiny:latest"), UnsentScope::Nothing);
        for engine in ["box", "vllm"] {
            house.answer_drafts(engine, true);
            assert_eq!(may(Some(engine), "x"), UnsentScope::Draft);
            let mark = untrack(|| house.engine.draft_mark(Some(engine)));
            assert_eq!(mark, DraftMark::Allowed);
            house.answer_drafts(engine, false);
        }
        assert_eq!(may(Some("box"), "tiny:latest"), UnsentScope::Sent);
        let cloud = ModelInfo {
            remote: true,
            ..engine_model("box", "far:cloud")
        };
        let lists = [("box".to_owned(), vec![cloud])];
        machine.models_of.borrow_mut().extend(lists);
        house.engine.refresh();
        settle();
        house.answer_drafts("box", true);
        assert_eq!(may(Some("box"), "far:cloud"), UnsentScope::Nothing);
    });
}

#[test]
fn nothing_goes_before_enter_while_the_server_does_not_say_how_it_was_reached() {
    reactive(|machine, house| {
        let state = EngineState {
            reachable: true,
            engines: vec![EngineInfo {
                name: "ollama".to_owned(),
                reach: EngineReach::Local,
                ..EngineInfo::default()
            }],
            ..EngineState::default()
        };
        *machine.found.borrow_mut() = Some(Err(Fault::Internal));
        house.engine.refresh();
        settle();
        *machine.found.borrow_mut() = Some(Ok(state));
        house.engine.refresh();
        settle();
        let may = untrack(|| house.engine.may_send(&ModelId::new(None, "tiny:latest")));
        assert_eq!(may, UnsentScope::Sent);
        let info = house.engine.engines.get_untracked().remove(0);
        assert!(untrack(|| house.engine.asks_for_drafts(&info)));
    });
}

/// An Ollama at a loopback address, where something else may listen.
fn at_loopback(digest: &str) -> EngineInfo {
    EngineInfo {
        name: "ollama".to_owned(),
        can: EngineAction::OLLAMA.to_vec(),
        reach: EngineReach::Loopback,
        address_digest: digest.to_owned(),
        ..EngineInfo::default()
    }
}

fn is_at(machine: &Machine, house: House, engine: EngineInfo) {
    *machine.engines.borrow_mut() = vec![engine];
    house.engine.refresh();
    settle();
}

#[test]
fn whether_an_engine_runs_here_is_asked_at_the_first_pause_of_typing_and_for_each_address() {
    reactive(|machine, house| {
        let asked = || {
            let engine = house.draft_question.engine.get_untracked();
            engine.map(|engine| engine.address_digest)
        };
        let may = || untrack(|| house.engine.may_send(&ModelId::new(None, "tiny:latest")));
        is_at(machine, house, at_loopback("a"));
        machine.pass(5_000.0);
        assert_eq!(
            (asked(), may()),
            (None, UnsentScope::Sent),
            "nothing is written"
        );
        house.write("What");
        machine.pass(300.0);
        house.write("What is");
        machine.pass(500.0);
        assert_eq!(asked(), None, "no pause yet");
        machine.pass(300.0);
        assert_eq!((asked().as_deref(), may()), (Some("a"), UnsentScope::Sent));
        for (runs_here, scope) in [(false, UnsentScope::Sent), (true, UnsentScope::Draft)] {
            house.draft_question.answer(runs_here);
            settle();
            assert_eq!((asked(), may()), (None, scope));
            let again = House::reopened(machine, None);
            again.write("What");
            machine.pass(1_000.0);
            assert_eq!(again.draft_question.engine.get_untracked(), None, "kept");
            is_at(machine, house, at_loopback("b"));
            assert_eq!((asked().as_deref(), may()), (Some("b"), UnsentScope::Sent));
            // The switch in the settings changes the same answer.
            house.answer_drafts("ollama", !runs_here);
            assert_eq!(asked(), None);
            house
                .settings
                .change(|settings| settings.draft_answers.clear());
            is_at(machine, house, at_loopback("a"));
        }
    });
}

#[test]
fn nothing_is_asked_where_the_answer_would_change_nothing() {
    reactive(|machine, house| {
        let asked = || house.draft_question.engine.get_untracked().is_some();
        house.write("What is");
        machine.pass(1_000.0);
        assert!(!asked(), "an engine that is known to run here");
        let remote = EngineInfo {
            reach: EngineReach::Remote,
            ..at_loopback("a")
        };
        is_at(machine, house, remote);
        assert!(!asked(), "one that is known to run elsewhere");
        *machine.found.borrow_mut() = Some(Ok(EngineState {
            reachable: true,
            engines: vec![at_loopback("a")],
            ..EngineState::default()
        }));
        house.engine.refresh();
        settle();
        assert!(!asked(), "a page on another machine");
        *machine.found.borrow_mut() = None;
        is_at(machine, house, at_loopback("a"));
        assert!(asked());
    });
}

/// Answers were kept by name alone: whoever got the name had the drafts.
#[test]
fn what_was_allowed_by_name_alone_counts_for_the_address_that_is_seen_first() {
    for (reach, scope) in [
        (EngineReach::Remote, UnsentScope::Draft),
        (EngineReach::Unknown, UnsentScope::Draft),
        (EngineReach::Loopback, UnsentScope::Sent),
    ] {
        reactive(|machine, house| {
            let at = |digest: &str| EngineInfo {
                reach,
                ..at_loopback(digest)
            };
            let may = || untrack(|| house.engine.may_send(&ModelId::new(None, "tiny:latest")));
            house.settings.change(|settings| {
                settings.draft_engines = vec!["ollama".to_owned(), "gone".to_owned()];
            });
            is_at(machine, house, at("a"));
            assert_eq!(may(), scope, "{reach:?}");
            let left = house.settings.current.get_untracked().draft_engines;
            assert_eq!(left, ["gone"]);
            is_at(machine, house, at("b"));
            assert!(may() < UnsentScope::Draft, "{reach:?}, moved");
        });
    }
}
