//! The images of the draft and of the window.

use crate::house::{House, reactive, says, two_tabs};
use crate::machine::{Machine, settle};
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::{ImageCount, ImageHash, Outcome};
use sash_log::image::{SourceFormat, encode_image, hash_image};
use sash_state::{ScaledImage, image_format};
use sash_wire::{Fault, ModelFeature, ModelInfo, Usage};

/// Adds an image with these bytes to the draft.
fn add(house: House, bytes: &[u8]) -> ImageHash {
    let chat = house.chats.open_id_untracked();
    let room = house.adding.begin(chat, 1);
    assert_eq!(room, 1);
    add_to(house, chat, bytes)
}

fn add_to(house: House, chat: sash_chat::Id, bytes: &[u8]) -> ImageHash {
    let scaled = ScaledImage {
        bytes: bytes.to_vec(),
        width: 3,
        height: 2,
        preview: "aGk=".to_owned(),
        ..ScaledImage::default()
    };
    any_spawner::Executor::spawn_local(house.adding.add(chat, scaled));
    settle();
    hash_image(bytes)
}

fn drafted(house: House) -> Vec<ImageHash> {
    house
        .drafts
        .images
        .with_untracked(|images| images.iter().map(|image| image.hash).collect())
}

fn count(sent: u32, unseen: u32, gone: u32) -> ImageCount {
    ImageCount { sent, unseen, gone }
}

/// A model that sees nothing, chosen for the open chat.
fn choose_blind_model(machine: &Machine, house: House) {
    machine.more_models.borrow_mut().push(ModelInfo {
        name: "blind:latest".to_owned(),
        capabilities: vec!["completion".to_owned()],
        ..ModelInfo::default()
    });
    house.engine.refresh();
    settle();
    let chat = house.chat();
    house
        .chats
        .change_head(chat, |head| head.model = Some("blind:latest".to_owned()));
    settle();
}

#[test]
fn an_image_goes_with_its_question_and_again_with_the_window() {
    reactive(|machine, house| {
        add(house, b"one");
        add(house, b"two");
        house.write("What is it?");
        assert_eq!(house.attachments.count.get_untracked(), count(2, 0, 0));
        house.exchange(machine, "What is it?", "A cat");
        assert!(drafted(house).is_empty(), "the images were sent");
        let images = [b"one", b"two"].map(|bytes| encode_image(bytes));
        assert_eq!(machine.requests.borrow()[0].images, images);
        house.exchange(machine, "And its colour?", "Red");
        let requests = machine.requests.borrow();
        assert_eq!(requests[1].context[0].images, images);
        assert!(requests[1].images.is_empty());
        let receipt = house.chats.open.with_untracked(|chat| {
            let answer = chat.leaf().and_then(|id| chat.get(id));
            answer.and_then(|answer| answer.receipt.clone())
        });
        assert_eq!(receipt.map(|receipt| receipt.images), Some(count(2, 0, 0)));
    });
}

#[test]
fn a_new_version_of_a_question_keeps_its_images() {
    reactive(|machine, house| {
        add(house, b"one");
        let (question, _) = house.exchange(machine, "What is it?", "A cat");
        machine.answer(says(&["A dog"]));
        assert!(
            house
                .answers
                .ask_instead_of(question, house.version(question, "What animal?"))
        );
        machine.pass(100.0);
        let requests = machine.requests.borrow();
        assert_eq!(requests[1].images, [encode_image(b"one")]);
    });
}

#[test]
fn a_model_that_does_not_see_gets_no_image_and_the_count_says_so() {
    reactive(|machine, house| {
        add(house, b"one");
        house.exchange(machine, "What is it?", "A cat");
        choose_blind_model(machine, house);
        assert_eq!(house.attachments.count.get_untracked(), count(0, 1, 0));
        house.exchange(machine, "And now?", "No idea");
        let requests = machine.requests.borrow();
        assert!(requests[1].context.iter().all(|m| m.images.is_empty()));
    });
}

