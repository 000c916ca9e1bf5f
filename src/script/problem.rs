//! What can be wrong with the text of a scene, each with a message in `script.ftl`.

use crate::text::Span;

/// One thing the parser refuses, and where.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SyntaxError {
    /// The offending place; lies within the text, on character boundaries.
    pub span: Span,
    /// What is wrong.
    pub problem: Problem,
    /// The offending text, at most 40 characters of it.
    pub found: String,
}

macro_rules! problems {
    ($($(#[$doc:meta])* $variant:ident $id:literal,)*) => {
        /// The kinds of syntax error.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Problem { $($(#[$doc])* $variant,)* }

        impl Problem {
            /// All problems.
            pub const ALL: &'static [Problem] = &[$(Problem::$variant,)*];

            /// The id of its message in the catalogue.
            pub const fn id(self) -> &'static str {
                match self { $(Problem::$variant => concat!("script-", $id),)* }
            }
        }
    };
}

problems! {
    /// A token that fits nothing here.
    Unexpected "unexpected",
    /// The text ends in the middle of a statement.
    UnexpectedEnd "unexpected-end",
    /// A bracket without its partner.
    Unclosed "unclosed",
    /// An expression should stand here.
    ExpressionExpected "expression-expected",
    /// A name should stand here.
    NameExpected "name-expected",
    /// `{` should stand here.
    BlockExpected "block-expected",
    /// `if (x);`, `while (x);`.
    EmptyBody "empty-body",
    /// A declaration as the only statement of `if` or a loop, without braces.
    DeclarationNeedsBlock "declaration-needs-block",
    /// Two statements on one line without `;`.
    MissingSemicolon "missing-semicolon",
    /// A line begins with `(`, `[` or a backtick after a statement without `;`.
    LineContinues "line-continues",
    /// Two items of a list without a comma.
    MissingComma "missing-comma",
    /// A character that is part of no token.
    UnknownCharacter "unknown-character",
    /// A string without its closing quote.
    UnclosedText "unclosed-text",
    /// A template without its closing backtick.
    UnclosedTemplate "unclosed-template",
    /// A comment without its end.
    UnclosedComment "unclosed-comment",
    /// An escape that JavaScript does not know, or half of a surrogate pair.
    BadEscape "bad-escape",
    /// A backslash in a `sql` template.
    SqlBackslash "sql-backslash",
    /// A template with a tag other than `sql`.
    TaggedTemplate "tagged-template",
    /// A regular expression.
    Regex "regex",
    /// A number with a fraction or an exponent.
    Fraction "fraction",
    /// A number of 2^53 or more.
    NumberTooLarge "number-too-large",
    /// Hexadecimal, octal, binary, big, or badly separated digits.
    NumberForm "number-form",
    /// A reserved word as a name.
    ReservedWord "reserved-word",
    /// Two equal keys in one object.
    DuplicateKey "duplicate-key",
    /// One name bound twice by one pattern or parameter list.
    DuplicateName "duplicate-name",
    /// A number as a key.
    NumericKey "numeric-key",
    /// A computed key.
    ComputedKey "computed-key",
    /// `__proto__`.
    Proto "proto",
    /// A getter or a setter.
    Getter "getter",
    /// A method in an object.
    Method "method",
    /// `...`.
    Spread "spread",
    /// A default value in a pattern or a parameter list.
    DefaultValue "default-value",
    /// A hole in an array.
    ArrayHole "array-hole",
    /// `var`.
    Var "var",
    /// `const` or a pattern without a value.
    MissingValue "missing-value",
    /// `const a = 1, b = 2`.
    SeveralDeclarations "several-declarations",
    /// `==`, `!=`.
    LooseEqual "loose-equal",
    /// `++`, `--`.
    Increment "increment",
    /// `/`.
    Division "division",
    /// `**`.
    Power "power",
    /// `&`, `|`, `^`, `~`, `<<`, `>>`, `>>>`.
    BitOperator "bit-operator",
    /// `+x`.
    UnaryPlus "unary-plus",
    /// `?.`.
    OptionalChain "optional-chain",
    /// `a < b < c`.
    ChainedComparison "chained-comparison",
    /// `a ?? b || c`.
    MixedCoalesce "mixed-coalesce",
    /// `a, b` where one expression should stand.
    Comma "comma",
    /// An assignment inside an expression.
    AssignmentInside "assignment-inside",
    /// An assignment to something other than a name, a field or an element.
    AssignmentTarget "assignment-target",
    /// `*=`, `||=` and so on.
    CompoundAssignment "compound-assignment",
    /// An expression statement that is neither a call nor an `await`.
    UselessExpression "useless-expression",
    /// `typeof`.
    Typeof "typeof",
    /// `delete`.
    Delete "delete",
    /// `void`.
    Void "void",
    /// `in`.
    In "in",
    /// `instanceof`.
    Instanceof "instanceof",
    /// `new` of something other than `Error`.
    New "new",
    /// `this`, `super`.
    This "this",
    /// `class`.
    Class "class",
    /// `function` inside an expression.
    FunctionExpression "function-expression",
    /// `function*`, `yield`.
    Generator "generator",
    /// `for (;;)`.
    ForClassic "for-classic",
    /// `for (const key in object)`.
    ForIn "for-in",
    /// `for await`.
    ForAwait "for-await",
    /// `for (x of xs)` without `const` or `let`.
    ForDeclaration "for-declaration",
    /// `do … while`.
    DoWhile "do-while",
    /// `switch`.
    Switch "switch",
    /// A label, also after `break` and `continue`.
    Label "label",
    /// `debugger`, `with`.
    Statement "statement",
    /// `try` without `catch` and `finally`.
    TryAlone "try-alone",
    /// `throw` with nothing on its line.
    ThrowNothing "throw-nothing",
    /// `break` or `continue` outside a loop.
    OutsideLoop "outside-loop",
    /// `return` outside a function.
    ReturnOutside "return-outside",
    /// `await` outside an async function.
    AwaitOutside "await-outside",
    /// `await` of something that is not a call.
    AwaitNotCall "await-not-call",
    /// `.then(…)`, `.catch(…)`, `.finally(…)`.
    Then "then",
    /// `require(…)`.
    Require "require",
    /// `import(…)`, `import.meta`.
    DynamicImport "dynamic-import",
    /// `import x from …`, `import "…"`.
    ImportDefault "import-default",
    /// `import * as x from …`.
    ImportAll "import-all",
    /// `import { a as b } from …`.
    ImportRename "import-rename",
    /// `export` without `default`.
    ExportNamed "export-named",
    /// `export default function …`.
    ExportDeclaration "export-declaration",
    /// A second `export default`.
    ExportTwice "export-twice",
    /// `let` at the top level.
    TopLevelLet "top-level-let",
    /// A pattern at the top level.
    TopLevelPattern "top-level-pattern",
    /// A statement at the top level.
    TopLevelStatement "top-level-statement",
    /// `import` or `export` inside a function.
    TopLevelOnly "top-level-only",
    /// TypeScript: annotations, `as`, `interface`, `enum`, `type`.
    Types "types",
    /// `// moment:` with something other than one name after it.
    BadMoment "bad-moment",
    /// Nested too deeply, or one chain of operators is too long.
    TooDeep "too-deep",
    /// The text is larger than the parser reads.
    TooLarge "too-large",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_has_one_message_in_each_language() {
        let english = include_str!("../../static/i18n/en/script.ftl");
        let russian = include_str!("../../static/i18n/ru/script.ftl");
        for messages in [english, russian] {
            let known = messages.lines().filter_map(|line| line.split_once(" = "));
            let known: Vec<&str> = known.map(|(id, _)| id).collect();
            let wanted: Vec<String> =
                Problem::ALL.iter().map(|problem| problem.id().to_owned()).collect();
            assert_eq!(known, wanted);
            for line in messages.lines().filter(|line| line.starts_with("script-")) {
                assert!(line.contains("{ $found }"), "does not say what was found: {line}");
            }
        }
    }
}
