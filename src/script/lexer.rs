//! Cuts a scene file into tokens: for the parser, and for the code panel that colours them.
//!
//! The lexer knows all of JavaScript's tokens, also those the subset refuses, so that the parser
//! can refuse them by name. It never fails: what fits nothing is an `Unknown` token.

use crate::text::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// `// …` to the end of the line, or `/* … */`.
    Comment,
    /// `/* …` to the end of the text.
    UnclosedComment,
    /// A reserved word, or `async`.
    Keyword,
    /// An identifier.
    Name,
    /// Anything that begins with a digit, well formed or not.
    Number,
    /// A string in single or double quotes, with the quotes.
    Text,
    /// A string that its line ends before the quote.
    UnclosedText,
    /// The backtick that opens a template.
    TemplateOpen,
    /// A raw, non-empty piece of a template.
    TemplateText,
    /// `${`.
    HoleOpen,
    /// The `}` of a `${`.
    HoleClose,
    /// The backtick that closes a template.
    TemplateClose,
    /// `/pattern/flags` where an operand is expected.
    Regex,
    /// An operator, a bracket, a comma and so on.
    Punct,
    /// A character that JavaScript has no use for here.
    Unknown,
}

/// A token and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands; never empty, always on character boundaries.
    pub span: Span,
}

/// The words no variable may be called, in order: JavaScript's own in a module, and `undefined`.
const RESERVED: [&str; 49] = [
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// Operators and brackets, the longer before their own beginnings.
const PUNCTUATION: [&str; 59] = [
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=",
    "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    "<<", ">>", "**", "{", "}", "(", ")", "[", "]", ";", ",", "<", ">", "+", "-", "*", "/", "%",
    "&", "|", "^", "!", "~", "?", ":", "=", ".", "@", "#",
];

/// Whether no variable may be called so.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.binary_search(&word).is_ok()
}

/// Whether a text is written as an identifier, reserved or not.
pub fn is_word(text: &str) -> bool {
    text.starts_with(begins_word) && text.chars().all(continues_word)
}

/// Whether a character ends a line in JavaScript.
pub(crate) fn ends_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// All tokens of a text, in order; only white space lies between them.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut lexer =
        Lexer { text, at: 0, holes: Vec::new(), in_template: false, after_operand: false };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next_token() {
        tokens.push(token);
    }
    tokens
}

fn begins_word(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '$'
}

fn continues_word(c: char) -> bool {
    begins_word(c) || c.is_ascii_digit()
}

fn is_space(c: char) -> bool {
    // JavaScript does not count U+0085 as white space, and counts the byte order mark.
    (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}'
}

