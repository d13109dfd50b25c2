// The code in the address that Sash prints: it opens one browser, and a second one ends what it gave.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { stateOf } from "../support/programs";
import { says } from "../support/standIn";

let place: string;
test.beforeEach(async ({ watch }) => {
  place = await mkdtemp(join(tmpdir(), "sash-code-"));
  watch.allow(/Cross-Origin-Opener-Policy header has been ignored/);
});
test.afterEach(() => rm(place, { recursive: true, force: true }));

const form = (page: Page) => page.getByRole("form", { name: "Token" });

test("an address opens one browser, and neither its code nor what it gives stays in it", async ({ browser, page, programs, standIn }) => {
  const folder = join(place, "backup");
  const sash = await programs.sash(standIn.url, "--token", "auto", "--backup", folder);
  const [origin, code] = sash.url.split("/#c=");
  const key = () => readFile(join(stateOf(folder), "backup-key"), "utf8");
  const before = await key();
  const sent: string[] = [];
  page.on("request", (request) => void sent.push(request.url()));
  const app = new ChatPage(page, origin);
  await page.goto(sash.url);
  await app.started();
  await app.ready();
  expect(page.url()).toBe(`${origin}/`);
  expect(sent.join(" ")).not.toContain(code);
  await standIn.script(says("Hello."));
  await app.exchange("Hello?");

  // In the same browser the address may be opened again: the code is not asked about twice.
  const again = await page.context().newPage();
  await again.goto(sash.url);
  await expect(form(again)).toBeVisible();
  await again.close();
  await app.reload();
  await app.ready();
  expect(await key()).toBe(before);

  // Another browser has another address.
  const second = await browser.newContext();
  const other = new ChatPage(await second.newPage(), origin);
  await other.page.goto(await sash.nextUrl());
  await other.started();
  await other.ready();

  // Somebody else who read the first one ends it, for both, and nobody else.
  const third = await browser.newContext();
  const thief = await third.newPage();
  await thief.goto(sash.url);
  const words = "This address of Sash was opened twice, perhaps by somebody else.";
  await expect(form(thief).getByRole("alert")).toContainText(words);
  await standIn.script(says("Not heard."));
  await app.composer.fill("And now?");
  await app.send.click();
  await expect(form(page).getByRole("alert")).toContainText(words);
  expect(await key()).not.toBe(before);
  await other.reload();
  await other.ready();
  // The newest address opens it again, pasted or opened in the same tab.
  await form(page).getByRole("textbox", { name: "Token" }).fill(await sash.nextUrl());
  await form(page).getByRole("button", { name: "Open" }).click();
  await expect(form(page)).toHaveCount(0);
  await app.ready();
  await second.close();
  await third.close();
});

test("an old address that is opened again after a newer one ends nothing", async ({ page, programs, standIn }) => {
  const folder = join(place, "backup");
  const sash = await programs.sash(standIn.url, "--token", "auto", "--backup", folder);
  const origin = sash.url.split("/#c=")[0];
  const key = () => readFile(join(stateOf(folder), "backup-key"), "utf8");
  const before = await key();
  const app = new ChatPage(page, origin);
  await page.goto(sash.url);
  await app.started();
  await app.ready();
  const newer = new ChatPage(await page.context().newPage(), origin);
  await newer.page.goto(await sash.nextUrl());
  await newer.started();
  await newer.ready();

  const old = await page.context().newPage();
  await old.goto(sash.url);
  await expect(form(old)).toBeVisible();
  await expect(form(old).getByRole("alert")).toBeEmpty();
  for (const tab of [app, newer]) {
    await tab.reload();
    await tab.ready();
  }
  expect(await key()).toBe(before);
});

test("a page is shown though nobody answers about its code, and takes a later answer", async ({ page, programs, standIn }) => {
  const sash = await programs.sash(standIn.url, "--token", "auto");
  const app = new ChatPage(page, sash.url);
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/api/v1/exchange", async (route) => {
    await answered;
    await route.continue();
  });
  await page.goto(sash.url);
  await expect(app.composer).toBeVisible();
  await app.started();
  answer();
  await app.ready();
});

test("a later address in the same tab takes the place of no token that works", async ({ page, programs, standIn }) => {
  const sash = await programs.sash(standIn.url, "--token", "auto");
  const origin = sash.url.split("/#c=")[0];
  const app = new ChatPage(page, origin);
  await page.goto(sash.url);
  await app.started();
  await app.ready();
  await page.goto(`${origin}/#t=another-token-0123456789`);
  await expect(page).toHaveURL(`${origin}/`);
  await app.reload();
  await app.ready();
});

test("an address that is opened in a tab that shows the page is taken too", async ({ page, programs, standIn }) => {
  const token = "a-token-for-the-tests-0123456789";
  const sash = await programs.sash(standIn.url, "--token", token);
  const app = new ChatPage(page, sash.url);
  await app.open();
  await expect(form(page)).toBeVisible();
  // As a person does it, in the address bar: only the fragment changes, so nothing is loaded.
  await page.evaluate(() => void Object.assign(window, { same: true }));
  await page.goto(`${sash.url}/#t=${token}`);
  await expect(form(page)).toHaveCount(0);
  await app.ready();
  expect(page.url()).toBe(`${sash.url}/`);
  expect(await page.evaluate(() => (window as unknown as { same?: boolean }).same)).toBe(true);
});
