//! Writing a copy.

use super::BackupDirectory;
use super::carry::NewLines;
use super::found::Found;
use super::paths::{copy_path, directory_of, former_directories, kept_number, kept_path};
use super::redact::redact;
use crate::BackupFault;
use crate::call::{Put, PutRequest};
use crate::clock::{self, Fields};
use crate::files::DirectoryFiles;
use crate::form::{
    ALL_BROWSERS, CopyId, CopyRecord, MAX_COUNT, SHELF, Standing, Unreadable, compose, parse,
    parse_header,
};

/// How many former copies of a browser and chat are kept.
const MAX_KEPT: usize = 3;

impl<F: DirectoryFiles + ?Sized> BackupDirectory<'_, F> {
    /// Writes the copy of a browser: a chat as it has it now, or its shelf. What the former copy has besides stays in it, but
    /// for what was deleted for good. No other browser's copy plays a part.
    ///
    /// # Errors
    /// [`BackupFault::Newer`], [`BackupFault::TooLong`], and that it cannot be written: the former copy stays then.
    pub async fn put(&self, request: &PutRequest) -> Result<Put, BackupFault> {
        let of = CopyId::new(request.chat, request.browser);
        if of.browser == ALL_BROWSERS {
            return Err(BackupFault::Absent);
        }
        let mut found = Found::default();
        self.look_into(&directory_of(of.chat), &mut found).await?;
        let gone = self.read_gone(&found.gone).await?;
        let text = self.read(&copy_path(of)).await?;
        // A late write of another program may have brought back what was deleted.
        let former = match &text {
            Some(text) => redact(text, of, &gone, self.key)?,
            None => None,
        };
        let copy = match former.as_deref().map(|text| parse(text, of, self.key)) {
            Some(Err(Unreadable::Newer)) => return Err(BackupFault::Newer),
            parsed => parsed.and_then(Result::ok),
        };
        let former_write = copy.as_ref().map_or(0, |copy| copy.header.backup.write);
        let sealed = copy.filter(|copy| copy.standing == Standing::Sealed);
        let lines = sealed.as_ref().map_or("", |copy| copy.lines);
        let new = NewLines::new(lines, &request.lines, of.chat, &gone.gone.ids);
        let is_empty = of.chat != SHELF && gone.gone.chat && new.count == 0;
        let write = match is_empty {
            true => 0,
            // Also after an older directory was restored no number comes twice. Who wrote the last one begins anew.
            false => former_write.max(request.write) % (MAX_COUNT - 1) + 1,
        };
        if let Some(former) = &former
            && (sealed.is_none() || new.differs)
        {
            self.keep(of, former).await?;
        }
        let before = sealed.map(|copy| copy.header.backup).unwrap_or_default();
        let others = self.other_fields(of, &found.copies).await;
        let mut put = Put {
            write,
            at: self.files.now(),
            missing: Vec::new(),
            dropped: new.dropped.iter().copied().collect(),
            gone: gone.bytes,
            fields: request.fields.clone(),
        };
        clock::settle(&mut put.fields, write, &before.fields, &others);
        if is_empty {
            self.remove(&copy_path(of)).await?;
            return Ok(put);
        }
        let record = new_record(&put, request, &new, &before);
        let text = compose(of, record, &new.lines, new.count, put.at, self.key)?;
        self.write(&copy_path(of), &text).await?;
        for image in new.images {
            if !self.has_image(image).await {
                put.missing.push(image);
            }
        }
        Ok(put)
    }

    /// The highest clocks in the copies of other browsers.
    async fn other_fields(&self, of: CopyId, copies: &[CopyId]) -> Fields {
        let mut fields = Fields::new();
        for other in copies.iter().filter(|other| **other != of) {
            if let Ok(Some(line)) = self.first_line(&copy_path(*other)).await
                && let Ok((header, Standing::Sealed)) = parse_header(&line, *other, self.key)
            {
                clock::raise(&mut fields, &header.backup.fields);
            }
        }
        fields
    }

    /// Keeps a former copy, and of all the last ones.
    async fn keep(&self, of: CopyId, text: &str) -> Result<(), BackupFault> {
        let mut found = Found::default();
        let [kept, _] = former_directories(of.chat);
        self.look_into(&kept, &mut found).await?;
        // A synchronising program may have put others beside them.
        let is_kept = |path: &str| kept_number(path).is_some();
        found
            .texts
            .retain(|(path, former)| *former == of && is_kept(path));
        let mut number = 1;
        if let Some((newest, _)) = found.texts.last() {
            // A write that failed behind this is done again.
            if self.read(newest).await?.as_deref() == Some(text) {
                return Ok(());
            }
            number += kept_number(newest).unwrap_or_default();
        }
        self.write(&kept_path(of, number), text).await?;
        let excess = (found.texts.len() + 1).saturating_sub(MAX_KEPT);
        for (oldest, _) in &found.texts[..excess] {
            self.remove(oldest).await?;
        }
        Ok(())
    }
}

/// What the header says of a new copy. A profile that was copied, or is of an earlier day, writes in the place of another one:
/// an answer that ran in that one is not whole because this one lacks it, and no clock falls.
fn new_record(put: &Put, request: &PutRequest, new: &NewLines, before: &CopyRecord) -> CopyRecord {
    let carried = before.running.iter().filter(|id| new.carried.contains(id));
    let mut fields = put.fields.clone();
    clock::raise(&mut fields, &before.fields);
    CopyRecord {
        write: put.write,
        // With more than the browser has, it is not the state of that browser.
        state: match new.has_more {
            true => String::new(),
            false => request.state.clone(),
        },
        // The title of a chat may be the beginning of a text that was left out; that of a shelf is the name of the browser.
        title: match new.dropped.is_empty() || request.chat == SHELF {
            true => request.title.clone(),
            false => String::new(),
        },
        images: new.images.iter().copied().collect(),
        running: request.running.iter().chain(carried).copied().collect(),
        gone: put.gone.clone(),
        fields,
        ..CopyRecord::default()
    }
}
