//! Chats that an earlier version of Sash imported, which read less of an export: the same export adds to them and makes
//! no copy of them.

use super::answers_of_programs::{chatgpt, mark, openwebui, said, text};
use super::*;
use sash_chat::{Outcome, Position};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The log as an earlier version left it: `change` gives each message of the export what that version read, and says
/// whether it read it at all.
fn former_log(
    export: &Value,
    change: impl Fn(&mut Message) -> bool,
) -> (Log<MemoryStore>, Id, String) {
    let file = json!([export]).to_string();
    let mut log = log_of(&[]);
    let plan = planned(&mut log, &file);
    let id = plan.chats[0].chat;
    applied(&mut log, plan).unwrap();
    let now = log.load(id).unwrap();
    let mut former = Chat::new(now.head.clone());
    let mut left_out: BTreeMap<Id, Option<Id>> = BTreeMap::new();
    let mut last = None;
    for message in now.messages() {
        let mut message = message.clone();
        while let Some(before) = message.parent.and_then(|parent| left_out.get(&parent)) {
            message.parent = *before;
        }
        if change(&mut message) {
            message.seq = former.next_seq();
            last = Some((message.id, message.seq));
            former.insert(message);
        } else {
            left_out.insert(message.id, message.parent);
        }
    }
    former.head.at = last.map(|(leaf, seq)| Position { leaf, seq });
    (log_of(&[former]), id, file)
}

/// Changes the last answer, which is the one that an earlier version read otherwise.
fn answer(change: impl Fn(&mut Message)) -> impl Fn(&mut Message) -> bool {
    move |message| {
        if message.role == Role::Assistant {
            message.model = None;
            change(message);
        }
        true
    }
}

#[track_caller]
fn check_known(export: &Value, change: impl Fn(&mut Message)) {
    let (mut log, id, file) = former_log(export, answer(change));
    let before = dump(log.store());
    assert_eq!(imported(&mut log, &file), [ImportOutcome::Here], "{export}");
    assert_eq!(dump(log.store()), before);
    // What a person edited there since is another chat, as before.
    let mut chat = log.load(id).unwrap();
    let mut edited = chat.messages().next_back().unwrap().clone();
    edited.content.push_str(" edited");
    chat.insert(edited);
    let mut log = log_of(&[chat]);
    let fates = imported(&mut log, &file);
    assert_eq!(fates, [ImportOutcome::Copy(CopyReason::Differs)]);
}

#[test]
fn a_chat_of_an_earlier_version_is_known_whatever_is_read_better_now() {
    let cite = mark("cite", &["turn0search0"]);
    let raw = format!("Clay {cite}, mostly.");
    let page = json!({ "type": "webpage", "matched_text": cite, "title": "Soil", "url": "https://example.org/soil" });
    let cited = said(
        "assistant",
        text(&raw),
        json!({ "content_references": [page] }),
    );
    let question = || said("user", text("Why?"), json!({}));
    check_known(&chatgpt(vec![question(), cited]), |m| {
        m.content.clone_from(&raw);
    });
    let thought = |words: &str| {
        let thoughts = json!([{ "summary": "", "content": words, "chunks": [] }]);
        let content = json!({ "content_type": "thoughts", "thoughts": thoughts });
        said("assistant", content, json!({}))
    };
    let so = || said("assistant", text("So."), json!({}));
    let twice = chatgpt(vec![question(), thought("first"), thought("second"), so()]);
    check_known(&twice, |m| "second".clone_into(&mut m.thinking));
    let error = json!({ "content_type": "system_error", "name": "Timeout", "text": "too slow" });
    let failed = chatgpt(vec![question(), said("assistant", error, json!({}))]);
    check_known(&failed, |m| "too slow".clone_into(&mut m.content));

    let calls =
        "A.\n<details type=\"tool_calls\" name=\"clock\">\n<summary>Done</summary>\n</details>\nB.";
    check_known(&openwebui(json!({ "content": calls })), |m| {
        calls.clone_into(&mut m.content);
    });
    let items =
        json!([{ "type": "message", "content": "One." }, { "type": "message", "content": "Two." }]);
    let output = openwebui(json!({ "content": "One.", "output": items }));
    check_known(&output, |m| "One.".clone_into(&mut m.content));
    let failed = openwebui(json!({ "content": "words", "error": { "message": "no room" } }));
    check_known(&failed, |m| m.outcome = Outcome::Complete);

    let lone = json!([{ "type": "tool_result", "name": "repl" }]);
    let claude = json!({ "uuid": "c", "chat_messages": [{ "uuid": "m", "sender": "assistant", "text": "Five.", "content": lone }] });
    check_known(&claude, |m| "Five.".clone_into(&mut m.content));

    let thinking = ":::thinking\nHm.\n:::\nSo \u{e202}turn0search0.";
    let librechat = json!({ "conversationId": "l", "options": { "model": "m1" }, "messages": [{ "messageId": "m", "isCreatedByUser": false, "text": thinking }] });
    check_known(&librechat, |m| {
        thinking.clone_into(&mut m.content);
        m.thinking.clear();
    });

    let tags = "<think>Hm.</think>So.";
    let hollama = json!({ "id": "h", "model": "gemma2:2b", "messages": [{ "role": "user", "content": "Why?" }, { "role": "assistant", "content": tags }] });
    let change = |m: &mut Message| {
        tags.clone_into(&mut m.content);
        m.thinking.clear();
    };
    check_known(&hollama, change);
}

