// What leads beyond a chat in browsers other than Chromium: another language, the backup, a file, paper, a phone, a voice.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backedUp } from "../support/backup";
import { logOfMessages } from "../support/log";
import { says } from "../support/standIn";
import { giveVoices, type Voice } from "../support/voices";
import { zip } from "../support/zip";
import { expect, test } from "./fixtures";
import { answer, button, composer, el, messages, SashPage, textOf } from "./sashPage";

const html = el("html");
const library = el("dialog", "All chats");
const chat = (name: string) => el(".chat-list button", name);

/** Opens something from the menu at the foot of the list of chats. */
async function fromFoot(app: SashPage, name: string): Promise<void> {
  await app.click(el("nav button", "More"));
  await app.click(el("nav [role=menuitem]", name));
}

test("another language is chosen in the settings, and what was being written stays", async ({ app }) => {
  await app.openReady();
  await app.fill(composer, "A draft");
  await app.click(button("Settings"));
  const field = el("select", "Language");
  await app.see(field, { value: "browser" });
  // The drivers cannot press what the system draws over the page: the letter chooses the option.
  await app.tab.evaluate(() => document.querySelector<HTMLElement>("#setting-language")!.focus());
  await app.see(field, { focused: true });
  await app.tab.keyboard.type("D");
  await app.has(html, "lang", "de");
  await app.has(html, "data-state", "ready");
  const settings = el("dialog", "Einstellungen");
  await app.see(settings.el("select", "Sprache"), { value: "de" });
  await app.press("Escape");
  await app.gone(settings);
  await app.see(button("Neuer Chat"));
  await app.see(el("textarea", "Nachricht"), { value: "A draft" });
});

let folder: string | undefined;
test.afterEach(() => folder && rm(folder, { recursive: true, force: true }));

test("a chat is in the backup, and a browser without chats restores it", async ({ engine, programs, standIn }) => {
  folder = await mkdtemp(join(tmpdir(), "sash-backup-"));
  const sash = await programs.sash(standIn.url, "--backup", folder);
  const kept = () => backedUp(folder!);
  // One after the other: WebKit's driver has one browser at a time.
  const inFreshProfile = async (url: string, work: (app: SashPage) => Promise<void>) => {
    const profile = await engine.createBrowserContext();
    const app = new SashPage(await profile.newPage(), url);
    await app.openReady();
    await work(app);
    expect(await app.wrong(), "errors in the page").toEqual([]);
    await profile.close();
  };
  await inFreshProfile(sash.url, async (app) => {
    await standIn.script(says("It was in Lyon."));
    await app.exchange("Where was the conference?");
    await expect.poll(kept, { timeout: 15_000 }).toContain("It was in Lyon.");
  });
  await inFreshProfile(await sash.nextUrl(), async (app) => {
    await app.gone(chat("Where was the conference?"));
    await fromFoot(app, "Export");
    await app.click(library.el("button", "Restore chats…"));
    await app.reads(library, /1 of 1 selected/);
    await app.click(library.el("button", "Restore"));
    await app.reads(library, /1 chat: 1 new/);
    await app.click(library.el("button", "Import"));
    await app.reads(library, /1 chat imported\./);
    await app.press("Escape");
    await app.gone(library);
    await app.click(chat("Where was the conference?"));
    await app.texts(textOf(messages), "Where was the conference?", "It was in Lyon.");
  });
});

test("an archive of another program is imported, and again it is nothing new", async ({ app }) => {
  const claude = await readFile("../rooms/import/tests/data/import/claude.json");
  const archive = zip({ "conversations.json": claude }).toString("base64");
  // The two drivers have no way in common to choose a file.
  const choose = async () => {
    await app.see(library.el("input[type=file]", "Files to import"));
    await app.tab.evaluate((archive) => {
      const bytes = Uint8Array.from(atob(archive), (letter) => letter.charCodeAt(0));
      const files = new DataTransfer();
      files.items.add(new File([bytes], "data.zip", { type: "application/zip" }));
      const field = document.querySelector<HTMLInputElement>("dialog input[type=file]")!;
      field.files = files.files;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }, archive);
  };
  await app.openReady();
  await fromFoot(app, "Export");
  await choose();
  await app.reads(library, /3 chats: 2 new, 1 left out/);
  await app.click(library.el("button", "Import"));
  await app.reads(library, /2 chats imported\./);
  await app.click(library.el("button", "Other files"));
  await choose();
  await app.reads(library, /2 here already/);
  await app.press("Escape");
  await app.gone(library);
  await app.click(chat("Bread"));
  await app.reads(textOf(answer), /^Overnight in the fridge\.$/);
});

