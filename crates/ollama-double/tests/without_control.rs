//! The release program is built without the feature `control`: it does not contain the routes that script
//! faults, whatever the configuration says. `cargo xtask test` runs this in a separate build.
#![cfg(not(feature = "control"))]

use ollama_double::{Config, StandIn};

#[tokio::test]
async fn control_routes_are_absent_without_their_feature() {
    let stand_in = StandIn::start(Config::tests()).unwrap();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    for route in [
        "script", "reset", "models", "release", "requests", "counters",
    ] {
        let url = format!("{}/_stand_in/{route}", stand_in.url());
        for request in [client.get(&url), client.post(&url).body("{}")] {
            let answer = request.send().await.unwrap();
            assert_eq!(answer.status(), 404, "{url}");
        }
    }
    let tags = client.get(stand_in.url() + "/api/tags").send().await;
    assert_eq!(tags.unwrap().status(), 200);
}
