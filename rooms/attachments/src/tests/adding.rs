//! Adding images and files to a draft.

use super::house::{House, reactive};
use crate::{FileDraft, image_format};
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::ImageHash;
use sash_harness::settle;
use sash_log::image::{SourceFormat, hash_image};
use sash_stores::ScaledImage;
use std::time::Duration;

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
    house.kernel.edges().spawn(house.adding.add(chat, scaled));
    settle();
    hash_image(bytes)
}

fn drafted(house: House) -> Vec<ImageHash> {
    house
        .drafts
        .images
        .with_untracked(|images| images.iter().map(|image| image.hash).collect())
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

/// Regression: while the model was not loaded every page of a file was chosen, and the prompt was refused.
#[test]
fn a_file_has_the_room_of_the_context_that_is_assumed_until_it_is_known() {
    reactive(|_, house| {
        let (room, is_known) = untrack(|| house.adding.room_for_file());
        assert!(!is_known);
        assert!((2_000..4_096).contains(&room), "{room}");
        let larger = untrack(|| house.adding.context_for_file(10_000));
        assert_eq!(larger, Some(16_384));
        house.steering.raise_context(16_384);
        let (room, is_known) = untrack(|| house.adding.room_for_file());
        assert!(is_known && room > 10_000, "{room}");
    });
}

/// *Reload* was offered meanwhile, and lost the file without a word.
#[test]
fn a_file_is_being_added_until_it_is_read_and_looked_at() {
    reactive(|machine, house| {
        let (adding, edges) = (house.adding, house.kernel.edges());
        let is_adding = || untrack(|| adding.is_adding());
        assert!(!is_adding());
        edges.spawn(adding.read_files(async move {
            edges.wait(Duration::from_secs(1)).await;
            let file = FileDraft::of_text("notes.txt".to_owned(), "one".to_owned());
            adding.files.update(|files| files.push(file));
        }));
        edges.spawn(adding.read_files(async {}));
        settle();
        assert!(is_adding(), "it is being read");
        machine.pass(1000.0);
        assert!(is_adding(), "it is shown");
        adding.files.update(Vec::clear);
        assert!(!is_adding());
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
