// The backup: what is asked is in the directory seconds later, and another browser restores it.
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backedUp, filesOf } from "../support/backup";
import { expect, test } from "../support/fixtures";
import { ChatPage } from "../support/chatPage";
import { Library } from "../support/library";
import { keepPrompt } from "../support/prompts";
import { hold, says, text } from "../support/standIn";

let place: string;
test.beforeEach(async () => void (place = await mkdtemp(join(tmpdir(), "sash-backup-"))));
test.afterEach(() => rm(place, { recursive: true, force: true }));

test("a browser's chats are restored in another one, a half answer too; what is deleted is in neither", async ({
  browser,
  programs,
  standIn,
}) => {
  const directory = join(place, "backup");
  const sash = await programs.sash(standIn.url, "--backup", directory);
  const [origin, code] = sash.url.split("/#c=");
  expect(code).toMatch(/^[0-9a-f]{32}$/);
  const texts = () => backedUp(directory);
  const everything = async () => Object.values(await filesOf(directory)).join("");

  // Without the key the page says so, and hands nothing over.
  const first = await browser.newContext();
  const app = new ChatPage(await first.newPage(), origin);
  await app.page.clock.install();
  await app.openReady();
  await standIn.script(says("It was in Lyon."));
  await app.exchange("Where was the conference?");
  await keepPrompt(app.page, "Explain", "Explain {{what}}.");
  await app.page.keyboard.press("Escape");
  const library = new Library(app.page);
  const banner = app.page.locator(".banner", { hasText: "This Sash keeps a backup, but this browser’s chats are not in it" });
  await banner.getByRole("button", { name: "Enter the key…" }).click();
  const field = library.dialog.getByLabel("Backup key, or the whole address");
  await field.fill("nonsense");
  await library.button("Use this key").click();
  await expect(library.dialog.getByRole("alert").first()).toContainText("This is not a backup key.");
  await field.fill("0".repeat(64));
  await library.button("Use this key").click();
  await expect(library.dialog.getByRole("alert").first()).toContainText("missing or wrong");
  // Above the chat at once: no further attempt follows by itself.
  const warning = app.page.locator(".banner-warning");
  await expect(warning).toContainText("The backup is not being written: The backup key is missing or wrong.");
  expect(await texts()).toBe("");
  await field.fill(sash.url);
  await library.button("Use this key").click();
  await expect(library.dialog).toContainText("Last written");
  await expect(warning).toHaveCount(0);
  await expect(banner).toHaveCount(0);
  await library.close();
  await expect.poll(texts, { timeout: 15_000 }).toContain("It was in Lyon.");
  await expect.poll(everything, { timeout: 15_000 }).toContain("Explain {{what}}.");
  expect((await stat(directory)).mode & 0o777).toBe(0o700);

  // A second chat, whose answer runs when the browser goes: it is handed over at its beginning, and every minute.
  await standIn.script([text("The first half of an answer"), hold]);
  await app.newChat();
  await app.ask("A long story, please.");
  await expect(app.text(app.last)).toContainText("The first half");
  const minuteLater = async () => {
    await app.page.clock.fastForward("01:05");
    return texts();
  };
  await expect.poll(minuteLater, { timeout: 15_000 }).toContain("The first half of an answer");
  await first.close();

  // Another browser, by the address that Sash printed. A file that something else wrote is named and left alone.
  await writeFile(join(directory, "chats", "a (conflicted copy).jsonl"), "whatever");
  const second = await browser.newContext();
  const other = new ChatPage(await second.newPage(), origin);
  await other.page.goto(await sash.nextUrl());
  await other.started();
  expect(other.page.url()).toBe(`${origin}/`);
  await other.ready();
  await expect(other.rows).toHaveCount(0);
  const there = new Library(other.page);
  const offer = other.page.locator(".banner", { hasText: "The backup has 2 chats that are not in this browser:" });
  await expect(offer.getByRole("button")).toHaveText(["Sync", "Restore…", "Not here"]);
  await offer.getByRole("button", { name: "Restore…" }).click();
  await expect(offer).toHaveCount(0);
  await expect(there.dialog).toContainText("3 of 3 selected");
  await expect(there.dialog).toContainText("a (conflicted copy).jsonl");
  await expect(there.dialog).toContainText("You can review it first. Nothing here is overwritten.");
  await expect(there.dialog.getByRole("checkbox", { name: "Prompts and folders" })).toBeChecked();
  await there.button("Restore").click();
  await expect(there.dialog).toContainText("2 chats: 2 new");
  await expect(other.rows).toHaveCount(0);
  await there.button("Import").click();
  await expect(there.dialog).toContainText("2 chats imported.");
  await there.close();
  await expect(other.rows).toHaveCount(2);
  await other.composer.pressSequentially("/expl");
  await expect(other.page.getByRole("option", { name: /Explain/ })).toBeVisible();
  await other.composer.fill("");
  await other.chat("A long story, please.").click();
  await expect(other.text(other.last)).toContainText("The first half of an answer");
  await other.chat("Where was the conference?").click();
  await expect(other.text(other.last)).toHaveText("It was in Lyon.");

  // Deleted for good: from the backup too.
  await other.inList("Where was the conference?", "Delete");
  await other.openFromFoot("Trash");
  await expect(there.dialog.getByRole("checkbox", { name: "Delete from the backup too" })).toBeChecked();
  await there.button("Empty trash…").click();
  await there.button("Delete for good").click();
  await expect(there.dialog).toContainText("The trash is empty.");
  await expect.poll(everything, { timeout: 15_000 }).not.toContain("Lyon");
  expect(await texts()).toContain("The first half of an answer");

  // Everything in this browser alone comes first.
  await there.tab("Storage").click();
  await expect(there.dialog.getByRole("radio", { name: "In this browser only" })).toBeChecked();
  await there.button("Delete everything…").click();
  await there.button("Delete everything").click();
  await other.started();
  await expect(other.rows).toHaveCount(0);
  expect(await texts()).toContain("The first half of an answer");
  await second.close();
});

