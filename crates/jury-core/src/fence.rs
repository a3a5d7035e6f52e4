//! Blocks of code between fences, told line by line as Markdown has them: a fence closes with at least as many of the same
//! marks and nothing behind them, so one kind of mark may be shown in a block of the other.
//!
//! How far a line is set in does not matter: whose list a block belongs to is nothing to those who ask.

/// What may stand around the marks on their line.
const BLANK: [char; 4] = [' ', '\t', '\r', '\n'];

/// A row of backticks or tildes that opens a block of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    /// The fence that a line opens, and what stands behind its marks.
    pub fn opening(line: &str) -> Option<(Self, &str)> {
        let line = line.trim_matches(BLANK);
        let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let info = line.trim_start_matches(mark);
        let length = line.len() - info.len();
        // Backticks behind backticks are code within a line.
        let opens = length >= 3 && !(mark == '`' && info.contains('`'));
        opens.then(|| (Self { mark, length }, info.trim_matches(BLANK)))
    }

    /// Whether a line closes what this fence opened.
    pub fn is_closed_by(self, line: &str) -> bool {
        let line = line.trim_matches(BLANK);
        line.len() >= self.length && line.chars().all(|c| c == self.mark)
    }

    /// Its marks, as a line that closes it.
    pub fn marks(self) -> String {
        String::from(self.mark).repeat(self.length)
    }
}

/// What a line is to the blocks of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeLine {
    /// It is no code.
    Outside,
    /// It opens or closes a block.
    Fence,
    /// It is a line of code.
    Inside,
}

/// The block of code that is open while lines go by.
#[derive(Debug, Default)]
pub struct Fences {
    open: Option<Fence>,
}

impl Fences {
    /// What the next line is.
    pub fn line(&mut self, line: &str) -> CodeLine {
        match self.open {
            Some(fence) if fence.is_closed_by(line) => {
                self.open = None;
                CodeLine::Fence
            }
            Some(_) => CodeLine::Inside,
            None => {
                self.open = Fence::opening(line).map(|(fence, _)| fence);
                if self.open.is_some() { CodeLine::Fence } else { CodeLine::Outside }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let mut fences = Fences::default();
        let sign = |line| match fences.line(line) {
            CodeLine::Outside => ' ',
            CodeLine::Fence => '-',
            CodeLine::Inside => '#',
        };
        text.lines().map(sign).collect()
    }

    #[test]
    fn a_block_ends_with_marks_of_its_own() {
        assert_eq!(shown("a\n```sh\nb\n```\nc"), " -#- ");
        assert_eq!(shown("~~~\n```\n~~~~\na"), "-#- ");
        assert_eq!(shown("````md\n```sh\nb\n```\n````\na"), "-###- ");
        assert_eq!(shown("```\na\n```sh\n  ```\nb"), "-##- ");
        assert_eq!(shown("``` a ``` b\n``\n~~ a"), "   ");
        assert_eq!(shown("```\na"), "-#");
    }

    #[test]
    fn a_fence_says_what_stands_behind_it() {
        let opening = Fence::opening("  ~~~~ html `x` ");
        assert_eq!(opening.map(|(fence, info)| (fence.marks(), info)), Some(("~~~~".to_owned(), "html `x`")));
    }
}
