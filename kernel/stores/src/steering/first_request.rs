//! With what an answer was requested, so that another window is the only difference.

use super::{RequestSettings, Steering};
use crate::engine::EngineStore;
use reactive_graph::graph::untrack;
use sash_chat::{BuiltinTool, Folder, Id, Message, Receipt, Tool};
use sash_wire::{KEEP_ALIVE, RUNNER_OPTIONS};
use serde_json::{Map, Value};

/// What besides the window is not as it was for the first answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhatIfDifference {
    /// The first answer has no receipt, or an old one: the present parameters, tools and format are used.
    NotRecorded,
    /// The model that answered is gone, and another one answers.
    ModelGone {
        /// The model of the first answer.
        former: String,
        /// The one that answers.
        now: String,
    },
    /// The model was changed since, under the same name.
    ModelChanged(String),
    /// The model does not offer this thinking any more.
    ThinkGone,
    /// These tools are not in the chat any more, or the model does not call any.
    ToolsGone(Vec<String>),
    /// The summary that went with the question is not kept any more.
    SummaryGone,
    /// The system prompt is not kept.
    SystemGone,
}

/// The settings with which `answer` was requested, as its receipt says, made of those of a request that is made
/// `now`; and what cannot be as it was.
pub fn settings_of(
    engine: EngineStore,
    steering: Steering,
    answer: &Message,
    now: RequestSettings,
) -> (RequestSettings, Vec<WhatIfDifference>) {
    untrack(|| {
        let mut differences = Vec::new();
        let mut settings = now;
        let is_gone = !restore_model(engine, answer, &mut settings, &mut differences);
        let of_model = steering.parameters_of(&settings.model);
        let receipt = answer.receipt.as_ref();
        if let Some(receipt) = receipt {
            restore_prompts(receipt, &mut settings, &mut differences);
            let offered = engine.sendable_think(&settings.model);
            if receipt.think.is_some_and(|think| !offered.contains(&think)) {
                differences.push(WhatIfDifference::ThinkGone);
            }
        }
        // Receipts name their model since they name tools and format too.
        let Some(receipt) = receipt.filter(|receipt| receipt.model.is_some()) else {
            differences.push(WhatIfDifference::NotRecorded);
            settings.parameters = of_model;
            return (settings, differences);
        };
        let digest = engine.digest(&settings.model).filter(|_| !is_gone);
        if receipt.digest.is_some() && digest.is_some() && receipt.digest != digest {
            let name = settings.model.name.clone();
            differences.push(WhatIfDifference::ModelChanged(name));
        }
        restore_options(receipt, of_model, &mut settings);
        settings.head.settings.format.clone_from(&receipt.format);
        restore_tools(engine, receipt, &mut settings, &mut differences);
        (settings, differences)
    })
}

/// Takes the model of the answer. Returns whether it is still there.
fn restore_model(
    engine: EngineStore,
    answer: &Message,
    settings: &mut RequestSettings,
    differences: &mut Vec<WhatIfDifference>,
) -> bool {
    let Some(former) = answer.model_id() else {
        return true;
    };
    let is_there = engine.has(&former);
    if is_there {
        settings.model = former;
    } else {
        differences.push(WhatIfDifference::ModelGone {
            former: former.name,
            now: settings.model.name.clone(),
        });
    }
    is_there
}

/// Takes the system prompt, the summary, the thinking, and what was recalled for the messages.
fn restore_prompts(
    receipt: &Receipt,
    settings: &mut RequestSettings,
    differences: &mut Vec<WhatIfDifference>,
) {
    let head = &mut settings.head;
    // The settings of the folder were others then: what of them went with the request is in the receipt.
    let text = head.system_at(receipt.system).map(str::to_owned);
    // A file that somebody shared may have left it out.
    let is_kept = text.as_ref().is_none_or(|text| !text.is_empty());
    if !is_kept {
        differences.push(WhatIfDifference::SystemGone);
    }
    let text = text.filter(|_| is_kept);
    let from = receipt.from_folder.as_ref();
    head.settings.system = receipt
        .system
        .filter(|_| is_kept && !from.is_some_and(|from| from.system));
    let options = receipt.options.as_ref().and_then(Value::as_object);
    let option = |name: &String| Some((name.clone(), options?.get(name)?.clone()));
    head.inherited = from
        .map(|from| Folder {
            system: text.filter(|_| from.system),
            model: receipt.model.clone().filter(|_| from.model),
            engine: receipt.engine.clone(),
            parameters: from.parameters.iter().filter_map(option).collect(),
            ..Folder::new(Id(0), &from.folder, 0)
        })
        .into();
    head.settings.think = receipt.think;
    if receipt.summary.is_some() && head.summary_numbered(receipt.summary).is_none() {
        differences.push(WhatIfDifference::SummaryGone);
    }
    head.settings.summary = receipt.summary;
    for id in &receipt.sent {
        head.unrecall(*id, !receipt.recalled.contains(id));
    }
}

/// Takes the options that an answer depends on. Those of the runner are as they are now in every request to the model,
/// because others would make Ollama reload it; and so is how long the model stays in memory.
fn restore_options(
    receipt: &Receipt,
    of_model: Map<String, Value>,
    settings: &mut RequestSettings,
) {
    let is_of_now = |name: &str| RUNNER_OPTIONS.contains(&name) || name == KEEP_ALIVE;
    let options = receipt.options.as_ref().and_then(Value::as_object);
    settings.parameters = options.cloned().unwrap_or_default();
    settings.parameters.retain(|name, _| !is_of_now(name));
    let of_now = of_model.into_iter().filter(|(name, _)| is_of_now(name));
    settings.parameters.extend(of_now);
    settings
        .head
        .settings
        .parameters
        .retain(|name, _| is_of_now(name));
}

/// Takes the tools by their names: a built-in one is always there, one of the person's own may have been removed.
fn restore_tools(
    engine: EngineStore,
    receipt: &Receipt,
    settings: &mut RequestSettings,
    differences: &mut Vec<WhatIfDifference>,
) {
    let calls = engine.uses_tools(&settings.model);
    let own = std::mem::take(&mut settings.head.settings.tools);
    let tools = &mut settings.head.settings.tools;
    let known = |name: &str| match BuiltinTool::named(name) {
        Some(tool) => Some(Tool::Builtin(tool)),
        None => own.iter().find(|tool| tool.name() == name).cloned(),
    };
    let mut gone = Vec::new();
    for name in &receipt.tools {
        match known(name).filter(|_| calls) {
            Some(tool) => tools.push(tool),
            None => gone.push(name.clone()),
        }
    }
    if !gone.is_empty() {
        differences.push(WhatIfDifference::ToolsGone(gone));
    }
}
