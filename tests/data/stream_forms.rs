//! The forms in which engines send an answer, each with what is to be read of it. The table in
//! `kernel/server/src/engine/README.md` names them.

/// One form of an answer.
pub struct StreamForm {
    pub name: &'static str,
    /// Whether it is of Ollama's API and not of OpenAI's.
    pub is_ollama: bool,
    pub content_type: &'static str,
    pub body: &'static str,
    pub thinking: &'static str,
    pub text: &'static str,
    /// The calls of tools as JSON, `name arguments` each, joined by blanks.
    pub calls: &'static str,
    /// The code of the fault that ends the answer; empty for one that is complete.
    pub fault: &'static str,
}

const EVENTS: &str = "text/event-stream";
const JSON: &str = "application/json";
const LINES: &str = "application/x-ndjson";

const fn events(
    name: &'static str,
    body: &'static str,
    thinking: &'static str,
    text: &'static str,
) -> StreamForm {
    StreamForm {
        name,
        is_ollama: false,
        content_type: EVENTS,
        body,
        thinking,
        text,
        calls: "",
        fault: "",
    }
}

const fn ollama(
    name: &'static str,
    body: &'static str,
    thinking: &'static str,
    text: &'static str,
) -> StreamForm {
    StreamForm {
        is_ollama: true,
        content_type: LINES,
        ..events(name, body, thinking, text)
    }
}

const fn calling(calls: &'static str, form: StreamForm) -> StreamForm {
    StreamForm { calls, ..form }
}

const fn failing(fault: &'static str, form: StreamForm) -> StreamForm {
    StreamForm { fault, ..form }
}

const fn document(form: StreamForm) -> StreamForm {
    StreamForm {
        content_type: JSON,
        ..form
    }
}

