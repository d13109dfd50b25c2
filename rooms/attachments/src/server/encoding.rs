//! The encoding of a text: what its mark or its declaration says, else detected, as Firefox does.

use super::comments::without_comments;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::char::decode_utf16;

/// How many bytes of a page are searched for its declaration.
const DECLARATION_BYTES: usize = 2048;
/// A text that has this many characters of UTF-8 for each of its errors is UTF-8 with errors.
const CHARACTERS_PER_ERROR: usize = 10;
/// A text has fewer control characters than one in this many bytes.
const BYTES_PER_CONTROL: usize = 50;

/// A text and the encoding in which it was read.
#[derive(Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text, without a mark of its byte order.
    pub text: String,
    /// The encoding.
    pub encoding: &'static Encoding,
}

/// Reads a text, in the encoding that a person chose or in the detected one; `None` for what is no text.
pub fn text(bytes: &[u8], chosen: Option<&'static Encoding>) -> Option<Decoded> {
    Some(decode(bytes, chosen.or_else(|| detect(bytes))?))
}

/// Reads a page of HTML; `None` for what is no text.
pub fn html(bytes: &[u8], chosen: Option<&'static Encoding>) -> Option<Decoded> {
    let encoding = chosen.or_else(|| marked(bytes)).or_else(|| {
        let declared = declared(bytes)?;
        // Programs that convert a page leave its declaration. Other encodings do not look like UTF-8 by chance.
        let is_utf8 = !bytes.is_ascii() && std::str::from_utf8(bytes).is_ok();
        let has_errors = || declared.decode_without_bom_handling(bytes).1;
        (!bytes.contains(&0) && !is_utf8 && !has_errors()).then_some(declared)
    });
    text(bytes, encoding)
}

fn decode(bytes: &[u8], encoding: &'static Encoding) -> Decoded {
    let (text, _) = encoding.decode_with_bom_removal(bytes);
    Decoded {
        text: text.into_owned(),
        encoding,
    }
}

/// The encoding that the first bytes mark.
fn marked(bytes: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_bom(bytes).map(|(encoding, _)| encoding)
}

fn detect(bytes: &[u8]) -> Option<&'static Encoding> {
    if let Some(marked) = marked(bytes) {
        return Some(marked);
    }
    if bytes.contains(&0) {
        return without_mark(bytes);
    }
    let is_control = |byte: &&u8| matches!(byte, 0..=7 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f);
    if bytes.iter().filter(is_control).count() > bytes.len() / BYTES_PER_CONTROL {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    let mut guessed = detector.guess(None, Utf8Detection::Allow);
    if guessed == WINDOWS_1252 && is_japanese(bytes) {
        guessed = SHIFT_JIS;
    }
    Some(match guessed != ISO_2022_JP && is_mostly_utf8(bytes) {
        true => UTF_8,
        false => guessed,
    })
}

/// Whether a short text in Shift_JIS is taken for a Western one: it has the syllables of Japanese, which are quotation
/// marks between letters there.
fn is_japanese(bytes: &[u8]) -> bool {
    let (text, has_errors) = SHIFT_JIS.decode_without_bom_handling(bytes);
    let syllables = text
        .chars()
        .filter(|c| matches!(c, '\u{3041}'..='\u{30fe}'))
        .count();
    let others = text.chars().filter(|c| !c.is_ascii()).count();
    !has_errors && syllables > 1 && syllables * 4 >= others
}

fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut characters, mut errors) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        characters += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        errors += usize::from(!chunk.invalid().is_empty());
    }
    errors == 0 || characters >= errors * CHARACTERS_PER_ERROR
}

/// UTF-16 without a mark, by the zeros that ASCII has in it: of both orders the one that gives a text.
fn without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let ascii = |encoding: &'static Encoding| {
        let unit = |pair: &[u8]| match *pair {
            [a, b] if encoding == UTF_16LE => u16::from_le_bytes([a, b]),
            [a, b] => u16::from_be_bytes([a, b]),
            _ => 0,
        };
        let mut ascii = 0;
        for c in decode_utf16(bytes.chunks(2).map(unit)) {
            let c = c.ok()?;
            let is_white = matches!(c, '\t' | '\n' | '\r' | '\u{c}');
            let is_private = matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..='\u{ffff}');
            if c.is_control() && !is_white || is_private {
                return None;
            }
            ascii += usize::from(c.is_ascii());
        }
        (ascii > 0).then_some((ascii, encoding))
    };
    let orders = [ascii(UTF_16LE), ascii(UTF_16BE)];
    let best = orders.into_iter().flatten().max_by_key(|(ascii, _)| *ascii);
    best.map(|(_, encoding)| encoding)
}

