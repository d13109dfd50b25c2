//! An answer that is read aloud.

use crate::house::{House, reactive};
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_harness::settle;
use sash_state::SpeechRate;

/// The sentence that is spoken, of this text.
fn spoken(house: House, text: &str) -> Option<String> {
    let sentence = house.rooms.read_aloud.sentence.get_untracked();
    sentence.map(|sentence| text[sentence.at].to_owned())
}

fn answered(machine: &crate::machine::Machine, house: House) -> Id {
    machine.speaker.add_voice("Anna", "de-DE");
    machine.speaker.add_voice("Ben", "en-GB");
    house.rooms.read_aloud.find_voices();
    house.exchange(machine, "Hi", "Hello").1
}

#[test]
fn sentences_follow_each_other_by_a_voice_of_their_language_and_then_it_ends() {
    reactive(|machine, house| {
        let id = answered(machine, house);
        let text = "The first one is this. And that is the second.";
        house.rooms.read_aloud.start(id, text.to_owned());
        assert_eq!(
            spoken(house, text).as_deref(),
            Some("The first one is this.")
        );
        // Another speed holds from the next sentence on.
        house
            .rooms
            .read_aloud
            .settings
            .change(|settings| settings.speech_rate = SpeechRate::Double);
        machine.speaker.end(true);
        assert_eq!(
            spoken(house, text).as_deref(),
            Some("And that is the second.")
        );
        assert!(house.rooms.read_aloud.is_reading(id));
        machine.speaker.end(true);
        assert_eq!(spoken(house, text), None);
        assert_eq!(
            machine.speaker.said(),
            [
                "Ben 1: The first one is this.",
                "Ben 2: And that is the second."
            ]
        );
        house
            .rooms
            .read_aloud
            .start(id, "Das ist nicht die Antwort.".to_owned());
        assert_eq!(machine.speaker.said().len(), 3);
        assert!(machine.speaker.said()[2].starts_with("Anna"));
    });
}

#[test]
fn stopping_deleting_and_another_chat_end_it_and_a_late_end_begins_nothing() {
    reactive(|machine, house| {
        let id = answered(machine, house);
        let read = |text: &str| house.rooms.read_aloud.start(id, text.to_owned());
        read("One. Two.");
        house.rooms.read_aloud.stop();
        machine.speaker.end(true);
        assert_eq!(machine.speaker.said().len(), 1);
        assert_eq!(machine.speaker.stops(), 1);

        // Another text takes its place.
        read("Three. Four.");
        read("Five. Six.");
        machine.speaker.end_first(false);
        assert_eq!(spoken(house, "Five. Six.").as_deref(), Some("Five."));
        house.chats.begin_chat();
        settle();
        assert!(!house.rooms.read_aloud.is_reading(id));

        house
            .chats
            .open_chat(house.chats.list.get_untracked()[0].id);
        settle();
        read("Seven. Eight.");
        assert!(house.rooms.read_aloud.is_reading(id));
        house.chats.delete_message(id);
        settle();
        assert!(!house.rooms.read_aloud.is_reading(id));
        machine.speaker.end(true);
        assert_eq!(machine.speaker.said().len(), 4);
    });
}

#[test]
fn without_a_voice_with_nothing_to_say_or_with_a_voice_that_breaks_off_it_says_so() {
    reactive(|machine, house| {
        let id = house.exchange(machine, "Hi", "Hello").1;
        house.rooms.read_aloud.find_voices();
        assert!(!house.rooms.read_aloud.has_voice());
        house.rooms.read_aloud.start(id, "One.".to_owned());
        assert!(house.toast().is_some_and(|words| words.contains("voice")));
        // Browsers find their voices late.
        machine.speaker.add_voice("Ben", "en");
        assert!(house.rooms.read_aloud.has_voice());
        house.rooms.read_aloud.start(id, "…".to_owned());
        assert!(house.toast().is_some_and(|words| words.contains("no text")));
        house.rooms.read_aloud.start(id, "One. Two.".to_owned());
        machine.speaker.end(false);
        assert!(!house.rooms.read_aloud.is_reading(id));
        assert!(
            house
                .toast()
                .is_some_and(|words| words.contains("Voice stopped"))
        );
    });
}

/// The page once gave the voice the text while it held the arena of all stores, and what the voice said at once found it held.
#[test]
fn a_voice_that_is_gone_ends_the_reading_at_once() {
    reactive(|machine, house| {
        let id = answered(machine, house);
        machine.speaker.are_gone.set(true);
        house.rooms.read_aloud.start(id, "One. Two.".to_owned());
        assert!(!house.rooms.read_aloud.is_reading(id));
        let says_so = |words: String| words.contains("Voice stopped");
        assert!(house.toast().is_some_and(says_so));
    });
}
