//! Whether the panel sits: what a skill, a project, a setting and the rollout say, and who of them is heard.
//!
//! Four tiers, the highest first. A tier that speaks decides, and those below it are not asked.
//!
//! 1. **Skill.** `required` says on. `opt-out` says off. `opt-in` says off below M2; from M2 on it lets the panel
//!    sit without asking for it, so it says nothing and the next tier is asked.
//! 2. **Project.** `metadata.critiqueTheaterEnabled`, when it is there.
//! 3. **Setting.** `OD_CRITIQUE_ENABLED`, when it was given; its default is not something that anybody said.
//! 4. **Rollout.** Always speaks: off in M0 and M1, on in M2 for skills that opted in, on in M3.
//!
//! This is about work that is generated. A run that somebody asks for by hand always has its panel.
//!
//! ```
//! use jury_core::enablement::{EnablementInputs, SkillPolicy, Tier};
//! use jury_core::settings::RolloutPhase;
//!
//! let question = EnablementInputs { project: Some(false), ..EnablementInputs::at(RolloutPhase::M3) };
//! assert_eq!((question.answer().on, question.answer().tier), (false, Tier::Project));
//! let question = EnablementInputs { skill: Some(SkillPolicy::Required), ..question };
//! assert!(question.answer().on);
//! ```

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::outcome::{UnknownWord, words};
use crate::settings::RolloutPhase;

/// What a skill says about the panel: `od.critique.policy` in its front matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SkillPolicy {
    /// The panel sits whenever the skill is used.
    #[serde(alias = "always")]
    Required,
    /// The panel may sit, from M2 on.
    #[serde(alias = "on-demand")]
    OptIn,
    /// The panel never sits.
    #[serde(alias = "off")]
    OptOut,
}

impl SkillPolicy {
    /// Every policy, in the order of the reference.
    pub const ALL: &'static [Self] = &[Self::Required, Self::OptIn, Self::OptOut];

    /// The value as every format writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::OptIn => "opt-in",
            Self::OptOut => "opt-out",
        }
    }

    /// Another word for it, which is read and never written.
    pub fn alias(self) -> &'static str {
        match self {
            Self::Required => "always",
            Self::OptIn => "on-demand",
            Self::OptOut => "off",
        }
    }
}

impl fmt::Display for SkillPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for SkillPolicy {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let fits = |policy: &Self| policy.as_str() == text || policy.alias() == text;
        Self::ALL.iter().copied().find(fits).ok_or_else(|| {
            let with_alias = |policy: &Self| format!("{policy} ({})", policy.alias());
            UnknownWord {
                given: text.to_owned(),
                allowed: Self::ALL.iter().map(with_alias).collect::<Vec<_>>().join(", "),
            }
        })
    }
}

/// The source that decided whether the panel sits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// The policy of the skill.
    Skill,
    /// The override of the project.
    Project,
    /// `OD_CRITIQUE_ENABLED`, as somebody gave it.
    Setting,
    /// How far the feature is rolled out.
    Rollout,
}

words!(Tier { Skill = "skill", Project = "project", Setting = "setting", Rollout = "rollout" });

/// Everything that has a say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnablementInputs {
    /// The policy of the skill, if there is a skill and it has one.
    pub skill: Option<SkillPolicy>,
    /// The override of the project, if it has one.
    pub project: Option<bool>,
    /// `OD_CRITIQUE_ENABLED`, if it was given.
    pub setting: Option<bool>,
    /// How far the feature is rolled out.
    pub phase: RolloutPhase,
}

/// Whether the panel sits, who says so, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Enablement {
    /// Whether the panel reviews this run.
    pub on: bool,
    /// The source that decided it.
    pub tier: Tier,
    /// Why, in one sentence for a person.
    pub why: String,
}

impl EnablementInputs {
    /// A question in which nobody says anything but the rollout.
    pub fn at(phase: RolloutPhase) -> Self {
        Self { skill: None, project: None, setting: None, phase }
    }

