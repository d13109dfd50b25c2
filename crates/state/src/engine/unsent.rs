//! What may go to an engine before the person sends anything. The server decides by the same rule and refuses the rest.

use super::EngineStore;
use reactive_graph::prelude::*;
use sash_chat::ModelId;
use sash_wire::{DraftMark, EngineInfo, UnsentRoute, UnsentScope};

impl EngineStore {
    /// What may go to a model before the person sends anything; nothing while its engine is not known.
    pub fn may_send(self, model: &ModelId) -> UnsentScope {
        if self.withholds_draft.get() {
            return UnsentScope::Nothing;
        }
        let is_cloud = self.listed(model, |known| known.remote).unwrap_or_default();
        let scope = self.info(model.engine.as_deref(), |info| self.scope(info, is_cloud));
        scope.unwrap_or(UnsentScope::Nothing)
    }

    /// Whether the person decides if drafts go to an engine: without a choice they do not.
    pub fn asks_for_drafts(self, engine: &EngineInfo) -> bool {
        self.route(engine, false, false).scope() < UnsentScope::Draft
    }

    /// The mark of a request with a draft for an engine.
    pub fn draft_mark(self, engine: Option<&str>) -> DraftMark {
        let is_allowed = self.info(engine, |info| self.settings.lets_have_drafts(&info.name));
        match is_allowed {
            Some(true) => DraftMark::Allowed,
            Some(false) | None => DraftMark::Unasked,
        }
    }

    fn scope(self, engine: &EngineInfo, is_cloud: bool) -> UnsentScope {
        let is_allowed = self.settings.lets_have_drafts(&engine.name);
        self.route(engine, is_cloud, is_allowed).scope()
    }

    fn route(self, engine: &EngineInfo, is_cloud: bool, is_allowed: bool) -> UnsentRoute {
        let from_this_machine = self
            .state
            .with(|state| state.as_ref().is_some_and(|state| state.from_this_machine));
        UnsentRoute {
            reach: engine.reach,
            is_cloud,
            from_this_machine,
            is_allowed,
        }
    }
}
