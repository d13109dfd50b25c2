//! The tail of an answer that the server keeps: what of it the log has is exactly what a page that comes back must not
//! request again, whatever a killed browser lost.

use super::journal::MemoryJournal;
use super::*;
use crate::form::FORM;
use sash_chat::AnswerId;
use serde_json::json;

const ANSWER: Id = Id(3);
const KEPT: AnswerId = AnswerId(7);

fn piece(content: &str, frames: [usize; 2]) -> TailParts {
    TailParts {
        frames: Some(frames),
        ..TailParts::from(content)
    }
}

/// A log with the tail of an answer that is kept, with pieces of five frames each.
fn begun<S: KeyValue>(store: S, pieces: u32) -> Log<S> {
    let mut log = open(store);
    log.save_head(&Head::new(CHAT, 5)).unwrap();
    log.save_message(CHAT, &message(1, Role::User, "q"))
        .unwrap();
    log.begin_tail(CHAT, &message(3, Role::Assistant, ""), Some(KEPT))
        .unwrap();
    for n in 1..=pieces {
        let from = (n as usize - 1) * 5;
        log.append_tail(CHAT, ANSWER, n, piece(&format!("[{n}]"), [from, from + 5]))
            .unwrap();
    }
    log
}

/// Text, frames and last piece of the answer as a page that comes back has it.
fn resumed<S: KeyValue>(log: &mut Log<S>) -> (String, usize, u32) {
    let tail = log.kept_tail(CHAT, ANSWER).unwrap();
    assert_eq!(tail.answer, KEPT);
    (tail.message.content, tail.frames, tail.pieces)
}

