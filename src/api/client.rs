//! How the page calls the server: as any page would, with the token of LAN mode where there is one.
//! A header and not a cookie, because a cookie is also sent by pages on other ports of the same host.

use bytes::Bytes;
use futures::{Sink, Stream};
use leptos::server_fn::client::Client;
use leptos::server_fn::client::browser::BrowserClient;
use leptos::server_fn::error::FromServerFnError;
use leptos::server_fn::request::browser::BrowserRequest;
use leptos::server_fn::response::browser::BrowserResponse;
use std::future::Future;
use std::sync::RwLock;

static TOKEN: RwLock<Option<String>> = RwLock::new(None);

/// Sets the token that every later call carries.
pub fn set_token(token: Option<String>) {
    if let Ok(mut current) = TOKEN.write() {
        *current = token;
    }
}

/// The browser's client, with the token.
pub struct PageClient;

impl<E, I, O> Client<E, I, O> for PageClient
where
    E: FromServerFnError,
    I: FromServerFnError,
    O: FromServerFnError,
{
    type Request = BrowserRequest;
    type Response = BrowserResponse;

    fn send(request: BrowserRequest) -> impl Future<Output = Result<BrowserResponse, E>> + Send {
        if let Some(token) = TOKEN.read().ok().and_then(|token| token.clone()) {
            request
                .headers()
                .append("Authorization", &format!("Bearer {token}"));
        }
        <BrowserClient as Client<E, I, O>>::send(request)
    }

    fn open_websocket(
        path: &str,
    ) -> impl Future<
        Output = Result<
            (
                impl Stream<Item = Result<Bytes, Bytes>> + Send + 'static,
                impl Sink<Bytes> + Send + 'static,
            ),
            E,
        >,
    > + Send {
        <BrowserClient as Client<E, I, O>>::open_websocket(path)
    }

    fn spawn(future: impl Future<Output = ()> + Send + 'static) {
        <BrowserClient as Client<E, I, O>>::spawn(future);
    }
}
