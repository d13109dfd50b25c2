//! The chat's own commands: what they do.

use crate::browser::focus_refs::FocusRefs;
use crate::panel::toggle;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_stores::Kernel;
use sash_stores::hooks::Command;
use sash_words::t;

/// Whether the open chat has messages.
pub fn has_messages(kernel: Kernel) -> bool {
    kernel.chats().path.with(|path| !path.is_empty())
}

/// Opens the tab of *All chats* of that name.
pub fn all_chats_tab(name: &'static str, words: fn() -> &'static str) -> Command {
    let view = use_kernel().view();
    Command::new(name, words, move || view.show_all_chats(name))
}

/// Begins a chat.
pub fn new_chat() -> Command {
    let kernel = use_kernel();
    let run = move || {
        kernel.chats().begin_chat();
        // Focus stays in the prompt field, where a screen reader says nothing of another chat.
        kernel.notices().announce(t!(common.new_chat));
    };
    let command = Command::new("new-chat", || t!(common.new_chat), run);
    command.with_keys("alt+n").of_chat()
}

/// Begins a chat that is stored nowhere.
pub fn new_temporary_chat() -> Command {
    let chats = use_kernel().chats();
    let words = || t!(common.new_temporary_chat);
    let command = Command::new("new-temporary-chat", words, move || chats.begin_temporary());
    command.with_keys("alt+shift+n").of_chat()
}

/// Stores a temporary chat.
pub fn keep_chat() -> Command {
    let kernel = use_kernel();
    let chats = kernel.chats();
    let run = move || chats.keep_temporary(chats.open_id_untracked());
    let can = move || has_messages(kernel) && chats.is_temporary(chats.open_id());
    let command = Command::new("keep-chat", || t!(common.keep_this_chat), run);
    command.of_chat().when(can)
}

/// Shows or hides what the model sees.
pub fn panel() -> Command {
    let (shown, refs) = (use_kernel().view().panel_shown, FocusRefs::expect());
    let run = move || toggle(shown, refs);
    let command = Command::new("panel", || t!(panel.title), run);
    command.with_keys("alt+w").of_chat()
}

/// Ends the answer. The page handles its key itself: Escape closes other things first.
pub fn stop() -> Command {
    let (chats, answers) = (use_kernel().chats(), use_kernel().answers());
    let run = move || answers.stop(chats.open_id_untracked());
    let command = Command::new("stop", || t!(commands.stop_the_answer), run);
    let can = move || answers.is_busy(chats.open_id());
    command.with_keys("escape").when(can)
}

/// Undoes the last step. The page handles its keys itself: in a field they undo what was typed.
pub fn undo() -> Command {
    let chats = use_kernel().chats();
    let words = || t!(commands.undo_last_step);
    Command::new("undo", words, move || _ = chats.undo_last()).with_keys("ctrl+z")
}

/// Goes to the prompt field.
pub fn write() -> Command {
    let prompt = FocusRefs::expect().prompt;
    let words = || t!(commands.go_to_prompt_field);
    Command::new("write", words, move || page::focus_soon(prompt))
}

/// Opens the rules for what goes with each question.
pub fn rules() -> Command {
    let shown = use_kernel().view().rules_shown;
    let words = || t!(composer.sent_with_question);
    Command::new("rules", words, move || shown.set(true)).of_chat()
}

/// Leaves out everything above.
pub fn start_afresh() -> Command {
    let kernel = use_kernel();
    let words = || t!(common.start_afresh_here);
    let command = Command::new("start-afresh", words, move || {
        kernel.steering().clear_window();
    });
    command.of_chat().when(move || has_messages(kernel))
}

/// Opens the system prompt.
pub fn system_prompt() -> Command {
    let shown = use_kernel().view().system_shown;
    let words = || t!(common.system_prompt);
    Command::new("system-prompt", words, move || shown.set(true)).of_chat()
}

/// Changes the title of the chat.
pub fn rename() -> Command {
    let kernel = use_kernel();
    let renaming = kernel.view().renaming;
    let words = || t!(commands.rename_this_chat);
    let command = Command::new("rename", words, move || renaming.set(true));
    command.of_chat().when(move || has_messages(kernel))
}

/// Deletes the chat, which can be undone.
pub fn delete_chat() -> Command {
    let kernel = use_kernel();
    let (chats, answers) = (kernel.chats(), kernel.answers());
    let run = move || answers.delete_chat(chats.open_id_untracked());
    let words = || t!(commands.delete_this_chat);
    Command::new("delete-chat", words, run).when(move || has_messages(kernel))
}

/// Opens the settings.
pub fn settings() -> Command {
    let view = use_kernel().view();
    let run = move || view.show_page("settings");
    Command::new("settings", || t!(common.settings), run).with_keys("ctrl+,")
}
