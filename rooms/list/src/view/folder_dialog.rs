//! A folder: its name, and what its chats have from it.

use crate::ChatList;
use leptos::html;
use leptos::prelude::*;
use sash_browser_kit::console::LogError;
use sash_chat::{Folder, Id, ModelId};
use sash_ui_kit::{Dialog, DialogState, Mirror, OtherValue, ParameterField, use_mirror};
use sash_view::parts::model_choices;
use sash_view::stores::use_kernel;
use sash_wire::{PARAMETERS, parameter_text};
use sash_words::t;
use web_sys::KeyboardEvent;

/// The dialog with the settings of a folder, a new or an existing one.
#[component]
pub fn FolderDialog() -> impl IntoView {
    let list = ChatList::expect();
    // The fields of the dialog while it is open.
    let fields = StoredValue::new(None::<FolderFields>);
    let save = move |()| {
        if let Some(fields) = fields.get_value() {
            list.save_folder(fields.id, fields.folder());
        }
    };
    let shown = DialogState::new(
        move || list.editing.with(Option::is_some),
        move || list.editing.set(None),
    );

    view! {
        <Dialog class="folder" title=t!(list.folder) shown on_save=save>
            <FolderEditor fields on_enter=save />
        </Dialog>
    }
}

/// The fields of a folder. Name and system prompt follow another tab, and what is saved is what they show.
#[derive(Clone, Copy)]
struct FolderFields {
    /// `None` for a new one.
    id: Option<Id>,
    name: Mirror,
    system: Mirror,
    /// What else the folder has.
    draft: RwSignal<Folder>,
}

impl FolderFields {
    /// The folder as it will be saved.
    fn folder(self) -> Folder {
        let system = self.system.text.get_untracked();
        Folder {
            name: self.name.text.get_untracked(),
            system: Some(system).filter(|text| !text.trim().is_empty()),
            ..self.draft.get_untracked()
        }
    }
}

/// The form of the folder.
#[component]
fn FolderEditor(
    /// Takes its fields.
    fields: StoredValue<Option<FolderFields>>,
    /// Saves it; Enter in the name calls it and closes the dialog.
    #[prop(into)]
    on_enter: Callback<()>,
) -> impl IntoView {
    let (kernel, list) = (use_kernel(), ChatList::expect());
    let id = list.editing.get_untracked().flatten();
    let known = id.and_then(|id| kernel.chats().folder(id));
    let is_new = known.is_none();
    let now = known.unwrap_or_else(|| Folder::new(Id(0), t!(list.new_folder), 0));
    let draft = RwSignal::new(now.clone());
    let stored = Memo::new(move |_| {
        let is_it = |folder: &&Folder| Some(folder.id) == id;
        let known = kernel
            .chats()
            .folders
            .with(|all| all.iter().find(is_it).cloned());
        known.map(|folder| (folder.name, folder.system.unwrap_or_default()))
    });
    let (name, system) = (now.name, now.system.unwrap_or_default());
    let name = use_mirror(move || stored.get().map_or_else(|| name.clone(), |known| known.0));
    let system = use_mirror(move || stored.get().map_or_else(|| system.clone(), |known| known.1));
    fields.set_value(Some(FolderFields {
        id,
        name,
        system,
        draft,
    }));

    let field = NodeRef::<html::Input>::new();
    if is_new {
        // Typing replaces the name that a new folder has.
        request_animation_frame(move || {
            if let Some(field) = field.try_get_untracked().flatten() {
                field.focus().log_error();
                field.select();
            }
        });
    }
    let on_keydown = move |event: KeyboardEvent| {
        if event.key() == "Enter" {
            event.prevent_default();
            on_enter.run(());
            list.editing.set(None);
        }
    };

    view! {
        <div class="folder-editor">
            <label for="folder-name">{t!(common.name)}</label>
            <input
                id="folder-name"
                type="text"
                autocomplete="off"
                maxlength="100"
                autofocus=is_new
                node_ref=field
                prop:value=move || name.text.get()
                on:keydown=on_keydown
                on:input=move |event| name.on_input(event_target_value(&event))
            />
            <OtherValue mirror=name id="folder-name" />
            <p class="hint-line">{t!(list.folder_settings_hint)}</p>
            <label for="folder-system">{t!(common.system_prompt)}</label>
            <textarea
                id="folder-system"
                rows="4"
                dir="auto"
                autocomplete="off"
                prop:value=move || system.text.get()
                on:input=move |event| system.on_input(event_target_value(&event))
            ></textarea>
            <OtherValue mirror=system id="folder-system" />
            <FolderModel draft />
            <details>
                <summary>{t!(common.parameters)}</summary>
                <ul class="parameter-list">
                    {PARAMETERS
                        .iter()
                        .map(|parameter| view! { <FolderParameter draft parameter /> })
                        .collect_view()}
                </ul>
            </details>
        </div>
    }
}

/// The model of the chats that have none of their own.
#[component]
fn FolderModel(
    /// The folder.
    draft: RwSignal<Folder>,
) -> impl IntoView {
    let kernel = use_kernel();
    let chosen = draft.with_untracked(Folder::model_id);
    let models = untrack(|| model_choices(kernel.engine(), chosen.as_ref()));
    let options = models.into_iter().map(|(model, words)| {
        let key = model.key().into_owned();
        let is_chosen = chosen.as_ref() == Some(&model);
        view! {
            <option value=key selected=is_chosen>
                {words}
            </option>
        }
    });
    let options = options.collect_view();
    let choose = move |event| {
        let key = event_target_value(&event);
        let model = Some(key).filter(|key| !key.is_empty());
        draft.update(|folder| folder.set_model(model.map(|key| ModelId::from(key.as_str()))));
    };

    view! {
        <label for="folder-model">{t!(common.model)}</label>
        <select id="folder-model" on:change=choose>
            <option value="">{t!(list.each_chat_its_own)}</option>
            {options}
        </select>
    }
}

/// A parameter of the folder's chats.
#[component]
fn FolderParameter(
    /// The folder.
    draft: RwSignal<Folder>,
    /// The parameter.
    parameter: &'static sash_wire::Parameter,
) -> impl IntoView {
    let name = parameter.name;
    let value =
        Memo::new(move |_| draft.with(|folder| folder.parameters.get(name).map(parameter_text)));
    let on_change = move |text: &str| {
        let value = parameter.parse(text)?;
        draft.update(|folder| match value {
            Some(value) => _ = folder.parameters.insert(name.to_owned(), value),
            None => folder.parameters.retain(|known, _| known != name),
        });
        Ok(())
    };

    view! {
        <ParameterField
            name
            note=(parameter.note)()
            is_list=parameter.is_list()
            value
            placeholder=t!(list.inherited_value)
            on_change
        />
    }
}
