//! Vectors of messages: computed when nothing else is to be done, kept, and a second ranking for recall.

use super::embedder::{self, WINE, by_itself};
use super::house::{House, Machine, reactive};
use crate::{EmbeddingState, WaitingEmbeddings};
use futures::future::pending;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::{Id, RecallSetting};
use sash_harness::settle;
use sash_stores::EngineTask;
use sash_stores::hooks::Urgency;
use sash_wire::{DraftMark, EngineInfo, Fault};
use std::collections::BTreeSet;

/// A prompt that shares no word with the answer about wine.
const DRAFT: &str = "Remind me which beverage suited the supper";

/// A chat that recalls by itself, with talk of wine far above the window. Returns the id of that answer.
fn talk(machine: &Machine, house: House) -> Id {
    machine.embedder.talk(machine, *house)
}

/// Chooses the model and lets it read everything.
fn choose(machine: &Machine, house: House) {
    embedder::choose(machine, house.embeddings);
}

fn asked(machine: &Machine) -> usize {
    machine.embedder.asked.borrow().len()
}

/// How many messages of the open chat have vectors.
fn ready(house: House) -> usize {
    let path = house.chats.path.get_untracked();
    let has = |id: &&Id| house.embeddings.has_vector(house.chat(), **id);
    path.iter().filter(has).count()
}

fn recalls(house: House, id: Id) -> bool {
    let block = house.steering.quotes.get_untracked();
    block.is_some_and(|block| block.quotes(id))
}

#[test]
fn vectors_are_computed_in_an_idle_moment_and_find_what_shares_no_word() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        house.write(DRAFT);
        machine.pass(500.0);
        assert!(!recalls(house, meant), "by words alone");
        choose(machine, house);
        assert_eq!(
            (asked(machine), ready(house)),
            (2, 8),
            "one batch, and the draft"
        );
        assert!(recalls(house, meant));
        let words = house.recalls.words.get_untracked();
        assert_eq!(words.get(&meant), Some(&Vec::new()));
        house.exchange(machine, DRAFT, "Red wine.");
        let prompt = machine.requests.borrow().last().unwrap().prompt.clone();
        assert!(prompt.contains(WINE), "{prompt}");
    });
}

#[test]
fn nothing_to_read_is_said_only_after_the_messages_were_looked_through() {
    reactive(|machine, house| {
        talk(machine, house);
        let state = || house.embeddings.state.get_untracked();
        house.embeddings.choose(Some("near:latest".to_owned()));
        house.embeddings.start_reading();
        settle();
        assert_eq!(state(), EmbeddingState::Due);
        machine.pass(2000.0);
        assert_eq!(state(), EmbeddingState::Idle);
    });
}

#[test]
fn a_prompt_that_no_message_stands_out_for_recalls_nothing() {
    reactive(|machine, house| {
        talk(machine, house);
        choose(machine, house);
        house.write("Write a poem about the sea");
        machine.pass(500.0);
        assert_eq!(asked(machine), 2);
        assert_eq!(house.steering.quotes.get_untracked(), None);
    });
}

#[test]
fn without_a_model_or_where_the_chat_does_not_recall_nothing_is_asked() {
    reactive(|machine, house| {
        talk(machine, house);
        house.write(DRAFT);
        machine.pass(60_000.0);
        assert_eq!(asked(machine), 0);
        house.steering.set_recall(RecallSetting::default());
        choose(machine, house);
        house.write(&format!("{DRAFT}?"));
        machine.pass(60_000.0);
        assert_eq!(asked(machine), 0);
        assert!(machine.embedder.kept.borrow().1.is_empty());
    });
}