#[test]
fn an_image_that_is_gone_is_not_sent_and_a_request_that_finds_out_late_is_not_sent_either() {
    reactive(|machine, house| {
        add(house, b"one");
        house.exchange(machine, "What is it?", "A cat");
        machine.images.borrow_mut().clear();
        machine.answer(says(&["never asked"]));
        assert!(house.answers.ask("And now?".to_owned()));
        machine.pass(100.0);
        assert_eq!(machine.requests.borrow().len(), 1, "nothing was sent");
        let outcome = house.chats.open.with_untracked(|chat| {
            let answer = chat.leaf().and_then(|id| chat.get(id));
            answer.map(|answer| answer.outcome.clone())
        });
        assert!(
            matches!(&outcome, Some(Outcome::Failed(why)) if why.code.as_deref() == Some("image_gone")),
            "{outcome:?}"
        );
        assert_eq!(house.attachments.count.get_untracked(), count(0, 0, 1));
        house.answers.ask("Go on without it".to_owned());
        machine.pass(100.0);
        let requests = machine.requests.borrow();
        assert_eq!(requests.len(), 2);
        assert!(requests[1].context.iter().all(|m| m.images.is_empty()));
    });
}

#[test]
fn a_database_that_does_not_open_is_said_and_its_images_do_not_count_as_gone() {
    reactive(|machine, house| {
        add(house, b"one");
        house.exchange(machine, "What is it?", "A cat");
        let house = House::reopened(machine, Some(house.chat()));
        machine.no_images.set(true);
        machine.answer(says(&["never asked"]));
        assert!(house.answers.ask("And now?".to_owned()));
        machine.pass(100.0);
        assert_eq!(machine.requests.borrow().len(), 1, "nothing was sent");
        let failure = house.chats.open.with_untracked(|chat| {
            let answer = chat.leaf().and_then(|id| chat.get(id));
            answer.map(|answer| answer.outcome.clone())
        });
        let Some(Outcome::Failed(why)) = failure else {
            panic!("the answer failed: {failure:?}");
        };
        assert_eq!(why.code.as_deref(), Some("images_unavailable"));
        assert!(
            why.sentence.contains("reload this page"),
            "{}",
            why.sentence
        );
        assert!(house.attachments.gone().is_empty());
        // The database opens after all.
        machine.no_images.set(false);
        let failed = *house.chats.path.get_untracked().last().unwrap();
        house.answers.answer_again(failed);
        machine.pass(100.0);
        let requests = machine.requests.borrow();
        assert_eq!(requests[1].context[0].images, [encode_image(b"one")]);
    });
}

#[test]
fn images_of_a_draft_are_there_after_a_reload_and_not_in_another_chat() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        let hash = add(house, b"one");
        machine.pass(1000.0);
        let reloaded = House::reopened(machine, Some(chat));
        assert_eq!(drafted(reloaded), [hash]);
        assert_eq!(reloaded.attachments.gone(), Default::default());
        reloaded.chats.begin_chat();
        settle();
        assert!(drafted(reloaded).is_empty());
        reloaded.chats.open_chat(chat);
        settle();
        assert_eq!(drafted(reloaded), [hash]);
        reloaded.adding.remove(hash);
        machine.pass(1000.0);
        assert!(drafted(House::reopened(machine, Some(chat))).is_empty());
    });
}

#[test]
fn more_images_than_a_message_takes_are_refused_in_words() {
    reactive(|_, house| {
        let chat = house.chats.open_id_untracked();
        let room = house.adding.begin(chat, 10);
        assert_eq!(room, 8);
        assert!(
            house
                .toast()
                .is_some_and(|words| words.contains("8 images"))
        );
        for n in 0..room {
            add_to(house, chat, &[u8::try_from(n).unwrap()]);
        }
        assert_eq!(house.attachments.pending.get_untracked(), 0);
        assert_eq!(house.adding.begin(chat, 1), 0);
        house.adding.begin(chat, 1);
        assert_eq!(drafted(house).len(), 8);
    });
}

