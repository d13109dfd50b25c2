//! The modules of a crate and their dependencies.

use super::source::{Source, Written};
use crate::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The path of a module in its crate; empty for the crate root.
type Place = Vec<String>;

/// The maximum length of a chain of re-exports.
const FOLLOWED: usize = 16;

/// The modules of a crate by path.
pub struct Graph {
    modules: BTreeMap<Place, Source>,
}

impl Graph {
    /// Reads a crate, starting at its root file; `read` returns the text of a file.
    pub fn read(root: &Path, read: &dyn Fn(&Path) -> Result<String>) -> Result<Self> {
        let mut graph = Self {
            modules: BTreeMap::new(),
        };
        let folder = root.parent().unwrap_or(Path::new("")).to_path_buf();
        graph.add(Vec::new(), root, &folder, read)?;
        Ok(graph)
    }

    /// Adds a module, whose child modules are in `folder`.
    fn add(
        &mut self,
        place: Place,
        file: &Path,
        folder: &Path,
        read: &dyn Fn(&Path) -> Result<String>,
    ) -> Result {
        let text = read(file)?;
        let source = Source::parse(&text)
            .map_err(|error| format!("{} cannot be parsed: {error}", file.display()))?;
        let modules = source.modules.clone();
        self.modules.insert(place.clone(), source);
        for (name, elsewhere) in modules {
            let place = [place.clone(), vec![name.clone()]].concat();
            let own = folder.join(&name);
            let beside: PathBuf = match &elsewhere {
                Some(file) => folder.join(file),
                None => folder.join(format!("{name}.rs")),
            };
            match read(&beside) {
                Ok(_) => self.add(place, &beside, &own, read)?,
                Err(_) => self.add(place, &own.join("mod.rs"), &own, read)?,
            }
        }
        Ok(())
    }

    /// The dependency cycles, in words: which module uses what from which.
    pub fn cycles(&self) -> Vec<String> {
        let needs = self.needs();
        let reach = |from: &Place| {
            let mut seen = BTreeSet::new();
            let mut next = vec![from];
            while let Some(place) = next.pop() {
                for other in needs.get(place).into_iter().flat_map(BTreeMap::keys) {
                    if seen.insert(other.clone()) {
                        next.push(other);
                    }
                }
            }
            seen
        };
        let reached: BTreeMap<&Place, BTreeSet<Place>> =
            needs.keys().map(|place| (place, reach(place))).collect();
        let mut told = BTreeSet::new();
        let mut cycles = Vec::new();
        for (place, all) in &reached {
            if !all.contains(*place) || !told.insert((*place).clone()) {
                continue;
            }
            let in_cycle = |other: &&Place| reached.get(*other).is_some_and(|r| r.contains(*place));
            let cycle: BTreeSet<&Place> = all.iter().filter(in_cycle).collect();
            told.extend(cycle.iter().map(|place| (*place).clone()));
            let mut lines = Vec::new();
            for from in &cycle {
                for (to, names) in &needs[*from] {
                    if cycle.contains(to) {
                        let names: Vec<_> = names.iter().map(String::as_str).collect();
                        lines.push(format!(
                            "  {} -> {}: {}",
                            word(from),
                            word(to),
                            names.join(", ")
                        ));
                    }
                }
            }
            cycles.push(lines.join("\n"));
        }
        cycles
    }

    /// For each module, the modules it depends on, with the names it uses.
    fn needs(&self) -> BTreeMap<Place, BTreeMap<Place, BTreeSet<String>>> {
        let mut all = BTreeMap::new();
        for (place, source) in &self.modules {
            let needs: &mut BTreeMap<Place, BTreeSet<String>> =
                all.entry(place.clone()).or_default();
            for path in &source.paths {
                // A module is made of its child modules, so they are not dependencies.
                if let Some(to) = self.find(place, path, FOLLOWED)
                    && !to.starts_with(place)
                {
                    let name = path.last().cloned().unwrap_or_default();
                    needs.entry(to).or_default().insert(name);
                }
            }
        }
        all
    }

    /// The module that defines the item at the end of a path; `None` if the path leads out of the
    /// crate.
    fn find(&self, from: &Place, path: &Written, left: usize) -> Option<Place> {
        let (first, rest) = path.split_first()?;
        let (mut at, rest) = match first.as_str() {
            "crate" => (Vec::new(), rest),
            "self" => (from.clone(), rest),
            "super" => {
                let ups = path.iter().take_while(|word| *word == "super").count();
                let kept = from.len().checked_sub(ups)?;
                (from[..kept].to_vec(), &path[ups..])
            }
            name => {
                let source = self.modules.get(from)?;
                let is_module = source.modules.iter().any(|(known, _)| known == name);
                if !is_module && !source.names.contains_key(name) {
                    return None;
                }
                (from.clone(), path.as_slice())
            }
        };
        for (n, name) in rest.iter().enumerate() {
            let inner = [at.clone(), vec![name.clone()]].concat();
            if self.modules.contains_key(&inner) {
                at = inner;
                continue;
            }
            let source = self.modules.get(&at)?;
            // A function may have the same name as an imported module.
            let is_own = n + 1 == rest.len() && source.items.contains(name);
            if let Some(target) = source.names.get(name).filter(|_| !is_own)
                && left > 0
            {
                // An import of the same path makes no progress.
                let path = [target.clone(), rest[n + 1..].to_vec()].concat();
                let leads_on = target.first() != Some(name) || target.len() > 1;
                return leads_on.then(|| self.find(&at, &path, left - 1))?;
            }
            if !source.items.contains(name) && left > 0 {
                let from_globs = source.globs.iter().find_map(|module| {
                    let module = self.find(&at, module, left - 1)?;
                    self.defines(&module, name).then(|| {
                        let path = [vec!["self".to_owned()], rest[n..].to_vec()].concat();
                        self.find(&module, &path, left - 1)
                    })?
                });
                return Some(from_globs.unwrap_or(at));
            }
            return Some(at);
        }
        Some(at)
    }

    fn defines(&self, module: &Place, name: &str) -> bool {
        let inner = [module.clone(), vec![name.to_owned()]].concat();
        let source = self.modules.get(module);
        let own = source.is_some_and(|s| s.items.contains(name) || s.names.contains_key(name));
        own || self.modules.contains_key(&inner)
    }
}

/// A module path as a person writes it.
fn word(place: &Place) -> String {
    match place.is_empty() {
        true => "crate".to_owned(),
        false => place.join("::"),
    }
}
