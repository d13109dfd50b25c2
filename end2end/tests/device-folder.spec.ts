// The backup in a folder that the person chooses in the browser. The dialog of the system cannot be driven, so it gives a
// folder of the browser's own (OPFS), which is one of the same kind; what the browser says of permission is decided here.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import { expectNoViolations } from "../support/axe";
import { filesOf } from "../support/backup";
import { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { says } from "../support/standIn";

/** Replaces the dialog, and what the browser says of permission. */
async function replaceDialog(page: Page) {
  await page.addInitScript(() => {
    const root = () => navigator.storage.getDirectory();
    const picker = async () => (await root()).getDirectoryHandle("My chats", { create: true });
    Object.assign(window, { showDirectoryPicker: picker });
    const says = () => Promise.resolve(localStorage.getItem("test-permission") ?? "granted");
    Object.assign(FileSystemHandle.prototype, { queryPermission: says, requestPermission: says });
  });
}

/** All files of the folder with their texts. */
function files(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const found: Record<string, string> = {};
    const walk = async (folder: FileSystemDirectoryHandle, path: string) => {
      for await (const [name, handle] of (folder as unknown as { entries(): AsyncIterable<[string, FileSystemHandle]> }).entries()) {
        if (handle.kind === "directory") await walk(handle as FileSystemDirectoryHandle, `${path}${name}/`);
        else found[path + name] = await (await (handle as FileSystemFileHandle).getFile()).text();
      }
    };
    const root = await navigator.storage.getDirectory();
    await walk(await root.getDirectoryHandle("My chats", { create: true }), "");
    return found;
  });
}

/** Puts files into the folder. */
const fill = (page: Page, files: Record<string, string>): Promise<void> =>
  page.evaluate(async (files) => {
    const root = await navigator.storage.getDirectory();
    const chosen = await root.getDirectoryHandle("My chats", { create: true });
    for (const [path, text] of Object.entries(files)) {
      const names = path.split("/");
      let folder = chosen;
      for (const name of names.slice(0, -1)) folder = await folder.getDirectoryHandle(name, { create: true });
      const stream = await (await folder.getFileHandle(names.at(-1)!, { create: true })).createWritable();
      await stream.write(text);
      await stream.close();
    }
  }, files);

const texts = async (page: Page) => Object.values(await files(page)).join("");

test("a chosen folder has each change; the browser that asks again is waited for; everything comes back", async ({
  app,
  standIn,
}) => {
  await replaceDialog(app.page);
  await app.openReady();
  await standIn.script(says("It was in Lyon."));
  await app.exchange("Where was the conference?");
  const library = new Library(app.page);
  await app.openFromFoot("Export");
  // A folder of something else is refused, and nothing is written there.
  await app.page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle("My chats", { create: true });
    await folder.getFileHandle("letter.txt", { create: true });
  });
  await library.button("Choose a folder…").click();
  await expect(library.dialog.getByRole("alert")).toContainText("This folder contains other files");
  expect(Object.keys(await files(app.page))).toEqual(["letter.txt"]);
  await app.page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    await (await root.getDirectoryHandle("My chats")).removeEntry("letter.txt");
  });
  await library.button("Choose a folder…").click();
  await expect(library.dialog).toContainText("In the folder “My chats” of this device. All chats of this browser are in the backup. Last written");
  await expect(library.dialog.getByLabel("Sync with the backup")).toHaveCount(0);
  await expectNoViolations(app.page);
  await library.close();
  expect(Object.keys(await files(app.page)).filter((path) => /^chats\/[0-9a-f]{16}\/[0-9a-f]{16}\.jsonl$/.test(path))).toHaveLength(1);
  expect(await texts(app.page)).toContain("It was in Lyon.");
  await standIn.script(says("In June."));
  await app.exchange("And when?");
  await expect.poll(() => texts(app.page), { timeout: 15_000 }).toContain("In June.");

  // After a reload the browser wants to ask again: the page says so at once, and goes on when the person agrees.
  await app.page.evaluate(() => localStorage.setItem("test-permission", "prompt"));
  await app.page.reload();
  await app.ready();
  await expect(app.page.getByText("The browser needs your permission again before Sash can write")).toBeVisible();
  await standIn.script(says("By train."));
  await app.exchange("How did we travel?");
  await expectNoViolations(app.page);
  await app.page.evaluate(() => localStorage.setItem("test-permission", "granted"));
  await app.page.getByRole("button", { name: "Allow it" }).click();
  await expect(app.page.getByText("The browser needs your permission again")).toHaveCount(0);
  await expect.poll(() => texts(app.page), { timeout: 15_000 }).toContain("By train.");

  // Everything is here, so nothing is chosen. A folder that is forgotten stays so.
  await app.openFromFoot("Export");
  await library.button("Restore chats…").click();
  await expect(library.dialog).toContainText("0 of 1 selected");
  await library.button("Stop backing up this browser").click();
  await expect(library.button("Choose a folder…")).toBeVisible();
  await app.page.reload();
  await app.ready();
  await app.openFromFoot("Export");
  await expect(library.button("Choose a folder…")).toBeVisible();
});

