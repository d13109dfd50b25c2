//! Answers a prompt with a stream of frames.

use crate::app::App;
use crate::engine::template::PromptShape;
use crate::engine::thinking::ThinkingSplitter;
use crate::engine::{ChatCall, ChatLine, ChatParser, Engine, EngineLabel};
use crate::hooks::WatchedPrompt;
use crate::relay::{LineReader, Relay};
use bytes::Bytes;
use futures::Stream;
use sash_chat::{MAX_CALLS, ToolCall};
use sash_wire::{ChatRequest, DoneReason, Fault, Frame, LineDecoder, ReadingProgress, Usage};
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

/// Answers a prompt: checks it, opens the engine's stream, and turns its lines into frames.
///
/// # Errors
/// Any [`Fault`] that occurs before the first frame; later ones become the last frame.
pub async fn answer(
    app: &Arc<App>,
    permit: OwnedSemaphorePermit,
    request: ChatRequest,
) -> Result<impl Stream<Item = Bytes> + Send + use<>, Fault> {
    Ok(open(app, permit, request).await?.into_stream())
}

/// Checks a prompt and opens the engine's stream.
///
/// # Errors
/// Those of [`answer`].
pub async fn open(
    app: &App,
    permit: OwnedSemaphorePermit,
    request: ChatRequest,
) -> Result<Relay, Fault> {
    let engine = authorize_prompt(app, &request).await?;
    let watches = app.hooks.watches.iter().cloned();
    let watched = watches
        .map(|watch| watch.begin(&engine, &request))
        .collect();
    let ChatCall { opening, parser } = engine.chat(&request)?;
    let shape = PromptShape::of(&request);
    let reader = ChatFrames {
        label: engine.label().clone(),
        parser,
        shape,
        thought: None,
        reading: None,
        begun: false,
        endable: false,
        written: 0,
        called: 0,
        limit: app.limits.answer_bytes,
        watched,
    };
    let stop = app.stop.clone();
    let relay = Relay::open(opening, reader, app.stream_timeouts(), stop, permit);
    relay.await.map_err(|fault| shape.explain(fault))
}

/// Checks a prompt before anything is sent, and returns the engine that answers it.
///
/// # Errors
/// The [`Fault`] that refuses it.
pub async fn authorize_prompt(app: &App, request: &ChatRequest) -> Result<Arc<dyn Engine>, Fault> {
    check(app, request)?;
    app.engine_of(request.upstream, request.engine.as_deref(), &request.model)
        .await
}

/// Checks what can be checked without an engine.
///
/// # Errors
/// The [`Fault`] that refuses the request.
pub fn check(app: &App, request: &ChatRequest) -> Result<(), Fault> {
    request.check()?;
    app.limits.check(request)
}

/// Converts the engine's lines to frames.
struct ChatFrames {
    label: EngineLabel,
    parser: Box<dyn ChatParser>,
    /// The properties of the request that a chat template may refuse.
    shape: PromptShape,
    /// Separates thinking from the text, if the model writes it there; `None` before the first line.
    thought: Option<ThinkingSplitter>,
    /// How far the prompt is read, if the engine tells it.
    reading: Option<ReadingProgress>,
    /// Whether the answer has begun.
    begun: bool,
    /// Whether the page was told that the thinking can be ended.
    endable: bool,
    /// Bytes of text and thinking so far, and of the frames that tell of the prompt or call tools.
    written: usize,
    /// Calls of tools so far, those that are left out not among them.
    called: usize,
    /// The most bytes allowed.
    limit: usize,
    /// Who follows the prompt.
    watched: Vec<Box<dyn WatchedPrompt>>,
}

impl ChatFrames {
    /// Writes how far the prompt is read, where that is news. Once the answer begins it is none.
    fn write_reading(&mut self, reading: Option<ReadingProgress>, out: &mut String) {
        if let Some(read) = reading
            && self.reading != reading
            && !self.begun
        {
            self.reading = reading;
            let line = Frame::Reading(read).to_line();
            self.written += line.len();
            out.push_str(&line);
        }
    }

    fn write(&mut self, text: String, frame: fn(String) -> Frame, out: &mut String) {
        if !text.is_empty() {
            self.watched.iter_mut().for_each(|watched| watched.write());
            self.begun = true;
            self.written += text.len();
            out.push_str(&frame(text).to_line());
        }
    }

    fn splitter(&mut self) -> &mut ThinkingSplitter {
        let parser = &self.parser;
        self.thought
            .get_or_insert_with(|| match parser.begins_as_thinking() {
                true => ThinkingSplitter::opened_by_template(),
                false => ThinkingSplitter::default(),
            })
    }

    fn write_split(&mut self, (thinking, text): (String, String), out: &mut String) {
        self.write(thinking, |text| Frame::Thinking { text }, out);
        self.write(text, |text| Frame::Text { text }, out);
    }

    /// Writes calls, behind the text that came before them, up to the limit of an answer. The others are counted.
    fn write_calls(&mut self, mut calls: Vec<ToolCall>, over: usize, out: &mut String) {
        let made = calls.len() + over;
        if made == 0 {
            return;
        }
        self.begun = true;
        calls.truncate(MAX_CALLS.saturating_sub(self.called));
        self.called += calls.len();
        let left_out = made - calls.len();
        let line = Frame::ToolCalls { calls, left_out }.to_line();
        self.written += line.len();
        out.push_str(&line);
    }

