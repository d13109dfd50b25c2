//! The table of answers, without engines and connections.

use super::entry::{Found, Joined};
use super::limits::LingerLimits;
use super::table::{AnswerTable, Awaited};
use proptest::prelude::*;
use sash_chat::AnswerId;
use sash_wire::Fault;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;
use tokio::time::{Instant, advance};

const LINE: &[u8] = b"{\"type\":\"text\",\"text\":\"word\"}\n";

fn client(number: u8) -> IpAddr {
    Ipv4Addr::new(10, 0, 0, number).into()
}

fn table(bytes: usize, bytes_each: usize) -> AnswerTable {
    AnswerTable::new(LingerLimits {
        bytes,
        bytes_each,
        running_bytes: 0,
        ..LingerLimits::default()
    })
}

fn begin(table: &mut AnswerTable, id: u128) -> Joined {
    table
        .begin(AnswerId(id), client(1), Instant::now())
        .unwrap()
}

fn push(table: &mut AnswerTable, id: u128, joined: &Joined, times: usize) {
    for _ in 0..times {
        table.push(AnswerId(id), joined.answer, LINE, Instant::now());
    }
}

/// An answer that ended and that nobody reads.
fn abandoned(table: &mut AnswerTable, id: u128, client: IpAddr, frames: usize) {
    let now = Instant::now();
    let joined = table.begin(AnswerId(id), client, now).unwrap();
    push(table, id, &joined, frames);
    table.leave(AnswerId(id), joined.reader, now);
    table.end(AnswerId(id), joined.answer, now);
}

#[tokio::test(start_paused = true)]
async fn the_memory_of_answers_without_number_is_flat() {
    let mut table = table(4 << 20, 4 << 20);
    let mut most = [0, 0];
    for id in 0..10_000 {
        abandoned(&mut table, id, client(1), (id % 40) as usize);
        let half = usize::from(id >= 5000);
        most[half] = table.bytes().max(most[half]);
        assert!(table.bytes() <= 4 << 20);
    }
    assert!(most[1] <= most[0] * 101 / 100, "{most:?}");
    let left = (0..10_000).filter(|id| table.kept(AnswerId(*id)).is_some());
    let left: Vec<_> = left.collect();
    assert_eq!(*left, Vec::from_iter(10_000 - left.len() as u128..10_000));
    assert!(left.len() > 1000, "{}", left.len());
}

/// It was counted with 2 kB and took 30.
#[tokio::test(start_paused = true)]
async fn a_running_answer_is_counted_with_what_its_connection_takes_until_it_ends() {
    let mut table = AnswerTable::new(LingerLimits {
        bytes: 100_000,
        running_bytes: 30_000,
        ..LingerLimits::default()
    });
    let running: Vec<_> = (0..4).map(|id| begin(&mut table, id)).collect();
    let kept: Vec<_> = running.iter().map(|joined| joined.is_kept).collect();
    assert_eq!(kept, [true, true, true, false]);
    table.check();
    for (id, joined) in running.iter().enumerate() {
        table.end(AnswerId(id as u128), joined.answer, Instant::now());
        table.check();
    }
    assert!(table.bytes() < 10_000, "{}", table.bytes());
    assert!(begin(&mut table, 9).is_kept);
}

#[tokio::test(start_paused = true)]
async fn clients_share_the_memory_and_none_takes_that_of_another() {
    let mut table = table(64 << 10, 16 << 10);
    for id in 0..3 {
        abandoned(&mut table, id, client(1), 10);
    }
    for id in 100..1000 {
        abandoned(&mut table, id, client(2), 10);
    }
    assert!((0..3).all(|id| table.kept(AnswerId(id)).is_some()));
    let left = (100..1000).filter(|id| table.kept(AnswerId(*id)).is_some());
    assert!((5..20).contains(&left.count()));
    for number in 3..20 {
        for id in 0..20 {
            let id = u128::from(number) * 1000 + id;
            abandoned(&mut table, id, client(number), 10);
            assert!(table.bytes() <= 64 << 10);
        }
    }
    assert!((0..3).all(|id| table.kept(AnswerId(id)).is_none()));
}

