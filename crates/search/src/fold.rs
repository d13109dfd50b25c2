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
