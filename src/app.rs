//! The page: its rooms, and what stands in its places. With `all_commands.rs`, `all_settings.rs` and `start.rs` the only
//! files of the page that name rooms.

use crate::all_commands::add_commands;
use crate::all_settings::SETTINGS;
use crate::pages::PAGES;
use about::{AboutSection, UpdatedLine};
use alerts::{Alerts, AlertsSection};
use appearance::{AppearanceSection, RootAttributes, ThemeButton};
use attachments::{Adding, AttachButton, DraftImages, DraftLines, FileDialog, PasteSetting};
use backup::{
    AskedElsewhereLine, BackupBanner, BackupOnly, BackupSection, EverythingToo, FormerValuesLine,
    PurgeChoice, PurgeToo,
};
use compare::{
    BranchMapDialog, CompareDialog, LeftModels, OtherModel, OtherModelItems, Versions, WhatIfItem,
};
use demo::DemoBanner;
use export::{ExportReminder, ExportSection, SaveItems, ShareDialog, export_chats};
use import::{ImportButton, ImportSection, Imports, WithheldLine};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_meta::{Title, provide_meta_context};
use list::{FolderDialog, MoveDialog, Sidebar, use_drawer_swipe};
use models::{MessageMemory, ModelsDialog, OllamaPanel, PullMissing, PullsLink};
use numbers::NumbersDialog;
use palette::{HelpKeySetting, KeysDialog, Palette, PaletteDialog, use_command_keys};
use parameters::{FormatChip, ParametersButton, ParametersDialog, ParametersSection};
use phone::PhoneDialog;
use prompts::{
    AsideLine, FillDialog, PromptEditDialog, PromptsSection, SavedPrompts, SlashListbox,
};
use queue::{Queue, QueueList};
use read_ahead::{ReadAheadChoice, ReadLine, ReadMark};
use recall::{
    FoundWords, MentionLines, QueuedRecalls, RecallChoice, RecallLines, RecallSection,
    RecalledNote, SearchTab, VersionRecalls,
};
use sash_browser_kit::keys::use_input_method;
use sash_chat::Id;
use sash_form::lines;
use sash_search::{SearchQuery, Snippet};
use sash_stores::Kernel;
use sash_view::composer::{DraftQuestionLine, OverflowLine, WaitingLine};
use sash_view::follow_browser;
use sash_view::header::{ModelPicker, StartAfreshItem};
use sash_view::library::LibraryDialog;
use sash_view::page::Page;
use sash_view::panel::PanelButton;
use sash_view::parts::{OldOllamaLines, ServerGoneLine};
use sash_view::places::*;
use sash_view::settings::{
    EngineSection, NewChatsSection, OffersSetting, SettingsDialog, WritingSection,
};
use sash_view::system::SystemDialog;
use sash_view::transcript::{ContinueItem, CopyButton, Note, ReceiptItem};
use sash_words::{names::visible, t};
use speech::{FollowReading, ReadAloudItem, ReadingSection, StopReadingButton};
use std::pin::Pin;
use storage::{StorageLine, StorageSection, StorageTab, TrashTab};
use summaries::{SummaryChoice, SummaryNote, summary_place};
use titles::{TitleDialog, TitleItem};
use tools::{ToolParts, ToolsButton, ToolsDialog};
use versions::{AnswerEditField, EditAnswerItem, ForkItem};

