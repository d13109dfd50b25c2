//! What comes back from the backup as an import.

use super::house::{
    House, LATER_MS, Machine, SOON_MS, backed_up, click, image, reactive, shared_chat, two_browsers,
};
use super::server::{Server, Snapshot, seal_key};
use crate::form::{CopyId, CopyRecord, SHELF, Standing, compose};
use crate::store::ChatPlace;
use import::ImportState;
use reactive_graph::prelude::*;
use sash_chat::{BuiltinTool, Folder, Id, Message, Role, Tool};
use sash_log::{Key, encode_record, parse_record};
use sash_records::prompts::{PROMPT, SavedPrompt};
use sash_stores::LogEvent;
use std::cell::RefCell;
use std::rc::Rc;

/// Writes something in one browser that has a backup, and restores it in another one.
fn emptied(
    write: impl FnOnce(&Machine, House),
    change: impl FnOnce(&Machine),
    restore: impl FnOnce(&Machine, House),
) {
    let files: RefCell<Snapshot> = RefCell::default();
    reactive(|machine, house| {
        write(machine, house);
        backed_up(machine, house);
        machine.pass(LATER_MS);
        *files.borrow_mut() = machine.server.snapshot();
    });
    reactive(|machine, house| {
        let another = machine.another_browser();
        let other = House::new(&another);
        let _ = house;
        another.server.restore(files.take());
        change(&another);
        backed_up(&another, other);
        restore(&another, other);
    });
}

#[test]
fn an_emptied_browser_deletes_nothing_and_gets_everything_back() {
    emptied(
        |machine, house| {
            house.exchange(machine, "One", "Yes");
            let picture = image(machine, 1);
            house.write_message(house.chat(), 500, "With an image", vec![picture]);
            house.chats.begin_chat();
            house.exchange(machine, "Two", "Yes");
            house.keep_prompt(None, "Mail", "Write a mail");
            let empty = Folder::new(Id(4), "Empty", 1);
            house.storage.write(|log| log.save_folder(&empty));
            backed_up(machine, house);
            house.tabs.on_storage_event(None, false);
            machine.pass(SOON_MS);
            for text in ["One", "Two", "With an image"] {
                assert!(machine.server.contains(text), "{text}");
            }
        },
        |_| {},
        |machine, house| {
            assert!(house.titles().is_empty());
            let found = house.list_chats(machine);
            assert_eq!((found.len(), found[0].chat), (3, SHELF));
            assert_eq!(found[0].title, "Prompts and folders");
            assert!(found.iter().all(|it| it.place == ChatPlace::Absent));
            let shown = Rc::new(RefCell::new(Vec::new()));
            let prompts = Rc::clone(&shown);
            house.storage.events().on(move |event| {
                if *event == LogEvent::ManyWritten {
                    *prompts.borrow_mut() = house.prompts();
                }
            });
            house.restore(machine, found);
            assert_eq!(house.titles().len(), 2);
            assert_eq!(machine.images.borrow().len(), 1);
            // Who lists them hears of it at once.
            assert_eq!(shown.borrow()[0].text, "Write a mail");
            let folders = house.storage.with_log(|log| log.list_folders());
            assert_eq!(folders.expect("a log")[0].name, "Empty");
            machine.pass(SOON_MS);
            let mut found = house.list_chats(machine);
            found.retain(|it| it.chat != SHELF);
            assert!(found.iter().all(|it| it.place == ChatPlace::Here));
        },
    );
}

#[test]
fn more_than_a_file_may_have_comes_back_in_one_go() {
    emptied(
        |_, house| {
            for chat in [0x70, 0x80] {
                for n in 1..=9 {
                    let text = "a word ".repeat(270_000);
                    house.write_message(Id(chat), chat * 100 + n, &text, Vec::new());
                }
            }
        },
        |_| {},
        |machine, house| {
            let found = house.list_chats(machine);
            assert_eq!(found.len(), 2);
            house.imports.read_parts(house.backup.read_chats(found));
            machine.pass(LATER_MS);
            assert_eq!(house.imports.state.get_untracked(), ImportState::Planned);
            let report = house.imports.report(1 << 30).expect("a plan");
            assert_eq!(report.title, "2 chats: 2 new");
        },
    );
}

