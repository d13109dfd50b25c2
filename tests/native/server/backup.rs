//! The backup over HTTP: nothing without the key, on loopback too.

use crate::common::{House, refused};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A folder that goes with the test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("sash-{}-{name}", std::process::id()));
        std::fs::remove_dir_all(&folder).ok();
        Self(folder)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

const CALLS: [&str; 8] = [
    "backup_list",
    "backup_get",
    "backup_get_image",
    "backup_put",
    "backup_put_image",
    "backup_prompts",
    "backup_news",
    "backup_purge",
];

/// A body that every call can read.
fn body(key: &str) -> Value {
    json!({
        "key": key, "writer": "0000000000000001", "page": "0000000000000002", "since": 0, "chat": "0000000000000007", "base": 0,
        "digest": "d", "title": "A title", "hash": "00".repeat(32), "data": "", "what": "everything",
        "text": "{\"app\":\"sash\",\"schema\":1}\n",
    })
}

async fn call(house: &House, name: &str, body: &Value) -> reqwest::Response {
    let url = house.url(&format!("/api/v1/{name}"));
    house.http.post(url).json(body).send().await.unwrap()
}

#[tokio::test]
async fn without_the_flag_there_is_no_backup() {
    let house = House::new().await;
    for name in CALLS {
        let answer = call(&house, name, &body("")).await;
        assert_eq!(refused(answer).await, (404, "backup_off".into()), "{name}");
    }
    let state: Value = call(&house, "state", &json!({}))
        .await
        .json()
        .await
        .unwrap();
    assert_eq!(state.get("keeps_backup"), None);
}

#[tokio::test]
async fn without_the_key_nothing_is_read_listed_or_written() {
    let place = Place::new("backup-http");
    let house = House::with(|s| s.backup = Some(place.0.clone())).await;
    let state: Value = call(&house, "state", &json!({}))
        .await
        .json()
        .await
        .unwrap();
    assert_eq!(state["keeps_backup"], true);
    for name in CALLS {
        let answer = call(&house, name, &body("")).await;
        assert_eq!(
            refused(answer).await,
            (403, "backup_locked".into()),
            "{name}"
        );
    }
    let key = std::fs::read_to_string(place.0.join("key")).unwrap();
    let key = key.trim();
    let put: Value = call(&house, "backup_put", &body(key))
        .await
        .json()
        .await
        .unwrap();
    assert_eq!(put["version"], 1);
    let list: Value = call(&house, "backup_list", &body(key))
        .await
        .json()
        .await
        .unwrap();
    assert_eq!(list["chats"][0]["title"], "A title");
    // Names are ids: nothing else reaches the folder.
    for chat in [
        "../../x",
        "..",
        "0000000000000007/..",
        "",
        "0000000000000007\0",
    ] {
        let mut wrong = body(key);
        wrong["chat"] = chat.into();
        for name in ["backup_put", "backup_get"] {
            assert_eq!(call(&house, name, &wrong).await.status(), 400, "{chat}");
        }
    }
    // A chat is longer than what other calls may send.
    let mut long = body(key);
    long["base"] = 1.into();
    let words = "x".repeat(3 * 1024 * 1024);
    long["text"] = format!("{{\"app\":\"sash\",\"schema\":1}}\n{words}\n").into();
    assert_eq!(call(&house, "backup_put", &long).await.status(), 200);
    for _ in 0..10 {
        call(&house, "backup_list", &body("wrong")).await;
    }
    let answer = call(&house, "backup_list", &body("wrong")).await;
    assert_eq!(refused(answer).await, (429, "too_many_attempts".into()));
    assert_eq!(call(&house, "backup_list", &body(key)).await.status(), 200);
    house.sash.stop().await;
}