/// The page. It creates the stores of the rooms, which all components share.
#[component]
pub fn App(
    /// The stores of the chat.
    kernel: Kernel,
) -> impl IntoView {
    provide_meta_context();
    appearance::provide();
    storage::provide(kernel, |message| {
        Snippet::of(message, &SearchQuery::default()).text
    });
    list::provide(kernel);
    recall::provide(kernel);
    summaries::provide(kernel);
    read_ahead::provide(kernel);
    alerts::provide(kernel);
    speech::provide(kernel);
    counts::provide(kernel);
    queue::provide(kernel);
    titles::provide(kernel);
    prompts::provide(kernel);
    palette::provide(kernel);
    tools::provide(kernel);
    attachments::provide(kernel);
    let adding = Adding::expect();
    import::provide(kernel);
    let imports = Imports::expect();
    backup::provide(kernel);
    backup::follow_secrets(kernel);
    export::provide(kernel, color_code, move || imports.is_done());
    compare::provide(kernel);
    models::provide(kernel);
    about::provide(kernel, move || imports.is_importing() || adding.is_adding());
    // Behind the rooms, which may have a key before the chat.
    follow_browser::follow_events(kernel);
    kernel.start();
    links::fill_from_address(kernel);
    add_commands();
    use_command_keys();
    use_drawer_swipe(kernel);
    use_input_method();
    let alerts = Alerts::expect();
    let title = move || format!("{} · Sash", visible(&alerts.page_title()));

    view! {
        <Title text=title />
        <RootAttributes />
        <FilledPage kernel />
    }
}

/// The page, and what stands in its places, in the order of the page.
#[component]
fn FilledPage(
    /// The stores of the chat.
    kernel: Kernel,
) -> impl IntoView {
    let (palette, prompts) = (Palette::expect(), SavedPrompts::expect());
    let imports = Imports::expect();

    view! {
        <Places>
            <Aside slot>
                <Sidebar
                    show_import=move || imports.open()
                    export=move |chats| export_selected(kernel, chats)
                />
            </Aside>
            <ListEnd slot>
                <BackupOnly />
            </ListEnd>
            <HeaderButtons slot>
                <PullsLink />
                <ModelPicker />
                <ParametersButton />
                <PanelButton />
                <ThemeButton />
            </HeaderButtons>
            <ChatMenu slot>
                <TitleItem />
                <StartAfreshItem />
                <SaveItems />
            </ChatMenu>
            <Banners slot>
                <StorageLine />
                <BackupBanner />
                <ServerGoneLine />
                <OldOllamaLines />
                <DemoBanner />
                <UpdatedLine />
            </Banners>
            <PickerActions slot find=compare::picker_actions() />
            <PickerActions slot find=models::picker_actions() />
            <EngineHelp slot>
                <OllamaPanel />
            </EngineHelp>
            <Start slot>
                <ImportButton />
            </Start>
            <ComposerLines slot>
                <WithheldLine />
                <FormerValuesLine />
                <AskedElsewhereLine />
                <OverflowLine />
                <QueueList goes_with=queued_recalls />
                <WaitingLine />
                <MentionLines />
                <RecallLines />
                <DraftImages />
                <AsideLine />
                <DraftQuestionLine />
                <DraftLines />
            </ComposerLines>
            <ComposerTools slot>
                <AttachButton />
                <ToolsButton />
            </ComposerTools>
            <ComposerChips slot>
                <FormatChip />
            </ComposerChips>
            <FieldExtras slot>
                <SlashListbox record_use=Callback::new(move |name| palette.record_use(name)) />
            </FieldExtras>
            <RuleChoices slot>
                <RecallChoice />
                <SummaryChoice />
                <ReadAheadChoice />
            </RuleChoices>
            <VersionLines slot>
                <VersionRecalls />
            </VersionLines>
            <MessageBody slot>
                <ToolParts />
            </MessageBody>
            <AnswerEditor slot>
                <AnswerEditField />
            </AnswerEditor>
            <MessageNotes slot>
                <RecalledNote />
                <Note />
                <LeftModels />
            </MessageNotes>
            <InsertedRow slot after=summary_place()>
                <SummaryNote />
            </InsertedRow>
            <FirstRemedies slot>
                <PullMissing />
            </FirstRemedies>
            <MessageRemedies slot>
                <MessageMemory />
                <OtherModel />
            </MessageRemedies>
            <MessageActions slot>
                <Versions />
                <CopyButton />
                <StopReadingButton />
            </MessageActions>
            <MessageMenu slot>
                <ReceiptItem />
                <ReadAloudItem />
                <OtherModelItems />
                <EditAnswerItem />
                <WhatIfItem />
                <ContinueItem />
                <ForkItem />
            </MessageMenu>
            <TranscriptTools slot>
                <FoundWords />
                <FollowReading />
            </TranscriptTools>
            <PanelLines slot>
                <ReadLine />
            </PanelLines>
            <MeterMarks slot>
                <ReadMark />
            </MeterMarks>
            <SettingsSections slot>
                <AppearanceSection />
                <WritingSection />
                <PromptsSection />
                <AlertsSection />
                <ReadingSection />
                <RecallSection />
                <NewChatsSection />
                <EngineSection />
                <ParametersSection />
                <StorageSection />
                <AboutSection />
            </SettingsSections>
            <WritingSettings slot>
                <PasteSetting />
                <OffersSetting />
                <HelpKeySetting />
            </WritingSettings>
            <AllChatsLines slot>
                <ExportReminder has_backup=backup::has_backup() backed_up=backup::backed_up() />
            </AllChatsLines>
            <AllChatsTab slot name="search" title=|| t!(common.search)>
                <SearchTab />
            </AllChatsTab>
            <AllChatsTab slot name="trash" title=|| t!(common.trash)>
                <Trash />
            </AllChatsTab>
            <AllChatsTab slot name="storage" title=|| t!(common.storage)>
                <Storage />
            </AllChatsTab>
            <AllChatsTab slot name="transfer" title=|| t!(library.export_import)>
                <div class="storage">
                    <BackupSection review=Callback::new(move |parts| imports.read_parts(parts)) />
                    <ExportSection />
                    <ImportSection />
                </div>
            </AllChatsTab>
            <Dialogs slot>
                <FileDialog />
                <TitleDialog />
                <CompareDialog goes_along=|| view! { <RecallLines /> } />
                <BranchMapDialog />
                <SystemDialog />
                <ParametersDialog />
                <ToolsDialog />
                <ShareDialog />
                <KeysDialog />
                <PaletteDialog
                    settings=SETTINGS
                    prompts=Signal::derive(move || prompts.named())
                    choose_prompt=Callback::new(move |id| prompts.choose_listed(id))
                />
                <MoveDialog />
                <FolderDialog />
                <LibraryDialog />
                <ModelsDialog />
                <SettingsDialog />
                <NumbersDialog />
                <PromptEditDialog />
                <FillDialog />
                <PhoneDialog />
            </Dialogs>
            <Page pages=PAGES />
        </Places>
    }
}

