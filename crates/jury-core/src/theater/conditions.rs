//! Settings that make a verdict easier to get. A verdict that was given under one of them says so.

use super::event::RunStarted;
use crate::evidence::EvidenceMode;
use crate::id::AgentId;

impl RunStarted {
    /// What a reader of the verdict has to know about the settings: a bar below half of the scale, and measured facts that
    /// do not count. Empty for settings that keep the gate shut.
    pub fn conditions(&self) -> Vec<String> {
        let bar = self
            .has_low_bar()
            .then(|| format!("bar {} of {}, below half of the scale", self.threshold, self.scale));
        let evidence = match self.weak_evidence() {
            Some(EvidenceMode::Warn) => Some("evidence: warn (measured failures do not hold a ship)"),
            Some(EvidenceMode::Off) => Some("evidence: off (nothing was measured)"),
            Some(EvidenceMode::Gate) | None => None,
        };
        bar.into_iter().chain(evidence.map(str::to_owned)).collect()
    }

    /// Whether the bar is below half of the scale.
    pub(crate) fn has_low_bar(&self) -> bool {
        self.threshold.is_low(self.scale)
    }

    /// What is made of measured facts, where they hold nothing. The house measures, whatever is made of facts beside it.
    pub(crate) fn weak_evidence(&self) -> Option<EvidenceMode> {
        let is_weak = self.evidence != EvidenceMode::Gate && self.agent != AgentId::house();
        is_weak.then_some(self.evidence)
    }
}
