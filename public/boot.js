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
  const TRY_AGAIN_AFTER = 1_000; // ms; what could not be loaded is asked for again, but not with each of thousands
  const SHOWING = "sash:showing"; // the chat whose answers are being shown
  const UNPACKED = 2.7; // our WASM's size over its brotli size, see loadProgram

  // "loading", "ready" or "failed": for the stylesheet and for tests.
  root.dataset.state = "loading";
  const markdown = later(loadMarkdown, "Answers stay plain text.");
  let showing = false;
  const unfinished = leftShowing();
  const sash = (globalThis.sash = {
    markdown,
    crashed,
    // Whether the answers of a chat are folded: showing them was not finished the last time.
    folds: (chat) => unfinished === chat,
    erase: async () => (await import("/journal.js")).deleteEverything(),
  });
  // What is to be fetched is asked for first: the first look at a full localStorage takes 40 ms.
  const started = start();
  applyTheme();
  removeServiceWorkers();
  started.then(ready, failed);

  // Which chat is being shown, until it is: an answer that holds up the browser would do so at each start.
  function markShowing(chat) {
    if (!chat && !showing) return; // It is another's, or one that was left.
    showing = Boolean(chat);
    try {
      if (chat) localStorage.setItem(SHOWING, chat);
      else localStorage.removeItem(SHOWING);
    } catch {
      // Without room for it the chat is shown again.
    }
  }

  // The chat that was being shown when the page went without a word.
  function leftShowing() {
    addEventListener("pagehide", () => markShowing());
    try {
      return localStorage.getItem(SHOWING);
    } catch {
      return null; // Storage is blocked.
    }
  }

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

  // A program that is loaded when it is first needed. Where that fails, `sorry` is said, and whoever needs it after a
  // while tries again.
  function later(load, sorry) {
    let loading;
    return () => {
      if (!loading) {
        loading = load();
        loading.catch((error) => {
          console.warn(sorry, error);
          setTimeout(() => (loading = undefined), TRY_AGAIN_AFTER);
        });
      }
      return loading;
    };
  }

  // Asked for together: none waits for the other.
  async function loadMarkdown() {
    const all = [import("/markdown.js"), import("/answers.js"), fetch("/markdown_bg.wasm")];
    const [glue, { answers }, wasm] = await Promise.all(all);
    await glue.default({ module_or_path: wasm });
    sash.copy = glue.copy;
    sash.renderer = answers(glue, markShowing);
  }

  // The journal of the log: a killed browser loses what it had not put on disk. One that opens late is written,
  // and read at the next start.
  function openJournal() {
    let deleting; // what is written meanwhile would be deleted too
    const opening = import("/journal.js").then(async (journal) => {
      if (journal.isDeleting()) await (deleting = journal.deleteEverything()); // It was broken off.
      sash.journal = await journal.openJournal();
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
    const reading = sash.journal?.read() ?? Promise.resolve([]);
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
      if (hasMessages()) coverAnswers(markdown());
      const steps = Promise.all([...first, parsed()]);
      const [glue, program] = await Promise.race([steps, watch.expired]);
      watch.step();
      sash.redo = await readJournal();
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
