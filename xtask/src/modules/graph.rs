//! The modules of a crate and their dependencies.

use super::source::{SourceFile, WrittenPath};
use std::collections::{BTreeMap, BTreeSet};

/// The path of a module in its crate; empty for the crate root.
pub type ModulePath = Vec<String>;

/// A part of a module: the name of a child module, or nothing for the module's own file.
type Part<'a> = &'a [String];

/// What the modules of a crate use from each other.
pub struct Uses {
    /// All modules.
    folders: Vec<ModulePath>,
    /// The names that a module uses from another one, by the two modules.
    names: BTreeMap<(ModulePath, ModulePath), BTreeSet<String>>,
}

/// What a path leads to.
enum PathTarget {
    /// A module.
    Module(ModulePath),
    /// An item that this module defines.
    Item(ModulePath),
}

impl PathTarget {
    fn into_module(self) -> ModulePath {
        match self {
            Self::Module(place) | Self::Item(place) => place,
        }
    }
}

/// The maximum length of a chain of re-exports.
const FOLLOWED: usize = 16;

/// The modules of a crate by path.
#[derive(Default)]
pub struct Graph<'a> {
    modules: BTreeMap<ModulePath, &'a SourceFile>,
}

impl<'a> Graph<'a> {
    /// The modules of the crate that begins with this file.
    pub fn of(root: &str, files: &'a BTreeMap<String, SourceFile>) -> Self {
        let mut graph = Self::default();
        let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
        graph.add(Vec::new(), root, folder, files);
        graph
    }

    /// Adds a module, whose child modules are in `folder`. What is not there is made when the crate is built.
    fn add(
        &mut self,
        place: ModulePath,
        file: &str,
        folder: &str,
        files: &'a BTreeMap<String, SourceFile>,
    ) {
        let Some(source) = files.get(file) else {
            return;
        };
        for name in &source.modules {
            let own = format!("{folder}/{name}");
            let own = own.trim_start_matches('/');
            for file in [format!("{own}.rs"), format!("{own}/mod.rs")] {
                let place = [place.as_slice(), std::slice::from_ref(name)].concat();
                self.add(place, &file, own, files);
            }
        }
        self.modules.insert(place, source);
    }

    /// What the modules use from each other.
    pub fn uses(&self) -> Uses {
        let mut names: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
        for (place, source) in &self.modules {
            let mut add = |path: &WrittenPath, to: ModulePath| {
                if to != *place {
                    let name = path.last().cloned().unwrap_or_default();
                    names.entry((place.clone(), to)).or_default().insert(name);
                }
            };
            let target =
                |path: &WrittenPath, may_be_module: bool| match self.find(place, path, FOLLOWED)? {
                    PathTarget::Item(module) => Some(module),
                    PathTarget::Module(module) => may_be_module.then_some(module),
                };
            for path in &source.paths {
                if let Some(to) = target(path, false) {
                    add(path, to);
                }
            }
            for glob in &source.used_globs {
                if let Some(to) = target(glob, true) {
                    add(glob, to);
                }
            }
            for block in &source.impls {
                let owner = target(&block.self_type, false);
                let is_owner =
                    |to: &ModulePath| place.starts_with(to) && owner.as_ref() == Some(to);
                for path in &block.paths {
                    if let Some(to) = target(path, false).filter(|to| !is_owner(to)) {
                        add(path, to);
                    }
                }
            }
            for path in &source.re_exports {
                if let Some(to) = target(path, true).filter(|to| !to.starts_with(place)) {
                    add(path, to);
                }
            }
        }
        Uses {
            folders: self.modules.keys().cloned().collect(),
            names,
        }
    }