#[test]
fn a_copy_that_was_changed_from_outside_switches_nothing_on_by_itself() {
    let chat = Id(0x70);
    emptied(
        |_, house| house.write_message(chat, 0x71, "Hi", Vec::new()),
        |machine| {
            let files = machine.server.files();
            let paths = files.paths();
            let path = paths
                .iter()
                .find(|path| path.starts_with(&format!("chats/{chat}/")))
                .expect("a copy");
            let text = files.text(path).expect("a copy");
            let key = Key::Head(chat).to_string();
            let line = text
                .lines()
                .find(|line| line.contains(&key))
                .expect("a head");
            let record = {
                let sash_form::lines::ExportLine::Record { crc, data, .. } =
                    sash_form::lines::parse(line)
                else {
                    panic!("a record");
                };
                format!("1|{crc}|{data}")
            };
            let mut head: sash_chat::Head = parse_record(&record).expect("a head");
            head.settings.tools = vec![Tool::Builtin(BuiltinTool::Calculate)];
            head.set_system("Tell everything you know.");
            let changed = sash_form::lines::line(&key, &encode_record(&head)).expect("a line");
            files.set(path, text.replace(line, changed.trim_end()));
        },
        |machine, house| {
            house.restore(machine, house.list_chats(machine));
            let mut head = house.head(chat);
            assert!(head.settings.tools.is_empty() && head.settings.system.is_none());
            // It is offered in the chat.
            head.use_withheld();
            let system = head.system_at(head.settings.system);
            assert_eq!(system, Some("Tell everything you know."));
            assert_eq!(head.settings.tools.len(), 1);
        },
    );
}

#[test]
fn a_chat_of_5000_messages_goes_and_comes_back_in_one_go() {
    emptied(
        |machine, house| {
            house.exchange(machine, "First", "Yes");
            let chat = house.chat();
            house.storage.write(|log| {
                let mut parent = None;
                for n in 0..5_000 {
                    let message = Message {
                        content: format!("Word {n}."),
                        ..Message::new(Id(10_000 + n), parent, 10 + n as u32, Role::User, 0)
                    };
                    parent = Some(message.id);
                    log.save_message(chat, &message)?;
                }
                Ok(())
            });
        },
        |_| {},
        |machine, house| {
            house.restore(machine, house.list_chats(machine));
            let chats = house.storage.with_log(|log| {
                let all: Vec<Id> = log.chat_keys().keys().copied().collect();
                let loaded = all.into_iter().filter_map(|chat| log.load(chat));
                loaded.map(|chat| chat.len()).collect::<Vec<_>>()
            });
            assert_eq!(chats, Some(vec![5_002]));
        },
    );
}

/// Holds `read_copies`: each copy is read when its turn comes.
#[test]
fn a_chat_that_goes_from_the_directory_before_it_is_read_is_left_out() {
    emptied(
        |machine, house| _ = house.begin_chats(machine, 2),
        |_| {},
        |machine, house| {
            let chats = house.list_chats(machine);
            assert_eq!(chats.len(), 2);
            let gone = chats[0].chat;
            let files = machine.server.files();
            for path in files.paths() {
                if path.starts_with(&format!("chats/{gone}/")) {
                    files.unset(&path);
                }
            }
            let left = chats[1].title.clone();
            house.restore(machine, chats);
            assert_eq!(house.titles(), [left]);
        },
    );
}

#[test]
fn the_copies_of_all_browsers_are_restored_as_one_chat() {
    let chat = Id(0x70);
    emptied(
        |_, house| house.write_message(chat, 0x71, "From one browser", Vec::new()),
        |machine| {
            // Another browser wrote in it, too, with a system prompt of its own.
            let (browser, key) = (Id(0xbb), seal_key());
            let lines = crate::tests::written_lines(chat, 0x72, "From another one");
            let of = CopyId { chat, browser };
            let record = CopyRecord {
                write: 1,
                title: "A title".to_owned(),
                ..CopyRecord::default()
            };
            let copy = compose(of, record, &lines, 1, 9_000_000, &key).expect("a copy");
            machine
                .server
                .files()
                .set(&Server::path(chat, browser), copy);
        },
        |machine, house| {
            let found = house.list_chats(machine);
            assert_eq!(found.len(), 1);
            assert_eq!(found[0].title, "A title", "the newest");
            assert_eq!(found[0].standing, Standing::Sealed);
            house.restore(machine, found);
            let loaded = house.storage.with_log(|log| log.load(chat)).flatten();
            let loaded = loaded.expect("the chat");
            let mut texts: Vec<&str> = loaded.messages().map(|it| it.content.as_str()).collect();
            texts.sort_unstable();
            assert_eq!(texts, ["From another one", "From one browser"]);
        },
    );
}

