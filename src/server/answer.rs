//! Answers a prompt with a stream of frames.

use crate::server::app::App;
use crate::server::ollama::line::ChatLine;
use crate::server::ollama::reply::Details;
use crate::server::ollama::template::PromptShape;
use crate::server::ollama::thinking::ThinkingSplitter;
use crate::server::ollama::{Ollama, RequestContext, body};
use crate::server::relay::{LineReader, PendingResponse, Relay};
use bytes::Bytes;
use futures::{FutureExt, Stream};
use sash_wire::{ChatRequest, DoneReason, Fault, Frame, Usage};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;

/// Time limit for the details of a model, which are requested beside the answer.
const DETAILS_TIME: Duration = Duration::from_secs(5);

/// Answers a prompt: checks it, opens Ollama's stream, and turns its lines into frames.
///
/// # Errors
/// Any [`Fault`] that occurs before the first frame; later ones become the last frame.
pub async fn answer(
    app: &Arc<App>,
    permit: OwnedSemaphorePermit,
    request: ChatRequest,
) -> Result<impl Stream<Item = Bytes> + Send + use<>, Fault> {
    let ollama = authorize_prompt(app, &request).await?;
    let body = body::chat(&request).map_err(|error| body::unserializable(&error))?;
    let shape = PromptShape::of(&request);
    let reader = ChatFrames {
        model: request.model,
        address: ollama.address().base().to_owned(),
        shape,
        thought: None,
        template_opens: Arc::default(),
        written: 0,
        limit: app.limits.answer_bytes,
    };
    let model = reader.model.clone();
    let (details, template_opens) = (Arc::clone(app), Arc::clone(&reader.template_opens));
    let opening: PendingResponse = Box::pin(async move {
        // A refusal is returned at once; a first token waits for the details.
        let (response, opens) = futures::try_join!(
            ollama.stream("/api/chat", &body, &model),
            opens_thinking(&details, &ollama, &model).map(Ok)
        )?;
        template_opens.get_or_init(|| opens);
        Ok(response)
    });
    let relay = Relay::open(
        opening,
        reader,
        app.stream_timeouts(),
        app.stop.clone(),
        permit,
    )
    .await;
    let relay = relay.map_err(|fault| shape.explain(fault))?;
    Ok(relay.into_stream())
}

/// Whether the model's chat template opens the thinking. The list of models says so; the details are requested here
/// only if this server has not listed the model of late. Unknown is no.
async fn opens_thinking(app: &App, ollama: &Ollama, model: &str) -> bool {
    let address = ollama.address().base();
    if let Some(opens) = app.openings.get(address, model) {
        return opens;
    }
    let Ok(Ok(show)) = tokio::time::timeout(DETAILS_TIME, ollama.show(model)).await else {
        return false;
    };
    let opens = Details::read(&show).opens_thinking;
    app.openings.insert(address, model, opens);
    opens
}

/// Checks a prompt before anything is sent to Ollama, and returns the Ollama that answers it.
///
/// # Errors
/// The [`Fault`] that refuses it.
pub(super) async fn authorize_prompt(app: &App, request: &ChatRequest) -> Result<Ollama, Fault> {
    request.check()?;
    app.limits.check(request)?;
    app.upstream_of(request.upstream, &request.model).await
}

/// Converts Ollama's chat lines to frames.
struct ChatFrames {
    model: String,
    address: String,
    /// The properties of the request that a chat template may refuse.
    shape: PromptShape,
    /// Separates thinking from the text, if the model writes it there; `None` before the first line.
    thought: Option<ThinkingSplitter>,
    /// Whether the model's chat template opens the thinking; set before the first line.
    template_opens: Arc<OnceLock<bool>>,
    /// Bytes of text and thinking so far.
    written: usize,
    /// The most bytes allowed.
    limit: usize,
}

impl ChatFrames {
    fn write(&mut self, text: String, frame: fn(String) -> Frame, out: &mut String) {
        if !text.is_empty() {
            self.written += text.len();
            out.push_str(&frame(text).to_line());
        }
    }
}

impl ChatFrames {
    fn splitter(&mut self) -> &mut ThinkingSplitter {
        self.thought
            .get_or_insert_with(|| match self.template_opens.get() {
                Some(true) => ThinkingSplitter::opened_by_template(),
                _ => ThinkingSplitter::default(),
            })
    }

    fn write_split(&mut self, (thinking, text): (String, String), out: &mut String) {
        self.write(thinking, |text| Frame::Thinking { text }, out);
        self.write(text, |text| Frame::Text { text }, out);
    }
}

impl LineReader for ChatFrames {
    type Line = ChatLine;

