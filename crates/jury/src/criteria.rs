//! Sets of criteria by name: the user's own in `./criteria/`, those that come with the program, or a file.

use std::path::{Path, PathBuf};

use jury_core::critic::CriteriaSet;
use jury_core::critic::criteria::{BUILT_IN, CriteriaFile, built_in};

use crate::refusal::Refusal;
use crate::tables;

/// The folder of the user's own sets, beside `jury.toml`.
pub(crate) const FOLDER: &str = "criteria";

/// A set and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Loaded {
    pub(crate) set: CriteriaSet,
    /// The file; none for one that comes with the program.
    pub(crate) file: Option<PathBuf>,
}

/// Finds a set. A name means the user's own before the one that comes with the program; what looks like a path is one.
pub(crate) fn load(given: &str) -> Result<Loaded, Refusal> {
    if Path::new(given).extension().is_some_and(|end| end == "toml") || given.contains('/') {
        return from_file(Path::new(given));
    }
    let own = Path::new(FOLDER).join(format!("{given}.toml"));
    if own.is_file() {
        return from_file(&own);
    }
    if let Some(text) = built_in(given) {
        return parse(text, given).map(|set| Loaded { set, file: None });
    }
    Err(Refusal::usage(format!(
        "there are no criteria '{given}'; there are {}, and files: 'jury critic init {given}' makes one",
        built_in_names()
    )))
}

/// The names of the sets that come with the program.
pub(crate) fn built_in_names() -> String {
    BUILT_IN.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

fn from_file(path: &Path) -> Result<Loaded, Refusal> {
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| {
        if error.kind() == std::io::ErrorKind::NotFound {
            Refusal::usage(format!("no such file: {shown}; 'jury critic init' makes one"))
        } else {
            Refusal::usage(format!("cannot read {shown}: {error}"))
        }
    })?;
    parse(&text, &shown).map(|set| Loaded { set, file: Some(path.to_owned()) })
}

/// Reads the text of a set that is called so.
pub(crate) fn parse(text: &str, shown: &str) -> Result<CriteriaSet, Refusal> {
    tables::read(text, shown, |file: CriteriaFile| file.check(text))
}

/// The user's own sets, by name. What cannot be read is there with what is wrong with it.
pub(crate) fn own() -> Vec<(String, Result<Loaded, Refusal>)> {
    let named = |path: PathBuf| Some((tables::name(&path)?.to_owned(), from_file(&path)));
    tables::files(FOLDER).into_iter().filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_set_can_be_used() {
        for (name, text) in BUILT_IN {
            let set = parse(text, name).unwrap_or_else(|refusal| panic!("{}", refusal.message));
            assert_eq!(set.name, *name);
        }
    }
}
