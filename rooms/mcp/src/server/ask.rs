//! Answers a question of an MCP client on the way of the page's prompts: the same window, the same request, the same
//! checks and limits, the same stream.

use super::chats::{McpChats, now};
use super::memory::{Exchange, StoredChat, steer};
use super::progress::StageSender;
use super::tool_error::ToolError;
use futures::{Stream, StreamExt};
use sash_chat::window::{ModelProfile, Parts, select};
use sash_chat::{Chat, Head, Id, Message, ModelId, Outcome, Role};
use sash_server::answer::answer;
use sash_server::app::App;
use sash_server::catalogue;
use sash_server::engine::EngineLabel;
use sash_wire::Prompt;
use sash_wire::{ChatRequest, DoneReason, Fault, Frame, LineDecoder, Upstream, UpstreamRequest};
use std::pin::pin;
use std::sync::Arc;

/// A question.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The question.
    pub text: String,
    /// The chat it belongs to; a new one if absent.
    pub chat: Option<Id>,
    /// The model; that of the chat if absent, or else the engine's first.
    pub model: Option<String>,
    /// The engine, by its name in the configuration.
    pub engine: Option<String>,
    /// The system prompt from this question on.
    pub system: Option<String>,
}

/// An answered question.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The chat, as it is with the answer.
    pub stored: StoredChat,
    /// The answer.
    pub text: String,
    /// Whether the answer reached a limit on its length.
    pub cut_off: bool,
    /// The model that answered, if it is another one than was asked for.
    pub answered_by: Option<String>,
    /// How many messages the model read before the question, the system prompt not counted.
    pub context_messages: usize,
}

/// Asks a question. Dropping the future stops the model, and the chat is as it was before.
///
/// # Errors
/// [`ToolError`]
pub async fn ask(
    app: &Arc<App>,
    chats: &McpChats,
    question: Question,
    stage: &StageSender,
) -> Result<Answered, ToolError> {
    if question.text.trim().is_empty() {
        let field = "question".to_owned();
        return Err(Fault::MissingField { field }.into());
    }
    let waiting = chats.wait()?;
    let (_turn, chat) = match question.chat {
        Some(id) => {
            let (turn, chat) = chats.begin(id).await?;
            (Some(turn), chat)
        }
        None => (None, Arc::new(Chat::new(Head::new(new_id()?, now())))),
    };
    let asked = now();
    let model = choose_model(app, &question, &chat).await?;
    stage.waiting(app, &model).await;
    let request = request(&chat, &model, &question);
    check_bytes(app, &request)?;
    let (id, context_messages) = (chat.head.id, request.context.len());
    // The memory can change the chat in place once nobody else has it.
    drop(chat);
    let permit = app.acquire_generation().await?;
    drop(waiting);
    let frames = answer(app, permit, request).await?;
    let (text, outcome, answered_by) = read(frames, stage).await?;
    let cut_off = outcome == Outcome::CutOff;
    let stored = chats.append(Exchange {
        chat: id,
        asked,
        question: question.text,
        answer: text.clone(),
        outcome,
        model,
        system: question.system,
    });
    Ok(Answered {
        stored,
        text,
        cut_off,
        answered_by,
        context_messages,
    })
}

/// The request for a question, made as the page makes it of its window.
fn request(chat: &Chat, model: &ModelId, question: &Question) -> ChatRequest {
    let mut head = chat.head.clone();
    steer(&mut head, model.clone(), question.system.as_deref());
    let window = select(
        &chat.path(),
        &head,
        ModelProfile::default(),
        Parts::summary_of(&head),
    );
    let prompt = Prompt {
        model: model.name.clone(),
        engine: model.engine.clone(),
        text: question.text.clone(),
        ..Prompt::default()
    };
    prompt.request(chat, &head, &window)
}

