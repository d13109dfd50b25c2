//! Waits for what other browsers write into the server's directory.

use super::Backup;
use super::edges::Keyed;
use super::settings::BackupSettingsStoreFields;
use super::state::BackupPhase;
use super::writing::{VISIBILITY_INTERVAL, wants_key};
use crate::call::{News, NewsRequest};
use futures::future::{Either, pending, select};
use reactive_graph::prelude::*;
use sash_wire::Fault;
use std::pin::pin;
use std::time::Duration;

/// After this long the request is given up: the server answers sooner, so the connection is lost.
const MAX_WAIT_MS: f64 = 40_000.0;
/// How long after a failure the next request goes.
const RETRY: Duration = Duration::from_secs(10);
/// How long a page waits for another one that asks as the same browser: a tab that was just closed may still be counted.
const DUPLICATE_RETRY: Duration = Duration::from_secs(3);
/// After so many refusals the other page is another browser with a copy of this one's storage.
const MAX_DUPLICATES: u32 = 10;

impl Backup {
    /// Whether this browser takes over what others write. Only a server tells that.
    pub(super) fn is_in_step(self) -> bool {
        self.is_at_server() && self.settings.current.in_step().get_untracked()
    }

    /// Learns what other browsers write, until the server wants another key. One that is not in step hears by it of another
    /// browser with its id, and of a directory of an earlier day. A page that nobody sees asks for nothing.
    pub(super) async fn follow_news(self) {
        if !self.is_at_server() {
            return pending().await;
        }
        let page = self.edges.new_id();
        let mut duplicates = 0;
        loop {
            if !self.known.with_value(|known| known.is_listed) || !self.is_visible() {
                self.edges.wait(VISIBILITY_INTERVAL).await;
                continue;
            }
            let request = NewsRequest {
                browser: self.browser(),
                page,
                since: self.known.with_value(|known| known.at),
            };
            let Some(news) = self.while_visible(request).await else {
                continue;
            };
            match news {
                Ok(news) if news.is_duplicate => {
                    duplicates += 1;
                    if duplicates >= MAX_DUPLICATES && self.edges.with_locks(|locks| locks.exist())
                    {
                        let id = self.edges.new_id();
                        self.storage().with_log(|log| log.replace_install(id));
                        // As another browser it has handed nothing over yet.
                        return self.begin();
                    }
                    self.edges.wait(DUPLICATE_RETRY).await;
                }
                Ok(news) => {
                    duplicates = 0;
                    let own = self.browser();
                    self.known
                        .update_value(|known| known.record_news(news, own));
                    self.wake();
                }
                Err(fault) if wants_key(&fault) => {
                    self.set_phase(BackupPhase::NeedsKey(Some(fault)));
                    return;
                }
                Err(_) => self.edges.wait(RETRY).await,
            }
        }
    }

    /// The answer; `None` if the page was hidden before it came, or if it does not come.
    async fn while_visible(self, request: NewsRequest) -> Option<Result<News, Fault>> {
        let key = self.key();
        let mut news = self.calls.get_value().news.send(Keyed { key, request });
        let until = self.edges.monotonic() + MAX_WAIT_MS;
        while self.is_visible() && self.edges.monotonic() < until {
            let pause = pin!(self.edges.wait(VISIBILITY_INTERVAL));
            match select(&mut news, pause).await {
                Either::Left((news, _)) => return Some(news),
                Either::Right(_) => {}
            }
        }
        None
    }
}
