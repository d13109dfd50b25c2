//! Folds text for comparison: lower case, and without accents where a small table has the letter.

/// The base letters of Latin-1 and Latin Extended-A, from U+00E0; a dot where a letter has no base.
/// Lower-case letters only: upper case is converted before.
const LATIN: &str = "aaaaaa.ceeeeiiiidnooooo.ouuuuy.y\
.a.a.a.c.c.c.c.d.d.e.e.e.e.e.g.g.g.g.h.h.i.i.i.i.i...j.k..l.l.l.l.l.n.n.nn...o.o.o...r.r.r.s.s.s.s.t.t.t.u.u.u.u.u.u.w.y..z.z.zs";
/// The base letters of Vietnamese, from U+1EA0, upper and lower case in turn.
const VIETNAMESE: &str = "aaaaaaaaaaaaeeeeeeeeiioooooooooooouuuuuuuyyyy";

/// Appends a character in its folded form.
pub fn fold(c: char, out: &mut String) {
    if c.is_ascii() {
        out.push(c.to_ascii_lowercase());
        return;
    }
    if let Some(letters) = presentation_form(c) {
        letters.chars().for_each(|c| fold(c, out));
        return;
    }
    // The full-width forms of ASCII that East Asian keyboards write.
    if let Some(narrow) = narrow(c) {
        out.push(narrow.to_ascii_lowercase());
        return;
    }
    for lower in c.to_lowercase() {
        match lower {
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            lower if is_mark(lower) => {}
            lower => out.push(base(lower)),
        }
    }
}

/// The letters of the forms of Arabic from U+FE80, each with how many forms it has.
const ARABIC: &str = "ء1آ2أ2ؤ2إ2ئ4ا2ب4ة2ت4ث4ج4ح4خ4د2ذ2ر2ز2س4ش4ص4ض4ط4ظ4ع4غ4ف4ق4ك4ل4م4ن4ه4و2ى2ي4";
/// The letters of Persian and others from U+FB50, in the same way.
const PERSIAN: &str = "ٱ2ٻ4پ4ڀ4ٺ4ٿ4ٹ4ڤ4ڦ4ڄ4ڃ4چ4ڇ4ڍ2ڌ2ڎ2ڈ2ژ2ڑ2ک4گ4ڳ4ڱ4ں2ڻ4ۀ2ہ4ھ4ے2ۓ2";
/// The letters of the Hebrew forms from U+FB1D; a dot where there is none.
const HEBREW: &str = "י.ײעאדהכלםרת+ששששאאאבגדהוז.טיךכל.מ.נס.ףפ.צקרשתובכפ";

/// The letters of a presentation form or a ligature, as files of other programs have them.
fn presentation_form(c: char) -> Option<&'static str> {
    let at = u32::from(c);
    Some(match at {
        0xfb00 => "ff",
        0xfb01 => "fi",
        0xfb02 => "fl",
        0xfb03 => "ffi",
        0xfb04 => "ffl",
        0xfb05 | 0xfb06 => "st",
        0xfb1d..=0xfb4e => nth(HEBREW, at - 0xfb1d).filter(|letter| *letter != ".")?,
        0xfb4f => "אל",
        0xfb50..=0xfbb1 => of_forms(PERSIAN, at - 0xfb50)?,
        0xfbfc..=0xfbff => "ی",
        0xfdf2 => "الله",
        0xfe70..=0xfe7f => "",
        0xfe80..=0xfef4 => of_forms(ARABIC, at - 0xfe80)?,
        0xfef5 | 0xfef6 => "لآ",
        0xfef7 | 0xfef8 => "لأ",
        0xfef9 | 0xfefa => "لإ",
        0xfefb | 0xfefc => "لا",
        _ => return None,
    })
}

/// The letter at a place of a table.
fn nth(table: &'static str, place: u32) -> Option<&'static str> {
    let (start, letter) = table.char_indices().nth(usize::try_from(place).ok()?)?;
    table.get(start..start + letter.len_utf8())
}

/// The letter whose forms are at a place, of a table of letters and how many forms each has.
fn of_forms(table: &'static str, place: u32) -> Option<&'static str> {
    let mut left = place;
    let mut chars = table.char_indices();
    while let (Some((start, letter)), Some((_, forms))) = (chars.next(), chars.next()) {
        let forms = forms.to_digit(10)?;
        if left < forms {
            return table.get(start..start + letter.len_utf8());
        }
        left -= forms;
    }
    None
}

fn narrow(c: char) -> Option<char> {
    let wide = ('\u{ff01}'..='\u{ff5e}').contains(&c);
    wide.then(|| char::from_u32(c as u32 - 0xfee0)).flatten()
}

/// Whether a character is a combining mark: an accent, a vowel point of Hebrew or Arabic, or an Indic sign
/// that changes a consonant (nukta) or removes its vowel (virama).
pub fn is_mark(c: char) -> bool {
    match c {
        '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}'..='\u{5c2}' => true,
        '\u{5c4}'..='\u{5c5}' | '\u{5c7}' | '\u{64b}'..='\u{65f}' | '\u{670}' => true,
        '\u{900}'..='\u{dff}' => matches!(u32::from(c) & 0x7f, 0x3c | 0x4d),
        _ => false,
    }
}

/// The base letter of a lower-case letter.
fn base(c: char) -> char {
    let at = c as u32;
    let found = match at {
        0xe0..=0x17f => letter(LATIN, at - 0xe0),
        0x1ea0..=0x1ef9 => letter(VIETNAMESE, (at - 0x1ea0) / 2),
        _ => None,
    };
    found.unwrap_or(match c {
        'ơ' => 'o',
        'ư' => 'u',
        'ά' => 'α',
        'έ' => 'ε',
        'ή' => 'η',
        'ί' | 'ϊ' | 'ΐ' => 'ι',
        'ό' => 'ο',
        'ύ' | 'ϋ' | 'ΰ' => 'υ',
        'ώ' => 'ω',
        'ς' => 'σ',
        'ё' => 'е',
        'й' => 'и',
        c => c,
    })
}

fn letter(table: &str, place: u32) -> Option<char> {
    let byte = *table.as_bytes().get(place as usize)?;
    (byte != b'.').then(|| char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        let mut out = String::new();
        text.chars().for_each(|c| fold(c, &mut out));
        out
    }

    /// Files of other programs have these in the place of letters; a search for the letters did not find them.
    #[test]
    fn presentation_forms_and_ligatures_are_their_letters() {
        for (forms, letters) in [
            (
                "e\u{fb03}cient \u{fb01}sh \u{fb00} \u{fb02} \u{fb06}",
                "efficient fish ff fl st",
            ),
            (
                "\u{fe8d}\u{fedf}\u{fee4}\u{fedc}\u{fe98}\u{fe92}\u{fe94}",
                "المكتبة",
            ),
            ("\u{feb3}\u{fefc}\u{fee1}", "سلام"),
            ("\u{fef1}\u{fef4}\u{fee9}\u{feed}\u{feef}", "ييهوى"),
            ("\u{fb58}\u{fb7c}\u{fb8a}\u{fb92}\u{fbb1}\u{fbfe}", "پچژگۓی"),
            (
                "\u{fb2a}\u{fb35}\u{fb4f}\u{fb4a}\u{fb1d}\u{fb4e}",
                "שואלתיפ",
            ),
            ("\u{fe77}\u{fdf2}", "الله"),
            ("x² ½", "x² ½"),
        ] {
            assert_eq!(folded(forms), folded(letters), "{forms}");
        }
    }
}