#[test]
fn a_running_answer_stops_it_and_it_goes_on_afterwards() {
    reactive(|machine, house| {
        talk(machine, house);
        let _never = machine.embedder.slow();
        choose(machine, house);
        assert_eq!((asked(machine), ready(house)), (1, 0));
        let state = house.embeddings.state;
        assert_eq!(state.get_untracked(), EmbeddingState::Working { left: 8 });
        let answer = machine.stream_answer();
        assert!(house.answers.ask("And now?".to_owned()));
        settle();
        assert_eq!(machine.embedder.dropped.get(), 1, "the request is ended");
        assert_eq!(state.get_untracked(), EmbeddingState::Idle);
        house.write(DRAFT);
        machine.pass(60_000.0);
        assert_eq!(asked(machine), 1, "nothing while it runs");
        for frame in sash_harness::says(&["Now."]) {
            answer.unbounded_send(frame).unwrap();
        }
        machine.pass(3000.0);
        assert_eq!(ready(house), 10);
    });
}

#[test]
fn vectors_are_kept_and_read_after_a_reload() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        choose(machine, house);
        assert_eq!(machine.embedder.kept.borrow().1.len(), 8);
        let again = House::reopened(machine, Some(house.chat()));
        let before = asked(machine);
        machine.pass(2000.0);
        assert_eq!((asked(machine), ready(again)), (before, 8));
        again.write(DRAFT);
        machine.pass(500.0);
        assert_eq!(asked(machine), before + 1, "the draft alone");
        assert!(recalls(again, meant));
    });
}

/// Vectors of messages that were embedded behind the beginning of a long answer are not compared with those of today.
#[test]
fn vectors_of_an_earlier_form_are_made_again() {
    reactive(|machine, house| {
        talk(machine, house);
        choose(machine, house);
        machine.embedder.kept.borrow_mut().0 = "a/2".to_owned();
        let again = House::reopened(machine, Some(house.chat()));
        let before = asked(machine);
        machine.pass(2000.0);
        assert_eq!((asked(machine), ready(again)), (before + 1, 8));
        let kept = machine.embedder.kept.borrow();
        assert_eq!((&*kept.0, kept.1.len()), ("a/3", 8));
    });
}

#[test]
fn another_model_or_none_deletes_what_is_kept_and_a_new_digest_is_another_model() {
    reactive(|machine, house| {
        talk(machine, house);
        choose(machine, house);
        let kept = || machine.embedder.kept.borrow().clone();
        assert_eq!(kept().0, "a/3");
        house.embeddings.choose(Some("other:latest".to_owned()));
        house.embeddings.start_reading();
        settle();
        assert!(kept().1.is_empty() && ready(house) == 0);
        machine.pass(2000.0);
        assert_eq!((&*kept().0, kept().1.len()), ("b/3", 8));
        machine.more_models.borrow_mut()[1].digest = Some("b2".to_owned());
        let again = House::reopened(machine, Some(house.chat()));
        machine.pass(2000.0);
        assert_eq!((&*kept().0, ready(again)), ("b2/3", 8));
        again.embeddings.choose(None);
        machine.pass(2000.0);
        assert!(kept().1.is_empty() && ready(again) == 0);
    });
}

#[test]
fn a_failure_is_followed_by_growing_pauses_and_a_success_ends_them() {
    reactive(|machine, house| {
        talk(machine, house);
        *machine.refusal.borrow_mut() = Some(Fault::OllamaBusy);
        house.embeddings.choose(Some("near:latest".to_owned()));
        house.embeddings.start_reading();
        // The list of models is refused already, so no text is sent.
        machine.pass(2000.0);
        let state = || house.embeddings.state.get_untracked();
        assert_eq!(state(), EmbeddingState::Paused(Fault::OllamaBusy));
        *machine.refusal.borrow_mut() = None;
        let slow: Vec<_> = (0..3).map(|_| machine.embedder.slow()).collect();
        for sender in slow {
            sender.send(Err(Fault::OllamaBusy)).unwrap();
        }
        let mut times = Vec::new();
        for second in 0..200 {
            let before = asked(machine);
            machine.pass(1000.0);
            if asked(machine) > before {
                times.push(second);
            }
        }
        let pauses: Vec<i32> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(pauses, [20, 40, 80], "{times:?}");
        assert_eq!((state(), ready(house)), (EmbeddingState::Idle, 8));
    });
}

