//! Alerts for answers that ended while the page was not in view.

use crate::{AlertDevice, Alerts};
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_harness::{Heard, House, Machine, reactive, says, settle, text, two_listeners};
use sash_log::{Key, KeyValue, encode_record, parse_record};
use sash_stores::AnswerEvent;
use sash_wire::Fault;
use serde_json::{Value, json};
use std::ops::Deref;
use std::rc::Rc;

/// Notes the notifications shown and the sounds played.
impl AlertDevice for Heard {
    fn notify(&self, title: &str, body: &str, _on_click: Box<dyn FnOnce()>) {
        self.note(format!("{title}: {body}"));
    }
    fn play_sound(&self) {
        self.note("a sound");
    }
}

/// The page in memory, and the store over alerts that are noted.
struct Room {
    house: House,
    alerts: Alerts,
    /// Notifications shown and sounds played.
    heard: Heard,
}

impl Deref for Room {
    type Target = House;

    fn deref(&self) -> &House {
        &self.house
    }
}

impl Room {
    fn title(&self) -> String {
        untrack(|| self.alerts.page_title())
    }
}

/// Runs a test in the page.
fn with_room(test: impl FnOnce(&Machine, &Room)) {
    reactive(|machine, house| {
        let heard = Heard::default();
        let alerts = Alerts::new(house.kernel, Rc::new(heard.clone()));
        let room = Room {
            house,
            alerts,
            heard,
        };
        test(machine, &room);
    });
}

/// Asks a question that is answered while the page is hidden.
fn answered_unseen(machine: &Machine, room: &Room, question: &str) {
    machine.hidden.set(true);
    room.exchange(machine, question, "Yes.");
}

#[test]
fn the_title_says_that_an_answer_is_ready_until_the_page_is_seen() {
    with_room(|machine, room| {
        room.exchange(machine, "Hi", "Hello");
        assert_eq!(room.title(), "Hi");
        answered_unseen(machine, room, "More?");
        assert_eq!(room.title(), "✓ Hi");
        // Also where another chat is open by then.
        room.chats.begin_chat();
        settle();
        assert_eq!(room.title(), "✓ Hi");
        machine.hidden.set(false);
        room.alerts.record_seen();
        assert_eq!(room.title(), "New chat");
        assert!(room.heard.take().is_empty(), "off unless switched on");
    });
}

#[test]
fn a_notification_and_a_sound_are_given_once_for_an_answer_where_they_are_on_and_nobody_looks() {
    with_room(|machine, room| {
        room.alerts
            .settings
            .change(|settings| (settings.notify, settings.sound) = (true, true));
        room.exchange(machine, "Hi", "Hello");
        assert!(room.heard.take().is_empty());
        answered_unseen(machine, room, "More?");
        assert_eq!(room.heard.take(), ["Answer ready: Hi", "a sound"]);

        // What a person stops is no news, what breaks off is.
        machine.hold_open(vec![text("Half")]);
        assert!(room.answers.ask("And?".to_owned()));
        settle();
        room.answers.stop(room.chat());
        assert!(room.heard.take().is_empty());
        machine.answer(vec![text("Half"), Err(Fault::ServerStopping)]);
        assert!(room.answers.ask("And?".to_owned()));
        machine.pass(100.0);
        assert_eq!(
            room.heard.take().first().map(String::as_str),
            Some("Answer incomplete: Hi")
        );
        assert_eq!(room.title(), "⚠ Hi");
    });
}

#[test]
fn nothing_of_a_temporary_chat_is_said_outside_of_the_page() {
    with_room(|machine, room| {
        room.alerts
            .settings
            .change(|settings| settings.notify = true);
        room.chats.begin_temporary();
        settle();
        machine.hidden.set(true);
        machine.answer(says(&["Zanzibar"]));
        assert!(room.answers.ask("Zanzibar?".to_owned()));
        machine.pass(100.0);
        assert_eq!(room.heard.take(), ["Answer ready: Temporary chat"]);
        assert_eq!(room.title(), "✓ Temporary chat");
    });
}

#[test]
fn an_answer_without_text_is_marked_in_the_title() {
    with_room(|machine, room| {
        machine.hidden.set(true);
        for frames in [says(&[]), says(&[" \n"])] {
            machine.answer(frames);
            assert!(room.answers.ask("Hi".to_owned()));
            machine.pass(100.0);
            assert!(room.title().starts_with('⚠'));
            room.alerts.record_seen();
        }
    });
}

#[test]
fn whoever_hears_of_answers_leaves_the_title_its_own() {
    with_room(|machine, room| {
        let heard = two_listeners(room.answers.events(), |event| match event {
            AnswerEvent::Ended(_, message) => message.content.clone(),
            _ => "another".to_owned(),
        });
        answered_unseen(machine, room, "Hi");
        assert!(room.alerts.has_unseen());
        let mut heard = heard.take();
        heard.retain(|what| !what.ends_with("another"));
        assert_eq!(heard, ["a: Yes.", "b: Yes."]);
    });
}

/// The keys are those of the record as it has always been.
#[test]
fn the_switches_are_read_from_the_record_and_written_as_they_were() {
    with_room(|machine, room| {
        let key = Key::Settings.to_string();
        let disk = || machine.disk.store(77);
        let record = json!({
            "rev": 9,
            "upstream": "ollama",
            "policy": "everything",
            "notify": true,
            "sound": true,
            "wake_lock": true,
        });
        disk().set(&key, &encode_record(&record)).unwrap();
        room.settings.reload();
        let settings = room.alerts.settings;
        let now = settings.current.get_untracked();
        assert!(now.notify && now.sound && now.wake_lock);
        settings.change(|_| {});
        let mut stored: Value = parse_record(&disk().get(&key).unwrap()).unwrap();
        stored["rev"] = json!(9);
        assert_eq!(stored, record);
        settings.change(|now| now.sound = false);
        let stored: Value = parse_record(&disk().get(&key).unwrap()).unwrap();
        assert_eq!(stored.get("sound"), None, "{stored}");
    });
}
