//! The text of documents over HTTP, and that hostile ones cost nothing but themselves.

use crate::common::{House, refused};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::io::Write;
use std::time::{Duration, Instant};
use zip::write::SimpleFileOptions;

async fn extract(house: &House, document: &[u8]) -> reqwest::Response {
    let data = STANDARD.encode(document);
    house.post("extract", json!({ "data": data })).await
}

/// The format and the parts of a document.
async fn text(house: &House, document: &[u8]) -> (String, Vec<String>, bool) {
    let answer = extract(house, document).await;
    assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
    let body: Value = answer.json().await.unwrap();
    let parts = body["parts"].as_array().unwrap();
    let parts = parts.iter().map(|part| part.as_str().unwrap().to_owned());
    (
        body["format"].as_str().unwrap().to_owned(),
        parts.collect(),
        body["cut"].as_bool().unwrap(),
    )
}

/// The sentence with which a document is refused.
async fn reason(house: &House, document: &[u8]) -> String {
    let answer = extract(house, document).await;
    let status = answer.status();
    let body: Value = answer.json().await.unwrap();
    assert_eq!(status, 400, "{body}");
    assert_eq!(body["error"]["code"], "file_unreadable", "{body}");
    body["error"]["message"].as_str().unwrap().to_owned()
}

/// A PDF of objects, which are numbered from 1, with a table of where they are.
fn pdf(objects: &[String]) -> Vec<u8> {
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (n, object) in (1..).zip(objects) {
        places.push(file.len());
        file.extend(format!("{n} 0 obj\n{object}\nendobj\n").bytes());
    }
    let table = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for place in places {
        file.extend(format!("{place:010} 00000 n \n").bytes());
    }
    let count = objects.len() + 1;
    file.extend(
        format!("trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n").bytes(),
    );
    file
}

/// A PDF with a page for each text.
fn pages(texts: &[&str]) -> Vec<u8> {
    let kids: Vec<String> = (0..texts.len())
        .map(|n| format!("{} 0 R", 4 + 2 * n))
        .collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!(
            "<< /Type /Pages /Kids [{}] /Count {} >>",
            kids.join(" "),
            texts.len()
        ),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
            .to_owned(),
    ];
    for (n, text) in texts.iter().enumerate() {
        let content = format!("BT /F1 12 Tf 72 720 Td ({text}) Tj ET");
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
            5 + 2 * n
        ));
        objects.push(format!(
            "<< /Length {} >>\nstream\n{content}\nendstream",
            content.len()
        ));
    }
    pdf(&objects)
}

/// A Word document with this body; `write` writes it.
fn docx(write: impl FnOnce(&mut dyn Write)) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    archive.start_file("word/document.xml", options).unwrap();
    write(&mut archive);
    archive.finish().unwrap().into_inner()
}

#[tokio::test]
async fn documents_give_their_text_in_parts() {
    let house = House::new().await;
    let (format, parts, cut) = text(&house, &pages(&["First page", "Second page"])).await;
    assert_eq!((format.as_str(), cut), ("pdf", false));
    assert_eq!(parts.len(), 2);
    assert!(
        parts[0].contains("First page") && parts[1].contains("Second page"),
        "{parts:?}"
    );
    let document = docx(|body| {
        let xml = r#"<w:document xmlns:w="w"><w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Title</w:t></w:r></w:p><w:p><w:r><w:t>Words &amp; more</w:t></w:r></w:p></w:body></w:document>"#;
        body.write_all(xml.as_bytes()).unwrap();
    });
    let (format, parts, _) = text(&house, &document).await;
    assert_eq!(
        (format.as_str(), parts.join("").trim()),
        ("docx", "# Title\n\nWords & more")
    );
    let page =
        b"<!doctype html><title>T</title><body><h1>One</h1><p>Words</p><script>no()</script>";
    let (format, parts, _) = text(&house, page).await;
    assert_eq!(format, "html");
    assert!(
        parts[0].contains("# One") && !parts[0].contains("no()"),
        "{parts:?}"
    );
}

