//! Characters of fonts of symbols, which have no letters at the places of letters.

/// The character of a symbol; `U+FFFD` where the font's symbol has none that is known here.
pub fn symbol(font: &str, code: &str) -> char {
    let Ok(code) = u32::from_str_radix(code, 16) else {
        return char::REPLACEMENT_CHARACTER;
    };
    // The places of a font of symbols are in a private area, or without it.
    let place = match code {
        0xf000..=0xf0ff => code - 0xf000,
        0x20..=0xff => code,
        _ => return char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    };
    let found = match font.to_ascii_lowercase().as_str() {
        "wingdings" => wingdings(place),
        "symbol" => greek(place),
        _ if code < 0xf000 => char::from_u32(code),
        _ => None,
    };
    found.unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn wingdings(place: u32) -> Option<char> {
    Some(match place {
        0x28 => '☎',
        0x2a => '✉',
        0x4a => '☺',
        0x4c => '☹',
        0x6c | 0x9f => '●',
        0x6e | 0xa7 => '■',
        0x6f | 0xa8 => '☐',
        0x71 => '❑',
        0x76 => '❖',
        0xa1 => '○',
        0xab => '★',
        0xd8 => '➢',
        0xdf => '←',
        0xe0 | 0xe8 => '→',
        0xe1 => '↑',
        0xe2 => '↓',
        0xf0 => '⇨',
        0xfb => '✗',
        0xfc => '✓',
        0xfd => '☒',
        0xfe => '☑',
        _ => return None,
    })
}

fn greek(place: u32) -> Option<char> {
    const UPPER: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
    const LOWER: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
    let at = |letters: &str, first: u32| letters.chars().nth(usize::try_from(place - first).ok()?);
    match place {
        0x41..=0x5a => at(UPPER, 0x41),
        0x61..=0x7a => at(LOWER, 0x61),
        0x20..=0x40 => char::from_u32(place),
        0xa3 => Some('≤'),
        0xa5 => Some('∞'),
        0xac => Some('←'),
        0xae => Some('→'),
        0xb0 => Some('°'),
        0xb1 => Some('±'),
        0xb3 => Some('≥'),
        0xb4 => Some('×'),
        0xb7 => Some('•'),
        0xb8 => Some('÷'),
        0xb9 => Some('≠'),
        0xbb => Some('≈'),
        0xd6 => Some('√'),
        0xe5 => Some('∑'),
        _ => None,
    }
}
