//! The places of the page that rooms fill. The view of the kernel calls them where they are; the root says what stands
//! in them, and in which order. A part of the kernel stands in a place too, where its neighbours are a room's.

use leptos::prelude::*;
use sash_chat::Id;
use sash_ui_kit::IconName;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// What stands in a place; nothing in one that is not filled.
#[derive(Clone, Copy)]
pub struct Place(StoredValue<Option<ChildrenFn>>);

impl Place {
    fn new(children: Option<ChildrenFn>) -> Self {
        Self(StoredValue::new(children))
    }

    /// Builds its components, under the current owner: they find the contexts of the row or dialog that the place is in.
    #[must_use]
    pub fn view(self) -> Option<AnyView> {
        // Copied out first: a component may ask for the same place of another row.
        self.0.get_value().map(|children| children())
    }
}

/// An action below the models of the model picker.
#[derive(Clone)]
pub struct PickerAction {
    /// Its icon.
    pub icon: IconName,
    /// Its words.
    pub name: String,
    /// Does it.
    pub run: Arc<dyn Fn() + Send + Sync>,
}

impl PickerAction {
    /// An action of a room.
    pub fn new(
        icon: IconName,
        name: impl Into<String>,
        run: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        Self {
            icon,
            name: name.into(),
            run: Arc::new(run),
        }
    }
}

// What it does is said by its words.
impl PartialEq for PickerAction {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for PickerAction {}

impl Hash for PickerAction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

/// The actions for what is searched for in the model picker. May read signals.
pub type FindPickerActions = Arc<dyn Fn(&str) -> Vec<PickerAction> + Send + Sync>;

/// Actions in the model picker. Those of each slot stand below those of the one before.
#[slot]
pub struct PickerActions {
    /// Finds them.
    find: FindPickerActions,
}

/// A tab of *All chats*.
#[slot]
pub struct AllChatsTab {
    /// Its name, by which it is opened.
    name: &'static str,
    /// Its title.
    title: fn() -> &'static str,
    /// What it shows.
    children: ChildrenFn,
}

/// A tab of *All chats*.
#[derive(Clone, Copy)]
pub struct AllChatsPlace {
    /// Its name, by which it is opened.
    pub name: &'static str,
    /// Its title.
    pub title: fn() -> &'static str,
    /// What it shows.
    pub content: Place,
}

impl From<AllChatsTab> for AllChatsPlace {
    fn from(tab: AllChatsTab) -> Self {
        Self {
            name: tab.name,
            title: tab.title,
            content: Place::new(Some(tab.children)),
        }
    }
}

/// A row of a room in the transcript.
#[slot]
pub struct InsertedRow {
    /// The message below which it stands; none where there is no such row.
    after: Signal<Option<Id>>,
    /// What it shows.
    children: ChildrenFn,
}

/// The message below which the inserted row around stands.
#[derive(Clone, Copy)]
pub struct InsertedAfter(pub Id);

/// Makes of one table the slots, the context with all places, and the component that fills them.
macro_rules! places {
    ($($(#[$doc:meta])* $slot:ident $place:ident;)*) => {
        $(
            $(#[$doc])*
            #[slot]
            pub struct $slot {
                /// What stands in it.
                children: ChildrenFn,
            }
        )*

        /// All places.
        #[derive(Clone, Copy)]
        pub struct PlacesContext {
            $($(#[$doc])* pub $place: Place,)*
            /// The tabs of *All chats*.
            pub all_chats: StoredValue<Vec<AllChatsPlace>>,
            /// The message below which the inserted row stands.
            pub inserted_after: Signal<Option<Id>>,
            /// The inserted row.
            pub inserted_row: Place,
            /// The actions in the model picker.
            pub picker_actions: StoredValue<Vec<FindPickerActions>>,
        }

        /// Fills the places of the page in it. Slots stand directly in it, not in an element.
        #[component]
        pub fn Places(
            $($(#[$doc])* #[prop(optional)] $place: Option<$slot>,)*
            /// The tabs of *All chats*.
            #[prop(default = vec![])]
            all_chats_tab: Vec<AllChatsTab>,
            /// A row of a room in the transcript.
            #[prop(optional)]
            inserted_row: Option<InsertedRow>,
            /// The actions in the model picker.
            #[prop(default = vec![])]
            picker_actions: Vec<PickerActions>,
            /// The page.
            children: Children,
        ) -> impl IntoView {
            let inserted_after = inserted_row.as_ref().map(|slot| slot.after);
            provide_context(PlacesContext {
                all_chats: StoredValue::new(all_chats_tab.into_iter().map(Into::into).collect()),
                inserted_after: inserted_after.unwrap_or_default(),
                inserted_row: Place::new(inserted_row.map(|slot| slot.children)),
                $($place: Place::new($place.map(|slot| slot.children)),)*
                picker_actions: StoredValue::new(
                    picker_actions.into_iter().map(|slot| slot.find).collect(),
                ),
            });
            children()
        }
    };
}

places! {
    /// Beside the conversation: the list of chats.
    Aside aside;
    /// Below the list of chats.
    ListEnd list_end;
    /// The header's end, after the title.
    HeaderButtons header_buttons;
    /// The menu of the open chat, before its end.
    ChatMenu chat_menu;
    /// Warnings of a line each, above the transcript.
    Banners banners;
    /// Between transcript and composer: what helps where nothing can be asked.
    EngineHelp engine_help;
    /// The end of what an empty chat shows.
    Start start;
    /// The lines above the prompt field.
    ComposerLines composer_lines;
    /// The buttons below the prompt field.
    ComposerTools composer_tools;
    /// After these: what is set for the answers.
    ComposerChips composer_chips;
    /// Before the prompt field, in its frame.
    FieldExtras field_extras;
    /// The end of the menu of rules.
    RuleChoices rule_choices;
    /// Below the field of an edited question.
    VersionLines version_lines;
    /// The end of an answer's text, and all of a tool's result.
    MessageBody message_body;
    /// The field of an answer that is edited.
    AnswerEditor answer_editor;
    /// Below the text of a message.
    MessageNotes message_notes;
    /// Where the model of an answer is missing: what helps better than to ask again.
    FirstRemedies first_remedies;
    /// What else helps after an answer that failed.
    MessageRemedies message_remedies;
    /// The buttons of a message.
    MessageActions message_actions;
    /// The beginning of a message's menu.
    MessageMenu message_menu;
    /// What works on the whole transcript, and shows nothing of its own.
    TranscriptTools transcript_tools;
    /// The lines of the panel's summary.
    PanelLines panel_lines;
    /// In the meter of the context, above what is filled of it.
    MeterMarks meter_marks;
    /// The sections of the settings.
    SettingsSections settings_sections;
    /// The settings of writing, below the key that sends.
    WritingSettings writing_settings;
    /// The line above what a tab of *All chats* shows.
    AllChatsLines all_chats_lines;
    /// The dialogs.
    Dialogs dialogs;
}

/// The places, from the context.
#[must_use]
pub fn use_places() -> PlacesContext {
    expect_context()
}
