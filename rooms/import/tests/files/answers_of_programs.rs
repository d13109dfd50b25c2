//! Every word of an answer that another program exports is in the imported chat, or counted as left out.

use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};

const START: &str = "\u{e200}";
const NEXT: &str = "\u{e202}";
const END: &str = "\u{e201}";

/// A mark of ChatGPT.
pub fn mark(kind: &str, arguments: &[&str]) -> String {
    let arguments: String = arguments
        .iter()
        .map(|text| format!("{NEXT}{text}"))
        .collect();
    format!("{START}{kind}{arguments}{END}")
}

/// A message of ChatGPT.
pub fn said(role: &str, content: Value, metadata: Value) -> Value {
    json!({ "author": { "role": role }, "content": content, "metadata": metadata })
}

pub fn text(text: &str) -> Value {
    json!({ "content_type": "text", "parts": [text] })
}

/// A conversation of ChatGPT of these messages, one after the other.
pub fn chatgpt(messages: Vec<Value>) -> Value {
    let last = messages.len();
    let nodes = (0..).zip(messages).map(|(n, message)| {
        let parent = (n > 0).then(|| format!("n{}", n - 1));
        let children = if n + 1 < last { vec![format!("n{}", n + 1)] } else { vec![] };
        let node = json!({ "id": format!("n{n}"), "parent": parent, "children": children, "message": message });
        (format!("n{n}"), node)
    });
    let mapping: serde_json::Map<String, Value> = nodes.collect();
    json!({ "id": "c", "title": "T", "default_model_slug": "gpt", "current_node": format!("n{}", last - 1), "mapping": mapping })
}

/// A chat of Open WebUI of a question and this answer.
pub fn openwebui(mut answer: Value) -> Value {
    answer["id"] = json!("a");
    answer["parentId"] = json!("u");
    answer["role"] = json!("assistant");
    json!({ "id": "w", "title": "T", "chat": { "title": "T", "models": ["qwen3:4b"], "history": { "currentId": "a", "messages": {
        "u": { "id": "u", "parentId": null, "childrenIds": ["a"], "role": "user", "content": "Why?" },
        "a": answer,
    } } } })
}

/// The messages of the first chat of an export, and what was counted.
fn imported_chat(export: Value) -> (Vec<Message>, ImportNotes) {
    let mut log = log_of(&[]);
    let plan = planned(&mut log, &json!([export]).to_string());
    applied(&mut log, plan.clone()).unwrap();
    let chat = log.load(plan.chats[0].chat).unwrap();
    let messages = chat.path().into_iter().cloned().collect();
    (messages, plan.notes)
}

/// The last message.
pub fn answer(export: Value) -> (Message, ImportNotes) {
    let (mut messages, notes) = imported_chat(export);
    (messages.pop().unwrap(), notes)
}

/// What becomes of an answer of ChatGPT, and how many of its sources are counted as left out.
#[track_caller]
fn check_marks(said_text: &str, metadata: Value, expected: &str, sources: usize) {
    let export = chatgpt(vec![
        said("user", text("?"), json!({})),
        said("assistant", text(said_text), metadata),
    ]);
    let (answer, notes) = answer(export);
    assert_eq!(answer.content, expected);
    assert_eq!(notes.exported.sources, sources, "{said_text}");
}

