//! The modules of a crate and their dependencies.

use super::measures::Measures;
use super::source::{SourceFile, WrittenPath};
use crate::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The path of a module in its crate; empty for the crate root.
pub type ModulePath = Vec<String>;

/// A part of a module: the name of a child module, or nothing for the module's own file.
type Part<'a> = &'a [String];

/// What the modules of a crate use from each other.
pub struct Uses {
    /// All modules.
    folders: Vec<ModulePath>,
    /// The names that a module uses from another one, by the two modules.
    pub names: BTreeMap<(ModulePath, ModulePath), BTreeSet<String>>,
    /// The paths by which a module names what is in no module of the crate: in another crate, or nowhere.
    pub outside: BTreeSet<(ModulePath, WrittenPath)>,
}

/// What a path leads to.
enum PathTarget {
    /// A module.
    Module(ModulePath),
    /// An item that this module defines.
    Item(ModulePath),
    /// What this path, followed through imports, names outside of the crate.
    Outside(WrittenPath),
}

impl PathTarget {
    fn into_module(self) -> Option<ModulePath> {
        match self {
            Self::Module(place) | Self::Item(place) => Some(place),
            Self::Outside(_) => None,
        }
    }
}

/// The maximum length of a chain of re-exports.
const FOLLOWED: usize = 16;

/// The modules of a crate by path.
pub struct Graph {
    modules: BTreeMap<ModulePath, SourceFile>,
    files: BTreeMap<ModulePath, PathBuf>,
}

impl Graph {
    /// Reads a crate, starting at its root file; `read` returns the text of a file.
    pub fn read(root: &Path, read: &dyn Fn(&Path) -> Result<String>) -> Result<Self> {
        let mut graph = Self {
            modules: BTreeMap::new(),
            files: BTreeMap::new(),
        };
        let folder = root.parent().unwrap_or(Path::new("")).to_path_buf();
        graph.add(Vec::new(), root, &folder, read)?;
        Ok(graph)
    }

    /// Adds a module, whose child modules are in `folder`.
    fn add(
        &mut self,
        place: ModulePath,
        file: &Path,
        folder: &Path,
        read: &dyn Fn(&Path) -> Result<String>,
    ) -> Result {
        let text = read(file)?;
        let source = SourceFile::parse(&text)
            .map_err(|error| format!("{} cannot be parsed: {error}", file.display()))?;
        let modules = source.modules.clone();
        self.modules.insert(place.clone(), source);
        self.files.insert(place.clone(), file.to_path_buf());
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

    /// What is counted in each file.
    pub fn measures(&self) -> impl Iterator<Item = (&Path, &Measures)> {
        let files = self.files.iter();
        files.filter_map(|(module, file)| {
            Some((file.as_path(), &self.modules.get(module)?.measures))
        })
    }

    /// The file of a module.
    pub fn file(&self, module: &ModulePath) -> Option<&Path> {
        self.files.get(module).map(PathBuf::as_path)
    }

    /// The file that defines what a path from the root of the crate leads to.
    pub fn definition(&self, path: &[String]) -> Option<&Path> {
        let path = [vec!["crate".to_owned()], path.to_vec()].concat();
        let target = self.find(&Vec::new(), &path, FOLLOWED)?;
        self.file(&target.into_module()?)
    }

    /// What the modules use from each other.
    pub fn uses(&self) -> Uses {
        let mut uses = BTreeMap::new();
        let mut outside = BTreeSet::new();
        for (place, source) in &self.modules {
            let mut add = |path: &WrittenPath, to: ModulePath| {
                if to != *place {
                    let name = path.last().cloned().unwrap_or_default();
                    let names: &mut BTreeSet<String> = uses.entry((place.clone(), to)).or_default();
                    names.insert(name);
                }
            };
            let mut target = |path: &WrittenPath, may_be_module: bool| {
                match self.find(place, path, FOLLOWED)? {
                    PathTarget::Item(module) => Some(module),
                    PathTarget::Module(module) => may_be_module.then_some(module),
                    PathTarget::Outside(path) => {
                        // One word alone is a name of the prelude, or a variable.
                        if path.len() > 1 {
                            outside.insert((place.clone(), path));
                        }
                        None
                    }
                }
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
                let owner = block
                    .self_type
                    .as_ref()
                    .and_then(|path| target(path, false));
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
            names: uses,
            outside,
        }
    }

    /// What a path leads to; `None` if nothing is known of it.
    fn find(&self, from: &ModulePath, path: &WrittenPath, left: usize) -> Option<PathTarget> {
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
                    return Some(PathTarget::Outside(path.clone()));
                }
                (from.clone(), path.as_slice())
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
                let path = [target.clone(), rest[n + 1..].to_vec()].concat();
                let leads_on = target.first() != Some(name) || target.len() > 1;
                return leads_on.then(|| self.find(&at, &path, left - 1))?;
            }
            if !source.items.contains(name) && left > 0 {
                let from_globs = source.globs.iter().find_map(|module| {
                    let module = self.find(&at, module, left - 1)?.into_module()?;
                    self.defines(&module, name).then(|| {
                        let path = [vec!["self".to_owned()], rest[n..].to_vec()].concat();
                        self.find(&module, &path, left - 1)
                    })?
                });
                return Some(from_globs.unwrap_or(PathTarget::Item(at)));
            }
            return Some(PathTarget::Item(at));
        }
        Some(PathTarget::Module(at))
    }

    fn defines(&self, module: &ModulePath, name: &str) -> bool {
        let inner = [module.clone(), vec![name.to_owned()]].concat();
        let source = self.modules.get(module);
        let own = source.is_some_and(|s| s.items.contains(name) || s.names.contains_key(name));
        own || self.modules.contains_key(&inner)
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