    /// The answer: that of the highest tier that speaks.
    pub fn answer(self) -> Enablement {
        let Self { skill, project, setting, phase } = self;
        let decided = |on: bool, tier: Tier, why: String| Enablement { on, tier, why };
        match skill {
            Some(SkillPolicy::Required) => {
                return decided(true, Tier::Skill, "the skill requires the panel".to_owned());
            }
            Some(SkillPolicy::OptOut) => {
                return decided(false, Tier::Skill, "the skill opts out of the panel".to_owned());
            }
            Some(SkillPolicy::OptIn) if phase < RolloutPhase::M2 => {
                let why =
                    format!("the skill opts in, which counts from M2 on, and the rollout is at {phase}");
                return decided(false, Tier::Skill, why);
            }
            Some(SkillPolicy::OptIn) | None => {}
        }
        if let Some(on) = project {
            let why = format!("the project has critiqueTheaterEnabled set to {on}");
            return decided(on, Tier::Project, why);
        }
        if let Some(on) = setting {
            return decided(on, Tier::Setting, format!("OD_CRITIQUE_ENABLED is set to {on}"));
        }
        let opted_in = skill == Some(SkillPolicy::OptIn);
        let (on, why) = match phase {
            RolloutPhase::M0 | RolloutPhase::M1 => {
                (false, format!("the rollout is at {phase}: off by default"))
            }
            RolloutPhase::M2 if opted_in => {
                (true, "the rollout is at M2 and the skill opts in: on by default".to_owned())
            }
            RolloutPhase::M2 => {
                (false, "the rollout is at M2: on by default only for skills that opt in".to_owned())
            }
            RolloutPhase::M3 => (true, "the rollout is at M3: on by default".to_owned()),
        };
        decided(on, Tier::Rollout, why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICIES: [Option<SkillPolicy>; 4] =
        [None, Some(SkillPolicy::Required), Some(SkillPolicy::OptIn), Some(SkillPolicy::OptOut)];
    const SAID: [Option<bool>; 3] = [None, Some(false), Some(true)];

    fn every_question() -> Vec<EnablementInputs> {
        let mut questions = Vec::new();
        for skill in POLICIES {
            for project in SAID {
                for setting in SAID {
                    for phase in RolloutPhase::ALL {
                        questions.push(EnablementInputs { skill, project, setting, phase: *phase });
                    }
                }
            }
        }
        questions
    }

    /// Skill, project, setting (none stands for whatever it is, below the tier that decides), phases, answer.
    type Row<'a> = (Option<SkillPolicy>, Option<bool>, Option<bool>, &'a [RolloutPhase], bool, Tier);

    /// One line per question in which the tiers below the one that decides do not matter, by hand.
    #[test]
    fn every_combination_is_in_the_table() {
        use RolloutPhase::{M0, M1, M2, M3};
        use SkillPolicy::{OptIn, OptOut, Required};
        let any = [M0, M1, M2, M3].as_slice();
        let on = Some(true);
        let off = Some(false);
        let table: [Row<'_>; 22] = [
            (Some(Required), None, None, any, true, Tier::Skill),
            (Some(OptOut), None, None, any, false, Tier::Skill),
            (Some(OptIn), None, None, &[M0, M1], false, Tier::Skill),
            (Some(OptIn), on, None, &[M2, M3], true, Tier::Project),
            (Some(OptIn), off, None, &[M2, M3], false, Tier::Project),
            (Some(OptIn), None, on, &[M2, M3], true, Tier::Setting),
            (Some(OptIn), None, off, &[M2, M3], false, Tier::Setting),
            (Some(OptIn), None, None, &[M2], true, Tier::Rollout),
            (Some(OptIn), None, None, &[M3], true, Tier::Rollout),
            (None, on, None, any, true, Tier::Project),
            (None, off, None, any, false, Tier::Project),
            (None, None, on, &[M0], true, Tier::Setting),
            (None, None, on, &[M1], true, Tier::Setting),
            (None, None, on, &[M2], true, Tier::Setting),
            (None, None, on, &[M3], true, Tier::Setting),
            (None, None, off, &[M0], false, Tier::Setting),
            (None, None, off, &[M1], false, Tier::Setting),
            (None, None, off, &[M2], false, Tier::Setting),
            (None, None, off, &[M3], false, Tier::Setting),
            (None, None, None, &[M0, M1], false, Tier::Rollout),
            (None, None, None, &[M2], false, Tier::Rollout),
            (None, None, None, &[M3], true, Tier::Rollout),
        ];
        let mut seen = 0;
        for question in every_question() {
            let fits = |row: &&Row<'_>| {
                let (skill, project, setting, phases, _, tier) = **row;
                skill == question.skill
                    && phases.contains(&question.phase)
                    && (tier < Tier::Project || project == question.project)
                    && (tier < Tier::Setting || setting == question.setting)
            };
            let rows: Vec<&Row<'_>> = table.iter().filter(fits).collect();
            let [(_, _, _, _, on, tier)] = rows.as_slice() else { panic!("{question:?} fits {rows:?}") };
            let answer = question.answer();
            assert_eq!((answer.on, answer.tier), (*on, *tier), "{question:?}");
            assert!(!answer.why.is_empty() && !answer.why.contains('\n'), "{question:?}");
            seen += 1;
        }
        assert_eq!(seen, 4 * 3 * 3 * 4);
    }

    #[test]
    fn a_higher_tier_that_speaks_always_wins() {
        for question in every_question() {
            let answer = question.answer();
            for other in every_question() {
                // Everything from the tier that decided upwards stays; what is below it may say what it likes. The
                // rollout has a say in what an `opt-in` means.
                let same_phase = question.phase == other.phase || question.skill != Some(SkillPolicy::OptIn);
                let agrees = match answer.tier {
                    Tier::Skill => question.skill == other.skill && same_phase,
                    Tier::Project => {
                        question.skill == other.skill && question.project == other.project && same_phase
                    }
                    Tier::Setting => {
                        let EnablementInputs { skill, project, setting, .. } = other;
                        (question.skill, question.project, question.setting) == (skill, project, setting)
                            && same_phase
                    }
                    Tier::Rollout => question == other,
                };
                if agrees {
                    assert_eq!(other.answer(), answer, "{question:?} {other:?}");
                }
            }
        }
    }

    #[test]
    fn whatever_is_said_last_by_hand_is_heard_when_no_skill_speaks() {
        for question in every_question().into_iter().filter(|question| question.skill.is_none()) {
            for said in [true, false] {
                assert_eq!(EnablementInputs { project: Some(said), ..question }.answer().on, said);
                assert_eq!(
                    EnablementInputs { project: None, setting: Some(said), ..question }.answer().on,
                    said
                );
            }
        }
    }

    #[test]
    fn both_words_of_a_policy_are_read() {
        for policy in SkillPolicy::ALL {
            assert_eq!(policy.as_str().parse(), Ok(*policy));
            assert_eq!(policy.alias().parse(), Ok(*policy));
            let json = serde_json::to_value(policy).unwrap();
            assert_eq!(json, policy.as_str());
            assert_eq!(serde_json::from_value::<SkillPolicy>(policy.alias().into()).unwrap(), *policy);
        }
        assert_eq!(
            "sometimes".parse::<SkillPolicy>().unwrap_err().to_string(),
            "'sometimes' is none of required (always), opt-in (on-demand), opt-out (off)"
        );
        for tier in Tier::ALL {
            assert_eq!(serde_json::to_value(tier).unwrap(), tier.as_str());
        }
    }
}
