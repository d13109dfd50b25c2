//! Passes text that the person has not sent on to an engine only where the rule of [`UnsentRoute`] lets it.

use crate::caller::Caller;
use crate::engine::Engine;
use sash_wire::{DraftMark, EngineReach, Fault, UnsentRoute, UnsentScope};

/// What text a server function passes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassedText {
    /// Text of the person that was sent with Enter, to an engine.
    Sent,
    /// Perhaps a draft, to an engine: the function calls [`check_draft`].
    PerhapsDraft,
    /// No text of the person leaves Sash.
    None,
}

/// Refuses a draft that may not go to a model. A request without the mark carries none.
///
/// # Errors
/// Those of [`check_unsent`].
pub async fn check_draft(
    engine: &dyn Engine,
    model: &str,
    mark: Option<DraftMark>,
    caller: Caller,
) -> Result<(), Fault> {
    match mark {
        Some(_) => check_unsent(engine, model, mark, UnsentScope::Draft, caller).await,
        None => Ok(()),
    }
}

/// Refuses what may not go to a model before the person sends anything. The engine is asked what it is, and about the
/// model, only where the answer matters.
///
/// # Errors
/// [`Fault::DraftRefused`], and that the engine does not say what it is or whether the model is one of a cloud.
pub async fn check_unsent(
    engine: &dyn Engine,
    model: &str,
    mark: Option<DraftMark>,
    needed: UnsentScope,
    caller: Caller,
) -> Result<(), Fault> {
    let is_allowed = mark == Some(DraftMark::Allowed);
    let route = UnsentRoute {
        // What the person allowed may go to whatever is there.
        reach: match is_allowed {
            true => EngineReach::Unknown,
            false => engine.find_reach().await?,
        },
        is_cloud: false,
        from_this_machine: caller.is_on_this_machine,
        is_allowed,
    };
    let passes = route.scope() >= needed && {
        let is_cloud = engine.is_cloud(model).await?;
        UnsentRoute { is_cloud, ..route }.scope() >= needed
    };
    passes.then_some(()).ok_or_else(|| Fault::DraftRefused {
        engine: engine.info().name.clone(),
    })
}
