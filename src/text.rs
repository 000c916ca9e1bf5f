//! Places in a source text: byte spans, and their lines and columns.

/// A half-open range of bytes `start..end` in one source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span `start..end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// Finds lines and columns in one text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Indexes a text; `\n`, alone or after `\r`, ends a line.
    pub fn new(text: &str) -> Self {
        let ends = text.bytes().zip(1u32..).filter(|(byte, _)| *byte == b'\n').map(|(_, end)| end);
        Self { starts: std::iter::once(0).chain(ends).collect() }
    }

    /// The line, from 1, that holds a byte offset; offsets past the end are on the last line.
    pub fn line(&self, offset: u32) -> u32 {
        let after = self.starts.partition_point(|start| *start <= offset);
        u32::try_from(after).unwrap_or(u32::MAX)
    }

    /// Line and column of a byte offset of the text this index was made from.
    pub fn place(&self, text: &str, offset: u32) -> Place {
        let line = self.line(offset);
        let start = self.starts[line as usize - 1] as usize;
        let end = (offset as usize).clamp(start, text.len());
        let column = text.get(start..end).map_or(1, |before| before.chars().count() as u32 + 1);
        Place { line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let text = "ab\nпривет\r\n";
        let index = LineIndex::new(text);
        assert_eq!(index.place(text, 0), Place { line: 1, column: 1 });
        assert_eq!(index.place(text, 7), Place { line: 2, column: 3 });
        assert_eq!(index.line(text.len() as u32), 3);
        assert_eq!(index.place(text, 999).line, 3);
    }
}
