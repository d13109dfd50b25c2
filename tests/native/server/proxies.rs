//! The nginx configurations of docs/configuration.md, on loopback: a gateway in front of engines, several Sash behind one
//! name, and pages that stay at one of them. Skipped, and said to be, where `nginx` is absent.
#![cfg(unix)]

use crate::common::{House, client, lines, refused, text};
use ollama_double::{Config, Flavor, Script, ScriptStep, StandIn};
use sash_door::guard::Proxies;
use sash_server::engine::{Address, EngineConfig, EngineProtocol};
use sash_wire::Frame;
use serde_json::{Value, json};
use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A running nginx; it ends with its value.
struct Nginx {
    child: Child,
    folder: PathBuf,
    address: SocketAddr,
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // The master ends its workers at SIGTERM; killed, it would leave them behind.
        let id = self.child.id().to_string();
        let told = Command::new("kill").args(["-TERM", &id]).status();
        assert!(told.is_ok_and(|status| status.success()));
        self.child.wait().unwrap();
        std::fs::remove_dir_all(&self.folder).unwrap();
    }
}

/// The n-th nginx configuration of docs/configuration.md.
fn configuration(n: usize) -> String {
    let document = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/configuration.md");
    let document = std::fs::read_to_string(document).unwrap();
    let block = document.split("```nginx\n").nth(n + 1).unwrap();
    block.split("```").next().unwrap().to_owned()
}

impl Nginx {
    /// Starts nginx with a configuration of docs/configuration.md, its addresses replaced; `None` where there is no nginx.
    fn start(n: usize, replaced: &[(&str, String)]) -> Option<Self> {
        if Command::new("nginx")
            .arg("-v")
            .stderr(Stdio::null())
            .status()
            .is_err()
        {
            let words = b"\nskipped: nginx is absent\n";
            std::io::stderr().write_all(words).unwrap();
            return None;
        }
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let mut servers = configuration(n);
        let listen = format!("listen {address};");
        for line in ["listen 443 ssl;", "listen 8080;"] {
            servers = servers.replace(line, &listen);
        }
        for (written, now) in replaced {
            assert!(servers.contains(written), "{written} in\n{servers}");
            servers = servers.replace(written, now);
        }
        let name = format!("sash-nginx-{}-{}", std::process::id(), address.port());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .iter()
            .map(|kind| format!("{kind}_temp_path {kind};\n"))
            .collect();
        let whole = format!(
            "pid nginx.pid;\nerror_log error.log;\nevents {{}}\nhttp {{\naccess_log off;\n{temporary}{servers}}}\n"
        );
        std::fs::write(folder.join("nginx.conf"), whole).unwrap();
        let child = Command::new("nginx")
            .arg("-p")
            .arg(&folder)
            .args(["-e", "error.log", "-c", "nginx.conf", "-g", "daemon off;"])
            .spawn()
            .unwrap();
        let nginx = Self {
            child,
            folder,
            address,
        };
        for _ in 0..200 {
            if TcpStream::connect(address).is_ok() {
                return Some(nginx);
            }
            std::thread::sleep(Duration::from_millis(25));
        }
        let log = std::fs::read_to_string(nginx.folder.join("error.log"));
        panic!("nginx does not listen: {log:?}");
    }
}

fn vllm() -> StandIn {
    StandIn::start(Config::openai(Flavor::Vllm)).unwrap()
}

const CHAT: &str = "/v1/chat/completions";

