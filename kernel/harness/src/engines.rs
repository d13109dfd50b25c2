//! Configurations of engines.

use crate::house::House;
use crate::machine::{Machine, settle};
use sash_wire::{
    EngineAction, EngineInfo, EngineKind, EngineReach, EngineState, LoadedModel, LoadingModel,
    ModelInfo,
};

/// A model of an engine.
#[must_use]
pub fn engine_model(engine: &str, name: &str) -> ModelInfo {
    ModelInfo {
        name: name.to_owned(),
        engine: Some(engine.to_owned()),
        context_length: Some(2048),
        ..ModelInfo::default()
    }
}

/// An Ollama, a second one with a model of the same name, and an engine of the other kind.
pub fn three_engines(machine: &Machine, house: House) {
    let engine = |name: &str, kind, can: &[EngineAction], parameters| EngineInfo {
        name: name.to_owned(),
        kind,
        can: can.to_vec(),
        parameters,
        reach: match name {
            "here" => EngineReach::Local,
            "box" => EngineReach::Remote,
            _ => EngineReach::Unknown,
        },
        address_digest: format!("digest of {name}"),
    };
    let few = Some(vec!["temperature".to_owned()]);
    *machine.engines.borrow_mut() = vec![
        engine("here", EngineKind::Ollama, &EngineAction::OLLAMA, None),
        engine("box", EngineKind::Ollama, &EngineAction::OLLAMA, None),
        engine("vllm", EngineKind::OpenAi, &[], few),
    ];
    let lists = [
        ("box", vec![engine_model("box", "tiny:latest")]),
        ("vllm", vec![engine_model("vllm", "Qwen/Qwen3")]),
    ];
    let lists = lists.map(|(name, models)| (name.to_owned(), models));
    *machine.models_of.borrow_mut() = lists.into();
    house.engine.refresh();
    settle();
}

/// A router of `llama-server` alone, which is loading its model so far, or has it in memory.
pub fn llama_router(machine: &Machine, house: House, percent: Option<u8>) {
    use EngineAction as A;
    let engine = EngineInfo {
        name: "llama".to_owned(),
        kind: EngineKind::OpenAi,
        can: vec![A::Pull, A::Load, A::Delete, A::Render, A::EndThinking],
        parameters: Some(vec!["temperature".to_owned()]),
        ..EngineInfo::default()
    };
    let name = "tiny:latest".to_owned();
    *machine.engines.borrow_mut() = vec![engine.clone()];
    *machine.found.borrow_mut() = Some(Ok(EngineState {
        reachable: true,
        engines: vec![engine],
        loading: percent
            .map(|percent| LoadingModel {
                name: name.clone(),
                percent: Some(percent),
            })
            .into_iter()
            .collect(),
        loaded: match percent {
            Some(_) => Vec::new(),
            None => vec![LoadedModel {
                name,
                ..LoadedModel::default()
            }],
        },
        ..EngineState::default()
    }));
    house.engine.refresh();
    settle();
}
