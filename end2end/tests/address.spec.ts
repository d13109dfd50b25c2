// Each chat has an address: back and forward walk between chats, and a reload stays.

import { expect, test } from "../support/fixtures";
import { openWithChats } from "../support/log";

test("a chat has its address, and back and forward walk between chats", async ({ app, page }) => {
  await openWithChats(app, 3);
  await expect(page).toHaveURL(/\/chats\/[0-9a-f]{16}$/);
  const first = page.url();
  await app.chats.getByRole("button", { name: "Chat 2", exact: true }).click();
  await expect(page).not.toHaveURL(first);
  const second = page.url();
  await app.newChat();
  await expect(page).toHaveURL(/\/$/);

  await page.goBack();
  await expect(page).toHaveURL(second);
  await expect(app.page.locator("#chat-title")).toContainText("Chat 2");
  await page.goBack();
  await expect(app.page.locator("#chat-title")).toContainText("Chat 1");
  await page.goForward();
  await expect(app.page.locator("#chat-title")).toContainText("Chat 2");
  await page.reload();
  await expect(page).toHaveURL(second);
  await expect(app.page.locator("#chat-title")).toContainText("Chat 2");
});

test("the first message gives a new chat its address, which is no step to go back", async ({ app, page }) => {
  await app.openReady();
  await expect(page).toHaveURL(/\/$/);
  const steps = await page.evaluate(() => history.length);
  await app.ask("Hello");
  await expect(page).toHaveURL(/\/chats\/[0-9a-f]{16}$/);
  expect(await page.evaluate(() => history.length)).toBe(steps);
});

// Guarded in each run by kernel/stores/tests/stores/chats.rs,
// `an_address_opens_its_chat_and_a_foreign_one_changes_nothing`.
test("the address of a chat opens it in another tab", { tag: "@all" }, async ({ app, page, context }) => {
  await openWithChats(app, 3);
  await app.chats.getByRole("button", { name: "Chat 3", exact: true }).click();
  await expect(page.locator("#chat-title")).toContainText("Chat 3");
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.locator("#chat-title")).toContainText("Chat 3");
});

// Guarded in each run by kernel/stores/tests/stores/chats.rs,
// `an_address_opens_its_chat_and_a_foreign_one_changes_nothing`.
test("the address of a chat that is not here says so", { tag: "@all" }, async ({ app, page }) => {
  await openWithChats(app, 2);
  await page.goto(new URL("/chats/00000000000000ff", page.url()).href);
  await expect(page.getByText("That chat is not in this browser")).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
});

// Guarded in each run by models.spec.ts, "the details of a model are shown, read-only".
test("the page of models has an address: a reload stays, back closes it", { tag: "@all" }, async ({ app, page }) => {
  await openWithChats(app, 2);
  const chat = page.url();
  await page.goto(new URL("/models", chat).href);
  const dialog = page.locator("dialog.dialog-tall[open]");
  await expect(dialog).toBeVisible();
  await page.reload();
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  await expect(page).toHaveURL(chat);
  await expect(dialog).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL(/\/models$/);
  await expect(dialog).toBeVisible();
});
