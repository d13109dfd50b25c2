//! The settings of features: parts of the one record.

use crate::house::reactive;
use attachments::{LongPaste, Pastes};
use backup::BackupSettings;
use list::ListSettings;
use reactive_graph::prelude::*;
use read_ahead::{ReadAheadSettings, ReadAheadTime};
use recall::{EmbeddingSettings, EmbeddingStart};
use sash_chat::Id;
use sash_log::{Key, KeyValue, encode_record, parse_record};
use serde_json::{Value, json};

/// The names and forms are those of the record as it has always been.
#[test]
fn a_record_is_read_by_the_features_and_written_as_it_was() {
    let record = json!({
        "rev": 9,
        "upstream": "ollama",
        "policy": "everything",
        "chats_by_name": true,
        "embedding_model": "near:latest",
        "embedding_start": {"started": "digest"},
        "read_ahead": "answers_too",
        "long_paste": "always",
        "backup_key": "key",
        "backup_folder": Id(7),
        "in_step": true,
    });
    reactive(|machine, house| {
        let ahead = house.settings.part::<ReadAheadSettings>();
        let vectors = house.settings.part::<EmbeddingSettings>();
        let pastes = Pastes::new(house.kernel);
        let list = house.settings.part::<ListSettings>();
        let backup = house.settings.part::<BackupSettings>();
        let key = Key::Settings.to_string();
        let disk = || machine.disk.store(77);
        disk().set(&key, &encode_record(&record)).unwrap();
        house.settings.reload();
        assert!(list.current.get_untracked().chats_by_name);
        let vectors = vectors.current.get_untracked();
        assert_eq!(vectors.embedding_model.as_deref(), Some("near:latest"));
        let started = EmbeddingStart::Started("digest".to_owned());
        assert_eq!(vectors.embedding_start, started);
        let ahead = ahead.current.get_untracked();
        assert_eq!(ahead.read_ahead, ReadAheadTime::AnswersToo);
        let pasted = pastes.settings.current.get_untracked();
        assert_eq!(pasted.long_paste, LongPaste::Always);
        let backup = backup.current.get_untracked();
        assert_eq!(
            (&*backup.backup_key, backup.backup_folder),
            ("key", Some(Id(7)))
        );
        assert!(backup.in_step);
        // What changes nothing writes all of it as it was.
        list.change(|_| {});
        let mut stored: Value = parse_record(&disk().get(&key).unwrap()).unwrap();
        stored["rev"] = json!(9);
        assert_eq!(stored, record);
    });
}
