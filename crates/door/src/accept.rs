//! The accept loop: HTTP/1 only, with the limits that `axum::serve` lacks (a header timeout, a limit on
//! connections, a limit on writing), and a stop that ends within seconds.

use crate::body_guard::attach;
use crate::connections::Connections;
use crate::guard::{ConnectionAddrs, OverLimit, Proxies, client_network};
use crate::limits::ConnectionLimits;
use crate::stop::StopSignal;
use crate::write_timeout::WriteTimeoutStream;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::pin::pin;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tower::ServiceExt;

/// How long to wait before accepting again when the system has no file descriptor left.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);
/// Size of hyper's read buffer: it must hold a header of 64 KiB, which the guard refuses itself, with its
/// body.
const READ_BUFFER_BYTES: usize = 128 * 1024;

/// How long a connection beyond the limits may take to send its header.
const OVER_LIMIT_HEADER_TIME: Duration = Duration::from_secs(2);

/// Serves until the stop, then lets running answers end, each with a last frame.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    proxies: &Proxies,
    mut stop: StopSignal,
) {
    let strangers = listener
        .local_addr()
        .is_ok_and(|address| !address.ip().is_loopback());
    let connections = Connections::new(limits.at_once, limits.each);
    let mut tasks = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = stop.wait() => break,
            accepted = listener.accept() => accepted,
            Some(_) = tasks.join_next() => continue,
        };
        match accepted {
            Ok((stream, peer)) => {
                // On loopback and behind a proxy, one address stands for many clients.
                let counted = strangers && !proxies.trusts(peer.ip());
                let (slot, evicted) = connections.enter(counted.then(|| client_network(peer.ip())));
                let crowded = slot.is_extra();
                let router = router.clone();
                let service = service_fn(move |mut request: Request<Incoming>| {
                    let (router, busy) = (router.clone(), slot.busy());
                    if crowded {
                        request.extensions_mut().insert(OverLimit);
                    }
                    async move {
                        let answer = router.oneshot(request.map(Body::new)).await?;
                        Ok::<_, Infallible>(answer.map(|body| attach(body, busy)))
                    }
                });
                let mut limits = limits;
                if crowded {
                    limits.header_time = limits.header_time.min(OVER_LIMIT_HEADER_TIME);
                }
                let served = connection(stream, service, limits, crowded, evicted, stop.clone());
                tasks.spawn(served);
            }
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
            }
        }
    }
    drop(listener);
    let ended = async { while tasks.join_next().await.is_some() {} };
    if tokio::time::timeout(limits.stop_time, ended).await.is_err() {
        tracing::warn!(left = tasks.len(), "connections are cut off");
        tasks.shutdown().await;
    }
}

async fn connection<S>(
    stream: TcpStream,
    service: S,
    limits: ConnectionLimits,
    crowded: bool,
    evicted: oneshot::Receiver<()>,
    mut stop: StopSignal,
) where
    S: hyper::service::Service<
            Request<Incoming>,
            Response = axum::response::Response,
            Error = Infallible,
        >,
{
    // With Nagle's algorithm a small frame would wait for the acknowledgement of the one before.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "Nagle's algorithm stays on");
    }
    let (Ok(peer), Ok(local)) = (stream.peer_addr(), stream.local_addr()) else {
        return;
    };
    let service = service_fn(|mut request: Request<Incoming>| {
        request
            .extensions_mut()
            .insert(ConnectionAddrs { peer, local });
        service.call(request)
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .keep_alive(!crowded)
        .max_buf_size(READ_BUFFER_BYTES)
        .serve_connection(
            TokioIo::new(WriteTimeoutStream::new(
                stream,
                limits.write_time,
                stop.clone(),
            )),
            service,
        );
    let mut served = pin!(served);
    let result = tokio::select! {
        result = &mut served => result,
        _ = evicted => return,
        () = stop.wait() => {
            served.as_mut().graceful_shutdown();
            served.await
        }
    };
    if let Err(error) = result {
        tracing::debug!(%error, "a connection ended");
    }
}
