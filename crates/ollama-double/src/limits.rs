//! The runner's refusals: conversations, formats, images, and prompts that are too long.

use super::decode::RequestRefusal;
use super::models::Path;
use super::render::{self, padded};
use super::run::Run;
use hyper::StatusCode;
use serde_json::json;

/// Checks a run before it starts, and truncates its prompt where Ollama does so silently.
pub fn check(run: &mut Run) -> Result<(), RequestRefusal> {
    if let Some(format) = &run.call.format
        && format != "json"
        && !format.is_object()
    {
        let quoted = json!(format.to_string()).to_string();
        return Err(RequestRefusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("invalid format: {quoted}; expected \"json\" or a valid JSON Schema object"),
        ));
    }
    let rendered = run.model.path == Path::Rendered;
    if let Some(refusal) = run.model.refusal(&run.prompt.messages) {
        return Err(refusal);
    }
    if run.call.has_images() && !run.model.can("vision") {
        return Err(if rendered {
            let text = "Multimodal data provided, but model does not support multimodal requests.";
            nested(400, text, "invalid_request_error")
        } else {
            let text = "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj";
            nested(500, text, "server_error")
        });
    }
    let num_ctx = run.lease.num_ctx;
    let tokens = run.prompt.ids.len() as u64;
    if rendered && run.call.truncate && tokens >= num_ctx {
        if !run.call.shift {
            return Err(RequestRefusal::bad(
                "the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length",
            ));
        }
        render::cut_middle(&mut run.prompt.ids, num_ctx, run.options.num_keep);
        return Ok(());
    }
    let window = padded(num_ctx);
    if tokens >= window {
        let text = format!(
            r#"{{"error":{{"code":400,"message":"request ({tokens} tokens) exceeds the available context size ({window} tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":{tokens},"n_ctx":{window}}}}}"#
        );
        return Err(RequestRefusal::bad(text));
    }
    Ok(())
}

/// An error in the runner's form: JSON inside the string.
fn nested(code: u16, message: &str, kind: &str) -> RequestRefusal {
    let status = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let text = format!(r#"{{"error":{{"code":{code},"message":"{message}","type":"{kind}"}}}}"#);
    RequestRefusal::new(status, text)
}
