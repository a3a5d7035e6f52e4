//! The table: figures against their bars.

use std::fmt;

/// One line of the table.
#[derive(Debug)]
struct Row {
    figure: String,
    value: f64,
    unit: &'static str,
    bar: Option<f64>,
    must: bool,
}

/// Figures in the order in which they were measured.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Row>,
}

impl Table {
    /// A figure that should stay below a bar.
    pub(crate) fn below(&mut self, figure: impl Into<String>, value: f64, bar: f64, unit: &'static str) {
        self.rows.push(Row { figure: figure.into(), value, unit, bar: Some(bar), must: false });
    }

    /// A figure without a bar.
    pub(crate) fn note(&mut self, figure: impl Into<String>, value: f64, unit: &'static str) {
        self.rows.push(Row { figure: figure.into(), value, unit, bar: None, must: false });
    }

    /// A count of what must not happen.
    pub(crate) fn none(&mut self, figure: impl Into<String>, count: usize) {
        #[expect(clippy::cast_precision_loss, reason = "a count for a table")]
        let value = count as f64;
        self.rows.push(Row { figure: figure.into(), value, unit: "", bar: Some(0.0), must: true });
    }

    /// Whether nothing happened that must not.
    pub(crate) fn is_correct(&self) -> bool {
        self.rows.iter().all(|row| !row.must || row.passes())
    }

    /// Whether every bar was met.
    pub(crate) fn is_met(&self) -> bool {
        self.rows.iter().all(Row::passes)
    }
}

impl Row {
    fn passes(&self) -> bool {
        match self.bar {
            Some(bar) if self.must => self.value <= bar,
            Some(bar) => self.value < bar,
            None => true,
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n{:<58} {:>12} {:>10} {:>7}", "figure", "value", "bar", "ratio")?;
        for row in &self.rows {
            let value = format!("{:.*} {}", usize::from(row.value.fract() != 0.0) * 2, row.value, row.unit);
            write!(f, "{:<58} {:>12}", row.figure, value.trim_end())?;
            match row.bar {
                Some(bar) if bar > 0.0 => write!(f, " {bar:>10} {:>7.2}", row.value / bar)?,
                Some(bar) => write!(f, " {bar:>10} {:>7}", "")?,
                None => write!(f, " {:>10} {:>7}", "", "")?,
            }
            let verdict = match (row.bar, row.passes(), row.must) {
                (None, ..) => "",
                (_, true, _) => "  pass",
                (_, false, true) => "  WRONG",
                (_, false, false) => "  missed",
            };
            writeln!(f, "{verdict}")?;
        }
        Ok(())
    }
}

/// The value below which this share of the sorted values lies, in thousandths of what they are given in.
pub(crate) fn share(sorted: &[u32], part: f64) -> f64 {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an index into a sample"
    )]
    let index = (sorted.len() as f64 * part) as usize;
    sorted.get(index.min(sorted.len().saturating_sub(1))).map_or(0.0, |value| f64::from(*value) / 1000.0)
}
