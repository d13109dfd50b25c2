//! The tools, and what the model sees of a chat.

use super::*;
use rmcp::model::ProtocolVersion;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

#[tokio::test]
async fn a_client_finds_five_tools_with_their_arguments() {
    let house = house().await;
    for client in [connect(&house).await, connect_stateless(&house).await] {
        let info = client.peer_info().unwrap();
        let tools = client.list_all_tools().await.unwrap();
        let names: Vec<_> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        let expected = [
            "ask_question",
            "clear_chat",
            "clear_inactive_chats",
            "get_chat",
            "list_chats",
        ];
        assert_eq!(names, expected);
        for tool in &tools {
            assert!(
                tool.description.as_ref().unwrap().len() > 30,
                "{}",
                tool.name
            );
            assert!(tool.output_schema.is_some(), "{}", tool.name);
            let schema = Value::Object((*tool.input_schema).clone());
            assert_eq!(schema["type"], "object");
            let output = serde_json::to_string(&tool.output_schema).unwrap();
            assert!(
                !(schema.to_string() + &output).contains("\"uint"),
                "{}",
                tool.name
            );
            assert_eq!(schema["additionalProperties"], false, "{}", tool.name);
            for (name, property) in schema["properties"].as_object().unwrap() {
                assert!(property["description"].is_string(), "{} {name}", tool.name);
            }
        }
        assert_eq!(tools[0].input_schema["required"], json!(["question"]));
        assert!(info.instructions.as_ref().unwrap().contains("ask_question"));
        let server = info.server_info.as_ref().unwrap();
        assert_eq!(
            (server.name.as_str(), server.version.as_str()),
            ("sash", env!("CARGO_PKG_VERSION"))
        );
    }
}

#[tokio::test]
async fn an_answer_comes_with_its_chat_as_text_and_as_data() {
    let house = playing(says("Forty-two.")).await;
    let client = connect(&house).await;
    let before = OffsetDateTime::now_utc();
    let result = call(
        &client,
        "ask_question",
        json!({"question": "What is it?", "model": "tiny"}),
    )
    .await;
    let data = result.structured_content.clone().unwrap();
    let chat = data["chat_id"].as_str().unwrap();
    assert_eq!(chat.len(), 16);
    assert_eq!(data["answer"], "Forty-two.");
    assert_eq!(data["model"], "tiny");
    assert_eq!(
        (&data["cut_off"], &data["context_messages"]),
        (&json!(false), &json!(0))
    );
    let texts = texts(&result);
    assert_eq!(texts[0], "Forty-two.");
    assert!(texts[1].contains(chat));
    let time = |name: &str| OffsetDateTime::parse(data[name].as_str().unwrap(), &Rfc3339).unwrap();
    assert!(time("created_at") <= time("last_activity_at"));
    assert!((time("created_at") - before).whole_seconds().abs() < 5);
}

#[tokio::test]
async fn five_exchanges_go_with_a_question_and_the_system_prompt_besides() {
    let house = house().await;
    let client = connect(&house).await;
    let first = json!({"question": "q1", "model": "tiny", "system": "Be brief."});
    let chat = ok(&client, "ask_question", first).await["chat_id"]
        .as_str()
        .unwrap()
        .to_owned();
    for n in 2..=8 {
        house
            .ollama
            .script(ollama_double::Script::chat(says(&format!("a{n}"))));
        let answer = ask(&client, &format!("q{n}"), Some(&chat)).await;
        assert_eq!(answer["context_messages"], 2 * (n - 1).min(5));
        assert_eq!(answer["chat_id"], chat);
    }
    let mut expected = vec![("system".to_owned(), "Be brief.".to_owned())];
    for n in 3..=7 {
        expected.push(("user".into(), format!("q{n}")));
        expected.push(("assistant".into(), format!("a{n}")));
    }
    expected.push(("user".into(), "q8".into()));
    assert_eq!(last_messages(&house), expected);
    let body = house.chats().pop().unwrap();
    assert_eq!(body["truncate"], false);
    let details = ok(&client, "get_chat", json!({"chat_id": chat})).await;
    assert_eq!(
        details["messages"].as_array().unwrap().len(),
        16,
        "all of them are kept"
    );
    assert_eq!(details["system"], "Be brief.");
}

