//! Each form of a stream, cut at every byte, and random streams: whatever text an engine sends is in the answer, or the
//! answer says what could not be read.

use super::events::EventParser;
use super::refusal::OpenAiRequestContext;
use crate::engine::ChatParser;
use crate::engine::reader::ReplyReader;
use crate::ollama::OllamaParser;
use forms::{FORMS, StreamForm};
use proptest::prelude::*;
use sash_wire::Fault;
use serde_json::{Value, json};
use std::sync::Arc;

#[allow(dead_code, reason = "the tests over HTTP use the type")]
#[path = "../../../../tests/data/stream_forms.rs"]
mod forms;

/// What was read of a stream.
#[derive(Debug, Default, PartialEq)]
struct Answer {
    thinking: String,
    text: String,
    calls: Vec<String>,
    /// The code of the fault; empty if the answer is complete.
    fault: String,
    /// What the answer says of its end.
    words: String,
}

fn parser(is_ollama: bool) -> Box<dyn ChatParser> {
    let asked = OpenAiRequestContext {
        engine: "vllm",
        model: "m",
        has_key: false,
    };
    match is_ollama {
        true => Box::new(OllamaParser::new("m", "", Arc::default())),
        false => Box::new(EventParser::new(&asked, &ReplyReader::default(), false)),
    }
}

/// Reads a stream that comes in these pieces, as the relay does.
fn read(is_ollama: bool, pieces: &[&[u8]]) -> Answer {
    let mut parser = parser(is_ollama);
    let mut decoder = parser.decoder();
    let mut answer = Answer::default();
    for at in 0..=pieces.len() {
        match pieces.get(at) {
            Some(piece) => decoder.push(piece),
            None => {
                let rest = decoder.finish().unwrap().map(<[u8]>::to_vec);
                if let Some(rest) = rest
                    && answer.add(parser.as_mut(), &rest)
                {
                    return answer;
                }
                answer.end(parser.as_mut(), Fault::EndedEarly);
                return answer;
            }
        }
        while let Some(line) = decoder.next_line().unwrap() {
            if answer.add(parser.as_mut(), line) {
                return answer;
            }
        }
    }
    answer
}

impl Answer {
    /// Adds a line; returns true after the last one.
    fn add(&mut self, parser: &mut dyn ChatParser, line: &[u8]) -> bool {
        match parser.parse(line) {
            Ok(line) => self.push(line.unwrap_or_default()),
            Err(fault) => {
                self.end(parser, fault);
                true
            }
        }
    }

    fn end(&mut self, parser: &mut dyn ChatParser, fault: Fault) {
        let last = parser.finish(fault);
        assert!(self.push(last), "the last line ends the answer");
    }

    fn push(&mut self, line: crate::engine::ChatLine) -> bool {
        self.thinking += &line.thinking;
        self.text += &line.content;
        self.calls.extend(
            line.calls
                .iter()
                .map(|call| format!("{} {}", call.function.name, json!(call.function.arguments))),
        );
        if let Some(fault) = &line.failed {
            self.fault = fault.code();
            self.words = fault.to_string();
        }
        line.failed.is_some() || line.done.is_some()
    }
}

fn check(form: &StreamForm, pieces: &[&[u8]], how: &str) {
    let answer = read(form.is_ollama, pieces);
    let name = format!("{} {how}: {}", form.name, answer.words);
    assert_eq!(answer.thinking, form.thinking, "{name}");
    assert_eq!(answer.text, form.text, "{name}");
    assert_eq!(answer.calls.join(" "), form.calls, "{name}");
    assert_eq!(answer.fault, form.fault, "{name}");
}

#[test]
fn each_form_is_read_the_same_wherever_it_is_cut() {
    for form in FORMS {
        let body = form.body.as_bytes();
        check(form, &[body], "whole");
        for cut in 1..body.len() {
            check(
                form,
                &[&body[..cut], &body[cut..]],
                &format!("cut at {cut}"),
            );
        }
        let bytes: Vec<&[u8]> = body.chunks(1).collect();
        check(form, &bytes, "byte by byte");
    }
}

/// What an engine says of one piece: thinking, or text.
#[derive(Clone, Debug)]
struct Said {
    is_thinking: bool,
    text: String,
    form: usize,
    noise: usize,
}

fn said() -> impl Strategy<Value = Said> {
    let text = prop_oneof![
        "[a-c \n\"\\\\{}<>]{0,6}",
        "\\PC{0,4}",
        Just("😀".to_owned()),
        Just("日本".to_owned()),
        Just("\u{fdd0}\u{e03d}".to_owned()),
    ];
    (any::<bool>(), text, 0..12_usize, 0..10_usize).prop_map(|(is_thinking, text, form, noise)| {
        Said {
            is_thinking,
            text,
            form,
            noise,
        }
    })
}

