// Starts the lesson, or says in both languages why it cannot start.
// A file of its own, so that a page under `script-src 'self' 'wasm-unsafe-eval'` may run it.

const NO_WASM = [
  ["ru", "WebAssembly в этом браузере выключен или не поддерживается, без него урок не запустится."],
  ["en", "WebAssembly is turned off or not supported in this browser; the lesson cannot run without it."],
];
const NOT_LOADED = [
  ["ru", "Урок не загрузился. Проверьте соединение и обновите страницу."],
  ["en", "The lesson did not load. Check the connection and reload the page."],
];
const NOT_ALLOWED = [
  ["ru", "Политика безопасности этого сайта запрещает WebAssembly: ей нужно 'wasm-unsafe-eval'."],
  ["en", "This site's security policy forbids WebAssembly: it has to allow 'wasm-unsafe-eval'."],
];

/** Files that were asked for, as promises of their texts. */
const files = new Map();

/**
 * The text of a file beside the page. The program asks by the same name for what was begun here.
 * A new build is asked for new files, whatever a cache may hold.
 */
globalThis.pullThePlugFile = (path) => {
  if (!files.has(path)) {
    const text = fetch(new URL(`${path}?${version()}`, document.baseURI)).then((answer) => {
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      return answer.text();
    });
    files.set(path, text);
    text.catch((error) => {
      files.delete(path);
      // The page is not there yet, so only the loading line can tell.
      if (document.getElementById("boot")) explain(NOT_LOADED, error);
    });
  }
  return files.get(path);
};

function build() {
  return document.querySelector("script[data-wasm]").dataset;
}

/** Differs from build to build. */
function version() {
  return build().wasm.replace(/[^0-9a-z]/g, "");
}

/** Begins to fetch what the page will most likely ask for first; its own choice is the one that counts. */
function foresee() {
  const query = new URLSearchParams(location.search);
  const lang = query.get("lang") ?? kept("pull-the-plug.lang") ?? navigator.language;
  globalThis.pullThePlugFile(`words/${/^ru\b/i.test(lang) ? "ru" : "en"}.txt`);
  const scene = query.get("scene") ?? "dual-write/commit-then-send";
  if (/^[a-z-]+\/[a-z-]+$/.test(scene)) globalThis.pullThePlugFile(`scenes/${scene}.js`);
}

/** What the browser keeps; it may refuse to, as in a sandboxed frame. */
function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** The smallest module there is: compiling it tells whether the page may compile at all. */
const EMPTY_MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

async function boot() {
  if (typeof WebAssembly !== "object") return explain(NO_WASM);
  try {
    await WebAssembly.compile(EMPTY_MODULE);
  } catch (error) {
    return explain(NOT_ALLOWED, error);
  }
  foresee();
  try {
    const { js, wasm } = build();
    const { default: init } = await import(new URL(js, document.baseURI).href);
    await init({ module_or_path: new URL(wasm, document.baseURI) });
  } catch (error) {
    explain(NOT_LOADED, error);
  }
}

/** Puts a message in the place of the loading line; the reason, if any, goes to the console. */
function explain(message, reason) {
  if (reason) console.error(reason);
  const host = document.getElementById("boot") ?? document.getElementById("app");
  host.setAttribute("role", "alert");
  host.replaceChildren(...message.map(([lang, text]) => paragraph(lang, text)));
}

function paragraph(lang, text) {
  const line = document.createElement("span");
  line.lang = lang;
  line.className = "boot-line";
  line.textContent = text;
  return line;
}

boot();
