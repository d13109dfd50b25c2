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
  const UNPACKED = 2.7; // our WASM's size over its brotli size, see loadProgram

  // "loading", "failed" or "crashed", and "ready" by the program: for the stylesheet and for tests.
  root.dataset.state = "loading";
  // A panic is told by the program (src/browser/crash.rs); a trap without one, as of a stack that is too small, is not.
  addEventListener("sash:crash", ({ detail }) => crashed(detail));
  addEventListener("error", ({ error }) => trapped(error, /wasm-function/.test(error?.stack ?? "")));
  addEventListener("unhandledrejection", ({ reason }) => trapped(reason, false));
  // What is to be fetched is asked for first: the first look at a full localStorage takes 40 ms.
  const started = start();
  applyAppearance();
  removeServiceWorkers();
  started.catch(failed);

  // What the person chose, as the page stores it (the bare word). Storage may be blocked, and that is no
  // fault: the system's theme is then used.
  function applyAppearance() {
    try {
      const theme = /^"?(light|dark)"?$/.exec(localStorage.getItem("sash:theme") ?? "");
      if (theme) root.dataset.theme = theme[1];
      const size = /^(small|large|larger)$/.exec(localStorage.getItem("sash:text-size") ?? "");
      if (size) root.dataset.textSize = size[1];
    } catch (error) {
      console.warn("Storage is not readable, so the system's theme is used.", error);
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
      const steps = Promise.all([import(js), loadProgram(watch), parsed()]);
      const [glue, program] = await Promise.race([steps, watch.expired]);
      watch.step();
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

  // An error of WASM ends the program, and so does one that was thrown through it (`through`): what the program had begun
  // is not finished. Other errors are a script's of the browser or of an extension.
  function trapped(error, through) {
    const ended = globalThis.WebAssembly && error instanceof WebAssembly.RuntimeError;
    if (root.dataset.state !== "failed" && (ended || through)) crashed(error.message);
  }

  // The program has ended: nothing of the page works any more. What was being written is shown,
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
    // The router of a stopped program would still take the click.
    save.rel = "external";
    return [element("h1", title), element("p", why), element("p", hint), retry, save];
  }

  function element(name, text) {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  }
})();
