//! The icons: one set, all with the same stroke.

use leptos::prelude::*;

/// An icon. It is always next to or inside an element with a name in words.
#[component]
pub fn Icon(
    /// Which one.
    name: IconName,
) -> impl IntoView {
    view! {
        <svg class="icon" data-directed=name.is_directed().then_some("") viewBox="0 0 24 24" aria-hidden="true">
            <path d=name.path() />
        </svg>
    }
}

/// The name of an icon.
#[derive(Clone, Copy, Debug)]
pub enum IconName {
    /// New.
    Plus,
    /// Open the list of chats.
    Menu,
    /// Rename, edit.
    Pencil,
    /// Delete.
    Trash,
    /// Copy.
    Copy,
    /// Copied.
    Tick,
    /// Ask again.
    Again,
    /// More actions.
    More,
    /// The previous version.
    Left,
    /// The next version.
    Right,
    /// Move up.
    Up,
    /// Jump to the end, move down.
    Down,
    /// Send.
    Send,
    /// Stop.
    Stop,
    /// Light theme.
    Sun,
    /// Dark theme.
    Moon,
    /// The system's theme.
    Half,
    /// Close.
    Close,
    /// What the model sees.
    Eye,
    /// Always sent.
    Pin,
    /// Never sent.
    Mute,
    /// Find.
    Search,
    /// Parameters.
    Sliders,
    /// Files.
    File,
    /// Tools.
    Tool,
    /// A folder.
    Folder,
    /// Archive.
    Archive,
    /// Save as a file.
    Download,
    /// Settings.
    Settings,
    /// No longer at the top.
    PinOff,
    /// Several models beside each other.
    Columns,
    /// Compare.
    Compare,
    /// What if.
    Question,
    /// Carry an answer on.
    Continue,
    /// A branch.
    Branch,
    /// For the moment only.
    Clock,
    /// Keep.
    Bookmark,
    /// A text that goes with each question.
    Text,
    /// Clear the context.
    Cut,
    /// Print.
    Printer,
    /// Share as a file.
    Share,
    /// A new folder.
    FolderPlus,
    /// Select.
    Checkbox,
    /// Numbers.
    Chart,
    /// Storage.
    Storage,
    /// Export and import.
    Transfer,
    /// Commands.
    Command,
    /// Keys.
    Keyboard,
    /// Take out of the archive.
    Unarchive,
    /// Read aloud.
    Speaker,
    /// Stop reading aloud.
    SpeakerOff,
    /// On a phone.
    Phone,
    /// Order.
    Sort,
    /// Details.
    Details,
    /// Import.
    Upload,
    /// Models.
    Models,
}

impl IconName {
    /// Whether it points along the line, and so the other way in a language that is written from the right.
    fn is_directed(self) -> bool {
        matches!(self, Self::Left | Self::Right | Self::Continue | Self::Text)
    }

