//! The backup over HTTP: nothing without the key, on loopback too. What its calls do is tested in its room.

use crate::common::{House, raw, refused};
use backup::BackupPlaces;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A directory that goes with the test: in it are the backup and its keys.
pub(super) struct Place(PathBuf);

impl Place {
    pub(super) fn new(name: &str) -> Self {
        let directory = std::env::temp_dir().join(format!("sash-{}-{name}", std::process::id()));
        std::fs::remove_dir_all(&directory).ok();
        std::fs::create_dir(&directory).unwrap();
        Self(directory)
    }

    pub(super) fn places(&self) -> BackupPlaces {
        BackupPlaces {
            directory: self.0.join("backup"),
            state: Some(self.0.join("state")),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

async fn call(house: &House, name: &str, key: &str, body: &Value) -> reqwest::Response {
    let url = house.url(&format!("/api/v1/{name}"));
    let asked = house.http.post(url).header("x-sash-backup", key);
    asked.json(body).send().await.unwrap()
}

async fn keeps_backup(house: &House) -> Value {
    let answer = house.post("state", json!({})).await;
    answer.json::<Value>().await.unwrap()["keeps_backup"].clone()
}

#[tokio::test]
async fn without_the_flag_there_is_no_backup() {
    let house = House::new().await;
    let answer = call(&house, "backup_list", "", &json!({})).await;
    assert_eq!(refused(answer).await, (404, "backup_off".into()));
    assert_eq!(keeps_backup(&house).await, Value::Null);
}

#[tokio::test]
async fn with_the_key_a_chat_is_written_and_listed_and_without_it_nothing_is() {
    let place = Place::new("backup-http");
    let house = House::with(|s| s.backup = Some(place.places())).await;
    assert_eq!(keeps_backup(&house).await, true);
    let answer = call(&house, "backup_list", "", &json!({})).await;
    assert_eq!(refused(answer).await, (403, "backup_locked".into()));
    let key = house.sash.backup().unwrap().key().0;
    let put = json!({
        "chat": "0000000000000007", "browser": "0000000000000001", "lines": "", "state": "s",
        "title": "A title", "running": [], "seen": {}, "fields": {},
    });
    let put: Value = call(&house, "backup_put", &key, &put)
        .await
        .json()
        .await
        .unwrap();
    assert_eq!(put["write"], 1);
    let list = call(&house, "backup_list", &key, &json!({})).await;
    let list: Value = list.json().await.unwrap();
    assert_eq!(list["copies"][0]["title"], "A title");
    house.sash.stop().await;
}

/// 64 MB were read before the key was looked at.
#[tokio::test]
async fn the_key_is_compared_before_a_body_arrives() {
    let place = Place::new("backup-body");
    let house = House::with(|s| s.backup = Some(place.places())).await;
    let at = house.at();
    let head = format!(
        "POST /api/v1/backup_put HTTP/1.1\r\nHost: {at}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nX-Sash-Backup: wrong\r\nContent-Length: 67108864\r\n\r\n"
    );
    let began = Instant::now();
    let answer = raw(at, head.as_bytes()).await;
    assert_eq!(answer.status, 403);
    assert!(answer.body.contains("backup_locked"), "{}", answer.body);
    assert!(began.elapsed() < Duration::from_secs(4));
}
