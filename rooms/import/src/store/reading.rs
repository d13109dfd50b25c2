//! Reads the files of a choice one after the other and plans the import of all chats in them.

use super::choice::{ByteStream, Choice, MAX_PICKED_BYTES, Unreadable};
use super::{FileParts, ImageSource, ImportState, Imports, ReadFile};
use crate::plan::{AssetKind, ImportError, PlanStep, Planner, decode, is_web_page, refused_format};
use chat_exports::Asset;
use reactive_graph::prelude::*;
use sash_chat::{Image, ImageHash, MAX_TEXT_BYTES};
use sash_form::{FileImage, SplitFile};
use sash_log::image::MAX_SOURCE_BYTES;
use sash_stores::{PickedFile, Ticket};
use sash_words::t;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The longest list of the names of files, in bytes.
const MAX_NAMES_BYTES: u64 = 16 * 1024 * 1024;
/// What ChatGPT calls the lists of the names of files.
const LISTS_OF_NAMES: [&str; 2] = ["conversation_asset_file_names.json", "library_files.json"];
/// The most files that no message points to which are named one by one.
const MAX_NAMED_UNUSED: usize = 5;

/// The page may draw after so many bytes of small files. In a background tab, and after some in a row, each pause takes
/// milliseconds, which tens of thousands of files would add up.
const PAUSE_BYTES: u64 = 1024 * 1024;
/// What a byte of chats counts for there: they are parsed, decided and packed.
const WORK_OF_CHATS: u64 = 8;
/// What the opening of a file counts for there.
const OPENING_BYTES: u64 = 4 * 1024;

/// Why a file of the choice gives no chats.
enum Refused {
    /// This file alone, for this reason.
    File(String),
    /// The whole choice, for this reason.
    Choice(String),
    /// The person stopped, or the log is not there.
    Stopped,
}

impl From<Unreadable> for Refused {
    fn from(why: Unreadable) -> Self {
        Self::File(why.to_string())
    }
}

impl From<ImportError> for Refused {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::TooManyChats | ImportError::TooManyMessages | ImportError::TooMuchText => {
                Self::Choice(error.to_string())
            }
            error => Self::File(error.to_string()),
        }
    }
}

/// A choice that is being read.
struct ChoiceReader {
    imports: Imports,
    ticket: Ticket,
    choice: Choice,
    planner: Planner,
    /// The images of Sash's own files, and the files that became images.
    images: Vec<(ImageHash, ImageSource)>,
    /// How many bytes of the picked files are read, and of how many.
    read: u64,
    of: u64,
    /// How many bytes were read since the page could draw.
    since_pause: u64,
}

impl Imports {
    /// Reads the files and plans their import; the error is a sentence. `None` if it was stopped.
    pub(super) async fn plan_choice(
        self,
        picked: Vec<Rc<dyn PickedFile>>,
        ticket: Ticket,
    ) -> Result<Option<ReadFile>, String> {
        let mut reading = ChoiceReader::new(self, ticket);
        let is_alone = picked.len() == 1;
        for file in picked {
            let name = file.name();
            match reading.choice.add(file).await {
                Ok(()) => {}
                Err(why) if is_alone => return Err(why),
                Err(why) => reading.planner.leave_out(name, why),
            }
        }
        let read = reading.read_files().await;
        reading.finish(read).await
    }

    /// Plans the import of a file that comes in parts; the error is a sentence. `None` if it was stopped.
    pub(super) async fn plan_parts(
        self,
        parts: impl Future<Output = FileParts>,
        ticket: Ticket,
    ) -> Result<Option<ReadFile>, String> {
        let (file, texts, images) = parts.await?;
        let mut reading = ChoiceReader::new(self, ticket);
        reading.choice.push(file);
        let read = reading.read_parts(texts, images).await;
        reading.finish(read).await
    }
}

impl ChoiceReader {
    fn new(imports: Imports, ticket: Ticket) -> Self {
        Self {
            imports,
            ticket,
            choice: Choice::default(),
            planner: Planner::empty(imports.edges.now()),
            images: Vec::new(),
            read: 0,
            of: 0,
            // The page draws before the first file is read.
            since_pause: PAUSE_BYTES,
        }
    }

