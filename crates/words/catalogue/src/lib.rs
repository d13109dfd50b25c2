//! The keys of the texts, made of `crates/words/locales` and of the rooms' `words` by the build script.

#![allow(dead_code, missing_docs, unused_imports, clippy::all)]

include!(concat!(env!("OUT_DIR"), "/i18n.rs"));