/// A citation and a name once came in as their private characters, and the addresses were lost uncounted.
#[test]
fn marks_of_chatgpt_become_links_and_names() {
    let cite = mark("cite", &["turn0search0", "turn0news2"]);
    let page = json!({ "type": "grouped_webpages", "matched_text": cite, "alt": "([Soil atlas](https://example.org/soil))", "items": [
        { "title": "Soil atlas", "url": "https://example.org/soil?utm_source=chatgpt.com", "supporting_websites": [{ "title": "Field [notes]", "url": "https://example.org/a_(b)" }] },
    ] });
    let place = mark("entity", &["[\"place\",\"Lake Mälaren\",0]"]);
    let blank = json!({ "type": "sources_footnote", "matched_text": " ", "sources": [{ "title": "Soil atlas", "url": "https://example.org/soil" }] });
    check_marks(
        &format!("Clay, near {place}. {cite} It dries  slowly."),
        json!({ "content_references": [page, { "type": "entity", "matched_text": place, "name": "Lake Mälaren" }, blank] }),
        "Clay, near Lake Mälaren. ([Soil atlas](https://example.org/soil), [Field \\[notes\\]](https://example.org/a_%28b%29)) It dries  slowly.",
        0,
    );
    // A link with words of its own, a list of links, a file, a product.
    let link = mark("url", &["the survey", "turn1search4"]);
    let list = mark("navlist", &["In the news", "turn0news1,turn0news2"]);
    let file = mark("filecite", &["turn0file0", "L3-L9"]);
    let product = mark("product_entity", &["[\"turn0product3\",\"Red kettle\"]"]);
    check_marks(
        &format!("See {link}.\n\n{list}\n\nAs in the file {file}, buy the {product}."),
        json!({ "content_references": [
            { "type": "webpage", "matched_text": link, "title": "Survey of 2025", "url": "https://example.org/s" },
            { "type": "nav_list", "matched_text": list, "items": [{ "title": "One", "url": "https://example.org/1" }, { "title": "Two", "url": "https://example.org/2" }] },
            { "type": "file", "matched_text": file, "name": "plan.pdf", "id": "file_1" },
        ] }),
        "See [the survey](https://example.org/s).\n\nIn the news: [One](https://example.org/1), [Two](https://example.org/2)\n\nAs in the file (plan.pdf), buy the Red kettle.",
        0,
    );
    // The same mark twice, for two pages; only addresses that are safe.
    let again = mark("cite", &["turn0search1"]);
    check_marks(
        &format!("A {again}, b {again}, c {again}."),
        json!({ "content_references": [
            { "type": "grouped_webpages", "matched_text": again, "items": [{ "title": "A", "url": "https://a.example" }] },
            { "type": "grouped_webpages", "matched_text": again, "safe_urls": ["https://b.example/x"] },
        ] }),
        "A ([A](https://a.example)), b ([b.example](https://b.example/x)), c ([b.example](https://b.example/x)).",
        0,
    );
    check_marks(
        "[a](javascript:x) \u{e203}words\u{e204}",
        json!({}),
        "[a](javascript:x) \u{e203}words\u{e204}",
        0,
    );
}

#[test]
fn marks_without_a_source_leave_a_name_or_are_counted() {
    let cite = mark("cite", &["turn0search0"]);
    for (said_text, expected, sources) in [
        (format!("It freezes {cite}."), "It freezes.", 1),
        (
            format!("It freezes {cite} in May."),
            "It freezes in May.",
            1,
        ),
        (
            format!("{}{cite}", "\u{e203}It freezes\u{e204}"),
            "It freezes",
            1,
        ),
        (
            mark("entity", &["[\"people\",\"Ada Lovelace\",1]"]),
            "Ada Lovelace",
            0,
        ),
        (mark("url", &["The atlas", "turn0search1"]), "The atlas", 1),
        (
            mark(
                "products",
                &["{\"selections\":[[\"turn0product1\",\"Kettle\"],[\"turn0product2\",\"Pot\"]]}"],
            ),
            "Kettle, Pot",
            0,
        ),
        (mark("later_kind", &["some words"]), "some words", 1),
        // The end of an answer that was cut.
        (format!("Half {START}cite{NEXT}turn0se"), "Half", 1),
        (
            format!("Half {START}entity{NEXT}[\"place\",\"Lak"),
            "Half",
            1,
        ),
        // Its end is missing, and the answer goes on.
        (
            format!("A {START}cite{NEXT}turn0search0 and so on."),
            "A and so on.",
            1,
        ),
        (
            format!("A {START}filecite{NEXT}turn0file0{NEXT}L3-L9, then b c."),
            "A then b c.",
            1,
        ),
        // Symbols of a font for programmers, and code.
        (format!("{START} branch"), "\u{e200} branch", 0),
        (format!("`{cite}`"), &format!("`{cite}`") as &str, 0),
        (format!("```\n{cite}\n```"), &format!("```\n{cite}\n```"), 0),
        (
            "A【12†source】 and【3†plan.pdf】.".to_owned(),
            "A and(plan.pdf).",
            1,
        ),
        (
            "They say 【注】 and 【12】.".to_owned(),
            "They say 【注】 and 【12】.",
            0,
        ),
        (
            "So:contentReference[oaicite:0]{index=0}.".to_owned(),
            "So.",
            1,
        ),
    ] {
        check_marks(&said_text, json!({}), expected, sources);
    }
    // What the other program hides, and sources that no word points to.
    check_marks(
        &format!("A {cite}"),
        json!({ "content_references": [{ "type": "hidden", "matched_text": cite }] }),
        "A",
        1,
    );
    check_marks(
        "A b.",
        json!({ "content_references": [{ "type": "sources_footnote", "matched_text": " ", "sources": [{ "url": "https://a.example" }, { "url": "https://b.example" }, { "url": "https://a.example?utm_source=chatgpt.com" }] }] }),
        "A b.",
        2,
    );
    // What a person wrote is the person's.
    let export = chatgpt(vec![said("user", text(&cite), json!({}))]);
    assert_eq!(answer(export).0.content, cite);
}

