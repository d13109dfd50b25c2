//! The token that protects Sash on a network.

use crate::common::{House, refused};
use phone::NetworkAddresses;
use sash_door::guard::Token;
use serde_json::json;

const TOKEN: &str = "a-token-of-some-length";

async fn ask(house: &House, token: Option<&str>) -> reqwest::Response {
    let mut request = house.http.post(house.url("/api/v1/state")).json(&json!({}));
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    request.send().await.unwrap()
}

#[tokio::test]
async fn the_api_needs_it_and_the_page_does_not() {
    let house = House::with(|s| s.server.token = Some(Token::from_flag(TOKEN).unwrap())).await;
    assert_eq!(house.get("/").await.status(), 200);
    assert_eq!(house.get("/health").await.status(), 200);
    let answer = ask(&house, None).await;
    assert_eq!(answer.headers()["www-authenticate"], "Bearer");
    assert_eq!(refused(answer).await, (401, "unauthorized".into()));
    assert_eq!(ask(&house, Some(TOKEN)).await.status(), 200);
    let cookie = house.http.post(house.url("/api/v1/state")).json(&json!({}));
    let cookie = cookie
        .header("cookie", format!("t={TOKEN}"))
        .send()
        .await
        .unwrap();
    assert_eq!(cookie.status(), 401);
    let query = house
        .http
        .post(house.url(&format!("/api/v1/state?t={TOKEN}")))
        .json(&json!({}));
    assert_eq!(query.send().await.unwrap().status(), 401);
}

#[tokio::test]
async fn after_ten_wrong_ones_the_next_has_to_wait_and_the_right_one_passes() {
    let house = House::with(|s| s.server.token = Some(Token::from_flag(TOKEN).unwrap())).await;
    for _ in 0..10 {
        assert_eq!(
            refused(ask(&house, Some("wrong")).await).await,
            (401, "unauthorized".into())
        );
    }
    let answer = ask(&house, Some("wrong")).await;
    assert_eq!(answer.headers()["retry-after"], "60");
    assert_eq!(refused(answer).await, (429, "too_many_attempts".into()));
    assert_eq!(ask(&house, Some(TOKEN)).await.status(), 200);
    assert_eq!(ask(&house, Some("wrong")).await.status(), 429);
}

#[tokio::test]
async fn on_the_lan_scripts_need_it_and_the_reached_address_is_a_name() {
    let house = House::with(|s| {
        s.server.listen = "0.0.0.0:0".parse().unwrap();
        s.server.token = Some(Token::from_flag(TOKEN).unwrap());
    })
    .await;
    let port = house.at().port();
    let url = format!("http://127.0.0.1:{port}/api/v1/state");
    let request = house.http.post(&url).json(&json!({}));
    assert_eq!(request.send().await.unwrap().status(), 401);
    let request = house.http.post(&url).json(&json!({})).bearer_auth(TOKEN);
    assert_eq!(request.send().await.unwrap().status(), 200);
    let foreign = house.http.post(&url).json(&json!({})).bearer_auth(TOKEN);
    let foreign = foreign
        .header("origin", "http://evil.example")
        .send()
        .await
        .unwrap();
    assert_eq!(refused(foreign).await, (403, "foreign_origin".into()));
}

#[tokio::test]
async fn the_addresses_of_the_network_are_told_with_the_token_and_to_nobody_behind_a_proxy() {
    let house = House::with(|s| {
        s.server.listen = "0.0.0.0:0".parse().unwrap();
        s.server.token = Some(Token::from_flag(TOKEN).unwrap());
    })
    .await;
    let port = house.at().port();
    let url = format!("http://127.0.0.1:{port}/api/v1/addresses");
    let ask = || house.http.post(&url).json(&json!({}));
    assert_eq!(ask().send().await.unwrap().status(), 401);
    let told = async |request: reqwest::RequestBuilder| {
        let answer = request.bearer_auth(TOKEN).send().await.unwrap();
        answer.json::<NetworkAddresses>().await.unwrap()
    };
    let direct = told(ask()).await;
    assert!(direct.listens_on_network);
    assert!(
        direct
            .origins
            .iter()
            .all(|origin| origin.ends_with(&format!(":{port}")))
    );
    let behind = told(ask().header("x-forwarded-for", "10.0.0.9")).await;
    assert!(behind.listens_on_network && behind.origins.is_empty());
    // A server for this machine alone has none to tell.
    let house = House::new().await;
    let request = house.http.post(house.url("/api/v1/addresses"));
    assert_eq!(
        told(request.json(&json!({}))).await,
        NetworkAddresses::default()
    );
}
