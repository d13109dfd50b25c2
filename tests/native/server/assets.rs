//! The page's files and their headers.

use crate::common::House;
use reqwest::Response;

async fn fetch(house: &House, path: &str, headers: &[(&str, &str)]) -> Response {
    let mut request = house.http.get(house.url(path));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.unwrap()
}

fn header(answer: &Response, name: &str) -> String {
    let value = answer.headers().get(name).map(|v| v.to_str().unwrap());
    value.unwrap_or_default().to_owned()
}

#[tokio::test]
async fn the_document_is_never_kept() {
    let house = House::new().await;
    for path in [
        "/",
        "/index.html",
        "/?q=hello",
        "/chats/00000000000000a1",
        "/models",
    ] {
        let answer = fetch(&house, path, &[]).await;
        assert_eq!(answer.status(), 200);
        assert_eq!(header(&answer, "content-type"), "text/html; charset=utf-8");
        assert_eq!(header(&answer, "cache-control"), "no-store");
        assert!(answer.text().await.unwrap().contains("<title>Sash</title>"));
    }
}

#[tokio::test]
async fn an_unknown_address_is_a_page_in_words_for_who_reads_pages() {
    let house = House::new().await;
    let answer = fetch(&house, "/nonsense", &[("accept", "text/html,*/*;q=0.8")]).await;
    assert_eq!(answer.status(), 404);
    assert_eq!(header(&answer, "content-type"), "text/html; charset=utf-8");
    assert_eq!(header(&answer, "cache-control"), "no-store");
    let text = answer.text().await.unwrap();
    assert!(text.contains("Nothing is at this address"), "{text}");
    for (path, accept) in [("/nonsense", "*/*"), ("/sw.js", "text/html")] {
        let answer = fetch(&house, path, &[("accept", accept)]).await;
        assert_eq!(answer.status(), 404);
        assert_eq!(header(&answer, "content-type"), "application/json");
    }
}

#[tokio::test]
async fn hashed_files_are_kept_for_ever_and_compressed_by_what_the_browser_takes() {
    let house = House::new().await;
    let path = "/sash-93a44bbb96c75121_bg.wasm";
    for (accept, encoding, body) in [
        ("br, gzip", "br", &b"WASM-BR"[..]),
        ("gzip", "", b"\0asm\x01\0\0\0"),
        ("br;q=0", "", b"\0asm\x01\0\0\0"),
    ] {
        let answer = fetch(&house, path, &[("accept-encoding", accept)]).await;
        assert_eq!(answer.status(), 200);
        assert_eq!(header(&answer, "content-type"), "application/wasm");
        assert_eq!(header(&answer, "content-encoding"), encoding);
        assert_eq!(header(&answer, "vary"), "Accept-Encoding");
        assert_eq!(
            header(&answer, "cache-control"),
            "public, max-age=31536000, immutable"
        );
        assert_eq!(answer.bytes().await.unwrap(), body);
    }
}

/// A file that was changed after it was named may have different contents under the same name.
#[tokio::test]
async fn a_file_that_is_not_named_after_its_bytes_is_not_kept_for_ever() {
    let house = House::new().await;
    for (accept, body) in [("br", "CHANGED-BR"), ("", "changed()")] {
        let path = "/sash-0123456789abcdef.js";
        let answer = fetch(&house, path, &[("accept-encoding", accept)]).await;
        assert_eq!(header(&answer, "cache-control"), "no-cache");
        assert!(!header(&answer, "etag").is_empty());
        assert_eq!(answer.text().await.unwrap(), body);
    }
    let answer = fetch(&house, "/sash-55da00052c7a1d0b.js", &[]).await;
    let kept = "public, max-age=31536000, immutable";
    assert_eq!(header(&answer, "cache-control"), kept);
}

#[tokio::test]
async fn files_without_a_hash_are_checked_by_their_tag() {
    let house = House::new().await;
    let first = fetch(&house, "/boot.js", &[("accept-encoding", "br")]).await;
    assert_eq!(header(&first, "cache-control"), "no-cache");
    assert_eq!(
        header(&first, "content-type"),
        "text/javascript; charset=utf-8"
    );
    let tag = header(&first, "etag");
    assert_eq!(first.text().await.unwrap(), "BOOT-BR");
    let again = fetch(
        &house,
        "/boot.js",
        &[("accept-encoding", "br"), ("if-none-match", &tag)],
    )
    .await;
    assert_eq!(again.status(), 304);
    assert_eq!(header(&again, "etag"), tag);
    assert_eq!(header(&again, "cache-control"), "no-cache");
    assert_eq!(header(&again, "x-content-type-options"), "nosniff");
    assert_eq!(again.text().await.unwrap(), "");
    let other = fetch(
        &house,
        "/boot.js",
        &[("accept-encoding", "gzip"), ("if-none-match", &tag)],
    )
    .await;
    assert_eq!(other.status(), 200);
    assert_eq!(other.text().await.unwrap(), "BOOT-GZ");
}

#[tokio::test]
async fn head_has_the_length_and_no_body() {
    let house = House::new().await;
    let answer = house.http.head(house.url("/boot.js")).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(header(&answer, "content-length"), "6");
    assert_eq!(answer.text().await.unwrap(), "");
}

#[tokio::test]
async fn what_is_not_there_is_404_and_never_kept() {
    let house = House::new().await;
    for path in [
        "/nope",
        "/sw.js",
        "/service-worker.js",
        "/boot.js.br",
        "/index.html/",
        "/chats/",
        "/chats/a1",
        "/chats/00000000000000a1/",
        "/..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "/sash-0123456789abcdee.js",
    ] {
        let answer = fetch(&house, path, &[]).await;
        assert_eq!(answer.status(), 404, "{path}");
        assert_eq!(header(&answer, "cache-control"), "no-store", "{path}");
    }
}

#[tokio::test]
async fn health_is_for_load_balancers() {
    let house = House::new().await;
    let answer = fetch(&house, "/health", &[]).await;
    assert_eq!(answer.status(), 200);
    assert_eq!(header(&answer, "cache-control"), "no-store");
    let health: serde_json::Value = answer.json().await.unwrap();
    assert_eq!(health["status"], "ok");
}

#[tokio::test]
async fn a_server_without_a_client_says_how_to_build_it() {
    let mut settings = sash::program::ProgramConfig::default();
    settings.server.listen = "127.0.0.1:0".parse().unwrap();
    let empty = std::sync::Arc::new(crate::common::Shelf::default());
    let sash = sash::program::RunningServer::start(&settings, empty)
        .await
        .unwrap();
    let answer = crate::common::client()
        .get(format!("http://{}/", sash.address()))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 503);
    assert!(answer.text().await.unwrap().contains("cargo xtask run"));
}