/// The limit that the body of a prompt has. Here the context does not come in a body.
fn check_bytes(app: &App, request: &ChatRequest) -> Result<(), Fault> {
    let context = request.context.iter().map(|message| message.content.len());
    let system = request.system.as_ref().map_or(0, String::len);
    let bytes = context.sum::<usize>() + system + request.prompt.len();
    let limit = app.limits.prompt_bytes;
    match bytes > limit {
        true => Err(Fault::TooLarge {
            bytes,
            limit,
            body: sash_wire::BodyKind::Prompt,
        }),
        false => Ok(()),
    }
}

/// The model of a question: the one it names, else that of the chat, else the first of the engine, which for Ollama is the
/// one changed last. A model of Ollama's cloud is chosen only where there is no other: the question would leave this
/// machine unasked.
async fn choose_model(app: &App, question: &Question, chat: &Chat) -> Result<ModelId, ToolError> {
    let engine = question.engine.as_deref();
    if let Some(name) = question
        .model
        .as_deref()
        .filter(|name| !name.trim().is_empty())
    {
        return Ok(ModelId::new(engine, name));
    }
    if let Some(model) = chat.head.model_id().filter(|_| engine.is_none()) {
        return Ok(model);
    }
    let wanted = UpstreamRequest {
        engine: question.engine.clone(),
        ..UpstreamRequest::default()
    };
    let models = catalogue::models(app, &wanted).await?.models;
    let local = models.iter().find(|model| !model.remote);
    if let Some(model) = local.or(models.first()) {
        return Ok(model.id());
    }
    let engine = app.engine(Upstream::default(), engine).await?.engine;
    Err(ToolError::NoModel {
        engine: engine.info().name.clone(),
        is_ollama: matches!(engine.label(), EngineLabel::Ollama(_)),
    })
}

/// Reads an answer to its end.
async fn read(
    lines: impl Stream<Item = bytes::Bytes>,
    stage: &StageSender,
) -> Result<(String, Outcome, Option<String>), ToolError> {
    let mut lines = pin!(lines);
    let mut decoder = LineDecoder::default();
    let mut answer = Message::new(Id(0), None, 0, Role::Assistant, 0);
    let broken = |fault, answer: &Message| ToolError::BrokenAnswer {
        fault,
        text: answer.sent_text(false).into_owned(),
    };
    let (mut thinking_count, mut text_count) = (0, 0);
    loop {
        let Some(bytes) = lines.next().await else {
            return Err(broken(Fault::EndedEarly, &answer));
        };
        decoder.push(&bytes);
        loop {
            match decoder.next_json::<Frame>() {
                Ok(None) => break,
                Ok(Some(Frame::Thinking { text })) => {
                    thinking_count += text.chars().count();
                    answer.thinking += &text;
                }
                Ok(Some(Frame::Text { text })) => {
                    text_count += text.chars().count();
                    answer.content += &text;
                }
                // No tools are sent, so there is nothing to call.
                Ok(Some(
                    Frame::ToolCalls { .. }
                    | Frame::Reading(_)
                    | Frame::Endable { .. }
                    | Frame::Unknown,
                )) => {}
                Ok(Some(Frame::Done { reason, usage })) => {
                    return done(&answer, reason).map(|(text, end)| (text, end, usage.model));
                }
                Ok(Some(Frame::Error { error })) => return Err(broken(error, &answer)),
                Err(error) => return Err(broken(error.into(), &answer)),
            }
        }
        stage.writing(thinking_count, text_count);
    }
}

fn done(answer: &Message, reason: DoneReason) -> Result<(String, Outcome), ToolError> {
    if answer.content.trim().is_empty() {
        return Err(ToolError::EmptyAnswer);
    }
    let outcome = match reason {
        DoneReason::Stop => Outcome::Complete,
        DoneReason::Length | DoneReason::Limit => Outcome::CutOff,
    };
    Ok((answer.sent_text(false).into_owned(), outcome))
}

fn new_id() -> Result<Id, Fault> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| {
        tracing::error!(%error, "the system gives no random numbers");
        Fault::Internal
    })?;
    Ok(Id(u64::from_le_bytes(bytes)))
}
