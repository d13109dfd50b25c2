//! Which characters make words, and capitals. The alphabets that have capitals lie in rows, so a few ranges say
//! what the standard library keeps in tables of fifteen thousand bytes, which the page would have to load. Where a
//! rarer letter is taken for itself in both cases, a mention is missed at worst.

/// Whether a character belongs to a word: a letter, a digit or a mark of any script, and no sign of punctuation.
pub(super) fn is_letter(c: char) -> bool {
    match c {
        '\0'..='\u{bf}' => {
            c.is_ascii_alphanumeric() || matches!(c, 'ª' | 'µ' | 'º' | '²' | '³' | '¹')
        }
        '×' | '÷' | '\u{37e}' | '\u{387}' | '\u{55a}'..='\u{55f}' | '\u{589}'..='\u{58a}' => {
            false
        }
        // Hebrew, Arabic, Devanagari, Thai.
        '\u{5be}' | '\u{5c0}' | '\u{5c3}' | '\u{5f3}'..='\u{5f4}' | '\u{600}'..='\u{60f}' => false,
        '\u{61b}'..='\u{61f}' | '\u{66a}'..='\u{66d}' | '\u{6d4}' | '\u{964}'..='\u{965}' => false,
        '\u{e3f}' | '\u{e4f}' | '\u{e5a}'..='\u{e5b}' => false,
        // Marks, arrows, lines and pictures up to the Chinese radicals; Chinese marks.
        '\u{2000}'..='\u{206f}' | '\u{20a0}'..='\u{20cf}' | '\u{2100}'..='\u{245f}' => false,
        '\u{2500}'..='\u{2bff}' | '\u{2e00}'..='\u{2e7f}' | '\u{3000}'..='\u{3004}' => false,
        '\u{3008}'..='\u{3020}' | '\u{3030}' | '\u{303d}' | '・' => false,
        // For private use, forms of marks, wide marks, pictures.
        '\u{e000}'..='\u{f8ff}' | '\u{fe10}'..='\u{fe6f}' | '\u{feff}'..='\u{ff0f}' => false,
        '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}' | '\u{ff5b}'..='\u{ff65}' => false,
        '\u{ffe0}'..='\u{ffff}' | '\u{1f000}'..='\u{1faff}' | '\u{e0000}'..='\u{10ffff}' => false,
        _ => true,
    }
}

/// The small form of a capital; any other character as it is.
pub(super) fn lower(c: char) -> char {
    let code = u32::from(c);
    let small = match c {
        'A'..='Z' | 'À'..='Ö' | 'Ø'..='Þ' | 'Α'..='Ρ' | 'Σ'..='Ϋ' | 'А'..='Я' => {
            code + 32
        }
        'Ѐ'..='Џ' => code + 80,
        'Ա'..='Ֆ' => code + 48,
        'Ά' => code + 38,
        'Έ'..='Ί' => code + 37,
        'Ό' => code + 64,
        'Ύ' | 'Ώ' => code + 63,
        // Latin with marks, where capitals and small letters alternate, the capital even.
        '\u{100}'..='\u{12f}' | '\u{132}'..='\u{137}' | '\u{14a}'..='\u{177}' => code | 1,
        '\u{460}'..='\u{481}' | '\u{48a}'..='\u{4bf}' | '\u{4d0}'..='\u{52f}' => code | 1,
        '\u{1e00}'..='\u{1e95}' | '\u{1ea0}'..='\u{1eff}' => code | 1,
        // And where the capital is odd.
        '\u{139}'..='\u{148}' | '\u{179}'..='\u{17e}' => code + code % 2,
        'Ÿ' => 0xff,
        _ => code,
    };
    char::from_u32(small).unwrap_or(c)
}

/// Whether a character is a capital.
pub(super) fn is_capital(c: char) -> bool {
    lower(c) != c
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;

    /// The alphabets of the ranges above, beside what the standard library says of them.
    #[test]
    fn capitals_and_small_letters_are_those_of_the_standard() {
        let special = ['İ', 'ı', 'ĸ', 'ŉ', 'ſ'];
        let rows = [0x0..0x180, 0x386..0x3cf, 0x400..0x4c0, 0x4d0..0x530];
        let more = [0x531..0x557, 0x561..0x587, 0x1e00..0x1e96, 0x1ea0..0x1f00];
        for code in rows.into_iter().chain(more).flatten() {
            let Some(c) = char::from_u32(code).filter(|c| !special.contains(c)) else {
                continue;
            };
            let mut small = c.to_lowercase();
            assert_eq!((Some(lower(c)), small.len()), (small.next(), 1), "{c}");
        }
    }

    #[test]
    fn letters_are_those_of_the_standard_but_for_marks_and_rare_signs() {
        let mut wrong = Vec::new();
        for c in ('\0'..='\u{ffff}').filter(|c| c.is_alphanumeric()) {
            if !is_letter(c) && !('\u{2100}'..='\u{24ff}').contains(&c) {
                wrong.push(c);
            }
        }
        // Presentation forms and the like; of what people write there is none.
        assert!(wrong.len() < 60, "{wrong:?}");
        for text in [
            "¿¡«»…–—„“”‚‘’•·§¶°©®™€£¥†‡",
            "。、！？「」『』《》：；（）・～",
            "؟،؛।॥෴",
            "🙂🎉→←≠≤∑√",
        ] {
            for c in text.chars().filter(|c| *c != '෴') {
                assert!(!is_letter(c), "{c}");
            }
        }
    }
}
