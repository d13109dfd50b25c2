// Starts Sash: early theme, a frame whose field takes the first words, download with progress, start, and a plain message when
// it cannot start.
//
// A classic script in <head>, not a module: it runs before the first paint, so a chosen theme never flashes.
// It is a file, not inline, because the Content-Security-Policy allows no inline script.
"use strict";

// What is said while the program, which has all other texts, does not run, by the code of the language. The first one is
// that of index.html.
const WORDS = {
  en: {
    dir: "ltr",
    newChat: "New chat",
    message: "Message",
    ask: "Ask something",
    willSend: "Sends as soon as Sash has loaded",
    late: "",
    noWebAssembly: "This browser does not run WebAssembly, or has it switched off (a lockdown mode does that).",
    status: (status, file) => `The server answered ${status} for ${file}.`,
    type: (file, type) => `The server sent ${file} as ${type}, not as application/wasm.`,
    silent: (seconds) => `Nothing has arrived for ${seconds} seconds.`,
    notStarted: "Sash could not start",
    running: "Your chats are safe in this browser. Is the sash program still running?",
    retry: "Retry",
    stopped: "Sash has stopped",
    goOn: "Your chats are safe in this browser. After a reload you can go on where you were.",
    reload: "Reload",
    draft: "What you were writing:",
    save: "Save your chats",
  },
  de: {
    dir: "ltr",
    newChat: "Neuer Chat",
    message: "Nachricht",
    ask: "Frag etwas",
    willSend: "Wird gesendet, sobald Sash geladen ist",
    late: "Sash ist nicht gestartet. Lade die Seite neu; wenn das nicht hilft, sieh in die Konsole des Browsers.",
    noWebAssembly: "Dieser Browser führt kein WebAssembly aus, oder es ist ausgeschaltet (ein Blockierungsmodus tut das).",
    status: (status, file) => `Der Server hat für ${file} mit ${status} geantwortet.`,
    type: (file, type) => `Der Server hat ${file} als ${type} gesendet, nicht als application/wasm.`,
    silent: (seconds) => `Seit ${seconds} Sekunden ist nichts angekommen.`,
    notStarted: "Sash konnte nicht starten",
    running: "Deine Chats sind in diesem Browser sicher. Läuft das Programm sash noch?",
    retry: "Erneut versuchen",
    stopped: "Sash ist stehen geblieben",
    goOn: "Deine Chats sind in diesem Browser sicher. Nach einem Neuladen machst du weiter, wo du warst.",
    reload: "Neu laden",
    draft: "Was du gerade geschrieben hast:",
    save: "Chats sichern",
  },
  he: {
    dir: "rtl",
    newChat: "צ׳אט חדש",
    message: "הודעה",
    ask: "שאלו משהו",
    willSend: "יישלח ברגע ש־Sash ייטען",
    late: "Sash לא הופעל. טענו את הדף מחדש; אם זה לא עוזר, בדקו במסוף של הדפדפן.",
    noWebAssembly: "הדפדפן הזה אינו מריץ WebAssembly, או שהוא כבוי (מצב נעילה עושה זאת).",
    status: (status, file) => `השרת ענה ${status} על ${file}.`,
    type: (file, type) => `השרת שלח את ${file} בתור ${type}, ולא בתור application/wasm.`,
    silent: (seconds) => `לא הגיע דבר במשך ${seconds} שניות.`,
    notStarted: "Sash לא הצליח להתחיל",
    running: "הצ׳אטים שלכם בטוחים בדפדפן הזה. האם התוכנה sash עדיין פועלת?",
    retry: "לנסות שוב",
    stopped: "Sash נעצר",
    goOn: "הצ׳אטים שלכם בטוחים בדפדפן הזה. אחרי טעינה מחדש אפשר להמשיך מאותו מקום.",
    reload: "טעינה מחדש",
    draft: "מה שכתבתם:",
    save: "שמירת הצ׳אטים",
  },
};

