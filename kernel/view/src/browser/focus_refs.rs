//! The elements to which others give the focus.

use leptos::html;
use leptos::prelude::*;
use sash_browser_kit::page::focus;
use sash_stores::edges::FocusTarget;

/// The elements to which the stores and components elsewhere on the page give the focus. The component that shows one
/// binds it with `node_ref`.
#[derive(Clone, Copy, Default)]
pub struct FocusRefs {
    /// The prompt field.
    pub prompt: NodeRef<html::Textarea>,
    /// The line below it that opens the rules.
    pub window_line: NodeRef<html::Button>,
    /// The open chat's title.
    pub chat_title: NodeRef<html::H1>,
    /// The transcript.
    pub conversation: NodeRef<html::Section>,
    /// The button that shows the list of chats, on a narrow page.
    pub chats_button: NodeRef<html::Button>,
    /// The button that opens the panel.
    pub panel_button: NodeRef<html::Button>,
    /// The title of the panel.
    pub panel_title: NodeRef<html::H2>,
}

impl FocusRefs {
    /// Provides the elements as a context.
    pub fn provide() -> Self {
        let refs = Self::default();
        provide_context(refs);
        refs
    }

    /// The elements, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Moves focus to what a store names.
    pub fn focus(self, target: FocusTarget) {
        match target {
            FocusTarget::Prompt => focus(self.prompt),
            FocusTarget::ChatTitle => focus(self.chat_title),
        }
    }
}