#[tokio::test]
async fn thinking_is_neither_returned_nor_sent_again() {
    let thinking = ScriptStep::Thinking {
        text: "A secret thought.".into(),
        tokens: None,
        rate: None,
    };
    let house = playing(vec![
        thinking,
        ScriptStep::text("\n\nYes."),
        ScriptStep::done(),
    ])
    .await;
    let client = connect(&house).await;
    let answer = ok(
        &client,
        "ask_question",
        json!({"question": "q", "model": "tinythink"}),
    )
    .await;
    assert_eq!(answer["answer"], "Yes.");
    let chat = answer["chat_id"].as_str().unwrap();
    ok(
        &client,
        "ask_question",
        json!({"question": "next", "chat_id": chat}),
    )
    .await;
    assert!(!house.chats().pop().unwrap().to_string().contains("secret"));
    assert_eq!(
        last_messages(&house)[1],
        ("assistant".into(), "Yes.".into())
    );
    let details = ok(&client, "get_chat", json!({"chat_id": chat})).await;
    assert!(!details.to_string().contains("secret"));
}

#[tokio::test]
async fn chats_are_listed_shown_and_cleared() {
    let house = house().await;
    let client = connect(&house).await;
    let empty = ok(&client, "list_chats", json!({})).await;
    assert_eq!(empty, json!({"chats": [], "total": 0}));
    let mut ids = Vec::new();
    for question in ["first\nline two", "second", "third"] {
        let answer = ask(&client, question, None).await;
        ids.push(answer["chat_id"].as_str().unwrap().to_owned());
    }
    ask(&client, "again", Some(&ids[0])).await;
    // Another client of the same server sees the same chats.
    let other = connect_stateless(&house).await;
    let list = ok(&other, "list_chats", json!({})).await;
    let shown: Vec<_> = list["chats"].as_array().unwrap().iter().collect();
    let titles: Vec<_> = shown
        .iter()
        .map(|chat| chat["title"].as_str().unwrap())
        .collect();
    assert_eq!(titles, ["first", "third", "second"]);
    assert_eq!(
        (&shown[0]["exchanges"], &shown[0]["model"]),
        (&json!(2), &json!("tiny"))
    );
    let short = ok(&other, "list_chats", json!({"limit": 1})).await;
    assert_eq!(
        (short["chats"].as_array().unwrap().len(), &short["total"]),
        (1, &json!(3))
    );

    let details = ok(&other, "get_chat", json!({"chat_id": ids[0]})).await;
    assert_eq!(details["chat_id"], ids[0]);
    let messages = details["messages"].as_array().unwrap();
    let roles: Vec<_> = messages
        .iter()
        .map(|m| m["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["user", "assistant", "user", "assistant"]);
    assert_eq!(messages[0]["content"], "first\nline two");
    assert_eq!(messages[1]["model"], "tiny");
    OffsetDateTime::parse(messages[3]["created_at"].as_str().unwrap(), &Rfc3339).unwrap();

    let cleared = ok(&client, "clear_chat", json!({"chat_id": ids[1]})).await;
    assert_eq!(cleared, json!({"chat_id": ids[1], "exchanges": 1}));
    let gone = failure(&client, "get_chat", json!({"chat_id": ids[1]})).await;
    assert!(gone.starts_with("There is no chat with this id"), "{gone}");
    let none = ok(&client, "clear_inactive_chats", json!({})).await;
    assert_eq!(none, json!({"cleared": 0, "left": 2}));
    let all = ok(&client, "clear_inactive_chats", json!({"hours": 0})).await;
    assert_eq!(all, json!({"cleared": 2, "left": 0}));
}

#[tokio::test]
async fn two_questions_to_one_chat_are_answered_one_after_the_other() {
    let house = house().await;
    let client = connect(&house).await;
    let chat = ask(&client, "first", None).await["chat_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let slow = vec![
        ScriptStep::Hold,
        ScriptStep::text("slow answer"),
        ScriptStep::done(),
    ];
    house.ollama.script(ollama_double::Script::chat(slow));
    let one = tokio::spawn({
        let (client, chat) = (connect(&house).await, chat.clone());
        async move { ask(&client, "second", Some(&chat)).await }
    });
    while house.chats().len() < 2 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let two = tokio::spawn({
        let (client, chat) = (connect_stateless(&house).await, chat.clone());
        async move { ask(&client, "third", Some(&chat)).await }
    });
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert_eq!(house.chats().len(), 2, "the third question waits");
    // Meanwhile the chat is as it was, cannot be cleared, and other chats are answered.
    let details = ok(&client, "get_chat", json!({"chat_id": chat})).await;
    assert_eq!(details["exchanges"], 1);
    let busy = failure(&client, "clear_chat", json!({"chat_id": chat})).await;
    assert!(
        busy.starts_with("This chat answers a question now"),
        "{busy}"
    );
    let cleared = ok(&client, "clear_inactive_chats", json!({"hours": 0})).await;
    assert_eq!(cleared, json!({"cleared": 0, "left": 1}));
    house
        .http
        .post(format!("{}/_stand_in/release", house.ollama.url()))
        .send()
        .await
        .unwrap();
    assert_eq!(one.await.unwrap()["answer"], "slow answer");
    assert_eq!(two.await.unwrap()["context_messages"], 4);
    let texts: Vec<_> = last_messages(&house)
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    assert_eq!(
        (texts[2].as_str(), texts[3].as_str(), texts[4].as_str()),
        ("second", "slow answer", "third")
    );
}

#[tokio::test]
async fn an_older_protocol_is_spoken_with_those_who_ask_for_it() {
    let house = house().await;
    for version in ["2025-11-25", "2025-06-18", "2025-03-26"] {
        let body = json!({"jsonrpc":"2.0","id":1,"method":"initialize","params":
            {"protocolVersion":version,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}});
        let answer = super::sessions::post(&house, None, body).await;
        assert_eq!(answer.status(), 200);
        assert!(answer.text().await.unwrap().contains(version));
    }
    assert!(ProtocolVersion::KNOWN_VERSIONS.contains(&ProtocolVersion::V_2026_07_28));
}

#[tokio::test]
async fn chats_are_forgotten_by_number_by_size_and_by_time() {
    let house = House::with(|s| {
        s.mcp = true;
        s.rooms.mcp_chats.chats = 2;
        s.rooms.mcp_chats.text_bytes = 100;
        s.rooms.mcp_chats.lifetime = 1500;
    })
    .await;
    let client = connect(&house).await;
    let mut ids = Vec::new();
    for question in ["first", "second", "third"] {
        house
            .ollama
            .script(ollama_double::Script::chat(says("Yes.")));
        let answer = ask(&client, question, None).await;
        ids.push(answer["chat_id"].as_str().unwrap().to_owned());
    }
    let said = failure(
        &client,
        "ask_question",
        json!({"question": "q", "chat_id": ids[0]}),
    )
    .await;
    assert!(said.starts_with("There is no chat with this id"), "{said}");
    house
        .ollama
        .script(ollama_double::Script::chat(says(&"x".repeat(90))));
    ask(&client, "large", Some(&ids[2])).await;
    let list = ok(&client, "list_chats", json!({})).await;
    assert_eq!(
        (&list["total"], &list["chats"][0]["chat_id"]),
        (&json!(1), &json!(ids[2]))
    );
    assert_eq!(
        list["chats"][0]["exchanges"], 1,
        "the older exchange made room"
    );
    tokio::time::sleep(std::time::Duration::from_millis(1600)).await;
    assert_eq!(ok(&client, "list_chats", json!({})).await["total"], 0);
}
