// Module resolution for scene files: "pull-the-plug" is the declarations beside this file, and a
// scene is an ES module wherever it lies.

const DECLARATIONS = new URL("./declare.js", import.meta.url).href;

export function resolve(specifier, context, next) {
  if (specifier === "pull-the-plug") {
    return { url: DECLARATIONS, format: "module", shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  const isScene = url.startsWith("file:") && url.includes("?scene");
  return next(url, isScene ? { ...context, format: "module" } : context);
}
