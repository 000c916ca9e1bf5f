//! The text being written, line by line, and where its moments belong.

use crate::script::ast::Moment;
use crate::text::Span;

/// A line that is complete.
struct Line {
    text: String,
    /// Where in the source the first thing on the line stood; none if nothing marked it.
    from: Option<u32>,
    /// Whether a comment can follow: the line does not end inside a template.
    open: bool,
}

/// The text being written.
#[derive(Default)]
pub(super) struct Output {
    lines: Vec<Line>,
    current: String,
    /// Whether the current line has its indent, or needs none.
    begun: bool,
    from: Option<u32>,
    indent: usize,
}

impl Output {
    /// Appends text without line ends.
    pub(super) fn push(&mut self, text: &str) {
        if !self.begun && !text.is_empty() {
            self.current = "  ".repeat(self.indent);
            self.begun = true;
        }
        self.current.push_str(text);
    }

    /// Appends raw text, which may have line ends: a piece of a template.
    pub(super) fn push_raw(&mut self, text: &str) {
        let mut pieces = text.split('\n');
        self.push(pieces.next().unwrap_or_default());
        for piece in pieces {
            self.end(false);
            self.begun = true;
            self.current.push_str(piece);
        }
    }

    /// Says that what is written next stood at a place of the source.
    pub(super) fn mark(&mut self, span: Span) {
        self.from.get_or_insert(span.start);
    }

    /// Ends the line.
    pub(super) fn line(&mut self) {
        self.end(true);
    }

    /// Leaves an empty line, unless this is the beginning.
    pub(super) fn separate(&mut self) {
        if !self.lines.is_empty() {
            self.end(true);
        }
    }

    /// Ends the line and begins a deeper one.
    pub(super) fn open(&mut self, bracket: &str) {
        self.push(bracket);
        self.line();
        self.indent += 1;
    }

    /// Closes what `open` opened; the current line must have ended.
    pub(super) fn close(&mut self, bracket: &str) {
        self.indent -= 1;
        self.push(bracket);
    }

    fn end(&mut self, open: bool) {
        let text = std::mem::take(&mut self.current);
        self.begun = false;
        self.lines.push(Line { text, from: self.from.take(), open });
    }

    /// The whole text, each moment at the end of the line whose source it followed. A moment that
    /// follows nothing, or finds its line taken, gets a line of its own at the end.
    pub(super) fn finish(mut self, moments: &[Moment]) -> String {
        let mut free = 0;
        let mut homeless = Vec::new();
        for moment in moments {
            let comment = format!("// moment: {}", moment.name);
            let before = |line: &Line| line.from.is_some_and(|from| from < moment.span.start);
            let found = self.lines.iter().rposition(before).filter(|_| homeless.is_empty());
            let line = found.and_then(|at| (at..self.lines.len()).find(|at| self.lines[*at].open));
            match line.filter(|at| *at >= free) {
                Some(at) => {
                    self.lines[at].text += &format!(" {comment}");
                    free = at + 1;
                }
                None => homeless.push(comment),
            }
        }
        let lines = self.lines.iter().map(|line| line.text.as_str());
        lines.chain(homeless.iter().map(String::as_str)).flat_map(|line| [line, "\n"]).collect()
    }
}
