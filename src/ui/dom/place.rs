//! Places in an element where children come and go: one that is chosen, or a list with keys.

use super::{El, live};
use crate::ui::call::Call;
use leptos::prelude::*;
use std::cell::{Cell, RefCell};
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

    /// A list: one child for each key, in order. A child stays as it is for as long as its key is there.
    pub fn each<K: PartialEq + Clone + 'static>(
        self,
        keys: impl Fn() -> Vec<K> + 'static,
        view: impl Fn(&K) -> El + 'static,
    ) -> Self {
        self.each_then(keys, view, || ())
    }

    /// The same, and then what is to be done once the children are in their places.
    pub fn each_then<K: PartialEq + Clone + 'static>(
        self,
        keys: impl Fn() -> Vec<K> + 'static,
        view: impl Fn(&K) -> El + 'static,
        then: impl Fn() + 'static,
    ) -> Self {
        let current: Rc<RefCell<Vec<K>>> = Rc::default();
        let known = Rc::clone(&current);
        // For each key where it stood before.
        let places = move |()| {
            let now = keys();
            let mut former = known.borrow_mut();
            let places = places(&former, &now);
            *former = now;
            places
        };
        let build = move |at: usize| {
            let key = current.borrow().get(at).cloned();
            key.map(|key| view(&key))
        };
        self.list(
            Box::new(places),
            Box::new(build),
            Box::new(move |()| then()),
        )
    }

    fn list(
        self,
        places: Places,
        build: Box<dyn Call<usize, Option<El>>>,
        then: Box<dyn Call<(), ()>>,
    ) -> Self {
        let (parent, anchor) = (parent(), anchor());
        let end = anchor.clone();
        let this = self.append(&end);
        let list: RefCell<Vec<Shown>> = RefCell::default();
        live(move || {
            let places = places.call(());
            let mut former: Vec<Option<Shown>> = list.take().into_iter().map(Some).collect();
            let mut next = Vec::with_capacity(places.len());
            for (at, place) in places.into_iter().enumerate() {
                let kept = place
                    .and_then(|place| former.get_mut(place))
                    .and_then(Option::take);
                next.push(kept.unwrap_or_else(|| Shown::build(&parent, || build.call(at))));
            }
            for gone in former.into_iter().flatten() {
                gone.end();
            }
            arrange(&next, &anchor);
            list.replace(next);
            untrack(|| then.call(()));
        });
        this
    }
}

/// For each child of a list, where it stood before, if it did.
type Places = Box<dyn Call<(), Vec<Option<usize>>>>;

/// For each of the keys now, where it stood before. Each place is given once, so that a key that stands
/// twice has two children.
fn places<K: PartialEq>(former: &[K], now: &[K]) -> Vec<Option<usize>> {
    let mut free: Vec<usize> = (0..former.len()).rev().collect();
    let mut place = |key: &K| {
        // Nearly always it is the next one; what was passed over may still come.
        let at = free.iter().rposition(|place| former[*place] == *key)?;
        Some(free.remove(at))
    };
    now.iter().map(&mut place).collect()
}

/// Puts the children in their order, from the last to the first, and moves only what stands elsewhere.
fn arrange(list: &[Shown], anchor: &Comment) {
    let mut before: Node = anchor.clone().unchecked_into();
    for child in list.iter().rev().filter_map(|shown| shown.child.as_ref()) {
        let node: &Node = &child.0;
        if before.previous_sibling().as_ref() != Some(node) {
            put_before(node, &before);
        }
        before = node.clone();
    }
}
