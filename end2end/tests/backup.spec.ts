// The backup: what is asked is in the folder seconds later, and another browser brings it back.
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backedUp } from "../support/backup";
import { expect, test } from "../support/fixtures";
import { ChatPage } from "../support/chatPage";
import { Library } from "../support/library";
import { keepPrompt } from "../support/prompts";
import { hold, says, text } from "../support/standIn";

let place: string;
test.beforeEach(async () => void (place = await mkdtemp(join(tmpdir(), "sash-backup-"))));
test.afterEach(() => rm(place, { recursive: true, force: true }));

test("a browser's chats come back in another one, a half answer too; what is deleted is in neither", async ({
  browser,
  programs,
  standIn,
}) => {
  const folder = join(place, "backup");
  const sash = await programs.sash(standIn.url, "--backup", folder);
  const [origin, code] = sash.url.split("/#c=");
  expect(code).toMatch(/^[0-9a-f]{32}$/);
  const texts = () => backedUp(folder);

  // Without the key the page says so, and hands nothing over.
  const first = await browser.newContext();
  const app = new ChatPage(await first.newPage(), origin);
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
  expect(await readdir(join(folder, "chats"))).toEqual([]);
  await field.fill(sash.url);
  await library.button("Use this key").click();
  await expect(library.dialog).toContainText("Last written");
  await expect(warning).toHaveCount(0);
  await expect(banner).toHaveCount(0);
  await library.close();
  expect(await texts()).toContain("It was in Lyon.");
  expect(await readFile(join(folder, "prompts-and-folders.jsonl"), "utf8")).toContain("Explain {{what}}.");
  expect((await stat(folder)).mode & 0o777).toBe(0o700);

  // A second chat, whose answer runs when the browser goes.
  await standIn.script([text("The first half of an answer"), hold]);
  await app.newChat();
  await app.ask("A long story, please.");
  await expect(app.text(app.last)).toContainText("The first half");
  await expect.poll(texts, { timeout: 15_000 }).toContain("The first half of an answer");
  await first.close();

  // Another browser, by the address that Sash printed. A file that something else wrote is named and left alone.
  await writeFile(join(folder, "chats", "a (conflicted copy).jsonl"), "whatever");
  const second = await browser.newContext();
  const other = new ChatPage(await second.newPage(), origin);
  await other.page.goto(await sash.nextUrl());
  await other.started();
  expect(other.page.url()).toBe(`${origin}/`);
  await other.ready();
  await expect(other.rows).toHaveCount(0);
  const there = new Library(other.page);
  await other.openFromFoot("Export");
  await there.button("Bring back chats…").click();
  await expect(there.dialog).toContainText("2 of 2 selected");
  await expect(there.dialog).toContainText("a (conflicted copy).jsonl");
  await expect(there.dialog.getByRole("checkbox", { name: "Prompts and folders 1 prompt" })).toBeChecked();
  await there.button("Bring back").click();
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

  // Deleted for good: from the folder too.
  await other.inList("Where was the conference?", "Delete");
  await other.openFromFoot("Trash");
  await expect(there.dialog.getByRole("checkbox", { name: /Delete from backup too/ })).toBeChecked();
  await there.button("Empty trash…").click();
  await there.button("Delete for good").click();
  await expect(there.dialog).toContainText("The trash is empty.");
  expect(await texts()).not.toContain("Lyon");
  expect(await texts()).toContain("The first half of an answer");

  // Everything here, and nothing there: the folder is asked about by itself.
  await there.tab("Storage").click();
  await expect(there.dialog.getByRole("checkbox", { name: /Delete from backup too/ })).not.toBeChecked();
  await there.button("Delete everything…").click();
  await there.button("Delete everything").click();
  await other.started();
  await expect(other.rows).toHaveCount(0);
  expect(await texts()).toContain("The first half of an answer");
  await second.close();
});

// Holds `TrashTab` and `EraseSection`: nothing is deleted here before the backup has removed it.
test("what the backup does not remove stays here too, and that is said", async ({ page, programs, standIn }) => {
  const sash = await programs.sash(standIn.url, "--backup", join(place, "backup"));
  const app = new ChatPage(page, sash.url.split("/#c=")[0]);
  await page.goto(sash.url);
  await app.started();
  await app.ready();
  const title = "Where was the conference?";
  await standIn.script(says("It was in Lyon."));
  await app.exchange(title);
  await app.inList(title, "Delete");
  const error = { code: "internal", message: "no" };
  await page.route("**/api/v1/backup_purge", (route) => route.fulfill({ status: 500, contentType: "application/json", body: JSON.stringify({ error }) }));
  const library = new Library(page);
  const refused = library.dialog.getByRole("alert").filter({ hasText: "Nothing was removed." });
  const choice = library.dialog.getByRole("checkbox", { name: /Delete from backup too/ });
  await app.openFromFoot("Trash");
  await expect(choice).toBeChecked();
  await library.button("Empty trash…").click();
  await library.button("Delete for good").click();
  await expect(refused).toBeVisible();
  await expect(library.button(`Restore ${title}`)).toBeVisible();

  await library.tab("Storage").click();
  await choice.check();
  await library.button("Delete everything…").click();
  await library.button("Delete everything").click();
  await expect(refused).toBeVisible();
  await app.reload();
  await app.openFromFoot("Trash");
  await library.button(`Restore ${title}`).click();
  await library.close();
  await app.chat(title).click();
  await expect(app.text(app.last)).toHaveText("It was in Lyon.");
});
