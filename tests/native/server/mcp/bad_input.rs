//! Bad input gets an error of the protocol or a result that says what is wrong, and never a status of 500.

use super::sessions::{answered, begin, message, post};
use super::*;
use ollama_double::Script;
use rmcp::ServiceError;
use rmcp::model::ErrorCode;

#[tokio::test]
async fn wrong_arguments_are_said_in_a_sentence() {
    let house = house().await;
    let client = connect(&house).await;
    for (tool, arguments, says) in [
        ("ask_question", json!({}), "question"),
        (
            "ask_question",
            json!({"question": ""}),
            "Missing 'question' field",
        ),
        (
            "ask_question",
            json!({"question": " \n\t"}),
            "Missing 'question' field",
        ),
        ("ask_question", json!({"question": 5}), "expected a string"),
        (
            "ask_question",
            json!({"question": null}),
            "expected a string",
        ),
        (
            "ask_question",
            json!({"question": ["a"]}),
            "expected a string",
        ),
        (
            "ask_question",
            json!({"question": "q", "chat_id": 5}),
            "expected a string",
        ),
        (
            "ask_question",
            json!({"question": "q", "chat_id": "nonsense"}),
            "There is no chat with this id",
        ),
        (
            "ask_question",
            json!({"question": "", "chat_id": ""}),
            "There is no chat with this id",
        ),
        (
            "ask_question",
            json!({"question": "q", "chat_id": "0123456789abcdef"}),
            "There is no chat with this id",
        ),
        (
            "ask_question",
            json!({"question": "q", "chatId": "0123456789abcdef"}),
            "unknown field `chatId`",
        ),
        (
            "ask_question",
            json!({"question": "q", "model": "nowhere"}),
            "no model named “nowhere”",
        ),
        (
            "ask_question",
            json!({"question": "q", "model": "../etc/passwd"}),
            "not a model name",
        ),
        (
            "ask_question",
            json!({"question": "q", "model": 1}),
            "expected a string",
        ),
        (
            "ask_question",
            json!({"question": "q", "engine": "nowhere"}),
            "no engine named",
        ),
        (
            "ask_question",
            json!({"question": "q", "model": "tinyembed"}),
            "does not chat",
        ),
        ("get_chat", json!({}), "chat_id"),
        (
            "get_chat",
            json!({"chat_id": "x"}),
            "There is no chat with this id",
        ),
        (
            "clear_chat",
            json!({"chat_id": "0000000000000000"}),
            "There is no chat with this id",
        ),
        (
            "clear_inactive_chats",
            json!({"hours": -1}),
            "'hours' must be a number of hours",
        ),
        (
            "clear_inactive_chats",
            json!({"hours": "all"}),
            "expected f64",
        ),
        ("list_chats", json!({"limit": -1}), "expected u16"),
        ("list_chats", json!({"limit": "5"}), "expected u16"),
        ("list_chats", json!({"limit": 0}), "from 1 to 1000"),
        ("list_chats", json!({"limit": 1001}), "from 1 to 1000"),
        (
            "get_chat",
            json!({"chat_id": "x", "from": -1}),
            "expected u32",
        ),
    ] {
        let said = failure(&client, tool, arguments.clone()).await;
        assert!(said.contains(says), "{tool} {arguments}: {said}");
    }
    assert_eq!(
        ok(&client, "list_chats", json!({})).await["total"],
        0,
        "no chat began"
    );
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_of_the_protocol() {
    let house = house().await;
    for client in [connect(&house).await, connect_stateless(&house).await] {
        let error = client
            .call_tool(params("no_such_tool", &json!({})))
            .await
            .unwrap_err();
        let ServiceError::McpError(error) = error else {
            panic!("{error:?}");
        };
        assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
    }
}

#[tokio::test]
async fn what_is_no_message_is_refused_and_the_session_goes_on() {
    let house = house().await;
    let session = begin(&house).await;
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}{}}}"#,
        "[".repeat(5000),
        "]".repeat(5000)
    );
    let many = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"a":[{}1]}}}}"#,
        "1,".repeat(200_000)
    );
    for (body, code) in [
        ("", -32700),
        ("nonsense", -32600),
        ("{", -32700),
        ("{\"jsonrpc\"", -32700),
        ("{}", -32600),
        ("[]", -32600),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (deep.as_str(), -32600),
        (many.as_str(), -32600),
    ] {
        let answer =
            super::sessions::request(&house, Some(&session), &json!(null)).body(body.to_owned());
        let answer = answer.send().await.unwrap();
        let short: String = body.chars().take(60).collect();
        assert_eq!(answer.status(), 400, "{short}");
        let error: Value = answer.json().await.unwrap();
        assert_eq!(error["error"]["code"], code, "{short}: {error}");
        assert!(error.get("id").is_none() && error["error"]["message"].is_string());
    }
    let listed =
        answered(post(&house, Some(&session), message("list_chats", &json!({}))).await).await;
    assert_eq!(listed["result"]["structuredContent"]["total"], 0);
}