#[test]
fn earlier_citations_of_chatgpt_are_found_by_their_place_or_number() {
    let cited = |extra: Value, title: &str| json!({ "metadata": { "type": "webpage", "title": title, "url": format!("https://example.org/{title}"), "extra": extra } });
    let mut first = cited(json!({}), "one");
    first["start_ix"] = json!(4);
    check_marks(
        "😀 so【7†source】, then【8†source】.",
        json!({ "citations": [first, cited(json!({ "cited_message_idx": 8 }), "two")] }),
        "😀 so([one](https://example.org/one)), then([two](https://example.org/two)).",
        0,
    );
    let cite = mark("cite", &["turn0search0"]);
    check_marks(
        &format!("Yes {cite}."),
        json!({ "content_references": [{ "type": "webpage", "start_idx": 4, "end_idx": 24, "title": "one", "url": "https://example.org/one" }] }),
        "Yes ([one](https://example.org/one)).",
        0,
    );
    check_marks(
        "None.",
        json!({ "citations": [cited(json!({}), "one")] }),
        "None.",
        1,
    );
}

#[test]
fn images_in_the_place_of_marks_are_named_and_counted() {
    let group = mark("image_group", &["{\"query\":[\"owl\"]}"]);
    let one = mark("i", &["turn0image2"]);
    let export = chatgpt(vec![said(
        "assistant",
        text(&format!("{group}\n\nAn owl {one}")),
        json!({ "content_references": [{ "type": "image_v2", "matched_text": one, "title": "Owl", "images": [{ "url": "https://example.org/owl.png" }] }] }),
    )]);
    let (answer, notes) = answer(export);
    assert_eq!(answer.content, "[image]\n\nAn owl [image: Owl]");
    assert_eq!(
        (notes.exported.images_absent, notes.exported.sources),
        (2, 0)
    );
}

#[test]
fn each_type_of_content_of_chatgpt_is_there_or_counted() {
    for (content, expected, no_text) in [
        (
            json!({ "content_type": "code", "language": "sql", "text": "select `a`" }),
            "```sql\nselect `a`\n```",
            0,
        ),
        (
            json!({ "content_type": "execution_output", "text": "42" }),
            "42",
            0,
        ),
        (
            json!({ "content_type": "multimodal_text", "parts": [{ "content_type": "audio_transcription", "text": "Spoken", "direction": "out" }] }),
            "Spoken",
            0,
        ),
        (
            json!({ "content_type": "tether_quote", "title": "Moss", "url": "https://example.org", "text": "It grows.", "domain": "example.org" }),
            "Moss\n\nhttps://example.org\n\nIt grows.",
            0,
        ),
        (
            json!({ "content_type": "tether_browsing_display", "result": "R", "summary": "S", "assets": null }),
            "R\n\nS",
            0,
        ),
        (
            json!({ "content_type": "system_error", "name": "Timeout", "text": "Too late" }),
            "Timeout\n\nToo late",
            0,
        ),
        (
            json!({ "content_type": "later", "blocks": [{ "words": "unseen" }] }),
            "[later]",
            1,
        ),
        (
            json!({ "content_type": "later", "text": "seen", "more": "unseen" }),
            "seen\n\n[later]",
            1,
        ),
        (
            json!({ "content_type": "text", "parts": { "0": "unseen" } }),
            "[text]",
            1,
        ),
    ] {
        let (answer, notes) = answer(chatgpt(vec![said("assistant", content.clone(), json!({}))]));
        assert_eq!(
            (answer.content.as_str(), notes.exported.no_text),
            (expected, no_text),
            "{content}"
        );
        assert_eq!(answer.model.as_deref(), Some("gpt"));
    }
    // A document of the canvas is its text, not the JSON of a call.
    let call =
        json!({ "name": "Letter", "type": "document", "content": "Dear Ida,\n\nthank you." })
            .to_string();
    let mut document = said(
        "assistant",
        json!({ "content_type": "code", "language": "json", "text": call }),
        json!({}),
    );
    document["recipient"] = json!("canmore.create_textdoc");
    assert_eq!(
        answer(chatgpt(vec![document])).0.content,
        "Letter\n\nDear Ida,\n\nthank you."
    );
}