    /// The plan with what this browser knows about it, if all was read; `None` if the person stopped.
    async fn finish(self, read: Result<(), Refused>) -> Result<Option<ReadFile>, String> {
        match read {
            Ok(()) => {}
            Err(Refused::Stopped) => return Ok(None),
            Err(Refused::File(why) | Refused::Choice(why)) => return Err(why),
        }
        let mut plan = self.planner.finish();
        plan.agreed.models = self.imports.models_here(&plan);
        let missing = self.imports.missing(&self.images, &plan).await;
        Ok(Some(ReadFile {
            choice: self.choice,
            plan,
            images: self.images,
            missing,
        }))
    }

    /// Reads the parts of the one file of the choice.
    async fn read_parts(
        &mut self,
        texts: Vec<String>,
        images: Vec<FileImage>,
    ) -> Result<(), Refused> {
        for text in texts {
            self.plan_text(text).await?;
        }
        self.add_file_images(0, images);
        Ok(())
    }

    async fn read_files(&mut self) -> Result<(), Refused> {
        for (place, file) in self.choice.files.iter().enumerate() {
            self.planner.assets.add(place, &file.name);
        }
        let mut others = Vec::new();
        let mut chats = Vec::new();
        for place in 0..self.choice.files.len() {
            if self.read_names(place).await {
                continue;
            }
            match self.may_hold_chats(place).await {
                true => chats.push(place),
                false => others.push(place),
            }
        }
        let files = chats
            .iter()
            .filter_map(|place| self.choice.files.get(*place));
        self.of = files.map(|file| file.packed_size()).sum();
        let mut refused = BTreeMap::new();
        for place in chats {
            match self.read_chats(place).await {
                Ok(()) => {}
                Err(Refused::File(why)) if self.choice.is_one_file() => {
                    return Err(Refused::File(why));
                }
                Err(Refused::File(why)) => _ = refused.insert(place, why),
                Err(why) => return Err(why),
            }
        }
        // A file that was picked as one of an export that was unpacked may be the file of a message.
        refused.retain(|place, _| !self.planner.assets.is_used(*place));
        if self.planner.is_empty() {
            let mut files = refused.keys().map(|place| self.choice.files.get(*place));
            if !refused.is_empty() && files.all(|file| file.is_some_and(|f| f.is_encrypted())) {
                let why = t!(import.zip_encrypted);
                return Err(Refused::File(why.to_owned()));
            }
            let named = refused.iter().take(MAX_NAMED_UNUSED);
            let named = named.map(|(place, why)| format!("{}: {why}", self.name(*place)));
            let named: Vec<String> = named.collect();
            return Err(Refused::File(t!(
                import.no_chats_found,
                files = named.join(" ")
            )));
        }
        for (place, why) in refused {
            // What an archive holds beside the chats, such as the person's account, is not needed.
            let is_picked = self.choice.files.get(place).is_some_and(|f| f.is_picked());
            if is_picked
                || why != ImportError::Unknown.to_string() && why != ImportError::Empty.to_string()
            {
                let name = self.name(place);
                self.planner.leave_out(name, why);
            }
        }
        self.leave_out_unused(others);
        Ok(())
    }

    fn name(&self, place: usize) -> String {
        let file = self.choice.files.get(place);
        let name = file.map_or("", |file| file.name.as_str()).chars();
        name.filter(|c| !c.is_control()).take(200).collect()
    }

    /// Says which of the picked files no message points to. Of what else an archive holds there is nothing to say, but for
    /// an archive in it, which may hold chats.
    fn leave_out_unused(&mut self, others: Vec<usize>) {
        let is_told = |place: &usize| {
            let file = self.choice.files.get(*place);
            file.is_some_and(|file| file.is_picked() || file.extension() == "zip")
        };
        let unused: Vec<usize> = others
            .into_iter()
            .filter(|place| !self.planner.assets.is_used(*place) && is_told(place))
            .collect();
        if unused.len() > MAX_NAMED_UNUSED {
            self.planner.leave_out(
                t!(import.further_files, count = unused.len() as u64),
                t!(import.files_not_needed).to_owned(),
            );
            return;
        }
        for place in unused {
            let why = match self.choice.files.get(place).map(|file| file.extension()) {
                Some(end) if end == "zip" => t!(import.archive_in_archive),
                _ => t!(import.file_not_needed),
            };
            let name = self.name(place);
            self.planner.leave_out(name, why.to_owned());
        }
    }

