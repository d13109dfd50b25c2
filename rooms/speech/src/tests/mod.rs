//! An answer that is read aloud.

mod speaker;

use crate::{ReadAloud, SpeechRate};
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_harness::{House, Machine, reactive, settle};
use sash_log::{Key, KeyValue, encode_record, parse_record};
use serde_json::{Value, json};
use speaker::Speaker;
use std::ops::Deref;
use std::rc::Rc;

/// The page in memory, and the store over voices that the test ends.
struct Room {
    house: House,
    speaker: Speaker,
    read_aloud: ReadAloud,
}

impl Deref for Room {
    type Target = House;

    fn deref(&self) -> &House {
        &self.house
    }
}

/// Runs a test in the page.
fn with_room(test: impl FnOnce(&Machine, &Room)) {
    reactive(|machine, house| {
        let speaker = Speaker::default();
        let read_aloud = ReadAloud::new(house.kernel, Rc::new(speaker.clone()));
        let room = Room {
            house,
            speaker,
            read_aloud,
        };
        test(machine, &room);
    });
}

/// The sentence that is spoken, of this text.
fn spoken(room: &Room, text: &str) -> Option<String> {
    let sentence = room.read_aloud.sentence.get_untracked();
    sentence.map(|sentence| text[sentence.at].to_owned())
}

fn answered(machine: &Machine, room: &Room) -> Id {
    room.speaker.add_voice("Anna", "de-DE");
    room.speaker.add_voice("Ben", "en-GB");
    room.read_aloud.find_voices();
    room.exchange(machine, "Hi", "Hello").1
}

#[test]
fn sentences_follow_each_other_by_a_voice_of_their_language_and_then_it_ends() {
    with_room(|machine, room| {
        let id = answered(machine, room);
        let text = "The first one is this. And that is the second.";
        room.read_aloud.start(id, text.to_owned());
        assert_eq!(
            spoken(room, text).as_deref(),
            Some("The first one is this.")
        );
        // Another speed holds from the next sentence on.
        room.read_aloud
            .settings
            .change(|settings| settings.speech_rate = SpeechRate::Double);
        room.speaker.end(true);
        assert_eq!(
            spoken(room, text).as_deref(),
            Some("And that is the second.")
        );
        assert!(room.read_aloud.is_reading(id));
        room.speaker.end(true);
        assert_eq!(spoken(room, text), None);
        assert_eq!(
            room.speaker.said(),
            [
                "Ben 1: The first one is this.",
                "Ben 2: And that is the second."
            ]
        );
        room.read_aloud
            .start(id, "Das ist nicht die Antwort.".to_owned());
        assert_eq!(room.speaker.said().len(), 3);
        assert!(room.speaker.said()[2].starts_with("Anna"));
    });
}

#[test]
fn stopping_deleting_and_another_chat_end_it_and_a_late_end_begins_nothing() {
    with_room(|machine, room| {
        let id = answered(machine, room);
        let read = |text: &str| room.read_aloud.start(id, text.to_owned());
        read("One. Two.");
        room.read_aloud.stop();
        room.speaker.end(true);
        assert_eq!(room.speaker.said().len(), 1);
        assert_eq!(room.speaker.stops(), 1);

        // Another text takes its place.
        read("Three. Four.");
        read("Five. Six.");
        room.speaker.end_first(false);
        assert_eq!(spoken(room, "Five. Six.").as_deref(), Some("Five."));
        room.chats.begin_chat();
        settle();
        assert!(!room.read_aloud.is_reading(id));

        room.chats.open_chat(room.chats.list.get_untracked()[0].id);
        settle();
        read("Seven. Eight.");
        assert!(room.read_aloud.is_reading(id));
        room.chats.delete_message(id);
        settle();
        assert!(!room.read_aloud.is_reading(id));
        room.speaker.end(true);
        assert_eq!(room.speaker.said().len(), 4);
    });
}

#[test]
fn without_a_voice_with_nothing_to_say_or_with_a_voice_that_breaks_off_it_says_so() {
    with_room(|machine, room| {
        let id = room.exchange(machine, "Hi", "Hello").1;
        room.read_aloud.find_voices();
        assert!(!room.read_aloud.has_voice());
        room.read_aloud.start(id, "One.".to_owned());
        assert!(room.toast().is_some_and(|words| words.contains("voice")));
        // Browsers find their voices late.
        room.speaker.add_voice("Ben", "en");
        assert!(room.read_aloud.has_voice());
        room.read_aloud.start(id, "…".to_owned());
        assert!(room.toast().is_some_and(|words| words.contains("no text")));
        room.read_aloud.start(id, "One. Two.".to_owned());
        room.speaker.end(false);
        assert!(!room.read_aloud.is_reading(id));
        assert!(
            room.toast()
                .is_some_and(|words| words.contains("Voice stopped"))
        );
    });
}

/// The page once gave the voice the text while it held the arena of all stores, and what the voice said at once found it held.
#[test]
fn a_voice_that_is_gone_ends_the_reading_at_once() {
    with_room(|machine, room| {
        let id = answered(machine, room);
        room.speaker.are_gone.set(true);
        room.read_aloud.start(id, "One. Two.".to_owned());
        assert!(!room.read_aloud.is_reading(id));
        let says_so = |words: String| words.contains("Voice stopped");
        assert!(room.toast().is_some_and(says_so));
    });
}

/// The key and its words are those of the record as it has always been.
#[test]
fn the_speed_is_read_from_the_record_and_written_as_it_was() {
    with_room(|machine, room| {
        let key = Key::Settings.to_string();
        let disk = || machine.disk.store(77);
        let record = json!({"rev": 9, "speech_rate": "slow"});
        disk().set(&key, &encode_record(&record)).unwrap();
        room.settings.reload();
        let settings = room.read_aloud.settings;
        assert_eq!(
            settings.current.get_untracked().speech_rate,
            SpeechRate::Slow
        );
        for (rate, word) in [(SpeechRate::Fast, "fast"), (SpeechRate::Double, "double")] {
            settings.change(|now| now.speech_rate = rate);
            let stored: Value = parse_record(&disk().get(&key).unwrap()).unwrap();
            assert_eq!(stored["speech_rate"], word);
        }
        settings.change(|now| now.speech_rate = SpeechRate::Normal);
        let stored: Value = parse_record(&disk().get(&key).unwrap()).unwrap();
        assert_eq!(stored.get("speech_rate"), None, "{stored}");
    });
}
