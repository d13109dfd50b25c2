// Two browsers that sync with the backup of one Sash: what one writes appears in the other.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "@playwright/test";
import { backedUp } from "../support/backup";
import { expect, test } from "../support/fixtures";
import { ChatPage } from "../support/chatPage";
import { Library } from "../support/library";
import { says } from "../support/standIn";

let place: string;
test.beforeEach(async () => void (place = await mkdtemp(join(tmpdir(), "sash-step-"))));
test.afterEach(() => rm(place, { recursive: true, force: true }));

/** A browser of its own that syncs with the backup. */
async function openInStep(browser: Browser, url: string) {
  const context = await browser.newContext();
  const app = new ChatPage(await context.newPage(), url.split("/#")[0]);
  await app.page.goto(url);
  await app.started();
  await app.ready();
  const library = new Library(app.page);
  await app.openFromFoot("Export");
  await library.dialog.getByLabel("Sync with the backup").check();
  await expect(library.dialog).toContainText("Drafts and settings stay in each browser.");
  await library.close();
  return { app, context };
}

test("what one browser writes appears in another, and where both renamed a chat both titles are kept", async ({
  browser,
  programs,
  standIn,
}) => {
  const sash = await programs.sash(standIn.url, "--backup", join(place, "backup"));
  const kitchen = await openInStep(browser, sash.url);
  const upstairs = await openInStep(browser, await sash.nextUrl());

  await standIn.script(says("It was in Lyon."));
  await kitchen.app.exchange("Where was the conference?");
  const there = upstairs.app;
  await expect(there.rows).toHaveCount(1, { timeout: 15_000 });
  await there.rows.first().locator(".chat-open").click();
  await expect(there.text(there.last)).toContainText("It was in Lyon.");
  // The answer grows in the chat that is open, and what is being written there stays.
  await there.composer.fill("Half a draft");
  await standIn.script(says("In May."));
  await kitchen.app.exchange("And when?");
  await expect(there.text(there.last)).toContainText("In May.", { timeout: 15_000 });
  await expect(there.composer).toHaveValue("Half a draft");

  // Both rename it while one has no network.
  await upstairs.context.setOffline(true);
  const rename = async (app: ChatPage, to: string) => {
    await app.rows.first().locator(".chat-open").press("F2");
    const field = app.page.getByRole("textbox", { name: "Chat name" });
    await field.fill(to);
    await field.press("Enter");
  };
  await rename(kitchen.app, "Lyon");
  await rename(there, "France");
  await expect(kitchen.app.rows.first()).toContainText("Lyon");
  await expect.poll(() => backedUp(join(place, "backup")), { timeout: 15_000 }).toContain('"title":"Lyon"');
  await upstairs.context.setOffline(false);
  // The browser that sees both is told, and offers the one that gave way.
  await expect(there.page.getByText("Changed in two browsers at the same time")).toBeVisible({ timeout: 30_000 });
  const shown = (await there.rows.first().innerText()).includes("Lyon") ? "Lyon" : "France";
  const other = shown === "Lyon" ? "France" : "Lyon";
  await expect(kitchen.app.rows.first()).toContainText(shown, { timeout: 15_000 });
  await there.page.getByRole("button", { name: "Use this value of Title" }).click();
  await expect(there.rows.first()).toContainText(other);
  await expect(kitchen.app.rows.first()).toContainText(other, { timeout: 15_000 });
  await kitchen.context.close();
  await upstairs.context.close();
});

test("who sees another browser's question in the place of his own is told, with a way to his", async ({ browser, programs, standIn }) => {
  const sash = await programs.sash(standIn.url, "--backup", join(place, "backup"));
  const kitchen = await openInStep(browser, sash.url);
  const upstairs = await openInStep(browser, await sash.nextUrl());
  await standIn.script(says("It was in Lyon."));
  await kitchen.app.exchange("Where was the conference?");
  const apps = [kitchen.app, upstairs.app];
  await expect(upstairs.app.rows).toHaveCount(1, { timeout: 15_000 });
  await upstairs.app.rows.first().locator(".chat-open").click();
  await expect(upstairs.app.text(upstairs.app.last)).toContainText("It was in Lyon.");

  // Both ask before either has heard of the other: nothing is handed over meanwhile.
  let handOver = () => {};
  const asked = new Promise<void>((done) => (handOver = done));
  for (const { page } of apps) await page.route("**/api/v1/backup_put", (route) => asked.then(() => route.continue()));
  await standIn.script(says("An answer."), { times: 2 });
  await Promise.all(apps.map((app, n) => app.exchange(`A question of ${["the kitchen", "upstairs"][n]}`)));
  handOver();
  const lines = apps.map((app) => app.page.getByText("Another browser asked in this chat at the same time."));
  const told = async () => (await Promise.all(lines.map((line) => line.count()))).indexOf(1);
  await expect.poll(told, { timeout: 30_000 }).toBeGreaterThanOrEqual(0);
  const which = await told();
  const [own, theirs] = which === 0 ? ["the kitchen", "upstairs"] : ["upstairs", "the kitchen"];
  const app = apps[which];
  await expect(app.log).toContainText(`A question of ${theirs}`);
  await expect(app.log).not.toContainText(`A question of ${own}`);
  await app.page.getByRole("button", { name: "Show mine" }).click();
  await expect(app.log).toContainText(`A question of ${own}`);
  await expect(lines[which]).toHaveCount(0);
  await kitchen.context.close();
  await upstairs.context.close();
});

// Guarded in each run by the tests of rooms/backup.
test("a chat without room is listed, says so when it is pressed, and opens once there is some", { tag: "@all" }, async ({ browser, programs, standIn }) => {
  const sash = await programs.sash(standIn.url, "--backup", join(place, "backup"));
  const kitchen = await openInStep(browser, sash.url);
  const upstairs = await openInStep(browser, await sash.nextUrl());
  const { page, chats } = upstairs.app;
  await page.evaluate(() => {
    let n = 0;
    for (let size = 1 << 20; size >= 4096; ) {
      try {
        localStorage.setItem(`theirs-${n}`, "x".repeat(size));
        n++;
      } catch {
        size /= 2;
      }
    }
  });
  await standIn.script(says(`It was in Lyon. ${"And so on. ".repeat(2_000)}`));
  await kitchen.app.exchange("Where was the conference?");
  await expect(chats.getByRole("heading", { name: "In the backup only" })).toBeVisible({ timeout: 30_000 });
  const row = chats.getByRole("button", { name: "Fetch “Where was the conference?” from the backup" });
  await row.click();
  await expect(page.getByText("There is still no room for “Where was the conference?” in this browser.").first()).toBeVisible();
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith("theirs-")) localStorage.removeItem(key);
  });
  await row.click();
  await expect(upstairs.app.text(upstairs.app.last)).toContainText("It was in Lyon.");
  await expect(chats.getByRole("heading", { name: "In the backup only" })).toHaveCount(0);
  await kitchen.context.close();
  await upstairs.context.close();
});