#[tokio::test(start_paused = true)]
async fn a_running_answer_never_goes_and_what_does_not_fit_is_not_kept() {
    let mut table = table(12 << 10, 12 << 10);
    let first = begin(&mut table, 1);
    push(&mut table, 1, &first, 200);
    assert!(first.is_kept && table.kept(AnswerId(1)).is_some());
    let second = begin(&mut table, 2);
    assert!(second.is_kept);
    // There is no more room: it goes on, but only for its reader.
    push(&mut table, 2, &second, 200);
    assert_eq!(table.kept(AnswerId(2)), None);
    let mut frames = 0;
    while let Found::Lines(lines) = table.read(AnswerId(2), second.reader, Instant::now()) {
        frames += lines.len() / LINE.len();
    }
    assert_eq!(frames, 200);
    let third = begin(&mut table, 3);
    assert!(!third.is_kept);
    for (id, joined) in [(2, &second), (3, &third)] {
        let id = AnswerId(id);
        assert_eq!(
            table.join(id, 0, Instant::now()).unwrap_err(),
            Fault::UnknownAnswer
        );
        table.leave(id, joined.reader, Instant::now());
        let interrupted = table.interrupted(id, joined.answer, Instant::now());
        assert_eq!(interrupted, Awaited::Break(None));
    }
    assert!(table.kept(AnswerId(1)).is_some());
}

#[tokio::test(start_paused = true)]
async fn only_what_is_not_kept_waits_for_its_reader() {
    let mut table = table(1 << 20, 1 << 20);
    let kept = begin(&mut table, 1);
    push(&mut table, 1, &kept, 20_000);
    let now = Instant::now();
    let has_room = table.has_room(AnswerId(1), kept.answer, now);
    assert!(has_room.is_break());
    let other = begin(&mut table, 2);
    push(&mut table, 2, &other, 40_000);
    assert_eq!(table.kept(AnswerId(2)), None);
    let has_room =
        |table: &mut AnswerTable| table.has_room(AnswerId(2), other.answer, now).is_break();
    assert!(!has_room(&mut table));
    let held = table.bytes();
    while !has_room(&mut table) {
        let found = table.read(AnswerId(2), other.reader, now);
        assert!(matches!(found, Found::Lines(_)));
    }
    assert!(table.bytes() < held, "what was read is let go");
    let interrupted = table.interrupted(AnswerId(2), other.answer, now);
    assert_eq!(interrupted, Awaited::Continue(None));
}

#[tokio::test(start_paused = true)]
async fn an_answer_lingers_from_when_the_last_reader_left() {
    let linger = LingerLimits::default().linger;
    let mut table = table(1 << 20, 1 << 20);
    let (id, joined) = (AnswerId(1), begin(&mut table, 1));
    let second = table.join(id, 0, Instant::now()).unwrap();
    let interrupted =
        |table: &mut AnswerTable| table.interrupted(AnswerId(1), joined.answer, Instant::now());
    advance(linger * 2).await;
    table.leave(id, joined.reader, Instant::now());
    assert_eq!(interrupted(&mut table), Awaited::Continue(None));
    table.leave(id, second.reader, Instant::now());
    let until = Instant::now() + linger;
    assert_eq!(interrupted(&mut table), Awaited::Continue(Some(until)));
    advance(linger - Duration::from_millis(1)).await;
    let third = table.join(id, 0, Instant::now()).unwrap();
    assert_eq!(interrupted(&mut table), Awaited::Continue(None));
    table.leave(id, third.reader, Instant::now());
    // A second time from the same reader changes nothing.
    advance(linger).await;
    table.leave(id, third.reader, Instant::now());
    let unread = Awaited::Break(Some(Fault::StoppedUnread));
    assert_eq!(interrupted(&mut table), unread);
}

