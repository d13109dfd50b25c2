// axe in every state of the page, light and dark, wide and at 320 pixels, where nothing may scroll sideways.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { TAGS } from "../support/axe";
import { chatsIn } from "../support/backup";
import { expect, test } from "../support/fixtures";
import { ChatPage } from "../support/chatPage";
import { Library } from "../support/library";
import { ModelsPage } from "../support/models";
import { Panel } from "../support/panel";
import { drop, paste, picture } from "../support/pictures";
import { freePort, type Program } from "../support/programs";
import { keepPrompt } from "../support/prompts";
import { openWithChats, openWithMessages } from "../support/log";
import { done, says, stall, status, text, type StandIn } from "../support/standIn";
import { fakeVoices } from "../support/voices";

const VIEWS = [
  { colorScheme: "light", width: 1280, height: 800 },
  { colorScheme: "dark", width: 1280, height: 800 },
  { colorScheme: "dark", width: 320, height: 640 },
  { colorScheme: "light", width: 320, height: 640 },
] as const;

type View = (typeof VIEWS)[number];

/** Changes of size and theme have come to their end. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
    const finite = document.getAnimations().filter((a) => a.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(finite.map((a) => a.finished));
  });
}

/** Shows the page in a theme and a size. */
async function show(page: Page, { colorScheme, ...size }: View): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(size);
  await settled(page);
}

/** Where axe cannot tell, and a person has looked: the contrast is that of the text around. */
const LOOKED_AT = [
  // A single sign, which axe does not take for text.
  /^<span class="task"/,
  /^<(button|span) class="figures/,
  // At the edge of the log, partly scrolled below the header.
  /^<span class="recall-who"/,
  // In a dialog, which it takes for partly covered.
  /^<p class="reading">/,
  /^<p dir="auto">Read only by this one/,
  /^<button type="button">Keep them/,
  /^<button class="danger" type="button">Delete for good/,
  /^<button class="link danger" type="button">Delete from the library/,
  /^<p>By its name, as in Ollama’s library/,
  /^<p class="library-note"[^>]*>1 chat, kept/,
  /^<span class="library-note">Chat, last written/,
  /^<p class="library-note">Texts and images are removed from the backup’s files/,
  /^<p class="library-note" tabindex="-1">The trash is empty/,
  /^<span>Delete 1 chat for good/,
  /^<p [^>]*id="system-hint"/,
  /^<dd>/,
  // Its arrow is a picture, which stands beside the words.
  /^<select/,
  /^<span class="models-hint">9\.9 MB · CPU · context/,
];

/** Which levels a model's own headings have is the model's affair; ours are h1 to h3. */
const isModels = (rule: string, html: string) => rule === "heading-order" && /^<h[456]/.test(html);

async function scan(page: Page, state: string, views: readonly View[]): Promise<void> {
  for (const look of views) {
    const { colorScheme, ...size } = look;
    await show(page, look);
    const view = `${state}, ${colorScheme}, ${size.width} px`;
    // One frame, so the mode without a second page does, and is quicker.
    const { violations, incomplete } = await new AxeBuilder({ page }).withTags(TAGS).setLegacyMode().analyze();
    const told = violations.flatMap((v) => v.nodes.filter((n) => !isModels(v.id, n.html)).map((n) => `${v.id}: ${n.target.join(" ")} ${n.failureSummary?.replaceAll("\n", " ")}`));
    expect.soft(told, view).toEqual([]);
    // The choice of rules, the list after a slash and the name of the handle lie over a part of the page; what they cover is scanned in the other states.
    const covers = (await page.locator(".policy-menu, .slash-list, .sash-handle:focus").count()) > 0;
    const covered = (n: { any: { data: unknown }[] }) => covers && n.any.some((c) => /bgOverlap|Obscur/.test(JSON.stringify(c.data)));
    const unsure = incomplete.flatMap((i) => i.nodes.filter((n) => !covered(n) && !LOOKED_AT.some((known) => known.test(n.html))).map((n) => `${i.id}: ${n.html}`));
    expect.soft(unsure, `${view}, what axe is not sure of`).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect.soft(wide, `${view}: scrolls sideways`).toBeLessThanOrEqual(0);
  }
}

