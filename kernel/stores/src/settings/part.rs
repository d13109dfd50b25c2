//! The settings of a feature: its keys of the one record of the settings. The record keeps the keys that nobody here knows.

use super::{Settings, SettingsStore};
use reactive_graph::prelude::*;
use reactive_stores::{Patch, PatchField, Store};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The settings of a feature, as a struct whose fields are keys of the record. One that has its default is not written.
pub trait SettingsPart:
    Clone + Default + DeserializeOwned + PatchField + Send + Serialize + Sync + 'static
{
}

/// The settings of a feature, as a store.
pub struct PartStore<T: 'static> {
    settings: SettingsStore,
    /// The present settings, to be read field by field; [`Self::change`] writes them.
    pub current: Store<T>,
}

impl<T> Clone for PartStore<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for PartStore<T> {}

impl SettingsStore {
    /// The settings of a feature. They follow the record until the present owner is cleaned up.
    #[must_use]
    pub fn part<T: SettingsPart>(self) -> PartStore<T> {
        let read = |settings: &Settings| read::<T>(&settings.others);
        let current = Store::new(self.current.with_untracked(read));
        self.replaced
            .on(move |settings| current.patch(read(settings)));
        PartStore {
            settings: self,
            current,
        }
    }
}

impl<T: SettingsPart> PartStore<T> {
    /// Changes the settings that are stored now and saves them, as [`SettingsStore::change`] does.
    pub fn change(self, change: impl FnOnce(&mut T)) {
        self.settings.change(|settings| {
            let others = &mut settings.others;
            let mut part = read::<T>(others);
            let before = write(&part);
            others.retain(|name, _| !before.contains_key(name));
            change(&mut part);
            others.extend(write(&part));
        });
    }
}

fn read<T: SettingsPart>(others: &Map<String, Value>) -> T {
    T::deserialize(others).unwrap_or_default()
}

/// The keys that differ from their defaults.
fn write<T: SettingsPart>(part: &T) -> Map<String, Value> {
    let default = keys(&T::default());
    let mut keys = keys(part);
    keys.retain(|name, value| default.get(name) != Some(value));
    keys
}

fn keys<T: SettingsPart>(part: &T) -> Map<String, Value> {
    match serde_json::to_value(part) {
        Ok(Value::Object(keys)) => keys,
        // A struct of settings is an object whose keys are texts.
        _ => Map::new(),
    }
}
