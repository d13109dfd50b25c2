//! The server functions: nothing without the key, and what their answers may take.

use super::*;
use crate::BackupKey;
use crate::calls;
use crate::server::READS_AT_ONCE;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::Response;
use sash_door::stop::StopSignal;
use sash_server::app::App;
use sash_server::calls::{Calls, call};
use sash_server::config::ServerConfig;
use sash_server::hooks::Hooks;
use serde_json::{Value, json};
use std::sync::Arc;
use std::task::Poll;
use tokio::sync::watch;

const CALLS: [&str; 9] = [
    "backup_list",
    "backup_news",
    "backup_put",
    "backup_get",
    "backup_put_image",
    "backup_get_image",
    "backup_gone",
    "backup_purge",
    "backup_remove",
];

/// A server, until the switch is dropped.
struct Served {
    calls: Arc<Calls>,
    _switch: watch::Sender<bool>,
}

fn serve(backup: Option<Arc<Backup>>) -> Served {
    let (switch, stop) = StopSignal::new();
    let app = App::new(&ServerConfig::default(), stop, Hooks::default()).unwrap();
    let mut table = Calls::new(Arc::new(app));
    calls(&mut table, backup);
    Served {
        calls: Arc::new(table),
        _switch: switch,
    }
}

impl Served {
    async fn send(&self, name: &str, key: &str, bytes: usize, body: Body) -> Response {
        let request = Request::post(format!("/api/v1/{name}"))
            .header(CONTENT_TYPE, "application/json")
            .header(CONTENT_LENGTH, bytes)
            .header(BackupKey::HEADER, key)
            .body(body)
            .unwrap();
        call(State(Arc::clone(&self.calls)), request).await
    }

    async fn post(&self, name: &str, key: &BackupKey, body: &Value) -> Response {
        let body = body.to_string();
        self.send(name, &key.0, body.len(), Body::from(body)).await
    }
}

/// The status, and the code of a fault.
async fn told(response: Response) -> (u16, String) {
    let status = response.status().as_u16();
    let body = json_of(response).await;
    let code = body["error"]["code"].as_str().unwrap_or_default();
    (status, code.to_owned())
}

async fn json_of(response: Response) -> Value {
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// A body that says that it is long, and that must not be read.
fn unread() -> Body {
    let stream = futures::stream::poll_fn(|_| -> Poll<Option<std::io::Result<Vec<u8>>>> {
        panic!("the body was read")
    });
    Body::from_stream(stream)
}

/// Bodies of 64 MB were read before the key was looked at, and pushed waiting prompts out.
#[tokio::test]
async fn without_the_key_or_the_flag_nothing_of_a_body_is_read() {
    let place = Place::new();
    let with = serve(Some(Arc::new(place.open())));
    let without = serve(None);
    for name in CALLS {
        for key in ["", "wrong"] {
            let answer = with.send(name, key, 64 << 20, unread()).await;
            assert_eq!(
                told(answer).await,
                (403, "backup_locked".to_owned()),
                "{name}"
            );
        }
        let answer = without.send(name, "", 64 << 20, unread()).await;
        assert_eq!(told(answer).await, (404, "backup_off".to_owned()), "{name}");
    }
    for _ in CALLS.len()..10 {
        with.send("backup_list", "wrong", 2, unread()).await;
    }
    let answer = with.send("backup_list", "wrong", 2, unread()).await;
    assert_eq!(told(answer).await, (429, "too_many_attempts".to_owned()));
}

#[tokio::test]
async fn with_the_key_a_chat_is_written_listed_read_and_deleted() {
    let place = Place::new();
    let backup = Arc::new(place.open());
    let key = backup.key();
    let served = serve(Some(backup));
    let long = "A word. ".repeat(500_000);
    let request = request(ME, CHAT, &[(1, "Hello"), (2, &long)]);
    let request = serde_json::to_value(request).unwrap();
    let put = json_of(served.post("backup_put", &key, &request).await).await;
    assert_eq!(
        (put["write"].as_u64(), &put["missing"]),
        (Some(1), &json!([]))
    );
    let list = json_of(served.post("backup_list", &key, &json!({})).await).await;
    assert_eq!(list["copies"][0]["title"], "A title");
    let of = json!({ "chat": CHAT, "browser": ME });
    let copy = json_of(served.post("backup_get", &key, &of).await).await;
    assert_eq!(copy["standing"], "sealed");
    assert!(copy["text"].as_str().unwrap().contains(&long));
    // More ids than a prompt has values.
    let purge = purge_request(ME, CHAT, &(2..40_002).collect::<Vec<u64>>());
    let purge = serde_json::to_value(purge).unwrap();
    let purged = json_of(served.post("backup_purge", &key, &purge).await).await;
    assert_eq!(purged["unreached"], json!([]));
    let gone = json_of(
        served
            .post("backup_gone", &key, &json!({ "chat": CHAT }))
            .await,
    )
    .await;
    assert_eq!(gone["ids"].as_array().unwrap().len(), 40_000);
    assert!(place.having("A word").is_empty() && !place.having("Hello").is_empty());
    // Names are ids: nothing else reaches the directory.
    for chat in [
        "../../x",
        "..",
        "0000000000000007/..",
        "",
        "0000000000000007\0",
    ] {
        let of = json!({ "chat": chat, "browser": ME });
        let answer = served.post("backup_get", &key, &of).await;
        assert_eq!(told(answer).await.0, 400, "{chat}");
    }
    let absent = json!({ "chat": CHAT, "browser": OTHER });
    let answer = served.post("backup_get", &key, &absent).await;
    assert_eq!(told(answer).await, (404, "not_in_backup".to_owned()));
    let removed = json!({ "browser": ME });
    let answer = served.post("backup_remove", &key, &removed).await;
    assert_eq!(answer.status(), 200);
}

/// 100 lists held 3.0 GB, and 200 readers that did not read 5.4 GB.
#[tokio::test(start_paused = true)]
async fn answers_that_nobody_reads_are_as_many_as_there_are_turns() {
    let place = Place::new();
    let backup = Arc::new(place.open());
    put(&backup, ME, CHAT, &[(1, "Hello")]);
    let key = backup.key();
    let served = serve(Some(backup));
    let of = json!({ "chat": CHAT, "browser": ME });
    let mut unread = Vec::new();
    for _ in 0..READS_AT_ONCE / 2 {
        for name in ["backup_list", "backup_get"] {
            let answer = served.post(name, &key, &of).await;
            assert_eq!(answer.status(), 200);
            unread.push(answer);
        }
    }
    for name in ["backup_list", "backup_get", "backup_gone"] {
        let answer = served.post(name, &key, &of).await;
        assert_eq!(told(answer).await, (429, "too_many_answers".to_owned()));
    }
    // What writes has turns of its own.
    let request = serde_json::to_value(request(ME, CHAT, &[(2, "Hi")])).unwrap();
    let answer = served.post("backup_put", &key, &request).await;
    assert_eq!(answer.status(), 200);
    let read = unread.pop().unwrap();
    assert!(json_of(read).await.is_object());
    let answer = served.post("backup_gone", &key, &of).await;
    assert_eq!(answer.status(), 200);
}
