//! `POST /api/chat`, with its checks in Ollama's order.

use super::call::{Call, CallMessage, ThinkField};
use super::decode::RequestRefusal;
use super::faults::Faults;
use super::http::HttpResponse;
use super::lease::Lease;
use super::limits;
use super::line::LineForm;
use super::models::{Path, ServedModel};
use super::names::Name;
use super::options::Options;
use super::play;
use super::records::RecordHandle;
use super::render::{self, RenderedPrompt};
use super::run::{Run, StreamClosed};
use super::script::ScriptStep;
use super::shared::Shared;
use super::slots::SlotRequest;
use super::speaker::Speaker;
use super::stream::{PieceSource, StreamPiece};
use hyper::StatusCode;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The context of a request.
pub struct RequestScope {
    /// The stand-in.
    pub shared: Arc<Shared>,
    /// The faults of its connection.
    pub faults: Arc<Faults>,
    /// Its record.
    pub record: RecordHandle,
    /// When the request arrived.
    pub arrived: Instant,
    /// Its path.
    pub path: String,
    /// What stands behind the `?` of its address.
    pub query: String,
}

/// Answers a chat request.
pub async fn chat(scope: RequestScope, body: &[u8]) -> io::Result<HttpResponse> {
    let checked = async {
        let call = Call::chat(body)?;
        call.check_logprobs()?;
        let name = required(&call.model)?;
        if name.is_cloud() {
            return Err(RequestRefusal::new(
                StatusCode::FORBIDDEN,
                "ollama cloud is disabled: remote model is unavailable",
            ));
        }
        let model = scope
            .shared
            .find(&name)
            .ok_or_else(|| unknown(&call.model))?;
        Ok((call, model))
    };
    let (call, model) = match checked.await {
        Ok(both) => both,
        Err(refusal) => return Ok(refusal.into()),
    };
    let form = LineForm {
        model: call.model.clone(),
        generate: false,
    };
    if call.messages.is_empty() && call.keep_alive == Some(Duration::ZERO) {
        scope.shared.slots.unload(&model.key());
        return Ok(form.only_reason("unload"));
    }
    if let Err(refusal) = abilities(&model, &call, "chat") {
        return Ok(refusal.into());
    }
    let mut messages = call.messages.clone();
    let has_system = messages.first().is_some_and(|m| m.role == "system");
    if let Some(system) = model.system.clone().filter(|_| !has_system) {
        messages.insert(0, CallMessage::of("system", system));
    }
    speak(scope, call, model, messages, form, None).await
}

/// The model must be given, with a valid name.
fn required(model: &str) -> Result<Name, RequestRefusal> {
    if model.is_empty() {
        return Err(RequestRefusal::bad("model is required"));
    }
    Name::parse(model).ok_or_else(|| RequestRefusal::bad("invalid model name"))
}

/// 404, in the wording of chat and generate.
pub fn unknown(model: &str) -> RequestRefusal {
    RequestRefusal::missing(format!("model '{model}' not found"))
}

/// Whether the model has the capabilities that the request needs.
pub fn abilities(model: &ServedModel, call: &Call, verb: &str) -> Result<(), RequestRefusal> {
    let sent = &call.model;
    if call.think.is_some_and(|think| think.on) && !model.can("thinking") {
        return Err(RequestRefusal::bad(format!(
            "\"{sent}\" does not support thinking"
        )));
    }
    if !model.can("completion") {
        return Err(RequestRefusal::bad(format!(
            "\"{sent}\" does not support {verb}"
        )));
    }
    if !call.tools.is_empty() && !model.can("tools") {
        let full = model.full();
        return Err(RequestRefusal::bad(format!(
            "{full} does not support tools"
        )));
    }
    Ok(())
}

