//! The accept loop: HTTP/1 only, with the limits that `axum::serve` lacks (a header timeout, a limit on
//! connections, a limit on writing), and a stop that ends within seconds.

use crate::server::connections::{Connections, hold};
use crate::server::guard::{Crowded, Ends, Proxies, household};
use crate::server::limits::Limits;
use crate::server::patient::Patient;
use crate::server::stop::Stop;
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

/// How long to wait when the system has no more descriptors.
const BREATHE: Duration = Duration::from_millis(100);
/// Room for a header of 64 KiB and for what is checked and refused with a body of ours.
const BUFFER: usize = 128 * 1024;

/// How long a connection beyond the limits may take to say what it wants.
const CROWDED_HEADER: Duration = Duration::from_secs(2);

/// Serves until the stop, then lets running answers end, each with its last frame.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: &Limits,
    proxies: &Proxies,
    mut stop: Stop,
) {
    let strangers = listener
        .local_addr()
        .is_ok_and(|address| !address.ip().is_loopback());
    let connections = Connections::new(limits.connections, limits.connections_each);
    let mut tasks = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = stop.wait() => break,
            accepted = listener.accept() => accepted,
            Some(_) = tasks.join_next() => continue,
        };
        match accepted {
            Ok((stream, peer)) => {
                // On loopback and behind a proxy, an address is not one client.
                let counted = strangers && !proxies.trusts(peer.ip());
                let (place, needed) = connections.enter(counted.then(|| household(peer.ip())));
                let crowded = place.is_extra();
                let router = router.clone();
                let service = service_fn(move |mut request: Request<Incoming>| {
                    let (router, busy) = (router.clone(), place.busy());
                    if crowded {
                        request.extensions_mut().insert(Crowded);
                    }
                    async move {
                        let answer = router.oneshot(request.map(Body::new)).await?;
                        Ok::<_, Infallible>(answer.map(|body| hold(body, busy)))
                    }
                });
                let mut limits = limits.clone();
                if crowded {
                    limits.header_time = limits.header_time.min(CROWDED_HEADER);
                }
                let served = connection(stream, service, limits, crowded, needed, stop.clone());
                tasks.spawn(served);
            }
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(BREATHE).await;
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
    limits: Limits,
    crowded: bool,
    needed: oneshot::Receiver<()>,
    mut stop: Stop,
) where
    S: hyper::service::Service<
            Request<Incoming>,
            Response = axum::response::Response,
            Error = Infallible,
        >,
{
    // Small frames must not wait for the acknowledgement of the one before.
    let _ = stream.set_nodelay(true);
    let (Ok(peer), Ok(local)) = (stream.peer_addr(), stream.local_addr()) else {
        return;
    };
    let service = service_fn(|mut request: Request<Incoming>| {
        request.extensions_mut().insert(Ends { peer, local });
        service.call(request)
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .keep_alive(!crowded)
        .max_buf_size(BUFFER)
        .serve_connection(
            TokioIo::new(Patient::new(stream, limits.write_time, stop.clone())),
            service,
        );
    let mut served = pin!(served);
    let result = tokio::select! {
        result = &mut served => result,
        _ = needed => return,
        () = stop.wait() => {
            served.as_mut().graceful_shutdown();
            served.await
        }
    };
    if let Err(error) = result {
        tracing::debug!(%error, "a connection ended");
    }
}