/// Of two thoughts in a row only the second came in; and one that was not answered became part of the next question.
#[test]
fn no_thought_is_lost_or_becomes_part_of_a_question() {
    let thought = |words: &str| {
        let content = json!({ "content_type": "thoughts", "thoughts": [7, { "summary": "", "content": words }] });
        said("assistant", content, json!({}))
    };
    let (messages, _) = imported_chat(chatgpt(vec![
        said("user", text("Why?"), json!({})),
        thought("first"),
        thought("second"),
        said("assistant", text("So."), json!({})),
        said("user", text("And?"), json!({})),
        thought("third"),
        said("user", text("Well?"), json!({})),
    ]));
    let seen: Vec<(Role, &str, &str)> = messages
        .iter()
        .map(|m| (m.role, m.content.as_str(), m.thinking.as_str()))
        .collect();
    assert_eq!(
        seen,
        [
            (Role::User, "Why?", ""),
            (Role::Assistant, "So.", "first\n\nsecond"),
            (Role::User, "And?", ""),
            (Role::Assistant, "", "third"),
            (Role::User, "Well?", ""),
        ]
    );
    let hidden = json!({ "is_visually_hidden_from_conversation": true });
    let content = json!({ "content_type": "thoughts", "thoughts": [{ "content": "hidden" }] });
    let (_, notes) = imported_chat(chatgpt(vec![
        said("assistant", content, hidden),
        said("assistant", text("So."), json!({})),
    ]));
    assert_eq!(notes.exported.hidden, 1);
}

/// An answer that Open WebUI keeps in `output` alone once was lost, and not counted.
#[test]
fn an_answer_of_open_webui_is_read_from_its_output() {
    let part = |text: &str| json!([{ "type": "output_text", "text": text }]);
    let items = json!([
        { "type": "reasoning", "summary": null, "content": part("First the map."), "status": "completed" },
        { "type": "function_call", "call_id": "c1", "name": "find_road", "arguments": "{\"to\":\"Åre\"}" },
        { "type": "function_call_output", "call_id": "c1", "output": [{ "type": "input_text", "text": "E14" }] },
        { "type": "reasoning", "summary": [{ "type": "summary_text", "text": "Then the road." }], "content": [] },
        { "type": "message", "role": "assistant", "content": part("Take the E14.") },
        { "type": "open_webui:code_interpreter", "code": "print(1)", "lang": "python", "output": { "stdout": "1\n", "result": "" } },
        { "type": "message", "content": [{ "type": "refusal", "refusal": "Not that." }, { "type": "output_image", "url": "x" }] },
        { "type": "web_search_call", "action": { "query": "E14" } },
        { "type": "later", "content": "later words" },
    ]);
    let (answer, notes) = answer(openwebui(
        json!({ "content": "", "done": true, "output": items }),
    ));
    assert_eq!(
        answer.content,
        "[tool: find_road]\n\nTake the E14.\n\n```python\nprint(1)\n```\n\n```\n1\n```\n\nNot that.\n\n[output_image]\n\n[tool: web_search]\n\n[later]\n\nlater words"
    );
    assert_eq!(answer.thinking, "First the map.\n\nThen the road.");
    assert_eq!(answer.model.as_deref(), Some("qwen3:4b"));
    assert_eq!(notes.exported.no_text, 4);
    // Beside a text, what the text lacks is added, and nothing twice.
    let items = json!([
        { "type": "reasoning", "content": "thought" },
        { "type": "message", "content": part("One  two.") },
        { "type": "message", "content": part("Three.") },
    ]);
    let (answer, notes) =
        self::answer(openwebui(json!({ "content": "One two.", "output": items })));
    assert_eq!(
        (answer.content.as_str(), answer.thinking.as_str()),
        ("One two.\n\nThree.", "thought")
    );
    assert_eq!(notes.exported.no_text, 0);
}

