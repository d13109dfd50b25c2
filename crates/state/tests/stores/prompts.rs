//! Prompts that the person keeps, and long texts that are pasted.

use crate::house::{House, reactive, two_tabs};
use reactive_graph::prelude::*;
use sash_chat::{Id, MAX_TEXT_BYTES, TextFile};
use sash_harness::settle;
use sash_records::prompts::PromptRefusal;
use sash_state::{LongPaste, PromptEdit};
use std::collections::BTreeMap;
use std::slice;

fn edit(name: &str, text: &str) -> PromptEdit {
    PromptEdit {
        id: None,
        name: name.to_owned(),
        text: text.to_owned(),
    }
}

fn names(house: House) -> Vec<String> {
    let list = house.rooms.prompts.list.get_untracked();
    list.into_iter().map(|prompt| prompt.name).collect()
}

fn id_of(house: House, name: &str) -> Id {
    let list = house.rooms.prompts.list.get_untracked();
    let found = list.iter().find(|prompt| prompt.name == name);
    found.expect("there is such a prompt").id
}

fn written(house: House) -> String {
    settle();
    house.drafts.written.get_untracked()
}

#[test]
fn prompts_are_kept_changed_and_deleted_and_each_step_is_undone() {
    reactive(|machine, house| {
        let prompts = house.rooms.prompts;
        house.write("What I wrote");
        prompts.keep_written();
        let kept = prompts.editing.get_untracked().unwrap();
        assert_eq!(kept.text, "What I wrote");
        assert_eq!(prompts.save(&kept), Err(PromptRefusal::NoName));
        assert!(prompts.editing.get_untracked().is_some(), "it stays open");
        prompts
            .save(&PromptEdit {
                name: "Mine".into(),
                ..kept
            })
            .unwrap();
        assert_eq!(prompts.editing.get_untracked(), None);
        prompts.save(&edit("another", "{{x}}")).unwrap();
        assert_eq!(
            prompts.save(&edit("MINE", "x")),
            Err(PromptRefusal::NameTaken)
        );
        assert_eq!(names(house), ["another", "Mine"]);

        let mine = id_of(house, "Mine");
        prompts.edit(mine);
        let mut open = prompts.editing.get_untracked().unwrap();
        open.text = "Something else".into();
        prompts.save(&open).unwrap();
        prompts.delete(mine);
        assert_eq!(house.toast().as_deref(), Some("Deleted the prompt “Mine”"));
        assert_eq!(names(house), ["another"]);
        assert_eq!(
            names(House::new(machine)),
            ["another"],
            "it is gone after a reload"
        );
        house.undo_offer();
        assert_eq!((names(house).len(), house.toast()), (2, None));
        assert!(house.chats.undo_last());
        let text = prompts.list.get_untracked()[1].text.clone();
        assert_eq!(text, "What I wrote", "the change is undone too");
    });
}

#[test]
fn another_tab_shows_them_and_does_not_bring_back_what_was_changed_here() {
    two_tabs(|machine, house, there, other| {
        house
            .rooms
            .prompts
            .save(&edit("Mail", "Hi {{who}}"))
            .unwrap();
        there.tell(other.tabs);
        assert_eq!(names(other), ["Mail"]);
        let mail = id_of(house, "Mail");
        other.rooms.prompts.edit(mail);
        let mut open = other.rooms.prompts.editing.get_untracked().unwrap();
        // Deleted here while it is edited there: what was written there is kept.
        house.rooms.prompts.delete(mail);
        there.tell(other.tabs);
        assert!(names(other).is_empty());
        open.text = "Dear {{who}}".into();
        other.rooms.prompts.save(&open).unwrap();
        machine.tell(house.tabs);
        assert_eq!(
            house.rooms.prompts.list.get_untracked()[0].text,
            "Dear {{who}}"
        );

        // It is even if the record of the deleted prompt is gone for good.
        other.rooms.prompts.edit(mail);
        let open = other.rooms.prompts.editing.get_untracked().unwrap();
        house.rooms.prompts.delete(mail);
        for n in 0..21 {
            house
                .rooms
                .prompts
                .save(&edit(&n.to_string(), "x"))
                .unwrap();
            machine.pass(10.0);
            house.rooms.prompts.delete(id_of(house, &n.to_string()));
        }
        house.rooms.prompts.save(&edit("Last", "x")).unwrap();
        there.tell(other.tabs);
        other.rooms.prompts.save(&open).unwrap();
        assert_eq!(names(other), ["Last", "Mail"]);
    });
}

#[test]
fn a_prompt_goes_into_the_field_once_its_placeholders_are_filled_and_nothing_is_sent() {
    reactive(|machine, house| {
        let prompts = house.rooms.prompts;
        house.exchange(machine, "Hi", "Hello");
        prompts.save(&edit("Plain", "Be brief.")).unwrap();
        prompts
            .save(&edit("Form", "{{a}} and {{b}}, {{a}}"))
            .unwrap();
        let [form, plain] = &prompts.list.get_untracked()[..] else {
            panic!("two prompts");
        };
        house.write("/pl");
        prompts.choose(plain.clone(), "/pl");
        assert_eq!(written(house), "Be brief.");
        prompts.choose(plain.clone(), "");
        assert_eq!(written(house), "Be brief.\n\nBe brief.", "nothing is lost");

        house.write("/fo");
        prompts.choose(form.clone(), "/fo");
        assert_eq!(written(house), "/fo", "not before it is filled in");
        let chosen = prompts.chosen.get_untracked().unwrap();
        assert_eq!(chosen.placeholders(), ["a", "b"]);
        let chat = house.chat();
        let long = BTreeMap::from([("a".to_owned(), "x".repeat(1_500_000))]);
        assert!(!prompts.fill(&long), "it would be too long");
        assert!(prompts.chosen.get_untracked().is_some());
        let values = BTreeMap::from([("a".to_owned(), "{{b}}".to_owned())]);
        // Another chat was opened meanwhile: the prompt belongs to the first one.
        house.chats.begin_chat();
        settle();
        house.write("not this");
        assert!(prompts.fill(&values));
        assert_eq!(written(house), "not this");
        let first = house.storage.with_log(|log| log.draft(chat)).unwrap();
        assert_eq!(first.text, "{{b}} and {{b}}, {{b}}");
        assert_eq!(house.kept(chat), ["Hi", "Hello"], "nothing is sent");
    });
}

#[test]
fn a_long_text_that_is_pasted_becomes_a_block_and_text_again() {
    reactive(|machine, house| {
        let pastes = house.rooms.pastes;
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
            .rooms
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
            .rooms
            .pastes
            .settings
            .change(|settings| settings.long_paste = LongPaste::Never);
        house.write(&text);
        assert!(!pastes.on_paste(&long) && !pastes.is_offered.get_untracked());
    });
}