/// The chat's model is that of an answer which names none, and may be another one at the next export.
#[test]
fn another_model_of_the_chat_makes_no_copy() {
    let mut export = openwebui(json!({ "content": "So." }));
    let mut log = log_of(&[]);
    assert_eq!(
        imported(&mut log, &json!([export]).to_string()),
        [ImportOutcome::New]
    );
    export["chat"]["models"] = json!(["llama3.2"]);
    assert_eq!(
        imported(&mut log, &json!([export]).to_string()),
        [ImportOutcome::Here]
    );
}

/// The messages of the branch that is shown.
fn shown(log: &mut Log<MemoryStore>, chat: Id) -> Vec<String> {
    let chat = log.load(chat).unwrap();
    chat.path().iter().map(|m| m.content.clone()).collect()
}

fn row(messages: &[(&str, Value)]) -> Value {
    let ids = (0..messages.len()).map(|n| format!("m{n}"));
    let entries = ids
        .zip(messages)
        .enumerate()
        .map(|(n, (id, (role, fields)))| {
            let parent = n.checked_sub(1).map(|n| format!("m{n}"));
            let mut message = json!({ "id": id, "parentId": parent, "role": role, "model": "m" });
            let all = message.as_object_mut().unwrap();
            all.extend(fields.as_object().unwrap().clone());
            (id, message)
        });
    let entries: serde_json::Map<String, Value> = entries.collect();
    let last = format!("m{}", messages.len() - 1);
    json!({ "id": "w", "chat": { "models": ["m"], "history": { "currentId": last, "messages": entries } } })
}

#[test]
fn what_an_earlier_version_left_out_comes_in_and_the_chat_is_shown_as_it_was() {
    let output =
        json!({ "content": "", "output": [{ "type": "message", "content": "Take the E14." }] });
    let mut messages = vec![
        ("user", json!({ "content": "Which road?" })),
        ("assistant", output),
        ("user", json!({ "content": "And then?" })),
        ("assistant", json!({ "content": "Left." })),
    ];
    let (mut log, chat, file) = former_log(&row(&messages), |m| m.content != "Take the E14.");
    let before = shown(&mut log, chat);
    assert_eq!(before, ["Which road?", "And then?", "Left."]);
    assert_eq!(imported(&mut log, &file), [ImportOutcome::More(1)]);
    assert_eq!(shown(&mut log, chat), before);
    let has = |log: &mut Log<MemoryStore>, words: &str| {
        let chat = log.load(chat).unwrap();
        chat.messages().any(|m| m.content == words)
    };
    assert!(has(&mut log, "Take the E14."));
    assert_eq!(imported(&mut log, &file), [ImportOutcome::Here]);
    // The chat went on there.
    messages.push(("user", json!({ "content": "Thanks." })));
    let longer = json!([row(&messages)]).to_string();
    let (mut former, ..) = former_log(&row(&messages[..4]), |m| m.content != "Take the E14.");
    for (log, new) in [(&mut log, 1), (&mut former, 2)] {
        assert_eq!(imported(log, &longer), [ImportOutcome::More(new)]);
        assert_eq!(
            shown(log, chat),
            ["Which road?", "And then?", "Left.", "Thanks."]
        );
        assert!(has(log, "Take the E14."));
    }
}

