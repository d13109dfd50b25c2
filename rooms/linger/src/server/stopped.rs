//! The answers that were stopped of late: a stop may arrive before the request that it is for.

use sash_chat::AnswerId;
use std::collections::VecDeque;
use std::net::IpAddr;
use std::time::Duration;
use tokio::time::Instant;

/// How long a stop counts: as long as a request may be on its way.
const STOP_TIME: Duration = Duration::from_secs(120);
/// The most stops of one client; the oldest is forgotten first.
const MAX_STOPS_EACH: usize = 256;
/// The most stops of all clients.
const MAX_STOPS: usize = 4096;

/// Stopped answers, the oldest first.
#[derive(Debug, Default)]
pub struct StoppedAnswers(VecDeque<Stop>);

#[derive(Debug)]
struct Stop {
    id: AnswerId,
    client: IpAddr,
    at: Instant,
}

impl StoppedAnswers {
    /// Records a stop.
    pub fn insert(&mut self, id: AnswerId, client: IpAddr, now: Instant) {
        self.0
            .retain(|stop| stop.id != id && now - stop.at < STOP_TIME);
        let of_client = self.0.iter().filter(|stop| stop.client == client);
        if of_client.count() >= MAX_STOPS_EACH
            && let Some(oldest) = self.0.iter().position(|stop| stop.client == client)
        {
            self.0.remove(oldest);
        } else if self.0.len() >= MAX_STOPS {
            self.0.pop_front();
        }
        self.0.push_back(Stop {
            id,
            client,
            at: now,
        });
    }

    /// Whether an answer was stopped of late.
    pub fn contains(&self, id: AnswerId, now: Instant) -> bool {
        let mut stops = self.0.iter();
        stops.any(|stop| stop.id == id && now - stop.at < STOP_TIME)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn client(number: u8) -> IpAddr {
        Ipv4Addr::new(10, 0, 0, number).into()
    }

    #[tokio::test(start_paused = true)]
    async fn a_stop_counts_for_as_long_as_a_request_may_be_on_its_way() {
        let (mut stopped, id) = (StoppedAnswers::default(), AnswerId(1));
        stopped.insert(id, client(1), Instant::now());
        tokio::time::advance(STOP_TIME / 2).await;
        assert!(stopped.contains(id, Instant::now()));
        assert!(!stopped.contains(AnswerId(2), Instant::now()));
        tokio::time::advance(STOP_TIME).await;
        assert!(!stopped.contains(id, Instant::now()));
        stopped.insert(AnswerId(2), client(1), Instant::now());
        assert_eq!(stopped.0.len(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn stops_without_number_are_bounded_and_push_out_no_other_clients() {
        let (mut stopped, now) = (StoppedAnswers::default(), Instant::now());
        stopped.insert(AnswerId(0), client(1), now);
        for number in 1..20_000 {
            stopped.insert(AnswerId(number), client(2), now);
        }
        assert_eq!(stopped.0.len(), 1 + MAX_STOPS_EACH);
        assert!(stopped.contains(AnswerId(0), now));
        assert!(stopped.contains(AnswerId(19_999), now));
        for number in 20_000..40_000 {
            let client = client((number % 100) as u8);
            stopped.insert(AnswerId(number), client, now);
        }
        assert_eq!(stopped.0.len(), MAX_STOPS);
    }
}
