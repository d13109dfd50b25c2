//! Tests of the hooks by which stores hear of each other.

use reactive_graph::computed::Memo;
use reactive_graph::graph::untrack;
use reactive_graph::owner::Owner;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_harness::{Heard, reactive, small_image, two_listeners};
use sash_stores::hooks::{EngineUsers, Events, Takers, Urgency};
use sash_stores::{ChatEvent, LogEvent, TabGone};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Most sources had room for one listener: a second one silenced the first, and with it the store that needed it.
#[test]
fn each_source_tells_all_its_listeners() {
    reactive(|_, house| {
        let chat = house.chat();
        let chats = two_listeners(house.chats.events(), |event| format!("{event:?}"));
        house.chats.events().emit(&ChatEvent::Changed);
        assert_eq!(chats.take(), ["a: Changed", "b: Changed"]);

        let log = two_listeners(house.storage.events(), |event| format!("{event:?}"));
        house.storage.events().emit(&LogEvent::ChatsChanged);
        assert_eq!(log.take(), ["a: ChatsChanged", "b: ChatsChanged"]);

        let remote = two_listeners(house.remote.events(), |TabGone(chat)| chat.to_string());
        house.remote.events().emit(&TabGone(chat));
        assert_eq!(remote.take(), [format!("a: {chat}"), format!("b: {chat}")]);
    });
}

/// Whether a chat is busy was asked before anybody held it: what was found then must not stay.
#[test]
fn a_chat_that_a_store_holds_takes_no_prompt_until_it_lets_go_or_ends() {
    reactive(|_, house| {
        let chat = house.chat();
        let is_busy = || untrack(|| house.answers.is_busy(chat));
        let held = RwSignal::new(BTreeSet::new());
        let room = Owner::new();
        assert!(!is_busy() && untrack(|| house.answers.can_send()));
        room.with(|| house.chats.holds().add(Memo::new(move |_| held.get())));
        assert!(!is_busy());
        held.set(BTreeSet::from([chat]));
        assert!(is_busy() && !untrack(|| house.answers.can_send()));
        held.set(BTreeSet::new());
        assert!(!is_busy());
        held.set(BTreeSet::from([chat]));
        assert!(is_busy());
        room.cleanup();
        assert!(!is_busy(), "who held it is gone");
    });
}

#[test]
fn a_listener_ends_with_the_owner_that_registered_it() {
    reactive(|_, _| {
        let (events, heard) = (Events::<u8>::default(), Heard::default());
        let held = Rc::new(());
        let row = Owner::new();
        row.with(|| {
            let (heard, held) = (heard.clone(), Rc::clone(&held));
            events.on(move |event| heard.note(format!("row {event} {}", Rc::strong_count(&held))));
        });
        let page = heard.clone();
        events.on(move |event| page.note(format!("page {event}")));
        events.emit(&1);
        row.cleanup();
        events.emit(&2);
        assert_eq!(heard.take(), ["row 1 2", "page 1", "page 2"]);
        assert_eq!(Rc::strong_count(&held), 1, "nothing of the row is kept");
    });
}

#[test]
fn a_listener_may_listen_and_emit() {
    reactive(|_, _| {
        let (events, heard) = (Events::<u8>::default(), Heard::default());
        let outer = heard.clone();
        events.on(move |event| {
            outer.note(format!("outer {event}"));
            if *event == 1 {
                let inner = outer.clone();
                events.on(move |event| inner.note(format!("inner {event}")));
                events.emit(&2);
            }
        });
        events.emit(&1);
        assert_eq!(heard.take(), ["outer 1", "outer 2", "inner 2"]);
    });
}

#[test]
fn takers_are_asked_in_their_order_until_one_takes_it() {
    reactive(|_, _| {
        let (takers, heard) = (Takers::<u8>::default(), Heard::default());
        assert!(!takers.ask(&0), "nobody is there");
        let dialog = Owner::new();
        for (name, above, owner) in [
            ("dialog", 5, dialog.clone()),
            ("page", 2, Owner::current().unwrap_or_default()),
        ] {
            let heard = heard.clone();
            owner.with(|| {
                takers.add(move |thing| {
                    heard.note(format!("{name} {thing}"));
                    *thing > above
                });
            });
        }
        assert!(takers.ask(&6) && takers.ask(&3) && !takers.ask(&1));
        let asked = ["dialog 6", "dialog 3", "page 3", "dialog 1", "page 1"];
        assert_eq!(heard.take(), asked);
        dialog.cleanup();
        assert!(takers.ask(&6));
        assert_eq!(heard.take(), ["page 6"]);
    });
}

#[test]
fn an_image_that_is_not_here_is_fetched_by_the_first_who_can() {
    reactive(|machine, house| {
        let hash = small_image().hash;
        house.attachments.absent().add(|_| false);
        house.attachments.absent().add(|image| {
            image.fetch(async { true });
            true
        });
        house.attachments.absent().add(|_| panic!("it is taken"));
        let seen = || untrack(|| house.attachments.is_kept(hash));
        assert_eq!(seen(), None);
        machine.pass(10.0);
        assert_eq!(seen(), Some(true));
    });
}

#[test]
fn an_engine_is_free_while_nobody_uses_one_for_something_more_urgent() {
    reactive(|_, _| {
        let (users, used) = (EngineUsers::default(), RwSignal::new([false; 2]));
        users.add(Urgency::Ahead, move || used.get()[0]);
        users.add(Urgency::Answer, move || used.get()[1]);
        let free = Memo::new(move |_| {
            [
                Urgency::Idle,
                Urgency::Ahead,
                Urgency::Side,
                Urgency::Answer,
            ]
            .map(|urgency| users.is_free(urgency))
        });
        for (now, expected) in [
            ([false, false], [true; 4]),
            ([true, false], [false, true, true, true]),
            ([false, true], [false, false, false, true]),
        ] {
            used.set(now);
            assert_eq!(free.get_untracked(), expected, "{now:?}");
        }
    });
}
