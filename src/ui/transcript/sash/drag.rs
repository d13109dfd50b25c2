//! The edge in the hand: once a frame it goes to the stop nearest to the pointer, shown at once, written
//! when it is let go.

use super::edge::{nearest, policy_at, top_of};
use crate::ui::session::Session;
use crate::ui::transcript::near::Near;
use leptos::prelude::*;
use sash_chat::{Id, Policy};
use std::cell::Cell;
use std::rc::Rc;
use web_sys::{HtmlElement, PointerEvent};

/// How near to the rim of the transcript the pointer makes it scroll, in pixels.
const RIM: i32 = 44;

/// What is dragged, over what.
pub struct Drag {
    session: Session,
    log: HtmlElement,
    near: Rc<Near>,
    now: Cell<Option<Held>>,
    /// Whether it is in the hand.
    pub held: RwSignal<bool>,
}

#[derive(Clone, Copy)]
struct Held {
    /// In which chat.
    chat: Id,
    /// The rule and the stop it began with.
    from: (Policy, usize),
    /// From where the pointer is in the viewport, and how far the transcript is scrolled, to the height in
    /// the list of messages: the sum stays the same while the messages above take their true size.
    zero: i32,
    /// Where the pointer is in the viewport, and whether it moved at all.
    pointer: i32,
    moved: bool,
}

impl Drag {
    /// Nothing in the hand.
    pub fn new(session: Session, log: HtmlElement, near: Rc<Near>) -> Rc<Self> {
        Rc::new(Self {
            session,
            log,
            near,
            now: Cell::new(None),
            held: RwSignal::new(false),
        })
    }

    /// Takes the edge.
    pub fn take(self: &Rc<Self>, event: &PointerEvent) {
        if event.button() != 0 || !event.is_primary() {
            return;
        }
        let edge = self.session.window.with_untracked(|window| window.edge);
        let policy = self.session.open.with_untracked(|chat| chat.head.policy);
        let pointer = event.client_y() as i32;
        let top = top_of(self.session, &self.near, edge);
        self.now.set(Some(Held {
            chat: self.session.open.with_untracked(|chat| chat.head.id),
            from: (policy, edge),
            zero: top - pointer - self.log.scroll_top() as i32,
            pointer,
            moved: false,
        }));
        self.held.set(true);
        self.each_frame();
    }

    /// The pointer moved.
    pub fn moved(&self, event: &PointerEvent) {
        if let Some(held) = self.now.get() {
            let pointer = event.client_y() as i32;
            let moved = held.moved || (pointer - held.pointer).abs() > 2;
            let pointer = if moved { pointer } else { held.pointer };
            self.now.set(Some(Held {
                pointer,
                moved,
                ..held
            }));
        }
    }

    /// Lets it go: what is shown is written, as one step.
    pub fn leave(&self) {
        self.go();
        if self.in_hand().is_some() {
            self.now.set(None);
            _ = self.held.try_set(false);
            let policy = self.session.open.with_untracked(|chat| chat.head.policy);
            self.session.set_policy(policy);
        }
    }

    /// Takes it back to where it was. Whether it was in the hand.
    pub fn take_back(&self) -> bool {
        let held = self.in_hand();
        self.now.set(None);
        if let Some(held) = held {
            _ = self.held.try_set(false);
            self.session.show_policy(held.from.0);
        }
        held.is_some()
    }

    fn each_frame(self: &Rc<Self>) {
        let this = Rc::clone(self);
        request_animation_frame(move || {
            if let Some(held) = this.in_hand() {
                this.scroll(held);
                this.go();
                this.each_frame();
            }
        });
    }

    /// What is in the hand, unless the chat or the whole sash has gone meanwhile.
    fn in_hand(&self) -> Option<Held> {
        let chat = self.session.open.with_untracked(|chat| chat.head.id);
        let is_there = self.held.try_get_untracked().is_some();
        let held = self.now.get().filter(|held| is_there && held.chat == chat);
        self.now.set(held);
        held
    }

    /// Goes to where the pointer is.
    fn go(&self) {
        let Some(held) = self.in_hand().filter(|held| held.moved) else {
            return;
        };
        let height = held.zero + held.pointer + self.log.scroll_top() as i32;
        let to = nearest(self.session, &self.near, height);
        if self.session.window.with_untracked(|window| window.edge) != to {
            // Where it began it is as it was.
            let policy = if to == held.from.1 {
                held.from.0
            } else {
                policy_at(self.session, to)
            };
            self.session.show_policy(policy);
        }
    }

    /// Near the rim the messages come to meet the pointer.
    fn scroll(&self, held: Held) {
        // The room it lies in begins at the top of the page.
        let top = self.log.offset_top();
        let above = top + RIM - held.pointer;
        let below = held.pointer - (top + self.log.client_height() - RIM);
        let by = above.max(0) - below.max(0);
        if held.moved && by != 0 {
            // The further out, the faster by far: one step with care, or a thousand messages.
            let by = by * by.abs() / 60;
            self.log
                .set_scroll_top((self.log.scroll_top() as i32 - by).into());
        }
    }
}
