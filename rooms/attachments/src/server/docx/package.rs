//! The files of a Word document, and how they refer to each other.

use super::elements::{attribute, each_element};
use crate::server::refusal::ExtractRefusal;
use std::io::{BufRead, BufReader, Cursor, Read, Take};
use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::{ZipError, ZipResult};

/// The most bytes of a file that are unpacked: a few kilobytes of an archive can become any number.
const MAX_XML_BYTES: u64 = 64 * 1024 * 1024;
/// The most files of one kind that are read.
const MAX_PARTS: usize = 100;

/// A file while it is read.
pub type Part<'p, 'a> = BufReader<Take<ZipFile<'p, Cursor<&'a [u8]>>>>;

/// The archive.
pub struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    body: String,
    /// What the body refers to: the kind, and the file.
    relations: Vec<(String, String)>,
}

impl<'a> Package<'a> {
    /// Opens the archive.
    pub fn open(document: &'a [u8]) -> Result<Self, ExtractRefusal> {
        let archive =
            ZipArchive::new(Cursor::new(document)).map_err(|_| ExtractRefusal::Damaged)?;
        let mut package = Self {
            archive,
            body: "word/document.xml".to_owned(),
            relations: Vec::new(),
        };
        let roots = package
            .file("_rels/.rels")
            .map(|part| relations(part, ""))
            .unwrap_or_default();
        if let Some((_, body)) = roots.into_iter().find(|(kind, _)| kind == "officeDocument") {
            package.body = body;
        }
        let (folder, name) = package.body.rsplit_once('/').unwrap_or(("", &package.body));
        let folder = folder.to_owned();
        let path = format!("{folder}/_rels/{name}.rels");
        package.relations = package
            .file(path.trim_start_matches('/'))
            .map(|part| relations(part, &folder))
            .unwrap_or_default();
        Ok(package)
    }

    /// The file of the text.
    pub fn body(&mut self) -> Result<Part<'_, 'a>, ExtractRefusal> {
        let body = self
            .archive
            .by_name(&self.body)
            .map_err(|error| match error {
                ZipError::FileNotFound => ExtractRefusal::UnknownFormat,
                ZipError::UnsupportedArchive(_) => ExtractRefusal::Encrypted,
                _ => ExtractRefusal::Damaged,
            })?;
        Ok(BufReader::new(body.take(MAX_XML_BYTES)))
    }

    /// The files of a kind that the body refers to.
    pub fn paths(&self, kind: &str) -> Vec<String> {
        let of_kind = self.relations.iter().filter(|(of, _)| of == kind);
        of_kind
            .map(|(_, path)| path.clone())
            .take(MAX_PARTS)
            .collect()
    }

    /// The one file of a kind.
    pub fn part(&mut self, kind: &str) -> ZipResult<Part<'_, 'a>> {
        let path = self.paths(kind).into_iter().next();
        self.file(&path.unwrap_or_else(|| format!("word/{kind}.xml")))
    }

    /// A file.
    pub fn file(&mut self, path: &str) -> ZipResult<Part<'_, 'a>> {
        let file = self.archive.by_name(path)?;
        Ok(BufReader::new(file.take(MAX_XML_BYTES)))
    }
}

/// The relations of a file: the last word of the kind, and the path from the root.
fn relations(part: impl BufRead, folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    each_element(part, |element| {
        let values = (attribute(element, "Type"), attribute(element, "Target"));
        if let (Some(kind), Some(target)) = values {
            let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
            let path = match target.strip_prefix('/') {
                Some(path) => path.to_owned(),
                None => format!("{folder}/{target}")
                    .trim_start_matches('/')
                    .to_owned(),
            };
            found.push((kind, path));
        }
    });
    found
}
