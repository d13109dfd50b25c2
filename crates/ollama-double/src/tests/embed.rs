//! Embeddings.

use super::{ask, get, post, quick};
use serde_json::{Value, json};

/// The vectors of some texts.
async fn vectors(texts: &[&str]) -> Vec<Vec<f64>> {
    let stand_in = quick();
    let body = json!({"model":"tinyembed","input":texts});
    let (status, text) = post(&stand_in, "/api/embed", &body).await;
    assert_eq!(status, 200, "{text}");
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(answer["model"], "tinyembed");
    assert!(answer["prompt_eval_count"].as_u64().unwrap() > 0);
    assert!(answer["total_duration"].is_u64() && answer["load_duration"].is_u64());
    serde_json::from_value(answer["embeddings"].clone()).unwrap()
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

#[tokio::test]
async fn texts_that_share_words_or_parts_of_words_are_near_and_each_is_always_the_same() {
    let texts = [
        "How do plants store light? By photosynthesis.",
        "Photosynthesis: plants and light",
        "Biosynthesis",
        "Is there any wine left over?",
    ];
    let found = vectors(&texts).await;
    assert!(found.iter().all(|vector| vector.len() == 128));
    assert!(found.iter().all(|one| (dot(one, one) - 1.0).abs() < 1e-5));
    let near = |one: usize, other: usize| dot(&found[one], &found[other]);
    assert!(near(0, 1) > 0.6, "{}", near(0, 1));
    assert!(near(1, 2) > 0.3, "{}", near(1, 2));
    assert!(near(0, 3).abs() < 0.25, "{}", near(0, 3));
    assert_eq!(
        vectors(&texts[1..2]).await[0],
        found[1],
        "alone as in a batch"
    );
}

#[tokio::test]
async fn one_text_is_a_list_of_one_and_no_text_is_a_list_of_none() {
    let stand_in = quick();
    for (input, count) in [
        (json!("hello"), 1),
        (json!(["a", "b"]), 2),
        (json!(""), 0),
        (json!([]), 0),
    ] {
        let body = json!({"model":"tinyembed","input":input});
        let (status, text) = post(&stand_in, "/api/embed", &body).await;
        let answer: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (status, answer["embeddings"].as_array().unwrap().len()),
            (200, count)
        );
    }
}

#[tokio::test]
async fn a_text_beyond_the_context_is_cut_or_refused_as_asked() {
    let stand_in = quick();
    let long = "word ".repeat(5000);
    let body = |truncate: bool| json!({"model":"tinyembed","input":[long],"truncate":truncate});
    let (status, _) = post(&stand_in, "/api/embed", &body(true)).await;
    assert_eq!(status, 200);
    let (status, text) = post(&stand_in, "/api/embed", &body(false)).await;
    assert_eq!(
        (status, &*text),
        (
            400,
            r#"{"error":"the input length exceeds the context length"}"#
        )
    );
}

#[tokio::test]
async fn a_model_embeds_or_chats_and_says_which() {
    let stand_in = quick();
    let (status, text) = post(&stand_in, "/api/show", &json!({"model":"tinyembed"})).await;
    let show: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (status, &show["capabilities"]),
        (200, &json!(["embedding"]))
    );
    let (status, text) = post(
        &stand_in,
        "/api/chat",
        &ask("tinyembed", "hello", &json!({})),
    )
    .await;
    assert_eq!(
        (status, &*text),
        (400, r#"{"error":"\"tinyembed\" does not support chat"}"#)
    );
    let (status, text) = post(
        &stand_in,
        "/api/embed",
        &json!({"model":"tiny","input":"a"}),
    )
    .await;
    assert_eq!(status, 501);
    assert!(text.contains("does not support embeddings"), "{text}");
    let (status, _) = post(
        &stand_in,
        "/api/embed",
        &json!({"model":"gone","input":"a"}),
    )
    .await;
    assert_eq!(status, 404);
    assert!(get(&stand_in, "/api/ps").await["models"].is_array());
}
