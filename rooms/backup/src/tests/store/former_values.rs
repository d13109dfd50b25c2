//! The values of another browser that gave way, which the person may bring back.

use super::house::reactive;
use crate::store::{forget_former_values, use_former_value};
use reactive_graph::prelude::*;
use sash_records::backup::{FormerValue, add_former_values, former_values};

/// Undo once left the value that had been brought back, or lost both.
#[test]
fn undo_gives_back_the_values_of_another_browser() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        let former = |field: &str, value: &str| FormerValue {
            field: field.to_owned(),
            value: Some(value.into()),
            at: 5,
        };
        let all = [former("title", "Theirs"), former("system", "Obey.")];
        let kept = all.clone();
        house.chats.change_head(chat, |head| {
            head.title = Some("Mine".to_owned());
            head.set_system("Be brief.");
            add_former_values(head, kept);
        });
        house.chats.refresh_list();
        let head = || house.chats.open.with_untracked(|chat| chat.head.clone());
        let is_as_before = || {
            let now = head();
            let system = now.system_at(now.settings.system);
            assert_eq!((now.title(), system), (Some("Mine"), Some("Be brief.")));
            assert_eq!(former_values(&now.others), all);
            assert_eq!(house.titles(), ["Mine"]);
        };
        for value in &all {
            use_former_value(house.steering, house.chats, value, 9);
            assert_ne!(former_values(&head().others), all);
            assert!(house.chats.undo_last());
            is_as_before();
        }
        forget_former_values(house.steering);
        assert!(house.chats.undo_last());
        is_as_before();
    });
}
