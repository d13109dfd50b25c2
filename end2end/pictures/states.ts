// The states of the page that the gallery shows.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Page } from "@playwright/test";
import { expect } from "../support/fixtures";
import type { ChatPage } from "../support/chatPage";
import { Library } from "../support/library";
import { openWithMessages } from "../support/log";
import { ModelsPage } from "../support/models";
import { Panel } from "../support/panel";
import { freePort, type Program } from "../support/programs";
import { keepPrompt } from "../support/prompts";
import { done, says, stall, status, text, type StandIn } from "../support/standIn";
import { fakeVoices } from "../support/voices";
import { converse, listModels, openWithList } from "./content";

export interface House {
  app: ChatPage;
  page: Page;
  standIn: StandIn;
  programs: { sash(ollama: string, ...more: string[]): Promise<Program> };
}

interface State {
  /** What the picture shows, in the words of its heading. */
  title: string;
  /** Brings the page there. */
  prepare(house: House): Promise<unknown>;
  /** What is left to be done on a phone. */
  onPhone?(house: House): Promise<unknown>;
}

/** A conversation beside a list of chats. */
async function open({ app, standIn }: House): Promise<void> {
  await listModels(standIn);
  await openWithList(app);
  await app.newChat();
  await converse(app, standIn);
}

/** The same, and a question that is answered so. */
async function openAnd(house: House, question: string, script: Parameters<StandIn["script"]>[0]): Promise<void> {
  await open(house);
  await house.standIn.script(script);
  await house.app.ask(question);
}

/** Closes what is open, goes to the end of the chat, and does it anew: it was placed for a wide page. */
const again = (step: (house: House) => Promise<unknown>) => async (house: House) => {
  await house.page.keyboard.press("Escape");
  await house.app.log.evaluate((log) => log.scrollTo(0, log.scrollHeight));
  await step(house);
};

const showList = ({ page }: House) => page.getByRole("button", { name: "Chats", exact: true }).click();

