//! Imports: all of a file or nothing, images too, and nothing switched on that the person did not choose.

use crate::house::{House, reactive};
use crate::machine::Machine;
use attachments::Adding;
use export::{Export, ExportScope, ExportSettings, ExportSettingsStoreFields};
use futures::FutureExt;
use futures::channel::oneshot;
use futures::future::{LocalBoxFuture, ready};
use import::{ChatFilter, ChosenCount, ImportState};
use reactive_graph::prelude::*;
use sash_chat::{
    Chat, Head, Id, Image, ImageFormat, ImageHash, Message, ModelId, RecallMode, RecallSetting,
    Role, SettingKind,
};
use sash_form::image_line;
use sash_harness::{Dice, settle};
use sash_log::image::hash_image;
use sash_log::{Log, MemoryStore};
use sash_records::KINDS;
use sash_records::backup::{FormerValue, add_former_values, former_values};
use sash_records::compare::{WAITING_MODELS, WaitingModel};
use sash_stores::PickedFile;
use sash_wire::ModelInfo;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;

const NOW: u64 = 1_790_000_000_000;
const STOPPED: &str = "Stopped. Nothing was imported.";

/// A file in memory. The first read of a slow one waits for the test.
struct Text {
    bytes: Vec<u8>,
    slow: RefCell<Option<oneshot::Receiver<()>>>,
}

impl PickedFile for Text {
    fn name(&self) -> String {
        "chats.jsonl".to_owned()
    }
    fn size(&self) -> u64 {
        self.bytes.len() as u64
    }
    fn read_range(&self, at: Range<u64>) -> LocalBoxFuture<'static, Option<Vec<u8>>> {
        let at = at.start as usize..at.end as usize;
        let bytes = self.bytes.get(at).map(<[u8]>::to_vec);
        match self.slow.borrow_mut().take() {
            Some(slow) => async move { slow.await.ok().and(bytes) }.boxed_local(),
            None => ready(bytes).boxed_local(),
        }
    }
}

fn file(text: String) -> Rc<dyn PickedFile> {
    Rc::new(Text {
        bytes: text.into_bytes(),
        slow: RefCell::new(None),
    })
}

/// A PNG of one pixel whose data are missing.
fn png(n: u8) -> Vec<u8> {
    let mut bytes =
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\0\0\0\0".to_vec();
    bytes.push(n);
    bytes
}

fn hash(n: u8) -> ImageHash {
    hash_image(&png(n))
}

/// A chat with a question for each image.
fn chat(id: u64, images: &[u8]) -> Chat {
    let mut chat = Chat::new(Head::new(Id(id), NOW));
    let mut parent = None;
    for (seq, image) in (1..).zip(images) {
        let message = Id(id * 100 + u64::from(seq));
        chat.insert(Message {
            content: format!("Question {seq}"),
            images: vec![Image {
                hash: hash(*image),
                format: ImageFormat::Png,
                size: png(*image).len() as u64,
                width: 1,
                height: 1,
                preview: String::new(),
            }],
            ..Message::new(message, parent, seq, Role::User, NOW)
        });
        parent = Some(message);
    }
    chat
}

/// The export of chats, with these images.
pub fn export(chats: &[Chat], images: &[u8]) -> String {
    let opened = Log::open(MemoryStore::default(), Id(1), KINDS);
    let mut log = opened.unwrap_or_else(|_| panic!("a new log"));
    for chat in chats {
        log.save_head(&chat.head).expect("room");
        for message in chat.messages() {
            log.save_message(chat.head.id, message).expect("room");
        }
    }
    let mut export = Export::new(&log, ExportScope::All, NOW);
    let mut file = String::new();
    while let Some(piece) = export.next(&mut log) {
        file += &piece;
    }
    for image in images {
        file += &image_line(hash(*image), &png(*image));
    }
    file
}

/// Reads a file; its plan waits.
pub fn read(machine: &Machine, house: House, text: String) {
    house.imports.read(vec![file(text)]);
    machine.pass(1_000.0);
    assert_eq!(house.imports.state.get_untracked(), ImportState::Planned);
}

pub fn run(machine: &Machine, house: House) -> ImportState {
    house.imports.run();
    machine.pass(1_000.0);
    house.imports.state.get_untracked()
}

fn failed(why: &str) -> ImportState {
    ImportState::Failed(why.to_owned())
}

