//! How the page calls the server: as any page would, with the token of LAN mode where there is one.
//! A header and not a cookie, because a cookie is also sent by pages on other ports of the same host.
//!
//! Leptos' own client brings two crates for what this page asks of `fetch`, which is little: a body of JSON
//! out, a stream of bytes in. So this is one of ours. What only a browser can do is given to it by
//! `browser` when the page starts ([`set_fetch`]): this room is compiled for the server too.

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{Sink, Stream, StreamExt};
use http::Method;
use leptos::server_fn::client::Client;
use leptos::server_fn::client::browser::BrowserClient;
use leptos::server_fn::error::FromServerFnError;
use leptos::server_fn::request::ClientReq;
use leptos::server_fn::response::ClientRes;
use sash_wire::{Fault, FaultBody};
use std::future::Future;
use std::pin::Pin;
use std::sync::{OnceLock, RwLock};

static TOKEN: RwLock<Option<String>> = RwLock::new(None);
static FETCH: OnceLock<Fetch> = OnceLock::new();

/// Sends a call and gives back what is answered; `None` if there is no answer. Dropping the future, or the
/// answer's stream, ends the request.
pub type Fetch = fn(Call) -> BoxFuture<'static, Option<Answer>>;

/// Sets the token that every later call carries.
pub fn set_token(token: Option<String>) {
    if let Ok(mut current) = TOKEN.write() {
        *current = token;
    }
}

/// Whether calls carry a token.
#[must_use]
pub fn has_token() -> bool {
    TOKEN.read().is_ok_and(|token| token.is_some())
}

/// Sets what sends the calls, once, before the first one.
pub fn set_fetch(fetch: Fetch) {
    // A second one would be the same.
    let _ = FETCH.set(fetch);
}

/// A request: always a POST.
pub struct Call {
    /// Where to, from the root of this origin.
    pub path: String,
    /// `Content-Type`, `Accept`, and `Authorization` where there is a token.
    pub headers: Vec<(&'static str, String)>,
    /// What is sent.
    pub body: Bytes,
}

/// The beginning of an answer, and the rest as it comes.
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body; its last item is an error if it broke off.
    pub body: Pin<Box<dyn Stream<Item = Result<Bytes, Bytes>> + Send + Sync>>,
}

/// Calls of the page, with the token.
pub struct PageClient;

impl Client<FaultBody> for PageClient {
    type Request = Call;
    type Response = Answer;

    fn send(call: Call) -> impl Future<Output = Result<Answer, FaultBody>> + Send {
        answered(call)
    }

    fn open_websocket(
        path: &str,
    ) -> impl Future<
        Output = Result<
            (
                impl Stream<Item = Result<Bytes, Bytes>> + Send + 'static,
                impl Sink<Bytes> + Send + 'static,
            ),
            FaultBody,
        >,
    > + Send {
        <BrowserClient as Client<FaultBody>>::open_websocket(path)
    }

    fn spawn(future: impl Future<Output = ()> + Send + 'static) {
        <BrowserClient as Client<FaultBody>>::spawn(future);
    }
}

/// Sends a call. An answer that is an error is read here, and in a box: the page would have all of this once for each
/// server function.
fn answered(mut call: Call) -> BoxFuture<'static, Result<Answer, FaultBody>> {
    Box::pin(async move {
        if let Some(token) = TOKEN.read().ok().and_then(|token| token.clone()) {
            call.headers
                .push(("Authorization", format!("Bearer {token}")));
        }
        let answer = match FETCH.get() {
            Some(fetch) => fetch(call).await,
            None => None,
        };
        let answer = answer.ok_or_else(lost)?;
        match answer.status {
            400..=599 => Err(FaultBody::de(whole(answer).await?)),
            _ => Ok(answer),
        }
    })
}

/// The whole body.
fn whole(mut answer: Answer) -> BoxFuture<'static, Result<Bytes, FaultBody>> {
    Box::pin(async move {
        let mut all = Vec::new();
        while let Some(piece) = answer.body.next().await {
            all.extend_from_slice(&piece.map_err(|_| lost())?);
        }
        Ok(all.into())
    })
}

fn lost() -> FaultBody {
    Fault::ConnectionLost {}.into()
}

/// A kind of call that no server function of ours makes.
fn unused<T>() -> Result<T, FaultBody> {
    Err(Fault::Internal {}.into())
}

impl ClientReq<FaultBody> for Call {
    type FormData = ();

    fn try_new_req_bytes(
        path: &str,
        content_type: &str,
        accepts: &str,
        body: Bytes,
        _method: Method,
    ) -> Result<Self, FaultBody> {
        Ok(Self {
            path: path.to_owned(),
            headers: vec![
                ("Content-Type", content_type.to_owned()),
                ("Accept", accepts.to_owned()),
            ],
            body,
        })
    }

    fn try_new_req_text(
        path: &str,
        content_type: &str,
        accepts: &str,
        body: String,
        method: Method,
    ) -> Result<Self, FaultBody> {
        Self::try_new_req_bytes(path, content_type, accepts, body.into(), method)
    }

    fn try_new_req_query(_: &str, _: &str, _: &str, _: &str, _: Method) -> Result<Self, FaultBody> {
        unused()
    }

    fn try_new_req_form_data(
        _: &str,
        _: &str,
        _: &str,
        (): (),
        _: Method,
    ) -> Result<Self, FaultBody> {
        unused()
    }

    fn try_new_req_multipart(_: &str, _: &str, (): (), _: Method) -> Result<Self, FaultBody> {
        unused()
    }

    fn try_new_req_streaming(
        _: &str,
        _: &str,
        _: &str,
        _: impl Stream<Item = Bytes> + Send + 'static,
        _: Method,
    ) -> Result<Self, FaultBody> {
        unused()
    }
}

impl ClientRes<FaultBody> for Answer {
    async fn try_into_string(self) -> Result<String, FaultBody> {
        let bytes = self.try_into_bytes().await?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn try_into_bytes(self) -> impl Future<Output = Result<Bytes, FaultBody>> + Send {
        whole(self)
    }

    fn try_into_stream(
        self,
    ) -> Result<impl Stream<Item = Result<Bytes, Bytes>> + Send + Sync + 'static, FaultBody> {
        Ok(self.body)
    }

    /// Of an answer that was [sent](PageClient) on: never an error.
    fn status(&self) -> u16 {
        200
    }

    fn status_text(&self) -> String {
        String::new()
    }

    fn location(&self) -> String {
        String::new()
    }

    fn has_redirect(&self) -> bool {
        false
    }
}
