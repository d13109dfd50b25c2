//! Waits for what other browsers write into the folder, if the person wants this one in step with it.

use super::settings::BackupSettingsStoreFields;
use super::{Backup, wants_key};
use futures::future::{Either, select};
use reactive_graph::prelude::*;
use sash_calls::{BackupNews, BackupNewsRequest, PROMPTS_IN_NEWS};
use sash_records::backup::BackupLog;
use sash_stores::Ticket;
use sash_wire::Fault;
use std::pin::pin;
use std::time::Duration;

/// How often a page looks whether it is still, or again, visible.
pub(super) const VISIBILITY_INTERVAL: Duration = Duration::from_secs(1);
/// After this long the request is given up: the server answers sooner, so the connection is lost.
const MAX_WAIT_MS: f64 = 40_000.0;
/// How long after a failure the next request goes.
const RETRY: Duration = Duration::from_secs(10);
/// How long a page waits for another one that asks as the same browser: a tab that was just closed may still be counted.
const TAKEN_RETRY: Duration = Duration::from_secs(3);
/// After so many refusals the other page is another browser with a copy of this one's storage.
const MAX_TAKEN: u32 = 10;

impl Backup {
    /// Whether this browser takes over what others write. Only a server tells that.
    pub(super) fn is_in_step(self) -> bool {
        self.is_at_server() && self.settings.current.in_step().get_untracked()
    }

    /// Takes over what other browsers write until another run begins. A page that nobody sees asks for nothing.
    pub(super) async fn follow_news(self, run: Ticket) {
        let page = self.edges.new_id();
        let mut taken = 0;
        while run.is_current() {
            if !self.known.with_value(|known| known.is_listed) || !self.is_visible() {
                self.edges.wait(VISIBILITY_INTERVAL).await;
                continue;
            }
            let request = BackupNewsRequest {
                key: self.key(),
                writer: self.writer(),
                page,
                since: self.known.with_value(|known| known.at),
            };
            let Some(news) = self.while_visible(run, request).await else {
                continue;
            };
            if !run.is_current() {
                return;
            }
            match news {
                Ok(news) if news.is_taken => {
                    taken += 1;
                    if taken >= MAX_TAKEN && self.edges.with_locks(|locks| locks.exist()) {
                        taken = 0;
                        let id = self.edges.new_id();
                        self.storage().with_log(|log| log.replace_install(id));
                    }
                    self.edges.wait(TAKEN_RETRY).await;
                }
                Ok(news) => {
                    taken = 0;
                    self.record_news(news);
                    self.wake();
                    let mut budget = self.budget();
                    // What fails is tried again by the writer.
                    self.join_all(run, &mut budget).await.ok();
                }
                Err(fault) if wants_key(&fault) => {
                    self.wait_for_key(fault);
                    return;
                }
                Err(_) => self.edges.wait(RETRY).await,
            }
        }
    }

    /// The answer; `None` if the page was hidden before it came, if it does not come, or if another run began.
    async fn while_visible(
        self,
        run: Ticket,
        request: BackupNewsRequest,
    ) -> Option<Result<BackupNews, Fault>> {
        let mut news = pin!(self.calls.get_value().news.send(request));
        let until = self.edges.monotonic() + MAX_WAIT_MS;
        while run.is_current() && self.is_visible() && self.edges.monotonic() < until {
            let pause = pin!(self.edges.wait(VISIBILITY_INTERVAL));
            match select(&mut news, pause).await {
                Either::Left((news, _)) => return Some(news),
                Either::Right(_) => {}
            }
        }
        None
    }

    fn record_news(self, news: BackupNews) {
        let mut to_join = Vec::new();
        for (chat, crc) in news.chats {
            if chat == PROMPTS_IN_NEWS {
                self.known.update_value(|known| {
                    known.prompts.has_news |= known.prompts.crc != crc;
                });
                continue;
            }
            let base = self.storage().with_log(|log| log.merge_base(chat));
            if base.flatten().is_none_or(|base| base.crc != crc) {
                to_join.push(chat);
            }
        }
        self.known.update_value(|known| {
            known.at = news.at;
            known.is_listed &= !news.is_incomplete;
            known.to_join.extend(to_join);
        });
    }

    pub(super) fn is_visible(self) -> bool {
        self.edges.with_page(|page| page.is_visible())
    }
}
