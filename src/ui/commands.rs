//! The chat's own commands: what they do.

use crate::browser::focus_refs::FocusRefs;
use crate::ui::stores::use_kernel;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_state::Kernel;
use sash_state::hooks::{Command, On};
use sash_words::t;

/// Whether the open chat has messages.
pub fn has_messages(kernel: Kernel) -> bool {
    kernel.chats().path.with(|path| !path.is_empty())
}

/// Begins a chat.
pub fn new_chat() -> Command {
    let kernel = use_kernel();
    let run = move || {
        kernel.chats().begin_chat();
        // Focus stays in the prompt field, where a screen reader says nothing of another chat.
        kernel.notices().announce(t!(common.new_chat));
    };
    Command {
        keys: "alt+n",
        on: On::Chat,
        ..Command::new("new-chat", || t!(common.new_chat), run)
    }
}

/// Begins a chat that is stored nowhere.
pub fn new_temporary_chat() -> Command {
    let kernel = use_kernel();
    let run = move || kernel.chats().begin_temporary();
    let words = || t!(common.new_temporary_chat);
    Command {
        keys: "alt+shift+n",
        on: On::Chat,
        ..Command::new("new-temporary-chat", words, run)
    }
}

/// Stores a temporary chat.
pub fn keep_chat() -> Command {
    let kernel = use_kernel();
    let chats = kernel.chats();
    let can = move || has_messages(kernel) && chats.is_temporary(chats.open_id());
    let run = move || chats.keep_temporary(chats.open_id_untracked());
    Command {
        on: On::Chat,
        can: Box::new(can),
        ..Command::new("keep-chat", || t!(common.keep_this_chat), run)
    }
}

/// Shows or hides what the model sees.
pub fn panel() -> Command {
    let (shown, refs) = (use_kernel().view().panel_shown, FocusRefs::expect());
    let run = move || {
        shown.update(|shown| *shown = !*shown);
        match shown.get_untracked() {
            true => page::focus_soon(refs.panel_title),
            false => page::focus_soon(refs.panel_button),
        }
    };
    Command {
        keys: "alt+w",
        on: On::Chat,
        ..Command::new("panel", || t!(panel.what_the_model_sees), run)
    }
}

/// Ends the answer. The page handles its key itself: Escape closes other things first.
pub fn stop() -> Command {
    let kernel = use_kernel();
    let (chats, answers) = (kernel.chats(), kernel.answers());
    let run = move || answers.stop(chats.open_id_untracked());
    Command {
        keys: "escape",
        can: Box::new(move || answers.is_busy(chats.open_id())),
        ..Command::new("stop", || t!(palette.stop_the_answer), run)
    }
}

/// Undoes the last step. The page handles its keys itself: in a field they undo what was typed.
pub fn undo() -> Command {
    let chats = use_kernel().chats();
    let run = move || _ = chats.undo_last();
    Command {
        keys: "ctrl+z",
        ..Command::new("undo", || t!(palette.undo_the_last_step), run)
    }
}

/// Goes to the prompt field.
pub fn write() -> Command {
    let prompt = FocusRefs::expect().prompt;
    let words = || t!(palette.go_to_the_prompt_field);
    Command::new("write", words, move || page::focus_soon(prompt))
}

/// Opens the rules for what goes with each question.
pub fn rules() -> Command {
    let shown = use_kernel().view().rules_shown;
    let words = || t!(composer.what_goes_with_each_question);
    of_chat(Command::new("rules", words, move || shown.set(true)))
}

/// Leaves out everything above.
pub fn start_afresh() -> Command {
    let kernel = use_kernel();
    let run = move || kernel.steering().clear_window();
    let words = || t!(common.start_afresh_here);
    with_messages(of_chat(Command::new("start-afresh", words, run)))
}

/// Opens the system prompt.
pub fn system_prompt() -> Command {
    let shown = use_kernel().view().system_shown;
    let words = || t!(common.system_prompt);
    of_chat(Command::new("system-prompt", words, move || {
        shown.set(true)
    }))
}

/// Changes the title of the chat.
pub fn rename() -> Command {
    let renaming = use_kernel().view().renaming;
    let words = || t!(palette.rename_this_chat);
    with_messages(of_chat(Command::new("rename", words, move || {
        renaming.set(true)
    })))
}

/// Deletes the chat, which can be undone.
pub fn delete_chat() -> Command {
    let kernel = use_kernel();
    let run = move || {
        kernel
            .answers()
            .delete_chat(kernel.chats().open_id_untracked())
    };
    let words = || t!(palette.delete_this_chat);
    with_messages(Command::new("delete-chat", words, run))
}

/// Opens the settings.
pub fn settings() -> Command {
    let view = use_kernel().view();
    let run = move || view.show_page("settings");
    Command {
        keys: "ctrl+,",
        ..Command::new("settings", || t!(common.settings), run)
    }
}

fn of_chat(command: Command) -> Command {
    Command {
        on: On::Chat,
        ..command
    }
}

/// The command with nothing to do in a chat without messages.
pub fn with_messages(command: Command) -> Command {
    let kernel = use_kernel();
    Command {
        can: Box::new(move || has_messages(kernel)),
        ..command
    }
}
