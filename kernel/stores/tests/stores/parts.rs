//! Parts of a prompt besides the messages of its branch: others offer it, the window has it, and the preview, the
//! request and the receipt are made of the window.

use reactive_graph::graph::untrack;
use reactive_graph::owner::Owner;
use reactive_graph::prelude::*;
use sash_chat::window::Parts;
use sash_chat::{BuiltinTool, Policy};
use sash_harness::{builtin_tools, quoted, reactive, settle};
use std::cell::Cell;
use std::rc::Rc;

#[test]
fn what_several_offer_goes_together_and_ends_with_who_offered_it() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        house.write("And?");
        let prompt = || untrack(|| house.answers.next_request()).prompt;
        assert_eq!(prompt(), "And?");
        let owner = Owner::new();
        owner.with(|| house.steering.contribute_quotes(|_| Some(quoted("one"))));
        house.steering.contribute_quotes(|_| Some(quoted("two")));
        house.steering.contribute_quotes(|_| None);
        assert_eq!(prompt(), "one\n\ntwo\n\nAnd?");
        let offer = |summary, of: &[BuiltinTool]| {
            let parts = Parts {
                summary,
                tools: builtin_tools(of),
            };
            house.steering.contribute(move |_| parts.clone());
        };
        owner.with(|| offer(None, &[BuiltinTool::Calculate]));
        offer(None, &[BuiltinTool::Calculate, BuiltinTool::CurrentTime]);
        let names = || house.steering.window.with_untracked(|w| w.tools.clone());
        let both = builtin_tools(&[BuiltinTool::Calculate, BuiltinTool::CurrentTime]);
        assert_eq!(names(), both, "no tool goes twice");
        let (_, answer) = house.exchange(machine, "And?", "Nothing.");
        let receipt = house.chats.message(answer).unwrap().receipt.unwrap();
        assert_eq!(receipt.tools.len(), 2);
        owner.cleanup();
        assert_eq!(prompt(), "two\n\nAnd?");
        assert_eq!(names(), both);
    });
}

/// A key and a step of the window's edge must ask nobody what goes along.
#[test]
fn neither_a_key_nor_a_drag_asks_for_parts_and_quotes_do_not_wake_who_looks_for_them() {
    reactive(|machine, house| {
        house.talk_of_a_database(machine);
        let counted = || Rc::new(Cell::new(0));
        let (parts, quotes, chosen) = (counted(), counted(), counted());
        let count = |runs: &Rc<Cell<u32>>| runs.set(runs.get() + 1);
        let shown = reactive_graph::signal::RwSignal::new(None);
        let runs = Rc::clone(&parts);
        house.steering.contribute(move |_| {
            count(&runs);
            Parts::default()
        });
        let runs = Rc::clone(&quotes);
        house.steering.contribute_quotes(move |_| {
            count(&runs);
            shown.get()
        });
        let runs = Rc::clone(&chosen);
        reactive_graph::effect::Effect::new(move || {
            house.steering.chosen.track();
            count(&runs);
        });
        house.write("H");
        let read = || _ = house.steering.fit.get_untracked();
        read();
        let all = || [&parts, &quotes, &chosen].map(|runs| runs.get());
        let before = all();
        for draft in ["Ho", "How", "How?"] {
            house.write(draft);
            read();
        }
        assert_eq!(all(), before, "keys");
        house.steering.show_policy(Policy::Messages(1));
        settle();
        read();
        let [asked_parts, asked_quotes, seen] = before;
        assert_eq!(all(), [asked_parts, asked_quotes, seen + 1], "a drag");
        shown.set(Some(quoted("found")));
        settle();
        read();
        assert_eq!(all(), [asked_parts, asked_quotes + 1, seen + 1], "quotes");
        assert!(house.steering.window.with_untracked(|w| w.quotes.is_some()));
    });
}