#[test]
fn text_and_position_are_written_at_once_and_read_together() {
    let mut log = begun(MemoryStore::default(), 0);
    assert_eq!(resumed(&mut log), (String::new(), 0, 0));
    log.append_tail(CHAT, ANSWER, 1, piece("one", [0, 4]))
        .unwrap();
    let key = Key::Tail(CHAT, ANSWER, 1).to_string();
    let written = log.store().get(&key).unwrap();
    assert!(written.ends_with(r#"|{"content":"one","frames":[0,4]}"#));
    let mut log = open(log.store().clone());
    assert_eq!(resumed(&mut log), ("one".into(), 4, 1));
    assert_eq!(log.kept_answers(CHAT), [(ANSWER, KEPT)]);
    assert_eq!(log.chats_with_tails(), [CHAT]);
}

#[test]
fn an_answer_that_ended_or_was_deleted_or_is_to_be_stopped_is_not_taken_up() {
    let mut log = begun(MemoryStore::default(), 2);
    log.save_stop(KEPT, 5).unwrap();
    assert_eq!(log.kept_tail(CHAT, ANSWER), None);
    log.drop_stop(KEPT);
    assert!(log.kept_tail(CHAT, ANSWER).is_some());
    let answer = message(3, Role::Assistant, "");
    log.remove_message(CHAT, &answer, 1).unwrap();
    assert_eq!(log.kept_tail(CHAT, ANSWER), None);
    log.restore_message(CHAT, ANSWER);
    assert!(log.kept_tail(CHAT, ANSWER).is_some());
    log.save_message(CHAT, &answer).unwrap();
    assert_eq!(log.kept_tail(CHAT, ANSWER), None);
}

#[test]
fn calls_of_tools_are_in_the_tail_too() {
    let mut log = begun(MemoryStore::default(), 1);
    let calls = json!([{"function": {"name": "current_time", "arguments": {}}}]);
    let parts = TailParts {
        tool_calls: Some(calls.clone()),
        calls_left_out: 2,
        ..piece("", [5, 6])
    };
    log.append_tail(CHAT, ANSWER, 2, parts).unwrap();
    let tail = log.kept_tail(CHAT, ANSWER).unwrap();
    assert_eq!(tail.message.tool_calls, Some(calls));
    assert_eq!((tail.message.calls_left_out, tail.frames), (2, 6));
}

#[test]
fn the_text_of_an_answer_that_is_carried_on_is_not_counted_among_the_frames() {
    let mut log = open(written());
    let mut answer = message(3, Role::Assistant, "Begun ");
    answer.thinking = "hm".into();
    log.begin_tail(CHAT, &answer, Some(KEPT)).unwrap();
    log.append_tail(CHAT, ANSWER, 1, piece("and gone on", [0, 3]))
        .unwrap();
    let tail = log.kept_tail(CHAT, ANSWER).unwrap();
    assert_eq!(tail.message.content, "Begun and gone on");
    assert_eq!((tail.begun, tail.frames), ((6, 2), 3));
}

/// Whichever piece is lost: what lies before it is where the answer goes on, and nothing of it counts twice.
#[test]
fn a_lost_piece_is_requested_again_with_all_that_follows_it() {
    for lost in 1..=4 {
        let mut log = begun(MemoryStore::default(), 4);
        log.remove(Key::Tail(CHAT, ANSWER, lost));
        let (text, frames, last) = resumed(&mut log);
        let whole = lost as usize - 1;
        assert_eq!(frames, whole * 5, "{lost}");
        assert_eq!(text.len(), whole * 3, "{lost}");
        // The rest comes from the server, in two pieces, of which the first reaches into what is behind the gap.
        log.append_tail(CHAT, ANSWER, last + 1, piece("<a>", [frames, 17]))
            .unwrap();
        log.append_tail(CHAT, ANSWER, last + 2, piece("<b>", [17, 30]))
            .unwrap();
        assert_eq!(resumed(&mut log), (format!("{text}<a><b>"), 30, last + 2));
        let shown = log.load(CHAT).unwrap();
        assert_eq!(shown.get(ANSWER).unwrap().content, format!("{text}<a><b>"));
    }
}

#[test]
fn what_is_behind_a_gap_is_shown_with_a_note_while_the_gap_is_not_filled() {
    let mut log = begun(MemoryStore::default(), 3);
    log.remove(Key::Tail(CHAT, ANSWER, 2));
    let shown = log.load(CHAT).unwrap().get(ANSWER).unwrap().content.clone();
    assert!(
        shown.starts_with("[1]") && shown.ends_with("[3]"),
        "{shown}"
    );
    assert!(shown.contains("could not be read"), "{shown}");
}

/// The journal opened too late, so the page went on without what it has: its pieces hold other frames now.
#[test]
fn pieces_of_a_former_page_in_a_journal_that_is_older_are_not_replayed_into_the_answer() {
    let journal = MemoryJournal::default();
    let before = begun(
        Journaled::new(MemoryStore::default(), journal.clone(), KINDS),
        5,
    );
    let mut late = before.store.store.clone();
    for n in 2..=5 {
        late.remove(&Key::Tail(CHAT, ANSWER, n).to_string());
    }
    let mut log = open(Journaled::new(late, journal.clone(), KINDS));
    assert_eq!(resumed(&mut log).1, 5);
    log.append_tail(CHAT, ANSWER, 2, piece("<a>", [5, 18]))
        .unwrap();
    log.append_tail(CHAT, ANSWER, 3, piece("<b>", [18, 22]))
        .unwrap();
    let mut store = log.store.store.clone();
    // The journal still has the last two pieces of the former page.
    let replayed = replay(&mut store, &journal.0.borrow(), 20, false, KINDS);
    assert_eq!(replayed.restored, 2);
    let mut log = open(store);
    // The page goes on behind all of them.
    assert_eq!(resumed(&mut log), ("[1]<a><b>".into(), 22, 5));
}

#[test]
fn tails_of_an_older_version_are_read_as_before_and_not_taken_up() {
    let mut log = open(written());
    log.begin_tail(CHAT, &message(3, Role::Assistant, ""), None)
        .unwrap();
    let mut store = log.store().clone();
    for (n, payload) in [(1, r#""a""#), (2, r#"{"content":"b","thinking":"t"}"#)] {
        let record = FORM.write(payload);
        store
            .set(&Key::Tail(CHAT, ANSWER, n).to_string(), &record)
            .unwrap();
    }
    let mut log = open(store);
    assert_eq!(log.kept_tail(CHAT, ANSWER), None);
    let shown = log.load(CHAT).unwrap();
    let answer = shown.get(ANSWER).unwrap();
    assert_eq!(
        (answer.content.as_str(), answer.thinking.as_str()),
        ("ab", "t")
    );
}

#[test]
fn a_wrong_id_or_position_costs_itself_and_not_the_text() {
    let log = begun(MemoryStore::default(), 1);
    let mut head = serde_json::to_value(message(3, Role::Assistant, "")).unwrap();
    head["kept"] = json!("no id");
    let mut store = log.store().clone();
    let set = |store: &mut MemoryStore, n, payload: &serde_json::Value| {
        let record = encode_record(payload);
        store
            .set(&Key::Tail(CHAT, ANSWER, n).to_string(), &record)
            .unwrap();
    };
    set(&mut store, 0, &head);
    set(&mut store, 1, &json!({"content": "text", "frames": "many"}));
    let mut log = open(store);
    assert_eq!(log.kept_answers(CHAT), []);
    let shown = log.load(CHAT).unwrap();
    assert_eq!(shown.get(ANSWER).unwrap().content, "text");
}

#[test]
fn a_stop_is_kept_until_it_is_dropped_or_a_day_old() {
    const DAY: u64 = 24 * 60 * 60 * 1000;
    let mut log = open(MemoryStore::default());
    log.save_stop(KEPT, 1000).unwrap();
    log.save_stop(AnswerId(8), 2000).unwrap();
    let mut log = open(log.store().clone());
    assert!(log.stops.contains(&KEPT));
    assert_eq!(log.pending_stops(3000), [KEPT, AnswerId(8)]);
    assert_eq!(log.pending_stops(DAY + 1500), [AnswerId(8)]);
    assert!(
        !log.stops.contains(&KEPT),
        "the server has ended it long ago"
    );
    log.drop_stop(AnswerId(8));
    assert_eq!(open(log.store().clone()).pending_stops(0), []);
}
