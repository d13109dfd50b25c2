//! Documents as Word, LibreOffice and others write them.

use super::frame::NoteKind;
use super::numbering::Numbering;
use super::story::Story;
use super::styles::Styles;
use super::*;
use std::io::Write;
use zip::write::SimpleFileOptions;

fn of(xml: &str) -> (String, bool) {
    let story = Story::read(&mut xml.as_bytes(), &mut Shared::default(), 1_000).unwrap();
    (story.text, story.cut)
}

/// The text of a body.
fn body(xml: &str) -> String {
    of(&format!("<w:document><w:body>{xml}</w:body></w:document>")).0
}

/// A document of these files.
fn document(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, xml) in files {
        archive
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        archive.write_all(xml.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn paragraphs_headings_and_tables_are_text() {
    let (text, cut) = of(
        r#"<w:document xmlns:w="w"><w:body><w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>One &amp; two</w:t></w:r></w:p><w:p><w:r><w:t>a</w:t><w:tab/><w:t xml:space="preserve"> b&#233;</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>x|1</w:t></w:r></w:p><w:p><w:r><w:t>2</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>y</w:t></w:r></w:p></w:tc></w:tr></w:tbl><w:p/></w:body></w:document>"#,
    );
    assert_eq!(
        text,
        "## One & two\n\na\t bé\n\n| x\\|1<br>2 | y |\n| --- | --- |\n\n"
    );
    assert!(!cut);
}

#[test]
fn what_breaks_off_or_is_too_long_is_cut() {
    assert_eq!(of("<p><t>half"), ("half\n\n".to_owned(), true));
    let long = format!("<d>{}</d>", "<p><t>words</t></p>".repeat(1_000));
    let (text, cut) = of(&long);
    assert!(cut && text.len() < 1_500);
    let refused = Story::read(&mut &b"<a"[..], &mut Shared::default(), 10);
    assert_eq!(refused.err(), Some(ExtractRefusal::Damaged));
}

#[test]
fn entities_that_a_document_defines_are_nothing() {
    let bomb = r#"<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><d><p><t>x&b;y</t></p></d>"#;
    assert_eq!(of(bomb).0, "xy\n\n");
}

#[test]
fn a_text_box_is_read_once_and_beside_its_paragraph() {
    let content = "<w:txbxContent><w:p><w:r><w:t>in the box</w:t></w:r></w:p><w:p><w:r><w:t>second</w:t></w:r></w:p></w:txbxContent>";
    let both = format!(
        "<mc:AlternateContent><mc:Choice Requires='wps'><wps:txbx>{content}</wps:txbx></mc:Choice><mc:Fallback><w:pict><v:textbox>{content}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent>"
    );
    let old = format!("<w:pict><v:textbox>{content}</v:textbox></w:pict>");
    let only_fallback = format!(
        "<mc:AlternateContent><mc:Choice Requires='x'><w:drawing/></mc:Choice><mc:Fallback>{old}</mc:Fallback></mc:AlternateContent>"
    );
    let table = content.replace(
        "<w:txbxContent>",
        "<w:txbxContent><w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>",
    );
    for inner in [&both, &old, &only_fallback, &table] {
        let text = body(&format!(
            "<w:p><w:r><w:t>before </w:t></w:r><w:r>{inner}</w:r><w:r><w:t>after</w:t></w:r></w:p><w:p><w:r><w:t>next</w:t></w:r></w:p>"
        ));
        assert_eq!(
            text, "before after\n\nin the box\n\nsecond\n\nnext\n\n",
            "{inner}"
        );
    }
    let drawing = "<w:p><w:r><w:t>a</w:t></w:r><w:r><lc:lockedCanvas><a:p><a:r><a:t>drawn</a:t></a:r></a:p></lc:lockedCanvas></w:r></w:p>";
    assert_eq!(body(drawing), "a\n\ndrawn\n\n");
}

#[test]
fn what_was_deleted_moved_or_hidden_is_not_there_and_the_rest_is_once() {
    for (xml, text) in [
        (
            "<w:p><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>",
            "new\n\n",
        ),
        (
            "<w:p><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:r><w:t>stays</w:t></w:r></w:p><w:p><w:moveTo><w:r><w:t>moved</w:t></w:r></w:moveTo></w:p>",
            "stays\n\nmoved\n\n",
        ),
        (
            "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>one </w:t></w:r></w:p><w:p><w:r><w:t>two</w:t></w:r></w:p>",
            "one two\n\n",
        ),
        (
            "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t>seen</w:t></w:r></w:p>",
            "seen\n\n",
        ),
        (
            "<w:p><w:pPr><w:pPrChange><w:pPr><w:pStyle w:val='Heading1'/></w:pPr></w:pPrChange></w:pPr><w:r><w:t>plain</w:t></w:r></w:p>",
            "plain\n\n",
        ),
        (
            "<w:tbl><w:tr><w:trPr><w:del/></w:trPr><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>y</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
            "y\n\n",
        ),
        (
            "<w:p><w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>PAGEREF _Toc1 \\h</w:instrText></w:r><w:r><w:fldChar w:fldCharType='separate'/></w:r><w:r><w:t>12</w:t></w:r></w:p>",
            "12\n\n",
        ),
        (
            "<w:p><w:pPr><w:tabs><w:tab w:val='left'/></w:tabs></w:pPr><w:r><w:t>no\u{ad}tab</w:t><w:softHyphen/><w:noBreakHyphen/><w:br/><w:sym w:font='Wingdings' w:char='F0FC'/><w:sym w:font='Symbol' w:char='F061'/></w:r></w:p>",
            "notab-\n✓α\n\n",
        ),
        (
            "<w:sdt><w:sdtPr><w:alias w:val='a'/></w:sdtPr><w:sdtContent><w:p><w:sdt><w:sdtContent><w:r><w:t>controlled</w:t></w:r></w:sdtContent></w:sdt></w:p></w:sdtContent></w:sdt>",
            "controlled\n\n",
        ),
        (
            "<w:p><w:r><w:ruby><w:rt><w:r><w:t>かんじ</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢字</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>",
            "漢字(かんじ)\n\n",
        ),
        (
            "<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val='2'/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:tbl><w:tr><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>c</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:tc><w:tc><w:p><w:r><w:t>d</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
            "| a |  |\n| --- | --- |\n| b c | d |\n\n",
        ),
    ] {
        assert_eq!(body(xml), text, "{xml}");
    }
}

#[test]
fn notes_comments_headers_and_footers_are_text() {
    let p = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    let relation = |kind: &str, target: &str| {
        format!("<Relationship Type='http://x/relationships/{kind}' Target='{target}'/>")
    };
    let files = [
        ("_rels/.rels", format!("<Relationships>{}</Relationships>", relation("officeDocument", "word/main.xml"))),
        (
            "word/_rels/main.xml.rels",
            format!(
                "<Relationships>{}{}{}{}{}{}{}</Relationships>",
                relation("footnotes", "footnotes.xml"),
                relation("endnotes", "/word/endnotes.xml"),
                relation("comments", "comments.xml"),
                relation("header", "header1.xml"),
                relation("header", "header2.xml"),
                relation("footer", "footer1.xml"),
                relation("styles", "styles.xml"),
            ),
        ),
        ("word/main.xml", "<w:document><w:body><w:p><w:pPr><w:pStyle w:val='1'/></w:pPr><w:r><w:t>כותרת</w:t></w:r></w:p><w:p><w:r><w:t>Text</w:t></w:r><w:r><w:footnoteReference w:id='7'/></w:r><w:r><w:t> more</w:t></w:r><w:r><w:endnoteReference w:id='2'/></w:r><w:r><w:footnoteReference w:id='3'/></w:r><w:r><w:commentReference w:id='0'/></w:r></w:p></w:body></w:document>".to_owned()),
        ("word/footnotes.xml", format!("<w:footnotes><w:footnote w:type='separator' w:id='0'>{}</w:footnote><w:footnote w:id='3'>{}</w:footnote><w:footnote w:id='7'><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>First.</w:t></w:r></w:p></w:footnote></w:footnotes>", p("line"), p("Second."))),
        ("word/endnotes.xml", format!("<w:endnotes><w:endnote w:id='2'>{}{}</w:endnote></w:endnotes>", p("End."), p("Two."))),
        ("word/comments.xml", format!("<w:comments><w:comment w:id='0' w:author='Ana &amp; Bo'>{}</w:comment></w:comments>", p("Check."))),
        ("word/header1.xml", format!("<w:hdr>{}</w:hdr>", p("Company"))),
        ("word/header2.xml", format!("<w:hdr>{}</w:hdr>", p("Company"))),
        ("word/footer1.xml", format!("<w:ftr>{}</w:ftr>", p("Page 1"))),
        ("word/styles.xml", "<w:styles><w:style w:styleId='1'><w:name w:val='heading 1'/></w:style></w:styles>".to_owned()),
    ];
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, xml)| (*name, xml.as_str()))
        .collect();
    let (text, cut) = text(&document(&files), 100_000).unwrap();
    assert_eq!(
        text,
        "Company\n\n# כותרת\n\nText[^1] more[^endnote-1][^2][^comment-1]\n\n[^1]: First.\n\n[^2]: Second.\n\n[^endnote-1]: End.\n    \n    Two.\n\n[^comment-1]: Ana & Bo: Check.\n\nPage 1\n\n"
    );
    assert!(!cut);
    assert_eq!(NoteKind::Footnote.label(3), "[^3]");
}

