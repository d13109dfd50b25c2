//! Documents as other programs write them: PDFs that Chromium printed and LibreOffice exported, Word documents of pandoc
//! and LibreOffice, pages and texts in the encodings of their languages. Each of them says the same in its language.

use crate::common::House;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use encoding_rs::Encoding;
use serde_json::{Value, json};
use std::path::Path;

/// The sentences of each language, by the ends of the files' names.
const SENTENCES: [(&str, &[&str]); 8] = [
    (
        "-he.",
        &[
            "ספריית העיר",
            "הספרייה פתוחה מיום ראשון עד יום חמישי בשעות 09:30 עד 18:45 (כולל חגים).",
            "דמי החבר הם 1,250 ₪ לשנה, הנחה של 15% לתושבים.",
            "הרשמה באתר library.example או בטופס PDF חדש.",
        ],
    ),
    (
        "-ar.",
        &[
            "مكتبة المدينة",
            "المكتبة مفتوحة من الأحد إلى الخميس بين الساعة 09:30 و 18:45 (بما في ذلك الأعياد).",
            "لا إله إلا الله والسلام على الأهل.",
            "التسجيل في نموذج PDF الجديد.",
        ],
    ),
    (
        "-fa.",
        &[
            "کتابخانه شهر",
            "کتابخانه از شنبه تا چهارشنبه باز است (ساعت ۹ تا ۱۸).",
            "گزارش پژوهش چاپ شد.",
        ],
    ),
    (
        "-en.",
        &[
            "City library",
            "The library is open from Sunday to Thursday, 9:30 to 18:45 (holidays too).",
            "An efficient office offers five flat files: x² + y², ½ litre.",
            "The Hebrew word ספרייה means library.",
        ],
    ),
    (
        "-de.",
        &[
            "Stadtbücherei",
            "Die Bücherei öffnet für alle Größen der Straße: 5 € je Jahr.",
            "Ärger über Öfen übt man später.",
        ],
    ),
    (
        "-ru.",
        &[
            "Городская библиотека",
            "Библиотека открыта с понедельника по пятницу, с 9:30 до 18:45.",
            "Членский взнос 250 ₽ в год.",
        ],
    ),
    (
        "-el.",
        &[
            "Δημοτική βιβλιοθήκη",
            "Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα από τις 9:30.",
            "Η συνδρομή κοστίζει 15 € τον χρόνο.",
        ],
    ),
    (
        "-fr.",
        &[
            "Bibliothèque municipale",
            "La bibliothèque est ouverte du dimanche au jeudi, même à Noël.",
            "L’œuvre coûte « 12 € » : c’est peu.",
        ],
    ),
];

/// The answer to a document, its text without the ends of lines.
async fn extract(house: &House, document: &[u8], encoding: Option<&str>) -> (Value, String) {
    let mut body = json!({ "data": STANDARD.encode(document) });
    if let Some(encoding) = encoding {
        body["encoding"] = json!(encoding);
    }
    let answer = house.post("extract", body).await;
    assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
    let answer: Value = answer.json().await.unwrap();
    let parts = answer["parts"].as_array().unwrap();
    let text: Vec<&str> = parts.iter().map(|part| part.as_str().unwrap()).collect();
    let text = text.join("\n");
    let words: Vec<&str> = text.split_whitespace().collect();
    let words = words.join(" ");
    (answer, words)
}