#[tokio::test]
async fn messages_that_are_well_formed_and_make_no_sense_get_an_error() {
    let house = house().await;
    let session = begin(&house).await;
    for (method, params, code) in [
        (
            "tools/call",
            json!({"name": "ask_question", "arguments": "x"}),
            -32602,
        ),
        ("tools/call", json!({"name": 5}), -32602),
        ("tools/call", json!({}), -32602),
        ("tools/call", json!({"name": "no_such_tool"}), -32602),
        ("no/such/method", json!({}), -32601),
        ("resources/read", json!({"uri": "x"}), -32601),
    ] {
        let body = json!({"jsonrpc":"2.0","id":3,"method":method,"params":params});
        let answer = answered(post(&house, Some(&session), body).await).await;
        assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
        assert_eq!(answer["id"], 3);
    }
    // A second beginning, answers to nothing, and news of nothing.
    for body in [
        json!({"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}),
        json!({"jsonrpc":"2.0","id":5,"result":{}}),
        json!({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}),
        json!({"jsonrpc":"2.0","method":"notifications/nonsense"}),
        json!({"jsonrpc":"2.0","id":6,"method":"ping"}),
    ] {
        let answer = post(&house, Some(&session), body.clone()).await;
        assert!(!answer.status().is_server_error(), "{body}: {answer:?}");
    }
    assert_eq!(
        ok(&connect(&house).await, "list_chats", json!({})).await["total"],
        0
    );
}

#[tokio::test]
async fn what_goes_wrong_at_the_engine_is_said_and_leaves_the_chat_as_it_was() {
    let house = house().await;
    let client = connect(&house).await;
    let chat = ask(&client, "first", None).await["chat_id"].clone();
    let before = ok(&client, "get_chat", json!({"chat_id": chat})).await;
    let error = |text: &str| ScriptStep::Error {
        text: text.into(),
        status: None,
    };
    for (steps, says, came) in [
        (vec![error("it exploded")], "it exploded", ""),
        (
            vec![ScriptStep::text("Half an"), error("it exploded")],
            "it exploded",
            "Half an",
        ),
        (
            vec![ScriptStep::text("Half an"), ScriptStep::Close],
            "The connection to Ollama was lost",
            "Half an",
        ),
        (
            vec![ScriptStep::text("Half an"), ScriptStep::End],
            "ended without finishing",
            "Half an",
        ),
        (
            vec![ScriptStep::Bytes {
                text: "nonsense\n".into(),
                hex: String::new(),
            }],
            "broke off",
            "",
        ),
        (says(" \n"), "ended its answer without a word", ""),
    ] {
        house.ollama.script(Script::chat(steps.clone()));
        let arguments = json!({"question": "second", "chat_id": chat});
        let result = call(&client, "ask_question", arguments).await;
        assert_eq!(result.is_error, Some(true), "{steps:?}");
        let texts = texts(&result);
        assert!(texts[0].contains(says), "{steps:?}: {texts:?}");
        assert_eq!(
            texts.get(1).is_some_and(|text| text.ends_with(came)),
            !came.is_empty(),
            "{texts:?}"
        );
        assert_eq!(
            ok(&client, "get_chat", json!({"chat_id": chat})).await,
            before
        );
    }
    let House { ollama, sash, .. } = house;
    ollama.stop();
    let said = failure(
        &client,
        "ask_question",
        json!({"question": "q", "chat_id": chat}),
    )
    .await;
    assert!(said.starts_with("Ollama is not reachable at"), "{said}");
    let said = failure(&client, "ask_question", json!({"question": "q"})).await;
    assert!(said.starts_with("Ollama is not reachable at"), "{said}");
    assert_eq!(ok(&client, "list_chats", json!({})).await["total"], 1);
    sash.stop().await;
}

#[tokio::test]
async fn the_limits_of_the_page_s_prompts_hold_here_too() {
    let house = House::with(|s| {
        s.mcp = true;
        s.server.limits.set_generations(1);
        s.server.limits.prompt_bytes = 500;
    })
    .await;
    let client = connect(&house).await;
    let said = failure(
        &client,
        "ask_question",
        json!({"question": "x".repeat(501), "model": "tiny"}),
    )
    .await;
    assert!(said.contains("501 bytes and Sash takes 500"), "{said}");
    house.ollama.script(Script::chat(vec![
        ScriptStep::Hold,
        ScriptStep::text("Yes."),
        ScriptStep::done(),
    ]));
    let running = tokio::spawn({
        let client = connect(&house).await;
        async move { ask(&client, "q", None).await }
    });
    while house.chats().is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let said = failure(
        &client,
        "ask_question",
        json!({"question": "q", "model": "tiny"}),
    )
    .await;
    assert!(said.contains("already busy with 1"), "{said}");
    house
        .http
        .post(format!("{}/_stand_in/release", house.ollama.url()))
        .send()
        .await
        .unwrap();
    assert_eq!(running.await.unwrap()["answer"], "Yes.");
}

#[tokio::test]
async fn a_request_with_too_many_messages_is_refused() {
    let house = House::with(|s| {
        s.mcp = true;
        s.server.limits.messages = 4;
    })
    .await;
    let client = connect(&house).await;
    let chat = ask(&client, "1", None).await["chat_id"].clone();
    ask(&client, "2", chat.as_str()).await;
    let said = failure(
        &client,
        "ask_question",
        json!({"question": "3", "chat_id": chat}),
    )
    .await;
    assert!(said.contains("has 5 messages and Sash takes 4"), "{said}");
}
