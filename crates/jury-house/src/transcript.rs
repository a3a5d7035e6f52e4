//! Writing protocol v1. What is written here is read by the same parser as any agent's output.

use std::io::{self, Write};

use crate::score::Review;

/// A score or a composite on the scale of the run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale(pub(crate) f64);

impl Scale {
    /// From 0..=10 to the scale, rounded down to one decimal.
    pub(crate) fn of(self, score: f64) -> f64 {
        crate::score::floor_tenth(score * self.0 / 10.0)
    }
}

/// How much a round says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The first round: every measured value.
    Full,
    /// The second round: what is still open.
    Brief,
    /// Later ones: the figures. Each round says less than the one before it.
    Terse,
}

/// The transcript being written.
pub(crate) struct Transcript<'a> {
    pub(crate) out: &'a mut dyn Write,
    pub(crate) scale: Scale,
}

impl Transcript<'_> {
    pub(crate) fn open(&mut self, max_rounds: u32, threshold: f64) -> io::Result<()> {
        writeln!(
            self.out,
            "<CRITIQUE_RUN version=\"1\" maxRounds=\"{max_rounds}\" threshold=\"{threshold:.1}\" scale=\"{}\">",
            self.scale.0
        )?;
        self.out.flush()
    }

    pub(crate) fn open_round(&mut self, round: u32) -> io::Result<()> {
        writeln!(self.out, "<ROUND n=\"{round}\">")
    }

    pub(crate) fn designer(&mut self, notes: &str, artifact: &str) -> io::Result<()> {
        writeln!(self.out, "<PANELIST role=\"designer\"><NOTES>{}</NOTES>", escape(notes))?;
        self.artifact(artifact)?;
        writeln!(self.out, "</PANELIST>")?;
        self.out.flush()
    }

    pub(crate) fn review(&mut self, review: &Review, detail: Detail) -> io::Result<()> {
        write!(self.out, "<PANELIST role=\"{}\"", review.panelist.role())?;
        if let Some(score) = review.score {
            write!(self.out, " score=\"{:.1}\"", self.scale.of(score))?;
        }
        writeln!(self.out, " must_fix=\"{}\">", review.must_fix.len())?;
        let mut notes: Vec<String> = Vec::new();
        if let Some(remark) = &review.remark {
            notes.push(match detail {
                Detail::Full => remark.clone(),
                Detail::Brief | Detail::Terse => remark.split(':').next().unwrap_or_default().to_owned(),
            });
        }
        if let (Some(percentile), Detail::Full) = (review.percentile, detail) {
            notes.push(format!("p{percentile} of {} reference pages", crate::reference::PAGES));
        }
        if !notes.is_empty() {
            writeln!(self.out, "<NOTES>{}</NOTES>", escape(&notes.join("; ")))?;
        }
        for dimension in &review.dimensions {
            let note = match detail {
                Detail::Full => dimension.note.as_str(),
                Detail::Brief => &dimension.brief,
                Detail::Terse => "",
            };
            writeln!(
                self.out,
                "<DIM name=\"{}\" score=\"{:.1}\">{}</DIM>",
                dimension.name,
                self.scale.of(dimension.score),
                escape(note)
            )?;
        }
        for must_fix in &review.must_fix {
            writeln!(self.out, "<MUST_FIX>{}</MUST_FIX>", escape(must_fix))?;
        }
        writeln!(self.out, "</PANELIST>")?;
        self.out.flush()
    }

    /// A cast role the house has no measurement for: present, without a score.
    pub(crate) fn unmeasured(&mut self, role: &str) -> io::Result<()> {
        writeln!(
            self.out,
            "<PANELIST role=\"{}\" must_fix=\"0\"><NOTES>not measured by the house panel, no score</NOTES></PANELIST>",
            escape(role)
        )?;
        self.out.flush()
    }

    pub(crate) fn close_round(
        &mut self,
        round: u32,
        composite: f64,
        must_fix: usize,
        ships: bool,
        reason: &str,
    ) -> io::Result<()> {
        let decision = if ships { "ship" } else { "continue" };
        writeln!(
            self.out,
            "<ROUND_END n=\"{round}\" composite=\"{composite:.2}\" must_fix=\"{must_fix}\" decision=\"{decision}\"><REASON>{}</REASON></ROUND_END>\n</ROUND>",
            escape(reason)
        )?;
        self.out.flush()
    }

    pub(crate) fn ship(
        &mut self,
        round: u32,
        composite: f64,
        artifact: &str,
        summary: &str,
    ) -> io::Result<()> {
        writeln!(self.out, "<SHIP round=\"{round}\" composite=\"{composite:.2}\" status=\"shipped\">")?;
        self.artifact(artifact)?;
        writeln!(self.out, "<SUMMARY>{}</SUMMARY>\n</SHIP>", escape(summary))?;
        self.out.flush()
    }

    pub(crate) fn close(&mut self) -> io::Result<()> {
        writeln!(self.out, "</CRITIQUE_RUN>")?;
        self.out.flush()
    }

    fn artifact(&mut self, html: &str) -> io::Result<()> {
        writeln!(
            self.out,
            "<ARTIFACT mime=\"text/html\"><![CDATA[{}]]></ARTIFACT>",
            html.replace("]]>", "]]]]><![CDATA[>")
        )
    }
}

/// Text made safe for elements and attributes: one line, no markup, no control characters.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for ch in text.chars() {
        match ch {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            ch if ch.is_control() => out.push(' '),
            ch => out.push(ch),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cdata_ends_are_split_and_text_is_escaped() {
        let mut out = Vec::new();
        let mut transcript = Transcript { out: &mut out, scale: Scale(10.0) };
        transcript.designer("a < b\n& \"c\"", "x]]>y").expect("a vector takes everything");
        assert_eq!(
            String::from_utf8(out).expect("text"),
            "<PANELIST role=\"designer\"><NOTES>a &lt; b &amp; &quot;c&quot;</NOTES>\n\
             <ARTIFACT mime=\"text/html\"><![CDATA[x]]]]><![CDATA[>y]]></ARTIFACT>\n</PANELIST>\n"
        );
    }
}
