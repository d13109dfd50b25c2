//! Leave for text that goes to an engine before the person sends anything. The server decides by the same rule and refuses the rest.

use super::EngineStore;
use reactive_graph::prelude::*;
use sash_chat::ModelId;
use sash_wire::{DraftMark, EngineInfo, EngineReach, UnsentRoute, UnsentScope};

impl EngineStore {
    /// What may go to a model before the person sends anything; nothing while its engine is not known.
    pub fn may_send(self, model: &ModelId) -> UnsentScope {
        match self.withholds_draft.get() {
            true => UnsentScope::Nothing,
            false => self.scope_of(model),
        }
    }

    /// What may go to a model if what is written is the person's own.
    pub fn scope_of(self, model: &ModelId) -> UnsentScope {
        let is_cloud = self.is_of_cloud(model);
        let scope = self.info(model.engine.as_deref(), |info| self.scope(info, is_cloud));
        scope.unwrap_or(UnsentScope::Nothing)
    }

    /// Whether the person decides if drafts go to an engine: without a choice they do not.
    pub fn asks_for_drafts(self, engine: &EngineInfo) -> bool {
        self.route(engine, false, false).scope() < UnsentScope::Draft
    }

    /// The engine of a model, if it is to be asked whether that engine runs on this machine: only the person can tell.
    pub fn unanswered(self, model: &ModelId) -> Option<EngineInfo> {
        let engine = self.info(model.engine.as_deref(), Clone::clone)?;
        let asks = engine.reach == EngineReach::Loopback
            && self.is_from_this_machine()
            && !self.is_of_cloud(model)
            && self.settings.draft_answer(&engine).is_none();
        asks.then_some(engine)
    }

    /// The mark of a request with a draft for an engine.
    pub fn draft_mark(self, engine: Option<&str>) -> DraftMark {
        let answer = self.info(engine, |info| self.settings.draft_answer(info));
        match answer.flatten() {
            Some(true) => DraftMark::Allowed,
            Some(false) | None => DraftMark::Unasked,
        }
    }

    /// Where a model reads, as receipts name it: the digest of its engine's address; for a model that the engine passes on
    /// to a cloud, with the model. `None` where the engine or its address is not known.
    pub fn address_of(self, model: &ModelId) -> Option<String> {
        let address = self.address_digest(model.engine.as_deref())?;
        let address = Some(address).filter(|address| !address.is_empty())?;
        Some(match self.is_of_cloud(model) {
            true => format!("{address}/{}", model.name),
            false => address,
        })
    }

    /// The digest of an engine's address; `None` while the engine is not known.
    pub fn address_digest(self, engine: Option<&str>) -> Option<String> {
        self.info(engine, |info| info.address_digest.clone())
    }

    fn is_of_cloud(self, model: &ModelId) -> bool {
        self.listed(model, |known| known.remote).unwrap_or_default()
    }

    fn is_from_this_machine(self) -> bool {
        self.state
            .with(|state| state.as_ref().is_some_and(|state| state.from_this_machine))
    }

    fn scope(self, engine: &EngineInfo, is_cloud: bool) -> UnsentScope {
        let is_allowed = self.settings.draft_answer(engine) == Some(true);
        self.route(engine, is_cloud, is_allowed).scope()
    }

    fn route(self, engine: &EngineInfo, is_cloud: bool, is_allowed: bool) -> UnsentRoute {
        UnsentRoute {
            reach: engine.reach,
            is_cloud,
            from_this_machine: self.is_from_this_machine(),
            is_allowed,
        }
    }
}
