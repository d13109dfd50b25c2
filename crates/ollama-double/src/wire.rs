//! The socket: accepts connections, sends bytes, and applies the faults of the socket.

use super::faults::Faults;
use super::http::HttpResponse;
use super::router;
use super::shared::Shared;
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::Sleep;

/// Serves until it is dropped, which also closes the connections.
pub async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        let Ok((socket, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        connections.spawn(connection(socket, Arc::clone(&shared)));
    }
}

async fn connection(socket: TcpStream, shared: Arc<Shared>) {
    // A token is small and must not be delayed until the next one.
    if socket.set_nodelay(true).is_err() {
        return;
    }
    let faults = Arc::new(Faults::default());
    let service = service_fn(|request: Request<Incoming>| {
        let shared = Arc::clone(&shared);
        let faults = Arc::clone(&faults);
        async move {
            faults.split(0, 0);
            let answer: io::Result<HttpResponse> = router::answer(shared, faults, request).await;
            answer
        }
    });
    let wire = TokioIo::new(Wire {
        socket,
        faults: Arc::clone(&faults),
        pause: None,
    });
    let served = hyper::server::conn::http1::Builder::new()
        .serve_connection(wire, service)
        .await;
    if let Err(error) = served {
        tracing::debug!(%error, "stand-in: connection ended early");
    }
}

struct Wire {
    socket: TcpStream,
    faults: Arc<Faults>,
    pause: Option<Pin<Box<Sleep>>>,
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_read(cx, buf)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(cx));
            self.pause = None;
        }
        let most = self.faults.most_bytes();
        if most == 0 {
            return Pin::new(&mut self.socket).poll_write(cx, buf);
        }
        let piece = &buf[..buf.len().min(most)];
        let written = ready!(Pin::new(&mut self.socket).poll_write(cx, piece))?;
        let wait = self.faults.pause();
        if !wait.is_zero() {
            self.pause = Some(Box::pin(tokio::time::sleep(wait)));
        }
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(cx)
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        if self.faults.is_reset() {
            // Closing with a linger time of zero sends RST. If that fails, the connection is closed normally.
            let _ = socket2::SockRef::from(&self.socket).set_linger(Some(Duration::ZERO));
        }
    }
}
