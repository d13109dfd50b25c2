// The backup in a folder that the person chooses in the browser. The dialog of the system cannot be driven, so it gives a
// folder of the browser's own (OPFS), which is one of the same kind; what the browser says of permission is decided here.
import type { Page } from "@playwright/test";
import { expectNoViolations } from "../support/axe";
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
  await expect(library.dialog).toContainText("In the folder “My chats” of this device. Last written");
  await expect(library.dialog).not.toContainText("in sync");
  await expectNoViolations(app.page);
  await library.close();
  expect(Object.keys(await files(app.page)).filter((path) => path.startsWith("chats/"))).toHaveLength(1);
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
  await library.button("Bring back chats…").click();
  await expect(library.dialog).toContainText("0 of 1 selected");
  await library.button("Stop backing up this browser").click();
  await expect(library.button("Choose a folder…")).toBeVisible();
  await app.page.reload();
  await app.ready();
  await app.openFromFoot("Export");
  await expect(library.button("Choose a folder…")).toBeVisible();
});
