//! When the person is told that the page is older than the program, and what a reload would cost.

use crate::{About, PROGRAM};
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_harness::{House, Machine, reactive, settle, text};
use sash_wire::Fault;
use serde_json::json;

/// The page as it was loaded, served by the program that is told of.
const PAGE: &str = "/sash-1_bg.wasm";
/// The page of the program that replaces that one.
const NEWER_PAGE: &str = "/sash-2_bg.wasm";

/// Runs a test in a page that was loaded from [`PAGE`].
fn with_about(test: impl FnOnce(&Machine, House, About)) {
    reactive(|machine, house| {
        let about = About::new(house.kernel, Some(PAGE.to_owned()), || false);
        serve(machine, house, "0.1.0", PAGE);
        test(machine, house, about);
    });
}

/// Has a program of that version serve that page, and the page hear of it.
fn serve(machine: &Machine, house: House, version: &str, page: &str) {
    machine.say(PROGRAM, json!({"version": version, "page": page}));
    house.engine.refresh();
    settle();
}

/// Whether the line is shown, and whether a reload loses nothing.
fn shown(about: About) -> (bool, bool) {
    untrack(|| (about.is_announced(), about.may_reload()))
}

#[test]
fn the_version_that_the_server_told_stays_while_it_does_not_answer() {
    with_about(|machine, house, about| {
        let version = || about.program.get_untracked().map(|program| program.version);
        assert_eq!(version().as_deref(), Some("0.1.0"));
        *machine.found.borrow_mut() = Some(Err(Fault::ConnectionLost));
        house.engine.refresh();
        settle();
        assert!(house.engine.server_gone.get_untracked());
        assert_eq!(version().as_deref(), Some("0.1.0"));
        *machine.found.borrow_mut() = None;
        serve(machine, house, "0.2.0", PAGE);
        assert_eq!(version().as_deref(), Some("0.2.0"));
    });
}

/// The page may stay open while an older Sash takes the place of this one: the version of the former one was still shown.
#[test]
fn of_a_server_that_tells_no_program_no_version_is_shown() {
    with_about(|machine, house, about| {
        serve(machine, house, "0.2.0", NEWER_PAGE);
        assert!(untrack(|| about.is_outdated()));
        machine.say(PROGRAM, json!(null));
        house.engine.refresh();
        settle();
        assert_eq!(about.program.get_untracked(), None);
        assert!(!untrack(|| about.is_outdated()));
    });
}

#[test]
fn a_page_that_the_server_still_has_is_not_outdated_whatever_the_version() {
    with_about(|machine, house, about| {
        assert_eq!(shown(about), (false, true));
        serve(machine, house, "0.2.0", PAGE);
        assert!(!untrack(|| about.is_outdated()), "the same page");
        machine.say(PROGRAM, json!({"version": "0.2.0"}));
        house.engine.refresh();
        settle();
        assert!(!untrack(|| about.is_outdated()), "a server without a page");
        machine.say(PROGRAM, json!(["something", "else"]));
        house.engine.refresh();
        settle();
        assert!(!untrack(|| about.is_outdated()), "another form");
    });
}

#[test]
fn a_page_that_does_not_know_where_it_came_from_is_not_outdated() {
    reactive(|machine, house| {
        let about = About::new(house.kernel, None, || false);
        serve(machine, house, "0.2.0", NEWER_PAGE);
        assert!(!untrack(|| about.is_outdated()));
    });
}

#[test]
fn each_newer_page_is_announced_until_it_is_put_off() {
    with_about(|machine, house, about| {
        serve(machine, house, "0.2.0", NEWER_PAGE);
        assert_eq!(shown(about), (true, true));
        about.put_off();
        assert!(!shown(about).0);
        serve(machine, house, "0.2.0", NEWER_PAGE);
        assert!(!shown(about).0, "the same one");
        assert!(untrack(|| about.is_outdated()), "the settings still say it");
        serve(machine, house, "0.3.0", "/sash-3_bg.wasm");
        assert!(shown(about).0, "the next one");
    });
}

#[test]
fn a_reload_is_not_offered_while_an_answer_is_being_written() {
    with_about(|machine, house, about| {
        serve(machine, house, "0.2.0", NEWER_PAGE);
        machine.hold_open(vec![text("Once ")]);
        assert!(house.answers.ask("A story".to_owned()));
        settle();
        assert_eq!(shown(about), (false, false));
        house.answers.stop(house.chat());
        settle();
        assert_eq!(shown(about), (true, true));
    });
}

#[test]
fn a_reload_is_not_offered_while_it_would_end_a_temporary_chat() {
    with_about(|machine, house, about| {
        serve(machine, house, "0.2.0", NEWER_PAGE);
        house.chats.begin_temporary();
        settle();
        assert!(shown(about).0, "it has no words yet");
        house.write("A secret");
        assert_eq!(shown(about), (false, false));
        house.write("");
        assert!(shown(about).0);
        house.exchange(machine, "A secret", "Yes.");
        assert_eq!(shown(about), (false, false));
        house.chats.begin_chat();
        settle();
        assert_eq!(shown(about), (false, false), "it can still be kept");
        machine.pass(31_000.0);
        assert_eq!(shown(about), (true, true));
    });
}

/// An import goes on when its dialog is closed, and is undone when the page ends; a file that is being read is lost.
#[test]
fn a_reload_is_not_offered_while_another_room_does_what_it_would_end() {
    reactive(|machine, house| {
        let is_working = RwSignal::new(true);
        let page = Some(PAGE.to_owned());
        let about = About::new(house.kernel, page, move || is_working.get());
        serve(machine, house, "0.2.0", NEWER_PAGE);
        assert_eq!(shown(about), (false, false));
        is_working.set(false);
        assert_eq!(shown(about), (true, true));
    });
}

#[test]
fn a_reload_for_a_newer_page_keeps_the_draft_and_what_was_answered() {
    with_about(|machine, house, about| {
        house.exchange(machine, "Hi", "Hello");
        house.write("And then");
        serve(machine, house, "0.2.0", NEWER_PAGE);
        assert_eq!(shown(about), (true, true));
        let chat = house.chat();
        // What the page does when it is left.
        house.answers.write_everything();
        machine.close_tab();
        let house = House::reopened(&machine.another_tab(), Some(chat));
        assert_eq!(house.texts(), ["Hi", "Hello"]);
        assert_eq!(house.drafts.draft.get_untracked(), "And then");
    });
}