/** Each under the name of its pictures. */
export const STATES: Record<string, State> = {
  first: { title: "The first screen", prepare: ({ app }) => app.openReady() },
  empty: {
    title: "A new chat",
    prepare: async ({ app }) => {
      await openWithList(app);
      await app.newChat();
    },
  },
  open: { title: "An open chat", prepare: open },
  streaming: {
    title: "An answer on its way",
    prepare: async (house) => {
      await openAnd(house, "And what would a test for it look like?", [text("A sash that is pushed above its frame is **refused**, and one that is pushed", 12), stall]);
      await house.app.streaming();
    },
  },
  next: {
    title: "Prompts that wait for an answer",
    prepare: async (house) => {
      await openAnd(house, "And what would a test for it look like?", [text("A sash that is pushed above its frame is **refused**, and one that is pushed", 12), stall]);
      await house.app.streaming();
      await house.app.ask("Write it with a table of cases.");
      await expect(house.app.composer).toHaveValue("");
    },
  },
  slash: {
    title: "Commands and prompts after a slash",
    prepare: async (house) => {
      await open(house);
      await house.app.composer.fill("/");
      await expect(house.page.getByRole("listbox", { name: "Prompts and commands" })).toBeVisible();
    },
  },
  thinking: {
    title: "A model that thinks",
    prepare: async (house) => {
      await house.standIn.models({ add: ["tinythink"] });
      await openWithList(house.app, "tinythink");
      await house.app.newChat();
      await house.app.chooseModel("tinythink:latest");
      await house.standIn.script([{ do: "thinking", text: "The person asks for the weight. The sash has 12 kg of glass and 6 kg of wood, so two weights of 9 kg each." }, stall]);
      await house.app.ask("How heavy must the weights be for a sash of 18 kg?");
      await expect(house.app.last.locator(".thinking-text")).toBeVisible();
    },
  },
  tool: {
    title: "A tool was called",
    prepare: async (house) => {
      const { app, page, standIn } = house;
      await standIn.models({ add: ["tinytool"] });
      await openWithList(app, "tinytool");
      await app.newChat();
      await app.chooseModel("tinytool:latest");
      await page.getByRole("button", { name: /^Tools/ }).click();
      const dialog = page.getByRole("dialog", { name: "Tools of this chat" });
      await dialog.getByRole("checkbox", { name: "Calculator" }).check();
      await dialog.getByRole("button", { name: "Close" }).click();
      await standIn.script([{ do: "tool_calls", calls: [{ id: "a", function: { name: "calculate", arguments: { expression: "1.2 * 1.6 * 2.5 * 4" } } }] }, done()]);
      await standIn.script(says("The pane weighs about **19.2 kg**: 1.2 m by 1.6 m by 4 mm, at 2.5 kg for each square metre and millimetre."));
      await app.ask("How heavy is a pane of 1.2 by 1.6 m, 4 mm thick?");
      await expect(app.messages).toHaveCount(4);
      await app.ended("complete");
    },
  },
  error: {
    title: "The engine failed",
    prepare: async (house) => {
      await openAnd(house, "And what would a test for it look like?", [status(500, "application/json", '{"error":"llama runner process has terminated: out of memory"}')]);
      await house.app.ended("failed");
    },
  },
  interrupted: {
    title: "An answer was interrupted",
    prepare: async (house) => {
      await openAnd(house, "And what would a test for it look like?", [text("A sash that is pushed above its frame is", 8), { do: "end" }]);
      await house.app.ended("interrupted");
    },
  },
  panel: {
    title: "What the model sees",
    prepare: async (house) => {
      await open(house);
      await house.app.composer.fill("And what would a test for it look like?");
      await new Panel(house.page).open();
    },
  },
  receipt: {
    title: "What an answer read",
    prepare: async (house) => {
      await open(house);
      await house.app.act(house.app.last, "Details and timing");
      await expect(house.app.last.locator(".receipt")).toBeVisible();
    },
  },
  rules: {
    title: "The rules of the window",
    prepare: async (house) => {
      await open(house);
      await house.app.openRules();
    },
    onPhone: again((house) => house.app.openRules()),
  },
  "rules-more": {
    title: "The rules, with what is folded",
    prepare: async (house) => {
      await open(house);
      await house.app.openMoreRules();
    },
    onPhone: again(async (house) => {
      await house.app.openMoreRules();
      await house.app.rules.locator("summary").evaluate((more) => more.scrollIntoView());
    }),
  },
  models: {
    title: "The model picker",
    prepare: async (house) => {
      await open(house);
      await house.app.model.click();
    },
  },
  message: {
    title: "The menu of a message",
    prepare: async (house) => {
      await open(house);
      await house.app.more(house.app.last);
    },
    onPhone: again((house) => house.app.more(house.app.last)),
  },
  chat: {
    title: "The menu of a chat",
    prepare: async (house) => {
      await open(house);
      await house.page.locator("#chat-menu").click();
    },
  },
  sidebar: {
    title: "The list of chats and its menu",
    prepare: async ({ app }) => {
      await openWithList(app);
      await app.chats.locator("#sidebar-menu").click();
    },
    onPhone: again(async (house) => {
      await showList(house);
      await house.app.chats.locator("#sidebar-menu").click();
    }),
  },
  selection: {
    title: "Chats selected",
    prepare: async ({ app }) => {
      await openWithList(app);
      for (const title of ["Letter to the landlord", "Bread without kneading"]) {
        await app.chat(title).hover();
        if (title.startsWith("Letter")) await app.inList(title, "Select");
        else await app.chat(title).click();
      }
    },
    onPhone: showList,
  },
  archive: {
    title: "The archive",
    prepare: async ({ app }) => {
      await openWithList(app);
      const heading = app.chatList.getByRole("button", { name: /^Archive/ });
      await heading.scrollIntoViewIfNeeded();
      await heading.click();
      await expect(app.chat("Regular expressions for dates")).toBeVisible();
    },
    onPhone: async (house) => {
      await showList(house);
      await house.app.chatList.evaluate((list) => list.scrollTo(0, list.scrollHeight));
    },
  },
  search: {
    title: "Search",
    prepare: async (house) => {
      await open(house);
      const library = new Library(house.page);
      await library.search("sash");
      await expect(library.results.first()).toBeVisible();
      await library.field.press("ArrowDown");
    },
  },
  palette: {
    title: "Commands",
    prepare: async (house) => {
      await open(house);
      await house.page.keyboard.press("Alt+k");
      await expect(house.page.getByRole("combobox", { name: "Commands" })).toBeVisible();
    },
  },
  keys: {
    title: "Keys",
    prepare: async (house) => {
      await open(house);
      await house.app.openFromFoot("Keyboard shortcuts");
    },
  },
  settings: {
    title: "Settings",
    prepare: async (house) => {
      await open(house);
      await house.app.chats.getByRole("button", { name: "Settings", exact: true }).click();
      await expect(house.page.getByRole("dialog", { name: "Settings" })).toBeVisible();
    },
  },
  manage: {
    title: "The page of models",
    prepare: async (house) => {
      await open(house);
      await new ModelsPage(house.app).open();
    },
  },
  "no-engine": {
    title: "No engine",
    prepare: async ({ app, page, programs }) => {
      const sash = await programs.sash(`http://127.0.0.1:${await freePort()}`);
      await page.goto(sash.url);
      await expect(app.panel.getByRole("heading", { name: "Ollama is not reachable" })).toBeVisible();
    },
  },
  "no-model": {
    title: "No model",
    prepare: async ({ app, standIn }) => {
      await standIn.models({ set: "none" });
      await app.open();
      await expect(app.panel.getByRole("heading", { name: "No model yet" })).toBeVisible();
    },
  },
  sides: {
    title: "Two models side by side",
    prepare: async (house) => {
      const { app, page, standIn } = house;
      await standIn.models({ add: ["tinytool"] });
      await openWithList(app, "tinytool");
      await app.newChat();
      await app.chooseModel("llama3.2:latest");
      await app.composer.fill("Why does a sash stay where I leave it?");
      await app.openFromPicker("Ask several models…");
      await page.locator('.model-box[data-model="tinytool:latest"]').click();
      await standIn.script(says("*Weights* inside the frame pull up about as hard as the sash pulls down."));
      await standIn.script(says("Because of **friction**, and because a counterweight hangs on a cord inside the frame:\n\n1. the sash pulls down\n2. the weight pulls up\n3. the difference is small"));
      await page.getByRole("button", { name: "Ask 2 models" }).click();
      const sides = page.getByRole("dialog", { name: "Side by side" });
      await expect(sides.getByText("the difference is small")).toBeVisible();
      await expect(sides.getByText("Model: tinytool:latest")).toBeVisible();
    },
  },
  branches: {
    title: "The map of the branches",
    prepare: async (house) => {
      const { app, page, standIn } = house;
      await openWithList(app);
      await app.newChat();
      await standIn.script(says("*Weights* pull up about as hard as the sash pulls down."));
      await app.exchange("Why does it stay where I leave it?");
      for (const [n, words] of ["Friction alone.", "A spring in the frame.", "A cord, a pulley and a weight."].entries()) {
        await standIn.script(says(words));
        await app.last.hover();
        await app.inMessage(app.last, "Ask again").click();
        await expect(app.last.getByRole("group", { name: "Versions" })).toContainText(`${n + 2}/${n + 2}`);
        await app.ended("complete");
      }
      await page.getByRole("button", { name: /map of the branches/ }).click();
      await expect(page.getByRole("treeitem")).toHaveCount(4);
    },
  },
  temporary: {
    title: "A temporary chat",
    prepare: async ({ app, page, standIn }) => {
      await openWithList(app);
      await page.keyboard.press("Alt+Shift+n");
      await standIn.script(says("Then say so, calmly and early: most people would rather know."));
      await app.exchange("How do I tell a friend that his boat leaks?");
      await expect(page.getByRole("button", { name: "Keep this chat" })).toBeVisible();
    },
  },
  trash: {
    title: "The trash",
    prepare: async ({ app }) => {
      await openWithList(app);
      for (const title of ["Letter to the landlord", "Bread without kneading"]) {
        await app.chat(title).hover();
        await app.inList(title, "Delete");
        await expect(app.chat(title)).toHaveCount(0);
      }
      await app.reload();
      await app.openFromFoot("Trash");
    },
  },
  import: {
    title: "A file before it is imported",
    prepare: async ({ app, page }) => {
      await openWithList(app);
      await app.openFromFoot("Export");
      const library = new Library(page);
      const [download] = await Promise.all([page.waitForEvent("download"), library.dialog.getByRole("tabpanel").getByRole("button", { name: "Export", exact: true }).click()]);
      await library.dialog.getByLabel("Files to import").setInputFiles((await download.path())!);
      await expect(library.dialog.locator(".import-list")).toBeVisible();
    },
  },
  backup: {
    title: "The backup",
    prepare: async ({ app, page, programs, standIn }) => {
      const folder = await mkdtemp(join(tmpdir(), "sash-gallery-"));
      const sash = await programs.sash(standIn.url, "--backup", folder);
      await page.goto(sash.url);
      await app.ready();
      await converse(app, standIn);
      await app.openFromFoot("Export");
      await expect(new Library(page).dialog.locator(".backup-choice")).toBeVisible();
    },
  },
  "no-key": {
    title: "A backup without its key",
    prepare: async ({ app, page, programs, standIn }) => {
      const folder = await mkdtemp(join(tmpdir(), "sash-gallery-"));
      const sash = await programs.sash(standIn.url, "--backup", folder);
      await page.goto(sash.url.split("#")[0]);
      await app.ready();
      await expect(page.locator(".banner")).toBeVisible();
    },
  },
  former: {
    title: "A value that gave way in another browser",
    prepare: async ({ app, page }) => {
      await openWithMessages(app, 6, { former_values: [{ field: "title", value: "Another name of the chat", at: 1e12 }] });
      await expect(page.locator(".former-values")).toBeVisible();
    },
  },
  handy: {
    title: "This page on a phone",
    prepare: async (house) => {
      await open(house);
      await house.app.openFromFoot("This page on my phone…");
      await expect(house.page.getByRole("dialog", { name: "This page on my phone" })).toBeVisible();
    },
  },
  paper: {
    title: "A chat on paper",
    prepare: async (house) => {
      await open(house);
      await house.page.emulateMedia({ media: "print" });
      await house.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    },
  },
  aloud: {
    title: "An answer read aloud",
    prepare: async (house) => {
      await fakeVoices(house.page);
      await open(house);
      await house.page.evaluate(() => window.speaker.add([{ name: "Ben", lang: "en-GB", local: true }]));
      await house.app.act(house.app.last, "Read aloud");
    },
  },
  prompts: {
    title: "Prompts of one's own",
    prepare: async (house) => {
      await open(house);
      await keepPrompt(house.page, "Explain", "Explain {{what}} to {{whom}}.");
      await keepPrompt(house.page, "Brief", "Say it in three sentences.");
    },
  },
  system: {
    title: "The system prompt",
    prepare: async (house) => {
      await open(house);
      const panel = new Panel(house.page);
      await panel.open();
      const { field } = await panel.editSystem();
      await field.fill("You are a joiner who has repaired windows for forty years. Be brief.");
    },
  },
  parameters: {
    title: "Parameters",
    prepare: async (house) => {
      await open(house);
      await house.page.getByRole("button", { name: "Parameters", exact: true }).click();
      await expect(house.page.getByRole("dialog", { name: "Parameters" })).toBeVisible();
    },
  },
  numbers: {
    title: "Statistics",
    prepare: async (house) => {
      await open(house);
      await house.app.openFromFoot("Statistics");
      await expect(house.page.getByRole("dialog", { name: "Statistics" })).toBeVisible();
    },
  },
  storage: {
    title: "Storage",
    prepare: async (house) => {
      await open(house);
      await house.app.openFromFoot("Storage");
      await expect(new Library(house.page).dialog).toBeVisible();
    },
  },
  full: {
    title: "Storage that is full",
    prepare: async ({ app, page }) => {
      await openWithList(app);
      await page.evaluate(() => localStorage.setItem("theirs", "x".repeat(4_900_000)));
      await app.openFromFoot("Storage");
      await expect(new Library(page).dialog.locator(".storage-advice[data-level=full]")).toBeVisible();
    },
  },
  offline: {
    title: "The server does not answer",
    prepare: async (house) => {
      await open(house);
      await house.page.context().setOffline(true);
      await house.app.ask("And what would a test for it look like?");
      await expect(house.app.last).not.toHaveAttribute("data-state", "running");
    },
  },
};