    /// What a path leads to; `None` if it is outside of the crate, or nothing is known of it.
    fn find(&self, from: &ModulePath, path: &[String], left: usize) -> Option<PathTarget> {
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
                let is_known = source.modules.contains(name) || source.names.contains_key(name);
                is_known.then(|| (from.clone(), path))?
            }
        };
        for (n, name) in rest.iter().enumerate() {
            let source = self.modules.get(&at)?;
            // A function may have the same name as a child module or an imported one.
            let is_last = n + 1 == rest.len();
            let is_own = is_last && source.items.contains(name);
            let is_imported = is_last && left > 0 && source.names.contains_key(name);
            let inner = [at.clone(), vec![name.clone()]].concat();
            if self.modules.contains_key(&inner) && !is_own && !is_imported {
                at = inner;
                continue;
            }
            if let Some(target) = source.names.get(name).filter(|_| !is_own)
                && left > 0
            {
                // An import of the same path makes no progress.
                let path = [target.as_slice(), &rest[n + 1..]].concat();
                let leads_on = target.first() != Some(name) || target.len() > 1;
                return leads_on.then(|| self.find(&at, &path, left - 1))?;
            }
            if !source.items.contains(name) && left > 0 {
                let from_globs = source.globs.iter().find_map(|module| {
                    let module = self.find(&at, module, left - 1)?.into_module();
                    let path = [&["self".to_owned()][..], &rest[n..]].concat();
                    self.defines(&module, name)
                        .then(|| self.find(&module, &path, left - 1))?
                });
                return Some(from_globs.unwrap_or(PathTarget::Item(at)));
            }
            return Some(PathTarget::Item(at));
        }
        Some(PathTarget::Module(at))
    }

    fn defines(&self, module: &ModulePath, name: &str) -> bool {
        let source = self.modules.get(module);
        source.is_some_and(|source| {
            source.items.contains(name)
                || source.names.contains_key(name)
                || source.modules.contains(name)
        })
    }
}

impl Uses {
    /// The dependency cycles, in words: which module uses what from which.
    pub fn cycles(&self) -> Vec<String> {
        let folders = self.folders.iter();
        folders
            .flat_map(|folder| self.cycles_within(folder))
            .collect()
    }

    /// The cycles between the parts of a module: its own file, and each child module with all that
    /// is in it.
    fn cycles_within(&self, folder: &ModulePath) -> Vec<String> {
        let mut between: BTreeMap<Part, BTreeSet<Part>> = BTreeMap::new();
        for (from, to) in self.names.keys() {
            if let Some((from, to)) = parts(folder, from, to) {
                between.entry(from).or_default().insert(to);
            }
        }
        let reached: BTreeMap<Part, BTreeSet<Part>> = between
            .keys()
            .map(|part| (*part, reached_from(part, &between)))
            .collect();
        let mut told = BTreeSet::new();
        let mut cycles = Vec::new();
        for (part, all) in &reached {
            if !all.contains(part) || told.contains(part) {
                continue;
            }
            let leads_back = |other: &&Part| reached.get(*other).is_some_and(|r| r.contains(part));
            let cycle: BTreeSet<Part> = all.iter().filter(leads_back).copied().collect();
            let in_cycle = self.names.iter().filter(|((from, to), _)| {
                parts(folder, from, to).is_some_and(|(a, b)| cycle.contains(a) && cycle.contains(b))
            });
            let lines: Vec<_> = in_cycle
                .map(|((from, to), names)| {
                    let names: Vec<_> = names.iter().map(String::as_str).collect();
                    format!("  {} -> {}: {}", word(from), word(to), names.join(", "))
                })
                .collect();
            cycles.push(lines.join("\n"));
            told.extend(cycle);
        }
        cycles
    }
}

/// The parts of `folder` that two modules belong to; `None` if they belong to the same one, or one of
/// them is outside.
fn parts<'a>(
    folder: &ModulePath,
    from: &'a ModulePath,
    to: &'a ModulePath,
) -> Option<(Part<'a>, Part<'a>)> {
    let part = |module: &'a ModulePath| {
        let rest = module.strip_prefix(folder.as_slice())?;
        Some(&rest[..rest.len().min(1)])
    };
    let (from, to) = (part(from)?, part(to)?);
    (from != to).then_some((from, to))
}

fn reached_from<'a>(
    start: Part<'a>,
    between: &BTreeMap<Part<'a>, BTreeSet<Part<'a>>>,
) -> BTreeSet<Part<'a>> {
    let mut seen = BTreeSet::new();
    let mut next = vec![start];
    while let Some(part) = next.pop() {
        for other in between.get(part).into_iter().flatten() {
            if seen.insert(*other) {
                next.push(other);
            }
        }
    }
    seen
}

/// A module path as a person writes it.
fn word(place: &ModulePath) -> String {
    match place.is_empty() {
        true => "crate".to_owned(),
        false => place.join("::"),
    }
}
