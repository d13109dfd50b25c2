// What the page says when its backup is not as it should be, and of chats that are nowhere else. The clock is put forward
// over the waits between two attempts.
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expectNoViolations } from "../support/axe";
import { backedUp, chatsIn, filesOf } from "../support/backup";
import { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { openWithChats } from "../support/log";
import { freePort } from "../support/programs";
import { says } from "../support/standIn";
import { frames } from "../support/waiting";

let place: string;
test.beforeEach(async () => void (place = await mkdtemp(join(tmpdir(), "sash-warnings-"))));
test.afterEach(() => rm(place, { recursive: true, force: true }));

const texts = () => backedUp(join(place, "backup"));

/** The lines above the chat that warn. */
const warnings = (page: Page) => page.locator(".banner-warning");

test("a directory that is gone is said above the chat after three attempts, until it is there again", async ({
  page,
  programs,
  standIn,
}) => {
  await page.clock.install();
  const sash = await programs.sash(standIn.url, "--backup", join(place, "backup"));
  const app = new ChatPage(page, sash.url.split("/#")[0]);
  await page.goto(sash.url);
  await app.started();
  await app.ready();
  await standIn.script(says("It was in Lyon."));
  await app.exchange("Where was the conference?");
  await expect.poll(texts, { timeout: 15_000 }).toContain("It was in Lyon.");

  const [directory, aside] = [join(place, "backup"), join(place, "aside")];
  await rename(directory, aside);
  let failures = 0;
  page.on("response", (response) => void (failures += Number(response.url().includes("backup") && response.status() >= 400)));
  const failed = (times: number) => {
    const forward = async () => {
      if (failures < times) await page.clock.fastForward(1_000);
      return failures;
    };
    return expect.poll(forward, { intervals: [50], timeout: 20_000 }).toBe(times);
  };
  await standIn.script(says("In May."));
  await app.exchange("And when?");
  await failed(2);
  await frames(page);
  await expect(warnings(page), "two attempts are no reason to worry anyone").toHaveCount(0);
  await failed(3);
  await expect(warnings(page)).toHaveText(/^The backup is not being written: The backup folder is gone\..*Show…$/);
  await expectNoViolations(page);

  // The line leads to where the last one is dated, and an attempt can be made at once.
  await warnings(page).getByRole("button", { name: "Show…" }).click();
  const library = new Library(page);
  await expect(library.dialog.getByRole("status").filter({ hasText: "The backup is not being written." })).toContainText("Last written");
  await expectNoViolations(page);
  await rename(aside, directory);
  await library.button("Try again").click();
  await expect(library.button("Try again")).toHaveCount(0);
  await library.close();
  await expect(warnings(page)).toHaveCount(0);
  expect(await texts()).toContain("In May.");
});

test("a chat that cannot be written is said by its title, and the others go on", async ({ page, programs, standIn }) => {
  const sash = await programs.sash(standIn.url, "--backup", join(place, "backup"));
  const app = new ChatPage(page, sash.url.split("/#")[0]);
  await page.goto(sash.url);
  await app.started();
  await app.ready();
  await standIn.script(says("It was in Lyon."));
  await app.exchange("Where was the conference?");
  await expect.poll(texts, { timeout: 15_000 }).toContain("It was in Lyon.");
  // A directory in the place of its file: permissions do not hold everybody.
  const [chat] = await chatsIn(join(place, "backup"));
  const [copy] = Object.keys(await filesOf(join(place, "backup", "chats", chat)));
  const path = join(place, "backup", "chats", chat, copy);
  await rename(path, join(place, "aside"));
  await mkdir(join(path, "in the way"), { recursive: true });
  await standIn.script(says("In May."));
  await app.exchange("And when?");
  await expect(warnings(page)).toHaveText(/^1 chat is not completely in the backup\. Something in the backup folder is a link, .*Show…/, { timeout: 15_000 });
  await app.newChat();
  await standIn.script(says("In Brest."));
  await app.exchange("Where is the next one?");
  await expect.poll(texts, { timeout: 15_000 }).toContain("In Brest.");
  await warnings(page).getByRole("button", { name: "Show…" }).click();
  const library = new Library(page);
  await expect(library.dialog.getByRole("list", { name: "Chats that need attention" })).toContainText("“Where was the conference?” is not completely in the backup: Something in the backup folder is a link, or not a file where one should be.");
  await expect(library.dialog.getByRole("status").filter({ hasText: "Last written" })).toBeVisible();
  await expectNoViolations(page);
  await rm(path, { recursive: true });
  await library.close();
  await app.chat("Where was the conference?").click();
  await standIn.script(says("By train."));
  await app.exchange("How did we travel?");
  await expect.poll(texts, { timeout: 15_000 }).toContain("By train.");
  await expect(warnings(page)).toHaveCount(0, { timeout: 15_000 });
});

test("chats that changed for hours since the last backup are said, where Sash was started without one too", async ({
  page,
  programs,
  standIn,
  watch,
}) => {
  watch.allow(/ERR_CONNECTION_(REFUSED|RESET)/);
  await page.clock.install();
  const listen = ["--listen", `127.0.0.1:${await freePort()}`];
  const withBackup = () => programs.sash(standIn.url, ...listen, "--backup", join(place, "backup"));
  const sash = await withBackup();
  const app = new ChatPage(page, sash.url.split("/#")[0]);
  await page.goto(sash.url);
  await app.started();
  await app.ready();
  await standIn.script(says("It was in Lyon."));
  await app.exchange("Where was the conference?");
  await expect.poll(texts, { timeout: 15_000 }).toContain("It was in Lyon.");
  // The page has heard of it.
  await expect.poll(async () => (await app.stored())["sash:set"]).toContain('"backed_up"');
  await sash.stop();

  const bare = await programs.sash(standIn.url, ...listen);
  await app.reload();
  await app.ready();
  await standIn.script(says("In May."));
  await app.exchange("And when?");
  // Looked at twice, a minute apart: a page that was just opened is about to write it.
  const minutes = async (count: number) => {
    for (; count > 0; count--) await page.clock.fastForward("01:00");
  };
  await minutes(3);
  await expect(warnings(page), "a backup of today").toHaveCount(0);
  await page.clock.fastForward("03:00:00");
  await minutes(1);
  const old = /^Last backup: .*\. Changed since then and only in this browser: 1 chat\./;
  await expect(warnings(page)).toHaveText(old);
  await expectNoViolations(page);
  await warnings(page).getByRole("button", { name: "Show…" }).click();
  const library = new Library(page);
  await expect(library.dialog.locator(".note-failed").filter({ hasText: old })).toContainText("This Sash keeps no backup: it was started without --backup.");
  await expectNoViolations(page);
  await library.close();

  // Everything is in it again once Sash keeps one.
  await bare.stop();
  await withBackup();
  await app.reload();
  await expect.poll(texts, { timeout: 15_000 }).toContain("In May.");
  await minutes(2);
  await expect(warnings(page)).toHaveCount(0);
});

test("without a backup an export is asked for once a month, unless the person wants no reminder", async ({ app, page }) => {
  await page.clock.install();
  await openWithChats(app, 5);
  const library = new Library(page);
  const reminder = library.dialog.getByText("Your chats are only in this browser, with no export for a month.");
  await app.openFromFoot("Storage");
  await expect(reminder).toBeVisible();
  await expectNoViolations(page);
  // It leads to the export, and an export of one chat is none of all.
  const exported = async (chat: string) => {
    await library.dialog.getByLabel("Which chats").selectOption({ label: chat });
    await Promise.all([page.waitForEvent("download"), library.dialog.getByRole("tabpanel").getByRole("button", { name: "Export", exact: true }).click()]);
  };
  await library.dialog.locator(".export-reminder").getByRole("button", { name: "Export" }).click();
  await exported("Chat 1");
  await expect(reminder).toBeVisible();
  await exported("All chats");
  await expect(reminder).toHaveCount(0);

  const monthLater = async () => {
    await page.clock.setSystemTime((await page.evaluate(() => Date.now())) + 31 * 86_400_000);
    await app.reload();
    await app.openFromFoot("Trash");
  };
  await monthLater();
  await expect(reminder).toBeVisible();
  await library.button("Do not remind me").click();
  await expect(reminder).toHaveCount(0);
  await monthLater();
  await expect(library.dialog).toContainText("The trash is empty.");
  await expect(reminder).toHaveCount(0);
});
