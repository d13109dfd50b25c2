//! Refusals in the words of each server.

use crate::Flavor;
use crate::http::{self, HttpResponse};
use hyper::StatusCode;
use serde_json::{Value, json};

/// A refusal: its status, and the value of `error`.
pub struct ApiRefusal {
    /// The status.
    pub status: StatusCode,
    /// The error.
    pub error: Value,
}

impl From<ApiRefusal> for HttpResponse {
    fn from(refusal: ApiRefusal) -> Self {
        http::single_bare(refusal.status, &json!({"error": refusal.error}))
    }
}

impl ApiRefusal {
    /// An error with this status and text.
    pub fn new(flavor: Flavor, status: StatusCode, message: &str) -> Self {
        let code = status.as_u16();
        let error = match flavor {
            Flavor::LlamaServer => {
                let kind = match code {
                    400 => "invalid_request_error",
                    404 => "not_found_error",
                    503 => "unavailable_error",
                    _ => "server_error",
                };
                json!({"code": code, "message": message, "type": kind})
            }
            Flavor::Vllm => {
                let kind = match code {
                    400 => "BadRequestError",
                    404 => "NotFoundError",
                    503 => "ServiceUnavailableError",
                    _ => "InternalServerError",
                };
                json!({"message": message, "type": kind, "param": null, "code": code})
            }
        };
        Self { status, error }
    }

    /// A request that is too long for the context.
    pub fn overflow(flavor: Flavor, tokens: u64, context: u64) -> Self {
        let status = StatusCode::BAD_REQUEST;
        match flavor {
            Flavor::LlamaServer => {
                let message = format!(
                    "request ({tokens} tokens) exceeds the available context size ({context} tokens), try increasing it"
                );
                let error = json!({"code": 400, "message": message, "type": "exceed_context_size_error",
                    "n_prompt_tokens": tokens, "n_ctx": context});
                Self { status, error }
            }
            Flavor::Vllm => {
                let message = format!(
                    "This model's maximum context length is {context} tokens. However, you requested {tokens} tokens in the messages, Please reduce the length of the messages."
                );
                Self::new(flavor, status, &message)
            }
        }
    }

    /// A request with tools that the server was not started for.
    pub fn no_tools(flavor: Flavor) -> Self {
        match flavor {
            Flavor::LlamaServer => Self::new(
                flavor,
                StatusCode::INTERNAL_SERVER_ERROR,
                "tools param requires --jinja flag",
            ),
            Flavor::Vllm => Self::new(
                flavor,
                StatusCode::BAD_REQUEST,
                "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set",
            ),
        }
    }

    /// A request with images for a model that sees none.
    pub fn no_images(flavor: Flavor, model: &str) -> Self {
        match flavor {
            Flavor::LlamaServer => Self::new(
                flavor,
                StatusCode::INTERNAL_SERVER_ERROR,
                "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
            ),
            Flavor::Vllm => Self::new(
                flavor,
                StatusCode::BAD_REQUEST,
                &format!("{model} is not a multimodal model"),
            ),
        }
    }

    /// A model that a router of `llama-server` does not have.
    pub fn unknown_to_router(model: &str) -> Self {
        let message = format!("model '{model}' not found");
        Self::new(Flavor::LlamaServer, StatusCode::BAD_REQUEST, &message)
    }

    /// A model that the server does not have.
    pub fn unknown_model(flavor: Flavor, model: &str) -> Self {
        let message = format!("The model `{model}` does not exist.");
        Self::new(flavor, StatusCode::NOT_FOUND, &message)
    }
}

/// 401.
pub fn unauthorized(flavor: Flavor) -> HttpResponse {
    let body = match flavor {
        Flavor::LlamaServer => {
            json!({"error": {"code": 401, "message": "Invalid API Key", "type": "authentication_error"}})
        }
        Flavor::Vllm => json!({"error": "Unauthorized"}),
    };
    http::single_bare(StatusCode::UNAUTHORIZED, &body)
}

/// 404 of the router.
pub fn no_such_path(flavor: Flavor) -> HttpResponse {
    match flavor {
        Flavor::LlamaServer => {
            ApiRefusal::new(flavor, StatusCode::NOT_FOUND, "File Not Found").into()
        }
        Flavor::Vllm => http::single_bare(StatusCode::NOT_FOUND, &json!({"detail": "Not Found"})),
    }
}