    /// Reads a list of the names of files. Returns whether the file is one.
    async fn read_names(&mut self, place: usize) -> bool {
        let name = self.name(place);
        let base = name.rsplit(['/', '\\']).next().unwrap_or_default();
        if !LISTS_OF_NAMES.contains(&base) {
            return false;
        }
        let list = self.choice.read_all(place, MAX_NAMES_BYTES, |_| true).await;
        let list = list.ok().and_then(|bytes| String::from_utf8(bytes).ok());
        list.is_some_and(|list| self.planner.assets.read_names(&list))
    }

    /// Whether a file is read as one that may hold chats: a picked one that is no image or sound, and one of an archive
    /// that is called so.
    async fn may_hold_chats(&self, place: usize) -> bool {
        let Some(file) = self.choice.files.get(place) else {
            return false;
        };
        if !file.is_picked() {
            return matches!(file.extension().as_str(), "json" | "jsonl");
        }
        let Some(picked) = self.choice.picked(place) else {
            return false;
        };
        let head = picked.read_range(0..file.size.min(4096)).await;
        let kind = AssetKind::of(&head.unwrap_or_default());
        self.choice.is_one_file() || !matches!(kind, AssetKind::Image | AssetKind::Recording)
    }

    /// Reads the chats of a file.
    async fn read_chats(&mut self, place: usize) -> Result<(), Refused> {
        self.pause_after(OPENING_BYTES).await;
        if !self.ticket.is_current() {
            return Err(Refused::Stopped);
        }
        let mut stream = self.choice.open(place, MAX_PICKED_BYTES).await?;
        let mut begun = Vec::new();
        let before = stream.left();
        let has_more = stream
            .next(&mut |bytes| begun.extend_from_slice(bytes))
            .await?;
        if !has_more {
            return Err(ImportError::Empty.into());
        }
        self.show_progress(before - stream.left());
        if let Some(error) = refused_format(&begun) {
            return Err(error.into());
        }
        match is_list(&begun) {
            true => self.read_list(place, begun, stream).await,
            false => self.read_text(place, begun, stream).await,
        }
    }

    /// Reads a list of chats, one at a time.
    async fn read_list(
        &mut self,
        place: usize,
        begun: Vec<u8>,
        mut stream: ByteStream,
    ) -> Result<(), Refused> {
        self.planner.begin_list();
        self.planner.push(&begun);
        drop(begun);
        let damage = loop {
            self.plan_pieces().await?;
            if stream.left() > 0 {
                self.pause_after(PAUSE_BYTES).await;
            }
            let before = stream.left();
            let planner = &mut self.planner;
            let read = stream.next(&mut |bytes| planner.push(bytes)).await;
            match read {
                Ok(true) => self.show_progress(before - stream.left()),
                Ok(false) => break None,
                Err(why) => break Some(why),
            }
        };
        // What was whole before the damage comes in.
        match (self.planner.end_file(), damage) {
            (Ok(()), None) => Ok(()),
            (Ok(()), Some(why)) => {
                self.planner.record_damage();
                let name = self.name(place);
                self.planner
                    .leave_out(name, t!(import.imported_until_damage, why = &why));
                Ok(())
            }
            (Err(_), Some(why)) => Err(why.into()),
            (Err(error), None) => Err(error.into()),
        }
    }

    /// Plans a file whose text is there as a whole.
    async fn plan_text(&mut self, text: String) -> Result<(), Refused> {
        self.planner.add_text(text)?;
        self.plan_pieces().await?;
        Ok(self.planner.end_file()?)
    }

    /// Plans what there is of a file, and reads the files that its messages point to.
    async fn plan_pieces(&mut self) -> Result<(), Refused> {
        loop {
            if !self.ticket.is_current() {
                return Err(Refused::Stopped);
            }
            let planner = &mut self.planner;
            let step = self.imports.storage().with_log(|log| planner.step(log));
            match step.ok_or(Refused::Stopped)?? {
                PlanStep::Read { bytes, percent } => {
                    if let Some(percent) = percent {
                        self.imports.state.set(ImportState::Reading(percent));
                    }
                    self.pause_after(bytes as u64 * WORK_OF_CHATS).await;
                }
                PlanStep::Wanted(places) => {
                    for place in places {
                        let asset = self.read_asset(place).await;
                        if !self.ticket.is_current() {
                            return Err(Refused::Stopped);
                        }
                        match asset {
                            Ok(image) => self.planner.add_image(place, image),
                            Err(asset) => self.planner.assets.insert(place, asset),
                        }
                    }
                }
                PlanStep::Done => return Ok(()),
            }
        }
    }

