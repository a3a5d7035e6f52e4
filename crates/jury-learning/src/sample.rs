//! Which runs are judged: a sample that follows from the bead, so that every collector picks the same ones.

use jury_core::judge::{Bead, RunOutcome};

/// Why a run is judged, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sampling {
    /// The run is in the sample.
    Judge,
    /// Judging is switched off.
    Disabled,
    /// There is nothing to judge.
    NothingToJudge,
    /// It is not in the sample.
    NotSampled,
}

/// Whether a run is judged.
pub fn sampling(bead: &Bead, outcome: RunOutcome, enabled: bool, force: bool, rate: f64) -> Sampling {
    if !enabled {
        Sampling::Disabled
    } else if !outcome.is_judgeable() {
        Sampling::NothingToJudge
    } else if force || rate >= 1.0 || (rate > 0.0 && drawn(bead, rate)) {
        Sampling::Judge
    } else {
        Sampling::NotSampled
    }
}

fn drawn(bead: &Bead, rate: f64) -> bool {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1000")]
    let parts = (rate * 1000.0) as u32;
    cksum(bead.as_str().as_bytes()) % 1000 < parts
}

/// The checksum of POSIX `cksum`.
pub fn cksum(bytes: &[u8]) -> u32 {
    let mut sum = 0_u32;
    let mut feed = |byte: u8| {
        sum ^= u32::from(byte) << 24;
        for _ in 0..8 {
            sum = if sum & 0x8000_0000 == 0 { sum << 1 } else { (sum << 1) ^ 0x04C1_1DB7 };
        }
    };
    for byte in bytes {
        feed(*byte);
    }
    // The length follows, its lowest byte first, without the zeros at its end.
    let length = bytes.len().to_le_bytes();
    let used = length.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    for byte in length.iter().take(used) {
        feed(*byte);
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `printf %s … | cksum` prints.
    #[test]
    fn the_checksum_is_that_of_posix() {
        assert_eq!(cksum(b""), 4_294_967_295);
        assert_eq!(cksum(b"123456789"), 930_766_865);
        assert_eq!(cksum(b"bd-4sf"), 1_871_669_959);
    }
}