/// Nothing of an import is left but these images.
fn expect_nothing_but(machine: &Machine, house: House, images: &[u8]) {
    let kept: Vec<ImageHash> = machine.images.borrow().keys().copied().collect();
    let mut expected: Vec<ImageHash> = images.iter().map(|image| hash(*image)).collect();
    expected.sort_unstable();
    assert_eq!(kept, expected);
    assert!(!house.titles().contains(&"Question 1".to_owned()));
    let keys = house.storage.with_log(|log| log.store().keys());
    let keys = keys.expect("the log");
    assert!(
        !keys.iter().any(|key| key.starts_with("sash:in:")),
        "{keys:?}"
    );
}

#[test]
fn a_file_comes_in_with_its_images() {
    reactive(|machine, house| {
        read(machine, house, export(&[chat(7, &[1, 2])], &[1, 2]));
        let report = house.imports.report(1 << 20).unwrap();
        assert_eq!(report.title, "1 chat: 1 new");
        assert_eq!(report.notes, ["It contains 2 images."]);
        assert!(report.can_import && report.asked.is_empty());
        // What is imported is in its file: nobody is reminded of an export for a month.
        let exported = house.settings.part::<ExportSettings>().current.exported();
        assert_eq!(exported.get_untracked(), 0);
        let done = ImportState::Done("1 chat imported.".to_owned());
        assert_eq!(run(machine, house), done);
        assert_ne!(exported.get_untracked(), 0);
        assert_eq!(machine.images.borrow().len(), 2);
        assert_eq!(house.titles(), ["Question 1"]);
        assert_eq!(house.attachments.is_kept(hash(1)), Some(true));
    });
}

#[test]
fn stop_is_heeded_while_images_come_in() {
    reactive(|machine, house| {
        read(machine, house, export(&[chat(7, &[1, 2, 3])], &[1, 2, 3]));
        let first = machine.slow_image();
        assert_eq!(run(machine, house), ImportState::Running(0));
        house.imports.stop();
        first.send(()).unwrap();
        machine.pass(1_000.0);
        assert_eq!(house.imports.state.get_untracked(), failed(STOPPED));
        expect_nothing_but(machine, house, &[]);
    });
}

#[test]
fn a_failure_after_the_images_leaves_nothing_behind_and_harms_nothing() {
    reactive(|machine, house| {
        // A draft has one of the images already.
        let open = house.chats.open_id_untracked();
        let adding = Adding::new(house.kernel);
        adding.begin(open, 1);
        let scaled = sash_stores::ScaledImage {
            bytes: png(1),
            is_png: true,
            ..sash_stores::ScaledImage::default()
        };
        house.kernel.edges().spawn(adding.add(open, scaled));
        machine.pass(2_000.0);
        let mut long = chat(7, &[1, 2]);
        let mut question = long.get(Id(701)).cloned().unwrap();
        // Text that no compression makes smaller than the room.
        let mut dice = Dice(7);
        question.content = (0..8_000)
            .map(|_| char::from(b'!' + dice.roll(90) as u8))
            .collect();
        long.insert(question);
        read(machine, house, export(&[long], &[1, 2]));
        // The manifest fits, the messages do not.
        machine.disk.leave_room(Some(2_000));
        let full = "There is not enough room in this browser. Nothing was imported.";
        assert_eq!(run(machine, house), failed(full));
        expect_nothing_but(machine, house, &[1]);
    });
}

#[test]
fn images_that_find_no_room_end_the_import() {
    reactive(|machine, house| {
        read(machine, house, export(&[chat(7, &[1, 2])], &[1, 2]));
        machine.no_room_for_images.set(true);
        let why = "This browser has no room for the images of the file. Nothing was imported.";
        assert_eq!(run(machine, house), failed(why));
        expect_nothing_but(machine, house, &[]);
    });
}

#[test]
fn a_damaged_image_is_left_out_and_said() {
    reactive(|machine, house| {
        let text = export(&[chat(7, &[1])], &[]) + &image_line(hash(1), &png(9));
        read(machine, house, text);
        let done = "1 chat imported. 1 image of the file could not be used: damaged, or of a type that is not kept.";
        assert_eq!(run(machine, house), ImportState::Done(done.to_owned()));
        assert!(machine.images.borrow().is_empty());
    });
}

