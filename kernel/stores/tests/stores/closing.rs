//! A page that is closed leaves nothing behind.

use any_spawner::Executor;
use futures::future::pending;
use reactive_graph::owner::{Owner, StoredValue};
use sash_harness::{House, Machine, settle, text};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

/// More values than the pages of the tests beside this one have at a time, and fewer than a hundred pages have.
const OTHERS: usize = 30_000;

/// The place that the next value of the arena gets: the lowest one that is free.
fn free_place() -> usize {
    let owner = Owner::new();
    let value = owner.with(|| format!("{:?}", StoredValue::new(())));
    owner.cleanup();
    let (_, place) = value.split_once("NodeId(").expect("a place in the arena");
    let digits = place.split(|c: char| !c.is_ascii_digit()).next();
    digits
        .and_then(|digits| digits.parse().ok())
        .expect("a number")
}

/// Tasks and timers went on once, and kept what they held; a store that was asked by one then is gone.
#[test]
fn a_page_that_is_closed_keeps_nothing_and_does_nothing() {
    Executor::init_futures_executor().ok();
    let (held, ran, place) = (Rc::new(()), Rc::new(Cell::new(0)), free_place());
    for _ in 0..100 {
        let (owner, machine) = (Owner::new(), Machine::default());
        owner.with(|| {
            let house = House::new(&machine);
            machine.hold_open(vec![text("Half")]);
            assert!(house.answers.ask("Hi".to_owned()));
            house.write("And then?");
            let edges = machine.edges();
            let (task, timer, ran) = (Rc::clone(&held), Rc::clone(&held), Rc::clone(&ran));
            edges.spawn(async move {
                pending::<()>().await;
                drop(task);
            });
            edges.after(Duration::from_secs(1), move || {
                ran.set(ran.get() + 1);
                drop(timer);
            });
        });
        owner.cleanup();
        settle();
        machine.pass(60_000.0);
        assert_eq!(Rc::strong_count(&machine.requests), 1, "nobody has it");
    }
    assert_eq!((Rc::strong_count(&held), ran.get()), (1, 0));
    let left = free_place().saturating_sub(place);
    assert!(left < OTHERS, "{left} values are left");
}
