//! Skills on disk: a folder each, beside the settings file.

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
const LARGEST: u64 = 256 * 1024;

/// Why there is no skill.
#[derive(Debug, Error)]
pub enum SkillError {
    /// There is none of this name.
    #[error("there is no skill '{skill}'; a skill is a file {path}", path = path.display())]
    Unknown {
        /// The name.
        skill: SkillId,
        /// Where it should be.
        path: PathBuf,
    },
    /// Its file cannot be read.
    #[error("cannot read {path}: {source}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Its file cannot be understood.
    #[error("{path} {source}", path = path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: jury_core::skill::SkillError,
    },
}

impl SkillError {
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
pub fn load_skill(folder: &Path, skill: &SkillId) -> Result<Skill, SkillError> {
    let path = folder.join(skill.as_str()).join(FILE);
    let failed = |source: std::io::Error| {
        if source.kind() == std::io::ErrorKind::NotFound {
            SkillError::Unknown { skill: skill.clone(), path: path.clone() }
        } else {
            SkillError::Read { path: path.clone(), source }
        }
    };
    let mut text = String::new();
    let file = std::fs::File::open(&path).map_err(failed)?;
    file.take(LARGEST + 1).read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > LARGEST {
        return Err(failed(std::io::Error::other(format!("it is larger than {LARGEST} bytes"))));
    }
    Skill::parse(&text).map_err(|source| SkillError::Content { path, source })
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
        assert!(error.to_string().starts_with("there is no skill 'poster'; a skill is a file "), "{error}");
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
}
