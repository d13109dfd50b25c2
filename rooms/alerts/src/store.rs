//! Answers that ended while the page was not in view: said in its title, and by a notification and a sound where the person
//! switched them on, until the page is seen again.

use crate::settings::{AlertSettings, AlertSettingsStoreFields};
use reactive_graph::owner::{LocalStorage, StoredValue, expect_context};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Id, Message, NoText, Outcome};
use sash_stores::{AnswerEvent, Kernel, PartStore};
use sash_words::{plain_t, t};
use std::rc::Rc;

/// How the person is called back to a page that they do not see.
pub trait AlertDevice {
    /// Shows a notification of the system, if the person allows it; a click shows the page and calls `on_click`.
    fn notify(&self, title: &str, body: &str, on_click: Box<dyn FnOnce()>);
    /// Plays a short sound.
    fn play_sound(&self);
}

/// An answer that ended and was not seen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct UnseenAnswer {
    /// The title of its chat.
    title: String,
    /// Whether it is complete.
    is_complete: bool,
}

/// The answers that ended while the page was not in view.
#[derive(Clone, Copy)]
pub struct Alerts {
    kernel: Kernel,
    /// Its settings.
    pub settings: PartStore<AlertSettings>,
    device: StoredValue<Rc<dyn AlertDevice>, LocalStorage>,
    /// The last one.
    unseen: RwSignal<Option<UnseenAnswer>>,
}

impl Alerts {
    /// Creates the store, which follows the ends of answers.
    #[must_use]
    pub fn new(kernel: Kernel, device: Rc<dyn AlertDevice>) -> Self {
        let store = Self {
            kernel,
            settings: kernel.settings().part(),
            device: StoredValue::new_local(device),
            unseen: RwSignal::new(None),
        };
        kernel.answers().events().on(move |event| {
            if let AnswerEvent::Ended(chat, answer) = event {
                store.record_end(*chat, answer);
            }
        });
        store
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Records that an answer ended. One that the person stopped is no news.
    fn record_end(self, chat: Id, answer: &Message) {
        let outcome = &answer.outcome;
        let is_news = !matches!(outcome, Outcome::Stopped);
        if !is_news || self.kernel.edges().with_page(|page| page.is_seen()) {
            return;
        }
        let is_complete =
            matches!(outcome, Outcome::Complete | Outcome::CutOff) && NoText::of(answer).is_none();
        let title = self.kernel.chats().title_outside(chat);
        let words = match is_complete {
            true => t!(alerts.answer_ready),
            false => t!(alerts.answer_not_complete),
        };
        let settings = self.settings.current;
        if settings.notify().get_untracked() {
            let chats = self.kernel.chats();
            let show = Box::new(move || chats.show_message(chat, None));
            self.device.get_value().notify(words, &title, show);
        }
        if settings.sound().get_untracked() {
            self.device.get_value().play_sound();
        }
        self.unseen.set(Some(UnseenAnswer { title, is_complete }));
    }

    /// Records that the page is in view.
    pub fn record_seen(self) {
        if self.unseen.with_untracked(Option::is_some) {
            self.unseen.set(None);
        }
    }

    /// Whether an answer ended that was not seen.
    #[must_use]
    pub fn has_unseen(self) -> bool {
        self.unseen.with(Option::is_some)
    }

    /// The title of the page: the open chat's, or that an answer ended.
    #[must_use]
    pub fn page_title(self) -> String {
        match self.unseen.get() {
            Some(unseen) if unseen.is_complete => {
                plain_t!(alerts.ready_title, title = unseen.title)
            }
            Some(unseen) => plain_t!(alerts.incomplete_title, title = unseen.title),
            None => self.kernel.chats().page_title(),
        }
    }
}