#[tokio::test]
async fn documents_of_other_programs_are_read_as_they_were_written() {
    let house = House::new().await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/documents");
    let mut kinds = std::collections::BTreeMap::<String, usize>::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let language = SENTENCES.iter().find(|(end, _)| name.contains(end));
        let (_, sentences) = language.unwrap_or_else(|| panic!("{name} is of no language"));
        let (answer, text) = extract(&house, &std::fs::read(&path).unwrap(), None).await;
        for sentence in *sentences {
            assert!(
                text.contains(sentence),
                "{name}: {sentence} is not in {text}"
            );
        }
        if name.starts_with("pandoc") {
            assert!(text.contains("[^1]: Note"), "{name}: {text}");
            assert!(text.contains("| A1 | B\\|2 |"), "{name}: {text}");
            assert!(text.contains("1. alpha 2. beta"), "{name}: {text}");
        }
        let format = answer["format"].as_str().unwrap().to_owned();
        *kinds.entry(format).or_default() += 1;
    }
    assert!(kinds["pdf"] >= 10 && kinds["docx"] >= 10, "{kinds:?}");
}

/// The encodings that pages and texts of a language had before UTF-8.
const ENCODINGS: [(&str, &[&str]); 8] = [
    (
        "Библиотека открыта с понедельника по пятницу. Членский взнос выше.",
        &["windows-1251", "KOI8-R"],
    ),
    (
        "הספרייה פתוחה מיום ראשון עד יום חמישי, כולל חגים.",
        &["windows-1255"],
    ),
    (
        "المكتبة مفتوحة من الأحد إلى الخميس طوال العام.",
        &["windows-1256"],
    ),
    (
        "图书馆从周一到周五开放,节假日也开放。请带上借书证。",
        &["GBK", "gb18030"],
    ),
    (
        "圖書館從週一到週五開放,節假日也開放。請帶上借書證。",
        &["Big5"],
    ),
    (
        "図書館は月曜日から金曜日まで開いています。カードをお持ちください。",
        &["Shift_JIS", "EUC-JP", "ISO-2022-JP"],
    ),
    (
        "도서관은 월요일부터 금요일까지 엽니다. 회원증을 가져오세요.",
        &["EUC-KR"],
    ),
    (
        "Knihovna je otevřena od pondělí do pátku, i o svátcích. Žádné poplatky.",
        &["ISO-8859-2"],
    ),
];

#[tokio::test]
async fn pages_and_texts_are_read_in_the_encoding_that_they_are_in() {
    let house = House::new().await;
    for (sentence, labels) in ENCODINGS {
        for label in labels {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            let encoded = |text: &str| encoding.encode(text).0.into_owned();
            let (answer, text) = extract(&house, &encoded(sentence), None).await;
            assert_eq!(
                (answer["format"].as_str(), &*text),
                (Some("text"), sentence),
                "{answer}"
            );
            // With its declaration, with an older one, and without any.
            for head in [
                format!("<meta charset={label}>"),
                format!("<meta http-equiv='Content-Type' content='text/html; charset={label}'>"),
                String::new(),
            ] {
                let page = format!(
                    "<!DOCTYPE html><html><head>{head}</head><body><p>{sentence}</p></body></html>"
                );
                let (answer, text) = extract(&house, &encoded(&page), None).await;
                assert_eq!(
                    (answer["format"].as_str(), &*text),
                    (Some("html"), sentence),
                    "{answer}"
                );
            }
        }
    }
}

/// Letters of another language were shown without a word; the encoding is said and can be another one.
#[tokio::test]
async fn the_encoding_is_said_and_a_chosen_one_is_followed() {
    let house = House::new().await;
    let (cyrillic, _, _) = encoding_rs::WINDOWS_1251.encode("Привет, мир");
    let (answer, _) = extract(&house, &cyrillic, None).await;
    assert_eq!(answer["encoding"], "windows-1251");
    let (answer, text) = extract(&house, &cyrillic, Some("latin1")).await;
    assert_eq!(
        (answer["encoding"].as_str(), &*text),
        (Some("windows-1252"), "Ïðèâåò, ìèð")
    );
    let body = json!({ "data": STANDARD.encode(&*cyrillic), "encoding": "klingon" });
    let refused = house.post("extract", body).await;
    assert_eq!(
        crate::common::refused(refused).await,
        (400, "invalid_field".to_owned())
    );
}