/// The trash. What is deleted for good there is deleted from the backup too, if the person says so.
#[component]
fn Trash() -> impl IntoView {
    let choice = PurgeChoice::new(true);
    let question = move || view! { <PurgeToo choice /> };
    let purge_first = Callback::new(move |all| choice.purge_deleted(all));

    view! { <TrashTab question purge_first /> }
}

/// The storage. *Delete everything* there deletes from the backup too, if the person says so.
#[component]
fn Storage() -> impl IntoView {
    let choice = PurgeChoice::new(false);
    let question = move || view! { <EverythingToo choice /> };
    let purge_first = Callback::new(move |()| choice.purge_everything());

    view! { <StorageTab question purge_first raw_line=lines::raw /> }
}

/// The colours of code in a chat that is shared.
fn color_code(fence: String, code: String) -> Pin<Box<dyn Future<Output = Option<String>>>> {
    Box::pin(async move {
        let highlighted = highlight::highlight(fence, code).await.ok();
        highlighted.map(|highlighted| highlighted.runs)
    })
}

/// Saves the chats that are selected in the list as a file, and says how that ended.
fn export_selected(kernel: Kernel, chats: Vec<Id>) {
    spawn_local(async move {
        let said = export_chats(kernel, chats).await;
        kernel.notices().show(said);
    });
}

/// What recall shows at a prompt of the queue.
fn queued_recalls(id: Id) -> AnyView {
    let queue = Queue::expect();

    view! {
        <QueuedRecalls
            prompt=Signal::derive(move || queue.prompt(id).unwrap_or_default())
            include=Callback::new(move |found| queue.include(id, found))
            leave_out=Callback::new(move |message| queue.leave_out(id, message))
        />
    }
    .into_any()
}
