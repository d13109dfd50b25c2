//! Tickets: what asynchronous steps write, they write with a ticket, and only the newest one is good for it.

use reactive_graph::owner::StoredValue;
use reactive_graph::signal::{ReadSignal, WriteSignal, signal};
use reactive_graph::traits::{GetValue, Set, Update, UpdateValue, WithValue};
use std::collections::BTreeMap;
use std::ops::Deref;

/// Hands out the tickets of one thing, such as the runs of a backup or the typing pauses of a field. The newest one is
/// current.
#[derive(Clone, Copy, Default)]
pub struct Tickets(StoredValue<u64>);

/// One of [`Tickets`]: current until another one is handed out, all are cancelled, or their owner is cleaned up.
#[must_use]
#[derive(Clone, Copy)]
pub struct Ticket {
    tickets: Tickets,
    number: u64,
}

impl Tickets {
    /// Hands out tickets until the current owner is cleaned up.
    #[must_use]
    pub fn new() -> Self {
        Self(StoredValue::new(0))
    }

    /// A new ticket. Those handed out before are no longer current.
    pub fn begin(self) -> Ticket {
        let next = |number: &mut u64| {
            *number += 1;
            *number
        };
        Ticket {
            tickets: self,
            number: self.0.try_update_value(next).unwrap_or_default(),
        }
    }

    /// The newest ticket, for work that is to end when another one is handed out.
    pub fn newest(self) -> Ticket {
        Ticket {
            tickets: self,
            number: self.0.try_get_value().unwrap_or_default(),
        }
    }

    /// Ends all tickets that were handed out.
    pub fn cancel(self) {
        _ = self.begin();
    }
}

impl Ticket {
    /// Whether no other ticket was handed out since, and nobody cancelled this one.
    #[must_use]
    pub fn is_current(self) -> bool {
        self.tickets.0.try_get_value() == Some(self.number)
    }
}

/// A signal that asynchronous steps write, read like a [`ReadSignal`]. After an `.await` a step writes with its ticket,
/// which a newer step, or a value that was set since, makes void: a late answer never replaces a newer one.
///
/// ```ignore
/// let ticket = self.list.begin();
/// self.edges.spawn(async move {
///     ticket.write(request.await);
/// });
/// ```
pub struct Newest<T: 'static> {
    value: ReadSignal<T>,
    writer: WriteSignal<T>,
    tickets: Tickets,
}

/// The ticket of one step that writes a [`Newest`].
#[must_use]
pub struct WriteTicket<T: 'static> {
    writer: WriteSignal<T>,
    ticket: Ticket,
}

impl<T> Clone for Newest<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Newest<T> {}

impl<T: Send + Sync + 'static> Newest<T> {
    /// A signal with a first value, under the current owner.
    #[must_use]
    pub fn new(value: T) -> Self {
        let (value, writer) = signal(value);
        Self {
            value,
            writer,
            tickets: Tickets::new(),
        }
    }

    /// Begins a step. Those begun before write no more.
    pub fn begin(self) -> WriteTicket<T> {
        WriteTicket {
            writer: self.writer,
            ticket: self.tickets.begin(),
        }
    }

    /// Writes now. Steps that are under way write no more.
    pub fn set(self, value: T) {
        self.update(|now| *now = value);
    }

    /// Changes the value now. Steps that are under way write no more.
    pub fn update(self, change: impl FnOnce(&mut T)) {
        self.tickets.cancel();
        self.writer.update(change);
    }
}

impl<T: Send + Sync + 'static> WriteTicket<T> {
    /// Whether [`Self::write`] would write.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.ticket.is_current()
    }

    /// Writes, if the ticket is current, and returns whether it is.
    pub fn write(&self, value: T) -> bool {
        let is_current = self.is_current();
        if is_current {
            self.writer.set(value);
        }
        is_current
    }
}

impl<T: Send + Sync + 'static> Deref for Newest<T> {
    type Target = ReadSignal<T>;

    fn deref(&self) -> &ReadSignal<T> {
        &self.value
    }
}

/// [`Tickets`] of things of which there are several, each by its key.
pub(crate) struct TicketsOf<K: Send + Sync + 'static>(StoredValue<BTreeMap<K, u64>>);

/// One of [`TicketsOf`].
#[must_use]
#[derive(Clone)]
pub(crate) struct TicketOf<K: Send + Sync + 'static> {
    tickets: TicketsOf<K>,
    key: K,
    number: u64,
}

impl<K: Send + Sync + 'static> Clone for TicketsOf<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Send + Sync + 'static> Copy for TicketsOf<K> {}

impl<K: Clone + Ord + Send + Sync + 'static> TicketsOf<K> {
    pub(crate) fn new() -> Self {
        Self(StoredValue::new(BTreeMap::new()))
    }

    /// A new ticket for `key`. Those handed out before for the same key are no longer current.
    pub(crate) fn begin(self, key: K) -> TicketOf<K> {
        let next = |numbers: &mut BTreeMap<K, u64>| {
            let number = numbers.entry(key.clone()).or_default();
            *number += 1;
            *number
        };
        let number = self.0.try_update_value(next).unwrap_or_default();
        TicketOf {
            tickets: self,
            key,
            number,
        }
    }

    /// Ends all tickets that were handed out for `key`.
    pub(crate) fn cancel(self, key: K) {
        _ = self.begin(key);
    }
}

impl<K: Ord + Send + Sync + 'static> TicketOf<K> {
    /// Whether no other ticket was handed out for the same key since, and nobody cancelled this one.
    pub(crate) fn is_current(&self) -> bool {
        let newest = self
            .tickets
            .0
            .try_with_value(|all| all.get(&self.key).copied());
        newest.flatten() == Some(self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reactive_graph::owner::Owner;
    use reactive_graph::traits::GetUntracked;

    #[test]
    fn only_the_newest_ticket_is_current() {
        let owner = Owner::new();
        owner.set();
        let tickets = Tickets::new();
        let first = tickets.begin();
        assert!(first.is_current() && tickets.newest().is_current());
        let second = tickets.begin();
        assert!(!first.is_current() && second.is_current());
        tickets.cancel();
        assert!(!second.is_current());
    }

    #[test]
    fn tickets_of_two_keys_do_not_end_each_other() {
        let owner = Owner::new();
        owner.set();
        let tickets = TicketsOf::new();
        let (here, there) = (tickets.begin("here"), tickets.begin("there"));
        assert!(here.is_current() && there.is_current());
        tickets.cancel("here");
        assert!(!here.is_current() && there.is_current());
    }

    #[test]
    fn a_ticket_that_outlives_its_owner_is_not_current() {
        let owner = Owner::new();
        owner.set();
        let ticket = Tickets::new().begin();
        owner.cleanup();
        assert!(!ticket.is_current());
    }

    #[test]
    fn a_late_answer_to_an_earlier_question_is_not_written() {
        let owner = Owner::new();
        owner.set();
        let list = Newest::new(0);
        let (earlier, later) = (list.begin(), list.begin());
        assert!(later.write(2) && !earlier.write(1));
        assert_eq!(list.get_untracked(), 2);
        assert!(later.write(3), "a step writes as often as it likes");
        list.set(4);
        assert!(!later.write(5), "what was set since is newer");
        assert_eq!(list.get_untracked(), 4);
    }

    #[test]
    fn what_is_written_after_the_owner_was_cleaned_up_is_dropped() {
        let owner = Owner::new();
        owner.set();
        let ticket = Newest::new(0).begin();
        owner.cleanup();
        assert!(!ticket.write(1));
    }
}