struct Lexer<'a> {
    text: &'a str,
    /// Bytes consumed.
    at: usize,
    /// For each open `${`, how many `{` are open inside it.
    holes: Vec<u32>,
    /// Whether the next characters are a template's text.
    in_template: bool,
    /// Whether the last token can end an operand, so that `/` divides.
    after_operand: bool,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// How many bytes of the rest, from `from` on, satisfy a condition.
    fn run(&self, from: usize, condition: impl Fn(char) -> bool) -> usize {
        let rest = self.rest().get(from..).unwrap_or_default();
        from + rest.find(|c| !condition(c)).unwrap_or(rest.len())
    }

    fn next_token(&mut self) -> Option<Token> {
        if !self.in_template {
            self.at += self.run(0, is_space);
        }
        let first = self.rest().chars().next()?;
        let (kind, length) =
            if self.in_template { self.template(first) } else { self.ordinary(first) };
        let start = self.at;
        self.at += length;
        if kind != TokenKind::Comment {
            self.after_operand = self.is_operand(kind, start);
        }
        Some(Token { kind, span: Span::new(start as u32, self.at as u32) })
    }

    fn is_operand(&self, kind: TokenKind, start: usize) -> bool {
        let text = self.text.get(start..self.at).unwrap_or_default();
        match kind {
            TokenKind::Punct => matches!(text, ")" | "]" | "}"),
            TokenKind::Keyword => matches!(text, "null" | "true" | "false" | "this" | "undefined"),
            TokenKind::HoleOpen => false,
            _ => true,
        }
    }

    fn ordinary(&mut self, first: char) -> (TokenKind, usize) {
        match first {
            '"' | '\'' => self.string(first),
            '`' => {
                self.in_template = true;
                (TokenKind::TemplateOpen, 1)
            }
            '0'..='9' => (TokenKind::Number, self.number()),
            '.' if self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                (TokenKind::Number, self.run(1, continues_word))
            }
            '/' => self.slash(),
            _ if begins_word(first) => self.word(),
            _ => self.punctuation(first),
        }
    }

    fn word(&self) -> (TokenKind, usize) {
        let length = self.run(0, continues_word);
        let word = &self.rest()[..length];
        let keyword = is_reserved(word) || word == "async";
        (if keyword { TokenKind::Keyword } else { TokenKind::Name }, length)
    }

    fn string(&self, quote: char) -> (TokenKind, usize) {
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((at, c)) = characters.next() {
            if c == quote {
                return (TokenKind::Text, at + 1);
            }
            if c == '\n' || c == '\r' {
                return (TokenKind::UnclosedText, at);
            }
            if c == '\\' && characters.next().is_some_and(|(_, c)| c == '\r') {
                // A line continued by a backslash may end in two characters.
                let mut ahead = characters.clone();
                if ahead.next().is_some_and(|(_, c)| c == '\n') {
                    characters = ahead;
                }
            }
        }
        (TokenKind::UnclosedText, self.rest().len())
    }

    fn number(&self) -> usize {
        let mut length = self.run(0, continues_word);
        if self.rest()[length..].starts_with('.') {
            length = self.run(length + 1, continues_word);
        }
        let decimal = !self.rest()[..length].starts_with("0x");
        let exponent = decimal && self.rest()[..length].ends_with(['e', 'E']);
        if exponent && self.rest()[length..].starts_with(['+', '-']) {
            length = self.run(length + 1, continues_word);
        }
        length
    }

    fn slash(&self) -> (TokenKind, usize) {
        let rest = self.rest();
        if rest.starts_with("//") {
            return (TokenKind::Comment, self.run(0, |c| !ends_line(c)));
        }
        if let Some(inside) = rest.strip_prefix("/*") {
            return match inside.find("*/") {
                Some(at) => (TokenKind::Comment, at + 4),
                None => (TokenKind::UnclosedComment, rest.len()),
            };
        }
        match regex_length(rest) {
            Some(length) if !self.after_operand => {
                (TokenKind::Regex, self.run(length, continues_word))
            }
            _ => (TokenKind::Punct, if rest.starts_with("/=") { 2 } else { 1 }),
        }
    }

    fn punctuation(&mut self, first: char) -> (TokenKind, usize) {
        let rest = self.rest();
        let Some(mark) = PUNCTUATION.iter().find(|mark| rest.starts_with(**mark)) else {
            return (TokenKind::Unknown, first.len_utf8());
        };
        // `a?.5:b` is a condition.
        let fraction = *mark == "?." && rest[2..].starts_with(|c: char| c.is_ascii_digit());
        let length = if fraction { 1 } else { mark.len() };
        match (*mark, self.holes.last_mut()) {
            ("{", Some(open)) => *open += 1,
            ("}", Some(0)) => {
                self.holes.pop();
                self.in_template = true;
                return (TokenKind::HoleClose, 1);
            }
            ("}", Some(open)) => *open -= 1,
            _ => {}
        }
        (TokenKind::Punct, length)
    }

    fn template(&mut self, first: char) -> (TokenKind, usize) {
        if first == '`' {
            self.in_template = false;
            return (TokenKind::TemplateClose, 1);
        }
        if self.rest().starts_with("${") {
            self.in_template = false;
            self.holes.push(0);
            return (TokenKind::HoleOpen, 2);
        }
        let rest = self.rest();
        let mut characters = rest.char_indices();
        while let Some((at, c)) = characters.next() {
            if c == '`' || rest[at..].starts_with("${") {
                return (TokenKind::TemplateText, at);
            }
            if c == '\\' {
                characters.next();
            }
        }
        (TokenKind::TemplateText, rest.len())
    }
}

/// The length of a regular expression without its flags, if a line begins with one.
fn regex_length(line: &str) -> Option<usize> {
    let mut in_class = false;
    let mut characters = line.char_indices().skip(1);
    while let Some((at, c)) = characters.next() {
        match c {
            '/' if !in_class => return Some(at + 1),
            '[' => in_class = true,
            ']' => in_class = false,
            '\\' => _ = characters.next().filter(|(_, c)| !ends_line(*c))?,
            _ if ends_line(c) => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn kinds(text: &str) -> String {
        let line = |token: Token| {
            let range = token.span.start as usize..token.span.end as usize;
            format!("{:?} {:?}\n", token.kind, &text[range])
        };
        tokens(text).into_iter().map(line).collect()
    }

    #[test]
    fn templates_nest() {
        expect![[r#"
            Name "sql"
            TemplateOpen "`"
            TemplateText "a"
            HoleOpen "${"
            Punct "{"
            Name "b"
            Punct "}"
            TemplateOpen "`"
            HoleOpen "${"
            Name "c"
            HoleClose "}"
            TemplateClose "`"
            HoleClose "}"
            TemplateText "$\\`}"
            TemplateClose "`"
        "#]]
        .assert_eq(&kinds("sql`a${{b}`${c}`}$\\`}`"));
    }

    #[test]
    fn a_slash_divides_only_after_an_operand() {
        expect![[r#"
            Name "a"
            Punct "/"
            Name "b"
            Punct "/"
            Name "c"
            Punct ";"
            Keyword "return"
            Regex "/[/]\\//gi"
            Comment "/* x */"
            Punct ";"
            Comment "// y"
        "#]]
        .assert_eq(&kinds("a / b / c; return /[/]\\//gi /* x */; // y"));
    }

    #[test]
    fn odd_characters_and_open_ends_are_tokens() {
        expect![[r#"
            Name "имя"
            Unknown "№"
            Number "0x1f"
            Number "1.5e+3"
            Number ".5"
            Text "'a\\'b'"
            UnclosedText "\"c"
            UnclosedComment "/* d"
        "#]]
        .assert_eq(&kinds("имя № 0x1f 1.5e+3 .5 'a\\'b' \"c\n/* d"));
    }

    #[test]
    fn reserved_words_are_in_order() {
        assert!(RESERVED.is_sorted());
    }
}
