//! Who asks for news, and how long.

use super::*;
use crate::call::{BackupList, News, NewsRequest};
use crate::server::news::{Board, wait};
use sash_door::stop::StopSignal;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

fn copy(chat: u64, browser: u64, write: u64) -> ListedCopy {
    ListedCopy {
        chat: Id(chat),
        browser: Id(browser),
        title: String::new(),
        messages: 1,
        at: 0,
        write,
        state: format!("state {write}"),
        standing: Standing::Sealed,
        is_newer: false,
        bytes: 1,
    }
}

/// The news of a server from 100 on, until it stops.
struct Served {
    board: watch::Sender<Board>,
    switch: watch::Sender<bool>,
    stop: StopSignal,
}

fn served() -> Arc<Served> {
    let (switch, stop) = StopSignal::new();
    Arc::new(Served {
        board: watch::Sender::new(Board::new(100)),
        switch,
        stop,
    })
}

impl Served {
    /// Takes in the copies of a chat, and the lengths of `.gone` files, by browser.
    fn record(&self, chat: u64, copies: &[(u64, u64)], gone: &[(u64, u64)]) {
        let copies = copies
            .iter()
            .map(|(browser, write)| copy(chat, *browser, *write))
            .collect();
        let gone = gone.iter().map(|(browser, bytes)| (Id(*browser), *bytes));
        let gone = gone.collect();
        self.board
            .send_if_modified(|board| board.record(Id(chat), copies, gone));
    }

    async fn ask(&self, browser: u64, page: u64, since: u64) -> News {
        let request = NewsRequest {
            browser: Id(browser),
            page: Id(page),
            since,
        };
        wait(&self.board, &request, self.stop.clone()).await
    }
}

/// Chat, browser and write of each copy.
fn copies(news: &News) -> Vec<(u64, u64, u64)> {
    let copies = news.copies.iter();
    copies
        .map(|copy| (copy.chat.0, copy.browser.0, copy.write))
        .collect()
}

/// The chats, and how many bytes were added of what was deleted.
fn gone(news: &News) -> Vec<(u64, Vec<(u64, u64)>)> {
    let chats = news.gone.iter();
    chats
        .map(|(chat, gone)| {
            let gone = gone.iter().map(|(browser, bytes)| (browser.0, *bytes));
            (chat.0, gone.collect())
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_page_is_told_what_is_new_since_as_soon_as_it_is() {
    let served = served();
    assert!(served.ask(1, 1, 0).await.is_incomplete);
    let waiting = Arc::clone(&served);
    let waiting = tokio::spawn(async move { waiting.ask(1, 1, 100).await });
    tokio::task::yield_now().await;
    served.record(7, &[(1, 3), (2, 8)], &[]);
    served.record(7, &[(1, 3), (2, 9)], &[]);
    let told = waiting.await.unwrap();
    assert_eq!((told.at, told.is_incomplete), (102, false));
    assert_eq!(copies(&told), [(7, 1, 3), (7, 2, 9)]);
    // What was told is not told again, and nothing is new about the same.
    served.record(7, &[(1, 3), (2, 9)], &[]);
    let before = Instant::now();
    assert_eq!(copies(&served.ask(1, 1, 102).await), []);
    assert!(before.elapsed() >= Duration::from_secs(20));
    served.record(7, &[(1, 3), (2, 9)], &[(2, 80), (3, 40)]);
    let told = served.ask(1, 1, 102).await;
    assert_eq!(gone(&told), [(7, vec![(2, 80), (3, 40)])]);
    // A copy that is there no more is none of the chat's.
    served.record(7, &[(2, 9)], &[(2, 80), (3, 40)]);
    assert_eq!(copies(&served.ask(1, 1, 103).await), [(7, 2, 9)]);
    // A clock that was set back, between two starts.
    assert!(served.ask(1, 1, 5000).await.is_incomplete);
}

/// After a thousand writes each page read the whole directory.
#[tokio::test(start_paused = true)]
async fn a_busy_chat_makes_no_page_list_the_directory_and_a_thousand_changed_ones_do() {
    let served = served();
    served.record(8, &[(2, 1)], &[]);
    for write in 1..=5000 {
        served.record(7, &[(1, write)], &[]);
    }
    let told = served.ask(3, 1, 100).await;
    assert!(!told.is_incomplete);
    assert_eq!(copies(&told), [(7, 1, 5000), (8, 2, 1)]);
    for chat in 0..2000 {
        served.record(1000 + chat, &[(1, 1)], &[]);
    }
    let told = served.ask(3, 1, 100).await;
    assert!(told.is_incomplete && told.copies.is_empty());
    assert_eq!(served.ask(3, 1, told.at).await.at, told.at);
}

#[test]
fn a_list_tells_what_it_has_more_than_before_or_less() {
    let mut board = Board::new(100);
    let mut list = BackupList {
        copies: vec![copy(7, 1, 1), copy(8, 1, 1), copy(8, 2, 1)],
        ..BackupList::default()
    };
    assert!(board.record_all(&list));
    assert!(!board.record_all(&list));
    let since = board.at;
    list.copies = vec![copy(8, 2, 1), copy(8, 1, 1)];
    list.gone.insert(Id(9), [(Id(1), 40)].into());
    assert!(board.record_all(&list));
    let told = board.since(since);
    assert_eq!(copies(&told), []);
    assert_eq!(gone(&told), [(7, vec![]), (9, vec![(1, 40)])]);
}

#[tokio::test(start_paused = true)]
async fn two_pages_that_wait_at_once_are_not_the_same_browser() {
    let served = served();
    let first = Arc::clone(&served);
    let first = tokio::spawn(async move { first.ask(1, 1, 100).await });
    tokio::task::yield_now().await;
    assert!(served.ask(1, 2, 100).await.is_duplicate);
    assert!(!served.ask(2, 2, 0).await.is_duplicate);
    assert!(!served.ask(1, 1, 0).await.is_duplicate);
    assert!(served.ask(1, 2, 100).await.is_duplicate);
    first.abort();
    assert!(first.await.is_err());
    assert!(!served.ask(1, 2, 100).await.is_duplicate);
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_a_server_that_stops() {
    let served = served();
    served.switch.send_replace(true);
    let before = Instant::now();
    served.ask(1, 1, 100).await;
    assert_eq!(before.elapsed(), Duration::ZERO);
}
