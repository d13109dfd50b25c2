//! The widths of glyphs. A font gives them as `first [w w w]` or as `first last w`; of the latter `pdf-extract` reads the
//! first number three times, so that the glyphs have no width and words fall apart.

use pdf_extract::{Document, Object};

/// The most glyphs of a document whose widths are written out.
const MAX_GLYPHS: usize = 500_000;

/// Writes the widths of ranges out.
pub fn write_out(document: &mut Document) {
    let mut left = MAX_GLYPHS;
    let mut elsewhere = Vec::new();
    for object in document.objects.values_mut() {
        let Ok(font) = object.as_dict_mut() else {
            continue;
        };
        let kind = font.get(b"Subtype").and_then(Object::as_name);
        if !kind.is_ok_and(|kind| kind.starts_with(b"CIDFontType")) {
            continue;
        }
        match font.get_mut(b"W") {
            Ok(Object::Array(widths)) => written_out(widths, &mut left),
            Ok(Object::Reference(id)) => elsewhere.push(*id),
            _ => {}
        }
    }
    for id in elsewhere {
        if let Some(Object::Array(widths)) = document.objects.get_mut(&id) {
            written_out(widths, &mut left);
        }
    }
}

fn written_out(widths: &mut Vec<Object>, left: &mut usize) {
    let mut out = Vec::with_capacity(widths.len());
    let mut rest = widths.as_slice();
    loop {
        match rest {
            [] => break,
            [first, list @ Object::Array(_), after @ ..] => {
                out.extend([first.clone(), list.clone()]);
                rest = after;
            }
            [first, last, width, after @ ..] => {
                let (Ok(from), Ok(to)) = (first.as_i64(), last.as_i64()) else {
                    return;
                };
                let count = usize::try_from(to.saturating_sub(from).saturating_add(1)).unwrap_or(0);
                let Some(remaining) = left.checked_sub(count) else {
                    return;
                };
                *left = remaining;
                out.extend([first.clone(), Object::Array(vec![width.clone(); count])]);
                rest = after;
            }
            _ => return,
        }
    }
    *widths = out;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_become_lists() {
        let array = |text: &[i64]| Object::Array(text.iter().copied().map(Object::from).collect());
        let mut widths = vec![3.into(), 5.into(), 250.into(), 9.into(), array(&[1, 2])];
        written_out(&mut widths, &mut 10);
        assert_eq!(
            widths,
            [3.into(), array(&[250; 3]), 9.into(), array(&[1, 2])]
        );
        let mut many = vec![0.into(), 60_000.into(), 1.into()];
        let before = many.clone();
        written_out(&mut many, &mut 10);
        assert_eq!(many, before);
    }
}