#[test]
fn the_same_image_is_added_once_and_to_the_draft_that_it_belongs_to() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        add(house, b"one");
        add(house, b"one");
        assert_eq!(drafted(house).len(), 1);
        let chat = house.chats.open_id_untracked();
        house.adding.begin(chat, 1);
        house.chats.begin_chat();
        settle();
        let second = add_to(house, chat, b"two");
        assert!(drafted(house).is_empty(), "another chat is open");
        house.chats.open_chat(chat);
        settle();
        assert_eq!(drafted(house), [hash_image(b"one"), second]);
        assert_eq!(house.attachments.pending.get_untracked(), 0);
    });
}

#[test]
fn the_room_for_images_is_that_of_the_draft_that_they_were_dropped_on() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let full = house.chats.open_id_untracked();
        house.adding.begin(full, 8);
        for n in 0..8 {
            add_to(house, full, &[n]);
        }
        house.chats.begin_chat();
        settle();
        // The files were read while another chat was opened.
        assert_eq!(house.adding.begin(full, 1), 0);
        assert_eq!(house.adding.begin(house.chats.open_id_untracked(), 1), 1);
    });
}

#[test]
fn a_look_for_an_image_that_began_before_it_was_added_does_not_say_that_it_is_gone() {
    reactive(|machine, house| {
        let hash = hash_image(b"one");
        let look = machine.slow_image_look();
        assert_eq!(untrack(|| house.attachments.is_kept(hash)), None);
        settle();
        add(house, b"one");
        look.send(()).unwrap();
        settle();
        assert_eq!(untrack(|| house.attachments.is_kept(hash)), Some(true));
    });
}

#[test]
fn without_room_for_it_an_image_is_added_and_the_person_is_told() {
    reactive(|machine, house| {
        machine.no_room_for_images.set(true);
        add(house, b"one");
        assert_eq!(drafted(house).len(), 1);
        assert!(
            house
                .toast()
                .is_some_and(|words| words.contains("gone after a reload"))
        );
    });
}

#[test]
fn a_count_with_images_teaches_the_estimate_nothing() {
    reactive(|machine, house| {
        add(house, b"one");
        let mut frames = says(&["A cat"]);
        if let Some(Ok(sash_wire::Frame::Done { usage, .. })) = frames.last_mut() {
            *usage = Usage {
                prompt_tokens: Some(900),
                ..Usage::default()
            };
        }
        machine.answer(frames);
        assert!(house.answers.ask("What is it?".to_owned()));
        machine.pass(100.0);
        let learned = house
            .settings
            .current
            .with_untracked(|settings| settings.calibrations.len());
        assert_eq!(learned, 0);
    });
}

/// Regression: the image of the refused question went along with every later one, which was refused for it too.
#[test]
fn an_image_that_the_model_refused_is_left_out_of_later_requests() {
    reactive(|machine, house| {
        add(house, b"one");
        let refused = Fault::Unsupported {
            feature: ModelFeature::Images,
            reason: "tiny is not a multimodal model".to_owned(),
        };
        machine.answer(vec![Err(refused)]);
        assert!(house.answers.ask("What is it?".to_owned()));
        settle();
        assert_eq!(machine.requests.borrow()[0].images.len(), 1);
        assert!(!untrack(|| house.attachments.sees.get()));
        assert_eq!(house.attachments.count.get_untracked(), count(0, 1, 0));
        house.exchange(machine, "And without it?", "Fine");
        let requests = machine.requests.borrow();
        assert!(requests[1].images.is_empty());
        assert!(requests[1].context.iter().all(|m| m.images.is_empty()));
    });
}

/// Regression: while the model was not loaded every page of a file was chosen, and the prompt was refused.
#[test]
fn a_file_has_the_room_of_the_context_that_is_assumed_until_it_is_known() {
    reactive(|_, house| {
        let (room, is_known) = untrack(|| house.adding.room_for_file());
        assert!(!is_known);
        assert!((2_000..4_096).contains(&room), "{room}");
        let larger = untrack(|| house.adding.context_for_file(10_000));
        assert_eq!(larger, Some(16_384));
        house.adding.raise_context(16_384);
        let (room, is_known) = untrack(|| house.adding.room_for_file());
        assert!(is_known && room > 10_000, "{room}");
    });
}

