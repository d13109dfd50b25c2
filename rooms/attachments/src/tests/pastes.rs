//! Long texts that are pasted.

use super::house::{House, reactive};
use crate::LongPaste;
use reactive_graph::prelude::*;
use sash_chat::{MAX_TEXT_BYTES, TextFile};
use sash_harness::settle;
use std::slice;

fn written(house: House) -> String {
    settle();
    house.drafts.written.get_untracked()
}

#[test]
fn a_long_text_that_is_pasted_becomes_a_block_and_text_again() {
    reactive(|machine, house| {
        let pastes = house.pastes;
        let long = "line\r\n".repeat(70);
        let text = "line\n".repeat(70);
        let file = TextFile {
            name: "Pasted text".into(),
            text: text.clone(),
        };
        assert!(!pastes.on_paste("short"));
        assert!(!pastes.on_paste(&long), "the browser pastes it");
        assert!(!pastes.is_offered.get_untracked(), "before it is there");
        house.write(&format!("See:\n{text}Why?"));
        assert!(pastes.is_offered.get_untracked());
        pastes.fold();
        settle();
        assert_eq!(house.drafts.files.get_untracked(), slice::from_ref(&file));
        assert_eq!(written(house), "See:\nWhy?");
        assert!(!pastes.is_offered.get_untracked());
        // It survives a reload as the draft does.
        machine.pass(5000.0);
        let again = House::reopened(machine, Some(house.chat()));
        assert_eq!(again.drafts.files.get_untracked(), slice::from_ref(&file));
        pastes.unfold(&file);
        assert_eq!(written(house), format!("{}\n\nSee:\nWhy?", text.trim_end()));
        assert!(house.drafts.files.get_untracked().is_empty());

        house
            .pastes
            .settings
            .change(|settings| settings.long_paste = LongPaste::Always);
        assert!(
            !pastes.on_paste(&"x".repeat(MAX_TEXT_BYTES + 1)),
            "a file may be no longer"
        );
        assert!(pastes.on_paste(&long) && pastes.on_paste(&long));
        let files = house.drafts.files.get_untracked();
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["Pasted text", "Pasted text 2"]);
        house
            .pastes
            .settings
            .change(|settings| settings.long_paste = LongPaste::Never);
        house.write(&text);
        assert!(!pastes.on_paste(&long) && !pastes.is_offered.get_untracked());
    });
}