    fn asked(&self) -> RequestContext<'_> {
        RequestContext {
            model: &self.model,
            address: &self.address,
        }
    }

    fn line(&mut self, line: ChatLine, out: &mut String) -> bool {
        if !line.thinking.is_empty() {
            self.splitter().separated_by_ollama();
        }
        self.write(line.thinking, |text| Frame::Thinking { text }, out);
        let split = self.splitter().take(&line.content);
        self.write_split(split, out);
        let done = match line.done {
            None if self.written >= self.limit => {
                tracing::info!(bytes = self.written, "an answer reached the limit");
                Some((DoneReason::Limit, Usage::default()))
            }
            done => done,
        };
        let Some((reason, usage)) = done else {
            return false;
        };
        let rest = self.splitter().finish();
        self.write_split(rest, out);
        out.push_str(&Frame::Done { reason, usage }.to_line());
        true
    }

    fn fail(&mut self, error: Fault, out: &mut String) {
        let rest = self.splitter().finish();
        self.write_split(rest, out);
        let error = self.shape.explain(error);
        out.push_str(&Frame::Error { error }.to_line());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::relay::read_line;

    fn frames(lines: &[&str], limit: usize) -> Vec<Frame> {
        frames_of(lines, limit, false)
    }

    fn frames_of(lines: &[&str], limit: usize, opens: bool) -> Vec<Frame> {
        let mut reader = ChatFrames {
            model: "m".into(),
            address: String::new(),
            shape: PromptShape::default(),
            thought: None,
            template_opens: Arc::new(OnceLock::from(opens)),
            written: 0,
            limit,
        };
        let mut out = String::new();
        for line in lines {
            if read_line(&mut reader, line.as_bytes(), &mut out) {
                break;
            }
        }
        out.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// They are held back until it is clear whether they are a tag, and no text may follow.
    #[test]
    fn the_first_letters_of_a_tag_are_not_lost_at_the_end() {
        for last in [
            r#"{"message":{},"done":true}"#,
            r#"{"error":"gone"}"#,
            "no JSON",
        ] {
            let lines = [r#"{"message":{"content":"<thi"}}"#, last];
            let first = frames(&lines, 100).remove(0);
            assert_eq!(
                first,
                Frame::Text {
                    text: "<thi".into()
                },
                "{last}"
            );
        }
        let lines = [
            r#"{"message":{"content":"<think>a</th"}}"#,
            r#"{"message":{"content":"ink>\n\nb"}}"#,
        ];
        let [thinking, text] = &frames(&lines, 100)[..] else {
            panic!("two frames");
        };
        assert_eq!(*thinking, Frame::Thinking { text: "a".into() });
        assert_eq!(*text, Frame::Text { text: "b".into() });
    }

    #[test]
    fn a_closing_tag_alone_ends_the_thinking_that_the_template_opened() {
        let lines = [
            r#"{"message":{"content":"Well."}}"#,
            r#"{"message":{"content":"</think>Yes."},"done":true}"#,
        ];
        let [thinking, text, _] = &frames_of(&lines, 100, true)[..] else {
            panic!("three frames");
        };
        assert_eq!(
            *thinking,
            Frame::Thinking {
                text: "Well.".into()
            }
        );
        assert_eq!(
            *text,
            Frame::Text {
                text: "Yes.".into()
            }
        );
        let lines = [
            r#"{"message":{"content":"","thinking":"Well."}}"#,
            r#"{"message":{"content":"Yes."},"done":true}"#,
        ];
        let text = &frames_of(&lines, 100, true)[1];
        assert!(matches!(text, Frame::Text { text } if text == "Yes."));
    }

    #[test]
    fn one_line_may_be_thinking_text_and_the_end() {
        let line = r#"{"message":{"thinking":"t","content":"c"},"done":true,"done_reason":"stop"}"#;
        let frames = frames(&[line], 100);
        assert!(matches!(
            &frames[..],
            [Frame::Thinking { text: t }, Frame::Text { text: c }, Frame::Done { reason: DoneReason::Stop, .. }]
                if t == "t" && c == "c"
        ));
    }

    #[test]
    fn an_endless_answer_is_ended_softly() {
        let line = r#"{"message":{"content":"12345"},"done":false}"#;
        let frames = frames(&[line; 5], 10);
        assert_eq!(frames.len(), 3);
        assert!(matches!(
            frames[2],
            Frame::Done {
                reason: DoneReason::Limit,
                ..
            }
        ));
    }

    #[test]
    fn a_malformed_line_is_an_error_and_not_skipped() {
        let good = r#"{"message":{"content":"a"},"done":false}"#;
        let frames = frames(&[good, "{oops", good], 100);
        assert_eq!(frames.len(), 2);
        assert!(matches!(
            &frames[1],
            Frame::Error {
                error: Fault::BrokenStream { .. }
            }
        ));
    }
}