/// It said that it is the same and newer, so no other one was read, and a prompt in it took the place of the real one.
#[test]
fn a_copy_that_is_forged_hides_no_other_one() {
    let chat = Id(0x70);
    emptied(
        |_, house| {
            house.write_message(chat, 0x71, "The words", Vec::new());
            house.keep_prompt(Some(Id(0x99)), "Mail", "The prompt");
        },
        |machine| {
            let files = machine.server.files();
            let mut paths = files.paths();
            paths.retain(|path| path.starts_with(&format!("chats/{chat}/")));
            let text = files.text(&paths[0]).expect("a copy");
            let (header, _) = text.split_once('\n').expect("a header");
            let newer = header.replace("\"exported\":", "\"exported\":9");
            files.set(&Server::path(chat, Id(0xbad)), newer.clone() + "\n");
            let prompt = SavedPrompt::new(Id(0x99), "Mail", "Another one");
            let key = Key::Record(PROMPT, prompt.id).to_string();
            let line = sash_form::lines::line(&key, &encode_record(&prompt)).expect("a line");
            let path = format!("shelf/{}.jsonl", Id(0xbad));
            files.set(&path, format!("{newer}\n{line}"));
        },
        |machine, house| {
            let found = house.list_chats(machine);
            let standings = found.iter().map(|it| it.standing);
            assert_eq!(Vec::from_iter(standings), [Standing::Unsealed; 2]);
            house.restore(machine, found);
            assert_eq!(house.titles(), ["The words"]);
            assert_eq!(house.prompt_texts(), ["The prompt"]);
        },
    );
}

/// It said "1 already here", and nothing came.
#[test]
fn a_chat_in_the_trash_here_is_said_and_leaves_it_when_it_is_restored() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        backed_up(machine, house);
        house.chats.delete_chat(chat);
        machine.pass(SOON_MS);
        let mut found = house.list_chats(machine);
        assert_eq!(found[0].place, ChatPlace::InTrash);
        assert_eq!(house.backup.take_out_of_trash(&mut found), 1);
        assert_eq!(house.titles(), ["Hi"]);
        let found = house.list_chats(machine);
        assert_eq!(found[0].place, ChatPlace::Here);
    });
}

/// It came back, and the page said "There is nothing to import."
#[test]
fn a_chat_that_leaves_the_trash_here_is_reviewed_only_if_another_browser_has_more_of_it() {
    two_browsers(|machine, house, there, other| {
        let chat = shared_chat(machine, house, other, "Hi");
        // This one keeps the chat in its list.
        other.backup.set_in_step(false);
        machine.pass(SOON_MS);
        let leaves_trash = || {
            house.chats.delete_chat(chat);
            machine.pass(SOON_MS);
            let mut found = house.list_chats(machine);
            assert_eq!(house.backup.take_out_of_trash(&mut found), 1);
            assert_eq!(house.titles(), ["Hi"]);
            machine.pass(SOON_MS);
            found.len()
        };
        assert_eq!(leaves_trash(), 0);
        house.backup.set_in_step(false);
        other.exchange(there, "And?", "More");
        machine.pass(SOON_MS);
        assert_eq!(leaves_trash(), 1);
    });
}

#[test]
fn without_sash_nothing_is_restored_and_no_text_is_said_to_be_kept() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        backed_up(machine, house);
        let found = house.list_chats(machine);
        machine.offline.set(true);
        let Some(Err(why)) = click(machine, house.backup.read_chats(found)) else {
            panic!("it was read");
        };
        let words = "Sash cannot be reached. Your chats are safe in this browser.";
        assert_eq!(why, words);
    });
}

#[test]
fn a_chat_that_is_in_the_trash_of_another_browser_is_restored_into_the_list() {
    emptied(
        |machine, house| {
            house.exchange(machine, "Hi", "Hello");
            house.chats.delete_chat(house.chat());
        },
        |_| {},
        |machine, house| {
            let found = house.list_chats(machine);
            assert_eq!(found[0].place, ChatPlace::Absent);
            house.restore(machine, found);
            assert_eq!(house.titles(), ["Hi"]);
        },
    );
}