(() => {
  const root = document.documentElement;
  const { js, wasm } = document.currentScript.dataset;

  const SHOW_PROGRESS_AFTER = 150; // ms; a start quicker than that needs no bar
  const GIVE_UP_AFTER = 30_000; // ms without a byte or a step
  const UNPACKED = 2.7; // our WASM's size over its brotli size, see loadProgram

  // "loading", "failed" or "crashed", and "ready" by the program: for the stylesheet and for tests.
  root.dataset.state = "loading";
  // A panic is told by the program (kernel/view/src/browser/crash.rs); a trap without one, as of a stack that is too small, is not.
  addEventListener("sash:crash", ({ detail }) => crashed(detail));
  addEventListener("error", ({ error }) => trapped(error, /wasm-function/.test(error?.stack ?? "")));
  addEventListener("unhandledrejection", ({ reason }) => trapped(reason, false));
  // Keys of the moment before the field is parsed.
  let firstKeys = "";
  // Whether the program has taken what was written into the frame.
  let isTaken = false;
  const keepKey = (event) => (firstKeys += isWriting(event) ? event.key : "");
  addEventListener("keydown", keepKey);
  // What is to be fetched is asked for first: the first look at a full localStorage takes 40 ms.
  const started = start();
  const words = WORDS[applyLanguage()];
  applyAppearance();
  framed().then(fillFrame);
  removeServiceWorkers();
  started.catch(failed);

  // The language: what the person chose, else the first of the browser's that Sash speaks, else English. The root element
  // has it with the region of the browser, by which dates are written (rooms/appearance/src/language.rs). Returns its code.
  function applyLanguage() {
    const wanted = (navigator.languages ?? []).map((tag) => tag.replace(/^iw\b/i, "he"));
    const spoken = (tag) => Object.keys(WORDS).find((code) => tag.toLowerCase().split("-")[0] === code);
    const chosen = stored("localStorage", "sash:language");
    const code = Object.hasOwn(WORDS, chosen ?? "") ? chosen : (wanted.map(spoken).find(Boolean) ?? "en");
    root.lang = wanted.find((tag) => spoken(tag) === code) ?? code;
    root.dir = WORDS[code].dir;
    parsed().then(() => {
      const late = document.querySelector(".shell-late");
      if (!late || code === "en") return;
      const save = element("a", WORDS[code].save);
      save.href = "/export.html";
      late.replaceChildren(WORDS[code].late, " ", save);
    });
    return code;
  }

  // What the person chose, as the page stores it (the bare word); else the system's theme is used.
  function applyAppearance() {
    const theme = /^"?(light|dark)"?$/.exec(stored("localStorage", "sash:theme") ?? "");
    if (theme) root.dataset.theme = theme[1];
    const size = /^(small|large|larger)$/.exec(stored("localStorage", "sash:text-size") ?? "");
    if (size) root.dataset.textSize = size[1];
  }

  // What the frame says, and its field, which takes words at once. The program takes them from there
  // (kernel/view/src/browser/early.rs): the default value of the field is the stored draft, and its data-chat the chat.
  function fillFrame() {
    const frame = document.getElementById("shell");
    const field = document.getElementById("shell-prompt");
    const chat = expectedChat();
    const isNew = chat && stored("localStorage", `sash:c:${chat}`) === null;
    document.getElementById("shell-title").textContent = isNew ? words.newChat : (record(`sash:c:${chat}`)?.title ?? "");
    field.placeholder = words.ask;
    field.setAttribute("aria-label", words.message);
    if (stored("sessionStorage", "sash:panel")) frame.dataset.panel = "shown";
    // So that the composer of the page has its width at once. Once the frame is gone, this is the program's
    // (crates/browser-kit/src/page/scroll.rs).
    const log = frame.querySelector(".transcript");
    const setGutters = () => log.isConnected && root.style.setProperty("--gutters", `${log.offsetWidth - log.clientWidth}px`);
    new ResizeObserver(setGutters).observe(log);
    removeEventListener("keydown", keepKey);
    // Over the chat is another page, which has the keys.
    if (location.pathname !== "/" && !location.pathname.startsWith("/chats/")) return;
    field.disabled = false;
    if (chat) field.dataset.chat = chat;
    // Files of a draft are not in the field.
    const draft = `${record(`sash:d:${chat}`)?.text ?? ""}`;
    field.defaultValue = draft.startsWith("[File: ") ? "" : draft;
    keepEarlyWords(field, chat === "new" ? null : chat);
    if (firstKeys) field.value += firstKeys;
    takeKeys(field);
    const goToEnd = () => field.setSelectionRange(field.value.length, field.value.length);
    // Elsewhere a keyboard would come up on the screen: older Safaris give focus to a field whose selection is set.
    if (matchMedia("(pointer: fine)").matches) {
      goToEnd();
      field.focus();
    } else {
      field.addEventListener("focus", goToEnd, { once: true });
    }
  }

  // The chat that the program will open: its id, or "new". Null where the frame cannot tell: without a chat of this tab the
  // program opens the one that was changed last, and a temporary chat ended with the reload.
  function expectedChat() {
    // An address that fills in a question or a model opens a new chat (rooms/links/src/query.rs).
    if (location.pathname === "/" && /[?&](q|model)=/.test(location.search)) return "new";
    const named = /^\/chats\/([0-9a-f]{16})$/.exec(location.pathname)?.[1];
    const id = named ?? stored("sessionStorage", "sash:open");
    const has = (kind) => stored("localStorage", `sash:${kind}:${id}`) !== null;
    // In the trash a chat still has its records.
    if (id && !has("x") && (has("c") || has("d"))) return id;
    if (named || stored("sessionStorage", "sash:temporary")) return null;
    return id || stored("localStorage", "sash:meta") === null ? "new" : null;
  }

  // Enter is kept as a wish to send that is shown; where more is written after it, it was the end of a line. Where the frame
  // cannot tell the chat, Enter does nothing: the words would be sent into a chat that nobody saw.
  function takeKeys(field) {
    const wish = (isWished) => {
      field.toggleAttribute("data-send", isWished);
      document.getElementById("shell-wish").textContent = isWished ? words.willSend : "";
    };
    const goOn = ({ type, inputType = type }) => {
      if (!("send" in field.dataset)) return;
      wish(false);
      if (!/^(insert|composition)/.test(inputType)) return;
      field.setRangeText("\n", field.selectionStart, field.selectionEnd, "end");
    };
    field.addEventListener("keydown", (event) => {
      if (event.isComposing || event.keyCode === 229) return;
      if (event.key === "Escape") wish(false);
      // Enter behind a slash would choose a command.
      if (!sends(event) || field.value.startsWith("/")) return;
      event.preventDefault();
      wish("chat" in field.dataset && field.value.trim() !== "");
    });
    field.addEventListener("beforeinput", goOn);
    field.addEventListener("compositionstart", (event) => {
      goOn(event);
      field.dataset.composing = "";
    });
    field.addEventListener("compositionend", () => delete field.dataset.composing);
    addEventListener("keydown", (event) => {
      // A dead key waits for its letter, and an input method processes a key.
      const isWord = isWriting(event, ["Dead", "Process"]) && event.key !== " ";
      if (isWord && document.activeElement === document.body) field.focus();
    });
  }

  // Whether a key writes a character, or is one of `others`. As `writes` in crates/browser-kit/src/keys.rs.
  function isWriting(event, others = []) {
    const { key = "", ctrlKey, metaKey, altKey } = event;
    // With AltGraph some keyboards write other characters; Windows reports it as Ctrl and Alt.
    const isCommand = (ctrlKey || metaKey || altKey) && !event.getModifierState("AltGraph");
    return !isCommand && (key.length === 1 || others.includes(key));
  }

  // As `is_send` in kernel/view/src/parts/send_key.rs.
  function sends({ key, shiftKey, ctrlKey, metaKey }) {
    const chosen = record("sash:set")?.send_key ?? "device";
    const byEnter = chosen === "device" ? !matchMedia("(pointer: coarse) and (hover: none)").matches : chosen === "enter";
    return key === "Enter" && !shiftKey && (byEnter || ctrlKey || metaKey);
  }

  // Where the page is left before the program has come, the words are there again the next time that the frame has this
  // chat. Its draft may have changed meanwhile: then the program joins both.
  function keepEarlyWords(field, chat) {
    const KEY = "sash:early";
    const [of, draft, text] = JSON.parse(stored("sessionStorage", KEY) ?? "[]");
    if (text && of === chat) {
      field.defaultValue = draft;
      field.value = text;
      sessionStorage.removeItem(KEY);
    }
    // The page that was left is shown again as it was, with the words in the field.
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted && stored("sessionStorage", KEY) !== null) sessionStorage.removeItem(KEY);
    });
    addEventListener("pagehide", () => {
      if (isTaken || root.dataset.state === "ready" || field.value === field.defaultValue) return;
      try {
        sessionStorage.setItem(KEY, JSON.stringify([chat, field.defaultValue, field.value]));
      } catch (error) {
        console.warn("What was written is not kept over a reload.", error);
      }
    });
  }

  // What is stored under a key. Storage may be blocked: then there is nothing.
  function stored(area, key) {
    try {
      return globalThis[area].getItem(key);
    } catch {
      return null;
    }
  }

  // What a record of the log says (kernel/log/src/record.rs). An unreadable one is the program's to look at.
  function record(key) {
    try {
      return JSON.parse(stored("localStorage", key)?.replace(/^\d+\|[0-9a-f]{8}\|/, "") ?? "null");
    } catch {
      return null;
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
      await null; // The words are chosen by then.
      throw new Error(words.noWebAssembly);
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
    if (!answer.ok) throw new Error(words.status(answer.status, wasm));
    const type = answer.headers.get("content-type") ?? "none";
    if (!type.startsWith("application/wasm")) {
      throw new Error(words.type(wasm, type));
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
        expire(new Error(words.silent(limit / 1000)));
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

  // The frame is parsed, and not painted yet: that may be before the end of the document.
  function framed() {
    return new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (!document.getElementById("shell-wish")) return;
        observer.disconnect();
        resolve();
      });
      observer.observe(document, { childList: true, subtree: true });
    });
  }

  // The bar may not be parsed yet when the first bytes come: then a detached one takes the value.
  function progress() {
    return document.getElementById("shell-progress") ?? document.createElement("progress");
  }

  // Where the machine is busy, its time comes before it is parsed, too.
  async function showProgress() {
    await parsed();
    if (root.dataset.state === "loading") progress().hidden = false;
  }

  // Words of the frame that the program has taken may be sent by now: a reload must not bring them back.
  function stop(state) {
    isTaken ||= root.dataset.state === "ready";
    root.dataset.state = state;
  }

  async function failed(error) {
    if (root.dataset.state === "crashed") return;
    console.error("Sash could not start.", error);
    stop("failed");
    await parsed();
    const place = document.getElementById("shell-failure") ?? document.body;
    progress().hidden = true;
    const why = error instanceof Error ? error.message : String(error);
    place.replaceChildren(...failure(words.notStarted, why, words.running, words.retry), ...unsent());
    const composer = document.querySelector(".shell .composer");
    if (composer) composer.hidden = true;
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
    stop("crashed");
    const place = element("div", "");
    place.className = "shell-failure";
    place.setAttribute("role", "alert");
    place.append(...failure(words.stopped, why, words.goOn, words.reload), ...unsent());
    const shell = element("main", "");
    shell.className = "shell shell-stopped";
    shell.append(place);
    document.body.replaceChildren(shell);
  }

  // What was being written, to be copied.
  function unsent() {
    const fields = [...document.querySelectorAll("#prompt, #shell-prompt")];
    const draft = fields.map((field) => field.value).find(Boolean);
    if (!draft) return [];
    const label = element("label", words.draft);
    const text = element("textarea", draft);
    text.readOnly = true;
    label.append(text);
    return [label];
  }

  // What is said when nothing else works, with a way to the chats that needs no program.
  function failure(title, why, hint, again) {
    const retry = element("button", again);
    retry.type = "button";
    retry.addEventListener("click", () => location.reload());
    const save = element("a", words.save);
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
