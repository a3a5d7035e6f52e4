//! Bodies: every round's artifact, and the one that the run ended with. A body is on disk before the event
//! that speaks of it is in the log.

use std::collections::{BTreeMap, BTreeSet};

use jury_core::artifact::Digest;
use jury_core::id::ArtifactId;
use jury_core::theater::Board;
use jury_core::unit::Round;

use crate::error::StoreError;
use crate::file::{self, blocking};
use crate::store::Store;

impl Store {
    /// Keeps the artifact of a round as `rounds/<n>.html`, whole or not at all.
    pub async fn keep_round(
        &self,
        artifact: ArtifactId,
        round: Round,
        body: &[u8],
    ) -> Result<(), StoreError> {
        let place = self.layout().round(artifact, round);
        let body = body.to_owned();
        blocking(&place.clone(), move || file::write_whole(&place, &body)).await
    }

    /// Keeps the artifact that the run ends with as `final.html`, whole or not at all.
    pub async fn keep_final(&self, artifact: ArtifactId, body: &[u8]) -> Result<(), StoreError> {
        let place = self.layout().final_body(artifact);
        let body = body.to_owned();
        blocking(&place.clone(), move || file::write_whole(&place, &body)).await
    }

    /// The artifact of a round, if it was kept.
    pub async fn read_round(
        &self,
        artifact: ArtifactId,
        round: Round,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let place = self.layout().round(artifact, round);
        blocking(&place.clone(), move || file::read_whole(&place)).await
    }

    /// The artifact that the run ended with, if one was kept.
    pub async fn read_final(&self, artifact: ArtifactId) -> Result<Option<Vec<u8>>, StoreError> {
        let place = self.layout().final_body(artifact);
        blocking(&place.clone(), move || file::read_whole(&place)).await
    }

    /// Those of these bodies that are kept: of the rounds that a board has, and of what the run ended with. A file
    /// whose content is not what the log speaks of is none of them.
    pub async fn read_bodies(
        &self,
        artifact: ArtifactId,
        board: &Board,
        wanted: &[Digest],
    ) -> Result<BTreeMap<Digest, Vec<u8>>, StoreError> {
        let mut bodies = BTreeMap::new();
        let mut keep = |body: Option<Vec<u8>>| {
            if let Some(body) = body {
                let digest = Digest::of(&body);
                if wanted.contains(&digest) {
                    bodies.insert(digest, body);
                }
            }
        };
        let rounds: BTreeSet<Round> =
            board.rounds.iter().chain(&board.superseded).map(|round| round.round).collect();
        for round in rounds {
            keep(self.read_round(artifact, round).await?);
        }
        keep(self.read_final(artifact).await?);
        Ok(bodies)
    }
}