/// The encoding that a page declares, in an element or as XML does.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..bytes.len().min(DECLARATION_BYTES))?;
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let head = without_comments(&head, "<!--", "-->");
    let xml = head
        .trim_start()
        .strip_prefix("<?xml")
        .and_then(|rest| value_of(rest.split("?>").next()?, "encoding"));
    let mut elements = head.split("<meta").skip(1);
    let label =
        xml.or_else(|| elements.find_map(|rest| value_of(rest.split('>').next()?, "charset")))?;
    let encoding = Encoding::for_label_no_replacement(label.as_bytes())?;
    // Who can read the declaration byte for byte does not read UTF-16.
    Some(match encoding == UTF_16LE || encoding == UTF_16BE {
        true => UTF_8,
        false => encoding,
    })
}

/// What follows a name and `=`, with or without quotes.
fn value_of<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, after) = text.split_once(name)?;
    let value = after.trim_start().strip_prefix('=')?.trim_start();
    let value = value.trim_start_matches(['"', '\'']);
    let end = value.find(|c: char| c.is_whitespace() || "\"';/>".contains(c));
    value
        .get(..end.unwrap_or(value.len()))
        .filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts in the encodings of their languages, a long and a short one of each.
    const TEXTS: [(&str, &str); 24] = [
        (
            "GBK",
            "图书馆星期一闭馆,请提前归还借阅的图书。读者可以在网上续借。",
        ),
        ("GBK", "会议改到周五"),
        (
            "Big5",
            "圖書館星期一休館,請提前歸還借閱的圖書。讀者可以在網上續借。",
        ),
        ("Big5", "會議改到週五"),
        (
            "Shift_JIS",
            "図書館は月曜日に休館します。本はお早めにご返却ください。",
        ),
        ("Shift_JIS", "会議は金曜日です"),
        (
            "EUC-JP",
            "図書館は月曜日に休館します。本はお早めにご返却ください。",
        ),
        ("EUC-JP", "会議は金曜日です"),
        ("ISO-2022-JP", "図書館は月曜日に休館します。"),
        (
            "EUC-KR",
            "도서관은 월요일에 휴관합니다. 책을 미리 반납해 주세요.",
        ),
        ("EUC-KR", "회의는 금요일입니다"),
        (
            "windows-1251",
            "Библиотека закрыта по понедельникам, верните книги заранее.",
        ),
        ("windows-1251", "Встреча в пятницу"),
        (
            "KOI8-R",
            "Библиотека закрыта по понедельникам, верните книги заранее.",
        ),
        ("KOI8-R", "Встреча в пятницу"),
        (
            "windows-1255",
            "הספרייה סגורה ביום שני, נא להחזיר את הספרים מראש.",
        ),
        ("windows-1255", "הפגישה ביום שישי"),
        (
            "windows-1256",
            "المكتبة مغلقة يوم الاثنين، يرجى إعادة الكتب مسبقا.",
        ),
        ("windows-1256", "الاجتماع يوم الجمعة"),
        (
            "ISO-8859-2",
            "Knihovna je v pondělí zavřená, vraťte prosím knihy včas. Žluťoučký kůň.",
        ),
        (
            "windows-1250",
            "Žádná škoda: příští schůzka bude v pátek, šéf přijede později.",
        ),
        (
            "windows-1252",
            "Die Bücherei ist am Montag geschlossen; Rückgabe früher möglich. Größe: 5 €",
        ),
        ("windows-1252", "Café fermé à midi"),
        ("windows-1253", "Η βιβλιοθήκη είναι κλειστή τη Δευτέρα."),
    ];

    fn encoded(label: &str, text: &str) -> Vec<u8> {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        let (bytes, _, lost) = encoding.encode(text);
        assert!(!lost, "{label}: {text}");
        bytes.into_owned()
    }

    #[test]
    fn texts_are_read_in_the_encoding_that_they_are_in() {
        for (label, written) in TEXTS {
            let read = text(&encoded(label, written), None).unwrap();
            assert_eq!(read.text, written, "{label} as {}", read.encoding.name());
        }
    }

    #[test]
    fn utf_8_and_utf_16_are_known_with_and_without_a_mark() {
        let utf16 = |text: &str, little: bool| -> Vec<u8> {
            text.encode_utf16()
                .flat_map(|unit| match little {
                    true => unit.to_le_bytes(),
                    false => unit.to_be_bytes(),
                })
                .collect()
        };
        for written in ["name;town\nAnna;Köln\n", "Имя и город\n", "会议 改到\n周五"]
        {
            for (little, name) in [(true, "UTF-16LE"), (false, "UTF-16BE")] {
                for mark in ["", "\u{feff}"] {
                    let read = text(&utf16(&format!("{mark}{written}"), little), None).unwrap();
                    assert_eq!((read.encoding.name(), &*read.text), (name, written));
                }
            }
            for mark in ["", "\u{feff}"] {
                let read = text(format!("{mark}{written}").as_bytes(), None).unwrap();
                assert_eq!((read.encoding, &*read.text), (UTF_8, written));
            }
        }
        // A log that was cut in the middle of a character.
        let cut = "Встреча в пятницу".as_bytes();
        let read = text(&cut[..cut.len() - 1], None).unwrap();
        assert_eq!(
            (read.encoding, &*read.text),
            (UTF_8, "Встреча в пятниц\u{fffd}")
        );
    }

    #[test]
    fn what_is_no_text_is_refused_and_a_choice_is_followed() {
        for binary in [
            &b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..],
            b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0",
            b"\x1f\x8b\x08\x08\x11\x02\x03\x04\x05\x9a\xbc\xde\xf1\x0b\x0e",
            b"\0\x01\x02\x03",
        ] {
            assert_eq!(text(binary, None), None, "{binary:?}");
        }
        let bytes = encoded("windows-1251", "Встреча");
        let koi = Encoding::for_label(b"koi8-r");
        assert_ne!(text(&bytes, koi).unwrap().text, "Встреча");
        assert_eq!(text(&bytes, koi).unwrap().encoding.name(), "KOI8-R");
    }

    #[test]
    fn a_page_is_read_as_it_declares() {
        for (head, label, name) in [
            ("<meta charset=gbk>", "gbk", "GBK"),
            ("<META CHARSET='Big5'>", "big5", "Big5"),
            (
                "<meta http-equiv=Content-Type content=\"text/html; charset=gb2312\">",
                "gbk",
                "GBK",
            ),
            (
                "<!-- <meta charset=koi8-r> --><meta charset = \"gbk\" />",
                "gbk",
                "GBK",
            ),
            (
                "<meta name=viewport content=width><meta charset=gb18030>",
                "gbk",
                "gb18030",
            ),
            // What a program left, and what is wrong.
            ("<meta charset=windows-1252>", "utf-8", "UTF-8"),
            ("<meta charset=utf-8>", "gbk", "GBK"),
            ("<meta charset=utf-16>", "utf-8", "UTF-8"),
            ("<meta charset=nonsense>", "gbk", "GBK"),
            ("", "gbk", "GBK"),
        ] {
            let page =
                format!("<!doctype html><html><head>{head}</head><p>會議改到週五,請準時參加。</p>");
            let read = html(&encoded(label, &page), None).unwrap();
            assert_eq!(
                (&*read.text, read.encoding.name()),
                (&*page, name),
                "{head}"
            );
        }
        let page = "<?xml version='1.0' encoding='windows-1251'?><html><p>Да</p></html>";
        assert_eq!(
            html(&encoded("windows-1251", page), None).unwrap().text,
            page
        );
        let marked = "\u{feff}<meta charset=gbk><p>Да";
        assert_eq!(html(marked.as_bytes(), None).unwrap().text, &marked[3..]);
    }
}