interface House {
  app: ChatPage;
  page: Page;
  standIn: StandIn;
  programs: { sash(ollama: string, ...more: string[]): Promise<Program> };
}

/** Folders of backups. */
const places: string[] = [];
test.afterEach(async () => {
  for (const place of places.splice(0)) await rm(place, { recursive: true, force: true });
});

/** A chat that is in the backup of a Sash. */
async function backedUp({ app, page, standIn, programs }: House): Promise<Library> {
  const place = await mkdtemp(join(tmpdir(), "sash-axe-"));
  places.push(place);
  const { url } = await programs.sash(standIn.url, "--backup", join(place, "backup"));
  await standIn.script(says("It was in Lyon."));
  await page.goto(url);
  await app.ready();
  await app.exchange("Where was the conference?");
  await expect.poll(() => chatsIn(join(place, "backup")), { timeout: 15_000 }).toHaveLength(1);
  return new Library(page);
}

const RICH = `## What changed

Some *italics*, **bold**, \`code\` and [a link](https://example.com/docs).

1. First
   - nested
2. Second

- [x] done
- [ ] to do

> A quotation.

\`\`\`rust
fn main() { println!("A line of code that is long enough to scroll sideways on a narrow page."); }
\`\`\`

| part | shown as | and |
| --- | :---: | ---: |
| table | a table | 12 |
`;

