//! Request bodies that are being received, or that wait for their turn. A body that never ends costs its client
//! nothing, so the number of bodies is limited, and so are the bytes of those that may be large. At a limit the body
//! that has been quiet longest is evicted, so that slow clients do not block others. Bodies with what was not sent, and those
//! of what is kept, have bytes of their own and are the first to be evicted: they never push out a prompt.

use sash_wire::BodyKind;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::oneshot;
use tokio::time::Instant;

/// All bodies that are being received.
#[derive(Debug)]
pub struct PendingBodies {
    max: usize,
    max_large_bytes: usize,
    max_kept_bytes: usize,
    max_unsent_bytes: usize,
    table: Mutex<(u64, HashMap<u64, BodyEntry>)>,
}

#[derive(Debug)]
struct BodyEntry {
    /// When bytes last arrived.
    active_at: Instant,
    /// The bytes that arrived.
    bytes: usize,
    share: BodyShare,
    /// Dropping it evicts the body.
    _evict: oneshot::Sender<()>,
}

/// Among which bodies the bytes of one count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BodyShare {
    /// Prompts and documents.
    Large,
    /// What a feature keeps.
    Kept,
    /// What was not sent.
    Unsent,
    /// Small ones, whose bytes do not count.
    Small,
}

/// A body that is being received; dropping it removes its entry.
#[derive(Debug)]
pub struct PendingBody {
    id: u64,
    kind: BodyKind,
    bodies: Arc<PendingBodies>,
}

impl PendingBodies {
    /// A table for at most `max` bodies, of which prompts and documents have at most `max_large_bytes` together, what is kept
    /// `max_kept_bytes`, and what was not sent `max_unsent_bytes`.
    #[must_use]
    pub fn new(
        max: usize,
        max_large_bytes: usize,
        max_kept_bytes: usize,
        max_unsent_bytes: usize,
    ) -> Arc<Self> {
        Arc::new(Self {
            max,
            max_large_bytes,
            max_kept_bytes,
            max_unsent_bytes,
            table: Mutex::default(),
        })
    }

    /// Adds a body; at the limit the one quiet longest is evicted. The receiver ends when this one is evicted.
    #[must_use]
    pub fn begin(
        self: &Arc<Self>,
        kind: BodyKind,
        is_unsent: bool,
    ) -> (PendingBody, oneshot::Receiver<()>) {
        let mut guard = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, table) = &mut *guard;
        let mut first = [BodyShare::Unsent, BodyShare::Kept].into_iter();
        if table.len() >= self.max
            && !first.any(|share| evict(table, |_, entry| entry.share == share))
        {
            evict(table, |_, _| true);
        }
        *last += 1;
        let id = *last;
        let (evict_switch, evicted) = oneshot::channel();
        table.insert(
            id,
            BodyEntry {
                active_at: Instant::now(),
                bytes: 0,
                share: match kind {
                    _ if is_unsent => BodyShare::Unsent,
                    BodyKind::Other => BodyShare::Small,
                    BodyKind::Kept => BodyShare::Kept,
                    BodyKind::Prompt | BodyKind::Document => BodyShare::Large,
                },
                _evict: evict_switch,
            },
        );
        let bodies = Arc::clone(self);
        (PendingBody { id, kind, bodies }, evicted)
    }
}

/// Evicts the least recently active body among these; false when there is none.
fn evict(table: &mut HashMap<u64, BodyEntry>, among: impl Fn(u64, &BodyEntry) -> bool) -> bool {
    let found = table.iter().filter(|(id, entry)| among(**id, entry));
    let longest = found
        .min_by_key(|(_, entry)| entry.active_at)
        .map(|(id, _)| *id);
    longest.is_some_and(|id| table.remove(&id).is_some())
}

/// The bytes of the bodies of a share.
fn bytes_of(table: &HashMap<u64, BodyEntry>, share: BodyShare) -> usize {
    let all = table.values().filter(|entry| entry.share == share);
    all.map(|entry| entry.bytes).sum()
}

impl PendingBody {
    /// What the body is.
    #[must_use]
    pub fn kind(&self) -> BodyKind {
        self.kind
    }

    /// Records that bytes arrived, and evicts others if there are too many bytes now.
    pub fn received(&self, bytes: usize) {
        let table = &self.bodies.table;
        let mut guard = table.lock().unwrap_or_else(PoisonError::into_inner);
        let table = &mut guard.1;
        let Some(entry) = table.get_mut(&self.id) else {
            return;
        };
        entry.active_at = Instant::now();
        entry.bytes += bytes;
        let share = entry.share;
        let most = match share {
            BodyShare::Large => self.bodies.max_large_bytes,
            BodyShare::Kept => self.bodies.max_kept_bytes,
            BodyShare::Unsent => self.bodies.max_unsent_bytes,
            BodyShare::Small => return,
        };
        while bytes_of(table, share) > most
            && evict(table, |id, entry| id != self.id && entry.share == share)
        {}
    }
}

