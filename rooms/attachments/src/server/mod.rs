//! The text of documents. Formats such as PDF are made of nothing but references and compressed streams, and their
//! readers loop, panic and fill the memory on hostile files. So each document is read by a child process, another
//! run of this program with limits of time and memory: a hostile file costs that process and nothing else.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `child` | the child process: its limits; reads a document, writes its text |
//! | `pdf`, `docx`, `html` | each format's text, by a crate |
//! | `encoding` | the encoding of texts and of HTML |
//! | `table` | tables as Markdown |
//! | `comments` | takes comments out of pages and their styles |
//! | `refusal` | why a document has no text for us |

mod child;
mod comments;
mod docx;
mod encoding;
mod html;
mod limits;
mod pdf;
mod refusal;
mod table;

pub use child::child;
pub use limits::Extraction;

use crate::{DocumentFault, ExtractRequest, ExtractedText};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use child::ChildOutcome;
use encoding_rs::Encoding;
use refusal::ExtractRefusal;
use sash_child::{ChildError, ChildProcess, GRACE};
use sash_door::stop::StopSignal;
use sash_server::turns::Turns;
use sash_wire::Fault;
use std::io;

/// Reads documents, a few at a time.
#[derive(Debug)]
pub struct Extractor {
    limits: Extraction,
    turns: Turns,
}

impl Extractor {
    /// An extractor; starts no process yet.
    #[must_use]
    pub fn new(limits: Extraction) -> Self {
        Self {
            turns: Turns::new(limits.at_once, limits.wait),
            limits,
        }
    }

    /// The turns, of which each document takes one before it is read.
    #[must_use]
    pub fn turns(&self) -> Turns {
        self.turns.clone()
    }

    /// The text of a document. Dropping the future kills the process.
    ///
    /// # Errors
    /// [`DocumentFault::FileUnreadable`], [`Fault::InvalidField`] for data that are not base64 or an encoding that does not
    /// exist, [`Fault::ServerStopping`].
    pub async fn text(
        &self,
        request: ExtractRequest,
        mut stop: StopSignal,
    ) -> Result<ExtractedText, Fault> {
        let ExtractRequest { data, encoding } = request;
        let encoding = encoding.as_deref().map(known_encoding).transpose()?;
        let decoded = STANDARD.decode(&data);
        drop(data);
        let document = decoded.map_err(|_| Fault::InvalidField {
            field: "data".to_owned(),
            reason: "it must be plain base64, without “data:” before it".to_owned(),
        })?;
        let limit = self.limits.time + GRACE;
        let asked = tokio::time::timeout(limit, self.extract_in_child(document, encoding));
        let outcome = tokio::select! {
            biased;
            () = stop.wait() => return Err(Fault::ServerStopping),
            asked = asked => asked,
        };
        match outcome {
            Ok(Ok(ChildOutcome::Text(text))) => Ok(text),
            Ok(Ok(ChildOutcome::Refused(refusal))) => Err(unreadable(refusal)),
            Ok(Err(error)) => {
                tracing::info!(%error, "a document could not be read");
                Err(unreadable(ExtractRefusal::Failed))
            }
            Err(_) => Err(unreadable(ExtractRefusal::TooSlow)),
        }
    }

    /// Reads a document in a child process.
    async fn extract_in_child(
        &self,
        document: Vec<u8>,
        encoding: Option<&'static Encoding>,
    ) -> Result<ChildOutcome, ChildError> {
        let mark = mark().map_err(ChildError::NotStarted)?;
        let arguments = [
            child::FLAG,
            &self.limits.time.as_secs().max(1).to_string(),
            &self.limits.memory_bytes.to_string(),
            &self.limits.text_bytes.to_string(),
            &mark,
            encoding.map_or("", Encoding::name),
        ];
        let process = ChildProcess {
            program: self.limits.program.as_deref(),
            arguments: &arguments,
            memory_bytes: self.limits.memory_bytes,
            // In JSON a character takes six bytes at most. Readers print warnings to the output as well.
            output_bytes: 8 * self.limits.text_bytes + 1_000_000,
        };
        let output = process.run(document).await?;
        child::parse_output(&output, &mark).ok_or(ChildError::Failed)
    }
}

/// A random text that stands before the result: a document cannot know it, whatever its reader prints.
fn mark() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The encoding of this name.
fn known_encoding(name: &str) -> Result<&'static Encoding, Fault> {
    Encoding::for_label_no_replacement(name.as_bytes()).ok_or_else(|| Fault::InvalidField {
        field: "encoding".to_owned(),
        reason: "it must be an encoding of the web, such as “gbk” or “windows-1251”".to_owned(),
    })
}

fn unreadable(refusal: ExtractRefusal) -> Fault {
    let reason = refusal.to_string();
    DocumentFault::FileUnreadable { reason }.into()
}