#[test]
fn deleting_for_good_removes_images_that_nothing_else_refers_to() {
    reactive(|machine, house| {
        let (shared, own) = (add(house, b"shared"), add(house, b"own"));
        house.exchange(machine, "Both", "Yes");
        let first = house.chat();
        house.chats.begin_chat();
        settle();
        add(house, b"shared");
        house.exchange(machine, "One of them", "Yes");
        house.answers.delete_chat(first);
        let purged = house.attachments.images_of(first);
        assert_eq!(purged.len(), 2);
        house.storage.with_log(|log| log.purge(first, 1));
        any_spawner::Executor::spawn_local(house.attachments.delete_unreferenced(purged));
        machine.pass(100.0);
        let left: Vec<ImageHash> = machine.images.borrow().keys().copied().collect();
        assert_eq!(left, [shared]);
        assert_ne!(shared, own);
    });
}

#[test]
fn an_image_that_is_added_again_while_unused_ones_are_looked_for_stays() {
    reactive(|machine, house| {
        house.exchange(machine, "First", "Yes");
        let first = house.chat();
        house.chats.begin_chat();
        settle();
        let hash = add(house, b"one");
        house.exchange(machine, "Second", "Yes");
        let second = house.chat();
        assert!(first < second, "the first chat is read first");
        house.answers.delete_chat(second);
        house.chats.open_chat(first);
        settle();
        let purged = house.attachments.images_of(second);
        house.storage.with_log(|log| log.purge(second, 1));
        any_spawner::Executor::spawn_local(house.attachments.delete_unreferenced(purged));
        settle();
        // The chats are being read; the first one has been.
        add(house, b"one");
        house.exchange(machine, "Again", "Yes");
        machine.pass(100.0);
        assert!(machine.images.borrow().contains_key(&hash));
        assert!(!house.attachments.gone().contains(&hash));
    });
}

#[test]
fn another_tab_has_the_image_of_a_question_too() {
    two_tabs(|machine, house, there, other| {
        add(house, b"one");
        house.exchange(machine, "What is it?", "A cat");
        there.tell(other.tabs);
        assert_eq!(other.attachments.count.get_untracked(), count(1, 0, 0));
        other.exchange(there, "And now?", "Still a cat");
        let requests = machine.requests.borrow();
        let last = requests.last().unwrap();
        let images: Vec<&String> = last.context.iter().flat_map(|m| &m.images).collect();
        assert_eq!(images, [&encode_image(b"one")]);
    });
}

/// Such a file was once taken for an image by its name, and refused as a damaged one.
#[test]
fn a_document_under_the_name_of_an_image_is_no_image() {
    let jpeg = &b"\xff\xd8\xff\xe1\0\x10Exif\0\0 of a scan, %PDF-1.7"[..];
    for (head, name, media_type, format) in [
        (
            &b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"[..],
            "scan.jpg",
            "image/jpeg",
            None,
        ),
        (b"\n\n%PDF-1.4\n\xff\0", "page.tiff", "image/tiff", None),
        (b"PK\x03\x04\x14\0\x06\0\x08\0", "letter.png", "", None),
        (
            b"PK\x03\x04\x14\0\x06\0\x08\0",
            "letter",
            "image/x-scan",
            None,
        ),
        (
            b"\xff\xfe<\0h\0t\0m\0l\0>\0",
            "saved.webp",
            "image/webp",
            None,
        ),
        (
            jpeg,
            "scan.pdf",
            "application/pdf",
            Some(SourceFormat::Jpeg),
        ),
        (
            b"\x01\x02\xff\xfe\0\x07",
            "a.png",
            "",
            Some(SourceFormat::Png),
        ),
    ] {
        assert_eq!(image_format(head, name, media_type), format, "{name}");
    }
}
