//! Writes a syntax tree as canonical source: parsing it again gives the same tree, up to spans.
//!
//! Comments other than moments are not in the tree, so they are not written.

mod expression;
mod output;
mod statement;

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

use super::ast::{Function, Import, Module};
use output::Output;

/// The canonical source of a module: imports, constants, the default export, functions.
pub fn print(module: &Module) -> String {
    let mut output = Output::default();
    for import in &module.imports {
        output.import(import);
    }
    for (name, value) in &module.constants {
        output.mark(name.span);
        output.push("const ");
        output.push(&name.text);
        output.push(" = ");
        output.expression(value);
        output.push(";");
        output.line();
    }
    if let Some(default) = &module.default {
        output.separate();
        output.push("export default ");
        output.expression(default);
        output.push(";");
        output.line();
    }
    for function in &module.functions {
        output.separate();
        output.declared(function);
        output.line();
    }
    output.finish(&module.moments)
}

impl Output {
    fn import(&mut self, import: &Import) {
        self.mark(import.span);
        let names: Vec<&str> = import.names.iter().map(|name| &*name.text).collect();
        self.push(&format!("import {{ {} }}", names.join(", ")));
        self.push(" from ");
        self.quoted(&import.from);
        self.push(";");
        self.line();
    }

    /// `async function name(…) {…}`.
    fn declared(&mut self, function: &Function) {
        self.mark(function.span);
        self.push(if function.is_async { "async function " } else { "function " });
        if let Some(name) = &function.name {
            self.push(&name.text);
        }
        self.parameters(&function.params);
        self.push(" ");
        self.block(&function.body);
    }
}
