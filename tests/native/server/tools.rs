//! Tools: what reaches an engine, the calls that come back, and the calculator.

use crate::common::{House, lines, refused};
use ollama_double::{Config, Flavor, Script, ScriptStep, StandIn};
use sash_chat::ToolCall;
use sash_server::engine::{Address, EngineConfig, EngineProtocol};
use sash_wire::{DoneReason, Fault, Frame};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn weather() -> Value {
    json!({"type":"function","function":{"name":"get_weather","description":"d",
        "parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}})
}

/// The calls among frames, and whether the last frame is a complete end.
fn calls(frames: &[Frame]) -> (Vec<ToolCall>, bool) {
    let calls = frames.iter().filter_map(|frame| match frame {
        Frame::ToolCalls { calls, .. } => Some(calls.clone()),
        _ => None,
    });
    let stop = DoneReason::Stop;
    let is_complete = matches!(frames.last(), Some(Frame::Done { reason, .. }) if *reason == stop);
    (calls.flatten().collect(), is_complete)
}

/// A prompt, its call, and the result.
fn rounds(model: &str, call: &Value) -> Value {
    json!({"model": model, "tools": [weather()], "context": [
        {"role":"user","content":"hello"},
        {"role":"assistant","content":"","thinking":"need tool","tool_calls":[call]},
        {"role":"tool","content":"18 degrees","tool_name":"get_weather","tool_call_id":"call_1"}]})
}

#[tokio::test]
async fn ollama_is_given_tools_and_its_calls_come_back() {
    let house = House::new().await;
    let request = json!({"model":"tinytool","prompt":"hello","tools":[weather()],"think":true});
    let frames: Vec<Frame> = lines(house.ask(request).await).await;
    let (called, is_complete) = calls(&frames);
    assert!(is_complete);
    assert_eq!(called[0].function.name, "get_weather");
    assert!(called[0].function.arguments.contains_key("city"));
    assert_eq!(house.chats()[0]["tools"], json!([weather()]));
    // Then the result goes back, and the model goes on.
    let request = rounds("tinytool", &serde_json::to_value(&called[0]).unwrap());
    let frames: Vec<Frame> = lines(house.ask(request).await).await;
    assert_eq!(calls(&frames), (Vec::new(), true));
    let sent = &house.chats()[1];
    assert_eq!(sent["tools"], json!([weather()]));
    let mut call = serde_json::to_value(&called[0]).unwrap();
    call["id"] = json!("call00001");
    assert_eq!(
        sent["messages"].as_array().unwrap()[1..],
        [
            json!({"role":"assistant","content":"","thinking":"need tool","tool_calls":[call]}),
            json!({"role":"tool","content":"18 degrees","tool_name":"get_weather","tool_call_id":"call00001"})
        ]
    );
}

#[tokio::test]
async fn calls_in_an_earlier_line_come_back_too_in_their_order() {
    let line = |more: Value| {
        let mut line = json!({"model":"tiny","created_at":"2026-11-21T04:31:45.5Z","done":false});
        line.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        ScriptStep::Bytes {
            text: format!("{line}\n"),
            hex: String::new(),
        }
    };
    let call = |name: &str| json!([{"function":{"name":name,"arguments":{"b":1,"a":2}}}]);
    let house = House::playing(vec![
        line(json!({"message":{"role":"assistant","content":"Well."}})),
        line(json!({"message":{"role":"assistant","content":"","tool_calls":call("f")}})),
        line(json!({"message":{"role":"assistant","content":"","tool_calls":call("g")}})),
        line(json!({"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"})),
    ])
    .await;
    let frames = house.frames().await;
    let (called, is_complete) = calls(&frames);
    assert!(is_complete);
    let names: Vec<_> = called.iter().map(|call| &*call.function.name).collect();
    assert_eq!(names, ["f", "g"]);
    assert_eq!(called[0].arguments_text(), "{\n  \"b\": 1,\n  \"a\": 2\n}");
}

#[tokio::test]
async fn a_model_without_tools_and_calls_that_are_no_json_are_refused_with_a_sentence() {
    let house = House::new().await;
    let request = json!({"model":"tiny","prompt":"hello","tools":[weather()]});
    assert_eq!(
        refused(house.ask(request).await).await,
        (400, "unsupported".into())
    );
    let body = json!({"error":"llama-server returned invalid tool call arguments for \"f\": invalid character 'o' looking for beginning of object key string"});
    house.ollama.script(Script::chat(vec![ScriptStep::Status {
        status: 500,
        content_type: "application/json".into(),
        headers: Default::default(),
        body: body.to_string(),
    }]));
    let request = json!({"model":"tinytool","prompt":"hello","tools":[weather()]});
    assert_eq!(
        refused(house.ask(request).await).await,
        (502, "invalid_tool_call".into())
    );
}

/// An engine of the OpenAI chat API behind a server.
async fn before(flavor: Flavor) -> (House, StandIn) {
    let engine = StandIn::start(Config::openai(flavor)).unwrap();
    let config = EngineConfig {
        name: "box".to_owned(),
        address: Address::local(engine.address()),
        protocol: EngineProtocol::OpenAi(None),
    };
    (
        House::with(|settings| settings.server.more_engines = vec![config]).await,
        engine,
    )
}

#[tokio::test]
async fn an_engine_of_the_openai_api_is_given_the_same_tools_and_its_calls_are_put_together() {
    for flavor in [Flavor::LlamaServer, Flavor::Vllm] {
        let (house, engine) = before(flavor).await;
        let model = "tiny-think.gguf";
        let request = json!({"model":model,"engine":"box","prompt":"hello","tools":[weather()]});
        let frames: Vec<Frame> = lines(house.ask(request).await).await;
        let (called, is_complete) = calls(&frames);
        assert!(is_complete, "{frames:?}");
        assert_eq!(called.len(), 1, "{frames:?}");
        assert_eq!(called[0].function.name, "get_weather");
        assert!(called[0].function.arguments.contains_key("city"));
        let mut request = rounds(model, &serde_json::to_value(&called[0]).unwrap());
        request["engine"] = json!("box");
        let frames: Vec<Frame> = lines(house.ask(request).await).await;
        assert_eq!(calls(&frames), (Vec::new(), true));
        let sent = engine.requests_to("/v1/chat/completions");
        let messages = &sent[1].body["messages"];
        assert_eq!(sent[1].body["tools"], json!([weather()]));
        assert_eq!(messages[1]["reasoning_content"], "need tool");
        assert_eq!(
            messages[1]["tool_calls"][0]["id"],
            messages[2]["tool_call_id"]
        );
        let arguments = &messages[1]["tool_calls"][0]["function"]["arguments"];
        assert!(arguments.is_string(), "{arguments}");
    }
}

#[tokio::test]
async fn arguments_that_are_no_json_end_an_answer_of_the_openai_api_with_a_fault() {
    let (house, engine) = before(Flavor::Vllm).await;
    let call = json!([{"function":{"name":"f","arguments":"{oops"}}]);
    engine.script(Script::of(
        "/v1/chat/completions",
        vec![ScriptStep::ToolCalls { calls: call }, ScriptStep::done()],
    ));
    let request =
        json!({"model":"tiny-think.gguf","engine":"box","prompt":"hello","tools":[weather()]});
    let frames: Vec<Frame> = lines(house.ask(request).await).await;
    let last = frames.last();
    assert!(
        matches!(
            last,
            Some(Frame::Error {
                error: Fault::InvalidToolCall
            })
        ),
        "{last:?}"
    );
}

async fn calculate(house: &House, expression: &str) -> String {
    let answer = house
        .post("calculate", json!({"expression": expression}))
        .await;
    assert_eq!(answer.status(), 200);
    let body: Value = answer.json().await.unwrap();
    body["result"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_calculator_calculates_and_says_what_is_wrong() {
    let house = House::new().await;
    assert_eq!(calculate(&house, "12.5% of 3.2 km").await, "0.4 km");
    assert_eq!(
        calculate(&house, "").await,
        "Error: there is nothing to calculate."
    );
    assert!(calculate(&house, "2 +").await.starts_with("Error: "));
    assert_eq!(
        calculate(&house, &"1+".repeat(2_000)).await,
        "Error: the expression is too long."
    );
    let wrong = house.post("calculate", json!({"expression": 7})).await;
    assert_eq!(wrong.status(), 400);
}

/// A model writes the expression: numbers without end, towers of powers, brackets without end.
#[tokio::test]
async fn an_expression_without_end_costs_a_process_and_nothing_else() {
    let house = House::with(|settings| {
        settings.rooms.calculation.time = Duration::from_secs(1);
    })
    .await;
    let deep = "(".repeat(1_900);
    for expression in ["9^9^9^9", "10000000!", "2^(10^12)", &deep, "3^^^3"] {
        let started = Instant::now();
        let result = calculate(&house, expression).await;
        assert!(
            result.starts_with("Error: ") || result.len() < 3_000,
            "{result}"
        );
        assert!(started.elapsed() < Duration::from_secs(20), "{expression}");
    }
    assert_eq!(calculate(&house, "1 + 1").await, "2");
}
