//! The settings of features: parts of the one record.

use crate::house::reactive;
use attachments::{LongPaste, Pastes};
use list::ListSettings;
use reactive_graph::prelude::*;
use read_ahead::{ReadAheadSettings, ReadAheadTime};
use sash_chat::{Id, ModelId, RecallMode, RecallSetting};
use sash_harness::settle;
use sash_log::{Key, Store, encode_record, parse_record};
use sash_state::EmbeddingStart;
use sash_wire::{EngineAction, EngineInfo, EngineReach};
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
        let pastes = Pastes::new(house.kernel);
        let list = house.settings.part::<ListSettings>();
        let key = Key::Settings.to_string();
        let disk = || machine.disk.store(77);
        disk().set(&key, &encode_record(&record)).unwrap();
        house.settings.reload();
        assert!(list.current.get_untracked().chats_by_name);
        let vectors = house.rooms.embeddings.settings.current.get_untracked();
        assert_eq!(vectors.embedding_model.as_deref(), Some("near:latest"));
        let started = EmbeddingStart::Started("digest".to_owned());
        assert_eq!(vectors.embedding_start, started);
        let ahead = ahead.current.get_untracked();
        assert_eq!(ahead.read_ahead, ReadAheadTime::AnswersToo);
        let pasted = pastes.settings.current.get_untracked();
        assert_eq!(pasted.long_paste, LongPaste::Always);
        let backup = house.rooms.backup.settings.current.get_untracked();
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

/// The prompt goes to the engine that makes its vector, too.
#[test]
fn whether_the_engine_of_the_embedding_model_runs_here_is_asked_where_the_chat_recalls() {
    reactive(|machine, house| {
        let engine = |name: &str, reach| EngineInfo {
            name: name.to_owned(),
            can: EngineAction::OLLAMA.to_vec(),
            reach,
            address_digest: name.to_owned(),
            ..EngineInfo::default()
        };
        *machine.engines.borrow_mut() = vec![
            engine("ollama", EngineReach::Local),
            engine("box", EngineReach::Loopback),
        ];
        house.engine.refresh();
        settle();
        let near = ModelId::new(Some("box"), "near:latest");
        house.rooms.embeddings.choose(Some(near.key().into_owned()));
        let asked = || {
            let engine = house.draft_question.engine.get_untracked();
            engine.map(|engine| engine.name)
        };
        house.write("What is");
        machine.pass(1_000.0);
        assert_eq!(asked(), None);
        house.steering.set_recall(RecallSetting {
            mode: RecallMode::ByItself,
            ..RecallSetting::default()
        });
        settle();
        assert_eq!(asked().as_deref(), Some("box"));
        house.rooms.embeddings.choose(None);
        assert_eq!(asked(), None);
    });
}
