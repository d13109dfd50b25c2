//! Which program serves the page, and whether that has a newer page than this one.

use crate::program::{PROGRAM, Program};
use reactive_graph::computed::Memo;
use reactive_graph::owner::{StoredValue, expect_context};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_stores::Kernel;

/// The program that serves this page.
#[derive(Clone, Copy)]
pub struct About {
    kernel: Kernel,
    /// The program, as it was told last; `None` before that, and where an older one does not tell.
    pub program: Memo<Option<Program>>,
    /// The file that this page runs from.
    own_page: StoredValue<Option<String>>,
    /// Whether another room does something that ends with the page.
    is_working: Memo<bool>,
    /// The file of the newer page that the person was told of and put off.
    put_off: RwSignal<Option<String>>,
}

impl About {
    /// Creates the store of a page that runs from this file. `is_working` says whether another room does something that a
    /// reload would end.
    #[must_use]
    pub fn new(
        kernel: Kernel,
        own_page: Option<String>,
        is_working: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Self {
        let program = Memo::new(move |former: Option<&Option<Program>>| {
            kernel.engine().state.with(|state| match state {
                Some(state) => state.told(PROGRAM),
                // While the server does not answer, nothing else runs either.
                None => former.cloned().flatten(),
            })
        });
        Self {
            kernel,
            program,
            own_page: StoredValue::new(own_page),
            is_working: Memo::new(move |_| is_working()),
            put_off: RwSignal::new(None),
        }
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Whether the program was replaced since this page was loaded: the server has another page.
    #[must_use]
    pub fn is_outdated(self) -> bool {
        self.newer_page().is_some()
    }

    /// Whether a reload loses nothing: it would end an answer that the server does not keep, an import, a file that is being
    /// added, and a temporary chat, also one that was left a moment ago and can be kept.
    #[must_use]
    pub fn may_reload(self) -> bool {
        let kernel = self.kernel;
        !kernel.answers().is_any_busy()
            && !self.is_working.get()
            && !kernel.has_temporary_words()
            && kernel.chats().left.with(Vec::is_empty)
    }

    /// Whether the person is to be told that the page is outdated: once for each newer page, when a reload loses nothing.
    #[must_use]
    pub fn is_announced(self) -> bool {
        let newer = self.newer_page();
        newer.is_some() && newer != self.put_off.get() && self.may_reload()
    }

    /// Does not announce the newer page again.
    pub fn put_off(self) {
        self.put_off.set(self.newer_page());
    }

    fn newer_page(self) -> Option<String> {
        let page = self
            .program
            .with(|program| program.as_ref()?.page.clone())?;
        let is_newer = |own: &Option<String>| own.as_ref().is_some_and(|own| *own != page);
        self.own_page.with_value(is_newer).then_some(page)
    }
}