#[test]
fn the_next_start_deletes_the_images_of_a_browser_that_was_killed() {
    reactive(|machine, house| {
        read(machine, house, export(&[chat(7, &[1, 2])], &[1, 2]));
        let never = machine.slow_image();
        run(machine, house);
        assert_eq!(machine.images.borrow().len(), 1);
        machine.close_tab();
        let next = machine.another_tab();
        let reopened = House::new(&next);
        next.pass(1_000.0);
        expect_nothing_but(&next, reopened, &[]);
        // It was no crash but another tab: the import notices, and leaves nothing either.
        never.send(()).unwrap();
        machine.pass(1_000.0);
        let elsewhere = "Another tab of Sash was opened in the meantime. Nothing was imported; choose the file again.";
        assert_eq!(house.imports.state.get_untracked(), failed(elsewhere));
        expect_nothing_but(machine, house, &[]);
    });
}

#[test]
fn the_file_that_was_chosen_last_is_the_one_that_is_planned() {
    reactive(|machine, house| {
        let (read_first, slow) = oneshot::channel();
        house.imports.read(vec![Rc::new(Text {
            bytes: export(&[chat(7, &[1])], &[]).into_bytes(),
            slow: RefCell::new(Some(slow)),
        })]);
        settle();
        read(machine, house, export(&[chat(8, &[1]), chat(9, &[1])], &[]));
        read_first.send(()).unwrap();
        machine.pass(1_000.0);
        let report = house.imports.report(1 << 20).unwrap();
        assert_eq!(report.title, "2 chats: 2 new");
        // A file that is given up while it is read does not come back.
        house.imports.discard_file();
        assert_eq!(house.imports.state.get_untracked(), ImportState::Idle);
        assert_eq!(house.imports.report(1 << 20), None);
    });
}

/// A chat that asks for a model, recall from all chats and a system prompt, and offers values of another browser.
fn acting(model: &str) -> Chat {
    let mut chat = chat(7, &[1]);
    chat.head.set_model(Some(ModelId::new(None, model)));
    chat.head.set_system("Obey.");
    chat.head.settings.recall = Some(RecallSetting {
        mode: RecallMode::ByItself,
        all_chats: true,
        ..RecallSetting::default()
    });
    let waits = WaitingModel::new(Id(701), ModelId::new(None, model));
    WAITING_MODELS.extend(&mut chat.head.others, [waits]);
    let former = FormerValue {
        field: "system".to_owned(),
        value: Some("Reveal.".into()),
        at: 5,
    };
    add_former_values(&mut chat.head, [former]);
    chat
}

#[test]
fn what_a_file_would_switch_on_is_said_and_off_until_the_person_chooses_it() {
    reactive(|machine, house| {
        machine.more_models.borrow_mut().push(ModelInfo {
            name: "big:cloud".to_owned(),
            remote: true,
            ..ModelInfo::default()
        });
        house.engine.refresh();
        settle();
        read(machine, house, export(&[acting("big:cloud")], &[]));
        let report = house.imports.report(1 << 20).unwrap();
        let asked: Vec<(&str, &str)> = report
            .asked
            .iter()
            .map(|row| (row.label, row.about.as_str()))
            .collect();
        assert_eq!(
            asked,
            [
                ("Use its model, which is not installed", "1 chat: big:cloud"),
                (
                    "Also recall messages from all your chats",
                    "1 chat: up to 512 tokens a prompt"
                ),
                ("Use its system prompt", "1 chat: Obey."),
                (
                    "Offer its previous values",
                    "1 chat: System prompt: Reveal."
                ),
            ]
        );
        house
            .imports
            .agreed
            .update(|agreed| _ = agreed.insert(SettingKind::SystemPrompt));
        let done =
            "1 chat imported. Settings that you did not choose are off; each chat offers them.";
        assert_eq!(run(machine, house), ImportState::Done(done.to_owned()));
        house.chats.open_chat(Id(7));
        settle();
        let head = || house.chats.open.with_untracked(|chat| chat.head.clone());
        assert_eq!(head().system_at(head().settings.system), Some("Obey."));
        assert!(!house.steering.recall_setting.get_untracked().all_chats);
        let tiny = Some(ModelId::new(None, "tiny:latest"));
        assert_eq!(house.steering.model.get_untracked(), tiny);

        // The person agrees later, and takes it back.
        let off = head();
        let waiting = |head: &Head| WAITING_MODELS.read(&head.others).len();
        assert_eq!((waiting(&off), former_values(&off.others).len()), (0, 0));
        house.steering.use_withheld();
        settle();
        assert_eq!(head().model_id(), Some(ModelId::new(None, "big:cloud")));
        assert_eq!(
            (waiting(&head()), former_values(&head().others).len()),
            (1, 1)
        );
        assert!(house.steering.recall_setting.get_untracked().all_chats);
        assert_eq!(head().settings.withheld, None);
        assert!(house.chats.undo_last());
        let undone = Head {
            rev: off.rev,
            ..head()
        };
        assert_eq!(undone, off);
        house.steering.drop_withheld();
        assert_eq!(head().settings.withheld, None);
        assert_eq!(head().model_id(), None);
        assert!(house.chats.undo_last());
        assert_eq!(head().settings.withheld, off.settings.withheld);
    });
}

