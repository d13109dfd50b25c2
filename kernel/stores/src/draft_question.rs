//! Asks whether an engine at a loopback address runs on this machine, at the first pause of typing: something may pass text
//! on from there to another machine, and only the person can tell.

use crate::base::Base;
use crate::drafts::Drafts;
use crate::hooks::Registered;
use crate::settings::SettingsStore;
use crate::steering::Steering;
use crate::ticket::Tickets;
use reactive_graph::computed::Memo;
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::ModelId;
use sash_wire::EngineInfo;
use std::rc::Rc;
use std::time::Duration;

/// How long nothing must be typed before the question is asked.
const PAUSE: Duration = Duration::from_millis(700);

/// The question whether an engine may have drafts.
#[derive(Clone, Copy)]
pub struct DraftQuestion {
    settings: SettingsStore,
    /// The models besides the chat's that get drafts.
    others: Registered<dyn Fn() -> Option<ModelId>>,
    /// The engine that is asked about; `None` while nothing is asked.
    pub engine: Memo<Option<EngineInfo>>,
}

impl DraftQuestion {
    /// Creates the store, which asks once the person has written something.
    #[must_use]
    pub(crate) fn new(base: Base, drafts: Drafts, steering: Steering) -> Self {
        let (edges, engine) = (base.edges(), base.engine());
        let has_paused = RwSignal::new(false);
        let pauses = Tickets::new();
        // Asks after a pause.
        Effect::new(move || {
            let is_written = drafts.draft.with(|draft| !draft.trim().is_empty());
            let is_own = !engine.withholds_draft.get();
            let pause = pauses.begin();
            if is_written && is_own && !untrack(|| has_paused.get()) {
                edges.after(PAUSE, move || {
                    if pause.is_current() {
                        has_paused.set(true);
                    }
                });
            }
        });
        let others = Registered::<dyn Fn() -> Option<ModelId>>::default();
        let asked = Memo::new(move |_| {
            if !has_paused.get() {
                return None;
            }
            let others = others.tracked().into_iter().filter_map(|model| model());
            let mut models = steering.model.get().into_iter().chain(others);
            models.find_map(|model| engine.unanswered(&model))
        });
        Self {
            settings: base.settings(),
            others,
            engine: asked,
        }
    }

    /// Asks about the engine of another model too, which may be none, until the current owner is cleaned up.
    pub fn ask_for(self, model: impl Fn() -> Option<ModelId> + 'static) {
        self.others.add(Rc::new(model));
    }

    /// Answers for the engine that is asked about.
    pub fn answer(self, runs_here: bool) {
        if let Some(engine) = self.engine.get_untracked() {
            self.settings.answer_drafts(&engine, runs_here);
        }
    }
}
