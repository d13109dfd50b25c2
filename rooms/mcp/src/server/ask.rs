//! Answers a question of an MCP client on the way of the page's prompts: the same window, the same request, the same
//! checks and limits, the same stream.

use super::arguments::AskArguments;
use super::chats::{McpChats, now};
use super::memory::{Exchange, steer};
use super::progress::StageSender;
use super::results::{AskResult, ChatSummary};
use super::tool_error::{ToolError, chat_id};
use futures::{Stream, StreamExt};
use sash_chat::window::{ModelProfile, Parts, select};
use sash_chat::{Chat, Head, Id, Message, ModelId, Outcome, Role};
use sash_server::answer::answer;
use sash_server::app::App;
use sash_server::catalogue;
use sash_server::engine::EngineLabel;
use sash_wire::RequestPlan;
use sash_wire::{ChatRequest, DoneReason, Fault, Frame, LineDecoder, Upstream, UpstreamRequest};
use std::pin::pin;
use std::sync::Arc;
use tokio::sync::OwnedMutexGuard;

/// Asks a question. Dropping the future stops the model, and the chat is as it was before.
///
/// # Errors
/// [`ToolError`]
pub async fn ask(
    app: &Arc<App>,
    chats: &McpChats,
    arguments: AskArguments,
    stage: &StageSender,
) -> Result<AskResult, ToolError> {
    let chat = arguments.chat_id.as_deref().map(chat_id).transpose()?;
    if arguments.question.trim().is_empty() {
        let field = "question".to_owned();
        return Err(Fault::MissingField { field }.into());
    }
    let waiting = chats.wait()?;
    let (turn, chat) = match chat {
        Some(id) => {
            let (turn, chat) = chats.begin(id).await?;
            (Some(turn), chat)
        }
        None => (None, Arc::new(Chat::new(Head::new(new_id()?, now())))),
    };
    let asked = now();
    let model = choose_model(app, &arguments, &chat).await?;
    stage.waiting(app, &model).await;
    let request = request(&chat, &model, &arguments);
    check_bytes(app, &request)?;
    let (id, context_messages) = (chat.head.id, request.context.len());
    // The memory can change the chat in place once nobody else has it.
    drop(chat);
    let permit = app.acquire_generation().await?;
    drop(waiting);
    let frames = answer(app, permit, request).await?;
    let mut message = Message::new(Id(0), None, 0, Role::Assistant, 0);
    let read = read(frames, &mut message, stage).await;
    let answer = message.sent_text(false).into_owned();
    let answered_by = match read {
        Err(fault) => {
            let text = answer;
            return Err(ToolError::BrokenAnswer { fault, text });
        }
        Ok(_) if message.content.trim().is_empty() => return Err(ToolError::EmptyAnswer),
        Ok(answered_by) => answered_by,
    };
    let cut_off = message.outcome == Outcome::CutOff;
    let exchange = Exchange {
        chat: id,
        asked,
        question: arguments.question,
        answer: answer.clone(),
        outcome: message.outcome,
        model,
        system: arguments.system,
        turn: turn.as_ref().map(OwnedMutexGuard::mutex).cloned(),
    };
    let chat = ChatSummary::from(&chats.memory().append(exchange, now()));
    Ok(AskResult {
        answer,
        chat_id: chat.chat_id,
        model: answered_by.unwrap_or(chat.model),
        cut_off,
        context_messages,
        created_at: chat.created_at,
        last_activity_at: chat.last_activity_at,
    })
}

/// The request for a question, made as the page makes it of its window.
fn request(chat: &Chat, model: &ModelId, asked: &AskArguments) -> ChatRequest {
    let mut head = chat.head.clone();
    steer(&mut head, model.clone(), asked.system.as_deref());
    let window = select(
        &chat.path(),
        &head,
        ModelProfile::default(),
        Parts::summary_of(&head),
    );
    let prompt = RequestPlan {
        model: model.name.clone(),
        engine: model.engine.clone(),
        text: asked.question.clone(),
        ..RequestPlan::default()
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
async fn choose_model(app: &App, asked: &AskArguments, chat: &Chat) -> Result<ModelId, ToolError> {
    let engine = asked.engine.as_deref();
    let named = asked.model.as_deref();
    if let Some(name) = named.filter(|name| !name.trim().is_empty()) {
        return Ok(ModelId::new(engine, name));
    }
    if let Some(model) = chat.head.model_id().filter(|_| engine.is_none()) {
        return Ok(model);
    }
    let wanted = UpstreamRequest {
        engine: asked.engine.clone(),
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

/// Reads an answer to its end. Returns the model that wrote it, if it is another one than was asked for.
async fn read(
    lines: impl Stream<Item = bytes::Bytes>,
    answer: &mut Message,
    stage: &StageSender,
) -> Result<Option<String>, Fault> {
    let mut lines = pin!(lines);
    let mut decoder = LineDecoder::default();
    let (mut thinking, mut written) = (0, 0);
    while let Some(bytes) = lines.next().await {
        decoder.push(&bytes);
        while let Some(frame) = decoder.next_json()? {
            match frame {
                Frame::Thinking { text } => {
                    thinking += text.chars().count();
                    answer.thinking += &text;
                }
                Frame::Text { text } => {
                    written += text.chars().count();
                    answer.content += &text;
                }
                Frame::Done { reason, usage } => {
                    answer.outcome = match reason {
                        DoneReason::Stop => Outcome::Complete,
                        DoneReason::Length | DoneReason::Limit => Outcome::CutOff,
                    };
                    return Ok(usage.model);
                }
                Frame::Error { error } => return Err(error),
                // No tools are sent, so there is nothing to call.
                Frame::ToolCalls { .. }
                | Frame::Reading(_)
                | Frame::Endable { .. }
                | Frame::Unknown => {}
            }
        }
        stage.writing(thinking, written);
    }
    Err(Fault::EndedEarly)
}

fn new_id() -> Result<Id, Fault> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| {
        tracing::error!(%error, "the system gives no random numbers");
        Fault::Internal
    })?;
    Ok(Id(u64::from_le_bytes(bytes)))
}
