//! Tells an MCP client how far its question is, if the client wants to know.

use crate::server::app::App;
use crate::server::engine::EngineLabel;
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use sash_chat::ModelId;
use sash_wire::{Upstream, short_name};
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

/// The shortest time between two notifications.
const INTERVAL: Duration = Duration::from_secs(1);
/// How long to wait for news, before the last ones are told again with the seconds since.
const QUIET_TIME: Duration = Duration::from_secs(2);

/// How far a question is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Stage {
    /// Another question to the same chat is answered, or the model is chosen.
    #[default]
    Queued,
    /// The model has the question; no word came yet.
    Waiting(ModelId),
    /// The model writes.
    Writing {
        /// Characters of thinking so far.
        thinking: usize,
        /// Characters of the answer so far.
        text: usize,
    },
}

/// Sends a notification for each change of the stage, at most one a second, and while nothing changes one every three
/// seconds. Its `progress` is the seconds since the question, its `message` a sentence. Without a progress token nothing
/// is sent. Never ends.
pub async fn report(
    app: &App,
    context: &RequestContext<RoleServer>,
    mut stages: watch::Receiver<Stage>,
) -> Infallible {
    let began = Instant::now();
    if let Some(token) = context.meta.get_progress_token() {
        let mut wait = QUIET_TIME / 4;
        loop {
            // The first stage is over at once, unless the chat is busy.
            if timeout(wait, stages.changed())
                .await
                .is_ok_and(|changed| changed.is_err())
            {
                break;
            }
            wait = QUIET_TIME;
            let stage = stages.borrow_and_update().clone();
            let message = sentence(app, &stage).await;
            let seconds = began.elapsed().as_secs_f64();
            let params = ProgressNotificationParam::new(token.clone(), seconds);
            if let Err(error) = context
                .peer
                .notify_progress(params.with_message(message))
                .await
            {
                tracing::debug!(%error, "the progress of a question cannot be told");
                break;
            }
            sleep(INTERVAL).await;
        }
    }
    std::future::pending().await
}

/// The stage in words.
async fn sentence(app: &App, stage: &Stage) -> String {
    match stage {
        Stage::Queued => "Waiting for the turn of this question".to_owned(),
        Stage::Waiting(model) => {
            let name = short_name(&model.name);
            match is_loaded(app, model).await {
                Some(true) => format!("{name} is reading the question"),
                Some(false) => format!("{name} is loading"),
                None => format!("Waiting for {name}"),
            }
        }
        Stage::Writing { thinking, text: 0 } => {
            format!("{thinking} characters of thinking written")
        }
        Stage::Writing { text, .. } => format!("{text} characters written"),
    }
}

/// Whether the engine has the model in memory; `None` where it does not tell.
async fn is_loaded(app: &App, model: &ModelId) -> Option<bool> {
    let engine = app.engine(Upstream::default(), model.engine.as_deref());
    let engine = engine.await.ok()?.engine;
    if !matches!(engine.label(), EngineLabel::Ollama(_)) {
        return None;
    }
    let loaded = engine.look().await.ok()?.loaded;
    let is_it = |name: &str| short_name(name) == short_name(&model.name);
    Some(loaded.iter().any(|loaded| is_it(&loaded.name)))
}
