//! Reading the body of a request within its limits.

use crate::json_shape::JsonShape;
use crate::limits::BodyPace;
use crate::pending_bodies::PendingBody;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::CONTENT_LENGTH;
use bytes::Bytes;
use http_body_util::BodyExt;
use sash_wire::Fault;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How long the rest of a body over the limit is read and discarded, so that the page gets the answer and not
/// a connection reset.
const DRAIN_TIME: Duration = Duration::from_secs(2);

/// The most bytes for which there is room before they arrive: what a client announces costs it nothing.
const FIRST_BYTES: usize = 64 * 1024;

/// The announced length of the body in bytes.
pub fn content_length(request: &Request) -> usize {
    let length = request.headers().get(CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse().ok());
    length.unwrap_or_default()
}

/// Reads a body of at most `limit` bytes, which must arrive fast enough and within the time limit.
///
/// # Errors
/// [`Fault::RequestTimeout`] if it is too slow, [`Fault::TooLarge`] with the number of bytes received,
/// [`Fault::TooComplex`], and [`Fault::InvalidRequest`] if it breaks off or is not an object.
pub async fn read(
    pace: BodyPace,
    mut shape: JsonShape,
    mut body: Body,
    announced: usize,
    limit: usize,
    pending: &PendingBody,
) -> Result<Vec<u8>, Fault> {
    let began = Instant::now();
    let mut bytes = Vec::with_capacity(announced.min(FIRST_BYTES));
    loop {
        let earned = Duration::from_secs_f64(bytes.len() as f64 / pace.rate as f64);
        let deadline = began + pace.time.min(pace.grace + earned);
        let frame = timeout_at(deadline, body.frame()).await;
        let frame = match frame.map_err(|_| Fault::RequestTimeout)? {
            None => return Ok(bytes),
            Some(frame) => frame.map_err(|_| Fault::InvalidRequest {
                reason: "the body broke off".to_owned(),
            })?,
        };
        let Ok(data) = frame.into_data() else {
            continue;
        };
        pending.received(data.len());
        if bytes.len() + data.len() > limit {
            let bytes = bytes.len() + data.len() + drain(body).await;
            let body = pending.kind();
            return Err(Fault::TooLarge { bytes, limit, body });
        }
        shape.push(&data)?;
        bytes.extend_from_slice(&data);
    }
}

/// Discards the rest of a body of unknown length, and counts its bytes.
async fn drain(mut body: Body) -> usize {
    let mut bytes = 0;
    let rest = async {
        while let Some(Ok(frame)) = body.frame().await {
            bytes += frame.data_ref().map_or(0, Bytes::len);
        }
    };
    if tokio::time::timeout(DRAIN_TIME, rest).await.is_err() {
        tracing::debug!("the rest of a body over the limit was not counted");
    }
    bytes
}
