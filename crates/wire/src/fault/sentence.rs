//! The message of each fault: what happened, and what the person can do.

use super::{BodyKind, Fault, ModelFeature};
use std::fmt;

impl fmt::Display for Fault {
    /// The message for the person.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Fault as F;
        match self {
            F::MissingField { field } => write!(f, "Missing '{field}' field"),
            F::InvalidRequest { reason } => {
                write!(f, "The request is not one JSON object: {reason}")
            }
            F::InvalidField { field, reason } => write!(f, "'{field}' cannot be used: {reason}."),
            F::TooComplex => write!(
                f,
                "The request has more JSON values, or is nested deeper, than Sash reads."
            ),
            F::InvalidModelName { model } => {
                write!(
                    f,
                    "“{model}” is not a model name. Names look like llama3.2 or library/llama3.2:3b."
                )
            }
            F::RegistryRefused { host } => {
                write!(
                    f,
                    "Models from {host} are not allowed here. Start Sash with --allow-registry {host} to allow them."
                )
            }
            F::TooManyMessages { messages, limit } => write!(
                f,
                "This request has {messages} messages and Sash takes {limit}. Nothing was sent to the model. Make the window smaller, or start Sash with a larger --max-messages."
            ),
            F::ContextOverflow {
                prompt_tokens,
                context_tokens,
            } => write!(
                f,
                "The request has {prompt_tokens} tokens and was refused: the model has room for {context_tokens}. Nothing was cut. Shorten the prompt, or send fewer messages."
            ),
            F::Unsupported { feature, reason } => match feature {
                ModelFeature::Chat => write!(
                    f,
                    "This model does not chat: it is made for embeddings. Choose another one."
                ),
                ModelFeature::Thinking => write!(
                    f,
                    "This model cannot think in the way that was asked for. Leave thinking to the model, or choose another one."
                ),
                ModelFeature::Images => write!(
                    f,
                    "This model does not see images. Choose one that does, or send the prompt without them."
                ),
                ModelFeature::Tools => write!(
                    f,
                    "This model does not use tools. Switch the tools off, or choose a model that uses them."
                ),
                ModelFeature::Embeddings => write!(
                    f,
                    "This model makes no embeddings. Choose another one in the settings."
                ),
                ModelFeature::Other => write!(f, "The model cannot do this: {reason}"),
            },
            F::CloudOff { .. } => write!(
                f,
                "This model runs in Ollama's cloud, which is switched off here. Choose a model of this machine, or allow the cloud in Ollama's settings."
            ),
            F::CloudSignedOut => write!(
                f,
                "This model runs in Ollama's cloud, and Ollama is not signed in. Run: ollama signin"
            ),
            F::LoadFailed { reason } => write!(
                f,
                "The model could not be loaded. Try again, pull it again, or update Ollama. Ollama says: {reason}"
            ),
            F::InvalidToolCall => f.write_str(
                "The model called a tool with arguments that are not JSON. Ask again, or switch the tools of this chat off.",
            ),
            F::FileUnreadable { reason } => write!(f, "The file cannot be read: {reason}."),
            F::ImageUnreadable { reason } => write!(
                f,
                "The model could not read an image. Ask without it, or add it again as a PNG or JPEG. Ollama says: {reason}"
            ),
            F::RequestRefused { reason } => {
                write!(f, "Ollama does not take this request: {reason}")
            }
            F::QuestionFirst { .. } => write!(
                f,
                "This model wants a question first, and this request began with an answer."
            ),
            F::NoSystemPrompt { .. } => write!(
                f,
                "This model takes no system prompt. Empty the system prompt, or choose another model."
            ),
            F::TemplateRefused { reason } => write!(
                f,
                "The model's chat template does not take this conversation: {reason}"
            ),
            F::SchemaRefused { reason } => write!(
                f,
                "The engine cannot hold the answer to this JSON schema: {reason}. Change the schema under Parameters, or ask for JSON without one."
            ),
            F::UnknownEngine { engine } => write!(
                f,
                "Sash has no engine named “{engine}”. Choose a model again; engines are set when Sash is started."
            ),
            F::NotOffered { engine, action } => {
                write!(f, "The engine “{engine}” cannot {}.", action.words())
            }
            F::EngineModelNotFound { engine, model } => write!(
                f,
                "The engine “{engine}” has no model named “{model}”. Choose another one."
            ),
            F::EngineRefused { engine, reason } => {
                write!(
                    f,
                    "The engine “{engine}” does not take this request: {reason}"
                )
            }
            F::EngineUnreachable { engine } => write!(
                f,
                "The engine “{engine}” is not reachable. Is it running? Sash keeps looking."
            ),
            F::EngineLost { engine } => write!(
                f,
                "The connection to the engine “{engine}” was lost. What came is kept."
            ),
            F::EngineKeyRefused { engine } => write!(
                f,
                "The engine “{engine}” does not accept Sash's key (401). Put the right key into the file of --openai-key-file and start Sash again."
            ),
            F::EngineKeyMissing { engine } => write!(
                f,
                "The engine “{engine}” wants a key (401), and Sash has none for it. Put it into a file and start Sash with --openai-key-file."
            ),
            F::EngineModelNotLoaded { engine, model } => write!(
                f,
                "The engine “{engine}” has not loaded “{model}” and does not load models by itself. Load it there, or choose another model."
            ),
            F::EngineForbidden { engine } => write!(
                f,
                "The engine “{engine}” forbids this (403): its key may not use this model."
            ),
            F::EngineBusy { engine, reason } => {
                write!(f, "The engine “{engine}” is busy. Try again in a moment.")?;
                match reason.as_str() {
                    "" => Ok(()),
                    reason => write!(f, " It says: {reason}"),
                }
            }
            F::EngineSilent { engine, seconds } => write!(
                f,
                "The engine “{engine}” sent nothing for {seconds} seconds. The model may be stuck; try again."
            ),
            F::EngineUnexpected {
                engine,
                status,
                excerpt,
            } => {
                write!(
                    f,
                    "The engine “{engine}” does not answer like the OpenAI chat API: unexpected reply ({status})"
                )?;
                match excerpt.as_str() {
                    "" => Ok(()),
                    excerpt => write!(f, ": {excerpt}"),
                }
            }
            F::ContentFiltered { engine } => write!(
                f,
                "The content filter of the engine “{engine}” ended the answer. What came is kept."
            ),
            F::CannotRender => write!(
                f,
                "This Ollama cannot show the prompt after the model's template. Update Ollama to see it."
            ),
            F::ModelNotFound { model } => {
                write!(
                    f,
                    "Ollama has no model named “{model}”. Choose another one, or pull it."
                )
            }
            F::OllamaUnreachable { address } => {
                write!(
                    f,
                    "Ollama is not reachable at {address}. If it is not running, start it with: ollama serve"
                )
            }
            F::OllamaLost => write!(
                f,
                "The connection to Ollama was lost. What came is kept. If Ollama has stopped, start it with: ollama serve"
            ),
            F::OllamaRefused { address } => write!(
                f,
                "Ollama at {address} refuses Sash (403). If the name in that address is not localhost, let Ollama listen on it with OLLAMA_HOST, or use an IP address."
            ),
            F::OllamaBusy => write!(f, "Ollama's queue is full. Try again in a moment."),
            F::OllamaSilent { seconds } => {
                write!(
                    f,
                    "Ollama sent nothing for {seconds} seconds. The model may be stuck; try again, or restart Ollama."
                )
            }
            F::ModelFailed { reason } => write!(f, "The model failed: {reason}"),
            F::OutOfMemory { reason } => write!(
                f,
                "There is not enough memory to load the model. Unload another model, give this one less context, or choose a smaller one. Ollama says: {reason}"
            ),
            F::DeleteFailed { reason } => {
                write!(
                    f,
                    "Ollama did not delete it, and it is still there: {reason}"
                )
            }
            F::NotInRegistry => write!(
                f,
                "Ollama could not pull it: the registry has no model of this name"
            ),
            F::PullFailed { reason, .. } => write!(f, "Ollama could not pull it: {reason}"),
            F::UnexpectedReply {
                status,
                content_type,
                excerpt,
            } => {
                let who = match is_proxy_error(*status, content_type) {
                    true => "A proxy in front of Ollama answered in its place",
                    false => "This does not look like Ollama",
                };
                write!(f, "{who}: unexpected reply ({content_type}, {status})")?;
                match excerpt.as_str() {
                    "" => Ok(()),
                    excerpt => write!(f, ": {excerpt}"),
                }
            }
            F::BrokenStream { reason } => write!(f, "The answer broke off: {reason}"),
            F::EndedEarly => write!(f, "The answer ended without finishing. What came is kept."),
            F::ServerStopping => {
                write!(f, "Sash was stopped while it answered. What came is kept.")
            }
            F::TooManyAnswers { limit } => {
                write!(
                    f,
                    "Sash is already busy with {limit} requests of this kind. Try again when one has ended."
                )
            }
            F::BadHost => write!(f, "The request needs exactly one well-formed Host header."),
            F::UnknownHost => write!(
                f,
                "Sash does not answer under this name. Open the address it printed, or start it with --allow-host."
            ),
            F::ForeignOrigin => write!(f, "Another page may not use Sash."),
            F::Unauthorized => write!(
                f,
                "The token is missing or wrong. Open the address that Sash printed at its start."
            ),
            F::TooManyAttempts => write!(f, "Too many wrong tokens. Wait a minute."),
            F::TooManyConnections => write!(
                f,
                "Sash has too many connections, in all or from your address. Try again in a moment."
            ),
            F::NotFound => write!(f, "There is nothing here."),
            F::MethodNotAllowed => write!(f, "This method is not allowed here."),
            F::RequestTimeout => write!(f, "The request did not arrive in time."),
            F::TooLarge { bytes, limit, body } => match body {
                BodyKind::Prompt => write!(
                    f,
                    "This request has {bytes} bytes and Sash takes {limit}. Nothing was sent to the model. Make the window smaller, shorten the prompt, leave out images, or start Sash with a larger --max-body."
                ),
                BodyKind::Document => write!(
                    f,
                    "This file is too large: its request has {bytes} bytes and Sash takes {limit}. Choose a smaller file, or start Sash with a larger --max-body."
                ),
                BodyKind::Other => write!(
                    f,
                    "This request has {bytes} bytes and Sash takes {limit}. Send less at once."
                ),
            },
            F::UriTooLong => write!(f, "The address is too long."),
            F::NotJson => write!(f, "The content type must be application/json."),
            F::HeadersTooLarge => write!(f, "The request has too many or too large headers."),
            F::Internal => write!(f, "Something went wrong inside Sash. Its log says what."),
            F::ConnectionLost => {
                write!(f, "The connection to Sash was lost. What came is kept.")
            }
            F::ImageGone => write!(
                f,
                "An image of this request is no longer kept in this browser. Nothing was sent. Ask again to send the rest without it."
            ),
            F::ImagesUnavailable => write!(
                f,
                "The images of this chat cannot be read now: this browser's database does not open. Nothing was sent. Close other tabs of Sash, reload this page, and ask again."
            ),
            F::Other { message, .. } => f.write_str(message),
        }
    }
}

/// Whether a response is the error page of a proxy: Ollama never sends HTML with such a status.
fn is_proxy_error(status: u16, content_type: &str) -> bool {
    status >= 500 && content_type == "text/html"
}

impl std::error::Error for Fault {}