    /// Returns true after the last line.
    fn line(&mut self, line: ChatLine, out: &mut String) -> bool {
        if !line.thinking.is_empty() {
            self.splitter().separated_by_engine();
        }
        self.write_reading(line.reading, out);
        if let Some(id) = line.endable.filter(|_| !self.endable) {
            self.endable = true;
            out.push_str(&Frame::Endable { id }.to_line());
        }
        self.write(line.thinking, |text| Frame::Thinking { text }, out);
        let split = self.splitter().push(&line.content);
        self.write_split(split, out);
        self.write_calls(line.calls, line.calls_left_out, out);
        if let Some(fault) = line.failed {
            self.break_off(fault, out);
            return true;
        }
        let done = match line.done {
            None if self.written >= self.limit => {
                tracing::info!(bytes = self.written, "an answer reached the limit");
                Some((DoneReason::Limit, Usage::default()))
            }
            done => done,
        };
        match done {
            Some(done) => self.done(done, out),
            None => return false,
        }
        true
    }

    fn done(&mut self, (reason, usage): (DoneReason, Usage), out: &mut String) {
        let rest = self.splitter().finish();
        self.write_split(rest, out);
        let watched = self.watched.iter_mut();
        watched.for_each(|watched| watched.end(&usage));
        out.push_str(&Frame::Done { reason, usage }.to_line());
    }

    fn break_off(&mut self, fault: Fault, out: &mut String) {
        let rest = self.splitter().finish();
        self.write_split(rest, out);
        let error = self.shape.explain(fault);
        out.push_str(&Frame::Error { error }.to_line());
    }
}

impl LineReader for ChatFrames {
    fn label(&self) -> &EngineLabel {
        &self.label
    }

    fn read(&mut self, line: &[u8], out: &mut String) -> bool {
        self.watched.iter_mut().for_each(|watched| watched.hear());
        match self.parser.parse(line) {
            Ok(Some(line)) => self.line(line, out),
            Ok(None) => false,
            Err(fault) => {
                self.fail(fault, out);
                true
            }
        }
    }

    fn fail(&mut self, error: Fault, out: &mut String) {
        // A stream that breaks behind the end of its answer has lost nothing.
        let last = self.parser.finish(error);
        self.line(last, out);
    }

    fn decoder(&self) -> LineDecoder {
        self.parser.decoder()
    }

    fn sends_headers_first(&self) -> bool {
        self.parser.sends_headers_first()
    }

    fn is_reading(&self) -> bool {
        self.reading.is_some() && !self.begun
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ollama::OllamaParser;
    use std::sync::OnceLock;

    fn frames(lines: &[&str], limit: usize) -> Vec<Frame> {
        frames_of(lines, limit, false)
    }

    fn frames_of(lines: &[&str], limit: usize, opens: bool) -> Vec<Frame> {
        let mut reader = ChatFrames {
            label: EngineLabel::Ollama(String::new()),
            parser: Box::new(OllamaParser::new("m", "", Arc::new(OnceLock::from(opens)))),
            shape: PromptShape::default(),
            thought: None,
            reading: None,
            begun: false,
            endable: false,
            written: 0,
            called: 0,
            limit,
            watched: Vec::new(),
        };
        let mut out = String::new();
        for line in lines {
            if reader.read(line.as_bytes(), &mut out) {
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

    /// They stood in the answer, and went to the model again with the next prompt.
    #[test]
    fn the_thinking_marks_of_each_kind_of_models_are_no_part_of_the_answer() {
        for answer in [
            "<think>Well.</think>Yes.",
            "[THINK]Well.[/THINK]Yes.",
            "<thought>Well.</thought>Yes.",
            "<seed:think>Well.</seed:think>Yes.",
            "<|channel>thought\nWell.<channel|>Yes.",
            "<|channel|>analysis<|message|>Well.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>",
            "<|START_THINKING|>Well.<|END_THINKING|><|START_RESPONSE|>Yes.<|END_RESPONSE|>",
        ] {
            let line = |content: &str, done: bool| {
                serde_json::json!({"message":{"content":content},"done":done}).to_string()
            };
            let mut lines: Vec<String> = answer
                .char_indices()
                .map(|(at, c)| line(&answer[at..at + c.len_utf8()], false))
                .collect();
            lines.push(line("", true));
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            let (mut thought, mut said) = (String::new(), String::new());
            for frame in frames(&lines, usize::MAX) {
                match frame {
                    Frame::Thinking { text } => thought += &text,
                    Frame::Text { text } => said += &text,
                    _ => {}
                }
            }
            assert_eq!((&*thought, &*said), ("Well.", "Yes."), "{answer}");
        }
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
    fn calls_without_number_are_counted_and_not_passed_on() {
        let call = r#"{"function":{"name":"f"}}"#;
        let many = format!(
            r#"{{"message":{{"tool_calls":[{}]}}}}"#,
            vec![call; 10_000].join(",")
        );
        let end = r#"{"message":{},"done":true}"#;
        let [first, second, _] = &frames(&[&many, &many, end], usize::MAX)[..] else {
            panic!("two frames with calls, and the end");
        };
        let Frame::ToolCalls { calls, left_out } = first else {
            panic!("calls");
        };
        assert_eq!((calls.len(), *left_out), (MAX_CALLS, 10_000 - MAX_CALLS));
        let second_only_counts = Frame::ToolCalls {
            calls: Vec::new(),
            left_out: 10_000,
        };
        assert_eq!(*second, second_only_counts);
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
