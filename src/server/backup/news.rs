//! Tells the browsers that follow the folder what was written.

use sash_calls::{BackupNews, BackupNewsRequest};
use sash_chat::Id;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// How long a request waits for news.
const WAIT: Duration = Duration::from_secs(25);
/// How many writes are remembered. A page that knows fewer lists the folder.
const MAX_REMEMBERED: usize = 1000;

/// The last writes, and who waits for the next one.
pub struct News {
    state: Mutex<State>,
    /// The number of the last write; `None` once the server stops.
    last: watch::Sender<Option<u64>>,
}

struct State {
    writes: VecDeque<(u64, Id, String)>,
    /// All writes after this one are remembered.
    from: u64,
    /// The pages that wait, by their browser, with the number of their requests.
    pages: BTreeMap<Id, (Id, usize)>,
}

/// Counts a page among those that wait.
struct Waiting<'a> {
    news: &'a News,
    writer: Id,
}

impl News {
    /// No news. Writes are numbered from `at` on; another start of the server must have a higher one.
    pub fn new(at: u64) -> Self {
        Self {
            state: Mutex::new(State {
                writes: VecDeque::new(),
                from: at,
                pages: BTreeMap::new(),
            }),
            last: watch::Sender::new(Some(at)),
        }
    }

    /// Up to where there are news.
    pub fn at(&self) -> u64 {
        self.last.borrow().unwrap_or_default()
    }

    /// Records that the lines of a chat have another checksum.
    pub fn record(&self, chat: Id, crc: String) {
        let mut state = self.state();
        let at = self.at() + 1;
        state.writes.push_back((at, chat, crc));
        if state.writes.len() > MAX_REMEMBERED
            && let Some((first, ..)) = state.writes.pop_front()
        {
            state.from = first;
        }
        drop(state);
        self.last.send_modify(|last| *last = last.map(|_| at));
    }

    /// Lets nobody wait any longer.
    pub fn close(&self) {
        self.last.send_replace(None);
    }

    /// The news since those that the page knows; waits some time until there are any.
    pub async fn wait(&self, request: &BackupNewsRequest) -> BackupNews {
        let Some(_waiting) = self.enter(request) else {
            return BackupNews {
                at: request.since,
                is_taken: true,
                ..BackupNews::default()
            };
        };
        let mut last = self.last.subscribe();
        let since = request.since;
        let has_news = |last: &Option<u64>| last.is_none_or(|last| last != since);
        // After that time the page asks again.
        let _in_time = tokio::time::timeout(WAIT, last.wait_for(has_news)).await;
        self.since(since)
    }

    fn since(&self, since: u64) -> BackupNews {
        let at = self.at();
        let state = self.state();
        let mut chats: Vec<(Id, String)> = Vec::new();
        for (_, chat, crc) in state.writes.iter().rev().take_while(|(n, ..)| *n > since) {
            if chats.iter().all(|(known, _)| known != chat) {
                chats.push((*chat, crc.clone()));
            }
        }
        BackupNews {
            at,
            chats,
            is_incomplete: since < state.from || since > at,
            is_taken: false,
        }
    }

    /// Counts a page among those that wait; `None` if another one waits as the same browser.
    fn enter(&self, request: &BackupNewsRequest) -> Option<Waiting<'_>> {
        let mut state = self.state();
        let entry = state.pages.entry(request.writer);
        let (page, count) = entry.or_insert((request.page, 0));
        if *page != request.page {
            return None;
        }
        *count += 1;
        Some(Waiting {
            news: self,
            writer: request.writer,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing that holds the lock can panic between two changes.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut state = self.news.state();
        if let Some((_, count)) = state.pages.get_mut(&self.writer) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                state.pages.remove(&self.writer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sash_calls::BackupKey;
    use std::sync::Arc;

    fn request(writer: u64, page: u64, since: u64) -> BackupNewsRequest {
        BackupNewsRequest {
            key: BackupKey::default(),
            writer: Id(writer),
            page: Id(page),
            since,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_is_told_what_was_written_since_as_soon_as_it_is() {
        let news = Arc::new(News::new(100));
        assert!(news.wait(&request(1, 1, 0)).await.is_incomplete);
        let waiting = Arc::clone(&news);
        let waiting = tokio::spawn(async move { waiting.wait(&request(1, 1, 100)).await });
        tokio::task::yield_now().await;
        news.record(Id(7), "a".into());
        news.record(Id(7), "b".into());
        let told = waiting.await.unwrap();
        assert_eq!((told.at, told.is_incomplete), (102, false));
        assert_eq!(told.chats, [(Id(7), "b".to_owned())]);
        // Nothing new: the wait ends by itself.
        assert_eq!(news.wait(&request(1, 1, 102)).await.chats, []);
        for chat in 0..MAX_REMEMBERED as u64 {
            news.record(Id(chat), String::new());
        }
        assert!(news.wait(&request(1, 1, 101)).await.is_incomplete);
        assert!(!news.wait(&request(1, 1, 102)).await.is_incomplete);
        assert!(news.wait(&request(1, 1, 5000)).await.is_incomplete);
    }

    #[tokio::test(start_paused = true)]
    async fn two_pages_that_wait_at_once_are_not_the_same_browser() {
        let news = Arc::new(News::new(100));
        let first = Arc::clone(&news);
        let first = tokio::spawn(async move { first.wait(&request(1, 1, 100)).await });
        tokio::task::yield_now().await;
        assert!(news.wait(&request(1, 2, 100)).await.is_taken);
        assert!(!news.wait(&request(2, 2, 0)).await.is_taken);
        first.abort();
        assert!(first.await.is_err());
        assert!(!news.wait(&request(1, 2, 100)).await.is_taken);
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_for_a_server_that_stops() {
        let news = News::new(100);
        news.close();
        let before = tokio::time::Instant::now();
        news.wait(&request(1, 1, 100)).await;
        assert_eq!(before.elapsed(), Duration::ZERO);
    }
}
