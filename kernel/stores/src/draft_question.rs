//! Asks whether an engine at a loopback address runs on this machine, at the first pause of typing: something may pass text
//! on from there to another machine, and only the person can tell.

use crate::drafts::Drafts;
use crate::edges::Edges;
use crate::engine::EngineStore;
use crate::latest::Latest;
use crate::settings::{SettingsStore, SettingsStoreFields};
use crate::steering::Steering;
use reactive_graph::computed::Memo;
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{ModelId, RecallMode};
use sash_wire::EngineInfo;
use std::time::Duration;

/// How long nothing must be typed before the question is asked.
const PAUSE: Duration = Duration::from_millis(700);

/// The question whether an engine may have drafts.
#[derive(Clone, Copy)]
pub struct DraftQuestion {
    settings: StoredValue<SettingsStore>,
    /// The engine that is asked about; `None` while nothing is asked.
    pub engine: Memo<Option<EngineInfo>>,
}

uses!(DraftQuestion: settings);

impl DraftQuestion {
    /// Creates the store, which asks once the person has written something.
    #[must_use]
    pub(crate) fn new(
        edges: Edges,
        settings: SettingsStore,
        engine: EngineStore,
        drafts: Drafts,
        steering: Steering,
    ) -> Self {
        let has_paused = RwSignal::new(false);
        let pauses = Latest::new();
        // Asks after a pause.
        Effect::new(move || {
            let is_written = drafts.draft.with(|draft| !draft.trim().is_empty());
            let is_own = !engine.withholds_draft.get();
            let pause = pauses.begin();
            if is_written && is_own && !untrack(|| has_paused.get()) {
                edges.after(PAUSE, move || {
                    if pause.is_latest() {
                        has_paused.set(true);
                    }
                });
            }
        });
        let asked = Memo::new(move |_| {
            if !has_paused.get() {
                return None;
            }
            let recalls = steering.recall_setting.get().mode == RecallMode::ByItself;
            let embedding = settings.current.embedding_model().get();
            let embedding = embedding.filter(|_| recalls);
            let embedding = embedding.map(|key| ModelId::from(key.as_str()));
            let mut models = steering.model.get().into_iter().chain(embedding);
            models.find_map(|model| engine.unanswered(&model))
        });
        Self {
            settings: StoredValue::new(settings),
            engine: asked,
        }
    }

    /// Answers for the engine that is asked about.
    pub fn answer(self, runs_here: bool) {
        if let Some(engine) = self.engine.get_untracked() {
            self.settings().answer_drafts(&engine, runs_here);
        }
    }
}