#[test]
fn a_model_that_was_deleted_and_pulled_anew_makes_all_vectors_anew() {
    reactive(|machine, house| {
        talk(machine, house);
        choose(machine, house);
        let slow = machine.embedder.slow();
        house.exchange(machine, "Thanks", "You are welcome.");
        machine.more_models.borrow_mut()[0].digest = Some("a2".to_owned());
        machine.pass(2000.0);
        let model = "near:latest".to_owned();
        slow.send(Err(Fault::ModelNotFound { model })).unwrap();
        machine.pass(15_000.0);
        assert_eq!(machine.embedder.kept.borrow().0, "a2/3");
        assert_eq!(
            (machine.embedder.kept.borrow().1.len(), ready(house)),
            (10, 10)
        );
    });
}

#[test]
fn a_model_that_is_gone_or_in_the_cloud_is_not_asked() {
    reactive(|machine, house| {
        talk(machine, house);
        house.embeddings.list();
        settle();
        let offered = house.embeddings.offered.get_untracked().unwrap();
        let names: Vec<&str> = offered.iter().map(|model| &*model.name).collect();
        assert_eq!(names, ["near:latest", "other:latest"]);
        for name in ["far:cloud", "gone", "tiny:latest"] {
            house.embeddings.choose(Some(name.to_owned()));
            house.embeddings.start_reading();
            machine.pass(5000.0);
            let model = name.to_owned();
            let expected = EmbeddingState::Paused(Fault::ModelNotFound { model });
            assert_eq!(house.embeddings.state.get_untracked(), expected);
        }
        assert_eq!(asked(machine), 0);
    });
}

#[test]
fn sending_does_not_wait_and_a_draft_that_changed_is_ranked_by_its_own_vector() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        choose(machine, house);
        let slow = machine.embedder.slow();
        house.write(DRAFT);
        machine.pass(500.0);
        assert_eq!(asked(machine), 2, "the batch and the draft");
        house.recalls.prepare(DRAFT);
        assert!(!recalls(house, meant), "words alone, at once");
        // The draft changes while its vector is on the way; one request runs at a time.
        house.write("When does the station open?");
        machine.pass(500.0);
        assert_eq!(asked(machine), 2);
        slow.send(Ok(())).unwrap();
        settle();
        assert_eq!(asked(machine), 3, "then the new draft's");
        assert!(!recalls(house, meant));
        house.write(DRAFT);
        machine.pass(500.0);
        assert_eq!(asked(machine), 3, "the former draft's is known");
        assert!(recalls(house, meant));
        house.recalls.prepare(&format!("{DRAFT}\n"));
        assert!(recalls(house, meant), "what is shown is what is sent");
    });
}

#[test]
fn a_prompt_goes_before_the_work_of_idle_times() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        choose(machine, house);
        house.exchange(machine, "Thanks", "You are welcome.");
        let _never = machine.embedder.slow();
        machine.pass(2000.0);
        assert_eq!(
            (asked(machine), ready(house)),
            (2, 8),
            "the new exchange is asked for"
        );
        house.write(DRAFT);
        machine.pass(500.0);
        assert_eq!(machine.embedder.dropped.get(), 1);
        assert!(recalls(house, meant));
        machine.pass(2000.0);
        assert_eq!(ready(house), 10);
    });
}

/// Reading of all chats went on beside a prompt that was read ahead, if it had begun before.
#[test]
fn what_is_read_ahead_ends_the_reading_of_messages_which_goes_on_afterwards() {
    reactive(|machine, house| {
        talk(machine, house);
        let ahead = EngineTask::new(house.kernel, Urgency::Ahead);
        let _never = machine.embedder.slow();
        choose(machine, house);
        assert_eq!((asked(machine), ready(house)), (1, 0));
        ahead.start(pending(), |()| {});
        machine.pass(5000.0);
        assert_eq!((machine.embedder.dropped.get(), asked(machine)), (1, 1));
        ahead.stop();
        machine.pass(2000.0);
        assert_eq!(ready(house), 8);
    });
}