#[tokio::test(start_paused = true)]
async fn of_those_that_nobody_reads_the_one_left_longest_gives_way_first() {
    let mut table = table(1 << 20, 1 << 20);
    assert_eq!(table.next_to_give_way(), None);
    let joined: Vec<_> = (0..3).map(|id| begin(&mut table, id)).collect();
    for id in [1, 0] {
        advance(Duration::from_secs(1)).await;
        let reader = joined[id].reader;
        table.leave(AnswerId(id as u128), reader, Instant::now());
    }
    let due = Instant::now() + LingerLimits::default().unread_time;
    let second = Duration::from_secs(1);
    assert_eq!(table.next_to_give_way(), Some((AnswerId(1), due - second)));
    table.give_way(AnswerId(1));
    assert_eq!(table.next_to_give_way(), Some((AnswerId(0), due)));
    let interrupted = table.interrupted(AnswerId(1), joined[1].answer, Instant::now());
    assert_eq!(interrupted, Awaited::Break(Some(Fault::StoppedUnread)));
    table.end(AnswerId(0), joined[0].answer, Instant::now());
    assert_eq!(table.next_to_give_way(), None);
    // A page that returns before the task has ended the answer keeps it.
    table.join(AnswerId(1), 0, Instant::now()).unwrap();
    let interrupted = table.interrupted(AnswerId(1), joined[1].answer, Instant::now());
    assert_eq!(interrupted, Awaited::Continue(None));
}

#[tokio::test(start_paused = true)]
async fn whoever_had_to_do_with_a_former_answer_does_not_reach_a_new_one_of_its_id() {
    let mut table = table(1 << 20, 1 << 20);
    let (id, former) = (AnswerId(1), begin(&mut table, 1));
    table.leave(id, former.reader, Instant::now());
    table.end(id, former.answer, Instant::now());
    let reader = table.join(id, 0, Instant::now()).unwrap().reader;
    table.leave(id, reader, Instant::now());
    advance(LingerLimits::default().ended_time).await;
    let now = Instant::now();
    assert_eq!(table.expire(id, former.answer, now), Awaited::Break(()));
    let new = begin(&mut table, 1);
    push(&mut table, 1, &new, 3);
    table.push(id, former.answer, LINE, now);
    table.end(id, former.answer, now);
    table.leave(id, reader, now);
    _ = table.expire(id, former.answer, now);
    let gone = Found::Gone(Fault::UnknownAnswer);
    assert_eq!(table.read(id, reader, now), gone);
    let kept = table.kept(id).unwrap();
    assert_eq!((kept.running, kept.frames), (true, 3));
    let interrupted = table.interrupted(id, new.answer, now);
    assert_eq!(interrupted, Awaited::Continue(None));
    table.stop(id, client(2), now);
    let stopped = Found::Gone(Fault::AnswerStopped);
    assert_eq!(table.read(id, new.reader, now), stopped);
    assert_eq!(table.bytes(), 0);
}

/// What may happen to answers, in any order.
#[derive(Clone, Copy, Debug)]
enum Step {
    Begin(u128, u8),
    Push(u128, usize),
    Join(u128, usize),
    Read(usize, usize),
    Leave(usize),
    End(u128),
    Expire(u128),
    Stop(u128),
    GiveWay,
    Pass(u64),
}

fn step() -> impl Strategy<Value = Step> {
    let id = || 0..6_u128;
    prop_oneof![
        4 => (id(), 1..4_u8).prop_map(|(id, client)| Step::Begin(id, client)),
        8 => (id(), 1..60_usize).prop_map(|(id, lines)| Step::Push(id, lines)),
        4 => (id(), 0..100_usize).prop_map(|(id, after)| Step::Join(id, after)),
        8 => (0..8_usize, 1..4_usize).prop_map(|(reader, times)| Step::Read(reader, times)),
        3 => (0..8_usize).prop_map(Step::Leave),
        3 => id().prop_map(Step::End),
        1 => id().prop_map(Step::Expire),
        1 => id().prop_map(Step::Stop),
        1 => Just(Step::GiveWay),
        1 => (0..200_u64).prop_map(Step::Pass),
    ]
}

