//! A TCP stream that limits how long a write waits, and closes without a reset.
//!
//! Without the limit, a browser that stopped reading would hold a permit to generate and delay the server's
//! stop. The client of a request refused before its body was read still sends bytes: closing at once would
//! answer them with a reset, and the refusal would be lost.

use crate::stop::StopSignal;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::sleep;

/// How long a write may wait once the server stops.
const STOP_GRACE: Duration = Duration::from_millis(20);
/// How long bytes that still arrive after the last answer are discarded.
const LINGER_TIME: Duration = Duration::from_secs(2);

/// A TCP stream with a limit on each write.
pub struct WriteTimeoutStream {
    stream: TcpStream,
    limit: Duration,
    stop: StopSignal,
    /// Runs while a write waits; when it ends, the write fails.
    waiting: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    /// Runs after our half is closed; when it ends, the connection is closed.
    lingering: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl WriteTimeoutStream {
    /// Wraps a stream.
    #[must_use]
    pub fn new(stream: TcpStream, limit: Duration, stop: StopSignal) -> Self {
        Self {
            stream,
            limit,
            stop,
            waiting: None,
            lingering: None,
        }
    }

    fn with_timeout<T>(
        &mut self,
        context: &mut Context<'_>,
        result: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.waiting = None;
            return result;
        }
        let (limit, stop) = (self.limit, &self.stop);
        let waiting = self
            .waiting
            .get_or_insert_with(|| Box::pin(timeout_or_stop(limit, stop.clone())));
        match waiting.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

async fn timeout_or_stop(limit: Duration, mut stop: StopSignal) {
    tokio::select! {
        () = sleep(limit) => {}
        () = async { stop.wait().await; sleep(STOP_GRACE).await } => {}
    }
}

impl AsyncRead for WriteTimeoutStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for WriteTimeoutStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.with_timeout(context, result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.with_timeout(context, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.lingering.is_none() {
            if let Err(error) = ready!(Pin::new(&mut self.stream).poll_shutdown(context)) {
                return Poll::Ready(Err(error));
            }
            self.lingering = Some(Box::pin(timeout_or_stop(LINGER_TIME, self.stop.clone())));
        }
        let mut discarded = [0; 8 * 1024];
        loop {
            let over = self
                .lingering
                .as_mut()
                .map(|time| time.as_mut().poll(context));
            if over.is_none_or(|over| over.is_ready()) {
                return Poll::Ready(Ok(()));
            }
            let mut buffer = ReadBuf::new(&mut discarded);
            let read = ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer));
            if read.is_err() || buffer.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt;
    use tokio::net::TcpListener;

    /// The error of a connection whose other end reads nothing.
    async fn unread(limit: Duration, stop: StopSignal) -> io::Error {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let _silent = TcpStream::connect(address).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let mut guarded = WriteTimeoutStream::new(stream, limit, stop);
        let block = vec![0u8; 1024 * 1024];
        loop {
            if let Err(error) = guarded.write_all(&block).await {
                return error;
            }
        }
    }

    #[tokio::test]
    async fn a_reader_that_stops_reading_is_given_up() {
        let (_running, stop) = StopSignal::new();
        let error = unread(STOP_GRACE, stop).await;
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_reader_that_stopped_reading_holds_up_no_stop() {
        let (running, stop) = StopSignal::new();
        let waiting = tokio::spawn(unread(Duration::from_secs(600), stop));
        sleep(4 * STOP_GRACE).await;
        assert!(!waiting.is_finished(), "no stop yet");
        running.send(true).unwrap();
        let error = tokio::time::timeout(Duration::from_secs(5), waiting).await;
        assert_eq!(error.unwrap().unwrap().kind(), io::ErrorKind::TimedOut);
    }
}