/// An edited answer once had the former one behind it, code in pieces; a short paragraph was lost in a longer word.
#[test]
fn an_edited_answer_of_open_webui_stays_as_it_is() {
    let code = "```\none\n\ntwo\n```";
    for (content, output, expected, hidden) in [
        ("Mine.", &["Theirs.", "More."] as &[&str], "Mine.", 1),
        ("Theirs, mended.", &["Theirs."], "Theirs, mended.", 1),
        ("```\none\n\n2\n```", &[code], "```\none\n\n2\n```", 1),
        ("Yesterday.", &["Yes"], "Yesterday.", 1),
        ("Yesterday.", &["Yesterday.", "Yes"], "Yesterday.\n\nYes", 0),
        (
            "Before.",
            &["Before.", code],
            &format!("Before.\n\n{code}"),
            0,
        ),
        (
            "Half a",
            &["Half a sentence.", "End."],
            "Half a sentence.\n\nEnd.",
            0,
        ),
        ("A. B.", &["A.  B."], "A. B.", 0),
    ] {
        let items = output.iter();
        let items = items.map(|text| json!({ "type": "message", "content": text }));
        let items: Vec<Value> = items.collect();
        let (answer, notes) = answer(openwebui(json!({ "content": content, "output": items })));
        assert_eq!(
            (answer.content.as_str(), notes.exported.hidden),
            (expected, hidden),
            "{content}"
        );
    }
}

#[test]
fn what_else_open_webui_keeps_of_an_answer_is_there_or_counted() {
    let (answer, notes) = answer(openwebui(json!({
        "content": "A [1].\n<details type=\"tool_calls\" done=\"true\" name=\"clock\" arguments=\"&quot;{}&quot;\">\n<summary>Tool Executed</summary>\n&quot;noon&quot;\n</details>\nB.",
        "tool_calls": [{ "function": { "name": "clock" } }, { "function": { "name": "lamp" } }],
        "sources": [{ "source": { "name": "Moss", "url": "https://example.org/moss" } }, { "source": { "name": "notes.txt" } }],
        "merged": { "status": true, "content": "Both say A." },
    })));
    assert_eq!(
        answer.content,
        "A [1].\n\n[tool: clock]\n\nB.\n\n[tool: lamp]\n\nBoth say A."
    );
    assert_eq!((notes.exported.no_text, notes.exported.sources), (2, 2));
    for (error, why) in [
        (json!({ "message": "no room" }), "no room"),
        (json!({ "detail": "no key" }), "no key"),
        (json!({ "code": 7 }), "{\"code\":7}"),
        (json!(true), "words"),
    ] {
        let (answer, _) = self::answer(openwebui(json!({ "content": "words", "error": error })));
        assert_eq!(answer.outcome, sash_chat::Outcome::failed(why));
    }
    assert_eq!(
        notes.sentences(),
        [
            "2 parts of messages are not text; only their names are kept.",
            "2 sources of answers are left out, since their texts have no links to them.",
        ]
    );
}

