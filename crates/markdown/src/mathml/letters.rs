//! The mathematical alphabets of Unicode: MathML Core has no other way to write bold or double-struck
//! letters.

use pulldown_latex::event::Font;

/// The letter or digit in another alphabet; unchanged if that alphabet lacks it.
pub(super) fn styled(font: Font, c: char) -> char {
    // Code points of capital A, small a, digit zero, capital alpha and small alpha; 0 if missing.
    let [upper, lower, digit, alpha_upper, alpha] = match font {
        Font::Bold => [0x1d400, 0x1d41a, 0x1d7ce, 0x1d6a8, 0x1d6c2],
        Font::Italic => [0x1d434, 0x1d44e, 0, 0x1d6e2, 0x1d6fc],
        Font::BoldItalic => [0x1d468, 0x1d482, 0x1d7ce, 0x1d71c, 0x1d736],
        // Upright where the plain letter is upright.
        Font::BoldSymbol => [0x1d468, 0x1d482, 0x1d7ce, 0x1d6a8, 0x1d736],
        Font::Script => [0x1d49c, 0x1d4b6, 0, 0, 0],
        Font::BoldScript => [0x1d4d0, 0x1d4ea, 0, 0, 0],
        Font::Fraktur => [0x1d504, 0x1d51e, 0, 0, 0],
        Font::BoldFraktur => [0x1d56c, 0x1d586, 0, 0, 0],
        Font::DoubleStruck | Font::DoubleStruckItalic => [0x1d538, 0x1d552, 0x1d7d8, 0, 0],
        Font::SansSerif => [0x1d5a0, 0x1d5ba, 0x1d7e2, 0, 0],
        Font::BoldSansSerif => [0x1d5d4, 0x1d5ee, 0x1d7ec, 0x1d756, 0x1d770],
        Font::SansSerifItalic => [0x1d608, 0x1d622, 0, 0, 0],
        Font::SansSerifBoldItalic => [0x1d63c, 0x1d656, 0, 0x1d790, 0x1d7aa],
        Font::Monospace => [0x1d670, 0x1d68a, 0x1d7f6, 0, 0],
        Font::UpRight => return c,
    };
    // Letters that Unicode had before the alphabets were added.
    let old = match (font, c) {
        (Font::Italic, 'h') => 'ℎ',
        (Font::Script, 'B') => 'ℬ',
        (Font::Script, 'E') => 'ℰ',
        (Font::Script, 'F') => 'ℱ',
        (Font::Script, 'H') => 'ℋ',
        (Font::Script, 'I') => 'ℐ',
        (Font::Script, 'L') => 'ℒ',
        (Font::Script, 'M') => 'ℳ',
        (Font::Script, 'R') => 'ℛ',
        (Font::Script, 'e') => 'ℯ',
        (Font::Script, 'g') => 'ℊ',
        (Font::Script, 'o') => 'ℴ',
        (Font::Fraktur, 'C') => 'ℭ',
        (Font::Fraktur, 'H') => 'ℌ',
        (Font::Fraktur, 'I') => 'ℑ',
        (Font::Fraktur, 'R') => 'ℜ',
        (Font::Fraktur, 'Z') => 'ℨ',
        (Font::DoubleStruck, 'C') => 'ℂ',
        (Font::DoubleStruck, 'H') => 'ℍ',
        (Font::DoubleStruck, 'N') => 'ℕ',
        (Font::DoubleStruck, 'P') => 'ℙ',
        (Font::DoubleStruck, 'Q') => 'ℚ',
        (Font::DoubleStruck, 'R') => 'ℝ',
        (Font::DoubleStruck, 'Z') => 'ℤ',
        _ => c,
    };
    if old != c {
        return old;
    }
    let (base, first) = match c {
        'A'..='Z' => (upper, 'A'),
        'a'..='z' => (lower, 'a'),
        '0'..='9' => (digit, '0'),
        'Α'..='Ρ' | 'Σ'..='Ω' => (alpha_upper, 'Α'),
        'α'..='ω' => (alpha, 'α'),
        _ => return other(c).map_or(c, |at| nth(alpha, at).unwrap_or(c)),
    };
    nth(base, c as u32 - first as u32).unwrap_or(c)
}

/// The offset of the letters that follow omega in each Greek alphabet.
fn other(c: char) -> Option<u32> {
    "∂ϵϑϰϕϱϖ"
        .chars()
        .zip(25..)
        .find_map(|(letter, at)| (letter == c).then_some(at))
}

fn nth(base: u32, at: u32) -> Option<char> {
    (base > 0).then(|| char::from_u32(base + at)).flatten()
}
