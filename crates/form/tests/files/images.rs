//! Images of a file.

use super::*;
use sash_chat::{Image, ImageFormat, ImageHash, MAX_IMAGE_BYTES};
use sash_log::image::{encode_image, hash_image};

fn split(file: &[u8], length: usize) -> (Vec<u8>, Vec<FileImage>) {
    let mut split = SplitFile::default();
    for piece in file.chunks(length) {
        split.push(piece).unwrap();
    }
    split.finish()
}

#[test]
fn images_are_taken_out_of_a_file_wherever_it_is_cut() {
    let (a, b) = (png(1, 2, b"a"), png(3, 4, b""));
    let (x, y) = (
        image_line(hash_image(&a), &a),
        image_line(hash_image(&b), &b),
    );
    let file = format!("{{\"app\":\"sash\"}}\n{x}\n{{\"key\":\"k\"}}\n{y}short");
    for length in [1, 2, 7, 83, 84, 85, 1_000] {
        let (text, images) = split(file.as_bytes(), length);
        assert_eq!(
            String::from_utf8(text).unwrap(),
            "{\"app\":\"sash\"}\n\n{\"key\":\"k\"}\nshort",
            "{length}"
        );
        let data = |n: usize| {
            let FileImage { hash, at } = images[n].clone();
            let at = at.start as usize..at.end as usize;
            check_image(hash, &file.as_bytes()[at])
        };
        assert_eq!(
            (data(0), data(1)),
            (Ok(a.clone()), Ok(b.clone())),
            "{length}"
        );
    }
    // The last line may lack its end.
    let (text, images) = split(x.trim_end().as_bytes(), 10);
    assert_eq!((text.len(), images.len()), (0, 1));
}

#[test]
fn what_is_no_image_by_content_length_or_hash_is_damaged() {
    let good = png(1, 1, b"");
    let hash = hash_image(&good);
    let data = encode_image(&good);
    assert_eq!(check_image(hash, data.as_bytes()), Ok(good.clone()));
    assert_eq!(
        check_image(ImageHash([0; 32]), data.as_bytes()),
        Err(ImageDamage)
    );
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>";
    let of_svg = check_image(hash_image(svg), encode_image(svg).as_bytes());
    assert_eq!(of_svg, Err(ImageDamage));
    for wrong in [&b""[..], b"%%%", b"\xff\xff", &data.as_bytes()[1..]] {
        assert_eq!(check_image(hash, wrong), Err(ImageDamage));
    }
    let large = png(1, 1, &vec![0; MAX_IMAGE_BYTES as usize]);
    let line = image_line(hash_image(&large), &large);
    assert_eq!(
        split(line.as_bytes(), 4_096).1,
        [],
        "too long to be read at all"
    );
}

#[test]
fn a_file_of_more_text_than_is_read_is_refused_while_it_is_read() {
    let mut file = SplitFile::default();
    let line = [b'x'; 1 << 20];
    let pushed = (0..40).try_for_each(|_| file.push(&line));
    assert_eq!(pushed, Err(FileTooLong));
}

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
    let (text, images) = split(file.as_bytes(), 100);
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