#[test]
fn other_chats_are_read_only_where_the_chat_recalls_from_all() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        let other = house.chat();
        house.chats.begin_chat();
        house.steering.set_recall(by_itself());
        house.exchange(machine, "Hello", "Hello to you.");
        choose(machine, house);
        assert_eq!(machine.embedder.kept.borrow().1.len(), 2);
        house.steering.set_recall(RecallSetting {
            all_chats: true,
            ..by_itself()
        });
        machine.pass(3000.0);
        assert_eq!(machine.embedder.kept.borrow().1.len(), 10);
        house.write(DRAFT);
        machine.pass(500.0);
        assert!(recalls(house, meant));
        house.chats.delete_chat(other);
        house.write(&format!("{DRAFT} then"));
        machine.pass(500.0);
        assert!(!recalls(house, meant), "a deleted chat is recalled no more");
        house
            .storage
            .purged()
            .emit(&BTreeSet::from([(other, None)]));
        settle();
        assert_eq!(machine.embedder.kept.borrow().1.len(), 2);
    });
}

#[test]
fn a_second_tab_waits_and_reads_what_the_first_one_computed() {
    reactive(|machine, house| {
        talk(machine, house);
        let slow = machine.embedder.slow();
        choose(machine, house);
        let there = machine.another_tab();
        let other = House::reopened(&there, Some(house.chat()));
        machine.pass(5000.0);
        assert_eq!((asked(machine), ready(other)), (1, 0));
        slow.send(Ok(())).unwrap();
        machine.pass(2000.0);
        assert_eq!((asked(machine), ready(house), ready(other)), (1, 8, 8));
    });
}

#[test]
fn a_chat_that_is_opened_while_kept_vectors_are_read_gets_none_of_the_former_one() {
    reactive(|machine, house| {
        talk(machine, house);
        let first = house.chat();
        house.chats.begin_chat();
        settle();
        house.steering.set_recall(by_itself());
        house.exchange(machine, "Which day is it?", "It is Friday.");
        let read = machine.embedder.slow_read();
        choose(machine, house);
        house.chats.open_chat(first);
        settle();
        read.send(()).unwrap();
        machine.pass(5_000.0);
        let kept = machine.embedder.kept.borrow();
        assert!(!kept.1.is_empty());
        for (chat, message) in kept.1.keys() {
            let loaded = house.storage.with_log(|log| log.load(*chat)).flatten();
            assert!(loaded.unwrap().get(*message).is_some(), "of another chat");
        }
    });
}

/// Holds `Embeddings::complete`: what is deleted while kept vectors are read is read by no model.
#[test]
fn a_chat_that_is_deleted_while_kept_vectors_are_read_goes_to_no_model() {
    reactive(|machine, house| {
        talk(machine, house);
        let first = house.chat();
        house.chats.begin_chat();
        house.steering.set_recall(by_itself());
        house.exchange(machine, "Which day is it?", "It is Friday.");
        let second = house.chat();
        house.chats.open_chat(first);
        let read = machine.embedder.slow_read();
        choose(machine, house);
        house.answers.delete_chat(first);
        settle();
        assert_eq!(house.chat(), second);
        read.send(()).unwrap();
        machine.pass(5_000.0);
        assert_eq!((asked(machine), ready(house)), (1, 2), "the other chat");
        assert!(!machine.embedder.asked.borrow()[0].concat().contains("wine"));
    });
}

/// Holds `Embeddings::read_messages`: what changed while messages were read is looked at once more.
#[test]
fn a_chat_that_is_opened_while_another_is_read_gets_its_vectors_too() {
    reactive(|machine, house| {
        talk(machine, house);
        let first = house.chat();
        house.chats.begin_chat();
        house.steering.set_recall(by_itself());
        house.exchange(machine, "When does the train leave?", "At nine.");
        let slow = machine.embedder.slow();
        choose(machine, house);
        assert_eq!((asked(machine), ready(house)), (1, 0));
        house.chats.open_chat(first);
        machine.pass(2000.0);
        slow.send(Ok(())).unwrap();
        machine.pass(3000.0);
        assert_eq!(ready(house), 8);
    });
}