/// An earlier version put a thought that was not answered into the next question.
#[test]
fn a_thought_in_a_question_of_an_earlier_version_makes_no_copy() {
    let thoughts = json!([{ "summary": "", "content": "third" }]);
    let thought = json!({ "content_type": "thoughts", "thoughts": thoughts });
    let export = chatgpt(vec![
        said("user", text("And?"), json!({})),
        said("assistant", thought, json!({})),
        said("user", text("Well?"), json!({})),
    ]);
    let (mut log, chat, file) = former_log(&export, |m| {
        if m.content == "Well?" {
            "third".clone_into(&mut m.thinking);
        }
        m.role == Role::User
    });
    assert_eq!(imported(&mut log, &file), [ImportOutcome::More(1)]);
    assert_eq!(shown(&mut log, chat), ["And?", "Well?"]);
    assert_eq!(imported(&mut log, &file), [ImportOutcome::Here]);
}

/// A copy is named by what was read: by what the earlier version read, if that one made it.
#[test]
fn a_copy_that_an_earlier_version_made_is_known_too() {
    let claude = |content: Value| {
        json!([{ "uuid": "c", "chat_messages": [{ "uuid": "m", "sender": "assistant", "text": "Five.", "content": content }] }]).to_string()
    };
    // An earlier version read both alike.
    let (former, now) = (
        claude(json!([])),
        claude(json!([{ "type": "tool_result", "name": "repl" }])),
    );
    let mut log = log_of(&[]);
    let plan = planned(&mut log, &former);
    let chat = plan.chats[0].chat;
    applied(&mut log, plan).unwrap();
    log.delete(chat, NOW).unwrap();
    let again = imported(&mut log, &former);
    assert_eq!(again, [ImportOutcome::Copy(CopyReason::Deleted)]);
    assert_eq!(imported(&mut log, &now), [ImportOutcome::Here]);
    // The copy was deleted too.
    let copy = log.chat_list()[0].id;
    log.delete(copy, NOW).unwrap();
    assert_eq!(
        imported(&mut log, &now),
        [ImportOutcome::Copy(CopyReason::Deleted)]
    );
    assert_eq!(imported(&mut log, &now), [ImportOutcome::Here]);
}

/// The messages of a list without ids were others once what is beside their text was read.
#[test]
fn a_list_without_ids_that_an_earlier_version_imported_is_known() {
    let list = |answer: Value| {
        json!([{ "id": "f", "chat": { "models": ["m"], "messages": [{ "role": "user", "content": "Why?" }, answer, { "role": "user", "content": "And?" }] } }]).to_string()
    };
    let items =
        json!([{ "type": "message", "content": "One." }, { "type": "message", "content": "Two." }]);
    let former = list(json!({ "role": "assistant", "content": "One." }));
    let now = list(json!({ "role": "assistant", "content": "One.", "output": items }));
    let mut log = log_of(&[]);
    assert_eq!(imported(&mut log, &former), [ImportOutcome::New]);
    let before = dump(log.store());
    assert_eq!(imported(&mut log, &now), [ImportOutcome::Here]);
    assert_eq!(dump(log.store()), before);
}
