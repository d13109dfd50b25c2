//! The engine of the chosen model, which gets drafts too.

use super::embedder::by_itself;
use super::house::reactive;
use reactive_graph::prelude::*;
use sash_chat::ModelId;
use sash_harness::settle;
use sash_wire::{EngineAction, EngineInfo, EngineReach};

/// The prompt goes to the engine that makes its vector, too.
#[test]
fn whether_the_engine_of_the_embedding_model_runs_here_is_asked_where_the_chat_recalls() {
    reactive(|machine, house| {
        let engine = |name: &str, reach| EngineInfo {
            name: name.to_owned(),
            can: EngineAction::OLLAMA.to_vec(),
            reach,
            address_digest: name.to_owned(),
            ..EngineInfo::default()
        };
        *machine.engines.borrow_mut() = vec![
            engine("ollama", EngineReach::Local),
            engine("box", EngineReach::Loopback),
        ];
        house.engine.refresh();
        settle();
        let near = ModelId::new(Some("box"), "near:latest");
        house.embeddings.choose(Some(near.key().into_owned()));
        let asked = || {
            let engine = house.draft_question.engine.get_untracked();
            engine.map(|engine| engine.name)
        };
        house.write("What is");
        machine.pass(1_000.0);
        assert_eq!(asked(), None);
        house.steering.set_recall(by_itself());
        settle();
        assert_eq!(asked().as_deref(), Some("box"));
        house.embeddings.choose(None);
        assert_eq!(asked(), None);
    });
}