#[test]
fn a_model_that_runs_here_needs_no_agreement() {
    reactive(|machine, house| {
        read(machine, house, export(&[acting("tiny")], &[]));
        let asked = house.imports.report(1 << 20).unwrap().asked;
        assert!(asked.iter().all(|row| row.kind != SettingKind::Model));
        run(machine, house);
        house.chats.open_chat(Id(7));
        let model = house.chats.open.with_untracked(|chat| chat.head.model_id());
        assert_eq!(model, Some(ModelId::new(None, "tiny")));
    });
}

/// A chat of this title, with one message of that day.
fn titled(id: u64, title: &str, day: u64) -> Chat {
    let mut chat = chat(id, &[]);
    chat.head.title = Some(title.to_owned());
    let written = day * 24 * 60 * 60 * 1000 + 1;
    let text = format!("{title} ").repeat(30);
    chat.insert(Message {
        content: text,
        ..Message::new(Id(id * 100), None, 1, Role::User, written)
    });
    chat
}

#[test]
fn chats_of_a_file_are_chosen_by_title_and_by_day() {
    reactive(|machine, house| {
        let chats = [
            titled(1, "Bread at home", 20_000),
            titled(2, "Größe of a loaf of bread", 20_001),
            titled(3, "Boats", 20_002),
        ];
        read(machine, house, export(&chats, &[]));
        let imports = house.imports;
        let found = |words: &str, from_day, to_day| {
            let words = words.to_owned();
            let rows = imports.found_chats(&ChatFilter {
                words,
                from_day,
                to_day,
            });
            rows.into_iter().map(|row| row.title).collect::<Vec<_>>()
        };
        // The newest first; words in any order, as the search takes them.
        assert_eq!(found("", None, None).len(), 3);
        assert_eq!(found("", None, None)[0], "Boats");
        assert_eq!(
            found("bread größe", None, None),
            ["Größe of a loaf of bread"]
        );
        assert_eq!(found("BREAD", None, None).len(), 2);
        assert_eq!(
            found("bread", Some(20_001), None),
            ["Größe of a loaf of bread"]
        );
        assert_eq!(found("", None, Some(20_000)), ["Bread at home"]);
        assert_eq!(found("", Some(20_001), Some(20_001)).len(), 1);
        assert_eq!(found("nothing", None, None).len(), 0);

        let needs = || imports.report(1 << 20).expect("a report").room;
        let all = needs();
        let bread = ChatFilter {
            words: "bread".to_owned(),
            ..ChatFilter::default()
        };
        imports.choose_only_found(&bread);
        assert_eq!(imports.chosen_count(), ChosenCount { chosen: 2, all: 3 });
        imports.choose_found(&bread, false);
        let none = imports.report(1 << 20).expect("a report");
        assert_eq!(none.room, Ok("No chat is selected.".to_owned()));
        assert!(!none.can_import && none.can_choose);
        imports.choose_found(&ChatFilter::default(), true);
        assert_eq!(needs(), all);
        let boats = imports.found_chats(&ChatFilter::default()).remove(0).place;
        imports.choose(boats, false);
        assert!(!imports.is_chosen(boats));
        assert_eq!(
            run(machine, house),
            ImportState::Done("2 chats imported.".to_owned())
        );
        let mut titles = house.titles();
        titles.sort();
        assert_eq!(titles, ["Bread at home", "Größe of a loaf of bread"]);
    });
}

#[test]
fn what_does_not_fit_says_so_and_the_newest_that_fit_can_be_chosen() {
    reactive(|machine, house| {
        let chats: Vec<Chat> = (1..20)
            .map(|n| titled(n, &format!("Chat {n}"), 20_000 + n))
            .collect();
        read(machine, house, export(&chats, &[]));
        let imports = house.imports;
        let report = imports.report(4_000).expect("a report");
        let words = report.room.expect_err("too much");
        assert!(
            words.contains("is free") && words.contains("Select fewer chats"),
            "{words}"
        );
        assert!(!report.can_import);
        imports.choose_newest(4_000);
        assert!(imports.report(4_000).expect("a report").can_import);
        let ChosenCount { chosen, all } = imports.chosen_count();
        assert!(chosen > 1 && chosen < all, "{chosen} of {all}");
        run(machine, house);
        assert!(house.titles().contains(&"Chat 19".to_owned()));
        assert!(!house.titles().contains(&"Chat 1".to_owned()));
    });
}