#[test]
fn a_paragraph_whose_end_was_deleted_is_not_lost() {
    let deleted = |text: &str| {
        format!("<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
    };
    let p = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    let cells = |one: String, two: String| {
        format!("<w:tbl><w:tr><w:tc>{one}</w:tc><w:tc>{two}</w:tc></w:tr></w:tbl>")
    };
    let table = "| a | b |\n| --- | --- |\n\n";
    for (xml, text) in [
        (deleted("end"), "end\n\n".to_owned()),
        (deleted("one ") + &deleted("two"), "one two\n\n".to_owned()),
        (
            deleted("before") + &cells(p("a"), p("b")),
            format!("before\n\n{table}"),
        ),
        (cells(deleted("a"), p("b")), table.to_owned()),
        (
            cells(p("a"), deleted("b")) + &p("after"),
            format!("{table}after\n\n"),
        ),
        (
            format!(
                "<w:p><w:r><w:t>out</w:t></w:r><w:r><w:txbxContent>{}</w:txbxContent></w:r></w:p>{}",
                deleted("in"),
                p("next")
            ),
            "out\n\nin\n\nnext\n\n".to_owned(),
        ),
        (
            deleted("h").replace("<w:pPr>", "<w:pPr><w:pStyle w:val='Heading1'/>"),
            "# h\n\n".to_owned(),
        ),
    ] {
        assert_eq!(body(&xml), text, "{xml}");
    }
    let notes = format!(
        "<w:footnotes><w:footnote w:id='1'>{}</w:footnote><w:footnote w:id='2'>{}</w:footnote></w:footnotes>",
        deleted("first"),
        p("second")
    );
    let story = Story::read(&mut notes.as_bytes(), &mut Shared::default(), 1_000).unwrap();
    let texts: Vec<&str> = story.notes.iter().map(|note| note.text.trim()).collect();
    assert_eq!(texts, ["first", "second"]);
}

#[test]
fn a_section_of_character_data_is_text() {
    let xml = "<w:p><w:r><w:t>a <![CDATA[<b> & ]]>c</w:t><w:instrText><![CDATA[PAGE]]></w:instrText></w:r></w:p>";
    assert_eq!(body(xml), "a <b> & c\n\n");
}

#[test]
fn a_note_that_is_referred_to_twice_has_one_number() {
    let refer = |id: u32| format!("<w:r><w:footnoteReference w:id='{id}'/></w:r>");
    let note = |id: u32, text: &str| {
        format!("<w:footnote w:id='{id}'><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:footnote>")
    };
    let body = format!(
        "<w:document><w:body><w:p>{}{}{}{}</w:p></w:body></w:document>",
        refer(8),
        refer(8),
        refer(5),
        refer(8)
    );
    let notes = format!(
        "<w:footnotes>{}{}{}</w:footnotes>",
        note(5, "five"),
        note(8, "eight"),
        note(9, "nine")
    );
    let files = [
        ("word/document.xml", &*body),
        ("word/footnotes.xml", &notes),
    ];
    assert_eq!(
        text(&document(&files), 1_000),
        Ok((
            "[^1][^1][^2][^1]\n\n[^1]: eight\n\n[^2]: five\n\n[^3]: nine\n\n".to_owned(),
            false
        ))
    );
}

#[test]
fn a_header_or_notes_that_cannot_be_read_are_cut() {
    let body = "<w:document><w:body><w:p><w:r><w:t>text</w:t></w:r></w:p></w:body></w:document>";
    let relations = "<Relationships><Relationship Type='http://x/relationships/header' Target='header1.xml'/></Relationships>";
    for (name, xml, cut) in [
        ("word/header1.xml", "<w:hdr><w:p/></w:hdr>", false),
        ("word/header1.xml", "<w:hdr><w:p><w:r><w:t>ha", true),
        ("word/header1.xml", "<w:hdr><", true),
        ("word/footnotes.xml", "<w:footnotes/>", false),
        (
            "word/footnotes.xml",
            "<w:footnotes><w:footnote w:id='1'>",
            true,
        ),
        ("word/comments.xml", "</w:comments>", true),
        ("word/other.xml", "<", false),
    ] {
        let files = [
            ("word/document.xml", body),
            ("word/_rels/document.xml.rels", relations),
            (name, xml),
        ];
        let (text, is_cut) = text(&document(&files), 1_000).unwrap();
        assert!(text.contains("text"), "{name} {xml}: {text}");
        assert_eq!(is_cut, cut, "{name} {xml}");
    }
}

#[test]
fn lists_have_their_numbers() {
    let numbering = "<w:numbering><w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val='decimal'/><w:lvlText w:val='%1.'/></w:lvl><w:lvl w:ilvl='1'><w:start w:val='1'/><w:numFmt w:val='lowerLetter'/><w:lvlText w:val='%1%2)'/></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId='1'><w:lvl w:ilvl='0'><w:numFmt w:val='bullet'/><w:lvlText w:val='&#xF0B7;'/></w:lvl></w:abstractNum><w:num w:numId='5'><w:abstractNumId w:val='0'/></w:num><w:num w:numId='6'><w:abstractNumId w:val='1'/></w:num><w:num w:numId='7'><w:abstractNumId w:val='0'/><w:lvlOverride w:ilvl='0'><w:startOverride w:val='4'/></w:lvlOverride></w:num></w:numbering>";
    let styles = "<w:styles><w:style w:styleId='Base'><w:pPr><w:numPr><w:numId w:val='6'/></w:numPr></w:pPr></w:style><w:style w:styleId='L'><w:basedOn w:val='Base'/></w:style></w:styles>";
    let mut shared = Shared {
        styles: Styles::read(styles.as_bytes()),
        numbering: Numbering::read(numbering.as_bytes()),
    };
    let item = |properties: &str, text: &str| {
        format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
    };
    let of = |list: u32, level: u32| {
        format!("<w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='{list}'/></w:numPr>")
    };
    let xml = [
        item(&of(5, 0), "one"),
        item(&of(5, 1), "below"),
        item(&of(5, 1), "again"),
        item(&of(5, 0), "two"),
        item("", "text"),
        item(&of(7, 0), "four"),
        item("<w:pStyle w:val='L'/>", "dot"),
        item(&of(0, 0), "none"),
    ];
    let story = Story::read(
        &mut format!("<d>{}</d>", xml.concat()).as_bytes(),
        &mut shared,
        1_000,
    )
    .unwrap();
    assert_eq!(
        story.text,
        "1. one\n   1a) below\n   1b) again\n2. two\n\ntext\n\n4. four\n- dot\n\nnone\n\n"
    );
}

#[test]
fn a_list_with_levels_of_its_own_changes_no_other_list() {
    let level = |at: u32, start: u32, format: &str, text: &str| {
        format!(
            "<w:lvl w:ilvl='{at}'><w:start w:val='{start}'/><w:numFmt w:val='{format}'/><w:lvlText w:val='{text}'/></w:lvl>"
        )
    };
    let numbering = [
        "<w:numbering><w:abstractNum w:abstractNumId='0'>".to_owned(),
        level(0, 1, "decimal", "%1."),
        level(1, 1, "decimal", "%1.%2"),
        "</w:abstractNum><w:abstractNum w:abstractNumId='1'>".to_owned(),
        level(0, 1, "upperLetter", "%1)"),
        "</w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='0'/><w:lvlOverride w:ilvl='0'>".to_owned(),
        level(0, 3, "lowerRoman", "(%1)"),
        "</w:lvlOverride></w:num><w:num w:numId='2'><w:abstractNumId w:val='1'/></w:num></w:numbering>".to_owned(),
    ];
    let mut numbering = Numbering::read(numbering.concat().as_bytes());
    for (list, level, label) in [
        ("2", 0, "A)"),
        ("1", 0, "(iii)"),
        ("1", 1, "iii.1"),
        ("2", 0, "B)"),
        ("1", 0, "(iv)"),
    ] {
        let found = numbering.label(list, level);
        assert_eq!(found.as_deref(), Some(label), "{list} {level}");
    }
}
