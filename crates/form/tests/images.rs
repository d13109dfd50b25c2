//! Images of a file.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use sash_chat::{ImageHash, MAX_IMAGE_BYTES};
use sash_form::{FileImage, FileTooLong, ImageDamage, SplitFile, check_image, image_line};
use sash_log::image::{encode_image, hash_image};

/// A PNG of this many pixels whose data are missing: enough for everything but a decoder.
fn png(width: u32, height: u32, more: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend(b"\x08\x06\0\0\0\0\0\0\0");
    bytes.extend(more);
    bytes
}

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
