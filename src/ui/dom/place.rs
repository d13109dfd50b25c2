//! Places in an element where children come and go: one that is chosen, or a list with keys.

use super::{El, live};
use crate::ui::call::Call;
use leptos::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use web_sys::{Comment, Node};

/// A child and what lives in it: its effects and listeners end with its owner.
struct Shown {
    owner: Owner,
    child: Option<El>,
}

impl Shown {
    fn build(parent: &Owner, view: impl FnOnce() -> Option<El>) -> Self {
        let owner = parent.child();
        let child = owner.with(|| untrack(view));
        Self { owner, child }
    }

    fn end(self) {
        self.owner.cleanup();
        if let Some(child) = self.child {
            child.0.remove();
        }
    }
}

fn parent() -> Owner {
    Owner::current().unwrap_or_default()
}

fn anchor() -> Comment {
    document().create_comment("")
}

/// Puts a node before another in the parent of that other.
fn put_before(node: &Node, before: &Node) {
    if let Some(parent) = before.parent_node() {
        // Siblings of one parent: nothing to refuse.
        let _ = parent.insert_before(node, Some(before));
    }
}

impl El {
    /// A place for what `view` makes of a key; made anew only when the key changes.
    pub fn choose<K: PartialEq + 'static>(
        self,
        key: impl Fn() -> K + 'static,
        view: impl Fn(&K) -> Option<El> + 'static,
    ) -> Self {
        // Taken out to be looked at and put back: a cell that is borrowed could be borrowed twice, and would have
        // to say so, for each type of key.
        let current: Rc<Cell<Option<K>>> = Rc::default();
        let known = Rc::clone(&current);
        let changed = move |()| {
            let now = Some(key());
            let former = known.take();
            let changed = former != now;
            known.set(now);
            changed
        };
        let build = move |()| {
            let key = current.take();
            let made = key.as_ref().and_then(&view);
            current.set(key);
            made
        };
        self.place(Box::new(changed), Box::new(build))
    }

    /// A place for a child that is there while a condition holds.
    pub fn when(self, holds: impl Fn() -> bool + 'static, view: impl Fn() -> El + 'static) -> Self {
        self.place_when(Box::new(move |()| holds()), Box::new(move |()| view()))
    }

    fn place_when(self, holds: Box<dyn Call<(), bool>>, view: Box<dyn Call<(), El>>) -> Self {
        self.choose(
            move || holds.call(()),
            move |holds| holds.then(|| view.call(())),
        )
    }

    fn place(self, changed: Box<dyn Call<(), bool>>, build: Box<dyn Call<(), Option<El>>>) -> Self {
        let (parent, anchor) = (parent(), anchor());
        let end = anchor.clone();
        let this = self.append(&end);
        let shown: RefCell<Option<Shown>> = RefCell::new(None);
        live(move || {
            if !changed.call(()) {
                return;
            }
            if let Some(former) = shown.take() {
                former.end();
            }
            let fresh = Shown::build(&parent, || build.call(()));
            if let Some(child) = &fresh.child {
                put_before(&child.0, &anchor);
            }
            shown.replace(Some(fresh));
        });
        this
    }
}
