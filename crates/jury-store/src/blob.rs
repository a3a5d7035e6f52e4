//! Bodies: every round's artifact, and the one that the run ended with. A body is on disk before the event
//! that speaks of it is in the log.

use jury_core::id::ArtifactId;
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
}
