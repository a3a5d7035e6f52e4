//! The rota: whose turn it is when several projects wait for a free place. Within a project the run that
//! waits longest comes first; between projects the one that was served longest ago.

use std::collections::BTreeMap;

use crate::id::ProjectId;

/// Remembers who was served when.
#[derive(Debug, Clone, Default)]
pub struct Rota {
    served: BTreeMap<ProjectId, u64>,
    turn: u64,
}

impl Rota {
    /// Whose turn it is, of those who wait, and notes that it was theirs. Costs a look-up for each.
    pub fn pick<T>(&mut self, waiting: impl IntoIterator<Item = (ProjectId, T)>) -> Option<(ProjectId, T)> {
        let (project, first) =
            waiting.into_iter().min_by_key(|(project, _)| self.served.get(project).copied().unwrap_or(0))?;
        self.turn += 1;
        self.served.insert(project.clone(), self.turn);
        Some((project, first))
    }
}