async function conversation({ app, standIn }: House): Promise<void> {
  for (const words of ["The first answer.", RICH]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("A first question?");
  await app.exchange("A second question, with everything?");
}

/** A draft that refers to a message outside the window. */
async function referring(house: House): Promise<void> {
  const { app, standIn } = house;
  await standIn.script(says("As an adjacency list: each crossing with its streets."));
  await app.openReady();
  await app.exchange("How do I store the road map of a town?");
  for (const words of ["Soup.", "Pancakes."]) {
    await standIn.script(says(words));
    await app.exchange("And to eat?");
  }
  await app.composer.fill("How large is the adjacency list of streets you suggested?");
}

/** A pin, a mute and a fresh start in a chat of 12 messages. */
const STEERED = { pins: ["0000000000000004"], mutes: ["000000000000000b"], cleared: ["0000000000000006"] };

/** The states of the page, in walks: the first one of a walk opens it, each other one goes on from the one before it. */
const WALKS: Record<string, (house: House) => Promise<void>>[] = [
  {
    empty: ({ app }) => app.openReady(),
    "where a phone finds the page": async ({ app, page }) => {
      await page.route("**/api/v1/addresses", (route) => route.fulfill({ json: { listens_on_network: true, origins: ["http://192.168.1.5:7274", "http://10.0.0.2:7274"] } }));
      await app.openFromFoot("This page on my phone…");
      const dialog = page.getByRole("dialog", { name: "This page on my phone" });
      await expect(dialog.getByRole("img")).toBeVisible();
      await dialog.locator("summary").click();
    },
    "the commands": async ({ page }) => {
      await page.keyboard.press("Escape");
      await page.keyboard.press("Alt+k");
      await page.getByRole("combobox", { name: "Commands" }).fill("th");
      await expect(page.getByRole("option", { name: "Theme Setting" })).toBeVisible();
    },
    "the keys": async ({ app, page }) => {
      await page.keyboard.press("Escape");
      await app.openFromFoot("Keyboard shortcuts");
      await expect(page.getByRole("dialog", { name: "Keyboard" })).toBeVisible();
      await page.getByRole("button", { name: "New chat: Alt+N" }).click();
      await page.keyboard.press("Control+k");
      await expect(page.getByText("Ctrl+K is taken: Search all chats.")).toBeVisible();
    },
  },
  {
    waiting: async ({ app, standIn }) => {
      await standIn.script([stall]);
      await app.openReady();
      await app.ask("A question?");
      await expect(app.last).toContainText(/(Loading llama3\.2|reading the prompt)…/);
    },
  },
  {
    streaming: async (house) => {
      const { app, standIn } = house;
      await conversation(house);
      await standIn.script([text("The beginning of `an answer`", 2), stall]);
      await app.ask("Another?");
      await app.streaming();
    },
    "a queue": async ({ app, page }) => {
      await app.ask("And another?");
      await app.ask("And a third one, which is longer than a line of a phone can show at once?");
      await expect(page.getByRole("list", { name: "Queue" }).getByRole("listitem")).toHaveCount(2);
      await app.composer.fill("Still written");
    },
  },
  {
    "done, with code and table": async (house) => {
      await fakeVoices(house.page);
      await conversation(house);
    },
    "an answer being read aloud": async (house) => {
      await house.page.evaluate(() => window.speaker.add([{ name: "Ben", lang: "en-GB", local: true }]));
      await house.app.act(house.app.last, "Read aloud");
      await expect(house.app.inMessage(house.app.last, "Stop reading")).toBeVisible();
    },
    "receipt open": async (house) => {
      await house.app.inMessage(house.app.last, "Stop reading").click();
      await house.app.act(house.app.last, "Details and timing");
      await expect(house.app.last).toContainText("It read 2 messages and the prompt");
    },
    "the menu of a message": async (house) => {
      await house.app.more(house.app.last);
    },
    editing: async (house) => {
      await house.page.keyboard.press("Escape");
      const question = house.app.message(3);
      await question.hover();
      await house.app.inMessage(question, "Edit").click();
      await expect(house.page.getByRole("textbox", { name: "Edit message" })).toBeFocused();
    },
    "the rules, with recall by itself": async (house) => {
      await house.page.keyboard.press("Escape");
      await house.app.openMoreRules();
      await house.app.rules.getByRole("radio", { name: "Automatically", exact: true }).check();
      await expect(house.app.rules.getByLabel("tokens per prompt")).toBeVisible();
    },
    "a summary": async (house) => {
      await house.app.openMoreRules();
      await house.app.rules.getByRole("radio", { name: "Last messages" }).check();
      await house.app.rules.getByRole("spinbutton", { name: "Messages", exact: true }).fill("0");
      await house.standIn.script(says("They talked."));
      await house.app.rules.getByRole("button", { name: "Summarise now" }).click();
      await expect(house.app.log.getByRole("region", { name: /^Summary of/ })).toContainText("They talked.");
    },
  },
  {
    "what if, comparing": async (house) => {
      await conversation(house);
      // Short enough for the dialog: of what its edge cuts, axe is not sure.
      await house.standIn.script(says("Some **words**."));
      await house.app.exchange("And in short?");
      await house.standIn.script([text("> A quotation.\n\n- Another answer", 40), stall]);
      await house.app.act(house.app.last, "What if");
      await house.page.getByRole("button", { name: "none of the messages before it" }).click();
      await expect(house.page.getByRole("group", { name: /^The other answer/ })).toContainText("A quotation.");
    },
  },
  {
    versions: async (house) => {
      await conversation(house);
      await house.standIn.script(says("Another answer."));
      await house.app.inMessage(house.app.last, "Ask again").click();
      await house.app.ended("complete");
      await expect(house.app.last.getByRole("group", { name: "Versions" })).toBeVisible();
    },
  },
  {
    "what if, choosing": async (house) => {
      await conversation(house);
      await house.app.act(house.app.last, "What if");
      await expect(house.page.getByRole("dialog", { name: "What if…" })).toBeVisible();
    },
  },
  {
    "an answer with formulas": async ({ app, standIn }) => {
      await standIn.script(says("Of $x^2$:\n\n$$\n\\frac{a}{b} + \\sqrt{c}\n$$\n\nand $\\unknown$."));
      await app.openReady();
      await app.exchange("Maths");
      await expect(app.text(app.last).locator("math")).toHaveCount(2);
    },
    "right to left": async ({ app, standIn }) => {
      await standIn.script([text("שלום עולם. זוהי תשובה עם `code` באמצע.\n\n- אחת\n- שתיים", 4), done()]);
      await app.exchange("مرحبا بالعالم، كيف حالك؟");
    },
    "a long question, folded": async ({ app, standIn }) => {
      await standIn.script(says("Noted."));
      await app.exchange("A line of a file that was pasted\n".repeat(40));
      await expect(app.log.getByRole("button", { name: "Show all 40 lines" })).toBeVisible();
    },
    failed: async ({ app, standIn }) => {
      await standIn.script([status(502, "text/html", `<html>${"x".repeat(300)}`)]);
      await app.ask("A question?");
      await app.ended("failed");
    },
    "renaming, with a toast": async ({ app, page, standIn }) => {
      await app.newChat();
      await standIn.script(says("Yes."));
      await app.exchange("To be deleted");
      await app.inList("To be deleted", "Delete");
      await app.rows.first().locator(".chat-open").press("F2");
      await expect(page.getByRole("textbox", { name: "Chat name" })).toBeFocused();
    },
    "a temporary chat": async ({ app, page, standIn }) => {
      await standIn.script(says("Yes."));
      await page.keyboard.press("Escape");
      await page.keyboard.press("Alt+Shift+n");
      await app.exchange("Nowhere?");
      await expect(page.getByRole("button", { name: "Keep this chat" })).toBeVisible();
    },
  },
  {
    interrupted: async ({ app, standIn }) => {
      await standIn.script([text("Half an", 1), { do: "end" }]);
      await app.openReady();
      await app.ask("A question?");
      await app.ended("interrupted");
    },
  },
  {
    stopped: async ({ app, standIn }) => {
      await standIn.script([text("Half an", 1), stall]);
      await app.openReady();
      await app.ask("A question?");
      await app.streaming();
      await app.stop.click();
      await app.ended("stopped");
    },
  },
  {
    thinking: async ({ app, standIn }) => {
      await standIn.models({ set: "tests" });
      await app.open();
      await app.chooseModel("tinythink:latest");
      await app.exchange("Think");
      await expect(app.last.getByText("Thought")).toBeVisible();
    },
  },
  {
    "does not fit": async ({ app, page, standIn }) => {
      await standIn.settings({ num_ctx: 256 });
      await app.openReady();
      await app.ask("long ".repeat(300));
      await app.ended("failed");
      await expect(page.getByRole("button", { name: "Mute this question from now on" })).toBeVisible();
    },
  },
  {
    "an offer to include a message": async (house) => {
      await referring(house);
      await expect(house.page.getByRole("group", { name: "Suggestion" })).toBeVisible();
    },
    "what goes with the draft by itself": async (house) => {
      await house.app.recallByItself();
      await expect(house.page.getByRole("region", { name: "Recalled for this prompt" })).toBeVisible();
    },
    "a question with recalled messages": async (house) => {
      await house.standIn.script(says("Small."));
      await house.app.composer.press("Enter");
      await house.app.ended("complete");
      await house.app.log.locator(".recalled summary").click();
      await expect(house.app.log.getByRole("button", { name: "Remove them" })).toBeVisible();
    },
  },
  {
    "a message included": async (house) => {
      await referring(house);
      await house.page.getByRole("button", { name: "Include it" }).click();
      await expect(house.page.getByRole("region", { name: "Recalled for this prompt" })).toBeVisible();
    },
  },
  {
    "chats about to be moved": async ({ app, page }) => {
      await openWithChats(app, 200);
      await app.inList("Chat 1", "Move to folder…");
      await expect(page.getByRole("dialog", { name: "Move to a folder" })).toBeVisible();
    },
    "the settings of a folder": async ({ app, page }) => {
      await page.keyboard.press("Escape");
      await app.openFromFoot("New folder…");
      const dialog = page.getByRole("dialog", { name: "Folder" });
      await dialog.getByText("Parameters").click();
      await expect(dialog.getByRole("textbox", { name: "temperature" })).toBeVisible();
    },
    "a reminder of the export": async ({ app, page }) => {
      await page.keyboard.press("Escape");
      await app.openFromFoot("Trash");
      await expect(new Library(page).button("Do not remind me")).toBeVisible();
    },
    "chats selected, one of them in a folder": async ({ app, page }) => {
      await page.keyboard.press("Escape");
      await app.inList("Chat 2", "Pin");
      await app.inList("Chat 3", "Move to folder…");
      await page.getByRole("dialog").getByRole("textbox", { name: "A new folder" }).fill("Work");
      await page.keyboard.press("Enter");
      await app.inList("Chat 4", "Archive");
      await app.inList("Chat 3", "Select");
    },
  },
  {
    "prompts in the settings, one being edited": async ({ app, page }) => {
      await app.openReady();
      await keepPrompt(page, "Explain", "Explain {{what}}.");
      await page.getByRole("button", { name: "Edit the prompt Explain" }).click();
      await page.locator("#prompt-name").fill("");
      await page.locator("dialog.prompt-edit").getByRole("button", { name: "Save" }).click();
      await expect(page.getByText("A prompt needs a name.")).toBeVisible();
    },
  },
  {
    "the list of prompts and commands": async ({ app, page }) => {
      await app.openReady();
      await keepPrompt(page, "Explain", "Explain {{what}}.");
      await page.keyboard.press("Escape");
      await app.composer.focus();
      await page.keyboard.type("/");
      await expect(page.getByRole("listbox", { name: "Prompts and commands" })).toBeVisible();
    },
    "placeholders of a prompt": async ({ page }) => {
      await page.keyboard.type("expl");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("textbox", { name: "what" })).toBeFocused();
    },
  },
  {
    "a long text that was pasted, and a block": async ({ app, page }) => {
      await app.openReady();
      const text = "A line that was pasted\n".repeat(70);
      await app.composer.fill(text);
      await paste(page, [], text);
      await page.getByRole("button", { name: "Collapse it" }).click();
      await app.composer.fill(text);
      await paste(page, [], text);
      await expect(page.getByRole("button", { name: "Collapse it" })).toBeVisible();
    },
  },
  {
    "search: results, and one chosen": async ({ app, page }) => {
      await openWithMessages(app, 60);
      const library = new Library(page);
      await library.search("question");
      await expect(library.results).toHaveCount(20);
      await library.field.press("ArrowDown");
    },
  },
  {
    "search: nothing found": async ({ app, page }) => {
      await openWithMessages(app, 12);
      const library = new Library(page);
      await library.search("zebra");
      await expect(library.note).toHaveText("No message contains all of these words.");
    },
  },
  {
    "export and import, a file looked at": async ({ app, page }) => {
      await openWithMessages(app, 12);
      await app.openFromFoot("Export");
      const library = new Library(page);
      const [download] = await Promise.all([page.waitForEvent("download"), library.button("Export").click()]);
      await library.dialog.getByLabel("Files to import").setInputFiles((await download.path())!);
      await expect(library.dialog).toContainText("1 chat: 1 here already");
    },
    "trash, about to be emptied": async ({ app, page }) => {
      await page.keyboard.press("Escape");
      await app.chat("A long chat").hover();
      await app.inList("A long chat", "Delete");
      await app.reload();
      await app.openFromFoot("Trash");
      const library = new Library(page);
      await library.button("Empty trash…").click();
      await expect(library.button("Keep them")).toBeFocused();
    },
  },
  {
    "storage, with something to pack and something set aside": async ({ app, page }) => {
      // Idle for more than a week, which can be packed, but not for a month, which would be packed without asking.
      await openWithMessages(app, 60, {}, " and so on and on and on", Date.now() - 10 * 86_400_000);
      await page.evaluate(() => {
        localStorage.setItem("sash:bad:sash:m:x", "1|00000000|{}");
        localStorage.setItem("theirs", "x".repeat(3_900_000));
      });
      await app.newChat();
      await app.openFromFoot("Storage");
      const library = new Library(page);
      await expect(library.dialog).toContainText("More than two thirds are used");
      await expect(library.button("Compress")).toBeEnabled();
      await library.button("Delete everything…").click();
    },
  },
  {
    "Ollama away": async ({ app, page, programs }) => {
      const sash = await programs.sash(`http://127.0.0.1:${await freePort()}`);
      await page.goto(sash.url);
      await expect(app.panel.getByRole("heading", { name: "Ollama is not reachable" })).toBeVisible();
    },
    demo: async ({ app, page }) => {
      await app.panel.getByRole("button", { name: "Try the demo" }).click();
      await expect(page.getByRole("button", { name: "Back to Ollama" })).toBeVisible();
      await expect(app.model).toBeEnabled();
    },
  },
  {
    "no model": async ({ app, standIn }) => {
      await standIn.models({ set: "none" });
      await app.open();
      await expect(app.panel.getByRole("heading", { name: "No model yet" })).toBeVisible();
    },
  },
  {
    pulling: async ({ app, page, standIn }) => {
      await standIn.models({ set: "none" });
      await standIn.catalogue([{ name: "big", layers: [{ digest: "a".repeat(64), size: 9_000_000_000 }], speed: 1_000_000 }]);
      await app.open();
      await app.panel.getByRole("textbox", { name: "Model name" }).fill("big");
      await app.panel.getByRole("button", { name: "Pull", exact: true }).click();
      await expect(page.getByRole("progressbar", { name: /^Layer/ })).toBeVisible();
    },
  },
  {
    "pull failed": async ({ app, standIn }) => {
      await standIn.models({ set: "none" });
      await app.open();
      await app.panel.getByRole("textbox", { name: "Model name" }).fill("nothing-of-that-name");
      await app.panel.getByRole("button", { name: "Pull", exact: true }).click();
      await expect(app.panel).toContainText("the registry has no model of this name");
    },
  },
  {
    "pull dialog": async ({ app, page }) => {
      await app.openReady();
      await app.openFromPicker("Pull another model…");
      await expect(page.getByRole("dialog", { name: "Pull a model" })).toBeVisible();
    },
  },
  {
    "the models": async ({ app, standIn }) => {
      await standIn.models({ add: ["tinyembed"] });
      await app.openReady();
      const models = new ModelsPage(app);
      await models.open();
      await models.row("llama3.2").getByRole("button", { name: "Load llama3.2" }).click();
      await expect(models.loaded).toContainText("left");
      await models.button("Delete qwen3:4b").click();
      await expect(models.button("Keep it")).toBeFocused();
    },
  },
  {
    "several pulls": async ({ app, standIn }) => {
      await standIn.catalogue([{ name: "big", layers: [{ digest: "a".repeat(64), size: 9_000_000_000 }], speed: 1_000_000 }]);
      await app.openReady();
      const models = new ModelsPage(app);
      await models.open();
      await models.pull("big");
      await models.pull("nothing-of-that-name");
      await expect(models.bar(/^Layer/)).toBeVisible();
      await expect(models.pulls).toContainText("the registry has no model of this name");
    },
    "the details of a model": async ({ app }) => {
      const models = new ModelsPage(app);
      await models.button("llama3.2").click();
      await models.dialog.getByText("Template", { exact: true }).click();
      await models.dialog.getByText("Modelfile", { exact: true }).click();
      await expect(models.dialog.getByRole("group", { name: "Modelfile" })).toBeVisible();
    },
  },
  {
    "token form": async ({ page, programs, standIn }) => {
      const sash = await programs.sash(standIn.url, "--token", "a-token-for-the-tests-0123456789");
      await page.goto(sash.url);
      await expect(page.getByRole("form", { name: "Token" })).toBeVisible();
    },
  },
  {
    "nothing saved": async ({ app, page }) => {
      await page.addInitScript(() => {
        Object.defineProperty(window, "localStorage", {
          get() {
            throw new DOMException("Access is denied for this document.", "SecurityError");
          },
        });
      });
      await app.openReady();
      await expect(page.getByText("Nothing is being saved")).toBeVisible();
    },
  },
  {
    "could not start": async ({ app, page }) => {
      await page.route(/\.wasm$/, (route) => route.fulfill({ status: 404 }));
      await page.goto(app.url);
      await expect(page.getByRole("heading", { name: "Sash could not start" })).toBeVisible();
    },
  },
  {
    "values that gave way in another browser": async ({ app, page }) => {
      const at = 1e12;
      await openWithMessages(app, 12, { ...STEERED, former_values: [{ field: "title", value: "Another name of the chat", at }, { field: "think", at }] });
      await expect(page.getByRole("button", { name: "Use this value of Title" })).toBeVisible();
    },
    "steered: a pin, a mute, a fresh start, the edge in focus": async ({ app, page }) => {
      await app.edge.focus();
      await page.keyboard.press("ArrowDown");
      await expect(page.locator(".margin-mark")).toHaveCount(2);
    },
  },
  {
    "the rules": async ({ app }) => {
      await openWithMessages(app, 12);
      await app.openRules();
    },
  },
  {
    "images, and a file before it goes": async ({ app, page, standIn }) => {
      await standIn.models({ add: ["tinyeyes"] });
      await app.open();
      await app.chooseModel("tinyeyes:latest");
      const drafted = page.getByRole("list", { name: "Images of this prompt" }).getByRole("listitem");
      await drop(page, [await picture(page, "a.png", [40, 30])]);
      await expect(drafted).toHaveCount(1);
      await app.exchange("What is it?");
      await drop(page, [await picture(page, "b.png", [50, 30])]);
      await expect(drafted).toHaveCount(1);
      await drop(page, [{ name: "guide.md", mimeType: "text/markdown", buffer: Buffer.from("# One\na\n# Two\nb\n") }]);
      await expect(page.locator("dialog.file-dialog").getByRole("checkbox")).toHaveCount(2);
    },
  },
  {
    "narrow, list open": async (house) => {
      await conversation(house);
      await house.page.setViewportSize({ width: 320, height: 640 });
      await house.page.getByRole("button", { name: "Chats", exact: true }).click();
      await expect(house.app.chats.getByRole("button", { name: "New chat" })).toBeInViewport();
    },
  },
  {
    "what the model sees": async (house) => {
      await house.standIn.settings({ num_ctx: 512 });
      await conversation(house);
      const panel = new Panel(house.page);
      await panel.open();
      const { dialog, field } = await panel.editSystem();
      await field.fill("Be brief. ".repeat(80));
      await dialog.getByRole("button", { name: "Save", exact: true }).click();
      await panel.literal("JSON");
      await panel.literal("curl");
      await house.app.composer.fill("word ".repeat(60));
      await expect(panel.turns.getByRole("button", { name: "Show all" }).first()).toBeVisible();
    },
  },
  {
    "the system prompt": async ({ app, page }) => {
      await app.openReady();
      const panel = new Panel(page);
      await panel.open();
      const { dialog, field } = await panel.editSystem();
      await field.fill("Be brief. ".repeat(80));
      await dialog.getByRole("textbox", { name: "Name in the library" }).fill("Brief");
      await page.keyboard.press("Enter");
      await expect(dialog.getByRole("button", { name: "Brief", exact: true })).toBeVisible();
    },
  },
  {
    "several models, side by side": async ({ app, page, standIn }) => {
      await standIn.models({ add: ["tinytool"] });
      await app.open();
      await app.chooseModel("llama3.2:latest");
      await app.composer.fill("Which?");
      await app.openFromPicker("Ask several models…");
      await page.locator('.model-box[data-model="tinytool:latest"]').click();
      await standIn.script(says("One."));
      await standIn.script([text("Two", 40), stall]);
      await page.getByRole("button", { name: "Ask 2 models" }).click();
      await expect(page.getByRole("dialog", { name: "Side by side" }).getByText("One.")).toBeVisible();
      await expect(page.getByRole("button", { name: "Stop all" })).toBeVisible();
    },
  },
  {
    "the map of the branches": async ({ app, page, standIn }) => {
      for (const words of ["One.", "Two.", "Three.", "Four."]) await standIn.script(says(words));
      await app.openReady();
      await app.exchange("Which?");
      for (const n of [2, 3, 4]) {
        await app.inMessage(app.last, "Ask again").click();
        await expect(app.last.getByRole("group", { name: "Versions" })).toContainText(`${n}/${n}`);
        await app.ended("complete");
      }
      await page.getByRole("button", { name: /map of the branches/ }).click();
      await expect(page.getByRole("treeitem")).toHaveCount(4);
    },
  },
  {
    "the key of the backup, refused": async ({ app, page, standIn, programs }) => {
      const place = await mkdtemp(join(tmpdir(), "sash-axe-"));
      places.push(place);
      const { url } = await programs.sash(standIn.url, "--backup", join(place, "backup"));
      await page.goto(url.split("#")[0]);
      await app.ready();
      await app.openFromFoot("Export");
      const library = new Library(page);
      await library.dialog.getByLabel("Backup key, or the whole address").fill("0".repeat(64));
      await library.button("Use this key").click();
      await expect(library.dialog.getByRole("alert").first()).toContainText("missing or wrong");
    },
  },
  {
    "the backup, in step, and what is restored from it": async (house) => {
      const library = await backedUp(house);
      await house.app.openFromFoot("Export");
      await expect(library.dialog).toContainText("Last written");
      await library.dialog.getByLabel("Sync with the backup").check();
      await library.button("Restore chats…").click();
      await expect(library.dialog.getByRole("list", { name: "Chats of the backup" }).getByRole("checkbox")).toHaveCount(1);
    },
  },
  {
    "the trash, and whether the backup is meant too": async (house) => {
      const library = await backedUp(house);
      await house.app.inList("Where was the conference?", "Delete");
      await house.app.openFromFoot("Trash");
      await library.button("Empty trash…").click();
      await expect(library.dialog.getByRole("checkbox", { name: "Delete from the backup too" })).toBeChecked();
    },
  },
  {
    "the first screen of a second browser, and the browsers of the backup": async ({ app, page, standIn, programs }) => {
      const place = await mkdtemp(join(tmpdir(), "sash-axe-"));
      places.push(place);
      const sash = await programs.sash(standIn.url, "--backup", join(place, "backup"));
      await standIn.script(says("It was in Lyon."));
      await page.goto(sash.url);
      await app.ready();
      await app.exchange("Where was the conference?");
      await expect.poll(() => chatsIn(join(place, "backup")), { timeout: 15_000 }).toHaveLength(1);
      // A browser that has left the backup is another one when it comes back.
      const library = new Library(page);
      await app.openFromFoot("Storage");
      await library.button("Delete everything…").click();
      await library.button("Delete everything").click();
      await app.started();
      await page.goto(await sash.nextUrl());
      await app.started();
      await expect(page.locator(".banner", { hasText: "The backup has 1 chat that is not in this browser:" })).toBeVisible();
      await app.openFromFoot("Export");
      await expect(library.dialog.getByRole("button", { name: /^Remove Chrome/ })).toBeVisible();
    },
  },
  {
    "everything, and whether the backup is meant too": async (house) => {
      const library = await backedUp(house);
      await house.app.openFromFoot("Storage");
      await library.dialog.getByRole("radio", { name: "In the backup too" }).check();
      await library.button("Delete everything…").click();
      await expect(library.button("Keep everything")).toBeFocused();
    },
  },
];