#[tokio::test]
async fn what_has_no_text_is_refused_with_the_reason() {
    let house = House::new().await;
    let archive = {
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        archive
            .start_file("other.txt", SimpleFileOptions::default())
            .unwrap();
        archive.finish().unwrap().into_inner()
    };
    for (document, says) in [
        (
            &b"\x7fELF\x02\x01\0\0\x03\0\x3e"[..],
            "no PDF, no Word document",
        ),
        (b" \n\n", "no text in it."),
        (b"", "no text in it."),
        (b"\x89PNG\r\n\x1a\n", "no PDF, no Word document"),
        (&archive, "no PDF, no Word document"),
        (b"PK\x03\x04 and then nothing", "damaged"),
        (b"%PDF-1.7 and then nothing", "damaged"),
        (&pages(&[""]), "no text in it; its pages may be pictures"),
        (b"<!doctype html><script>x</script>", "no text in it."),
        (
            &docx(|body| body.write_all(b"<d/>").unwrap()),
            "no text in it.",
        ),
    ] {
        let said = reason(&house, document).await;
        assert!(said.contains(says), "{said}");
    }
    let wrong = house.post("extract", json!({"data": "not base64!"})).await;
    assert_eq!(refused(wrong).await, (400, "invalid_field".to_owned()));
    let large = house
        .post("extract", json!({"data": "A".repeat(25 * 1024 * 1024)}))
        .await;
    assert_eq!(refused(large).await, (413, "too_large".to_owned()));
}

#[tokio::test]
async fn a_zip_bomb_is_cut_and_does_not_fill_the_memory() {
    let house = House::new().await;
    let bomb = docx(|body| {
        body.write_all(b"<d>").unwrap();
        let paragraphs = "<p><t>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</t></p>".repeat(25_000);
        // A gigabyte in a file of a megabyte.
        for _ in 0..1_000 {
            body.write_all(paragraphs.as_bytes()).unwrap();
        }
    });
    assert!(bomb.len() < 8_000_000, "{}", bomb.len());
    let before = resident_bytes();
    let (_, parts, cut) = text(&house, &bomb).await;
    assert!(cut);
    assert!(parts[0].len() <= 2_000_000);
    let grown = resident_bytes().saturating_sub(before);
    // Tests beside this one hold bodies of many megabytes in the same process; the bomb is a gigabyte.
    assert!(grown < 300_000_000, "{grown} bytes more");
}

#[tokio::test]
async fn a_pdf_that_refers_to_itself_ends_and_a_chat_beside_it_is_undisturbed() {
    let house = House::with(|s| s.rooms.extraction.time = Duration::from_secs(3)).await;
    let looped = pdf(&[
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>".to_owned(),
    ]);
    let form = pdf(&[
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 5 0 R /Resources << /XObject << /X 4 0 R >> >> >>".to_owned(),
        "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 4 0 R >> >> /Length 5 >>\nstream\n/X Do\nendstream".to_owned(),
        "<< /Length 5 >>\nstream\n/X Do\nendstream".to_owned(),
    ]);
    let began = Instant::now();
    let hostile = async {
        for document in [&looped, &form] {
            let said = reason(&house, document).await;
            assert!(said.starts_with("The file cannot be read: "), "{said}");
        }
    };
    let chat = async {
        let answer = house.ask(json!({"model": "tiny", "prompt": "hi"})).await;
        assert_eq!(answer.status(), 200);
        answer.text().await.unwrap();
        began.elapsed()
    };
    let ((), chatted) = tokio::join!(hostile, chat);
    assert!(
        began.elapsed() < Duration::from_secs(15),
        "{:?}",
        began.elapsed()
    );
    assert!(chatted < Duration::from_secs(5), "{chatted:?}");
    // The next one is read as ever.
    let (_, parts, _) = text(&house, &pages(&["Still here"])).await;
    assert!(parts[0].contains("Still here"));
}

#[tokio::test]
async fn html_of_any_depth_costs_a_process_and_nothing_else() {
    let house = House::with(|s| s.rooms.extraction.time = Duration::from_secs(5)).await;
    let deep = format!("<!doctype html><body>{}x", "<div>".repeat(200_000));
    let answer = extract(&house, deep.as_bytes()).await;
    assert!(
        matches!(answer.status().as_u16(), 200 | 400),
        "{}",
        answer.status()
    );
    let (_, parts, _) = text(&house, b"<!doctype html><p>Fine</p>").await;
    assert_eq!(parts[0].trim(), "Fine");
}

/// The resident memory of this process, in bytes; 0 where the system does not say.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kilobytes
        .and_then(|n| n.parse::<u64>().ok())
        .unwrap_or_default()
        * 1024
}
