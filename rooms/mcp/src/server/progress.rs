//! Tells an MCP client how far its question is, if the client wants to know.

use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use sash_chat::ModelId;
use sash_server::app::App;
use sash_server::engine::EngineLabel;
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
#[derive(Clone, Debug, Default)]
enum QuestionStage {
    /// Another question to the same chat is answered, or the model is chosen.
    #[default]
    Queued,
    /// The model has the question; no word came yet. `was_loaded` says whether it was in memory before; `None` where the
    /// engine does not tell.
    Waiting {
        model: ModelId,
        was_loaded: Option<bool>,
    },
    /// The model has written so many characters of thinking and of the answer.
    Writing { thinking: usize, text: usize },
}

/// The sender of the stages of a question. Nothing is noted or looked up for a client that does not want to know.
#[derive(Debug)]
pub struct StageSender(Option<watch::Sender<QuestionStage>>);

impl StageSender {
    /// For a call.
    #[must_use]
    pub fn new(context: &RequestContext<RoleServer>) -> Self {
        let token = context.meta.get_progress_token();
        Self(token.map(|_| watch::Sender::default()))
    }

    /// The model gets the question next. Ollama lists a model as soon as it begins to load it, so it is looked up before.
    pub async fn waiting(&self, app: &App, model: &ModelId) {
        if let Some(stage) = &self.0 {
            stage.send_replace(QuestionStage::Waiting {
                was_loaded: is_loaded(app, model).await,
                model: model.clone(),
            });
        }
    }

    /// So many characters are written.
    pub fn writing(&self, thinking: usize, text: usize) {
        if let Some(stage) = &self.0
            && thinking + text > 0
        {
            stage.send_replace(QuestionStage::Writing { thinking, text });
        }
    }

    /// Sends a notification for each change of the stage, at most one a second, and while nothing changes one every three
    /// seconds. Its `progress` is the seconds since the question, its `message` a sentence. Never ends.
    pub async fn report(&self, app: &App, context: &RequestContext<RoleServer>) -> Infallible {
        let began = Instant::now();
        let token = context.meta.get_progress_token();
        if let Some((stage, token)) = self.0.as_ref().zip(token) {
            let mut stages = stage.subscribe();
            let mut wait = QUIET_TIME / 4;
            loop {
                // The first stage is over at once, unless the chat is busy. Silence is told as well, and the sender is
                // `self`'s own, so it makes no difference how the wait ends.
                timeout(wait, stages.changed()).await.ok();
                wait = QUIET_TIME;
                let stage = stages.borrow_and_update().clone();
                let message = sentence(app, &stage).await;
                let seconds = began.elapsed().as_secs_f64();
                let params = ProgressNotificationParam::new(token.clone(), seconds);
                let told = context.peer.notify_progress(params.with_message(message));
                if let Err(error) = told.await {
                    tracing::debug!(%error, "the progress of a question cannot be told");
                    break;
                }
                sleep(INTERVAL).await;
            }
        }
        std::future::pending().await
    }
}

/// The stage in words.
async fn sentence(app: &App, stage: &QuestionStage) -> String {
    match stage {
        QuestionStage::Queued => "Waiting for the turn of this question".to_owned(),
        QuestionStage::Waiting { model, was_loaded } => {
            let name = short_name(&model.name);
            match was_loaded {
                Some(true) => format!("{name} is reading the question"),
                // Now it is listed in any case, once it has begun.
                Some(false) if is_loaded(app, model).await == Some(true) => {
                    format!("{name} is loading, or reading the question already")
                }
                Some(false) => format!("{name} is loading"),
                None => format!("Waiting for {name}"),
            }
        }
        QuestionStage::Writing { thinking, text: 0 } => {
            format!("{thinking} characters of thinking written")
        }
        QuestionStage::Writing { text, .. } => format!("{text} characters written"),
    }
}

/// Whether the engine has the model in memory; `None` where it does not tell.
async fn is_loaded(app: &App, model: &ModelId) -> Option<bool> {
    let engine = app.engine(Upstream::default(), model.engine.as_deref());
    let engine = engine.await.ok()?.engine;
    if !matches!(engine.label(), EngineLabel::Ollama(_)) {
        return None;
    }
    let loaded = engine.status().await.ok()?.loaded;
    let is_it = |name: &str| short_name(name) == short_name(&model.name);
    Some(loaded.iter().any(|loaded| is_it(&loaded.name)))
}
