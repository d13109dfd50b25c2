//! The client of one Ollama: its address, the requests, and the parsing of replies.
//!
//! The set of calls is closed: chat, pull, tags, show, ps, version, delete. Of the browser's request only parsed
//! fields are sent upstream, no path or host comes from it, redirects are not followed, and bodies are not
//! decompressed.

mod address;
pub mod body;
pub mod chat_template;
mod field_error;
mod html;
pub mod line;
mod lossy;
mod refusal;
pub mod reply;
pub mod template;
pub mod thinking;

pub use address::{Address, AddressError};
pub use refusal::{RequestContext, from_error, unexpected};

use reply::{items, text};
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use sash_wire::Fault;
use serde_json::Value;
use std::time::Duration;

/// Time limit for connecting.
const CONNECT_TIME: Duration = Duration::from_secs(5);
/// Time limit for an answer that is not a stream.
const DOCUMENT_TIME: Duration = Duration::from_secs(30);
/// The most bytes of a refusal that are read.
const MAX_REFUSAL_BYTES: usize = 64 * 1024;
/// The most bytes that are read of an answer that is not a stream. `/api/show` contains licences.
const MAX_DOCUMENT_BYTES: usize = 32 * 1024 * 1024;

/// A client of one Ollama.
#[derive(Clone, Debug)]
pub struct Ollama {
    http: reqwest::Client,
    address: Address,
}

impl Ollama {
    /// A client of the Ollama at this address. Does not connect yet.
    ///
    /// # Errors
    /// If the TLS library cannot be set up.
    pub fn new(address: Address) -> Result<Self, reqwest::Error> {
        let mut http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT_TIME)
            .user_agent(concat!("sash/", env!("CARGO_PKG_VERSION")));
        if address.is_loopback() {
            http = http.no_proxy();
        }
        Ok(Self {
            http: http.build()?,
            address,
        })
    }

    /// Its address.
    #[must_use]
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Requests a stream (`/api/chat`, `/api/pull`) and returns once Ollama has sent the headers, which it
    /// does with the first token. Only connecting has a time limit, because loading a model takes minutes.
    /// Dropping the future or the stream ends the request.
    ///
    /// # Errors
    /// The [`Fault`] for a refusal, for an unreachable Ollama, and for a server that is not Ollama.
    pub async fn stream(
        &self,
        path: &'static str,
        body: &Value,
        model: &str,
    ) -> Result<reqwest::Response, Fault> {
        let request = self.http.post(self.address.url(path)).json(body);
        let sent = request.send().await;
        let reply = sent.map_err(|error| {
            let is_away = error.is_connect() || error.is_timeout();
            if is_away {
                self.unreachable_fault(&error)
            } else {
                connection_fault(&error)
            }
        })?;
        let kind = content_type(reply.headers());
        if reply.status() == reqwest::StatusCode::OK && kind.contains("json") {
            return match encoding(reply.headers()) {
                None => Ok(reply),
                Some(encoding) => Err(unexpected(200, &format!("{kind} in {encoding}"), b"")),
            };
        }
        Err(self.refused(reply, model).await)
    }

    /// Requests one JSON document.
    ///
    /// # Errors
    /// As [`Self::stream`], and if it does not arrive within the limit.
    pub async fn get(&self, path: &'static str, limit: Duration) -> Result<Value, Fault> {
        let request = self.http.get(self.address.url(path));
        self.document(request, "", limit).await
    }

    /// Requests the details of a model.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn show(&self, model: &str) -> Result<Value, Fault> {
        let body = serde_json::json!({ "model": model });
        let request = self.http.post(self.address.url("/api/show")).json(&body);
        self.document(request, model, DOCUMENT_TIME).await
    }

    /// Deletes a model. Ollama answers with an empty body.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn delete(&self, model: &str) -> Result<(), Fault> {
        let body = serde_json::json!({ "model": model });
        let request = self
            .http
            .delete(self.address.url("/api/delete"))
            .json(&body);
        let done = async {
            let sent = request.send().await;
            let reply = sent.map_err(|error| self.unreachable_fault(&error))?;
            match reply.status() == reqwest::StatusCode::OK {
                true => Ok(()),
                false => Err(self.refused(reply, model).await),
            }
        };
        within(DOCUMENT_TIME, done).await
    }

    /// Requests `/api/chat` as one document, not a stream.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn chat_once(
        &self,
        body: &Value,
        model: &str,
        limit: Duration,
    ) -> Result<Value, Fault> {
        let request = self.http.post(self.address.url("/api/chat")).json(body);
        self.document(request, model, limit).await
    }

    /// The list of models in Ollama's form.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn tags(&self) -> Result<Value, Fault> {
        self.get("/api/tags", DOCUMENT_TIME).await
    }

    /// Checks that a model is installed.
    ///
    /// # Errors
    /// [`Fault::ModelNotFound`] if it is not, and those of [`Self::get`].
    pub async fn require_listed(&self, model: &str) -> Result<(), Fault> {
        let tags = self.tags().await?;
        let is_model = |name: &str| {
            name.eq_ignore_ascii_case(model)
                || name.eq_ignore_ascii_case(&format!("{model}:latest"))
        };
        let listed = items(&tags, "models").any(|m| is_model(&text(m, "name")));
        listed.then_some(()).ok_or_else(|| Fault::ModelNotFound {
            model: model.to_owned(),
        })
    }

    async fn document(
        &self,
        request: reqwest::RequestBuilder,
        model: &str,
        limit: Duration,
    ) -> Result<Value, Fault> {
        let read = async {
            let sent = request.send().await;
            let mut reply = sent.map_err(|error| self.unreachable_fault(&error))?;
            let (status, kind) = (reply.status().as_u16(), content_type(reply.headers()));
            if status != 200 {
                return Err(self.refused(reply, model).await);
            }
            let body = self.read(&mut reply, MAX_DOCUMENT_BYTES).await?;
            match lossy::parse(&body) {
                Ok(value) if value.is_object() => Ok(value),
                _ => Err(unexpected(status, &kind, &body)),
            }
        };
        within(limit, read).await
    }

    async fn refused(&self, mut reply: reqwest::Response, model: &str) -> Fault {
        let (status, kind) = (reply.status().as_u16(), content_type(reply.headers()));
        if let Some(encoding) = encoding(reply.headers()) {
            return unexpected(status, &format!("{kind} in {encoding}"), b"");
        }
        let read =
            tokio::time::timeout(CONNECT_TIME, self.read(&mut reply, MAX_REFUSAL_BYTES)).await;
        let body = read.ok().and_then(Result::ok).unwrap_or_default();
        let asked = RequestContext {
            model,
            address: self.address.base(),
        };
        refusal::from_reply(status, &kind, &body, &asked)
    }

    /// Reads the body up to the limit.
    async fn read(&self, reply: &mut reqwest::Response, limit: usize) -> Result<Vec<u8>, Fault> {
        let mut body = Vec::new();
        while body.len() < limit {
            match reply
                .chunk()
                .await
                .map_err(|error| self.unreachable_fault(&error))?
            {
                Some(chunk) => body.extend_from_slice(&chunk),
                None => break,
            }
        }
        body.truncate(limit);
        Ok(body)
    }

    /// An Ollama that does not answer a short request counts as unreachable, whether it refuses the
    /// connection or breaks it.
    fn unreachable_fault(&self, error: &reqwest::Error) -> Fault {
        log_failed(error);
        Fault::OllamaUnreachable {
            address: self.address.base().to_owned(),
        }
    }
}

