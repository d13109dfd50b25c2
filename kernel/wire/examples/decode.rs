//! An answer as it arrives over the wire: chunks may end anywhere, even inside a character.
//! `cargo run -p sash-wire --example decode`

use sash_wire::{Frame, LineDecoder, LineError};

const STREAM: &str = concat!(
    r#"{"type":"thinking","text":"Hm."}"#,
    "\n",
    r#"{"type":"text","text":"Schöne "}"#,
    "\n",
    r#"{"type":"text","text":"Grüße 🙂"}"#,
    "\n",
    r#"{"type":"done","reason":"stop","usage":{"prompt_tokens":34,"answer_tokens":4}}"#,
    "\n",
);

fn main() -> Result<(), LineError> {
    let mut decoder = LineDecoder::default();
    let mut answer = String::new();
    for chunk in STREAM.as_bytes().chunks(7) {
        decoder.push(chunk);
        while let Some(frame) = decoder.next_json::<Frame>()? {
            match frame {
                Frame::Reading(read) => println!("read: {} of {}", read.processed, read.total),
                Frame::Thinking { text } => println!("thinking: {text}"),
                Frame::Text { text } => answer.push_str(&text),
                Frame::ToolCalls { calls, .. } => println!("calls: {calls:?}"),
                Frame::Done { reason, usage } => println!("done: {reason:?}, {usage:?}"),
                Frame::Error { error } => println!("{error:?}"),
                Frame::Endable { .. } | Frame::Unknown => {}
            }
        }
    }
    println!("answer: {answer}");
    Ok(())
}
