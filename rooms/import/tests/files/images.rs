//! Images of a file.

use super::*;
use sash_chat::{Image, ImageFormat, ImageHash};
use sash_log::image::hash_image;

#[test]
fn a_chat_goes_out_and_comes_in_with_its_images() {
    let bytes = png(3, 2, b"");
    let hash = hash_image(&bytes);
    let mut chat = simple(1);
    let mut question = chat.get(sash_chat::Id(101)).cloned().unwrap();
    question.images = vec![Image {
        hash,
        format: ImageFormat::Png,
        size: bytes.len() as u64,
        width: 3,
        height: 2,
        preview: "aGk=".to_owned(),
    }];
    chat.insert(question.clone());
    let mut log = log_of(&[chat]);
    let mut export = Export::new(&log, ExportScope::All, NOW);
    let mut file = String::new();
    while let Some(piece) = export.next(&mut log) {
        file.push_str(&piece);
    }
    assert_eq!(export.images().iter().collect::<Vec<_>>(), [&hash]);
    file.push_str(&image_line(hash, &bytes));
    let mut split = SplitFile::default();
    split.push(file.as_bytes()).unwrap();
    let (text, images) = split.finish();
    let mut other = log_of(&[]);
    let plan = planned(&mut other, std::str::from_utf8(&text).unwrap());
    assert_eq!(plan.notes, ImportNotes::default());
    assert_eq!(plan.images.iter().collect::<Vec<_>>(), [&hash]);
    assert_eq!(images[0].hash, hash);
    applied(&mut other, plan).unwrap();
    let came = other.load(sash_chat::Id(1)).unwrap();
    assert_eq!(came.get(question.id), Some(&question));
}

#[test]
fn what_a_file_says_of_images_is_bounded() {
    let mut chat = simple(1);
    let mut question = chat.get(sash_chat::Id(101)).cloned().unwrap();
    let image = |n: u8| Image {
        hash: ImageHash([n; 32]),
        format: ImageFormat::Png,
        size: if n == 0 { u64::MAX } else { 5 },
        width: u32::MAX,
        height: 1,
        preview: "\"><script>".to_owned(),
    };
    question.images = (0..20).map(image).collect();
    chat.insert(question);
    let file = exported(&mut log_of(&[chat]), ExportScope::All);
    let mut other = log_of(&[]);
    imported(&mut other, &file);
    let came = other.load(sash_chat::Id(1)).unwrap();
    let images = &came.get(sash_chat::Id(101)).unwrap().images;
    assert_eq!(images.len(), 7);
    assert!(
        images
            .iter()
            .all(|image| image.preview.is_empty() && image.width <= 1_568)
    );
}
