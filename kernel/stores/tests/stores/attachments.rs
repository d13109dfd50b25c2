//! The images of the draft and of the window.

use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::{ImageCount, ImageHash, Outcome};
use sash_harness::{House, Machine, reactive, says, settle, two_tabs};
use sash_log::image::{encode_image, hash_image};
use sash_stores::ScaledImage;
use sash_wire::{Fault, ModelFeature, ModelInfo, Usage};

/// Adds an image with these bytes to the draft.
fn add(machine: &Machine, house: House, bytes: &[u8]) -> ImageHash {
    house.add_image(
        machine,
        ScaledImage {
            bytes: bytes.to_vec(),
            width: 3,
            height: 2,
            preview: "aGk=".to_owned(),
            ..ScaledImage::default()
        },
    )
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
        add(machine, house, b"one");
        add(machine, house, b"two");
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
        add(machine, house, b"one");
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
        add(machine, house, b"one");
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
        add(machine, house, b"one");
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
        add(machine, house, b"one");
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
fn a_look_for_an_image_that_began_before_it_was_added_does_not_say_that_it_is_gone() {
    reactive(|machine, house| {
        let hash = hash_image(b"one");
        let look = machine.slow_image_look();
        assert_eq!(untrack(|| house.attachments.is_kept(hash)), None);
        settle();
        add(machine, house, b"one");
        look.send(()).unwrap();
        settle();
        assert_eq!(untrack(|| house.attachments.is_kept(hash)), Some(true));
    });
}

/// Holds `Attachments::load`: that an image is gone is noted only if it was not added meanwhile.
#[test]
fn an_image_that_is_added_again_while_it_is_read_for_a_request_does_not_count_as_gone() {
    reactive(|machine, house| {
        add(machine, house, b"one");
        house.exchange(machine, "What is it?", "A cat");
        machine.images.borrow_mut().clear();
        let read = machine.slow_image_look();
        assert!(house.answers.ask("And now?".to_owned()));
        settle();
        add(machine, house, b"one");
        read.send(()).unwrap();
        settle();
        assert!(house.attachments.gone().is_empty());
    });
}

#[test]
fn a_count_with_images_teaches_the_estimate_nothing() {
    reactive(|machine, house| {
        add(machine, house, b"one");
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
        add(machine, house, b"one");
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

#[test]
fn deleting_for_good_removes_images_that_nothing_else_refers_to() {
    reactive(|machine, house| {
        let (shared, own) = (add(machine, house, b"shared"), add(machine, house, b"own"));
        house.exchange(machine, "Both", "Yes");
        let first = house.chat();
        house.chats.begin_chat();
        settle();
        add(machine, house, b"shared");
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
        let hash = add(machine, house, b"one");
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
        add(machine, house, b"one");
        house.exchange(machine, "Again", "Yes");
        machine.pass(100.0);
        assert!(machine.images.borrow().contains_key(&hash));
        assert!(!house.attachments.gone().contains(&hash));
    });
}

/// Holds `Attachments::delete_unreferenced`: chats that came meanwhile are read too, and last of all the draft.
#[test]
fn images_of_a_chat_and_a_draft_that_come_while_unused_ones_are_looked_for_stay() {
    reactive(|machine, house| {
        house.exchange(machine, "First", "Yes");
        house.chats.begin_chat();
        settle();
        for bytes in [b"one", b"two"] {
            add(machine, house, bytes);
        }
        let images = house.drafts.images.get_untracked();
        house.exchange(machine, "Second", "Yes");
        let second = house.chat();
        house.answers.delete_chat(second);
        let purged = house.attachments.images_of(second);
        house.storage.with_log(|log| log.purge(second, 1));
        any_spawner::Executor::spawn_local(house.attachments.delete_unreferenced(purged));
        settle();
        // The chats are being read. Both images are still kept, so neither is added anew.
        house.chats.begin_chat();
        settle();
        house.drafts.images.set(vec![images[0].clone()]);
        machine.answer(says(&["Yes"]));
        assert!(house.answers.ask("Third".to_owned()));
        house.drafts.images.set(vec![images[1].clone()]);
        machine.pass(100.0);
        assert_eq!(machine.images.borrow().len(), 2);
    });
}

#[test]
fn another_tab_has_the_image_of_a_question_too() {
    two_tabs(|machine, house, there, other| {
        add(machine, house, b"one");
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