    /// Reads a file that a message points to: an image, or what else it is.
    async fn read_asset(&mut self, place: usize) -> Result<Image, Asset> {
        let most = MAX_SOURCE_BYTES;
        let is_read = |head: &[u8]| match AssetKind::of(head) {
            AssetKind::Image | AssetKind::Text => true,
            AssetKind::Recording | AssetKind::Other => false,
        };
        let bytes = self.choice.read_all(place, most, is_read).await;
        let bytes = bytes.map_err(|_| Asset::Other)?;
        match AssetKind::of(&bytes) {
            AssetKind::Recording => Err(Asset::Recording),
            AssetKind::Other => Err(Asset::Other),
            AssetKind::Text if bytes.len() > MAX_TEXT_BYTES => Err(Asset::Other),
            AssetKind::Text => Err(String::from_utf8(bytes).map_or(Asset::Other, Asset::Text)),
            AssetKind::Image => {
                let scale = self.imports.edges.with_images(|images| images.scale(bytes));
                let scaled = scale.await.map_err(|_| Asset::ImageRefused)?;
                let image = scaled.describe();
                self.images
                    .push((image.hash, ImageSource::Scaled { place }));
                // Hundreds of previews would fill the storage that the chats need.
                Ok(Image {
                    preview: String::new(),
                    ..image
                })
            }
        }
    }

    /// Reads a file as a whole: one of Sash, or a single chat.
    async fn read_text(
        &mut self,
        place: usize,
        begun: Vec<u8>,
        mut stream: ByteStream,
    ) -> Result<(), Refused> {
        let mut split = SplitFile::default();
        let mut pushed = split.push(&begun);
        // A page is one however long it is; only the pages that Sash makes hold chats.
        let too_long = match is_web_page(&begun) {
            true => ImportError::WebPage,
            false => ImportError::TooLong(self.choice.files.get(place).map_or(0, |f| f.size)),
        };
        drop(begun);
        loop {
            pushed.map_err(|_| too_long.clone())?;
            let before = stream.left();
            let has_more = stream
                .next(&mut |bytes| {
                    if pushed.is_ok() {
                        pushed = split.push(bytes);
                    }
                })
                .await?;
            if !has_more {
                break;
            }
            self.show_progress(before - stream.left());
            if !self.ticket.is_current() {
                return Err(Refused::Stopped);
            }
        }
        let (text, images) = split.finish();
        self.plan_text(decode(text)?).await?;
        self.add_file_images(place, images);
        Ok(())
    }

    /// Adds the images of a file of Sash, which are read from their lines.
    fn add_file_images(&mut self, place: usize, images: Vec<FileImage>) {
        let is_picked = self.choice.files.get(place).is_some_and(|f| f.is_picked());
        if is_picked {
            let images = images.into_iter();
            self.images.extend(
                images.map(|FileImage { hash, at }| (hash, ImageSource::Line { place, at })),
            );
        } else if !images.is_empty() {
            let name = self.name(place);
            self.planner
                .leave_out(name, t!(import.images_need_own_import).to_owned());
        }
    }

    /// Lets the page draw, if so many bytes are read with these.
    async fn pause_after(&mut self, bytes: u64) {
        self.since_pause += bytes;
        if self.since_pause >= PAUSE_BYTES {
            self.since_pause = 0;
            self.imports.edges.pause().await;
        }
    }

    fn show_progress(&mut self, more: u64) {
        self.read += more;
        // Another choice may be read by now.
        if !self.ticket.is_current() {
            return;
        }
        let percent = (self.read * 100 / self.of.max(1)).min(100);
        let next = ImportState::Reading(percent);
        if self.imports.state.with_untracked(|state| *state != next) {
            self.imports.state.set(next);
        }
    }
}

/// Whether a file is a JSON list in UTF-8, by its first bytes.
fn is_list(begun: &[u8]) -> bool {
    let text = begun.strip_prefix(b"\xef\xbb\xbf").unwrap_or(begun);
    let text = text.trim_ascii_start();
    text.first() == Some(&b'[') && text.get(1) != Some(&0)
}
