//! Highlighting over HTTP: the results, and that neither many nor hostile blocks delay other
//! requests.

use crate::common::{House, call, refused};
use sash_door::guard::Token;
use sash_markdown::languages;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

async fn runs(house: &House, language: &str, code: &str) -> String {
    let answer = house.post("highlight", json!({"language":language,"code":code}));
    let answer = answer.await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "application/json");
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let body: Value = answer.json().await.unwrap();
    assert_eq!(body.as_object().unwrap().len(), 1, "only the runs");
    body["runs"].as_str().unwrap().to_owned()
}

/// The letters of the runs, and the number of UTF-16 code units they cover.
fn read(runs: &str) -> (String, usize) {
    let mut letters = String::new();
    let mut sum = 0;
    for run in runs.split(' ').filter(|run| !run.is_empty()) {
        let digits = run.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let letter = &run[..run.len() - digits.len()];
        assert!(letter.len() <= 1, "{run}");
        letters.push_str(letter);
        sum += digits.parse::<usize>().unwrap();
    }
    (letters, sum)
}

/// A text with something for each language: most languages read a part of it as a comment, string,
/// number or keyword.
const ANY: &str = "# a comment\n// a comment\n-- a comment\n; a comment\n% a comment\n(* a *) /* a */ <!-- a --> \n\
    = A title\n* Another\n- item [a](b) ''b'' {{c}} \\section{d} !d\n$ ls -l\n- 1 + 2\n+ added\nif x then return else end\n\
    function f(a) { return 1 } def f():\nclass A { public static void main }\nkey = \"value\"\nkey: 'value'\n\
    SELECT 1 FROM a;\n<p a=\"b\">c</p>\nlet a = 1; const b = true\nGET / HTTP/1.1\nHost: a\nmodule a v1.0.0\n\
    *.o\n[section]\na==1.0\ntype A = int\n2024-01-01 12:00:00 ERROR failed\na,b,c\nbuild a: b\nrule cc\n\
    .. note:: a\n\n``b``\n";

#[tokio::test]
async fn far_more_than_sixty_languages_have_colours() {
    // Without compiler optimization, the largest grammars take seconds to load.
    let house = House::with(|s| s.rooms.highlighting.time = Duration::from_secs(30)).await;
    let mut coloured = 0;
    let mut plain = Vec::new();
    for language in languages() {
        let (letters, sum) = read(&runs(&house, language.name, ANY).await);
        assert_eq!(sum, ANY.len(), "{}", language.name);
        match letters.is_empty() {
            true => plain.push(language.name),
            false => coloured += 1,
        }
    }
    println!("{coloured} languages have colours");
    assert!(plain.is_empty(), "without a colour: {plain:?}");
    assert!(coloured >= 100);
}

#[tokio::test]
async fn fences_as_models_write_them() {
    let house = House::with(|s| s.rooms.highlighting.time = Duration::from_secs(30)).await;
    for (fence, code, expected) in [
        ("rs", "fn a() {}", "k3 f1 5"),
        ("RUST", "fn a() {}", "k3 f1 5"),
        ("c++", "// a", "c4"),
        ("shell", "# a", "c3"),
        ("sh", "# a", "c3"),
        ("py", "None", "n4"),
        ("jsx", "// a", "c4"),
        ("objc", "// a", "c4"),
        ("console", "$ # a\nb", "m2 c4 1"),
        ("pwsh", "# a", "c3"),
        ("dockerfile", "FROM a", "k4 2"),
        ("toml", "a = 1", "a2 2 n1"),
        ("yml", "a: 1", "a1 2 n1"),
        ("klingon", "fn a() {}", ""),
        ("", "fn a() {}", ""),
        ("text", "fn a() {}", ""),
    ] {
        assert_eq!(runs(&house, fence, code).await, expected, "{fence}: {code}");
    }
}

#[tokio::test]
async fn lengths_are_utf16_code_units_and_cover_the_text() {
    let house = House::new().await;
    for (code, expected) in [
        ("// 😀\n\"é😀\";", "c6 s5 1"),
        ("// 日本\r\n1;\r\n", "c7 n1 3"),
        ("\r\n", "2"),
        ("\n", "1"),
        ("x", "1"),
    ] {
        let runs = runs(&house, "js", code).await;
        assert_eq!(runs, expected, "{code:?}");
        assert_eq!(read(&runs).1, code.encode_utf16().count());
    }
}

#[tokio::test]
async fn as_much_as_is_allowed_has_colours_and_a_byte_more_has_none() {
    let house = House::new().await;
    let line = "// a comment of some length, so that there are not too many lines\n";
    let code = line.repeat(50 * 1024 / line.len() + 1);
    let (letters, sum) = read(&runs(&house, "rust", &code[..50 * 1024]).await);
    assert_eq!((letters.as_str(), sum), ("c", 50 * 1024));
    assert_eq!(runs(&house, "rust", &code[..50 * 1024 + 1]).await, "");
    assert_eq!(runs(&house, "rust", "").await, "");
    let long = format!("let a = 1; // {}\nlet b;", "x".repeat(2000));
    let (letters, sum) = read(&runs(&house, "rust", &long).await);
    assert_eq!((letters.as_str(), sum), ("k", long.len()));
}

