// Folders of the disk that several write: a browser that was given one in the dialog of the system, a Sash after it, two
// Sashes, and a program that synchronises it. The same on files in memory: rooms/backup/src/tests/store/shared_directory.rs.
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "@playwright/test";
import { backedUp, filesOf, tornCopies } from "../support/backup";
import { Profile } from "../support/browser";
import { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { agreeingAgain, chooseFolder } from "../support/folderDialog";
import { Library } from "../support/library";
import { freePort } from "../support/programs";
import { Screen } from "../support/screen";
import { says } from "../support/standIn";

let place: string;
test.beforeEach(async () => void (place = await mkdtemp(join(tmpdir(), "sash-disk-"))));
test.afterEach(() => rm(place, { recursive: true, force: true }));

/** A page of its own that syncs with the backup. */
async function openInStep(browser: Browser, url: string): Promise<ChatPage> {
  const context = await browser.newContext();
  const app = new ChatPage(await context.newPage(), url.split("/#")[0]);
  await app.page.goto(url);
  await app.started();
  await app.ready();
  const library = new Library(app.page);
  await app.openFromFoot("Export");
  await library.dialog.getByLabel("Sync with the backup").check();
  await library.close();
  return app;
}

test("a folder that was chosen in the dialog of the system is taken over by a Sash with --backup, and back", { tag: "@all" }, async ({
  browser,
  launchOptions,
  programs,
  standIn,
}) => {
  test.skip(!Screen.exists, "needs Xvfb");
  test.setTimeout(120_000);
  const folder = join(place, "My chats");
  await mkdir(folder);
  const texts = () => backedUp(folder);
  const screen = await Screen.start();
  const profile = new Profile(launchOptions.executablePath ?? "chromium", screen.display);
  try {
    const listen = ["--listen", `127.0.0.1:${await freePort()}`];
    const sash = await programs.sash(standIn.url, ...listen);
    let app = new ChatPage(await profile.start(), sash.url);
    await app.openReady();
    await standIn.script(says("It was in Lyon."));
    await app.exchange("Where was the conference?");
    let library = new Library(app.page);
    await app.openFromFoot("Export");
    await chooseFolder(screen, folder, () => library.button("Choose a folder…").click());
    await expect(library.dialog).toContainText("In the folder “My chats” of this device. All chats of this browser are in the backup. Last written");
    await library.close();
    expect(await texts()).toContain("It was in Lyon.");
    await profile.close();

    // A Sash that is given the folder offers what is in it, and leaves it as it is.
    const before = await filesOf(join(folder, "chats"));
    const keeper = await programs.sash(standIn.url, "--backup", folder);
    const context = await browser.newContext();
    const other = new ChatPage(await context.newPage(), keeper.url.split("/#")[0]);
    await other.page.goto(keeper.url);
    await other.started();
    await other.ready();
    const there = new Library(other.page);
    await other.page.locator(".banner").getByRole("button", { name: "Restore…" }).click();
    await expect(there.dialog).toContainText("from another installation of Sash");
    await there.button("Restore").click();
    await expect(there.dialog).toContainText("1 chat: 1 new");
    await there.button("Import").click();
    await expect(there.dialog).toContainText("1 chat imported.");
    await there.close();
    await other.chat("Where was the conference?").click();
    await standIn.script(says("In June."));
    await other.exchange("And when?");
    await expect.poll(texts, { timeout: 15_000 }).toContain("In June.");
    expect(await filesOf(join(folder, "chats"))).toMatchObject(before);
    await context.close();
    await keeper.stop();

    // The browser that had it first asks again, finds what was written meanwhile, and goes on.
    app = new ChatPage(await profile.start(), sash.url);
    await app.openReady();
    await agreeingAgain(screen, () => app.page.getByRole("button", { name: "Allow it" }).click());
    library = new Library(app.page);
    await app.openFromFoot("Export");
    await library.button("Restore chats…").click();
    await library.dialog.getByRole("checkbox", { name: /Where was the conference\?/ }).check();
    await library.button("Restore").click();
    await library.button("Import").click();
    await expect(library.dialog).toContainText("imported.");
    await library.close();
    await expect(app.text(app.last)).toHaveText("In June.");
    await standIn.script(says("By train."));
    await app.exchange("How did we travel?");
    await expect.poll(texts, { timeout: 15_000 }).toContain("By train.");
    expect(await tornCopies(folder)).toEqual([]);
  } finally {
    await profile.remove();
    await screen.close();
  }
});

test("what a browser of one Sash writes appears in that of another on the same folder, and an older file that is put back loses nothing", { tag: "@all" }, async ({
  browser,
  programs,
  standIn,
}) => {
  // Each looks at the folder every half minute.
  test.setTimeout(240_000);
  const waits = { timeout: 60_000 };
  const folder = join(place, "backup");
  const kitchen = await openInStep(browser, (await programs.sash(standIn.url, "--backup", folder)).url);
  const upstairs = await openInStep(browser, (await programs.sash(standIn.url, "--backup", folder)).url);
  await standIn.script(says("It was in Lyon."));
  await kitchen.exchange("Where was the conference?");
  await expect(upstairs.rows).toHaveCount(1, waits);
  await upstairs.chat("Where was the conference?").click();
  await expect(upstairs.text(upstairs.last)).toHaveText("It was in Lyon.");

  const lyon = async () => Object.entries(await filesOf(join(folder, "chats"))).filter(([, text]) => text.includes("Lyon"));
  await expect.poll(async () => (await lyon()).length, waits).toBe(2);
  const older = await lyon();
  await standIn.script(says("In June."));
  await upstairs.exchange("And when?");
  await expect(kitchen.text(kitchen.last)).toHaveText("In June.", waits);
  const june = async () => (await lyon()).filter(([, text]) => text.includes("In June.")).length;
  await expect.poll(june, waits).toBe(2);

  // A synchronising program brings the files of an earlier moment, each as a whole, and a copy of its own beside.
  for (const [path, text] of older) {
    const at = join(folder, "chats", path);
    await writeFile(`${at}.part`, text, "latin1");
    await rename(`${at}.part`, at);
    await writeFile(at.replace(".jsonl", " (conflicted copy).jsonl"), text, "latin1");
  }
  await expect.poll(june, waits).toBe(2);
  for (const app of [kitchen, upstairs]) await expect(app.messages).toHaveCount(4);

  // Deleted for good it leaves the copies beside, too.
  await kitchen.inList("Where was the conference?", "Delete");
  const library = new Library(kitchen.page);
  await kitchen.openFromFoot("Trash");
  await library.button("Empty trash…").click();
  await library.button("Delete for good").click();
  await expect(upstairs.rows).toHaveCount(0, waits);
  const everything = async () => Object.values(await filesOf(folder)).join("");
  await expect.poll(everything, waits).not.toContain("Lyon");
});
