//! The HTTP client of one engine. No path or host comes from the browser, redirects are not followed, bodies are not
//! decompressed, and what is read at once is bounded.

use super::loopback_port::LoopbackPort;
use super::reader::{ReplyError, ReplyReader, ReplyShape, item_of_list};
use super::{Address, ApiKey, EngineLabel};
use bytes::Bytes;
use futures::StreamExt;
use reqwest::header::{ACCEPT_ENCODING, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use reqwest::{Method, RequestBuilder, Response};
use sash_wire::{EngineReach, Fault, MAX_LINE};
use serde_json::Value;
use std::time::Duration;

/// Time limit for connecting.
const CONNECT_TIME: Duration = Duration::from_secs(5);
/// Time limit for an answer that is not a stream.
pub const DOCUMENT_TIME: Duration = Duration::from_secs(30);
/// The most bytes of a refusal that are read.
const MAX_REFUSAL_BYTES: usize = 64 * 1024;
/// The most bytes that are read of an answer that is not a stream. `/api/show` contains licences.
const MAX_DOCUMENT_BYTES: usize = 32 * 1024 * 1024;

/// The most bytes of an answer that is not a stream: those of a line of one.
const MAX_ANSWER_BYTES: usize = MAX_LINE;

/// The client of one engine.
#[derive(Clone, Debug)]
pub struct EngineHttp {
    http: reqwest::Client,
    address: Address,
    port: LoopbackPort,
    key: Option<ApiKey>,
    label: EngineLabel,
    reader: ReplyReader,
}

/// Why a request has no result.
#[derive(Debug)]
pub enum RequestFailure {
    /// The exchange itself failed.
    Fault(Fault),
    /// The engine refused; its API says what that means.
    Refused(Box<RefusedReply>),
}

impl From<Fault> for RequestFailure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// A reply with another status than 200, or of another type than was asked for.
#[derive(Debug)]
pub struct RefusedReply {
    /// Its status.
    pub status: u16,
    /// Its content type in lower case.
    pub content_type: String,
    /// The beginning of its body as text.
    pub text: String,
    /// Its body, if that is one JSON object or a list of one.
    pub object: Option<Value>,
}

impl RefusedReply {
    /// Whether the engine does not know the path or the method: servers of one API differ in what they have.
    #[must_use]
    pub fn has_no_such_path(&self) -> bool {
        matches!(self.status, 404 | 405 | 501)
    }

    /// A reply with this body.
    #[must_use]
    pub fn new(status: u16, content_type: String, body: &[u8], reader: &ReplyReader) -> Self {
        let object = reader.object(item_of_list(body).unwrap_or(body));
        Self {
            status,
            content_type,
            text: reader.text(body),
            object: object.ok(),
        }
    }
}

impl EngineHttp {
    /// A client of the engine at this address. Does not connect yet.
    ///
    /// # Errors
    /// If the TLS library cannot be set up.
    pub fn new(
        address: Address,
        key: Option<ApiKey>,
        label: EngineLabel,
    ) -> Result<Self, reqwest::Error> {
        let mut http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT_TIME)
            .user_agent(concat!("sash/", env!("CARGO_PKG_VERSION")));
        if address.is_loopback() {
            http = http.no_proxy();
        }
        if matches!(label, EngineLabel::OpenAi(_)) {
            // `llama-server` closes a connection soon after an answer, just when it may be used again: a request that
            // went out on it is lost, and a prompt must not be sent twice.
            http = http.pool_max_idle_per_host(0);
        }
        let http = http.build()?;
        Ok(Self {
            http,
            port: LoopbackPort::new(address.loopback().to_vec()),
            address,
            reader: ReplyReader::new(key.clone()),
            key,
            label,
        })
    }

    /// The engine's address.
    #[must_use]
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// How an Ollama or a `llama-server` at this address is reached, by what listens there now.
    pub async fn reach(&self) -> EngineReach {
        match self.address.is_loopback() {
            true if self.port.is_engine().await => EngineReach::Local,
            true => EngineReach::Loopback,
            false => EngineReach::Remote,
        }
    }

    /// How the faults of the engine name it.
    #[must_use]
    pub fn label(&self) -> &EngineLabel {
        &self.label
    }

    /// Whether there is a key for the engine.
    pub fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// Reads what the engine sends; of a stream, its lines.
    #[must_use]
    pub fn reader(&self) -> &ReplyReader {
        &self.reader
    }

    /// A request to one of the engine's paths.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, self.address.url(path));
        // A proxy takes a request that says nothing as one that accepts anything.
        let request = request.header(ACCEPT_ENCODING, "identity");
        match &self.key {
            Some(key) => request.header(AUTHORIZATION, key.header()),
            None => request,
        }
    }

    /// Sends a request for a stream and returns once the headers are there. Only connecting has a time limit, because
    /// loading a model takes minutes. Dropping the future or the stream ends the request.
    ///
    /// # Errors
    /// [`RequestFailure`]; a reply of a type that does not contain `kind` counts as refused.
    pub async fn stream(
        &self,
        request: RequestBuilder,
        kind: &str,
    ) -> Result<Response, RequestFailure> {
        let reply = self.send(request).await?;
        self.accept(reply, kind).await
    }

    /// As [`Self::stream`]; of a reply that is JSON and no stream, `is_answer` says whether its body is to be read like
    /// one.
    ///
    /// # Errors
    /// As [`Self::stream`].
    pub async fn stream_or_answer(
        &self,
        request: RequestBuilder,
        kind: &str,
        is_answer: impl Fn(&[u8]) -> bool,
    ) -> Result<Response, RequestFailure> {
        let mut reply = self.send(request).await?;
        let found = self.content_type(reply.headers());
        let is_json = found.contains("json") && !found.contains(kind);
        let is_plain = self.encoding(reply.headers()).is_none();
        if reply.status() != reqwest::StatusCode::OK || !is_json || !is_plain {
            return self.accept(reply, kind).await;
        }
        let mut body = Vec::new();
        let lost = |error: reqwest::Error| connection_fault(&self.label, &error);
        while let Some(chunk) = reply.chunk().await.map_err(lost)? {
            body.extend_from_slice(&chunk);
            let begin = body.trim_ascii_start();
            // A stream under a wrong name.
            if !begin.is_empty() && !begin.starts_with(b"{") && compression_of(begin).is_none() {
                let begun = futures::stream::iter([Ok(Bytes::from(body))]);
                let body = reqwest::Body::wrap_stream(begun.chain(reply.bytes_stream()));
                return Ok(axum::http::Response::new(body).into());
            }
            if body.len() > MAX_ANSWER_BYTES {
                let words = format!("it {}", ReplyError::TooLong);
                return Err(self.label.unexpected(200, &found, &words).into());
            }
        }
        if let Some(encoding) = compression_of(&body) {
            return Err(self.label.compressed(200, encoding).into());
        }
        if is_answer(&body) {
            return Ok(axum::http::Response::new(reqwest::Body::from(body)).into());
        }
        body.truncate(MAX_REFUSAL_BYTES);
        let refused = RefusedReply::new(200, found, &body, &self.reader);
        Err(RequestFailure::Refused(Box::new(refused)))
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, Fault> {
        request.send().await.map_err(|error| {
            let is_away = error.is_connect() || error.is_timeout();
            match is_away {
                true => self.unreachable_fault(&error),
                false => connection_fault(&self.label, &error),
            }
        })
    }

    async fn accept(&self, reply: Response, kind: &str) -> Result<Response, RequestFailure> {
        let found = self.content_type(reply.headers());
        if reply.status() == reqwest::StatusCode::OK && found.contains(kind) {
            return match self.encoding(reply.headers()) {
                None => Ok(reply),
                Some(encoding) => Err(self.label.compressed(200, &encoding).into()),
            };
        }
        Err(self.refused(reply).await)
    }

    /// Sends a request for one JSON object of at most so many values.
    ///
    /// # Errors
    /// As [`Self::stream`], and if it does not arrive within the limit.
    pub async fn document(
        &self,
        request: RequestBuilder,
        limit: Duration,
        max_values: usize,
    ) -> Result<Value, RequestFailure> {
        let read = async {
            let sent = request.send().await;
            let mut reply = sent.map_err(|error| self.unreachable_fault(&error))?;
            let status = reply.status().as_u16();
            if status != 200 {
                return Err(self.refused(reply).await);
            }
            if let Some(encoding) = self.encoding(reply.headers()) {
                return Err(self.label.compressed(status, &encoding).into());
            }
            let kind = self.content_type(reply.headers());
            let mut body = Vec::new();
            let text = match self.object(&mut reply, &mut body, max_values).await? {
                Ok(value) => return Ok(value),
                Err(error @ (ReplyError::TooComplex | ReplyError::TooLong)) => {
                    format!("it {error}")
                }
                Err(ReplyError::NotJson(_)) => self.reader.text(&body),
                Err(ReplyError::NotObject) => {
                    // A page of HTML has its title further down.
                    body.extend(self.beginning(&mut reply).await?);
                    if let Some(encoding) = compression_of(&body) {
                        return Err(self.label.compressed(status, encoding).into());
                    }
                    self.reader.text(&body)
                }
            };
            Err(self.label.unexpected(status, &kind, &text).into())
        };
        self.within(limit, read).await
    }

    /// Sends a request for a short JSON array.
    ///
    /// # Errors
    /// As [`Self::document`].
    pub async fn list(
        &self,
        request: RequestBuilder,
        limit: Duration,
    ) -> Result<Value, RequestFailure> {
        let read = async {
            let sent = request.send().await;
            let mut reply = sent.map_err(|error| self.unreachable_fault(&error))?;
            let status = reply.status().as_u16();
            if status != 200 {
                return Err(self.refused(reply).await);
            }
            let kind = self.content_type(reply.headers());
            let body = self.beginning(&mut reply).await?;
            // The limits on the shape of a reply are those of an object.
            let object = [b"{\"items\":", body.as_slice(), b"}"].concat();
            let mut object = self.reader.object(&object).map_err(|_| {
                let text = self.reader.text(&body);
                self.label.unexpected(status, &kind, &text)
            })?;
            Ok(object["items"].take())
        };
        self.within(limit, read).await
    }

    /// Reads a body as one object. What is none is not read further than where that shows.
    async fn object(
        &self,
        reply: &mut Response,
        body: &mut Vec<u8>,
        max_values: usize,
    ) -> Result<Result<Value, ReplyError>, Fault> {
        let mut shape = ReplyShape::new(max_values);
        while let Some(chunk) = self.chunk(reply).await? {
            body.extend_from_slice(&chunk);
            let checked = match body.len() > MAX_DOCUMENT_BYTES {
                true => Err(ReplyError::TooLong),
                false => shape.push(&chunk),
            };
            if let Err(error) = checked {
                return Ok(Err(error));
            }
        }
        Ok(self.reader.parse(body))
    }

    /// Sends a request whose success has no body.
    ///
    /// # Errors
    /// As [`Self::document`].
    pub async fn done(&self, request: RequestBuilder) -> Result<(), RequestFailure> {
        let sent = async {
            let sent = request.send().await;
            let reply = sent.map_err(|error| self.unreachable_fault(&error))?;
            match reply.status() == reqwest::StatusCode::OK {
                true => Ok(()),
                false => Err(self.refused(reply).await),
            }
        };
        self.within(DOCUMENT_TIME, sent).await
    }

    async fn refused(&self, mut reply: Response) -> RequestFailure {
        let status = reply.status().as_u16();
        let kind = self.content_type(reply.headers());
        if let Some(encoding) = self.encoding(reply.headers()) {
            return self.label.compressed(status, &encoding).into();
        }
        let beginning = tokio::time::timeout(CONNECT_TIME, self.beginning(&mut reply)).await;
        let body = beginning.ok().and_then(Result::ok).unwrap_or_default();
        if let Some(encoding) = compression_of(&body) {
            return self.label.compressed(status, encoding).into();
        }
        RequestFailure::Refused(Box::new(RefusedReply::new(
            status,
            kind,
            &body,
            &self.reader,
        )))
    }

    /// Reads the beginning of a body.
    async fn beginning(&self, reply: &mut Response) -> Result<Vec<u8>, Fault> {
        let mut body = Vec::new();
        while body.len() < MAX_REFUSAL_BYTES
            && let Some(chunk) = self.chunk(reply).await?
        {
            body.extend_from_slice(&chunk);
        }
        body.truncate(MAX_REFUSAL_BYTES);
        Ok(body)
    }

    async fn chunk(&self, reply: &mut Response) -> Result<Option<Bytes>, Fault> {
        let chunk = reply.chunk().await;
        chunk.map_err(|error| self.unreachable_fault(&error))
    }

    /// The content type in lower case.
    fn content_type(&self, headers: &HeaderMap) -> String {
        let value = headers.get(CONTENT_TYPE).map(|value| value.as_bytes());
        self.reader
            .text(value.unwrap_or_default())
            .to_ascii_lowercase()
    }

    /// The encoding of a body that is compressed although nobody asked for that.
    fn encoding(&self, headers: &HeaderMap) -> Option<String> {
        let mut values = headers.get_all(CONTENT_ENCODING).iter();
        let named = values.find_map(|value| compression_named(&self.reader.text(value.as_bytes())));
        named.map(|value| value.chars().take(40).collect())
    }

    /// An engine that does not answer a short request counts as unreachable, whether it refuses the connection or
    /// breaks it.
    fn unreachable_fault(&self, error: &reqwest::Error) -> Fault {
        log_failed(error);
        self.label.unreachable()
    }

    /// Bounds an exchange in time.
    async fn within<T>(
        &self,
        limit: Duration,
        exchange: impl Future<Output = Result<T, RequestFailure>>,
    ) -> Result<T, RequestFailure> {
        let done = tokio::time::timeout(limit, exchange).await;
        done.unwrap_or_else(|_| Err(self.label.silent(limit.as_secs()).into()))
    }
}