#[test]
fn a_batch_that_fails_does_not_hold_up_those_after_it() {
    reactive(|machine, house| {
        talk(machine, house);
        for number in 0..8 {
            house.exchange(machine, &format!("Question {number}"), "Answer.");
        }
        let slow = machine.embedder.slow();
        slow.send(Err(Fault::OllamaBusy)).unwrap();
        choose(machine, house);
        assert_eq!((asked(machine), ready(house)), (2, 8), "the second batch");
        let state = house.embeddings.state.get_untracked();
        assert_eq!(state, EmbeddingState::Paused(Fault::OllamaBusy));
        machine.pass(20_000.0);
        assert_eq!(ready(house), 24);
    });
}

#[test]
fn a_message_is_read_behind_the_one_before_it() {
    reactive(|machine, house| {
        talk(machine, house);
        choose(machine, house);
        let texts = machine.embedder.asked.borrow()[0].clone();
        assert_eq!(texts[0], "What goes with lentils?");
        assert_eq!(texts[1], format!("What goes with lentils?\n{WINE}"));
    });
}

#[test]
fn a_draft_goes_to_an_engine_elsewhere_only_where_the_person_lets_it() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        machine.is_elsewhere.set(true);
        house.engine.refresh();
        settle();
        choose(machine, house);
        house.write(DRAFT);
        machine.pass(5000.0);
        let texts = || machine.embedder.asked.borrow().concat();
        assert!(!texts().iter().any(|text| text.contains("beverage")));
        assert_eq!(*machine.embedder.marks.borrow(), [None], "what was sent");
        assert!(!recalls(house, meant), "by words alone");
        let engine = untrack(|| house.embeddings.engine_without_drafts());
        assert_eq!(engine.as_deref(), Some("Ollama"));

        house.answer_drafts("ollama", true);
        machine.pass(2000.0);
        assert!(texts().iter().any(|text| text.contains("beverage")));
        let last = machine.embedder.marks.borrow().last().copied();
        assert_eq!(last, Some(Some(DraftMark::Allowed)));
        assert!(recalls(house, meant));
        assert_eq!(untrack(|| house.embeddings.engine_without_drafts()), None);
    });
}

/// A muted message went to the embedding model.
#[test]
fn no_vector_is_made_of_a_muted_message() {
    reactive(|machine, house| {
        let muted = talk(machine, house);
        house.steering.mute(muted, true);
        choose(machine, house);
        assert_eq!(ready(house), 7);
        let asked = machine.embedder.asked.borrow();
        assert!(!format!("{asked:?}").contains("red wine"));
    });
}

/// What goes to an embedding model is all of what was said to others, and it went a second after the choice.
#[test]
fn a_chosen_model_reads_nothing_before_the_person_starts_it() {
    reactive(|machine, house| {
        talk(machine, house);
        let first = house.chat();
        house.steering.set_recall(RecallSetting {
            all_chats: true,
            ..by_itself()
        });
        house.chats.begin_chat();
        house.exchange(machine, "Hi", "Hello");
        house.embeddings.choose(Some("near:latest".to_owned()));
        machine.pass(60_000.0);
        house.chats.open_chat(first);
        house.write(DRAFT);
        machine.pass(60_000.0);
        assert_eq!(asked(machine), 0);
        let waiting = || untrack(|| house.embeddings.waiting());
        let expected = WaitingEmbeddings {
            engine: "Ollama".to_owned(),
            messages: 10,
        };
        assert_eq!(waiting(), Some(expected));

        house.embeddings.start_reading();
        machine.pass(5000.0);
        assert_eq!((waiting(), ready(house)), (None, 8));
        // The name is given to an engine at another address.
        let asked_before = asked(machine);
        *machine.engines.borrow_mut() = vec![EngineInfo {
            address_digest: "another digest".to_owned(),
            ..house.engine.engines.get_untracked().remove(0)
        }];
        house.engine.refresh();
        settle();
        house.exchange(machine, "What is new?", "Nothing.");
        machine.pass(60_000.0);
        assert_eq!(asked(machine), asked_before);
        assert!(waiting().is_some());
    });
}