#[test]
fn answers_of_claude_and_librechat_are_there_or_counted() {
    let claude = |content: Value, text: &str| json!({ "uuid": "c", "name": "T", "chat_messages": [{ "uuid": "m", "sender": "assistant", "text": text, "content": content }] });
    let cited = json!([{ "type": "text", "text": "Wet.", "citations": [{ "details": { "type": "web_search_citation", "url": "https://example.org/wet" } }] }]);
    let (answer, notes) = answer(claude(cited, ""));
    assert_eq!(
        (answer.content.as_str(), notes.exported.sources),
        ("Wet.", 1)
    );
    // A result whose call is elsewhere, and a text beside parts that are none.
    let lone = json!([{ "type": "tool_result", "name": "repl", "content": [{ "type": "text", "text": "5" }] }]);
    let (answer, notes) = self::answer(claude(lone, "Five."));
    assert_eq!(
        (answer.content.as_str(), notes.exported.no_text),
        ("[tool: repl]\n\nFive.", 1)
    );

    let note = "```\nThis block is not supported on your current device yet.\n```";
    let used =
        json!([{ "type": "tool_use", "name": "repl" }, { "type": "tool_result", "content": [] }]);
    let (answer, notes) = self::answer(claude(used, note));
    assert_eq!(
        (answer.content.as_str(), notes.exported.no_text),
        ("[tool: repl]", 1)
    );

    let librechat = |fields: Value| {
        let mut message = json!({ "messageId": "m", "isCreatedByUser": false, "sender": "AI" });
        message
            .as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        json!({ "conversationId": "l", "title": "T", "options": { "model": "m1" }, "messages": [message] })
    };
    let (answer, _) = self::answer(librechat(json!({ "text": ":::thinking\nHm.\n:::\nSo." })));
    assert_eq!(
        (answer.content.as_str(), answer.thinking.as_str()),
        ("So.", "Hm.")
    );
    assert_eq!(answer.model.as_deref(), Some("m1"));
    let think = json!([{ "type": "think", "think": "Hm." }]);
    let (answer, _) = self::answer(librechat(json!({ "text": "So.", "content": think })));
    assert_eq!(
        (answer.content.as_str(), answer.thinking.as_str()),
        ("So.", "Hm.")
    );
    // A short answer once was lost if its letters were in what was thought.
    for (thought, said_text, expected) in [
        ("Six times seven, so it is 42", "42", "42"),
        ("Yesterday or not?", "Yes", "Yes"),
        ("a then b", "b", "b"),
        ("Hm,\n\nhm.", "Hm, hm.", ""),
    ] {
        let think = json!([{ "type": "think", "think": thought }]);
        let (answer, _) = self::answer(librechat(json!({ "text": said_text, "content": think })));
        assert_eq!(
            (answer.content.as_str(), answer.thinking.as_str()),
            (expected, thought)
        );
    }
    let failed = json!([{ "type": "text", "text": "Half" }, { "type": "error", "error": "gone" }]);
    let (answer, _) = self::answer(librechat(json!({ "error": true, "content": failed })));
    assert_eq!(answer.content, "Half");
    assert_eq!(answer.outcome, sash_chat::Outcome::failed("gone"));
    let anchors = "Wet \\ue202turn0search0. \u{e203}Very\u{e204} \u{e202}turn0news1 \u{e200}\u{e202}turn0search0\u{e202}turn1ref2\u{e201}dry";
    let (answer, notes) = self::answer(librechat(json!({ "text": anchors })));
    assert_eq!(
        (answer.content.as_str(), notes.exported.sources),
        ("Wet. Very dry", 4)
    );
}

/// A text as Open WebUI escapes it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// A piece of an answer of Open WebUI that carries a word: for `content` and for `output`.
fn piece(kind: usize, word: &str) -> (String, Value) {
    let parts = json!([{ "type": "output_text", "text": format!("{word} & <b>") }]);
    let quoted = escaped(&json!({ "key": word }).to_string());
    match kind % 6 {
        0 => (
            format!("{word} & <b>\n"),
            json!({ "type": "message", "content": parts }),
        ),
        1 => (
            format!(
                "<details type=\"reasoning\" done=\"true\" duration=\"1\">\n<summary>Thought for 1 second</summary>\n{}\n</details>\n",
                escaped(&format!("> {word}"))
            ),
            json!({ "type": "reasoning", "summary": parts }),
        ),
        2 => (
            format!(
                "<details type=\"tool_calls\" done=\"true\" name=\"look\" arguments=\"{quoted}\" result=\"{quoted}\">\n<summary>Tool Executed</summary>\n</details>\n"
            ),
            json!({ "type": "function_call", "name": "look", "arguments": word }),
        ),
        3 => (
            format!(
                "<details type=\"code_interpreter\" done=\"true\" output=\"{}\">\n<summary>Analyzed</summary>\n```python\nprint()\n```\n</details>\n",
                escaped(&json!({ "stdout": word }).to_string())
            ),
            json!({ "type": "open_webui:code_interpreter", "code": word }),
        ),
        4 => (
            format!("<details type=\"later\"><summary>S</summary>{word}</details>\n"),
            json!({ "type": "later_call", "arguments": word }),
        ),
        _ => (
            format!("```html\n<details type=\"reasoning\">{word}\n```\n"),
            json!({ "type": "message", "content": word }),
        ),
    }
}

