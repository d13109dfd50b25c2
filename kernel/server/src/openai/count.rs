//! The exact number of tokens of a request: `llama-server` and vLLM count it without reading it, each at a path of its
//! own. vLLM leaves images out.

use super::{OpenAi, body};
use crate::engine::http::RequestFailure;
use crate::engine::not_offered;
use reqwest::Method;
use sash_wire::{ChatRequest, CountedPrompt, EngineAction, Fault};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Time limit of a count: it serves a line that the person sees while typing.
const COUNT_TIME: Duration = Duration::from_secs(5);
/// `llama-server`: takes the body of a chat.
const INPUT_TOKENS: &str = "/v1/chat/completions/input_tokens";
/// vLLM and SGLang: takes messages, or a text.
const TOKENIZE: &str = "/tokenize";
/// The most values of a reply: vLLM lists the tokens that it counts.
const MAX_TOKENS: usize = 1_000_000;

impl OpenAi {
    /// Counts with the path that the engine has: a `llama-server` is known by its list of models.
    pub(super) async fn count_tokens(&self, request: &ChatRequest) -> Result<CountedPrompt, Fault> {
        let model = &request.model;
        let mut body = body::chat(request, &self.info.name)?;
        if let Some(body) = body.as_object_mut() {
            body.remove("stream");
            body.remove("stream_options");
        }
        let is_llama_server = self.is_llama_server();
        if !is_llama_server && request.has_images() {
            return Ok(CountedPrompt { tokens: None });
        }
        let ways = match is_llama_server {
            true => [INPUT_TOKENS, TOKENIZE],
            false => [TOKENIZE, INPUT_TOKENS],
        };
        for path in ways {
            // A body may have megabytes, so it is copied only where it is sent.
            let counted = match path {
                TOKENIZE => {
                    let body = tokenize_body(&body);
                    self.number(path, &body, "count", model).await
                }
                _ => self.number(path, &body, "input_tokens", model).await,
            };
            let counted = match counted {
                // A router would load the model for it.
                Err(Fault::EngineModelNotLoaded { .. }) => {
                    return Ok(CountedPrompt { tokens: None });
                }
                counted => counted?,
            };
            if let Some(tokens) = counted {
                return Ok(CountedPrompt {
                    tokens: Some(tokens),
                });
            }
        }
        Err(not_offered(&self.info, EngineAction::Count))
    }

    /// The number of this name in the reply; `None` where the engine has no such path. Gateways answer unknown paths
    /// with 404 or 405, LM Studio with 200 and an error.
    async fn number(
        &self,
        path: &str,
        body: &Value,
        name: &str,
        model: &str,
    ) -> Result<Option<u64>, Fault> {
        let mut request = self.http.request(Method::POST, path).json(body);
        if self.is_router.load(Ordering::Relaxed) {
            request = request.query(&[("autoload", "false")]);
        }
        match self.http.document(request, COUNT_TIME, MAX_TOKENS).await {
            Ok(reply) => Ok(reply.get(name).and_then(Value::as_u64)),
            // vLLM has the path and not the model.
            Err(RequestFailure::Refused(reply))
                if reply.has_no_such_path() && !reply.text.contains("does not exist") =>
            {
                Ok(None)
            }
            Err(failure) => Err(self.fault(failure, model)),
        }
    }
}

/// What vLLM's `/tokenize` takes of the body of a chat.
fn tokenize_body(chat: &Value) -> Value {
    let mut body = json!({"add_generation_prompt": true});
    for name in [
        "model",
        "messages",
        "tools",
        "chat_template_kwargs",
        "continue_final_message",
        "add_generation_prompt",
    ] {
        if let Some(value) = chat.get(name) {
            body[name] = value.clone();
        }
    }
    body
}
