//! All commands, of the chat and of its features.

use super::{
    commands, compare, header, keys, library, models, numbers, palette, parameters, phone, prompts,
    recall, settings, share, tools,
};
use crate::ui::stores::use_kernel;

/// Adds them in the order in which they are listed: of two that are given the same keys the first has them.
pub fn add_commands() {
    let all = [
        commands::new_chat(),
        commands::new_temporary_chat(),
        commands::keep_chat(),
        palette::palette_command(),
        library::search_command(),
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
        header::title_command(),
        share::print_command(),
        share::share_command(),
        commands::delete_chat(),
        models::models_command(),
        commands::settings(),
        settings::theme_command(),
        numbers::numbers_command(),
        library::trash_command(),
        library::storage_command(),
        library::transfer_command(),
        phone::phone_command(),
        keys::keys_command(),
    ];
    for command in all {
        use_kernel().commands().add(command);
    }
}
