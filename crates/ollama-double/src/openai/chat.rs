//! `POST /v1/chat/completions`.

use super::call::CompletionCall;
use super::events::EventForm;
use super::model_router;
use super::refusal::ApiRefusal;
use crate::Flavor;
use crate::chat::RequestScope;
use crate::http::{self, HttpResponse};
use crate::lease::Lease;
use crate::locks::hold;
use crate::models::ServedModel;
use crate::options::Options;
use crate::play;
use crate::render;
use crate::run::{Run, StreamClosed};
use crate::slots::SlotRequest;
use crate::speaker::Speaker;
use crate::stream::PieceSource;
use hyper::StatusCode;
use serde_json::json;
use std::io;
use std::time::Duration;

/// Answers a chat request.
pub async fn chat(scope: RequestScope, flavor: Flavor, body: &[u8]) -> io::Result<HttpResponse> {
    match prepare(&scope, flavor, body).await {
        Ok(prepared) => speak(scope, flavor, prepared).await,
        Err(refusal) => Ok(refusal.into()),
    }
}

struct PreparedChat {
    chat: CompletionCall,
    model: ServedModel,
    options: Options,
    lease: Lease,
}

/// Makes the server's checks in its order.
async fn prepare(
    scope: &RequestScope,
    flavor: Flavor,
    body: &[u8],
) -> Result<PreparedChat, ApiRefusal> {
    let chat = CompletionCall::read(body, flavor)?;
    let is_router = scope.shared.settings().router;
    let model = find(scope, flavor, &chat.call.model).ok_or_else(|| match is_router {
        true => ApiRefusal::unknown_to_router(&chat.call.model),
        false => ApiRefusal::unknown_model(flavor, &chat.call.model),
    })?;
    let wrong = |text: &str| ApiRefusal::new(flavor, StatusCode::BAD_REQUEST, text);
    let options = Options::read(chat.call.options.as_ref()).map_err(|r| wrong(&r.text))?;
    if let Some(refusal) = model.refusal(&chat.call.messages) {
        return Err(wrong(&refusal.text));
    }
    if chat.call.has_images() && !model.can("vision") {
        return Err(ApiRefusal::no_images(flavor, &model.name));
    }
    if !chat.call.tools.is_empty() && !model.can("tools") {
        return Err(ApiRefusal::no_tools(flavor));
    }
    let want = SlotRequest {
        model: model.clone(),
        load: String::new(),
        num_ctx: None,
        keep_alive: None,
    };
    let mut config = scope.shared.settings();
    if is_router {
        model_router::ensure_loaded(&scope.shared, &model.name).await;
        config.load_time = Duration::ZERO;
    }
    let lease = scope.shared.slots.acquire(want, &config).await;
    let lease = lease.map_err(|refusal| ApiRefusal::new(flavor, refusal.status, &refusal.text))?;
    Ok(PreparedChat {
        chat,
        model,
        options,
        lease,
    })
}

/// The model of a request: `llama-server` has one, whatever the name, unless it is a router.
pub(super) fn find(scope: &RequestScope, flavor: Flavor, name: &str) -> Option<ServedModel> {
    let is_router = scope.shared.settings().router;
    let models = hold(&scope.shared.models);
    let mut models = models.iter();
    match flavor {
        Flavor::LlamaServer if !is_router => models.next().cloned(),
        Flavor::LlamaServer | Flavor::Vllm => models.find(|model| model.name == name).cloned(),
    }
}

/// `POST /apply-template` of `llama-server`: the text of a prompt. A router loads the model for it.
pub async fn apply_template(scope: &RequestScope, body: &[u8]) -> HttpResponse {
    match prepare(scope, Flavor::LlamaServer, body).await {
        Ok(prepared) => {
            let PreparedChat { chat, model, .. } = prepared;
            let think = chat
                .call
                .think
                .unwrap_or_else(|| model.can("thinking").into());
            let prompt = render::render(&model, chat.call.messages, think);
            http::single_bare(StatusCode::OK, &json!({"prompt": prompt.text}))
        }
        Err(refusal) => refusal.into(),
    }
}

async fn speak(
    scope: RequestScope,
    flavor: Flavor,
    prepared: PreparedChat,
) -> io::Result<HttpResponse> {
    let PreparedChat {
        chat,
        model,
        options,
        lease,
    } = prepared;
    let call = chat.call;
    let think = call.think.unwrap_or_else(|| model.can("thinking").into());
    let prompt = render::render(&model, call.messages.clone(), think);
    let (tokens, context) = (prompt.ids.len() as u64, lease.num_ctx);
    if tokens >= context {
        return Ok(ApiRefusal::overflow(flavor, tokens, context).into());
    }
    let config = scope.shared.settings();
    // What only reads a prompt takes no answer out of a script.
    let steps = (!options.only_reads()).then(|| scope.shared.scripts.take(&scope.path));
    let steps = steps.flatten();
    let (id, thought) = scope.shared.completions.begin(call.control);
    let form = EventForm::new(flavor, id, &model.name, chat.include_usage);
    let stream = call.stream;
    let source = PieceSource::spawn(move |to| {
        let run = Run {
            context: false,
            model,
            call,
            options,
            prompt,
            think,
            thought: Some(thought),
            lease,
            arrived: scope.arrived,
            rate: config.rate,
            prompt_rate: config.prompt_rate,
            batch: config.batch,
            ignores_limits: config.ignores_limits,
            record: scope.record,
            to,
        };
        async move {
            let counted = || scope.shared.records.generation();
            let mut speaker = Speaker::start(run, counted).await;
            match steps {
                Some(steps) => {
                    play::chat(steps, speaker, scope.faults, &scope.shared.scripts).await;
                }
                None => match speaker.answer(None).await {
                    Ok(()) | Err(StreamClosed) => {}
                },
            }
        }
    });
    match stream {
        true => form.stream(source).await,
        false => form.collect(source).await,
    }
}
