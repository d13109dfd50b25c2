//! Limits the requests of each client behind a trusted proxy, which hides the clients' connections.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// The running requests of each client behind a trusted proxy.
#[derive(Debug)]
pub struct Clients {
    max_per_client: usize,
    table: Mutex<HashMap<IpAddr, usize>>,
}

/// A running request; dropping it frees the slot.
#[derive(Debug)]
pub struct ClientSlot {
    client: IpAddr,
    clients: Arc<Clients>,
}

impl Clients {
    /// A table with `max_per_client` slots for each client.
    #[must_use]
    pub fn new(max_per_client: usize) -> Arc<Self> {
        Arc::new(Self {
            max_per_client,
            table: Mutex::default(),
        })
    }

    /// Takes a slot; `None` at the limit.
    #[must_use]
    pub fn enter(self: &Arc<Self>, client: IpAddr) -> Option<ClientSlot> {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let count = table.entry(client).or_default();
        if *count >= self.max_per_client {
            return None;
        }
        *count += 1;
        let clients = Arc::clone(self);
        Some(ClientSlot { client, clients })
    }
}

impl Drop for ClientSlot {
    fn drop(&mut self) {
        let table = &self.clients.table;
        let mut table = table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = table.get_mut(&self.client) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                table.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1));
    const B: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 2));

    #[test]
    fn a_client_behind_a_proxy_has_its_own_limit() {
        let clients = Clients::new(2);
        let (first, second) = (clients.enter(A), clients.enter(A));
        assert!(first.is_some() && second.is_some());
        assert!(clients.enter(A).is_none());
        assert!(clients.enter(B).is_some());
        drop(first);
        let third = clients.enter(A);
        assert!(third.is_some() && clients.enter(A).is_none());
        drop((second, third));
        assert!(
            clients.table.lock().unwrap().is_empty(),
            "nobody is remembered"
        );
    }
}
