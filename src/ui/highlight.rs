//! The programs of a scene as the code panel shows them: lines in coloured pieces.

use std::sync::Arc;

use super::lab::{Paint, Piece, Program};
use crate::scene::Scene;
use crate::script::lexer::{Token, TokenKind, tokens};

/// The program of each part that has one.
pub(super) fn programs(scene: &Scene) -> Vec<Program> {
    let lines = paint(&scene.source);
    let programs = scene.programs.iter().map(|program| {
        let (first, last) = (program.first.max(1), program.last);
        let from = lines.len().min(first as usize - 1);
        let to = lines.len().min(last as usize).max(from);
        Program {
            part: scene.setup.part(program.part).name.clone(),
            first_line: first,
            lines: lines.get(from..to).unwrap_or_default().to_vec(),
        }
    });
    programs.collect()
}

/// All lines of a text.
fn paint(text: &str) -> Vec<Vec<Piece>> {
    let mut painter = Painter { lines: vec![Vec::new()] };
    let mut at = 0;
    for token in tokens(text) {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        painter.put(Paint::Plain, text.get(at..start).unwrap_or_default());
        painter.put(paint_of(token), text.get(start..end).unwrap_or_default());
        at = end;
    }
    painter.put(Paint::Plain, text.get(at..).unwrap_or_default());
    painter.lines
}

struct Painter {
    lines: Vec<Vec<Piece>>,
}

impl Painter {
    /// Adds a piece, cut at the ends of lines.
    fn put(&mut self, paint: Paint, text: &str) {
        for (index, part) in text.split('\n').enumerate() {
            if index > 0 {
                self.lines.push(Vec::new());
            }
            let part = part.trim_end_matches('\r');
            if let Some(line) = self.lines.last_mut().filter(|_| !part.is_empty()) {
                line.push(Piece { paint, text: Arc::from(part) });
            }
        }
    }
}

fn paint_of(token: Token) -> Paint {
    match token.kind {
        TokenKind::Comment | TokenKind::UnclosedComment => Paint::Comment,
        TokenKind::Keyword => Paint::Keyword,
        TokenKind::Number => Paint::Number,
        TokenKind::Text
        | TokenKind::UnclosedText
        | TokenKind::TemplateOpen
        | TokenKind::TemplateText
        | TokenKind::TemplateClose => Paint::Text,
        _ => Paint::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn painting_keeps_every_character_on_its_line() {
        let text = "// a\nconst x = sql`SELECT\n  ${y}`;\r\n\nf(1)";
        let lines: Vec<String> = paint(text)
            .iter()
            .map(|line| line.iter().map(|piece| &*piece.text).collect())
            .collect();
        assert_eq!(lines, ["// a", "const x = sql`SELECT", "  ${y}`;", "", "f(1)"]);
        assert_eq!(paint(text)[1][0].paint, Paint::Keyword);
    }
}