/// Bounds an exchange in time.
async fn within<T>(
    limit: Duration,
    exchange: impl Future<Output = Result<T, Fault>>,
) -> Result<T, Fault> {
    let done = tokio::time::timeout(limit, exchange).await;
    done.unwrap_or_else(|_| {
        Err(Fault::OllamaSilent {
            seconds: limit.as_secs(),
        })
    })
}

/// The fault of a connection that broke during an answer.
#[must_use]
pub fn connection_fault(error: &reqwest::Error) -> Fault {
    log_failed(error);
    Fault::OllamaLost
}

/// The cause is logged and not shown, because an error of the operating system does not help the person. It
/// contains no prompt, and no address except the one we dialled.
fn log_failed(error: &reqwest::Error) {
    let cause = root_cause(error);
    tracing::info!(%cause, connect = error.is_connect(), "the exchange with Ollama failed");
}

/// The innermost cause. reqwest's own text contains the URL; those of the layers below do not.
fn root_cause(error: &reqwest::Error) -> String {
    let mut text = "no cause given".to_owned();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        text = inner.to_string();
        cause = inner.source();
    }
    text
}

fn content_type(headers: &HeaderMap) -> String {
    let value = headers.get(CONTENT_TYPE).and_then(|v| v.to_str().ok());
    value.unwrap_or_default().to_ascii_lowercase()
}

fn encoding(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(CONTENT_ENCODING)?.to_str().unwrap_or("unknown");
    (!value.eq_ignore_ascii_case("identity")).then(|| value.chars().take(40).collect())
}
