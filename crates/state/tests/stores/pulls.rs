//! Pulling a model.

use crate::house::{House, reactive};
use crate::machine::settle;
use reactive_graph::prelude::*;
use sash_state::PullState;
use sash_wire::{Fault, LayerProgress, ModelInfo, PullFrame};

fn layer(digest: &str, completed: u64) -> Result<PullFrame, Fault> {
    let digest = digest.to_owned();
    Ok(PullFrame::Layer(LayerProgress {
        digest,
        total: 100,
        completed,
    }))
}

fn pull(house: House) -> Option<PullState> {
    house.pulls.current.get_untracked()
}

#[test]
fn progress_is_that_of_all_layers() {
    reactive(|machine, house| {
        let frames = machine.stream_pull();
        house.pulls.start("small".to_owned());
        settle();
        assert_eq!(pull(house).map(|pull| pull.whole()), Some((0, 0)));
        for frame in [layer("a", 20), layer("b", 0), layer("a", 100)] {
            frames.unbounded_send(frame).ok();
            settle();
        }
        assert_eq!(pull(house).map(|pull| pull.whole()), Some((100, 200)));
        let text = "verifying".to_owned();
        frames.unbounded_send(Ok(PullFrame::Status { text })).ok();
        settle();
        assert_eq!(pull(house).map(|p| p.status).as_deref(), Some("verifying"));
    });
}

#[test]
fn a_model_that_was_pulled_is_chosen_by_its_whole_name() {
    reactive(|machine, house| {
        let frames = machine.stream_pull();
        house.pulls.asked.set(true);
        house.pulls.start("small".to_owned());
        machine.more_models.borrow_mut().push(ModelInfo {
            name: "small:latest".to_owned(),
            ..ModelInfo::default()
        });
        frames.unbounded_send(Ok(PullFrame::Done)).ok();
        settle();
        assert!(pull(house).is_none());
        assert!(!house.pulls.asked.get_untracked());
        assert_eq!(house.notices.status.get_untracked(), "small is ready");
        assert_eq!(
            house.steering.model.get_untracked().as_deref(),
            Some("small:latest")
        );
    });
}

#[test]
fn stopping_a_pull_ends_the_request() {
    reactive(|machine, house| {
        let frames = machine.stream_pull();
        house.pulls.start("small".to_owned());
        settle();
        assert!(!frames.is_closed());
        house.pulls.stop();
        settle();
        assert!(frames.is_closed());
        assert!(pull(house).is_none());
        assert_eq!(house.notices.status.get_untracked(), "Pull stopped");
    });
}

#[test]
fn a_pull_that_fails_says_why_and_keeps_how_far_it_came_until_the_next_one() {
    reactive(|machine, house| {
        let frames = machine.stream_pull();
        house.pulls.start("small".to_owned());
        frames.unbounded_send(layer("a", 20)).ok();
        let error = Fault::OllamaLost;
        frames.unbounded_send(Ok(PullFrame::Error { error })).ok();
        settle();
        let ended = pull(house).map(|pull| (pull.whole(), pull.fault));
        assert_eq!(ended, Some(((20, 100), Some(Fault::OllamaLost))));
        let said = house.notices.alert.get_untracked();
        assert_eq!(said, Fault::OllamaLost.to_string());
        let _frames = machine.stream_pull();
        house.pulls.start("small".to_owned());
        settle();
        assert_eq!(pull(house).map(|pull| pull.fault), Some(None));
    });
}

#[test]
fn a_pull_that_ends_without_saying_so_was_lost() {
    reactive(|machine, house| {
        let frames = machine.stream_pull();
        house.pulls.start("small".to_owned());
        frames.unbounded_send(layer("a", 100)).ok();
        drop(frames);
        settle();
        let fault = pull(house).and_then(|pull| pull.fault);
        assert_eq!(fault, Some(Fault::ConnectionLost));
    });
}