#[tokio::test]
async fn a_gateway_spreads_prompts_over_engines_and_streams_their_answers() {
    let (one, two) = (vllm(), vllm());
    let servers = [
        ("10.0.0.3:8000", one.address().to_string()),
        ("10.0.0.4:8000", two.address().to_string()),
    ];
    let Some(nginx) = Nginx::start(0, &servers) else {
        return;
    };
    let gateway = EngineConfig {
        name: "cluster".to_owned(),
        address: Address::local(nginx.address),
        protocol: EngineProtocol::OpenAi(None),
    };
    let house = House::with(|settings| settings.server.engine = gateway).await;
    let prompt = json!({"model":"org/Tiny-Instruct","prompt":"hello"});
    for _ in 0..6 {
        let frames: Vec<Frame> = lines(house.ask(prompt.clone()).await).await;
        assert!(
            matches!(frames.last(), Some(Frame::Done { .. })),
            "{frames:?}"
        );
    }
    for engine in [&one, &two] {
        assert!(!engine.requests_to(CHAT).is_empty(), "each has answered");
        // The first words are here while the engine says nothing more: nothing is buffered on the way.
        let steps = vec![ScriptStep::text("first"), ScriptStep::Stall];
        engine.script(Script::of(CHAT, steps));
    }
    let mut answer = house.ask(prompt.clone()).await;
    let first = tokio::time::timeout(Duration::from_secs(5), answer.chunk()).await;
    let first = first.unwrap().unwrap().unwrap();
    assert!(
        String::from_utf8_lossy(&first).contains("first"),
        "{first:?}"
    );
    drop(answer);
    let left = async {
        while one.disconnects().len() + two.disconnects().len() == 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let left = tokio::time::timeout(Duration::from_secs(5), left).await;
    left.expect("Stop goes through the gateway");
    // A prompt of 3 MB, more than nginx takes by default, reaches an engine, which counts it.
    let long = json!({"model":"org/Tiny-Instruct","prompt":"x".repeat(3_000_000)});
    assert_eq!(
        refused(house.ask(long).await).await,
        (400, "context_overflow".into())
    );
    drop((one, two));
    let answer = house.ask(prompt).await;
    let fault: Value = answer.json().await.unwrap();
    let said = fault["error"]["message"].as_str().unwrap();
    assert!(
        said.contains("502 Bad Gateway") && !said.contains('<'),
        "{said}"
    );
}

#[tokio::test]
async fn any_of_two_sash_behind_nginx_answers_any_request() {
    let name = "chat.example.org";
    let house = || House::with(|settings| settings.server.allow_host = vec![name.to_owned()]);
    let (one, two) = (house().await, house().await);
    let servers = [
        ("10.0.0.2:7274", one.at().to_string()),
        ("10.0.0.3:7274", two.at().to_string()),
    ];
    let Some(nginx) = Nginx::start(1, &servers) else {
        return;
    };
    let url = |path: &str| format!("http://{}{path}", nginx.address);
    let post = |body: &Value| {
        let request = client().post(url("/api/v1/response")).header("Host", name);
        request.json(body).send()
    };
    let health = client()
        .get(url("/health"))
        .header("Host", name)
        .send()
        .await;
    assert_eq!(health.unwrap().status(), 200);
    let prompt = json!({"model":"tiny","prompt":"hello"});
    for _ in 0..4 {
        let frames: Vec<Frame> = lines(post(&prompt).await.unwrap()).await;
        assert!(
            matches!(frames.last(), Some(Frame::Done { .. })),
            "{frames:?}"
        );
    }
    for house in [&one, &two] {
        assert!(!house.chats().is_empty(), "each has answered");
        let steps = vec![ScriptStep::text("first"), ScriptStep::Stall];
        house.ollama.script(Script::chat(steps));
    }
    // nginx asks them in turn.
    for _ in 0..2 {
        let mut answer = post(&prompt).await.unwrap();
        let first = tokio::time::timeout(Duration::from_secs(5), answer.chunk()).await;
        let first = first.unwrap().unwrap().unwrap();
        assert!(
            String::from_utf8_lossy(&first).contains("first"),
            "{first:?}"
        );
    }
    let other = json!({"model":"tiny","prompt":"x".repeat(3_000_000),"options":{"num_predict":1}});
    let long = post(&other).await.unwrap();
    assert_eq!(
        refused(long).await,
        (400, "context_overflow".into()),
        "a large body passes"
    );
    // One replica stops; the other takes its requests.
    one.sash.stop().await;
    for _ in 0..3 {
        let frames: Vec<Frame> = lines(post(&prompt).await.unwrap()).await;
        assert!(!text(&frames).is_empty(), "{frames:?}");
    }
}

/// Whether a request through nginx, to this name, counts as one of this machine, and the status of one with a draft.
async fn through(nginx: &Nginx, name: &str) -> (bool, u16) {
    let post = async |call: &str, body: Value| {
        let url = format!("http://{}/api/v1/{call}", nginx.address);
        let request = client().post(url).header("Host", name).json(&body);
        request.send().await.unwrap()
    };
    let state: Value = post("state", json!({})).await.json().await.unwrap();
    let draft = json!({"model":"tiny","prompt":"half a","draft":"unasked"});
    let status = post("render", draft).await.status().as_u16();
    (state["from_this_machine"] == true, status)
}

/// Both Sash and nginx are on one machine, and the page is on another. The example sent no header, so its people's drafts
/// passed.
#[tokio::test]
async fn a_page_behind_nginx_is_not_on_this_machine() {
    let name = "chat.example.org";
    let house = House::with(|settings| settings.server.allow_host = vec![name.to_owned()]).await;
    let at = house.at().to_string();
    let servers = [(
        "server 10.0.0.2:7274; server 10.0.0.3:7274;",
        format!("server {at};"),
    )];
    let Some(nginx) = Nginx::start(1, &servers) else {
        return;
    };
    assert_eq!(through(&nginx, name).await, (false, 403));
    // One that sends no header is none either, whatever its name for Sash.
    let header = "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;";
    let silent = [&servers[0], &(header, String::new())].map(|(from, to)| (*from, to.clone()));
    let nginx = Nginx::start(1, &silent).unwrap();
    assert_eq!(through(&nginx, name).await, (false, 403));
    let local =
        House::with(|settings| settings.server.allow_host = vec!["localhost".to_owned()]).await;
    let at = format!("server {};", local.at());
    let nginx = Nginx::start(1, &[(servers[0].0, at), silent[1].clone()]).unwrap();
    assert_eq!(through(&nginx, "localhost").await, (false, 403));
}

#[tokio::test]
async fn a_trusted_nginx_says_which_page_is_on_this_machine() {
    let house = House::with(|settings| {
        settings.server.allow_host = vec!["localhost".to_owned(), "chat.example.org".to_owned()];
        settings.server.trust_proxy = Proxies::new(vec!["127.0.0.1".parse().unwrap()]);
    })
    .await;
    let at = house.at().to_string();
    let servers = [(
        "server 10.0.0.2:7274; server 10.0.0.3:7274;",
        format!("server {at};"),
    )];
    let Some(nginx) = Nginx::start(1, &servers) else {
        return;
    };
    assert_eq!(through(&nginx, "localhost").await, (true, 200));
    assert_eq!(through(&nginx, "chat.example.org").await, (false, 403));
}

#[tokio::test]
async fn a_page_behind_nginx_stays_at_the_sash_that_has_its_answer() {
    let name = "chat.example.org";
    let house = || House::with(|settings| settings.server.allow_host = vec![name.to_owned()]);
    let (one, two) = (house().await, house().await);
    let upstream = "upstream sash { server 10.0.0.2:7274; server 10.0.0.3:7274; }";
    let pass = "proxy_pass http://sash;";
    let changes = [
        (upstream, configuration(2)),
        (pass, format!("{pass} {}", configuration(3))),
        ("10.0.0.2:7274", one.at().to_string()),
        ("10.0.0.3:7274", two.at().to_string()),
    ];
    let Some(nginx) = Nginx::start(1, &changes) else {
        return;
    };
    for house in [&one, &two] {
        let steps = vec![ScriptStep::text("first"), ScriptStep::Stall];
        house.ollama.script(Script::chat(steps).always());
    }
    let http = client();
    let post = async |call: &str, cookie: &str, body: Value| {
        let url = format!("http://{}/api/v1/{call}", nginx.address);
        let request = http.post(url).header("Host", name);
        let request = request.header("Cookie", cookie).json(&body);
        request.send().await.unwrap()
    };
    let mut pages = Vec::new();
    // Each page gets a cookie with its first file.
    while one.chats().is_empty() || two.chats().is_empty() {
        assert!(pages.len() < 40, "all pages are at one Sash");
        let url = format!("http://{}/", nginx.address);
        let file = http.get(url).header("Host", name).send().await.unwrap();
        let cookie = file.headers()["set-cookie"].to_str().unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        let id = format!("{:032x}", pages.len());
        let prompt = json!({"model":"tiny","prompt":"p","answer_id":id});
        let answer = post("response", &cookie, prompt).await;
        assert_eq!(answer.headers()["sash-answer-kept"], "yes");
        pages.push((cookie, id));
        drop(answer);
        // The model answers one prompt at a time.
        if one.chats().is_empty() || two.chats().is_empty() {
            let (cookie, id) = &pages[pages.len() - 1];
            post("stop", cookie, json!({"id":id})).await;
        }
    }
    let (cookie, id) = &pages[pages.len() - 1];
    for _ in 0..4 {
        let mut answer = post("resume", cookie, json!({"id":id})).await;
        assert_eq!(answer.status(), 200);
        let first = answer.chunk().await.unwrap().unwrap();
        assert!(String::from_utf8_lossy(&first).contains("first"));
    }
    // The other one does not know it.
    let strangers = pages.iter().map(async |(cookie, _)| {
        let answer = post("resume", cookie, json!({"id":id})).await;
        answer.status().as_u16()
    });
    let statuses = futures::future::join_all(strangers).await;
    assert!(statuses.contains(&404), "{statuses:?}");
}
