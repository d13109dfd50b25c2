//! `POST /api/generate`, as far as chat clients use it.

use super::call::{Call, CallMessage, images};
use super::chat::{RequestScope, abilities, speak, unknown};
use super::decode::{Fields, RequestRefusal, object};
use super::http::HttpResponse;
use super::line::LineForm;
use super::models::ServedModel;
use super::names::Name;
use std::io;
use std::time::Duration;

/// The fields of this endpoint besides the shared ones.
struct Extra {
    prompt: String,
    system: String,
    raw: bool,
    images: Vec<usize>,
}

/// Answers a prompt.
pub async fn generate(scope: RequestScope, body: &[u8]) -> io::Result<HttpResponse> {
    let (call, extra, model) = match read(&scope, body) {
        Ok(all) => all,
        Err(refusal) => return Ok(refusal.into()),
    };
    let form = LineForm {
        model: call.model.clone(),
        generate: true,
    };
    if extra.prompt.is_empty() && call.keep_alive == Some(Duration::ZERO) {
        scope.shared.slots.unload(&model.key());
        return Ok(form.only_reason("unload"));
    }
    let mut messages = Vec::new();
    if !extra.prompt.is_empty() {
        let system = Some(extra.system).filter(|s| !s.is_empty());
        if let Some(system) = system.or(model.system.clone()) {
            messages.push(CallMessage::of("system", system));
        }
        let mut message = CallMessage::of("user", extra.prompt.clone());
        message.images = extra.images;
        messages.push(message);
    }
    let raw = (extra.raw && !extra.prompt.is_empty()).then_some(extra.prompt);
    speak(scope, call, model, messages, form, raw).await
}

fn read(scope: &RequestScope, body: &[u8]) -> Result<(Call, Extra, ServedModel), RequestRefusal> {
    let map = object(body, "GenerateRequest")?;
    let fields = Fields::new(&map, "GenerateRequest");
    let call = Call::common(&fields)?;
    let extra = Extra {
        prompt: fields.text("prompt")?,
        system: fields.text("system")?,
        raw: fields.flag("raw")?.unwrap_or(false),
        images: images(&fields)?,
    };
    let template = fields.text("template")?;
    let suffix = fields.text("suffix")?;
    call.check_logprobs()?;
    if call.model.is_empty() {
        return Err(unknown(""));
    }
    let name = Name::parse(&call.model).ok_or_else(|| RequestRefusal::bad("invalid model name"))?;
    let model = scope
        .shared
        .find(&name)
        .ok_or_else(|| unknown(&call.model))?;
    let touched =
        !extra.system.is_empty() || !template.is_empty() || fields.get("context").is_some();
    if extra.raw && touched {
        return Err(RequestRefusal::bad(
            "raw mode does not support template, system, or context",
        ));
    }
    abilities(&model, &call, "generate")?;
    if !suffix.is_empty() && !model.can("insert") {
        let full = model.full();
        return Err(RequestRefusal::bad(format!(
            "{full} does not support insert"
        )));
    }
    Ok((call, extra, model))
}