/// Chats so long that each of them is a step of its import, and that they are planned in several steps.
fn long_chats() -> Vec<Chat> {
    // Text that no compression makes much smaller.
    let mut dice = Dice(7);
    let mut long = |id: u64| {
        let mut chat = chat(id, &[]);
        chat.insert(Message {
            content: (0..100_000)
                .map(|_| char::from(b'!' + dice.roll(90) as u8))
                .collect(),
            ..Message::new(Id(id * 100), None, 1, Role::User, NOW)
        });
        chat
    };
    vec![long(1), long(2), long(3), long(4), long(5)]
}

/// Holds `ChoiceReader::plan_pieces`: whether the file was given up is looked up after each pause.
#[test]
fn a_file_that_is_given_up_while_it_is_planned_shows_no_progress_any_more() {
    reactive(|machine, house| {
        let imports = house.imports;
        imports.read(vec![file(export(&long_chats(), &[]))]);
        settle();
        // After the first step of planning, which comes after the pause that waits now.
        house.edges.after(Duration::ZERO, move || {
            let state = imports.state.get_untracked();
            assert!(matches!(state, ImportState::Reading(1..=9)), "{state:?}");
            imports.stop();
        });
        machine.pass(1_000.0);
        assert_eq!(imports.state.get_untracked(), ImportState::Idle);
        assert_eq!(imports.report(1 << 20), None);
    });
}

/// Holds `Imports::import`: whether the person stopped is looked up after each step.
#[test]
fn stop_is_heeded_while_chats_come_in() {
    reactive(|machine, house| {
        read(machine, house, export(&long_chats(), &[]));
        house.imports.run();
        settle();
        let state = house.imports.state.get_untracked();
        assert!(matches!(state, ImportState::Running(_)), "{state:?}");
        house.imports.stop();
        machine.pass(1_000.0);
        assert_eq!(house.imports.state.get_untracked(), failed(STOPPED));
        assert_eq!(house.titles().len(), 0);
        expect_nothing_but(machine, house, &[]);
    });
}

/// Holds `Imports::run`: no other import begins while one runs.
#[test]
fn a_file_that_is_chosen_while_another_one_comes_in_changes_nothing() {
    reactive(|machine, house| {
        read(machine, house, export(&[chat(7, &[1])], &[1]));
        let image = machine.slow_image();
        assert_eq!(run(machine, house), ImportState::Running(0));
        let imports = house.imports;
        imports.read(vec![file(export(&[chat(8, &[2])], &[2]))]);
        imports.discard_file();
        image.send(()).unwrap();
        machine.pass(1_000.0);
        let done = ImportState::Done("1 chat imported.".to_owned());
        assert_eq!(imports.state.get_untracked(), done);
        assert_eq!(house.titles(), ["Question 1"]);
    });
}

/// Holds `Imports::import`: what is not here is looked up when the import begins.
#[test]
fn an_image_that_is_deleted_between_the_plan_and_the_import_comes_in_with_the_file() {
    reactive(|machine, house| {
        machine.images.borrow_mut().insert(hash(1), (png(1), 1));
        read(machine, house, export(&[chat(7, &[1])], &[1]));
        machine.images.borrow_mut().clear();
        let done = ImportState::Done("1 chat imported.".to_owned());
        assert_eq!(run(machine, house), done);
        assert!(machine.images.borrow().contains_key(&hash(1)));
    });
}

/// Holds `Imports::keep_image`: what the browser does not keep is deleted, in its memory too.
#[test]
fn an_image_that_found_no_room_is_kept_by_the_next_import() {
    reactive(|machine, house| {
        let text = export(&[chat(7, &[1])], &[1]);
        read(machine, house, text.clone());
        machine.no_room_for_images.set(true);
        assert!(matches!(run(machine, house), ImportState::Failed(_)));
        machine.no_room_for_images.set(false);
        read(machine, house, text);
        let done = ImportState::Done("1 chat imported.".to_owned());
        assert_eq!(run(machine, house), done);
        assert!(machine.images.borrow().contains_key(&hash(1)));
    });
}
