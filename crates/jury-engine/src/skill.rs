//! Skills: a folder each, beside the settings file, and those that the program brings along.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use jury_core::id::SkillId;
use jury_core::skill::Skill;
use thiserror::Error;

/// The folder of skills, in the working directory.
pub const SKILLS: &str = "skills";

/// What a skill is written in.
const FILE: &str = "SKILL.md";

/// The largest skill that is read.
const LARGEST_SKILL_BYTES: u64 = 256 * 1024;

macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../../../skills/", $name, "/SKILL.md")))),+]
    };
}

/// The skills that the program brings along, in the order of names. One of the same name in the folder replaces it.
const SHIPPED: [(&str, &str); 9] = shipped![
    "dashboard",
    "finance-report",
    "hr-onboarding",
    "kanban-board",
    "magazine-poster",
    "od-export-pdf",
    "saas-landing",
    "simple-deck",
    "weekly-update",
];

/// A skill that can be asked for.
#[derive(Debug)]
pub struct ListedSkill {
    /// The name that requests use.
    pub id: SkillId,
    /// Whether the program brings it along.
    pub shipped: bool,
    /// What it says.
    pub skill: Result<Skill, LoadSkillError>,
}

/// Why there is no skill.
#[derive(Debug, Error)]
pub enum LoadSkillError {
    /// There is none of this name.
    #[error("there is no skill '{skill}'; one of your own is a file {path}, and jury brings along {shipped}", path = path.display(), shipped = shipped_names())]
    Unknown {
        /// The name that is not known.
        skill: SkillId,
        /// Where it should be.
        path: PathBuf,
    },
    /// Its file cannot be read.
    #[error("cannot read {path}: {source}", path = path.display())]
    Read {
        /// The path of the skill.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Its file cannot be understood.
    #[error("{path} {source}", path = path.display())]
    Content {
        /// The path of the skill.
        path: PathBuf,
        /// What is wrong with it.
        source: jury_core::skill::SkillError,
    },
}

impl LoadSkillError {
    /// The label for logs and metrics.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "skill_unknown",
            Self::Read { .. } => "skill_unreadable",
            Self::Content { .. } => "skill_content",
        }
    }
}

/// Reads the skill of this name from a folder of skills. A name cannot lead out of the folder.
pub fn load_skill(folder: &Path, skill: &SkillId) -> Result<Skill, LoadSkillError> {
    let path = folder.join(skill.as_str()).join(FILE);
    let failed = |source: std::io::Error| {
        if source.kind() == std::io::ErrorKind::NotFound {
            LoadSkillError::Unknown { skill: skill.clone(), path: path.clone() }
        } else {
            LoadSkillError::Read { path: path.clone(), source }
        }
    };
    let mut text = String::new();
    let file = match std::fs::File::open(&path) {
        Ok(file) => file,
        Err(error) => return shipped(skill, &path).unwrap_or_else(|| Err(failed(error))),
    };
    file.take(LARGEST_SKILL_BYTES + 1).read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > LARGEST_SKILL_BYTES {
        return Err(failed(std::io::Error::other(format!("it is larger than {LARGEST_SKILL_BYTES} bytes"))));
    }
    Skill::parse(&text).map_err(|source| LoadSkillError::Content { path, source })
}

fn shipped_names() -> String {
    SHIPPED.map(|(name, _)| name).join(", ")
}

/// The skill of this name that the program brings along, where there is none at this path.
fn shipped(skill: &SkillId, path: &Path) -> Option<Result<Skill, LoadSkillError>> {
    // One that is there and cannot be read was meant.
    if path.symlink_metadata().is_ok() {
        return None;
    }
    let (_, text) = SHIPPED.iter().find(|(name, _)| *name == skill.as_str())?;
    Some(Skill::parse(text).map_err(|source| LoadSkillError::Content { path: path.to_owned(), source }))
}

