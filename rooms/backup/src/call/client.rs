//! The page's client of these calls, which sends the key of the backup. A key in a header is looked at before the body is read.

use crate::BackupKey;
use bytes::Bytes;
use futures::{Sink, Stream};
use leptos::server_fn::client::Client;
use leptos::server_fn::error::FromServerFnError;
use leptos::server_fn::request::browser::BrowserRequest;
use leptos::server_fn::response::browser::BrowserResponse;
use sash_server::api::TokenClient;
use std::sync::{PoisonError, RwLock};

/// The key of the call that is being made.
static KEY: RwLock<BackupKey> = RwLock::new(BackupKey(String::new()));

/// Makes a call with a key. A call takes it when it is first polled, in the same step: another one does not come between.
pub async fn with_key<T>(key: BackupKey, call: impl Future<Output = T>) -> T {
    *KEY.write().unwrap_or_else(PoisonError::into_inner) = key;
    call.await
}

/// The client of the chat's calls with the key added.
pub struct BackupClient;

impl<E: FromServerFnError, I: FromServerFnError, O: FromServerFnError> Client<E, I, O>
    for BackupClient
{
    type Request = BrowserRequest;
    type Response = BrowserResponse;

    fn send(request: BrowserRequest) -> impl Future<Output = Result<BrowserResponse, E>> + Send {
        let BackupKey(key) = KEY.read().unwrap_or_else(PoisonError::into_inner).clone();
        request.headers().set(BackupKey::HEADER, &key);
        <TokenClient as Client<E, I, O>>::send(request)
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
        <TokenClient as Client<E, I, O>>::open_websocket(path)
    }

    fn spawn(future: impl Future<Output = ()> + Send + 'static) {
        <TokenClient as Client<E, I, O>>::spawn(future);
    }
}
