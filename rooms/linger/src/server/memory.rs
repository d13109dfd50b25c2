//! Memory of the answers, for all and for each client, and the order in which they go where there is no room.

use super::entry::Serial;
use super::limits::LingerLimits;
use sash_chat::AnswerId;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;

/// The bytes of all answers, and those that can go: the kept ones that ended.
#[derive(Debug)]
pub struct MemoryUse {
    limits: LingerLimits,
    bytes: usize,
    clients: HashMap<IpAddr, ClientUse>,
    /// The oldest first.
    ended: BTreeMap<Serial, AnswerId>,
}

#[derive(Debug, Default)]
struct ClientUse {
    bytes: usize,
    ended: BTreeSet<Serial>,
}

/// Whether something fits.
#[derive(Debug, PartialEq, Eq)]
pub enum Room {
    /// It fits.
    Enough,
    /// It may fit when this answer has gone.
    Without(AnswerId),
    /// It does not fit, and nothing can go.
    Full,
}

impl MemoryUse {
    /// No answers.
    pub fn new(limits: LingerLimits) -> Self {
        Self {
            limits,
            bytes: 0,
            clients: HashMap::new(),
            ended: BTreeMap::new(),
        }
    }

    /// The bytes of all answers.
    #[cfg(test)]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether so many more bytes of a client fit.
    pub fn room(&self, client: IpAddr, bytes: usize) -> Room {
        let of_client = self.clients.get(&client);
        let is_over = of_client.map_or(0, |c| c.bytes) + bytes > self.limits.bytes_each;
        let oldest = match is_over {
            true => of_client.and_then(|client| client.ended.first()),
            false if self.bytes + bytes <= self.limits.bytes => return Room::Enough,
            false => self.ended.keys().next(),
        };
        let oldest = oldest.and_then(|oldest| self.ended.get(oldest));
        oldest.map_or(Room::Full, |id| Room::Without(*id))
    }

    /// Records that an answer of a client takes `after` bytes, and took `before`.
    pub fn change(&mut self, client: IpAddr, before: usize, after: usize) {
        self.bytes = self.bytes - before + after;
        let of_client = self.clients.entry(client).or_default();
        of_client.bytes = of_client.bytes - before + after;
        if of_client.bytes == 0 {
            self.clients.remove(&client);
        }
    }

    /// Records that a kept answer has ended, so that it can go.
    pub fn insert_ended(&mut self, client: IpAddr, place: Serial, id: AnswerId) {
        self.ended.insert(place, id);
        let of_client = self.clients.entry(client).or_default();
        of_client.ended.insert(place);
    }

    /// Records that an answer that ended has gone.
    pub fn remove_ended(&mut self, client: IpAddr, place: Serial) {
        self.ended.remove(&place);
        if let Some(of_client) = self.clients.get_mut(&client) {
            of_client.ended.remove(&place);
        }
    }

    /// How many answers can go.
    #[cfg(test)]
    pub fn ended(&self) -> usize {
        let of_clients = self.clients.values().map(|client| client.ended.len());
        assert_eq!(of_clients.sum::<usize>(), self.ended.len());
        self.ended.len()
    }
}
