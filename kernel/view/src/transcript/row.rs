//! The rows of the transcript.

use leptos::prelude::*;
use sash_chat::{ChatSettingsStoreFields, Id};
use sash_stores::Kernel;
use sash_virtual_list::{ListRow, Virtualizer};

/// An item of the transcript. Each row occurs once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Row {
    /// A message.
    Message(Id),
    /// The row of a room below this message.
    Inserted(Id),
    /// The clearing after this message.
    FreshStart(Id),
    /// The line at the upper edge of the window, once messages above it have left.
    WindowEdge,
}

impl ListRow for Row {
    type Id = Id;

    fn of(id: Id) -> Self {
        Self::Message(id)
    }

    /// The line of a clearing or of the window is no message.
    fn is_content(self) -> bool {
        matches!(self, Self::Message(_))
    }

    fn is_mark(self) -> bool {
        self == Self::WindowEdge
    }
}

/// The rows on the page.
pub type RowList = Virtualizer<Row>;

/// Selector of rows that stay mounted wherever they are: those in use, and those with a fold that the person opened
/// or closed. A fold that is open from the beginning has `data-unfolded`.
pub const RETAINED: &str = ":focus-within, [data-state=running], [data-state=waiting], :has(.edit, .receipt, .waiting-calls, details[open]:not([data-unfolded]), details[data-unfolded]:not([open]))";

/// The place of the line at the upper edge of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgePlace {
    /// Above this message, the first one that the rule sends, or the question that the model needs before it.
    Above(Id),
    /// Below the last message: the rule sends none.
    End,
}

/// Where the line is shown; `None` while the rule leaves out none of the chat. The line of a clearing says itself that the
/// model sees nothing above it.
pub fn edge_place(kernel: Kernel) -> Option<EdgePlace> {
    kernel.steering().chosen.with(|window| {
        let last_left = window.last_left?;
        let chosen = window.stops.get(window.edge).map(|stop| stop.id);
        let path = kernel.chats().path;
        let place = |id: Id| path.with(|path| path.iter().rposition(|known| *known == id));
        // The question of a pinned answer further up is no part of what the rule sends.
        let question = window
            .question_before()
            .filter(|question| place(*question) > place(last_left));
        Some(question.or(chosen).map_or(EdgePlace::End, EdgePlace::Above))
    })
}

/// The rows of the shown branch, with the line at `edge` and the row of a room below the message `inserted`.
pub fn rows(kernel: Kernel, edge: Option<EdgePlace>, inserted: Option<Id>) -> Vec<Row> {
    let cleared = kernel.chats().open_settings().cleared().get();
    let tree = kernel.chats().open_tree();
    let starts = tree.with(|tree| tree.effective_clearings(&cleared));
    let mut rows = Vec::new();
    kernel.chats().path.with(|path| {
        for id in path {
            if edge == Some(EdgePlace::Above(*id)) {
                rows.push(Row::WindowEdge);
            }
            rows.push(Row::Message(*id));
            if inserted == Some(*id) {
                rows.push(Row::Inserted(*id));
            }
            if starts.contains(id) {
                rows.push(Row::FreshStart(*id));
            }
        }
    });
    if edge == Some(EdgePlace::End) {
        rows.push(Row::WindowEdge);
    }
    rows
}

/// Estimates the height of a row that was never on the page, in a list of this width, both in pixels.
pub fn estimate_height(kernel: Kernel, row: Row, width: i32) -> i32 {
    // Pixels around a text, of a line, and of a letter: averages of the page's own styles.
    const ROW_CHROME_PX: i32 = 58;
    const LINE_PX: i32 = 26;
    const LETTER_PX: i32 = 8;
    const FRESH_START_PX: i32 = 40;
    const WINDOW_EDGE_PX: i32 = 32;
    const INSERTED_PX: i32 = 240;
    let id = match row {
        Row::Message(id) => id,
        Row::FreshStart(_) => return FRESH_START_PX,
        Row::Inserted(_) => return INSERTED_PX,
        Row::WindowEdge => return WINDOW_EDGE_PX,
    };
    const IMAGES_PX: i32 = 248;
    let (length, images) = kernel.chats().open.with_untracked(|chat| {
        let message = chat.get(id);
        message.map_or((0, false), |message| {
            (message.content.len(), !message.images.is_empty())
        })
    });
    let letters = ((width - 56) / LETTER_PX).max(20);
    let lines = i32::try_from(length).unwrap_or_default() / letters + 1;
    ROW_CHROME_PX + LINE_PX * lines + i32::from(images) * IMAGES_PX
}
