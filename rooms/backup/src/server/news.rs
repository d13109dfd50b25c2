//! Tells the browsers what is new in the directory: what this Sash wrote, another one, a program that synchronises it.

use crate::call::{BackupList, ListedCopy, News, NewsRequest};
use sash_chat::Id;
use sash_door::stop::StopSignal;
use std::collections::BTreeMap;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;

/// How long a request waits for news. The page asks again then.
const WAIT: Duration = Duration::from_secs(25);
/// The most chats of which news tell. Whoever missed more lists the directory, which takes a turn.
const MAX_CHATS: usize = 1000;

/// What the directory has, as far as that was told, and who waits for more.
#[derive(Debug, Default)]
pub(crate) struct Board {
    /// The number of the last news.
    pub at: u64,
    /// All that was told later is known.
    from: u64,
    chats: BTreeMap<Id, Told>,
    /// The pages that wait, by their browser.
    pages: BTreeMap<Id, Weak<Id>>,
}

/// What was told of a chat.
#[derive(Debug, Default)]
struct Told {
    /// The number of the news of it.
    at: u64,
    copies: BTreeMap<Id, ListedCopy>,
    /// The bytes of each browser's `.gone` file.
    gone: BTreeMap<Id, u64>,
}

impl Board {
    /// No news. They are numbered from `at` on; another start of the server must have a higher one.
    pub fn new(at: u64) -> Self {
        Self {
            at,
            from: at,
            ..Self::default()
        }
    }

    /// Takes in what the directory has of a chat. Returns whether that is new.
    pub fn record(&mut self, chat: Id, copies: Vec<ListedCopy>, gone: BTreeMap<Id, u64>) -> bool {
        let is_new = self.set(chat, copies, gone);
        self.at += u64::from(is_new);
        is_new
    }

    /// Takes in all that the directory has. Returns whether something of it is new.
    pub fn record_all(&mut self, list: &BackupList) -> bool {
        let chats = self.chats.keys().chain(list.gone.keys());
        let chats = chats.map(|chat| (*chat, Vec::new()));
        let mut chats: BTreeMap<Id, Vec<ListedCopy>> = chats.collect();
        for copy in &list.copies {
            chats.entry(copy.chat).or_default().push(copy.clone());
        }
        let mut is_new = false;
        for (chat, copies) in chats {
            let gone = list.gone.get(&chat).cloned().unwrap_or_default();
            is_new |= self.set(chat, copies, gone);
        }
        self.at += u64::from(is_new);
        is_new
    }

    /// Replaces what is known of a chat, as of the next news. Returns whether it is something else.
    fn set(&mut self, chat: Id, copies: Vec<ListedCopy>, gone: BTreeMap<Id, u64>) -> bool {
        let copies = copies.into_iter().map(|copy| (copy.browser, copy));
        let copies: BTreeMap<Id, ListedCopy> = copies.collect();
        let told = self.chats.entry(chat).or_default();
        let is_new = (&told.copies, &told.gone) != (&copies, &gone);
        if is_new {
            let at = self.at + 1;
            *told = Told { at, copies, gone };
        }
        is_new
    }

    /// The news since those that a page knows.
    pub fn since(&self, since: u64) -> News {
        let at = self.at;
        let new = self.chats.iter().filter(|(_, told)| told.at > since);
        if !(self.from..=at).contains(&since) || new.clone().count() > MAX_CHATS {
            return News {
                at,
                is_incomplete: true,
                ..News::default()
            };
        }
        let copies = new.clone().flat_map(|(_, told)| told.copies.values());
        News {
            at,
            copies: copies.cloned().collect(),
            gone: new.map(|(chat, told)| (*chat, told.gone.clone())).collect(),
            ..News::default()
        }
    }

    /// Counts a page among those that wait, as long as it has what this returns; `None` if another one waits as the same
    /// browser.
    pub fn enter(&mut self, request: &NewsRequest) -> Option<Arc<Id>> {
        self.pages.retain(|_, page| page.strong_count() > 0);
        match self.pages.get(&request.browser).and_then(Weak::upgrade) {
            Some(page) => (*page == request.page).then_some(page),
            None => {
                let page = Arc::new(request.page);
                self.pages.insert(request.browser, Arc::downgrade(&page));
                Some(page)
            }
        }
    }
}

/// The news since those that the page knows; waits some time until there are any.
pub(super) async fn wait(
    board: &watch::Sender<Board>,
    request: &NewsRequest,
    mut stop: StopSignal,
) -> News {
    let since = request.since;
    let mut page = None;
    board.send_if_modified(|board| {
        page = board.enter(request);
        false
    });
    let Some(_page) = page else {
        return News {
            at: since,
            is_duplicate: true,
            ..News::default()
        };
    };
    let mut last = board.subscribe();
    let news = async {
        // The sender is here, so it is not gone.
        last.wait_for(|board| board.at != since).await.is_ok()
    };
    tokio::select! {
        _ = timeout(WAIT, news) => {}
        () = stop.wait() => {}
    }
    board.borrow().since(since)
}