test("a chat that is in the trash is said so, and comes out of it; a browser that is gone can be removed", async ({
  browser,
  page,
  programs,
  standIn,
}) => {
  const directory = join(place, "backup");
  const sash = await programs.sash(standIn.url, "--backup", directory);
  const origin = sash.url.split("/#c=")[0];
  const gone = await browser.newContext();
  const old = new ChatPage(await gone.newPage(), origin);
  await old.page.goto(sash.url);
  await old.started();
  await old.ready();
  await standIn.script(says("It was in Lyon."));
  await old.exchange("Where was the conference?");
  await expect.poll(() => backedUp(directory), { timeout: 15_000 }).toContain("It was in Lyon.");
  await gone.close();

  const app = new ChatPage(page, origin);
  await page.goto(await sash.nextUrl());
  await app.started();
  await app.ready();
  const offer = page.locator(".banner", { hasText: "The backup has 1 chat that is not in this browser:" });
  await offer.getByRole("button", { name: "Sync" }).click();
  await expect(app.rows).toHaveCount(1, { timeout: 15_000 });
  await expect(offer).toHaveCount(0);
  const copies = async () => Object.keys(await filesOf(join(directory, "chats"))).length;
  await expect.poll(copies, { timeout: 15_000 }).toBe(2);

  await app.inList("Where was the conference?", "Delete");
  await expect(app.rows).toHaveCount(0);
  const library = new Library(page);
  await app.openFromFoot("Export");
  await library.button("Restore chats…").click();
  const row = library.dialog.getByRole("checkbox", { name: /Where was the conference\?.*in the trash here/ });
  await expect(row).not.toBeChecked();
  await row.check();
  await library.button("Restore").click();
  await expect(app.rows).toHaveCount(1);
  // The backup has nothing else of it, so there is nothing to review.
  await expect(library.dialog.getByRole("status").filter({ hasText: /^Restored from the trash: 1 chat\.$/ })).toBeVisible();
  await expect(library.dialog.getByLabel("Files to import")).toBeVisible();
  await library.close();

  // All that the first browser wrote is in another file too.
  await app.openFromFoot("Export");
  const browsers = library.dialog.locator(".backup-browsers").getByRole("listitem");
  await expect(browsers).toHaveCount(2);
  await expect(browsers.filter({ hasText: "this browser" })).toContainText("1 chat");
  await expect(browsers.filter({ hasText: "this browser" }).getByRole("button")).toHaveCount(0);
  await browsers.getByRole("button", { name: /^Remove / }).click();
  const removed = /^Chrome \(.+\) was removed\. If it is still in use, it appears here again\.$/;
  await expect(library.dialog.getByRole("status").filter({ hasText: removed })).toBeFocused();
  await expect.poll(copies, { timeout: 15_000 }).toBe(1);
  expect(await backedUp(directory)).toContain("It was in Lyon.");
});

