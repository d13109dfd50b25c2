//! All commands, of the chat and of its features.

use sash_view::commands;
use sash_view::stores::use_kernel;
use sash_words::t;

/// Adds them in the order in which they are listed: of two that are given the same keys the first has them.
pub fn add_commands() {
    let all = [
        commands::new_chat(),
        commands::new_temporary_chat(),
        commands::keep_chat(),
        palette::palette_command(),
        recall::search_command(),
        commands::panel(),
        recall::include_command(),
        commands::stop(),
        commands::undo(),
        commands::write(),
        prompts::keep_command(),
        commands::rules(),
        commands::start_afresh(),
        commands::system_prompt(),
        parameters::parameters_command(),
        compare::several_command(),
        tools::tools_command(),
        commands::rename(),
        titles::title_command(),
        export::print_command(),
        export::share_command(),
        commands::delete_chat(),
        models::models_command(),
        commands::settings(),
        appearance::theme_command(),
        numbers::numbers_command(),
        commands::all_chats_tab("trash", || t!(common.trash)),
        commands::all_chats_tab("storage", || t!(common.storage)),
        export::transfer_command(),
        phone::phone_command(),
        palette::keys_command(),
    ];
    let commands = use_kernel().commands();
    for command in all {
        commands.add(command);
    }
}
