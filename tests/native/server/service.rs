//! The settings of the service, beside those of the program.

use crate::server::binary::sash;
use std::collections::BTreeMap;

const FILE: &str = include_str!("../../../packaging/systemd/sash.default");

/// The variables that `--help` names, each with its default.
async fn variables() -> BTreeMap<String, Option<String>> {
    let help = sash(&["--help"]).output().await.unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    // Long lines are wrapped.
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut found = BTreeMap::from([("OLLAMA_HOST".to_owned(), None)]);
    for rest in help.split("[env: ").skip(1) {
        let (name, rest) = rest.split_once(['=', ']']).unwrap();
        let default = rest.trim_start_matches(']').trim_start();
        let default = default.strip_prefix("[default: ");
        let default = default.map(|rest| rest.split(']').next().unwrap().to_owned());
        found.insert(name.to_owned(), default);
    }
    found
}

#[tokio::test]
async fn the_file_of_the_service_has_every_setting_with_its_default_and_changes_none() {
    let mut variables = variables().await;
    assert!(variables.len() > 15, "{variables:?}");
    // Nobody sits at the machine when a service starts.
    assert!(variables.remove("SASH_OPEN").is_some());
    let mut in_file = BTreeMap::new();
    for line in FILE.lines().filter(|line| !line.is_empty()) {
        let comment = line.strip_prefix('#').expect("a setting is in force");
        // A space follows the sign in a sentence.
        if let Some((name, value)) = comment
            .split_once('=')
            .filter(|_| !comment.starts_with(' '))
        {
            in_file.insert(name.to_owned(), value.to_owned());
        }
    }
    assert!(
        in_file.keys().eq(variables.keys()),
        "{in_file:?}\n{variables:?}"
    );
    for (name, default) in &variables {
        if let Some(default) = default {
            assert_eq!(&in_file[name], default, "{name}");
        }
    }
}
