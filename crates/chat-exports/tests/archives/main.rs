//! ZIP files: what is read of them, and what is refused.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod zip;

use chat_exports::archive::{
    Archive, ArchiveEntry, ArchiveError, ArchiveStep, EntryReader, EntryRefusal, ends_as_archive,
    is_archive, is_split_archive,
};
use proptest::prelude::*;
use zip::{packed, stored, zip};

/// The most that is read of an entry here.
const MOST: u64 = 1 << 30;

/// Opens an archive as the page does: by ranges. Returns how many bytes were read for it.
fn open(file: &[u8]) -> Result<(Archive, Vec<ArchiveEntry>, usize), ArchiveError> {
    let mut archive = Archive::new(file.len() as u64);
    let mut read = 0;
    loop {
        match archive.entries()? {
            ArchiveStep::Done(entries) => return Ok((archive, entries, read)),
            ArchiveStep::Read(range) => {
                let bytes = &file[range.start as usize..range.end as usize];
                assert!(!bytes.is_empty());
                read += bytes.len();
                archive.supply(range.start, bytes.to_vec());
            }
        }
    }
}

/// Reads an entry in pieces of a length.
fn content(
    file: &[u8],
    archive: &Archive,
    entry: &ArchiveEntry,
    piece: usize,
) -> Result<Vec<u8>, EntryRefusal> {
    let mut reader = EntryReader::new(entry, MOST)?;
    let range = loop {
        match archive
            .data_range(entry)
            .map_err(|_| EntryRefusal::Damaged)?
        {
            ArchiveStep::Done(range) => break range,
            ArchiveStep::Read(range) => {
                let bytes = &file[range.start as usize..range.end as usize];
                archive.supply(range.start, bytes.to_vec());
            }
        }
    };
    let mut found = Vec::new();
    for bytes in file[range.start as usize..range.end as usize].chunks(piece) {
        reader.push(bytes, &mut |bytes| found.extend_from_slice(bytes))?;
    }
    reader.finish().map(|()| found)
}

/// What an archive of one file gives.
fn one(file: &[u8]) -> Result<Vec<u8>, EntryRefusal> {
    let (archive, entries, _) = open(file).unwrap();
    content(file, &archive, &entries[0], 100)
}

#[test]
fn files_are_read_by_their_ranges_however_they_are_written() {
    let long: Vec<u8> = (0..300_000_u32)
        .flat_map(|n| n.wrapping_mul(n).to_le_bytes())
        .collect();
    let file = zip(&[
        packed("conversations-000.json", "[1]"),
        stored("file-x.png", &b"\x89PNG"[..]),
        packed("a/long.dat", &*long),
        packed("after.json", "[2]").described_after(),
        packed("", ""),
        packed("folder/", ""),
        stored("../../etc/passwd", "x"),
    ]);
    assert!(is_archive(&file));
    let (archive, entries, read) = open(&file).unwrap();
    let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "conversations-000.json",
            "file-x.png",
            "a/long.dat",
            "after.json",
            "",
            "../../etc/passwd"
        ]
    );
    assert!(read < file.len(), "{read} of {}", file.len());
    for piece in [1, 7, 4_096, usize::MAX] {
        let read = |n: usize| content(&file, &archive, &entries[n], piece).unwrap();
        assert_eq!(read(0), b"[1]");
        assert_eq!(read(1), b"\x89PNG");
        assert!(read(2) == long);
        assert_eq!(read(3), b"[2]");
        assert_eq!(read(4), b"");
    }
}

#[test]
fn large_archives_and_those_behind_other_bytes_are_read() {
    let file = zip(&[
        packed("a.json", "[1]").zip64(),
        packed("b.json", "[2]").zip64(),
    ]);
    let (archive, entries, _) = open(&file).unwrap();
    assert_eq!(content(&file, &archive, &entries[1], 9).unwrap(), b"[2]");
    // A comment at the end, and bytes before the beginning.
    let mut commented = zip(&[packed("a.json", "[1]")]);
    let at = commented.len() - 2;
    commented[at] = 5;
    commented.extend(b"Hello");
    assert_eq!(one(&commented).unwrap(), b"[1]");
    let behind = [b"#!/bin/sh\n".to_vec(), zip(&[packed("a.json", "[1]")])].concat();
    assert_eq!(one(&behind).unwrap(), b"[1]");
    // Thousands of files: the directory is read in several ranges.
    let many: Vec<_> = (0..20_000)
        .map(|n| stored(&format!("file-{n:0>60}.dat"), ""))
        .collect();
    let file = zip(&many);
    let (_, entries, _) = open(&file).unwrap();
    assert_eq!(entries.len(), 20_000);
}

/// A file of an archive of ZIP64 with something before it was said to be damaged.
#[test]
fn an_archive_behind_other_bytes_is_read_in_each_form() {
    let long = vec![b'M'; 300_000];
    for before in [b"MZ\x90\0".to_vec(), b"{\"a\":1}\n".to_vec(), long] {
        for is_zip64 in [false, true] {
            let file = packed("a.json", "[1, 2]");
            let file = if is_zip64 { file.zip64() } else { file };
            let behind = [before.clone(), zip(&[stored("b", "x"), file])].concat();
            let (archive, entries, _) = open(&behind).unwrap();
            let found = content(&behind, &archive, &entries[1], 7).unwrap();
            assert_eq!(found, b"[1, 2]", "{} {is_zip64}", before.len());
            assert!(!is_archive(&behind) && ends_as_archive(&behind));
        }
    }
    for other in [&b""[..], b"PK\x05\x06", b"{\"text\": \"PK\\u0005\"}"] {
        assert!(!ends_as_archive(other));
    }
    let whole = zip(&[stored("b", "x")]);
    assert!(!ends_as_archive(&[whole, b"more".to_vec()].concat()));
}

