//! The keys that are always the same: where they apply, and what each does.

use crate::Keyboard;
use sash_words::t;

/// The keys of each place of the page, as they are written on this keyboard.
pub fn fixed_keys(keyboard: Keyboard) -> [(&'static str, Vec<(String, &'static str)>); 4] {
    let [ctrl, alt, shift] = keyboard.names();
    let up_down = || t!(palette.up_down).to_owned();
    let home_end = || t!(palette.home_end).to_owned();
    let writing = vec![
        ("Enter".to_owned(), t!(palette.send_or_queue)),
        (format!("{shift}+Enter"), t!(palette.new_line)),
        (
            t!(palette.key_up).to_owned(),
            t!(palette.edit_last_question),
        ),
        (
            format!("{alt}+{}", up_down()),
            t!(palette.walk_through_your_questions),
        ),
        ("/clear".to_owned(), t!(palette.clear_context)),
    ];
    let everywhere = vec![
        (t!(palette.esc).to_owned(), t!(palette.stop_or_close)),
        (format!("{ctrl}+Z"), t!(palette.undo_outside_fields)),
        (t!(palette.any_letter).to_owned(), t!(palette.keep_writing)),
        ("?".to_owned(), t!(palette.shortcut_list)),
    ];
    let edge = vec![
        (up_down(), t!(palette.send_more_or_fewer)),
        (t!(palette.pgup_pgdn).to_owned(), t!(palette.ten_at_once)),
        (home_end(), t!(palette.everything_nothing)),
    ];
    let chats = vec![
        (up_down(), t!(palette.previous_next_chat)),
        (home_end(), t!(palette.first_last_chat)),
        (
            format!("{shift}+{}", up_down()),
            t!(palette.select_or_extend),
        ),
        (
            t!(palette.left_right).to_owned(),
            t!(palette.close_open_a_folder),
        ),
        (t!(palette.f2).to_owned(), t!(palette.rename_the_chat)),
    ];
    [
        (t!(common.writing), writing),
        (t!(palette.everywhere), everywhere),
        (t!(palette.at_first_sent_message), edge),
        (t!(palette.in_chat_list), chats),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Alt and Shift were written in words beside ⌘.
    #[test]
    fn keys_are_named_as_they_are_written_on_the_keyboard() {
        let held = |keyboard| {
            let groups = fixed_keys(keyboard).into_iter();
            let keys = groups.flat_map(|(_, keys)| keys).map(|(key, _)| key);
            keys.filter(|key| key.contains('+')).collect::<Vec<_>>()
        };
        assert_eq!(
            held(Keyboard::Words),
            ["Shift+Enter", "Alt+Up, Down", "Ctrl+Z", "Shift+Up, Down"]
        );
        assert_eq!(
            held(Keyboard::Apple),
            ["⇧+Enter", "⌥+Up, Down", "⌘+Z", "⇧+Up, Down"]
        );
    }
}
