use super::*;
use proptest::prelude::*;
use sash_wire::ReadingProgress;

fn parser() -> EventParser {
    let asked = OpenAiRequestContext {
        engine: "vllm",
        model: "m",
        has_key: true,
    };
    EventParser::new(&asked, &ReplyReader::default(), true)
}

/// How a stream ended.
type Ending = Result<Option<(DoneReason, Usage)>, Fault>;

/// Thinking, text, and how the answer ended.
fn read(lines: &[&str]) -> (String, String, Ending) {
    let mut parser = parser();
    let (mut thinking, mut content) = (String::new(), String::new());
    let mut add = |line: ChatLine| {
        thinking += &line.thinking;
        content += &line.content;
        line.failed
            .map(Err)
            .or(line.done.map(|done| Ok(Some(done))))
    };
    let end = lines
        .iter()
        .find_map(|line| match parser.parse(line.as_bytes()) {
            Ok(line) => add(line.unwrap_or_default()),
            Err(fault) => add(parser.finish(fault)),
        });
    let end = end.or_else(|| add(parser.finish(Fault::EndedEarly)));
    (thinking, content, end.unwrap())
}

const HELLO: &str =
    r#"data: {"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}"#;
const STOP: &str = r#"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;

#[test]
fn an_answer_of_vllm_is_read_with_its_thinking_and_its_counts() {
    let (thinking, content, end) = read(&[
        r#"data: {"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#,
        r#"data: {"choices":[{"index":0,"delta":{"reasoning_content":"Well."},"finish_reason":null}]}"#,
        r#"data:{"choices":[{"index":0,"delta":{"reasoning":" Yes."},"finish_reason":null}]}"#,
        HELLO,
        STOP,
        r#"data: {"choices":[],"usage":{"prompt_tokens":34,"total_tokens":40,"completion_tokens":6}}"#,
        "data: [DONE]",
    ]);
    assert_eq!((&*thinking, &*content), ("Well. Yes.", "Hello"));
    let (reason, usage) = end.unwrap().unwrap();
    assert_eq!(reason, DoneReason::Stop);
    assert_eq!(
        (usage.prompt_tokens, usage.answer_tokens),
        (Some(34), Some(6))
    );
}

#[test]
fn the_times_of_llama_server_are_read_too() {
    let last = r#"data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2},"timings":{"prompt_n":3,"prompt_ms":12.5,"predicted_n":2,"predicted_ms":40.25}}"#;
    let (_, _, end) = read(&[HELLO, STOP, last, "data: [DONE]"]);
    let (_, usage) = end.unwrap().unwrap();
    assert_eq!(
        (usage.prompt_ms, usage.answer_ms),
        (Some(12.5), Some(40.25))
    );
}