/** Opens the page with a chat of so many messages, of which not all are on the page. */
async function openWithMessages(app: SashPage, many: number): Promise<void> {
  await app.tab.goto(`${app.url}/icon.svg`);
  await app.tab.evaluate((log) => {
    Object.entries(log).forEach(([key, value]) => localStorage.setItem(key, value));
    sessionStorage.clear();
  }, logOfMessages(many));
  await app.openReady();
}

test("all messages of a chat are on the page while it is printed, and then it is as it was", async ({ app }) => {
  await openWithMessages(app, 200);
  await app.reads(textOf(answer), /^Answer 100$/);
  // What a reader sees: the heights of what is out of view are estimates until they were on the page.
  const now = () =>
    app.tab.evaluate(() => {
      const log = document.querySelector("[role=log]")!.getBoundingClientRect();
      const all = [...document.querySelectorAll("[role=log] article")];
      const boxes = all.map((message) => ({ message, box: message.getBoundingClientRect() }));
      const inView = boxes.filter(({ box }) => box.bottom > log.top && box.top < log.bottom);
      return {
        title: document.title,
        isWhole: all.length === 200,
        inView: inView.map(({ message }) => message.querySelector(".message-text")?.textContent?.trim()),
        top: inView[0]?.box.top,
      };
    });
  const before = await now();
  expect(before).toMatchObject({ title: "A long chat · Sash", isWhole: false });
  expect(before.inView.length).toBeGreaterThan(3);
  // In the place of the browser's dialog, which no driver answers.
  await app.tab.evaluate(() => {
    window.print = () => {
      dispatchEvent(new Event("beforeprint"));
      const texts = [...document.querySelectorAll("[role=log] article .message-text")].map((text) => text.textContent?.trim());
      Object.assign(globalThis, { printed: { title: document.title, texts } });
      dispatchEvent(new Event("afterprint"));
    };
  });
  const texts = Array.from({ length: 200 }, (_, n) => `${n % 2 === 0 ? "Question" : "Answer"} ${Math.floor(n / 2) + 1}`);
  const fromMenu = async () => {
    await app.click(button("This chat"));
    await app.click(el("[role=menuitem]", "Print or save as PDF…"));
  };
  // The browser's own command gives the page no time before the sheets are laid out.
  const byCommand = () => app.tab.evaluate(() => window.print());
  for (const print of [fromMenu, byCommand]) {
    await app.tab.evaluate(() => void Object.assign(globalThis, { printed: null }));
    await print();
    const printed = () => app.tab.evaluate(() => (globalThis as unknown as { printed: object | null }).printed);
    await expect.poll(printed, { timeout: 30_000 }).toEqual({ title: "A long chat", texts });
    await expect.poll(now).toEqual({ ...before, top: expect.any(Number) });
    expect(Math.abs((await now()).top - before.top), "how far what is read moved").toBeLessThan(2);
  }
});

test("how a phone reaches this page", async ({ app }) => {
  await app.openReady();
  await fromFoot(app, "This page on my phone…");
  const dialog = el("dialog", "This page on my phone");
  await app.reads(dialog, /Sash listens only on this machine.*sash --listen 0\.0\.0\.0:7274 --token auto/);
  await app.click(dialog.el("summary", "What is missing at an address with http://"));
  await app.see(dialog.el("code", /tailscale serve 7274/));
  await app.press("Escape");
  await app.gone(dialog);
});

test("an answer is read aloud and each sentence marked meanwhile; without a voice the menu says so", async ({ app, standIn }) => {
  await standIn.script(says("The first sentence. And the second."));
  await app.openReady();
  await app.exchange("Read it to me");
  // Voices of the test in the place of the device's, which may be none and may be slow. The page listens to the former ones.
  await app.tab.evaluate(() => void Object.assign(globalThis, { former: speechSynthesis }));
  await app.tab.evaluate(giveVoices);
  const setVoices = (voices: Voice[]) =>
    app.tab.evaluate((voices) => {
      window.speaker.add(voices);
      (globalThis as unknown as { former: EventTarget }).former.dispatchEvent(new Event("voiceschanged"));
    }, voices);
  await setVoices([]);
  await app.point(answer);
  await app.click(answer.el("button", "More"));
  const entry = answer.el("[role^=menuitem]", /^Read aloud/);
  await app.see(entry, { text: "Read aloud (no offline voice here)" });
  await app.has(entry, "aria-disabled", "true");
  await setVoices([{ name: "Ben", lang: "en-GB", local: true }]);
  await app.see(entry, { text: "Read aloud" });
  await app.click(entry);
  const marked = () => app.tab.evaluate(() => [...((CSS.highlights.get("spoken") as unknown as Set<Range>) ?? [])].map(String));
  await expect.poll(marked).toEqual(["The first sentence."]);
  await app.tab.evaluate(() => window.speaker.end());
  await expect.poll(marked).toEqual(["And the second."]);
  await app.click(answer.el("button", "Stop reading"));
  await expect.poll(marked).toEqual([]);
});