    /// The SVG path in a view box of 24 by 24.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Plus => "M12 5v14M5 12h14",
            Self::Menu => "M4 7h16M4 12h16M4 17h10",
            Self::Pencil => "M4 20l1-4L16.5 4.5l3 3L8 19l-4 1M14 7l3 3",
            Self::Trash => "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5",
            Self::Copy => "M9 9h11v11H9zM15 9V4H4v11h5",
            Self::Tick => "M5 12.5l4.5 4.5L19 7.5",
            Self::Again => "M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5",
            Self::More => {
                "M5.9 12a.7.7 0 1 1-1.4 0 .7.7 0 1 1 1.4 0M12.7 12a.7.7 0 1 1-1.4 0 .7.7 0 1 1 1.4 0M19.5 12a.7.7 0 1 1-1.4 0 .7.7 0 1 1 1.4 0"
            }
            Self::Left => "M14.5 6l-6 6 6 6",
            Self::Right => "M9.5 6l6 6-6 6",
            Self::Up => "M12 19V6M6 11.5l6-6 6 6",
            Self::Down => "M12 5v13M6 12.5l6 6 6-6",
            Self::Send => "M12 19V6M6 11.5l6-6 6 6",
            Self::Stop => "M7 7h10v10H7z",
            Self::Sun => {
                "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4"
            }
            Self::Moon => "M19 14.5A7.5 7.5 0 0 1 9.5 5 7.5 7.5 0 1 0 19 14.5z",
            Self::Half => "M12 4a8 8 0 1 0 0 16V4M12 4a8 8 0 0 1 0 16",
            Self::Pin => "M9 4h6M10 4v6l-3.5 4h11L14 10V4M12 14v6",
            Self::Mute => "M9 5h10v10h-3M15 15h-3l-4 4v-4H5V5M4 3l16 17",
            Self::Search => "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.2 15.2L20 20",
            Self::Sliders => {
                "M4 8h9m6 0h1M4 16h1m6 0h9M13 8a3 3 0 1 0 6 0a3 3 0 1 0-6 0M5 16a3 3 0 1 0 6 0a3 3 0 1 0-6 0"
            }
            Self::Tool => {
                "M20 7.5a4.5 4.5 0 0 1-6.2 4.2L7 18.5a1.8 1.8 0 0 1-2.5-2.5l6.8-6.8A4.5 4.5 0 0 1 17 3.5l-2.7 2.7.9 2.6 2.6.9z"
            }
            Self::Settings => "M12 3l7.8 4.5v9L12 21l-7.8-4.5v-9zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6",
            Self::Folder => "M4 6h6l2 2.5h8V19H4z",
            Self::Archive => "M4 5h16v4H4zM5.5 9v10h13V9M10 13h4",
            Self::Download => "M12 4v11M7 10.5l5 5 5-5M5 20h14",
            Self::File => "M14 4H6v16h12V8zM14 4v4h4M9 13h6M9 16.5h6",
            Self::PinOff => "M9 4h6M10 4v6l-3.5 4h11L14 10V4M12 14v6M4 4l16 16",
            Self::Columns => "M4 5h16v14H4zM12 5v14",
            Self::Compare => "M4 8h13M14 5l3 3-3 3M20 16H7M10 13l-3 3 3 3",
            Self::Question => {
                "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.9-1.1 1.8M12 16.5v.01"
            }
            Self::Continue => "M4 7h16M4 12h16M4 17h5M13 17h7M17 14l3 3-3 3",
            Self::Branch => {
                "M7 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4M7 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4M17 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4M7 8v8M17 8c0 4-10 3-10 8"
            }
            Self::Clock => "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 7.5V12l3 2",
            Self::Bookmark => "M7 4h10v16l-5-4-5 4z",
            Self::Text => "M4 6h16M4 10h16M4 14h11M4 18h7",
            Self::Cut => {
                "M6.5 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M6.5 20a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M8.5 8l11 9M8.5 16l11-9"
            }
            Self::Printer => "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z",
            Self::Share => "M12 15V4M8 7.5L12 4l4 3.5M6 11v9h12v-9",
            Self::FolderPlus => "M4 6h6l2 2.5h8V19H4zM12 11v5M9.5 13.5h5",
            Self::Checkbox => "M4.5 4.5h15v15h-15zM8 12l3 3 5-6",
            Self::Chart => "M4 20h16M7 17v-5M12 17V6M17 17V9",
            Self::Storage => {
                "M5 6.5c0-3.3 14-3.3 14 0s-14 3.3-14 0M5 6.5v11c0 3.3 14 3.3 14 0v-11M5 12c0 3.3 14 3.3 14 0"
            }
            Self::Transfer => "M8 20V5M4.5 8.5L8 5l3.5 3.5M16 4v15M12.5 15.5L16 19l3.5-3.5",
            Self::Command => "M5 7l5 5-5 5M12 18h7",
            Self::Keyboard => {
                "M3 6h18v12H3zM7 10v.01M11 10v.01M15 10v.01M17 14v.01M7 14v.01M10.5 14h3"
            }
            Self::Unarchive => "M4 5h16v4H4zM5.5 9v10h13V9M12 16.5v-5M9.5 13.5l2.5-2.5 2.5 2.5",
            Self::Speaker => {
                "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11"
            }
            Self::SpeakerOff => "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5",
            Self::Sort => "M7 5v14M3.5 15.5L7 19l3.5-3.5M13 6h4M13 11h6M13 16h8",
            Self::Details => "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M12 11v5.5M12 7.7v.01",
            Self::Upload => "M12 16V4M7 9l5-5 5 5M5 20h14",
            Self::Models => "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
            Self::Phone => "M8 3h8v18H8zM11 18h2",
            Self::Close => "M6 6l12 12M18 6L6 18",
            Self::Eye => "M3 12c3-8 15-8 18 0-3 8-15 8-18 0M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6",
        }
    }
}