/// Handles both endpoints from the check of the options to the answer. `raw` is a prompt to which no template
/// is applied.
pub async fn speak(
    scope: RequestScope,
    call: Call,
    model: ServedModel,
    messages: Vec<CallMessage>,
    form: LineForm,
    raw: Option<String>,
) -> io::Result<HttpResponse> {
    let (options, lease) = match load(&scope, &call, &model).await {
        Ok(both) => both,
        Err(refusal) => return Ok(refusal.into()),
    };
    if messages.is_empty() && raw.is_none() {
        drop(lease);
        return Ok(form.only_reason("load"));
    }
    let think = call.think.unwrap_or_else(|| model.can("thinking").into());
    let prompt = match raw {
        Some(text) => RenderedPrompt {
            ids: model.tokenizer.prompt(&text),
            messages: vec![CallMessage::of("user", text.clone())],
            text,
        },
        None => prompt(&model, &call, messages, think, lease.num_ctx),
    };
    let config = scope.shared.settings();
    if call.render_only && config.render_only {
        if let Some(refusal) = model.refusal(&prompt.messages) {
            return Ok(refusal.into());
        }
        let images = prompt.messages.iter();
        let images = images.map(|message| message.images.len()).sum();
        return Ok(form.rendered(&prompt.text, images));
    }
    // What only reads a prompt takes no answer out of a script.
    let is_read = options.only_reads() && !call.render_only;
    let steps = (!is_read).then(|| scope.shared.scripts.take(&scope.path));
    let steps = steps.flatten();
    let stream = call.stream;
    let source = PieceSource::spawn(move |to| {
        let run = Run {
            context: form_wants_context(&scope.path, &prompt),
            model,
            call,
            options,
            prompt,
            think,
            thought: None,
            lease,
            arrived: scope.arrived,
            rate: config.rate,
            prompt_rate: config.prompt_rate,
            batch: config.batch,
            ignores_limits: config.ignores_limits,
            record: scope.record,
            to,
        };
        generate(run, steps, scope.shared, scope.faults)
    });
    if stream {
        form.stream(source).await
    } else {
        form.collect(source).await
    }
}

fn form_wants_context(path: &str, prompt: &RenderedPrompt) -> bool {
    path == "/api/generate" && prompt.text.starts_with("<|im_start|>")
}

async fn load(
    scope: &RequestScope,
    call: &Call,
    model: &ServedModel,
) -> Result<(Options, Lease), RequestRefusal> {
    let options = Options::read(call.options.as_ref())?;
    let want = SlotRequest {
        model: model.clone(),
        load: format!("{}shift={} ", options.load, call.shift),
        num_ctx: options.num_ctx,
        keep_alive: call.keep_alive,
    };
    let config = scope.shared.settings();
    let lease = scope.shared.slots.acquire(want, &config).await?;
    Ok((options, lease))
}

/// The prompt: old messages are dropped unless the request forbids it. A native chat of one message is never
/// truncated.
fn prompt(
    model: &ServedModel,
    call: &Call,
    messages: Vec<CallMessage>,
    think: ThinkField,
    num_ctx: u64,
) -> RenderedPrompt {
    let single = model.path == Path::Native && messages.len() == 1;
    if call.truncate && !single {
        render::fit(model, messages, think, num_ctx)
    } else {
        render::render(model, messages, think)
    }
}

/// Makes the runner's checks, then generates the answer.
async fn generate(
    mut run: Run,
    steps: Option<Vec<ScriptStep>>,
    shared: Arc<Shared>,
    faults: Arc<Faults>,
) {
    if let Err(refusal) = limits::check(&mut run) {
        let piece = StreamPiece::Error(refusal.status, refusal.text);
        // Fails if the client has gone; then there is nobody to tell.
        let _ = run.to.send(piece).await;
        return;
    }
    let mut speaker = Speaker::start(run, || shared.records.generation()).await;
    match steps {
        Some(steps) => play::chat(steps, speaker, faults, &shared.scripts).await,
        None => match speaker.answer(None).await {
            Ok(()) | Err(StreamClosed) => {}
        },
    }
}
