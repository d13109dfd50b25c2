//! What is known of this build: its version, and in a release the commit (`build.rs`).

use about::Program;
use std::sync::LazyLock;

/// This build.
pub fn program() -> Program {
    let known = |text: Option<&str>| text.map(str::to_owned);
    Program {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: known(option_env!("SASH_BUILD_COMMIT")),
        date: known(option_env!("SASH_BUILD_DATE")),
        page: None,
    }
}

/// This build as `--version` prints it.
pub fn long_version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| program().to_string());
    &TEXT
}