test("a Sash takes a folder of the browser over, and a browser one of a Sash; what comes in from it is reviewed", async ({
  app,
  browser,
  programs,
  standIn,
}) => {
  const place = await mkdtemp(join(tmpdir(), "sash-device-"));
  const directory = join(place, "backup");
  const library = ({ page }: ChatPage) => new Library(page);
  /** Restores the only chat that is offered above the chat. */
  const restore = async (app: ChatPage) => {
    const offer = app.page.locator(".banner", { hasText: "The backup has 1 chat that is not in this browser:" });
    await offer.getByRole("button", { name: "Restore…" }).click();
    await expect(library(app).dialog.getByRole("checkbox", { name: /from another installation of Sash/ })).toBeChecked();
    await library(app).button("Restore").click();
    await expect(library(app).dialog).toContainText("1 chat: 1 new");
    await expect(app.rows).toHaveCount(0);
    await library(app).button("Import").click();
    await expect(library(app).dialog).toContainText("1 chat imported.");
    await library(app).close();
    await app.rows.first().locator(".chat-open").click();
  };
  try {
    await replaceDialog(app.page);
    await app.openReady();
    await standIn.script(says("It was in Lyon."));
    await app.exchange("Where was the conference?");
    await app.openFromFoot("Export");
    await library(app).button("Choose a folder…").click();
    await expect(library(app).dialog).toContainText("In the folder “My chats” of this device. All chats of this browser are in the backup. Last written");
    for (const [path, text] of Object.entries(await files(app.page))) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), text);
    }

    // A Sash cannot tell who wrote it: its seals are by a key of that browser.
    const sash = await programs.sash(standIn.url, "--backup", directory);
    const first = await browser.newContext();
    const there = new ChatPage(await first.newPage(), sash.url.split("/#")[0]);
    await there.page.goto(sash.url);
    await there.started();
    await there.ready();
    await restore(there);
    await expect(there.text(there.last)).toContainText("It was in Lyon.");
    await standIn.script(says("In May."));
    await there.exchange("And when?");
    const onDisk = async () => Object.values(await filesOf(directory)).join("");
    await expect.poll(onDisk, { timeout: 15_000 }).toContain("In May.");

    // And back, into a folder of another browser, with the words of both. What is read as bytes is here plain ASCII.
    const second = await browser.newContext();
    const back = new ChatPage(await second.newPage(), app.url);
    await replaceDialog(back.page);
    await back.openReady();
    await fill(back.page, await filesOf(directory));
    await back.openFromFoot("Export");
    await library(back).button("Choose a folder…").click();
    await expect(library(back).dialog).toContainText("In the folder “My chats” of this device.");
    await library(back).close();
    // Only a Sash can tell of what others write.
    await expect(back.page.locator(".banner").getByRole("button")).toHaveText(["Restore…", "Not here"]);
    await restore(back);
    await expect(back.log).toContainText("It was in Lyon.");
    await expect(back.log).toContainText("In May.");
    await second.close();

    // What is deleted for good leaves the files of whoever wrote them.
    await there.inList("Where was the conference?", "Delete");
    await there.openFromFoot("Trash");
    await library(there).button("Empty trash…").click();
    await library(there).button("Delete for good").click();
    await expect.poll(onDisk, { timeout: 15_000 }).not.toContain("Lyon");
    await first.close();
  } finally {
    await rm(place, { recursive: true, force: true });
  }
});