#[tokio::test]
async fn it_stands_behind_the_guard() {
    let house =
        House::with(|s| s.server.token = Some(Token::from_flag("a-token-of-some-length").unwrap()));
    let house = house.await;
    let body = json!({"language":"rust","code":"fn"});
    let answer = house.post("highlight", body.clone()).await;
    assert_eq!(refused(answer).await, (401, "unauthorized".into()));
    let house = House::new().await;
    let foreign = house.http.post(house.url("/api/v1/highlight"));
    let foreign = foreign.header("origin", "http://evil.example").json(&body);
    let foreign = foreign.send().await.unwrap();
    assert_eq!(refused(foreign).await, (403, "foreign_origin".into()));
    let get = house.get("/api/v1/highlight").await;
    assert_eq!(refused(get).await, (405, "method_not_allowed".into()));
    let wrong = house
        .post("highlight", json!({"language":1,"code":[]}))
        .await;
    assert_eq!(refused(wrong).await, (400, "invalid_request".into()));
}

/// Code that takes far longer than the time limit.
fn slow() -> String {
    "class A<B> extends C { async *d(e = () => `f${g}`) { return /h/.test(i) } }\n".repeat(650)
}

#[tokio::test]
async fn never_more_at_once_than_allowed_and_waiting_has_an_end() {
    let house = House::with(|s| {
        s.rooms.highlighting.at_once = 1;
        s.rooms.highlighting.wait = Duration::from_millis(50);
        s.rooms.highlighting.time = Duration::from_secs(10);
    })
    .await;
    let slow = slow();
    let began = Instant::now();
    let (first, second) = tokio::join!(runs(&house, "tsx", &slow), async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let body = json!({"language":"rust","code":"fn"});
        (house.post("highlight", body).await, began.elapsed())
    });
    let (answer, took) = second;
    assert_eq!(answer.headers()["retry-after"], "5");
    assert_eq!(refused(answer).await, (429, "too_many_answers".into()));
    assert!(took < Duration::from_secs(5), "{took:?}");
    // The part that was highlighted within the time limit is returned.
    let (letters, sum) = read(&first);
    assert!(letters.len() > 5 && sum == slow.len());
    assert_eq!(
        runs(&house, "rust", "fn").await,
        "k2",
        "its turn is free again"
    );
}

#[tokio::test]
async fn a_block_nobody_waits_for_is_ended_at_once() {
    let house = House::with(|s| {
        s.rooms.highlighting.at_once = 1;
        s.rooms.highlighting.time = Duration::from_secs(60);
    })
    .await;
    let body = json!({"language":"tsx","code":slow()}).to_string();
    let mut page = TcpStream::connect(house.at()).await.unwrap();
    let request = call(house.at(), "highlight", &body);
    page.write_all(request.as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let left = Instant::now();
    drop(page);
    assert_eq!(runs(&house, "rust", "fn").await, "k2");
    assert!(
        left.elapsed() < Duration::from_secs(1),
        "{:?}",
        left.elapsed()
    );
}

#[tokio::test]
async fn hostile_code_is_ended_in_its_time() {
    let time = Duration::from_millis(300);
    let house = House::with(|s| s.rooms.highlighting.time = time).await;
    let mut slowest = (Duration::ZERO, String::new());
    for unit in [
        "(", "[", "<", "\"", "`", "a ", "/*", "=>", "((a,", "<a ", "${", "a<",
    ] {
        // Lines just below the length limit, so that each is highlighted.
        let line = unit.repeat(990 / unit.len());
        let code = format!("{line}\n").repeat(50 * 1024 / (line.len() + 1));
        for language in ["ts", "md", "html", "php", "c++", "bash"] {
            let began = Instant::now();
            let (_, sum) = read(&runs(&house, language, &code).await);
            let took = began.elapsed();
            assert!(sum == code.len() || sum == 0, "covered, or given up");
            if took > slowest.0 {
                slowest = (took, format!("{language} {unit}"));
            }
        }
    }
    println!("slowest: {slowest:?}");
    // The time limits of the child process and of the server, plus the delay of a busy machine.
    assert!(
        slowest.0 < time + Duration::from_millis(1500),
        "{slowest:?}"
    );
}

#[tokio::test]
async fn without_its_program_code_is_plain() {
    let house = House::with(|s| s.rooms.highlighting.program = Some("/nowhere/sash".into()));
    assert_eq!(runs(&house.await, "rust", "fn").await, "");
    let house = House::with(|s| s.rooms.highlighting.program = None);
    assert_eq!(runs(&house.await, "rust", "fn").await, "");
}
