//! Places in an element where children come and go: one that is chosen, or a list with keys.

use super::{El, live};
use leptos::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
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
        let current: Rc<RefCell<Option<K>>> = Rc::default();
        let known = Rc::clone(&current);
        let changed = move || {
            let now = Some(key());
            let changed = *known.borrow() != now;
            if changed {
                known.replace(now);
            }
            changed
        };
        let build = move || current.borrow().as_ref().and_then(&view);
        self.place(Box::new(changed), Box::new(build))
    }

    /// A place for a child that is there while a condition holds.
    pub fn when(self, holds: impl Fn() -> bool + 'static, view: impl Fn() -> El + 'static) -> Self {
        self.choose(holds, move |holds| holds.then(&view))
    }

    fn place(self, changed: Box<dyn Fn() -> bool>, build: Box<dyn Fn() -> Option<El>>) -> Self {
        let (parent, anchor) = (parent(), anchor());
        let end = anchor.clone();
        let this = self.append(&end);
        let shown: RefCell<Option<Shown>> = RefCell::new(None);
        live(move || {
            if !changed() {
                return;
            }
            if let Some(former) = shown.take() {
                former.end();
            }
            let fresh = Shown::build(&parent, &build);
            if let Some(child) = &fresh.child {
                put_before(&child.0, &anchor);
            }
            shown.replace(Some(fresh));
        });
        this
    }

    /// A list: one child for each key, in order. A child stays as it is for as long as its key is there.
    pub fn each<K: PartialEq + Clone + 'static>(
        self,
        keys: impl Fn() -> Vec<K> + 'static,
        view: impl Fn(&K) -> El + 'static,
    ) -> Self {
        let (parent, anchor) = (parent(), anchor());
        let end = anchor.clone();
        let this = self.append(&end);
        let list: RefCell<Vec<(K, Shown)>> = RefCell::default();
        live(move || {
            let mut former = list.take();
            former.reverse();
            let mut next: Vec<(K, Shown)> = Vec::new();
            for key in keys() {
                // Nearly always it is the next one; what was passed over may still come.
                let at = former.iter().rposition(|(known, _)| *known == key);
                let item = match at {
                    Some(at) => former.remove(at).1,
                    None => Shown::build(&parent, || Some(view(&key))),
                };
                next.push((key, item));
            }
            for (_, gone) in former {
                gone.end();
            }
            arrange(&next, &anchor);
            list.replace(next);
        });
        this
    }
}

/// Puts the children in their order, from the last to the first, and moves only what stands elsewhere.
fn arrange<K>(list: &[(K, Shown)], anchor: &Comment) {
    let mut before: Node = anchor.clone().unchecked_into();
    for child in list
        .iter()
        .rev()
        .filter_map(|(_, shown)| shown.child.as_ref())
    {
        let node: &Node = &child.0;
        if before.previous_sibling().as_ref() != Some(node) {
            put_before(node, &before);
        }
        before = node.clone();
    }
}
