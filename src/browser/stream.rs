//! A streamed answer of the server, line by line.

use futures::StreamExt;
use futures::future::LocalBoxFuture;
use leptos::server_fn::codec::ByteStream;
use sash_chat::json::FromJson;
use sash_wire::{Fault, FaultBody, LineDecoder};

/// Reads frames until the stream ends and hands each on; `on_frame` says whether to go on.
/// Dropping the future ends the request.
///
/// # Errors
/// [`Fault::ConnectionLost`] when the stream broke or ended before `on_frame` was content.
pub async fn read_frames<T: FromJson>(
    stream: ByteStream<FaultBody>,
    mut on_frame: impl FnMut(T) -> bool,
) -> Result<(), Fault> {
    let mut take = |decoder: &mut LineDecoder| {
        while let Some(frame) = decoder.next_json()? {
            if !on_frame(frame) {
                return Ok(true);
            }
        }
        Ok(false)
    };
    read(stream, &mut take).await
}

// Apart from the type of the frames: the page would have it once for each.
fn read<'a>(
    stream: ByteStream<FaultBody>,
    take: &'a mut Take<'a>,
) -> LocalBoxFuture<'a, Result<(), Fault>> {
    Box::pin(async move {
        let mut bytes = Box::pin(stream.into_inner());
        let mut decoder = LineDecoder::default();
        while let Some(chunk) = bytes.next().await {
            decoder.push(&chunk.map_err(|_| Fault::ConnectionLost {})?);
            if take(&mut decoder)? {
                return Ok(());
            }
        }
        Err(Fault::ConnectionLost {})
    })
}

/// Takes the frames that have come; whether that is enough.
type Take<'a> = dyn FnMut(&mut LineDecoder) -> Result<bool, Fault> + 'a;
