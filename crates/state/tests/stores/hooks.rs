//! Stores of rooms hear of what happens beside others.

use crate::house::reactive;
use sash_chat::Id;
use sash_harness::{says, two_listeners};
use sash_log::Key;
use sash_state::BackupEvent;
use sash_stores::AnswerEvent;
use std::collections::BTreeSet;

#[test]
fn the_backup_tells_all_its_listeners() {
    reactive(|_, house| {
        let backup = two_listeners(house.rooms.backup.events(), |event| match event {
            BackupEvent::Joined(_, there) => there.to_string(),
            BackupEvent::Purged(gone, _) => gone.len().to_string(),
        });
        let joined = BackupEvent::Joined(Key::Settings, true);
        house.rooms.backup.events().emit(&joined);
        let purged = BackupEvent::Purged(BTreeSet::from([(Id(1), None)]), BTreeSet::new());
        house.rooms.backup.events().emit(&purged);
        assert_eq!(backup.take(), ["a: true", "b: true", "a: 1", "b: 1"]);
    });
}

#[test]
fn whoever_hears_of_answers_leaves_the_queue_its_own() {
    reactive(|machine, house| {
        let heard = two_listeners(house.answers.events(), |event| match event {
            AnswerEvent::Ended(_, message) => message.content.clone(),
            AnswerEvent::Free(free) => format!("{:?}", free.outcome),
            AnswerEvent::Sending(_, request) => format!("sends {}", request.prompt),
            AnswerEvent::Ending(..) => "ends".to_owned(),
            AnswerEvent::Called(_) | AnswerEvent::Stopping(_) => "none".to_owned(),
        });
        machine.answer(says(&["Hello"]));
        assert!(house.answers.ask("Hi".to_owned()));
        house.write("And then?");
        house.rooms.queue.add_draft();
        machine.answer(says(&["That"]));
        machine.pass(100.0);
        assert_eq!(house.texts(), ["Hi", "Hello", "And then?", "That"]);
        let of = |prompt: &str, answer: &str| {
            let sends = format!("sends {prompt}");
            let all = [sends.as_str(), "ends", answer, "Complete"];
            let two = |what: &&str| ["a", "b"].map(|who| format!("{who}: {what}"));
            all.iter().flat_map(two).collect::<Vec<_>>()
        };
        let all = [of("Hi", "Hello"), of("And then?", "That")];
        assert_eq!(heard.take(), all.concat());
    });
}