#[test]
fn a_model_that_an_earlier_version_chose_goes_on_only_where_drafts_may_go() {
    for (elsewhere, reads) in [(false, true), (true, false)] {
        reactive(|machine, house| {
            talk(machine, house);
            machine.is_elsewhere.set(elsewhere);
            house.engine.refresh();
            settle();
            house.embeddings.settings.change(|settings| {
                settings.embedding_model = Some("near:latest".to_owned());
            });
            machine.pass(5000.0);
            assert_eq!(asked(machine) > 0, reads, "elsewhere: {elsewhere}");
            assert_eq!(untrack(|| house.embeddings.waiting()).is_none(), reads);
        });
    }
}

/// Holds `Embeddings::list`: only the newest question is answered.
#[test]
fn a_list_of_models_that_comes_after_a_newer_one_is_dropped() {
    reactive(|machine, house| {
        let first = machine.slow_list();
        house.embeddings.list();
        settle();
        machine.embedder.install(machine);
        house.embeddings.list();
        settle();
        let offered = || house.embeddings.offered.get_untracked();
        assert_eq!(offered().map(|models| models.len()), Some(2));
        assert!(first.send(()).is_ok());
        settle();
        assert_eq!(offered().map(|models| models.len()), Some(2));
    });
}

fn choose_other(house: House) {
    house.embeddings.choose(Some("other:latest".to_owned()));
}

/// Holds `Embeddings::complete` and `Embeddings::read_kept`: another choice of the model ends them.
#[test]
fn a_model_that_is_chosen_while_the_former_one_reads_has_none_of_its_vectors() {
    reactive(|machine, house| {
        talk(machine, house);
        let slow = machine.embedder.slow();
        choose(machine, house);
        assert_eq!((asked(machine), ready(house)), (1, 0));
        choose_other(house);
        slow.send(Ok(())).ok();
        settle();
        assert_eq!(ready(house), 0);
        assert!(machine.embedder.kept.borrow().1.is_empty());

        choose(machine, house);
        assert_eq!(ready(house), 8);
        let read = machine.embedder.slow_read();
        let again = House::reopened(machine, Some(house.chat()));
        machine.pass(2000.0);
        assert_eq!(ready(again), 0, "they are being read");
        choose_other(again);
        read.send(()).ok();
        settle();
        assert_eq!(ready(again), 0);
    });
}

/// Holds `Embeddings::model`: another choice ends the search for the former one.
#[test]
fn a_model_that_is_chosen_while_the_former_one_is_looked_for_is_the_one_that_reads() {
    reactive(|machine, house| {
        talk(machine, house);
        let list = machine.slow_list();
        choose(machine, house);
        assert_eq!(asked(machine), 0, "the list of models is awaited");
        choose_other(house);
        house.embeddings.start_reading();
        settle();
        list.send(()).ok();
        machine.pass(2000.0);
        assert_eq!(ready(house), 8);
        assert_eq!(machine.embedder.kept.borrow().0, "b/3");
    });
}

/// Holds `Embeddings::complete`: what is deleted is looked up after each batch. Vectors were kept of what was deleted for good.
#[test]
fn no_vector_is_kept_of_what_is_deleted_for_good_while_it_is_made() {
    reactive(|machine, house| {
        talk(machine, house);
        let first = house.chat();
        house.chats.begin_chat();
        house.steering.set_recall(RecallSetting {
            all_chats: true,
            ..by_itself()
        });
        let (question, answer) = house.exchange(machine, "Hello", "Hello to you.");
        let open = house.chat();
        let [of_open, of_first] = [machine.embedder.slow(), machine.embedder.slow()];
        choose(machine, house);
        assert_eq!(asked(machine), 1);
        house.chats.delete_message(question);
        let purged = house
            .storage
            .with_log(|log| log.purge_messages(open, &[question], 1));
        assert_eq!(purged, Some(Ok(())));
        of_open.send(Ok(())).unwrap();
        settle();
        assert_eq!(asked(machine), 2, "the other chat");
        house.answers.delete_chat(first);
        house.storage.with_log(|log| log.purge(first, 1));
        of_first.send(Ok(())).unwrap();
        machine.pass(2000.0);
        let kept: Vec<(Id, Id)> = machine.embedder.kept.borrow().1.keys().copied().collect();
        assert_eq!(kept, [(open, answer)]);
    });
}