#[test]
fn one_part_of_an_archive_in_several_files_is_said() {
    let mut part = zip(&[packed("a.json", "[1]")]);
    let end = part.len() - 22;
    part[end + 4] = 2;
    assert_eq!(open(&part).map(|_| ()).unwrap_err(), ArchiveError::Split);
    assert!(is_split_archive(b"PK\x07\x08PK\x03\x04"));
    assert!(!is_split_archive(&part));
}

/// The directory is read in ranges that grow, so that an archive of the most names takes a few.
#[test]
fn a_directory_of_the_most_names_is_read_in_few_ranges() {
    let many: Vec<_> = (0..65_535)
        .map(|n| stored(&format!("{n:0>40}.json"), ""))
        .collect();
    let file = zip(&many);
    let mut archive = Archive::new(file.len() as u64);
    let (mut ranges, mut read) = (0, 0);
    let entries = loop {
        match archive.entries().unwrap() {
            ArchiveStep::Done(entries) => break entries,
            ArchiveStep::Read(range) => {
                ranges += 1;
                read += range.end - range.start;
                archive.supply(
                    range.start,
                    file[range.start as usize..range.end as usize].to_vec(),
                );
            }
        }
    };
    assert_eq!(entries.len(), 65_535);
    assert!(
        ranges <= 8 && read <= file.len() as u64,
        "{ranges} ranges, {read} bytes"
    );
}

#[test]
fn half_an_archive_and_a_broken_directory_are_said() {
    let whole = zip(&[packed("a.json", "[1]"), packed("b.json", "[2]")]);
    let error = |file: &[u8]| open(file).map(|_| ()).unwrap_err();
    for end in [4, 20, whole.len() / 2, whole.len() - 1] {
        assert_eq!(error(&whole[..end]), ArchiveError::Incomplete, "{end}");
    }
    assert_eq!(error(b"PK\x03\x04"), ArchiveError::Incomplete);
    // A directory that is not where the end says, or has other entries than it says.
    let directory = whole
        .windows(4)
        .position(|bytes| bytes == b"PK\x01\x02")
        .unwrap();
    let mut broken = whole.clone();
    broken[directory] = b'X';
    assert_eq!(error(&broken), ArchiveError::Damaged);
    let mut counted = whole.clone();
    let end = counted.len();
    counted[end - 14..end - 10].copy_from_slice(&[9, 0, 9, 0]);
    assert_eq!(error(&counted), ArchiveError::Damaged);
}

#[test]
fn entries_that_are_not_what_they_say_are_refused() {
    let data = vec![b'a'; 100_000];
    let of = |file| one(&zip(&[file]));
    for (file, refusal) in [
        (packed("a", &*data).encrypted(), EntryRefusal::Encrypted),
        (packed("a", &*data).method(14), EntryRefusal::Method),
        (
            packed("a", &*data).announced(MOST + 1),
            EntryRefusal::TooLarge,
        ),
        (packed("a", &*data).announced(MOST), EntryRefusal::Bomb),
        // More than it announces, less, other bytes, no deflate at all.
        (packed("a", &*data).announced(99_999), EntryRefusal::Damaged),
        (
            packed("a", &*data).announced(100_001),
            EntryRefusal::Damaged,
        ),
        (packed("a", &*data).crc(1), EntryRefusal::Damaged),
        (stored("a", &*data).method(8), EntryRefusal::Damaged),
        (stored("a", &*data).announced(5), EntryRefusal::Damaged),
    ] {
        assert_eq!(of(file), Err(refusal));
    }
}

#[test]
fn a_bomb_is_cut_where_it_exceeds_what_it_announces() {
    // A gigabyte of nothing, which announces a kilobyte.
    let bomb = packed("a.json", vec![0; 64 << 20]).announced(1_024);
    let file = zip(&[bomb]);
    let (archive, entries, _) = open(&file).unwrap();
    let mut reader = EntryReader::new(&entries[0], MOST).unwrap();
    let ArchiveStep::Read(range) = archive.data_range(&entries[0]).unwrap() else {
        panic!("the local header is not read yet");
    };
    archive.supply(
        range.start,
        file[range.start as usize..range.end as usize].to_vec(),
    );
    let ArchiveStep::Done(range) = archive.data_range(&entries[0]).unwrap() else {
        panic!("the local header is read");
    };
    let mut came = 0;
    let pushed = reader.push(
        &file[range.start as usize..range.end as usize],
        &mut |bytes| came += bytes.len(),
    );
    assert_eq!(pushed, Err(EntryRefusal::Damaged));
    assert!(came <= 1_024);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_bytes_make_the_reader_fail(
        mut file in Just(zip(&[packed("a.json", "[1, 2, 3]"), stored("b.png", vec![7; 50]).zip64()])),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<prop::sample::Index>(),
    ) {
        for (at, byte) in changes {
            let at = at.index(file.len());
            file[at] = byte;
        }
        for end in [file.len(), cut.index(file.len())] {
            let file = &file[..end];
            let Ok((archive, entries, _)) = open(file) else {
                continue;
            };
            for entry in &entries {
                if let Ok(found) = content(file, &archive, entry, 16) {
                    prop_assert!(found.len() as u64 == entry.size);
                }
            }
        }
    }
}