/// The receipt said that 8 of 4 tokens were read before.
#[test]
fn no_more_is_cached_than_the_prompt_has() {
    let counts = |rest: &str| {
        let last = format!(r#"data: {{"choices":[],{rest}}}"#);
        let (_, _, end) = read(&[HELLO, STOP, &last, "data: [DONE]"]);
        let (_, usage) = end.unwrap().unwrap();
        (usage.cached_tokens, usage.prompt_tokens)
    };
    for (rest, cached, prompt) in [
        (
            r#""usage":{"prompt_tokens":12,"prompt_tokens_details":{"cached_tokens":8}}"#,
            Some(8),
            Some(12),
        ),
        (
            r#""usage":{"prompt_tokens":4,"prompt_tokens_details":{"cached_tokens":8}}"#,
            Some(4),
            Some(4),
        ),
        (
            r#""usage":{"prompt_tokens":4},"timings":{"prompt_n":4,"cache_n":8}"#,
            Some(8),
            Some(12),
        ),
        (r#""usage":{"prompt_tokens":4}"#, None, Some(4)),
    ] {
        assert_eq!(counts(rest), (cached, prompt), "{rest}");
    }
}

/// Regression: the answer of a server that was started anew with another model was put down to the former one.
#[test]
fn the_model_that_answered_is_named_if_it_is_another_one() {
    let model = |name: &str| {
        let event = format!(r#"data: {{"model":"{name}","choices":[]}}"#);
        read(&[&event, HELLO, STOP, "data: [DONE]"])
            .2
            .unwrap()
            .unwrap()
            .1
            .model
    };
    assert_eq!(model("m"), None);
    assert_eq!(model("other.gguf").as_deref(), Some("other.gguf"));
    assert_eq!(model(""), None);
}

#[test]
fn comments_and_other_fields_carry_nothing() {
    let (_, content, end) = read(&[
        ": ping",
        ":",
        "event: message",
        "id: 7",
        "retry: 10",
        "nonsense",
        HELLO,
        "data: [DONE]",
    ]);
    assert_eq!(
        (&*content, end.unwrap().unwrap().0),
        ("Hello", DoneReason::Stop)
    );
}

#[test]
fn every_reason_to_finish_has_its_end() {
    let finish = |reason: &str| {
        let line = format!(
            r#"data: {{"choices":[{{"delta":{{"content":"!"}},"finish_reason":"{reason}"}}]}}"#
        );
        read(&[HELLO, &line, "data: [DONE]"])
    };
    for (reason, done) in [
        ("stop", DoneReason::Stop),
        ("tool_calls", DoneReason::Stop),
        ("length", DoneReason::Length),
        ("incomplete", DoneReason::Length),
    ] {
        let (_, content, end) = finish(reason);
        assert_eq!(
            (&*content, end.unwrap().unwrap().0),
            ("Hello!", done),
            "{reason}"
        );
    }
    let (_, content, end) = finish("content_filter");
    assert_eq!(content, "Hello!");
    assert_eq!(
        end,
        Err(Fault::ContentFiltered {
            engine: "vllm".into()
        })
    );
    assert!(matches!(
        finish("SPII").2,
        Err(Fault::ContentFiltered { .. })
    ));
    for reason in [
        "abort",
        "timeout",
        "failed",
        "MALFORMED_FUNCTION_CALL",
        "canceled",
    ] {
        assert_eq!(finish(reason).2, Err(Fault::EndedEarly), "{reason}");
    }
    // Such words are no reason: the answer is being written.
    for none in ["null", "none", ""] {
        let line = format!(r#"data: {{"choices":[{{"delta":{{}},"finish_reason":"{none}"}}]}}"#);
        assert_eq!(read(&[HELLO, &line]).2, Err(Fault::EndedEarly), "{none}");
        let (_, content, end) = read(&[&line, HELLO, STOP]);
        assert_eq!((&*content, end.is_ok()), ("Hello", true), "{none}");
    }
}

/// Regression: each event of a server that names them like whole replies ended the answer, so that one that was cut off
/// was complete.
#[test]
fn a_message_so_far_with_each_piece_is_no_end() {
    let piece = |delta: &str, so_far: &str, more: &str| {
        format!(
            r#"data: {{"object":"chat.completion","choices":[{{"delta":{{"content":"{delta}"}},"message":{{"content":"{so_far}"}}{more}}}]}}"#
        )
    };
    for more in ["", r#","finish_reason":null"#] {
        let (a, b) = (piece("a", "a", more), piece("b", "ab", more));
        for cut in [&[&*a][..], &[&*a, &*b]] {
            assert_eq!(read(cut).2, Err(Fault::EndedEarly), "{cut:?}");
        }
        let (_, content, end) = read(&[&a, &b, "data: [DONE]"]);
        assert_eq!((&*content, end.is_ok()), ("ab", true));
        let last = piece("c", "abc", r#","finish_reason":"stop""#);
        let (_, content, end) = read(&[&a, &b, &last]);
        assert_eq!((&*content, end.is_ok()), ("abc", true));
    }
    // Without pieces, too, unless it is the only event.
    let message = |more: &str| {
        format!(
            r#"{{"object":"chat.completion","choices":[{{"message":{{"content":"a"}}{more}}}]}}"#
        )
    };
    let (event, open) = (
        format!("data: {}", message("")),
        format!("data: {}", message(r#","finish_reason":null"#)),
    );
    for cut in [&[&*open][..], &[&*event, &*event]] {
        assert_eq!(read(cut).2, Err(Fault::EndedEarly), "{cut:?}");
    }
    for whole in [&event, &message(""), &message(r#","finish_reason":null"#)] {
        let (_, content, end) = read(&[whole]);
        assert_eq!((&*content, end.is_ok()), ("a", true), "{whole}");
    }
    // Half of a call is no broken one.
    let call = |text: &str| {
        format!(
            r#"data: {{"object":"chat.completion","choices":[{{"delta":{{"tool_calls":[{{"index":0,"function":{{"name":"f","arguments":"{text}"}}}}]}},"message":{{"content":null}},"finish_reason":null}}]}}"#
        )
    };
    assert!(read(&[&call("{"), &call("}"), STOP]).2.is_ok());
}

/// Regression: a server that told how far it was ended the answer.
#[test]
fn an_event_that_tells_how_far_the_engine_is_is_no_error() {
    for status in [
        r#"data: {"type":"status","message":"Queued"}"#,
        "event: status\ndata: {\"message\":\"Queued\"}",
        "event: status\ndata: {\"type\":\"status\",\"status\":\"completed\",\"message\":\"Loaded\"}",
        r#"data: {"object":"heartbeat","message":"alive"}"#,
        r#"data: {"type":"progress","message":"3 of 4","error":null}"#,
    ] {
        let lines: Vec<&str> = [HELLO, ""]
            .into_iter()
            .chain(status.lines())
            .chain(["", STOP, "data: [DONE]"])
            .collect();
        let (_, content, end) = read(&lines);
        assert_eq!((&*content, end.is_ok()), ("Hello", true), "{status}");
        // It is no end either.
        let (_, _, end) = read(&lines[..lines.len() - 2]);
        assert_eq!(end, Err(Fault::EndedEarly), "{status}");
    }
    for error in [
        r#"data: {"type":"server_error","message":"boom"}"#,
        r#"data: {"type":"rate_limit","message":"boom"}"#,
        r#"data: {"type":"x","code":500,"message":"boom"}"#,
        r#"data: {"object":"error","type":"x","message":"boom"}"#,
        r#"data: {"type":"x","error":{"message":"boom"}}"#,
        r#"data: {"type":"x","detail":"boom"}"#,
        "event: status\ndata: {\"error\":\"boom\"}",
        "event: message\ndata: {\"message\":\"boom\"}",
        "event: stream_error\ndata: {\"message\":\"boom\"}",
    ] {
        let lines: Vec<&str> = [HELLO, ""].into_iter().chain(error.lines()).collect();
        let reason = "boom".to_owned();
        assert_eq!(
            read(&lines).2,
            Err(Fault::ModelFailed { reason }),
            "{error}"
        );
    }
}

/// Regression: Google's list of one error was shown as JSON, and an empty list ended the answer.
#[test]
fn a_list_of_one_object_is_that_object() {
    let (_, _, end) = read(&[HELLO, r#"data: [{"error":{"code":500,"message":"boom"}}]"#]);
    let reason = "boom".to_owned();
    assert_eq!(end, Err(Fault::ModelFailed { reason }));
    let (_, content, end) = read(&[
        "data: []",
        r#"data: [{"choices":[{"delta":{"content":"a"}}]}]"#,
        "data: [ ]",
        "data: [{}]",
        STOP,
    ]);
    assert_eq!((&*content, end.is_ok()), ("a", true));
    for error in ["event: error\ndata: []", "event: error\ndata: [{}]"] {
        let lines: Vec<&str> = error.lines().collect();
        assert!(matches!(read(&lines).2, Err(Fault::ModelFailed { .. })));
    }
}

/// Regression: the text of a part was said again at its end, and the whole text behind two of them, too.
#[test]
fn the_responses_api_says_each_text_once() {
    let event = |kind: &str, more: &str| format!(r#"data: {{"type":"response.{kind}",{more}}}"#);
    let delta = |text: &str| event("output_text.delta", &format!(r#""delta":"{text}""#));
    let done = |text: &str| event("output_text.done", &format!(r#""text":"{text}""#));
    let completed = |text: &str| {
        event(
            "completed",
            &format!(
                r#""response":{{"status":"completed","output":[{{"type":"message","content":[{{"type":"output_text","text":"{text}"}}]}}]}}"#
            ),
        )
    };
    for (events, text) in [
        (
            vec![
                delta("A"),
                done("A"),
                delta("B"),
                done("B"),
                completed("AB"),
            ],
            "AB",
        ),
        (vec![done("A"), done("B"), completed("AB")], "AB"),
        (vec![done("A"), completed("A")], "A"),
        (vec![delta("A"), delta("B"), completed("ABC")], "ABC"),
        (
            vec![
                event("output_audio_transcript.delta", r#""delta":"Hi""#),
                event("refusal.delta", r#""delta":"No""#),
                completed("HiNo"),
            ],
            "HiNo",
        ),
    ] {
        let lines: Vec<&str> = events.iter().map(String::as_str).collect();
        let (_, content, end) = read(&lines);
        assert_eq!((&*content, end.is_ok()), (text, true), "{lines:?}");
    }
    for kind in [
        "function_call_arguments.delta",
        "audio.delta",
        "mcp_call_arguments.delta",
    ] {
        let other = event(kind, r#""delta":"AAAA""#);
        let (_, content, end) = read(&[&delta("A"), &other, &done("A"), &completed("A")]);
        let fault = end.unwrap_err();
        assert_eq!(content, "A");
        assert!(fault.to_string().contains(kind), "{fault}");
    }
}

/// Regression: the last message of a server that takes the thinking out of it was said once more.
#[test]
fn a_message_that_ends_what_its_pieces_said_is_no_news() {
    let delta = |text: &str| format!(r#"data: {{"choices":[{{"delta":{{"content":"{text}"}}}}]}}"#);
    let message = |text: &str| {
        format!(
            r#"data: {{"choices":[{{"message":{{"content":"{text}"}},"finish_reason":"stop"}}]}}"#
        )
    };
    let think = delta("<think>x</think>");
    for (last, said) in [
        ("Yes.", "<think>x</think>Yes."),
        (" Yes. ", "<think>x</think>Yes."),
        ("No.", "<think>x</think>Yes.No."),
    ] {
        let (_, content, end) = read(&[&think, &delta("Yes."), &message(last)]);
        assert_eq!((&*content, end.is_ok()), (said, true), "{last}");
    }
    // Without pieces each message is one.
    let open = r#"data: {"choices":[{"message":{"content":"ha"}}]}"#;
    assert_eq!(read(&[open, open, &message("ha")]).1, "hahaha");
}

/// Regression: each word of a server that also sends it as the text of a completion was said twice.
#[test]
fn a_text_beside_a_message_is_no_second_one() {
    for choice in [
        r#""text":"ABC","delta":{"token_id":30,"role":"assistant","content":"ABC"}"#,
        r#""text":"ABC","message":{"content":"ABC"}"#,
        r#""text":"ABC","delta":{"role":"assistant"}"#,
        r#""text":"","delta":{"content":"ABC"}"#,
    ] {
        let line = format!(r#"data: {{"choices":[{{"index":0,"finish_reason":null,{choice}}}]}}"#);
        assert_eq!(read(&[&line, STOP]).1, "ABC", "{choice}");
    }
    let thinks = r#"data: {"choices":[{"text":"Hm","delta":{"reasoning":"Hm","content":""}}]}"#;
    let (thinking, content, _) = read(&[thinks, STOP]);
    assert_eq!((&*thinking, &*content), ("Hm", ""));
}

/// Regression: calls that were also parts of the content were not run.
#[test]
fn a_part_that_is_a_call_does_not_make_the_answer_unread() {
    let part = r#"data: {"choices":[{"delta":{"content":[{"type":"text","text":"a"},{"type":"tool_use","name":"f"}]}}]}"#;
    let call = r#"data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}}]}"#;
    assert!(read(&[part, call, STOP]).2.is_ok());
    assert!(matches!(
        read(&[part, STOP]).2,
        Err(Fault::PartsUnread { .. })
    ));
}

#[test]
fn a_stream_that_ends_after_its_reason_is_complete_and_any_other_is_not() {
    assert_eq!(read(&[HELLO, STOP]).2.unwrap().unwrap().0, DoneReason::Stop);
    assert_eq!(read(&[HELLO]).2, Err(Fault::EndedEarly));
}

#[test]
fn an_error_in_the_middle_ends_the_answer_in_each_form() {
    for line in [
        r#"data: {"error":{"code":500,"message":"boom","type":"server_error"}}"#,
        r#"error: {"code":500,"message":"boom","type":"server_error"}"#,
        r#"error: {"error":{"message":"boom"}}"#,
        r#"{"error":{"message":"boom"}}"#,
        r#"data: {"error":"boom"}"#,
        r#"data: {"detail":"boom"}"#,
        r#"data: {"detail":[{"msg":"boom"}]}"#,
        r#"data: {"message":"boom"}"#,
        r#"data: {"text":"boom"}"#,
        r#"data: {"error":["boom"],"choices":[]}"#,
        r#"data: {"choices":[{"delta":{},"error":{"message":"boom"}}]}"#,
        "error: boom",
    ] {
        let (_, content, end) = read(&[HELLO, line, HELLO]);
        assert_eq!(content, "Hello");
        assert_eq!(
            end,
            Err(Fault::ModelFailed {
                reason: "boom".into()
            }),
            "{line}"
        );
    }
    let overflow = r#"data: {"error":{"code":400,"type":"exceed_context_size_error","n_prompt_tokens":9,"n_ctx":8}}"#;
    assert!(matches!(
        read(&[overflow]).2,
        Err(Fault::ContextOverflow { .. })
    ));
}

/// The chunk is one of `llama-server` b11434.
#[test]
fn progress_of_reading_is_a_line_of_its_own() {
    let progress = |text: &str| {
        let line = format!(
            r#"data: {{"choices":[{{"finish_reason":null,"index":0,"delta":{{"role":"assistant","content":null}}}}],"prompt_progress":{text}}}"#
        );
        let line = parser().parse(line.as_bytes()).unwrap().unwrap();
        let reading = line.reading;
        let rest = ChatLine {
            reading: None,
            ..line
        };
        assert_eq!(rest, ChatLine::default(), "nothing but the progress");
        reading
    };
    assert_eq!(
        progress(r#"{"total":3030,"cache":3,"processed":2048,"time_ms":6512}"#),
        Some(ReadingProgress {
            total: 3030,
            cached: 3,
            processed: 2048,
            ms: 6512
        })
    );
    for none in [
        "null",
        "[]",
        "{}",
        r#"{"total":0,"processed":0}"#,
        r#"{"total":9}"#,
    ] {
        assert_eq!(progress(none), None, "{none}");
    }
    let odd = progress(r#"{"total":9,"processed":3,"cache":-1,"time_ms":-0.5}"#);
    assert_eq!(odd.map(|read| (read.cached, read.ms)), Some((0, 0)));
    let over = progress(r#"{"total":9,"processed":12,"cache":20}"#);
    assert_eq!(over.map(|read| (read.processed, read.cached)), Some((9, 9)));
}

#[test]
fn an_answer_that_thinks_has_the_id_by_which_its_thinking_is_ended() {
    let endable = |delta: &str, id: &str| {
        let line = format!(r#"data: {{"id":{id},"choices":[{{"delta":{{{delta}}}}}]}}"#);
        parser().parse(line.as_bytes()).unwrap().unwrap().endable
    };
    let thinks = r#""reasoning_content":"Well""#;
    assert_eq!(
        endable(thinks, r#""chatcmpl-1""#).as_deref(),
        Some("chatcmpl-1")
    );
    assert_eq!(endable(r#""content":"Yes""#, r#""chatcmpl-1""#), None);
    let long = format!("\"{}\"", "a".repeat(201));
    for strange in ["null", "7", r#""""#, r#""a b""#, r#""a\nb""#, &long] {
        assert_eq!(endable(thinks, strange), None, "{strange}");
    }
}

#[test]
fn strange_events_are_borne_and_unreadable_ones_are_said() {
    for line in [
        "data: {}",
        r#"data: {"choices":null,"usage":null}"#,
        r#"data: {"choices":[null]}"#,
        r#"data: {"choices":[{"delta":{"content":[],"reasoning_content":null},"finish_reason":3}],"error":null}"#,
        r#"data: {"choices":[{"delta":{}}],"error":""}"#,
    ] {
        assert_eq!(
            parser().parse(line.as_bytes()),
            Ok(Some(ChatLine::default())),
            "{line}"
        );
    }
    for line in ["data: [1]", "data: {oops", "{oops"] {
        let fault = parser().parse(line.as_bytes()).unwrap_err();
        assert!(
            matches!(fault, Fault::BrokenStream { .. }),
            "{line} {fault}"
        );
    }
    let half = b"data: {\"choices\":[{\"delta\":{\"content\":\"a\xe6b\"}}]}";
    assert_eq!(parser().parse(half).unwrap().unwrap().content, "a\u{fffd}b");
}

/// Regression: an event without data ended the answer.
#[test]
fn events_that_carry_nothing_are_skipped_and_a_broken_object_is_not() {
    for nothing in [
        "data:",
        "data: ",
        "data",
        "data: \"\"",
        "data: \"keep\"",
        "data: null",
        "data: hello",
        "data: 0",
        "event: ping",
        "event:",
        ":",
        "id: 1",
        "retry: 5",
        "event: ping\ndata: {\"message\":\"alive\"}",
    ] {
        let lines = [
            &[HELLO, ""][..],
            &nothing.lines().collect::<Vec<_>>()[..],
            &["", STOP, "", "data: [DONE]"][..],
        ];
        let (_, content, end) = read(&lines.concat());
        assert_eq!(
            (&*content, end.unwrap().unwrap().0),
            ("Hello", DoneReason::Stop),
            "{nothing}"
        );
    }
    for broken in [
        "data: {\"choices\":[",
        "data: {\"a\":1",
        "data: {\"a\" 1}",
        "data: [{},{}]",
    ] {
        let (_, content, end) = read(&[HELLO, "", broken, "", HELLO, "data: [DONE]"]);
        assert_eq!(content, "Hello", "{broken}");
        let fault = end.unwrap_err();
        assert!(
            matches!(fault, Fault::BrokenStream { .. }),
            "{broken} {fault}"
        );
        assert!(fault.to_string().contains(&broken[6..]), "{fault}");
    }
}

/// Regression: an event named `error` was not looked at, and nothing said why the answer broke off.
#[test]
fn an_event_named_error_ends_the_answer_whatever_its_data() {
    for (data, words) in [
        ("data: {\"message\":\"boom\"}", "boom"),
        ("data: {\"text\":\"boom\"}", "boom"),
        ("data: {\"error\":{\"message\":\"boom\"}}", "boom"),
        ("data: \"boom\"", "\"boom\""),
        ("data: boom goes\ndata: it", "boom goes\nit"),
        ("data: {oops", "{oops"),
        ("data: {\"status\":7}", "{\"status\":7}"),
        ("data: {}", ""),
        ("data:", ""),
        ("id: 1", ""),
    ] {
        let lines = [
            &[HELLO, "", "event: error"][..],
            &data.lines().collect::<Vec<_>>()[..],
            &["", HELLO][..],
        ];
        let (_, content, end) = read(&lines.concat());
        let reason = words.to_owned();
        assert_eq!(
            (&*content, end),
            ("Hello", Err(Fault::ModelFailed { reason })),
            "{data}"
        );
    }
}

#[test]
fn numbers_and_parts_are_text_and_what_is_none_is_said() {
    let (thinking, content, end) = read(&[
        r#"data: {"choices":[{"delta":{"content":4,"reasoning_content":[{"text":"t"}]}}]}"#,
        r#"data: {"choices":[{"delta":{"content":["a",{"type":"video","url":"u"}]},"finish_reason":"stop"}]}"#,
        "data: [DONE]",
    ]);
    assert_eq!((&*thinking, &*content), ("t", "4a"));
    let fault = end.unwrap_err().to_string();
    assert!(fault.contains("video: {\"type\":\"video\""), "{fault}");
}

#[test]
fn a_message_behind_its_pieces_is_not_said_twice() {
    let delta = |text: &str| format!(r#"data: {{"choices":[{{"delta":{{"content":"{text}"}}}}]}}"#);
    let message = |text: &str, more: &str| {
        format!(r#"data: {{{more}"choices":[{{"message":{{"content":"{text}"}}}}]}}"#)
    };
    for (events, text) in [
        (vec![delta("Hello."), message("Hello.", "")], "Hello."),
        (vec![delta("a"), delta("b"), message("ab", "")], "ab"),
        (vec![delta("a"), delta("b"), message("abc", "")], "abc"),
        (vec![delta(" a"), delta("b "), message("ab", "")], " ab "),
        (
            vec![delta("a"), message("a", r#""object":"chat.completion","#)],
            "a",
        ),
        (vec![delta("a"), delta("b"), message("c", "")], "abc"),
        (
            vec![message("a", ""), message("a", ""), message("b", "")],
            "aab",
        ),
        (
            vec![
                delta("\\ud83d"),
                message("😀!", r#""object":"chat.completion","#),
            ],
            "😀!",
        ),
    ] {
        let lines: Vec<&str> = events
            .iter()
            .map(String::as_str)
            .chain(["data: [DONE]"])
            .collect();
        let (_, content, end) = read(&lines);
        assert_eq!(content, text, "{lines:?}");
        assert!(end.is_ok());
    }
}

#[test]
fn a_compressed_stream_is_named() {
    let fault = parser().parse(b"\x1f\x8b\x08\0\0").unwrap_err();
    assert!(fault.to_string().contains("gzip"), "{fault}");
    let fault = parser().parse(b"\x28\xb5\x2f\xfd\0").unwrap_err();
    assert!(fault.to_string().contains("zstd"), "{fault}");
}

/// Many tiny pieces and one huge event are read in a time that grows with their length and no faster.
#[test]
fn the_cost_of_a_stream_grows_with_its_length() {
    let time = |count: usize| {
        let mut parser = parser();
        let begin = std::time::Instant::now();
        for _ in 0..count {
            parser.parse(HELLO.as_bytes()).unwrap();
            parser.parse(b"").unwrap();
        }
        // One event in as many lines.
        parser.parse(b"data: {\"choices\":[").unwrap();
        for _ in 0..count {
            parser.parse(b"data:          ").unwrap();
        }
        parser
            .parse(b"data: {\"delta\":{\"content\":\"!\"}}]}")
            .unwrap();
        begin.elapsed()
    };
    let (short, long) = (time(2_000), time(20_000));
    assert!(
        long < short * 50 + std::time::Duration::from_millis(200),
        "{short:?} {long:?}"
    );
}

proptest! {
    #[test]
    fn no_line_is_too_strange(line in proptest::collection::vec(any::<u8>(), 0..60), prefix in 0..4_usize) {
        let line = [[&b""[..], b"data: ", b"data:{", b"error: "][prefix], &line[..]].concat();
        drop(parser().parse(&line));
    }
}