/// A reader, and what it is to get: the lines behind its position, as long as it gets any.
struct ModelReader {
    id: u128,
    joined: Joined,
    next: usize,
}

proptest! {
    #[test]
    fn in_any_order_readers_get_each_line_once_and_nothing_stays_behind(
        steps in prop::collection::vec(step(), 1..150)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(play(steps));
    }
}

async fn play(steps: Vec<Step>) {
    let mut table = table(24 << 10, 12 << 10);
    let mut written: HashMap<u128, (Joined, usize)> = HashMap::new();
    let mut readers: Vec<ModelReader> = Vec::new();
    for step in steps {
        let now = Instant::now();
        match step {
            Step::Begin(id, number) => {
                if let Ok(joined) = table.begin(AnswerId(id), client(number), now) {
                    let changed = joined.changed.clone();
                    let first = Joined { changed, ..joined };
                    readers.push(ModelReader {
                        id,
                        joined: first,
                        next: 0,
                    });
                    written.insert(id, (joined, 0));
                }
            }
            Step::Push(id, lines) => {
                if let Some((joined, count)) = written.get_mut(&id) {
                    // What has ended takes no more.
                    let interrupted = table.interrupted(AnswerId(id), joined.answer, now);
                    if interrupted == Awaited::Break(None) {
                        continue;
                    }
                    let numbered = (*count..*count + lines).map(|number| format!("{number}\n"));
                    let numbered: String = numbered.collect();
                    table.push(AnswerId(id), joined.answer, numbered.as_bytes(), now);
                    *count += lines;
                }
            }
            Step::Join(id, after) => {
                if let Ok(joined) = table.join(AnswerId(id), after, now) {
                    readers.push(ModelReader {
                        id,
                        joined,
                        next: after,
                    });
                }
            }
            Step::Read(at, times) => {
                let Some(reader) = readers.get_mut(at) else {
                    continue;
                };
                for _ in 0..times {
                    let id = AnswerId(reader.id);
                    let Found::Lines(lines) = table.read(id, reader.joined.reader, now) else {
                        break;
                    };
                    for line in String::from_utf8(lines).unwrap().lines() {
                        // The last line of an answer that reached the limit is no number.
                        if let Ok(number) = line.parse::<usize>() {
                            assert_eq!(number, reader.next);
                        }
                        reader.next += 1;
                    }
                }
            }
            Step::Leave(at) if at < readers.len() => {
                let reader = readers.swap_remove(at);
                table.leave(AnswerId(reader.id), reader.joined.reader, now);
            }
            Step::Leave(_) => {}
            Step::End(id) => {
                if let Some((joined, _)) = written.get(&id) {
                    table.end(AnswerId(id), joined.answer, now);
                }
            }
            Step::Expire(id) => {
                if let Some((joined, _)) = written.get(&id) {
                    _ = table.expire(AnswerId(id), joined.answer, now);
                }
            }
            Step::Stop(id) => table.stop(AnswerId(id), client(9), now),
            Step::GiveWay => {
                if let Some((id, _)) = table.next_to_give_way() {
                    table.give_way(id);
                }
            }
            Step::Pass(seconds) => advance(Duration::from_secs(seconds)).await,
        }
        table.check();
    }
    let now = Instant::now();
    for reader in readers {
        table.leave(AnswerId(reader.id), reader.joined.reader, now);
    }
    let later = now + LingerLimits::default().ended_time;
    for (id, (joined, _)) in written {
        table.end(AnswerId(id), joined.answer, now);
        let expired = table.expire(AnswerId(id), joined.answer, later);
        assert_eq!(expired, Awaited::Break(()));
    }
    table.check();
    assert_eq!(table.bytes(), 0);
}
