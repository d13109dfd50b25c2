//! Opening chats, existing and new, and switching branches.

use super::{ChatEvent, Chats, load};
use crate::edges::FocusTarget;
use crate::set_if_new::set_if_new;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::{Chat, Id, Position, Role};
use sash_wire::PageAddress;

impl Chats {
    /// Opens a chat and scrolls to one of its messages, on whichever branch it is. Does nothing if
    /// the chat or message was deleted.
    pub fn show_message(self, chat: Id, message: Option<Id>) {
        if self.open_id_untracked() != chat {
            self.open_chat(chat);
        }
        let Some(id) = message else {
            return;
        };
        let here = |open: &Chat| open.head.id == chat && open.get(id).is_some();
        if !self.open.with_untracked(here) {
            return;
        }
        if !self.path.with_untracked(|path| path.contains(&id)) {
            self.walk_to(id);
        }
        // On a narrow page the list of chats covers the transcript.
        self.view().chats_shown.set(false);
        self.view().reveal(id);
    }

    /// Opens the last question of the branch for editing. Returns whether there is one.
    pub fn edit_last(self) -> bool {
        let asks = |id: &Id| self.message(*id).is_some_and(|m| m.role == Role::User);
        let last = self
            .path
            .with_untracked(|path| path.iter().copied().rev().find(asks));
        if let Some(last) = last {
            self.view().edit_asked.set(Some(last));
            // Virtualization may have left the question's row out of the page.
            self.view().reveal(last);
        }
        last.is_some()
    }

    /// The address of what is shown: the open chat, or a page over it.
    #[must_use]
    pub fn address(self) -> PageAddress {
        match self.view().sub_page.get() {
            Some(page) => PageAddress::Sub(page),
            None => self.address_of_open(),
        }
    }

    /// The address of the open chat. A new chat has none of its own until it has a message.
    fn address_of_open(self) -> PageAddress {
        let id = self.open_id();
        match self.is_listed(id) {
            true => PageAddress::Chat(id),
            false => PageAddress::NewChat,
        }
    }

    /// Whether the log has a chat. A new chat comes into it with its first message.
    fn is_listed(self, id: Id) -> bool {
        self.list
            .with(|chats| chats.iter().any(|chat| chat.id == id))
    }

    /// Shows what an address names. Returns whether there is such a chat.
    pub fn follow(self, address: PageAddress) -> bool {
        let page = match &address {
            PageAddress::Sub(page) => Some(page.clone()),
            PageAddress::NewChat | PageAddress::Chat(_) => None,
        };
        set_if_new(self.view().sub_page, page);
        match address {
            // A page over the chat leaves the chat as it is.
            PageAddress::Sub(_) => {}
            _ if address == untrack(|| self.address_of_open()) => {}
            PageAddress::NewChat => self.begin_chat(),
            PageAddress::Chat(id) if untrack(|| self.is_listed(id)) => self.open_chat(id),
            PageAddress::Chat(_) => return false,
        }
        true
    }

    /// Opens a chat. A running answer in the previous chat goes on.
    pub fn open_chat(self, id: Id) {
        self.record_opening();
        if let Some(chat) = load(self.edges, self.storage(), id) {
            self.clear_open();
            // A temporary chat that was left and is opened again has not ended.
            self.drop_left(id);
            self.show_opened(chat, FocusTarget::ChatTitle);
        }
    }

    /// Shows another chat, with the focus in it.
    fn show_opened(self, chat: Chat, focus: FocusTarget) {
        self.set_open(chat);
        // On a narrow page the list of chats covers the transcript.
        self.view().chats_shown.set(false);
        self.edges.with_page(|page| page.focus_soon(focus));
    }

    /// Clears the state of the open chat before another one is opened.
    fn clear_open(self) {
        self.view().read_by.set(None);
        self.notices().drop_outdated();
        self.notify(ChatEvent::Left);
        let is_temporary = self.is_temporary_untracked(self.open_id_untracked());
        self.leave_temporary();
        if !is_temporary && self.open.with_untracked(Chat::is_empty) {
            self.fresh.set_value(Some(self.open.get_untracked()));
        }
    }

    /// Opens an empty chat, reusing the one left before if it is still empty.
    pub fn begin_chat(self) {
        self.record_opening();
        self.clear_open();
        let fresh = self.fresh.try_update_value(Option::take).flatten();
        let mut chat = self.new_chat();
        // A reused chat keeps only what was set in it by hand.
        if let Some(fresh) = fresh {
            let id = fresh.head.id;
            match self.is_steered(id) {
                true => chat = fresh,
                false => chat.head.id = id,
            }
        }
        self.show_opened(chat, FocusTarget::Prompt);
        self.notify(ChatEvent::Begun);
    }

    /// Opens a new chat of its own, even where another new chat was left before its first message.
    pub fn begin_another(self, chat: Chat) {
        self.record_opening();
        self.clear_open();
        self.show_opened(chat, FocusTarget::Prompt);
    }

    /// Opens an empty chat in a folder, which has its model and its system prompt from there where the folder has them.
    pub fn begin_chat_in(self, folder: Id) {
        self.begin_chat();
        let inherited = self.storage().with_log(|log| log.inherited(Some(folder)));
        let inherited = inherited.unwrap_or_default();
        let has_model = inherited.folder().is_some_and(|f| f.model.is_some());
        let has_system = inherited.folder().is_some_and(|f| f.system().is_some());
        self.change_head(self.open_id_untracked(), |head| {
            head.folder = Some(folder);
            head.inherited = inherited;
            if has_model {
                head.set_model(None);
            }
            if has_system {
                head.set_system("");
            }
        });
        self.notify(ChatEvent::Changed);
    }

    /// Writes to a chat behind `parent`, beside the branch that is shown: that stays, and only grows where it ends with
    /// `parent`.
    pub fn write_beside<R>(self, chat: Id, parent: Id, write: impl FnOnce() -> R) -> R {
        let leaf = || self.with_chat(chat, Chat::leaf).flatten();
        let shown = leaf();
        let written = write();
        let moved = shown.filter(|shown| *shown != parent && leaf() != Some(*shown));
        let newest = self.with_chat(chat, |chat| chat.newest().map(|message| message.seq));
        if let (Some(leaf), Some(seq)) = (moved, newest.flatten()) {
            self.change_head(chat, |head| head.at = Some(Position { leaf, seq }));
        }
        written
    }

    /// Switches to the branch that contains a message of the open chat.
    pub fn walk_to(self, message: Id) {
        let (chat, at) = self
            .open
            .with_untracked(|c| (c.head.id, c.tree.position_through(message)));
        self.view().stay_at(message);
        self.change_head(chat, |head| head.at = at);
        self.notify(ChatEvent::Changed);
    }
}