impl Drop for PendingBody {
    fn drop(&mut self) {
        let table = &self.bodies.table;
        let mut guard = table.lock().unwrap_or_else(PoisonError::into_inner);
        guard.1.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tokio::time::advance;

    fn is_evicted(receiver: &mut oneshot::Receiver<()>) -> bool {
        receiver.try_recv() == Err(oneshot::error::TryRecvError::Closed)
    }

    #[tokio::test(start_paused = true)]
    async fn the_one_quiet_longest_is_given_up() {
        let all = PendingBodies::new(2, 100, 100, 100);
        let (first, mut first_over) = all.begin(BodyKind::Other, false);
        advance(Duration::from_secs(1)).await;
        let (_second, mut second_over) = all.begin(BodyKind::Other, false);
        advance(Duration::from_secs(1)).await;
        first.received(1);
        let (_third, mut third_over) = all.begin(BodyKind::Other, false);
        assert!(is_evicted(&mut second_over));
        assert!(!is_evicted(&mut first_over) && !is_evicted(&mut third_over));
    }

    #[tokio::test]
    async fn one_that_has_come_makes_room() {
        let all = PendingBodies::new(1, 100, 100, 100);
        drop(all.begin(BodyKind::Other, false));
        let (_one, mut over) = all.begin(BodyKind::Other, false);
        assert!(!is_evicted(&mut over));
    }

    #[tokio::test(start_paused = true)]
    async fn large_bodies_have_so_many_bytes_together_and_small_ones_do_not_count() {
        let all = PendingBodies::new(9, 100, 100, 100);
        let (small, mut small_over) = all.begin(BodyKind::Other, false);
        small.received(1_000);
        let (slow, mut slow_over) = all.begin(BodyKind::Prompt, false);
        slow.received(40);
        advance(Duration::from_millis(1)).await;
        let (quick, mut quick_over) = all.begin(BodyKind::Prompt, false);
        quick.received(60);
        assert!(!is_evicted(&mut slow_over), "both have room");
        advance(Duration::from_millis(1)).await;
        quick.received(1);
        assert!(is_evicted(&mut slow_over));
        // Nobody else is there to be evicted: the limit of one body is another one.
        quick.received(1_000);
        assert!(!is_evicted(&mut quick_over) && !is_evicted(&mut small_over));
    }

    /// Drafts that were counted pushed out prompts.
    #[tokio::test(start_paused = true)]
    async fn what_was_not_sent_pushes_out_no_prompt_and_goes_first() {
        let all = PendingBodies::new(3, 100, 100, 50);
        let (prompt, mut prompt_over) = all.begin(BodyKind::Prompt, false);
        prompt.received(100);
        advance(Duration::from_millis(1)).await;
        let (count, mut count_over) = all.begin(BodyKind::Prompt, true);
        count.received(50);
        advance(Duration::from_millis(1)).await;
        let (embed, mut embed_over) = all.begin(BodyKind::Other, true);
        embed.received(1);
        assert!(is_evicted(&mut count_over), "theirs are 50 together");
        assert!(!is_evicted(&mut prompt_over) && !is_evicted(&mut embed_over));
        advance(Duration::from_millis(1)).await;
        let (_small, mut small_over) = all.begin(BodyKind::Other, false);
        let (_last, _) = all.begin(BodyKind::Other, false);
        assert!(is_evicted(&mut embed_over), "there is no room for a fourth");
        assert!(!is_evicted(&mut prompt_over) && !is_evicted(&mut small_over));
    }

    /// Chats for the backup were counted among the prompts, and pushed waiting ones out.
    #[tokio::test(start_paused = true)]
    async fn what_is_kept_pushes_out_no_prompt_and_goes_before_one() {
        let all = PendingBodies::new(3, 100, 50, 50);
        let (prompt, mut prompt_over) = all.begin(BodyKind::Prompt, false);
        prompt.received(100);
        advance(Duration::from_millis(1)).await;
        let (first, mut first_over) = all.begin(BodyKind::Kept, false);
        first.received(50);
        advance(Duration::from_millis(1)).await;
        let (second, mut second_over) = all.begin(BodyKind::Kept, false);
        second.received(1);
        assert!(is_evicted(&mut first_over), "theirs are 50 together");
        assert!(!is_evicted(&mut prompt_over) && !is_evicted(&mut second_over));
        let (_third, _) = all.begin(BodyKind::Other, false);
        let (_fourth, _) = all.begin(BodyKind::Other, false);
        assert!(
            is_evicted(&mut second_over),
            "there is no room for a fourth"
        );
        assert!(!is_evicted(&mut prompt_over));
    }
}
