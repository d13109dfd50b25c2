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
#[derive(Clone, Debug, Default, PartialEq)]
pub enum QuestionStage {
    /// Another question to the same chat is answered, or the model is chosen.
    #[default]
    Queued,
    /// The model has the question; no word came yet.
    Waiting {
        /// The model.
        model: ModelId,
        /// Whether it was in memory before; `None` where the engine does not tell.
        was_loaded: Option<bool>,
    },
    /// The model writes.
    Writing {
        /// Characters of thinking so far.
        thinking: usize,
        /// Characters of the answer so far.
        text: usize,
    },
}

/// Where a question notes how far it is.
#[derive(Debug)]
pub struct StageSender {
    stage: watch::Sender<QuestionStage>,
    is_wanted: bool,
}

impl StageSender {
    /// For a call; nothing is looked up for a client that does not want to know.
    #[must_use]
    pub fn new(context: &RequestContext<RoleServer>) -> Self {
        Self {
            stage: watch::Sender::default(),
            is_wanted: context.meta.get_progress_token().is_some(),
        }
    }

    /// What [`report`] reads.
    pub fn subscribe(&self) -> watch::Receiver<QuestionStage> {
        self.stage.subscribe()
    }

    /// The model gets the question next. Ollama lists a model as soon as it begins to load it, so it is looked up before.
    pub async fn waiting(&self, app: &App, model: &ModelId) {
        if self.is_wanted {
            self.stage.send_replace(QuestionStage::Waiting {
                was_loaded: is_loaded(app, model).await,
                model: model.clone(),
            });
        }
    }

    /// So many characters are written.
    pub fn writing(&self, thinking: usize, text: usize) {
        if self.is_wanted && thinking + text > 0 {
            self.stage
                .send_replace(QuestionStage::Writing { thinking, text });
        }
    }
}

/// Sends a notification for each change of the stage, at most one a second, and while nothing changes one every three
/// seconds. Its `progress` is the seconds since the question, its `message` a sentence. Without a progress token nothing
/// is sent. Never ends.
pub async fn report(
    app: &App,
    context: &RequestContext<RoleServer>,
    mut stages: watch::Receiver<QuestionStage>,
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
