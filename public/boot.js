// Starts Sash: early theme, download with progress, start, and a plain message when it cannot start.
//
// A classic script in <head>, not a module: it runs before the first paint, so a chosen theme never flashes.
// It is a file, not inline, because the Content-Security-Policy allows no inline script.
"use strict";

(() => {
  const root = document.documentElement;
  const { js, wasm } = document.currentScript.dataset;

  const SHOW_PROGRESS_AFTER = 150; // ms; a start quicker than that needs no bar
  const GIVE_UP_AFTER = 30_000; // ms without a byte or a step
  const WAIT_FOR_MARKDOWN = 2_000; // ms; answers can be plain text for a while
  const WAIT_FOR_JOURNAL = 2_000; // ms; without it a crash of the browser may cost the last minute
  const TRY_AGAIN_AFTER = 10_000; // ms; for what an answer can do without
  const UNPACKED = 2.7; // our WASM's size over its brotli size, see loadProgram

  // "loading", "ready" or "failed": for the stylesheet and for tests.
  root.dataset.state = "loading";
  let markdown;
  let code;
  let formulas;
  let mention;
  let library;
  globalThis.sash = {
    markdown: loadMarkdown,
    formula: showLater,
    mention: loadMention,
    crashed,
    code: (block) => void loadCode().then((code) => block && code.finished(block), () => {}),
    open: async (tab) => (await loadLibrary()).open(tab),
    unpack: async (chat) => (await loadLibrary()).unpack(chat),
    tidy: async () => (await loadLibrary()).tidy(),
    erase: async () => (await import("/journal.js")).deleteEverything(),
    wrote() {}, // the library, once it is there, is told by this of each key the page writes
  };
  // What is to be fetched is asked for first: the first look at a full localStorage takes 40 ms.
  const started = start();
  applyTheme();
  removeServiceWorkers();
  started.then(ready, failed);

  // What the person chose, as the page stores it (the bare word). Storage may be blocked, and that is no
  // fault: the system's theme is then used.
  function applyTheme() {
    try {
      const theme = /^"?(light|dark)"?$/.exec(localStorage.getItem("sash:theme") ?? "");
      if (theme) root.dataset.theme = theme[1];
    } catch (error) {
      console.warn("Storage is not readable, so the system's theme is used.", error);
    }
  }

  // The program that shows Markdown: loaded once, when the page first has an answer to show.
  function loadMarkdown() {
    if (!markdown) {
      const both = Promise.all([import("/markdown.js"), fetch("/markdown_bg.wasm")]);
      markdown = both.then(async ([glue, program]) => {
        await glue.default({ module_or_path: program });
        globalThis.sash.copy = glue.copy;
        globalThis.sash.renderer = glue.renderer;
      });
      markdown.catch((error) => console.warn("Answers stay plain text.", error));
    }
    return markdown;
  }

  // Colours and buttons of blocks of code: loaded with the first block.
  function loadCode() {
    if (!code) {
      code = import("/code.js").then(async (glue) => {
        await glue.default();
        return glue;
      });
      // With the next block it is tried again.
      code.catch((error) => {
        console.warn("Code stays without colours and buttons.", error);
        code = undefined;
      });
    }
    return code;
  }

  // What finds the message that a draft refers to: loaded when a draft is written and the window leaves some out.
  function loadMention() {
    if (!mention) {
      mention = import("/mention.js").then(async (glue) => {
        await glue.default();
        return glue;
      });
      mention.catch(() => (mention = undefined));
    }
    return mention;
  }

  // A formula, shown when the program for them is there. Each answer can do without.
  async function showLater(...formula) {
    try {
      formulas ??= loadFormulas();
      await formulas;
      if (formula[0].isConnected) sash.formula(...formula);
    } catch {
      // Said once, below; its source is there to be read.
    }
  }

  function loadFormulas() {
    const loading = Promise.all([import("/formula.js"), styled("/formula.css")]).then(async ([glue]) => {
      await glue.default();
      sash.formula = (...formula) => {
        try {
          glue.show(...formula);
        } catch (error) {
          sash.formula = () => {}; // A program that has stopped is not asked again.
          console.warn("Formulas stay as they were written.", error);
        }
      };
    });
    loading.catch((error) => {
      console.warn("Formulas stay as they were written.", error);
      setTimeout(() => (formulas = undefined), TRY_AGAIN_AFTER); // There may be thousands: not with each.
    });
    return loading;
  }

  // Search, trash, storage, export: loaded when the person first asks for one of them, with its stylesheet.
  function loadLibrary() {
    if (!library) {
      library = Promise.all([import("/library.js"), styled("/library.css")]).then(async ([glue]) => {
        await glue.default();
        return glue;
      });
      // Asked for again, it is tried again.
      library.catch(() => (library = undefined));
    }
    return library;
  }

  // A stylesheet, in the page or given up.
  function styled(href) {
    const style = element("link", "");
    style.rel = "stylesheet";
    style.href = href;
    document.head.append(style);
    return new Promise((resolve) => (style.onload = style.onerror = resolve));
  }

  // The journal of the log: a killed browser loses what it had not put on disk. One that opens late is written,
  // and read at the next start.
  function openJournal() {
    let deleting; // what is written meanwhile would be deleted too
    const opening = import("/journal.js").then(async (journal) => {
      if (journal.isDeleting()) await (deleting = journal.deleteEverything()); // It was broken off.
      globalThis.sash.journal = await journal.openJournal();
    });
    opening.catch((error) => console.warn("There is no journal: a crash of the browser may cost the last minute.", error));
    return Promise.race([opening, passed(WAIT_FOR_JOURNAL)]).then(() => deleting).catch(() => {});
  }

  // The page starts without Markdown; its answers are not seen before they are what they will be. Uncovered by a
  // task of its own: what waits for the program draws first.
  function coverAnswers(loading) {
    root.dataset.answers = "loading";
    const uncover = () => setTimeout(() => delete root.dataset.answers);
    Promise.race([loading, passed(WAIT_FOR_MARKDOWN)]).then(uncover, uncover);
  }

  // What it has, read at the last moment: another tab may be writing.
  function readJournal() {
    const reading = globalThis.sash.journal?.read() ?? Promise.resolve([]);
    reading.catch((error) => console.warn("The journal is not readable.", error));
    return Promise.race([reading, passed(WAIT_FOR_JOURNAL)]).catch(() => {});
  }

  // Whether there are answers to show from the beginning.
  function hasMessages() {
    try {
      return Object.keys(localStorage).some((key) => /^sash:[ms]:/.test(key));
    } catch {
      return false; // Storage is blocked: said above.
    }
  }

  // Sash has none. One left behind by another program on this port would answer in its place.
  function removeServiceWorkers() {
    navigator.serviceWorker
      ?.getRegistrations()
      .then((found) => Promise.all(found.map((worker) => worker.unregister())))
      .catch((error) => console.warn("Looking for old service workers failed.", error));
  }

  async function start() {
    if (typeof WebAssembly !== "object") {
      throw new Error("This browser does not run WebAssembly, or has it switched off (a lockdown mode does that).");
    }
    const watch = watchdog(GIVE_UP_AFTER);
    const bar = setTimeout(showProgress, SHOW_PROGRESS_AFTER);
    try {
      // Together: none needs the other. The page is awaited because the app mounts into <body>.
      const first = [import(js), loadProgram(watch), openJournal()];
      if (hasMessages()) coverAnswers(loadMarkdown());
      const steps = Promise.all([...first, parsed()]);
      const [glue, program] = await Promise.race([steps, watch.expired]);
      watch.step();
      globalThis.sash.redo = await readJournal();
      await Promise.race([glue.default({ module_or_path: program }), watch.expired]);
    } finally {
      watch.stop();
      clearTimeout(bar);
    }
  }

  // The program, compiled; its bytes are counted on their way to the compiler.
  async function loadProgram(watch) {
    const answer = await fetch(wasm, { signal: watch.signal });
    watch.step();
    if (!answer.ok) throw new Error(`The server answered ${answer.status} for ${wasm}.`);
    const type = answer.headers.get("content-type") ?? "none";
    if (!type.startsWith("application/wasm")) {
      throw new Error(`The server sent ${wasm} as ${type}, not as application/wasm.`);
    }
    // Content-Length counts the compressed bytes, the stream gives unpacked ones: estimate their number, and
    // never show the bar as full before the end. A part of a bar that is nearly right beats a bar that waits.
    const length = Number(answer.headers.get("content-length"));
    const total = answer.headers.has("content-encoding") ? length * UNPACKED : length;
    let loaded = 0;
    const counted = answer.body.pipeThrough(
      new TransformStream({
        transform(chunk, out) {
          watch.step();
          loaded += chunk.byteLength;
          if (total > 0) progress().value = Math.min(loaded / total, 0.97);
          out.enqueue(chunk);
        },
      }),
    );
    return WebAssembly.compileStreaming(new Response(counted, { headers: { "content-type": "application/wasm" } }));
  }

  // Rejects and aborts when `step` has not been called for `limit` ms: a connection that dies in the middle
  // of a download neither ends nor fails by itself.
  function watchdog(limit) {
    const abort = new AbortController();
    let timer;
    let expire;
    const expired = new Promise((_, reject) => (expire = reject));
    expired.catch(() => {}); // Reported by the race in `start`; here only not "unhandled".
    const step = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        expire(new Error(`Nothing has arrived for ${limit / 1000} seconds.`));
        abort.abort();
      }, limit);
    };
    step();
    return { step, expired, signal: abort.signal, stop: () => clearTimeout(timer) };
  }

  function passed(time) {
    return new Promise((resolve) => setTimeout(resolve, time));
  }

  function parsed() {
    if (document.readyState !== "loading") return Promise.resolve();
    return new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
  }

  // The bar may not be parsed yet when the first bytes come: then a detached one takes the value.
  function progress() {
    return document.getElementById("shell-progress") ?? document.createElement("progress");
  }

  function showProgress() {
    progress().hidden = false;
  }

  function ready() {
    document.getElementById("shell")?.remove();
    root.dataset.state = "ready";
  }

  async function failed(error) {
    if (root.dataset.state === "crashed") return;
    console.error("Sash could not start.", error);
    root.dataset.state = "failed";
    await parsed();
    const place = document.getElementById("shell-failure") ?? document.body;
    progress().hidden = true;
    const why = error instanceof Error ? error.message : String(error);
    const hint = "Your chats are safe in this browser. Is the sash program still running?";
    place.replaceChildren(...failure("Sash could not start", why, hint, "Retry"));
  }

  // The program has panicked (src/main.rs): nothing of the page works any more. What was being written is shown,
  // to be taken along.
  function crashed(why) {
    if (root.dataset.state === "crashed") return;
    root.dataset.state = "crashed";
    const place = element("div", "");
    place.className = "shell-failure";
    place.setAttribute("role", "alert");
    const hint = "Your chats are safe in this browser. After a reload you can go on where you were.";
    place.append(...failure("Sash has stopped", why, hint, "Reload"));
    const draft = document.getElementById("prompt")?.value;
    if (draft) {
      const label = element("label", "What you were writing:");
      const text = element("textarea", draft);
      text.readOnly = true;
      label.append(text);
      place.append(label);
    }
    const shell = element("main", "");
    shell.className = "shell shell-stopped";
    shell.append(place);
    document.body.replaceChildren(shell);
  }

  // What is said when nothing else works, with a way to the chats that needs no program.
  function failure(title, why, hint, again) {
    const retry = element("button", again);
    retry.type = "button";
    retry.addEventListener("click", () => location.reload());
    const save = element("a", "Save your chats");
    save.href = "/export.html";
    return [element("h1", title), element("p", why), element("p", hint), retry, save];
  }

  function element(name, text) {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  }
})();