/** States that are what they are in one view only. */
const NARROW = ["narrow, list open"];

/** States made of parts that another state shows too: the one behind it is scanned by default. */
const SHOWN_ELSEWHERE = [
  "waiting", // streaming
  "stopped", // failed
  "interrupted", // failed
  "versions", // editing
  "a message included", // what goes with the draft by itself
  "what if, choosing", // what if, comparing
  "the rules", // the rules, with recall by itself
  "search: nothing found", // search: results, and one chosen
  "pulling", // several pulls
  "pull dialog", // several pulls
  "the models", // the details of a model
  "no model", // pull failed
  "everything, and whether the backup is meant too", // the trash, and whether the backup is meant too
];

// The views are spread over the states: each is that of a quarter of them.
const views = Object.fromEntries(WALKS.flatMap(Object.keys).map((state, n) => [state, VIEWS[NARROW.includes(state) ? 2 : n % VIEWS.length]]));
const others = (state: string) => VIEWS.filter((view) => view !== views[state]);

for (const walk of WALKS) {
  const states = Object.keys(walk);
  for (const [title, tag, viewsOf] of [
    [`axe: ${states.join("; ")}`, states.every((state) => SHOWN_ELSEWHERE.includes(state)) ? ["@all"] : [], (state) => [views[state]]],
    [`axe: ${states.join("; ")}, in the other views`, ["@all"], others],
  ] as [string, string[], (state: string) => View[]][]) {
    test(title, { tag }, async ({ app, page, standIn, programs, watch }) => {
      watch.allow(/Sash could not start/);
      test.setTimeout(30_000 + 15_000 * states.length);
      for (const [state, prepare] of Object.entries(walk)) {
        await test.step(state, async () => {
          await show(page, VIEWS[0]);
          await prepare({ app, page, standIn, programs });
          await scan(page, state, viewsOf(state));
        });
      }
    });
  }
}