/// A message of ChatGPT that carries a word.
fn turn(kind: usize, word: &str) -> Value {
    let cite = mark("cite", &["turn0search0"]);
    let reference = |kind: &str, more: Value| {
        let mut reference = json!({ "type": kind, "matched_text": cite });
        reference
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        json!({ "content_references": [reference] })
    };
    let page = json!({ "items": [{ "title": "x", "url": format!("https://example.org/{word}") }] });
    let cited = text(&format!("so {cite}"));
    match kind % 12 {
        0 => said("assistant", text(word), json!({})),
        1 => said("assistant", cited, reference("grouped_webpages", page)),
        2 => said(
            "assistant",
            cited,
            reference("file", json!({ "name": word })),
        ),
        3 => said(
            "assistant",
            text("plain"),
            reference("sources_footnote", page),
        ),
        4 => said(
            "assistant",
            text(&mark("entity", &[&json!(["place", word, 0]).to_string()])),
            json!({}),
        ),
        5 => said(
            "assistant",
            text(&format!("a {START}cite{NEXT}{word}")),
            json!({}),
        ),
        6 => said(
            "assistant",
            text(&mark("url", &[word, "turn0search1"])),
            json!({}),
        ),
        7 => said(
            "assistant",
            json!({ "content_type": "thoughts", "thoughts": [{ "summary": word }] }),
            json!({}),
        ),
        8 => said(
            "tool",
            json!({ "content_type": "execution_output", "text": word }),
            json!({}),
        ),
        9 => said(
            "assistant",
            json!({ "content_type": "later", "rows": [[word]] }),
            json!({}),
        ),
        10 => said(
            "assistant",
            text(&mark(
                "products",
                &[&json!({ "selections": [["turn0product0", word]] }).to_string()],
            )),
            json!({}),
        ),
        _ => said(
            "assistant",
            json!({ "content_type": "model_editable_context", "model_set_context": word }),
            json!({}),
        ),
    }
}

/// How many words are in none of the messages, and how much is counted as left out.
fn lost(export: Value, words: usize) -> (usize, usize) {
    let (messages, notes) = imported_chat(export);
    let all: String = messages
        .iter()
        .map(|m| format!("{} {}\n", m.content, m.thinking))
        .collect();
    let absent = (0..words)
        .filter(|n| !all.contains(&format!("word{n}x")))
        .count();
    assert!(
        !all.contains("&quot;") && !all.contains("<details type=\"tool"),
        "{all}"
    );
    (
        absent,
        notes.exported.no_text + notes.exported.sources + notes.exported.hidden,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn each_word_of_an_answer_of_open_webui_is_there_or_counted(
        kinds in proptest::collection::vec(0..6_usize, 1..8),
        in_output in any::<bool>(),
    ) {
        let pieces = kinds.iter().enumerate().map(|(n, kind)| piece(*kind, &format!("word{n}x")));
        let (content, output): (Vec<String>, Vec<Value>) = pieces.unzip();
        let answer = match in_output {
            true => json!({ "content": "", "output": output }),
            false => json!({ "content": content.concat() }),
        };
        let (absent, counted) = lost(openwebui(answer), kinds.len());
        prop_assert!(absent <= counted, "{absent} absent, {counted} counted");
    }

    #[test]
    fn each_word_of_an_answer_of_chatgpt_is_there_or_counted(
        kinds in proptest::collection::vec(0..12_usize, 1..8),
    ) {
        let turns = kinds.iter().enumerate().map(|(n, kind)| turn(*kind, &format!("word{n}x")));
        let mut turns: Vec<Value> = turns.collect();
        turns.insert(0, said("user", text("?"), json!({})));
        let (absent, counted) = lost(chatgpt(turns), kinds.len());
        prop_assert!(absent <= counted, "{absent} absent, {counted} counted");
    }
}