/// The compression that a `Content-Encoding` names. Servers also write there that there is none, and the character set.
fn compression_named(encoding: &str) -> Option<String> {
    let mut names = encoding.split(',').map(str::trim);
    let is_plain = |name: &str| {
        ["", "identity", "none", "utf-8", "utf8"]
            .iter()
            .any(|plain| name.eq_ignore_ascii_case(plain))
    };
    names.find(|name| !is_plain(name)).map(str::to_owned)
}

/// The compression of a body that no header names, by its first bytes.
#[must_use]
pub fn compression_of(body: &[u8]) -> Option<&'static str> {
    match body {
        [0x1f, 0x8b, ..] => Some("gzip"),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Some("zstd"),
        _ => None,
    }
}

/// The fault of a connection that broke during an answer.
#[must_use]
pub fn connection_fault(label: &EngineLabel, error: &reqwest::Error) -> Fault {
    log_failed(error);
    label.lost()
}

/// The cause is logged and not shown, because an error of the operating system does not help the person. It
/// contains no prompt, and no address except the one we dialled.
fn log_failed(error: &reqwest::Error) {
    let cause = root_cause(error);
    tracing::info!(%cause, connect = error.is_connect(), "the exchange with an engine failed");
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: an answer with `Content-Encoding: none` was refused.
    #[test]
    fn an_encoding_that_is_none_is_no_compression() {
        for plain in [
            "",
            "none",
            "Identity",
            "utf-8",
            "identity, none",
            " UTF8 ,",
            ",",
        ] {
            assert_eq!(compression_named(plain), None, "{plain}");
        }
        for (named, compression) in [
            ("gzip", "gzip"),
            ("identity, br", "br"),
            ("zstd,identity", "zstd"),
            ("x-none", "x-none"),
        ] {
            assert_eq!(compression_named(named).as_deref(), Some(compression));
        }
    }

    #[test]
    fn a_list_of_one_object_is_read_as_that() {
        let reader = ReplyReader::default();
        let object =
            |body: &str| RefusedReply::new(400, String::new(), body.as_bytes(), &reader).object;
        let one = serde_json::json!({"error":{"message":"boom"}});
        assert_eq!(
            object(r#" [ {"error":{"message":"boom"}} ]"#),
            Some(one.clone())
        );
        assert_eq!(object(r#"{"error":{"message":"boom"}}"#), Some(one));
        for none in ["[]", "[{},{}]", "[1]", "[", "]", "[[{}]]"] {
            assert_eq!(object(none), None, "{none}");
        }
    }
}