/// The events of one piece in one of the known forms.
fn event_of(said: &Said, is_ollama: bool) -> Vec<Value> {
    let text = &said.text;
    let message = match (said.is_thinking, said.form) {
        (false, 0..=2) => json!({"content": text}),
        (false, 3) => json!({"content": [{"type": "text", "text": text}]}),
        (false, 4) => json!({"content": [text, null]}),
        (false, 5) => json!({"content": [{"type": "output_text", "text": text}]}),
        (false, 6) => json!({"content": {"type": "text", "text": text}}),
        (false, 7) => json!({"content": null, "refusal": text}),
        (false, 8) => json!({"content": [{"type": "refusal", "refusal": text}]}),
        (false, 9) => json!({"content": [{"type": "unheard", "text": text}]}),
        (false, 10) => {
            json!({"content": [{"type": "text", "text": text}, {"type": "image_url", "image_url": "x"}]})
        }
        (false, _) => json!({"content": text, "reasoning": null}),
        (true, 0..=2) => json!({"reasoning_content": text}),
        (true, 3) => json!({"reasoning": text}),
        (true, 4) => json!({"thinking": text}),
        (true, 5) => json!({"reasoning": text, "reasoning_content": text, "content": ""}),
        (true, 6) => json!({"content": [{"type": "thinking", "thinking": text}]}),
        (true, 7) => {
            json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": text}]}]})
        }
        (true, 8) => json!({"content": [{"type": "reasoning", "text": text}]}),
        (true, 9) => json!({"reasoning_details": [{"type": "reasoning.text", "text": text}]}),
        (true, 10) => {
            json!({"reasoning": text, "reasoning_details": [{"type": "reasoning.text", "text": text}]})
        }
        (true, _) => json!({"reasoning": {"content": text}}),
    };
    match is_ollama {
        true => vec![json!({"message": message, "done": false})],
        false => vec![json!({"choices": [{"index": 0, "delta": message}]})],
    }
}

/// The JSON of an event, in which the halves of each surrogate pair are written apart.
fn escaped(value: &Value) -> String {
    let written = value.to_string();
    let mut out = String::new();
    for character in written.chars() {
        match character.len_utf16() {
            1 => out.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    out += &format!("\\u{unit:04x}");
                }
            }
        }
    }
    out
}

const NOISE: [&str; 10] = [
    "",
    "",
    "",
    ": ping\n\n",
    "data:\n\n",
    "data: null\n\n",
    "data: \"\"\n\n",
    "data: word\n\n",
    "event: ping\n\n",
    "id: 3\n\n",
];

/// A stream of these pieces, as it is on the wire.
fn stream_of(all: &[Said], is_ollama: bool, end: &str) -> String {
    let mut out = String::new();
    for said in all {
        for event in event_of(said, is_ollama) {
            let written = match said.form % 2 == 0 {
                true => escaped(&event),
                false => event.to_string(),
            };
            match is_ollama {
                true => out += &format!("{written}\n"),
                false => {
                    out += &format!(
                        "data: {written}{end}{end}{}",
                        NOISE[said.noise].replace('\n', end)
                    )
                }
            }
        }
    }
    out += &match is_ollama {
        true => "{\"message\":{\"content\":\"\"},\"done\":true}\n".to_owned(),
        false => format!(
            "data: {{\"choices\":[{{\"delta\":{{}},\"finish_reason\":\"stop\"}}]}}{end}{end}data: [DONE]{end}{end}"
        ),
    };
    out
}

fn cut<'a>(bytes: &'a [u8], cuts: &[prop::sample::Index]) -> Vec<&'a [u8]> {
    let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    at.extend([0, bytes.len()]);
    at.sort_unstable();
    at.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect()
}

proptest! {
    #[test]
    fn whatever_text_an_engine_sends_is_in_the_answer(
        all in proptest::collection::vec(said(), 0..10),
        is_ollama in any::<bool>(),
        end in prop_oneof![Just("\n"), Just("\r\n"), Just("\r")],
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let stream = stream_of(&all, is_ollama, end);
        let answer = read(is_ollama, &cut(stream.as_bytes(), &cuts));
        let of = |is_thinking: bool| {
            let texts = all.iter().filter(|said| said.is_thinking == is_thinking);
            texts.map(|said| said.text.as_str()).collect::<String>()
        };
        prop_assert_eq!(&answer.thinking, &of(true), "{}", stream);
        prop_assert_eq!(&answer.text, &of(false), "{}", stream);
        let unread = all.iter().any(|said| !said.is_thinking && matches!(said.form, 9 | 10));
        prop_assert_eq!(answer.fault == "parts_unread", unread, "{} {}", answer.words, stream);
    }

    /// A stream that is cut off, or in which an event is damaged, is never complete and short.
    #[test]
    fn a_damaged_stream_is_never_complete_and_short(
        all in proptest::collection::vec(said(), 1..6),
        is_ollama in any::<bool>(),
        from in any::<prop::sample::Index>(),
        length in 1..40_usize,
    ) {
        let stream = stream_of(&all, is_ollama, "\n");
        let texts = all.iter().map(|said| said.text.len()).sum::<usize>();
        let whole = read(is_ollama, &[stream.as_bytes()]);
        prop_assert_eq!(whole.text.len() + whole.thinking.len(), texts);
        let from = from.index(stream.len());
        let cut_off = read(is_ollama, &[&stream.as_bytes()[..from]]);
        let is_whole = cut_off.text == whole.text && cut_off.thinking == whole.thinking;
        prop_assert!(is_whole || !cut_off.fault.is_empty(), "{:?} {}", cut_off, &stream);
        // Bytes that are missing within the stream.
        let bytes = [&stream.as_bytes()[..from], stream.as_bytes().get(from + length..).unwrap_or_default()].concat();
        drop(read(is_ollama, &[&bytes]));
    }

    #[test]
    fn a_document_is_read_like_a_stream(text in "\\PC{1,12}", thinking in "\\PC{0,6}", is_pretty in any::<bool>()) {
        let message = json!({"role": "assistant", "content": text, "reasoning_content": thinking});
        let document = json!({"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]});
        let written = match is_pretty {
            true => serde_json::to_string_pretty(&document).unwrap(),
            false => document.to_string(),
        };
        for body in [written.clone(), format!("data: {document}\n\n")] {
            let answer = read(false, &[body.as_bytes()]);
            prop_assert_eq!(&answer.text, &text);
            prop_assert_eq!(&answer.thinking, &thinking);
            prop_assert_eq!(&answer.fault, "");
        }
    }
}