pub const FORMS: &[StreamForm] = &[
    // Ollama.
    ollama(
        "ollama: lines with thinking and text",
        "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"\",\"thinking\":\"Hm \u{65e5}.\"},\"done\":false}\n{\"message\":{\"role\":\"assistant\",\"content\":\"Gr\u{fc}\u{df}e \"},\"done\":false}\n{\"message\":{\"content\":\"\u{1f600}.\"},\"done\":false}\n{\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\",\"eval_count\":3}\n",
        "Hm 日.",
        "Grüße 😀.",
    ),
    calling(
        r#"f {"x":1} g {}"#,
        ollama(
            "ollama: calls",
            "{\"message\":{\"content\":\"\",\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":{\"x\":1}}}]}}\n{\"message\":{\"tool_calls\":[{\"function\":{\"name\":\"g\",\"arguments\":{}}}]},\"done\":true}\n",
            "",
            "",
        ),
    ),
    ollama(
        "ollama: halves of a character",
        "{\"message\":{\"content\":\"a\\ud83d\"}}\n{\"message\":{\"content\":\"\\ude00b\"}}\n{\"message\":{\"content\":null},\"done\":true}\n",
        "",
        "a😀b",
    ),
    ollama(
        "ollama: parts in the place of a text",
        "{\"message\":{\"content\":[{\"type\":\"thinking\",\"thinking\":\"t\"},{\"type\":\"text\",\"text\":\"a\"}]}}\r\n{\"message\":{\"content\":\"b\"},\"done\":true}",
        "t",
        "ab",
    ),
    ollama(
        "ollama: one object in several lines",
        "{\n  \"message\": {\n    \"content\": \"a } b\"\n  },\n  \"done\": true\n}\n",
        "",
        "a } b",
    ),
    ollama(
        "ollama: the lines of /api/generate",
        "{\"response\":\"a\",\"done\":false}\n{\"response\":\"b\",\"done\":true}\n",
        "",
        "ab",
    ),
    failing(
        "model_failed",
        ollama(
            "ollama: an error in mid-stream",
            "{\"message\":{\"content\":\"a\"}}\n{\"error\":\"an error was encountered\"}\n",
            "",
            "a",
        ),
    ),
    failing(
        "ended_early",
        ollama(
            "ollama: no last line",
            "{\"message\":{\"content\":\"a\"},\"done\":false}\n",
            "",
            "a",
        ),
    ),
    // The chat API of OpenAI.
    events(
        "openai: pieces",
        "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null},\"logprobs\":null,\"finish_reason\":null}],\"usage\":null}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Gr\u{fc}\u{df}e \"},\"finish_reason\":null}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\u{1f600}.\"},\"finish_reason\":null}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n",
        "",
        "Grüße 😀.",
    ),
    events(
        "openai: a refusal",
        "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":null,\"refusal\":\"I cannot \"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"refusal\":\"help.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        "",
        "I cannot help.",
    ),
    calling(
        r#"f {"x":"é"} g {"y":[1]}"#,
        events(
            "openai: calls in pieces",
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"call_a\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"\"}}]}}]}\n\ndata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"x\\\":\"}}]}}]}\n\ndata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"\\\"\u{e9}\\\"}\"}}]}}]}\n\ndata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":\"call_b\",\"function\":{\"name\":\"g\",\"arguments\":\"{\\\"y\\\":[1]}\"}}]}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
            "",
            "",
        ),
    ),
    calling(
        r#"f {"x":1}"#,
        events(
            "openai: the function call of former versions",
            "data: {\"choices\":[{\"delta\":{\"function_call\":{\"name\":\"f\",\"arguments\":\"\"}}}]}\n\ndata: {\"choices\":[{\"delta\":{\"function_call\":{\"arguments\":\"{\\\"x\\\":1}\"}}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"function_call\"}]}\n\n",
            "",
            "",
        ),
    ),
    events(
        "openai: several choices",
        "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"no\"}},{\"index\":0,\"delta\":{\"content\":\"y\"}}]}\n\ndata: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"no\"},\"finish_reason\":\"length\"}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"es\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        "",
        "yes",
    ),
    events(
        "openai: the completions API",
        "data: {\"object\":\"text_completion\",\"choices\":[{\"text\":\"a\",\"index\":0}]}\n\ndata: {\"choices\":[{\"text\":\"b\",\"index\":0,\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        "",
        "ab",
    ),
    failing(
        "content_filtered",
        events(
            "openai: a content filter",
            "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}\n\ndata: [DONE]\n\n",
            "",
            "a",
        ),
    ),
    // llama-server.
    events(
        "llama-server: thinking, progress and times",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":null}}],\"prompt_progress\":{\"total\":9,\"cache\":0,\"processed\":9,\"time_ms\":3}}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning_content\":\"Hm.\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Yes.\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"timings\":{\"prompt_n\":9,\"prompt_ms\":3.0}}\n\ndata: [DONE]\n\n",
        "Hm.",
        "Yes.",
    ),
    failing(
        "model_failed",
        events(
            "llama-server: an error as a field of its own",
            "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\nerror: {\"code\":500,\"message\":\"slot unavailable\",\"type\":\"server_error\"}\n\n",
            "",
            "a",
        ),
    ),
    events(
        "llama-server: the events of /completion",
        "data: {\"index\":0,\"content\":\"a\",\"stop\":false}\n\ndata: {\"index\":0,\"content\":\"b\",\"stop\":true,\"stop_type\":\"eos\"}\n\n",
        "",
        "ab",
    ),
    // vLLM and SGLang.
    events(
        "vllm: thinking in two fields",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning\":\"Hm.\",\"reasoning_content\":\"Hm.\"},\"logprobs\":null,\"token_ids\":null}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning\":\" Well.\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Yes.\"},\"finish_reason\":\"stop\",\"stop_reason\":null}]}\n\ndata: [DONE]\n\n",
        "Hm. Well.",
        "Yes.",
    ),
    failing(
        "model_failed",
        events(
            "vllm: an error in mid-stream",
            "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"error\":{\"message\":\"EngineCore died\",\"type\":\"InternalServerError\",\"code\":500}}\n\ndata: [DONE]\n\n",
            "",
            "a",
        ),
    ),
    failing(
        "model_failed",
        events(
            "sglang: an error of the object itself",
            "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"object\":\"error\",\"message\":\"The request was dropped\",\"type\":\"X\",\"code\":500}\n\n",
            "",
            "a",
        ),
    ),
    failing(
        "ended_early",
        events(
            "sglang: an answer that it gave up",
            "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"abort\"}]}\n\ndata: [DONE]\n\n",
            "",
            "a",
        ),
    ),
    // LM Studio.
    failing(
        "model_failed",
        events(
            "lm studio: an event named error",
            "data: {\"choices\":[{\"delta\":{\"reasoning\":\"Hm.\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\nevent: error\ndata: {\"error\":{\"message\":\"The model was unloaded\"}}\n\n",
            "Hm.",
            "a",
        ),
    ),
    // Gateways.
    events(
        "gateway: parts of Mistral",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":[{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\",\"text\":\"Let me \"}]}]}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":[{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\",\"text\":\"see.\"}]},{\"type\":\"text\",\"text\":\"Yes, \"}]}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"it \u{1f30d} does.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        "Let me see.",
        "Yes, it 🌍 does.",
    ),
    failing(
        "parts_unread",
        events(
            "gateway: parts that are no text",
            "data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:,\"}}]}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
            "",
            "ab",
        ),
    ),
    events(
        "gateway: thinking in details",
        ": GATEWAY PROCESSING\n\ndata: {\"provider\":\"x\",\"choices\":[{\"delta\":{\"content\":\"\",\"reasoning\":\"Hm.\",\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":\"Hm.\",\"index\":0}]}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\",\"reasoning_details\":[{\"type\":\"reasoning.encrypted\",\"data\":\"AAAA\"}]}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\",\"native_finish_reason\":\"STOP\"}]}\n\ndata: [DONE]\n\n",
        "Hm.",
        "a",
    ),
    events(
        "gateway: messages in the place of pieces",
        "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"message\":{\"content\":\"ha\"}}]}\n\ndata: {\"choices\":[{\"message\":{\"content\":\"ha\"}}]}\n\ndata: {\"choices\":[{\"message\":{\"content\":\"!\"},\"finish_reason\":\"stop\"}]}\n\n",
        "",
        "haha!",
    ),
    events(
        "gateway: the whole message behind its pieces",
        "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"lo.\"}}]}\n\ndata: {\"choices\":[{\"message\":{\"content\":\"Hello.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        "",
        "Hello.",
    ),
    events(
        "gateway: the whole answer as one event",
        "data: {\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"Whole.\",\"reasoning_content\":\"Hm.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        "Hm.",
        "Whole.",
    ),
    document(events(
        "gateway: the whole answer as a document",
        "{\n  \"object\": \"chat.completion\",\n  \"choices\": [\n    {\n      \"index\": 0,\n      \"message\": {\"role\": \"assistant\", \"content\": \"Whole \u{65e5}.\"},\n      \"finish_reason\": \"stop\"\n    }\n  ],\n  \"usage\": {\"prompt_tokens\": 3}\n}\n",
        "",
        "Whole 日.",
    )),
    calling(
        r#"f {"x":1}"#,
        document(events(
            "gateway: a document with a call",
            "{\"object\":\"chat.completion\",\"choices\":[{\"message\":{\"content\":null,\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"x\\\":1}\"}}]},\"finish_reason\":\"tool_calls\"}]}",
            "",
            "",
        )),
    ),
    document(events(
        "gateway: events under the name of a document",
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        "",
        "a",
    )),
    calling(
        r#"f {"x":1} f {"x":2}"#,
        events(
            "gateway: two calls with one index",
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"x\\\":1}\"}}]}}]}\n\ndata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"x\\\":2}\"}}]}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
            "",
            "",
        ),
    ),
    events(
        "gateway: halves of a character",
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\\ud83d\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"\\ude00b\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"reasoning_content\":\"\\ud83c\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"reasoning_content\":\"\\udf0d\"},\"finish_reason\":\"stop\"}]}\n\n",
        "🌍",
        "a😀b",
    ),
    events(
        "gateway: events that carry nothing",
        "\u{feff}: hello\n\nretry: 10\nid: 7\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata:\n\ndata: \n\ndata\n\ndata: \"\"\n\ndata: null\n\ndata: alive\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\nevent: ping\n\ndata: {}\n\n\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        "",
        "ab",
    ),
    events(
        "gateway: lines that end with CR LF",
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\r\n\r\ndata: {\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}\r\n\r\ndata: [DONE]\r\n\r\n",
        "",
        "ab",
    ),
    events(
        "gateway: lines that end with CR",
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\r\rdata: {\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}\r\rdata: [DONE]\r\r",
        "",
        "ab",
    ),
    events(
        "gateway: data in several lines",
        "event: message\ndata: {\"choices\":\ndata: [{\"delta\":\ndata: {\"content\":\"a\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"b\"},\ndata: \"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        "",
        "ab",
    ),
    failing(
        "broken_stream",
        events(
            "gateway: a broken object",
            "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"lost\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
            "",
            "a",
        ),
    ),
    failing(
        "model_failed",
        events(
            "gateway: an event named error without data",
            "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\nevent: error\n\ndata: [DONE]\n\n",
            "",
            "a",
        ),
    ),
    failing(
        "model_failed",
        events(
            "gateway: an event named error with words",
            "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\nevent: error\ndata: The upstream\ndata: is gone\n\n",
            "",
            "a",
        ),
    ),
    failing(
        "model_failed",
        events(
            "gateway: the detail of FastAPI in mid-stream",
            "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"detail\":[{\"loc\":[\"body\",\"n\"],\"msg\":\"bad\"}]}\n\n",
            "",
            "a",
        ),
    ),
    failing(
        "model_failed",
        events(
            "gateway: an error beside a last piece",
            "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"error\"}],\"error\":{\"message\":\"overloaded\"}}\n\n",
            "",
            "ab",
        ),
    ),
    events(
        "gateway: the responses API",
        "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"status\":\"in_progress\",\"output\":[]}}\n\nevent: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"Hel\"}\n\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"lo.\"}\n\ndata: {\"type\":\"response.output_text.done\",\"text\":\"Hello.\"}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"Hello.\"}]}]}}\n\n",
        "",
        "Hello.",
    ),
    document(events(
        "gateway: a document of the responses API",
        "{\"object\":\"response\",\"status\":\"completed\",\"output\":[{\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"Hm.\"}]},{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"Hello.\"}]}],\"output_text\":\"Hello.\"}",
        "Hm.",
        "Hello.",
    )),
    events(
        "gateway: the events of Anthropic",
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"role\":\"assistant\",\"content\":[]}}\n\nevent: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"Hm.\"}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"Yes.\"}}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
        "Hm.",
        "Yes.",
    ),
    // Reported forms in which a text, a call or an end comes in two ways.
    events(
        "gateway: the text of a completion beside the piece",
        "data: {\"choices\":[{\"index\":0,\"text\":\"Hel\",\"finish_reason\":null,\"delta\":{\"token_id\":30,\"role\":\"assistant\",\"content\":\"Hel\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"text\":\"lo.\",\"delta\":{\"content\":\"lo.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        "",
        "Hello.",
    ),
    events(
        "gateway: the message so far with each piece",
        "data: {\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hel\"},\"message\":{\"content\":\"Hel\"},\"finish_reason\":null}]}\n\ndata: {\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"lo.\"},\"message\":{\"content\":\"Hello.\"},\"finish_reason\":\"stop\"}]}\n\n",
        "",
        "Hello.",
    ),
    failing(
        "ended_early",
        events(
            "gateway: the message so far with each piece, cut off",
            "data: {\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hel\"},\"message\":{\"content\":\"Hel\"},\"finish_reason\":null}]}\n\ndata: {\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"lo\"},\"message\":{\"content\":\"Hello\"},\"finish_reason\":null}]}\n\n",
            "",
            "Hello",
        ),
    ),
    events(
        "gateway: a last message without its thinking",
        "data: {\"choices\":[{\"delta\":{\"content\":\"Well. \"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"Yes.\"}}]}\n\ndata: {\"choices\":[{\"message\":{\"content\":\"Yes.\"},\"finish_reason\":\"stop\"}]}\n\n",
        "",
        "Well. Yes.",
    ),
    events(
        "gateway: two texts of the responses API",
        "data: {\"type\":\"response.output_text.delta\",\"delta\":\"A\"}\n\ndata: {\"type\":\"response.output_text.done\",\"text\":\"A\"}\n\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"B\"}\n\ndata: {\"type\":\"response.output_text.done\",\"text\":\"B\"}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"A\"},{\"type\":\"output_text\",\"text\":\"B\"}]}]}}\n\n",
        "",
        "AB",
    ),
    failing(
        "parts_unread",
        events(
            "gateway: a call of the responses API",
            "data: {\"type\":\"response.output_text.delta\",\"delta\":\"A\"}\n\ndata: {\"type\":\"response.function_call_arguments.delta\",\"delta\":\"{\\\"x\\\":1}\"}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[]}}\n\n",
            "",
            "A",
        ),
    ),
    calling(
        r#"f {"x":1}"#,
        events(
            "gateway: a call that is a part, too",
            "data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"tool_use\",\"name\":\"f\",\"input\":{\"x\":1}}],\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"x\\\":1}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
            "",
            "a",
        ),
    ),
    calling(
        r#"f {"x":1}"#,
        events(
            "gateway: a call once more in the last message",
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"x\\\":1}\"}}]}}]}\n\ndata: {\"choices\":[{\"message\":{\"content\":null,\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"x\\\": 1}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n",
            "",
            "",
        ),
    ),
    events(
        "gateway: events that tell how far it is",
        "event: status\ndata: {\"type\":\"status\",\"message\":\"Queued\"}\n\ndata: {\"object\":\"heartbeat\",\"message\":\"alive\"}\n\ndata: []\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"null\"}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"b\",\"thinking\":false,\"refusal\":false},\"finish_reason\":\"stop\"}]}\n\n",
        "",
        "ab",
    ),
    failing(
        "model_failed",
        events(
            "gateway: an error in a list",
            "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [{\"error\":{\"code\":500,\"message\":\"boom\",\"status\":\"INTERNAL\"}}]\n\n",
            "",
            "a",
        ),
    ),
];