/// Every skill that can be asked for, in the order of names: those of a folder, and those that the program brings along.
/// What is no skill is passed over.
pub fn list_skills(folder: &Path) -> Vec<ListedSkill> {
    let own = std::fs::read_dir(folder).into_iter().flatten();
    let own = own
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|id: &SkillId| folder.join(id.as_str()).join(FILE).is_file())
        .map(|id| (id, false));
    let mut ids: BTreeMap<SkillId, bool> =
        SHIPPED.iter().filter_map(|(name, _)| Some((name.parse().ok()?, true))).collect();
    ids.extend(own);
    ids.into_iter().map(|(id, shipped)| ListedSkill { skill: load_skill(folder, &id), id, shipped }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skill_is_read_by_its_name_and_its_troubles_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let id: SkillId = "poster".parse().unwrap();
        let error = load_skill(folder.path(), &id).unwrap_err();
        assert_eq!(error.kind(), "skill_unknown");
        assert!(
            error.to_string().starts_with("there is no skill 'poster'; one of your own is a file "),
            "{error}"
        );
        let write = |text: &[u8]| {
            std::fs::create_dir_all(folder.path().join("poster")).unwrap();
            std::fs::write(folder.path().join("poster/SKILL.md"), text).unwrap();
        };
        write(b"---\nname: poster\n---\nBe bold.");
        assert_eq!(load_skill(folder.path(), &id).unwrap().prompt, "Be bold.");
        write(b"---\nod:\n  critique:\n    policy: never\n---\n");
        let error = load_skill(folder.path(), &id).unwrap_err().to_string();
        assert!(error.contains("SKILL.md line 4: od.critique.policy 'never' is none of required"), "{error}");
        write(&[0xff, 0xfe]);
        assert_eq!(load_skill(folder.path(), &id).unwrap_err().kind(), "skill_unreadable");
        write(&vec![b'x'; 256 * 1024 + 1]);
        assert!(load_skill(folder.path(), &id).unwrap_err().to_string().contains("larger than"));
    }

    #[test]
    fn shipped_skills_are_there_and_one_of_the_folder_replaces_its_namesake() {
        let folder = tempfile::tempdir().unwrap();
        let listed = list_skills(folder.path());
        let names: Vec<&str> = listed.iter().map(|skill| skill.id.as_str()).collect();
        assert_eq!(names, SHIPPED.map(|(name, _)| name));
        for ListedSkill { id, shipped, skill } in &listed {
            let skill = skill.as_ref().unwrap();
            assert_eq!(skill.name.as_deref(), Some(id.as_str()));
            assert!(*shipped && skill.description.is_some() && skill.prompt.lines().count() > 20, "{id}");
        }
        std::fs::create_dir(folder.path().join("dashboard")).unwrap();
        std::fs::write(folder.path().join("dashboard/SKILL.md"), "Mine.").unwrap();
        let listed = list_skills(folder.path());
        let own = listed.iter().find(|skill| skill.id.as_str() == "dashboard").unwrap();
        assert_eq!((own.shipped, own.skill.as_ref().unwrap().prompt.as_str()), (false, "Mine."));
        assert_eq!(listed.len(), SHIPPED.len());
    }

    /// 001's table of phases: the panel sits by default from M2 for those that benefit most, and in M3 for all but exports.
    #[test]
    fn the_panel_of_shipped_skills_sits_as_the_phases_say() {
        use jury_core::enablement::EnablementInputs;
        use jury_core::settings::RolloutPhase::{M0, M1, M2, M3};
        let always = [true; 4];
        let from_m2 = [false, false, true, true];
        let from_m3 = [false, false, false, true];
        for ListedSkill { id, skill, .. } in list_skills(Path::new("no-such-folder")) {
            let policy = skill.unwrap().policy;
            let on = [M0, M1, M2, M3]
                .map(|phase| EnablementInputs { skill: policy, ..EnablementInputs::at(phase) }.answer().on);
            let expected = match id.as_str() {
                "magazine-poster" | "saas-landing" => always,
                "weekly-update" | "simple-deck" => from_m3,
                "od-export-pdf" => [false; 4],
                _ => from_m2,
            };
            assert_eq!(on, expected, "{id}");
        }
    }
}
