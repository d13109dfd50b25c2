//! The model that answers, and what is said where none can.

use super::*;
use ollama_double::{Config, Script, ServedModel, StandIn};

#[tokio::test]
async fn without_a_model_that_of_the_chat_answers_or_else_the_first_of_the_engine() {
    let house = house().await;
    let mut models = ServedModel::tests();
    models.retain(|model| ["tiny:latest", "tinythink:latest"].contains(&model.short().as_str()));
    house.ollama.set_models(models);
    let client = connect(&house).await;
    let listed = house
        .post("models", json!({}))
        .await
        .json::<Value>()
        .await
        .unwrap();
    let first = listed["models"][0]["name"].clone();
    let answer = ok(&client, "ask_question", json!({"question": "q"})).await;
    assert_eq!(answer["model"], first);
    let chat = answer["chat_id"].clone();
    let answer = ok(
        &client,
        "ask_question",
        json!({"question": "q", "chat_id": chat, "model": "tinythink"}),
    )
    .await;
    assert_eq!(answer["model"], "tinythink");
    let answer = ok(
        &client,
        "ask_question",
        json!({"question": "q", "chat_id": chat, "model": null}),
    )
    .await;
    assert_eq!(answer["model"], "tinythink", "the chat keeps it");
    assert_eq!(house.chats().pop().unwrap()["model"], "tinythink");
}

#[tokio::test]
async fn a_model_of_the_cloud_is_not_chosen_unasked() {
    let house = house().await;
    let body = json!({"models":[
        {"name":"gpt-oss:120b-cloud","model":"gpt-oss:120b-cloud","remote_host":"https://ollama.com:443","digest":"x","size":384},
        {"name":"tiny:latest","digest":"y","size":1}]});
    let list = ScriptStep::Status {
        status: 200,
        content_type: "application/json".into(),
        headers: Default::default(),
        body: body.to_string(),
    };
    house.ollama.script(Script::of("/api/tags", vec![list]));
    let client = connect(&house).await;
    let answer = ok(&client, "ask_question", json!({"question": "q"})).await;
    assert_eq!(answer["model"], "tiny:latest");
}

#[tokio::test]
async fn without_any_model_it_is_said_what_to_do() {
    let house = House::before(StandIn::start(Config::empty()).unwrap(), |s| s.mcp = true).await;
    let client = connect(&house).await;
    let said = failure(&client, "ask_question", json!({"question": "q"})).await;
    assert_eq!(
        said,
        "Ollama has no model that can chat. Pull one, for example with: ollama pull llama3.2"
    );
}

#[tokio::test]
async fn the_demo_answers_too() {
    let house = House::with(|s| {
        s.mcp = true;
        s.server.demo = true;
    })
    .await;
    let client = connect(&house).await;
    let answer = ok(&client, "ask_question", json!({"question": "Hello?"})).await;
    assert!(!answer["answer"].as_str().unwrap().is_empty());
    assert!(house.chats().is_empty(), "Ollama is not asked");
}

#[tokio::test]
async fn another_engine_is_asked_by_its_name() {
    let other = StandIn::start(Config::tests()).unwrap();
    let address = other.address();
    let house = House::with(|s| {
        s.mcp = true;
        let mut engine = s.server.engine.clone();
        engine.name = "box".into();
        engine.address = sash_server::engine::Address::local(address);
        s.server.more_engines.push(engine);
    })
    .await;
    let client = connect(&house).await;
    let answer = ok(
        &client,
        "ask_question",
        json!({"question": "q", "engine": "box", "model": "tiny"}),
    )
    .await;
    let chat = answer["chat_id"].clone();
    assert_eq!(other.requests_to("/api/chat").len(), 1);
    ok(
        &client,
        "ask_question",
        json!({"question": "q", "chat_id": chat}),
    )
    .await;
    assert_eq!(
        (other.requests_to("/api/chat").len(), house.chats().len()),
        (2, 0)
    );
    let list = ok(&client, "list_chats", json!({})).await;
    assert_eq!(list["chats"][0]["engine"], "box");
    let said = failure(
        &client,
        "ask_question",
        json!({"question": "q", "engine": "nowhere"}),
    )
    .await;
    assert!(said.contains("no engine named “nowhere”"), "{said}");
}

#[tokio::test]
async fn an_answer_at_its_limit_is_marked() {
    let done = ScriptStep::Done {
        reason: Some("length".into()),
        prompt_eval_count: None,
        eval_count: None,
    };
    let house = playing(vec![ScriptStep::text("Half an"), done]).await;
    let client = connect(&house).await;
    let answer = ask(&client, "q", None).await;
    assert_eq!(
        (&answer["answer"], &answer["cut_off"]),
        (&json!("Half an"), &json!(true))
    );
    let details = ok(&client, "get_chat", json!({"chat_id": answer["chat_id"]})).await;
    assert_eq!(details["messages"][1]["cut_off"], true);
}