// Holds `PurgeChoice`: the trash waits for nobody; everything is deleted nowhere until it is deleted from the backup.
test("a backup that cannot delete is told again; until then nothing of everything is deleted", async ({ page, programs, standIn }) => {
  const directory = join(place, "backup");
  const everything = async () => Object.values(await filesOf(directory)).join("");
  const sash = await programs.sash(standIn.url, "--backup", directory);
  const app = new ChatPage(page, sash.url.split("/#c=")[0]);
  await page.goto(sash.url);
  await app.started();
  await app.ready();
  await standIn.script(says("It was in Lyon."));
  await app.exchange("Where was the conference?");
  await standIn.script(says("In Brest."));
  await app.newChat();
  await app.exchange("Where is the next one?");
  await expect.poll(everything, { timeout: 15_000 }).toContain("In Brest.");
  const error = { code: "internal", message: "no" };
  const refuse = () =>
    page.route("**/api/v1/backup_purge", (route) => route.fulfill({ status: 500, contentType: "application/json", body: JSON.stringify({ error }) }));
  await refuse();
  await app.inList("Where was the conference?", "Delete");
  const library = new Library(page);
  await app.openFromFoot("Trash");
  await library.button("Empty trash…").click();
  await library.button("Delete for good").click();
  await expect(library.dialog).toContainText("The trash is empty.");
  await library.tab("Export & import").click();
  await expect(library.dialog).toContainText("Still to be deleted from the backup: 1 chat.");

  await library.tab("Storage").click();
  await library.dialog.getByRole("radio", { name: "In the backup too" }).check();
  await library.button("Delete everything…").click();
  await library.button("Delete everything").click();
  await expect(library.dialog.getByRole("alert").filter({ hasText: "could not be deleted from the backup, so they are still in this browser too." })).toBeVisible();
  await app.reload();
  await app.ready();
  await expect(app.rows).toHaveCount(1);

  await page.unroute("**/api/v1/backup_purge");
  await app.reload();
  await app.ready();
  await expect.poll(everything, { timeout: 30_000 }).not.toContain("Lyon");
  expect(await everything()).toContain("In Brest.");
  await app.openFromFoot("Storage");
  await library.dialog.getByRole("radio", { name: "In the backup too" }).check();
  await library.button("Delete everything…").click();
  await library.button("Delete everything").click();
  await app.started();
  await expect(app.rows).toHaveCount(0);
  expect(await everything()).not.toContain("Brest");
});

test("an address with another key than the one here asks before it replaces it", async ({ page, programs, standIn }) => {
  const sash = await programs.sash(standIn.url, "--backup", join(place, "backup"));
  const app = new ChatPage(page, sash.url.split("/#c=")[0]);
  await page.goto(sash.url);
  await app.started();
  await app.ready();
  await standIn.script(says("It was in Lyon."));
  await app.exchange("Where was the conference?");
  await expect.poll(() => backedUp(join(place, "backup")), { timeout: 15_000 }).toContain("It was in Lyon.");
  await page.goto("about:blank");
  await page.goto(`${app.url}/#b=${"0".repeat(64)}`);
  await app.started();
  await app.ready();
  const question = page.locator(".banner", { hasText: "The address you opened has a different backup key." });
  await question.getByRole("button", { name: "Keep the current key" }).click();
  await expect(question).toHaveCount(0);
  await standIn.script(says("In May."));
  await app.exchange("And when?");
  await expect.poll(() => backedUp(join(place, "backup")), { timeout: 15_000 }).toContain("In May.");
});
