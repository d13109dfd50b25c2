// "The model can't see this": a draft that refers to a message outside the window, and the offer to include it.
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { watchAnnouncements } from "../support/chatPage";
import { conversation, DRAFT, lookedUp } from "../support/roadMap";
import { says } from "../support/standIn";

const offer = (page: Page) => page.getByRole("group", { name: "Suggestion" });
const included = (page: Page) => page.getByRole("group", { name: "Included" });

test("what a draft refers to is offered, said once, and goes along with this prompt only", async ({ app, standIn, page }) => {
  await page.addInitScript(watchAnnouncements);
  await conversation(app, standIn);
  await app.composer.pressSequentially(DRAFT, { delay: 5 });
  await expect(offer(page)).toContainText("The model can't see this: “As an adjacency list: each crossing with its streets.” (7 messages back)");
  await expect(app.composer).toBeFocused();
  expect((await app.announced()).filter((said) => said.includes("can't see"))).toHaveLength(1);

  await page.keyboard.press("Alt+i");
  await expect(app.composer).toHaveValue(DRAFT);
  await expect(offer(page)).toHaveCount(0);
  await expect(included(page)).toContainText("Included for this prompt: “As an adjacency list");
  await expect(app.windowLine).toContainText("4 of 8 messages");
  await expect(app.message(2)).toHaveAttribute("data-window", /in|next/);

  await standIn.script(says("Small."));
  await page.keyboard.press("Enter");
  await app.ended("complete");
  expect((await standIn.chats(5))[4].body.messages.map((m) => m.content)).toEqual([
    "As an **adjacency list**: each crossing with its streets.\n\nPancakes, perhaps.",
    "Is there wine?",
    "A bottle of red.",
    DRAFT,
  ]);

  // For this prompt only.
  await expect(included(page)).toHaveCount(0);
  await expect(offer(page)).toHaveCount(0);
  await standIn.script(says("Yes."));
  await app.exchange("Thanks");
  expect((await standIn.chats(6))[5].body.messages.map((m) => m.content)).not.toContain("As an **adjacency list**: each crossing with its streets.");
});

test("an offer can be refused, by key and by button, and is not made again for this draft", async ({ app, standIn, page }) => {
  await conversation(app, standIn);
  for (const refuse of [
    async () => {
      await page.keyboard.press("Shift+Tab");
      await expect(offer(page).getByRole("button", { name: "Not for this prompt" })).toBeFocused();
      await page.keyboard.press("Escape");
    },
    () => offer(page).getByRole("button", { name: "Not for this prompt" }).click(),
  ]) {
    await app.composer.fill("");
    await app.composer.fill(DRAFT);
    await expect(offer(page)).toBeVisible();
    await refuse();
    await expect(offer(page)).toHaveCount(0);
    await expect(app.composer).toBeFocused();
    await page.keyboard.press("End");
    await page.keyboard.type(" The adjacency list!");
    await lookedUp(page);
    await expect(offer(page)).toHaveCount(0);
  }
});

test("what was included can be left out again, and its message be looked at", async ({ app, standIn, page }) => {
  await conversation(app, standIn);
  await app.composer.fill(DRAFT);
  await offer(page).getByRole("button", { name: /^“As an/ }).click();
  await expect(app.message(2)).toBeFocused();
  await expect(app.message(2)).toBeInViewport();
  await offer(page).getByRole("button", { name: "Include it" }).click();
  await expect(app.composer).toBeFocused();
  await included(page).getByRole("button", { name: "Leave it out" }).click();
  await expect(included(page)).toHaveCount(0);
  await expect(app.windowLine).toContainText("3 of 8 messages");
  await lookedUp(page);
  await expect(offer(page)).toHaveCount(0);
});

test("nothing is offered that goes along anyway, that nobody refers to, or that the draft no longer names", async ({ app, standIn, page }) => {
  await conversation(app, standIn);
  for (const draft of ["Which red wine, the bottle you mentioned?", "Write a poem about a cat", "Thanks, go on"]) {
    await app.composer.fill(draft);
    await lookedUp(page);
    await expect(offer(page), draft).toHaveCount(0);
  }
  await app.composer.fill(DRAFT);
  await expect(offer(page)).toBeVisible();
  await app.composer.fill("Another thing");
  await expect(offer(page)).toHaveCount(0);
});

test("offers can be turned off for good", async ({ app, standIn, page }) => {
  await conversation(app, standIn);
  await app.composer.fill(DRAFT);
  await offer(page).getByRole("button", { name: "Don’t suggest any" }).click();
  await expect(offer(page)).toHaveCount(0);
  await app.reload();
  await app.ready();
  await app.composer.fill(DRAFT);
  await lookedUp(page);
  await expect(offer(page)).toHaveCount(0);
});

test("what was included is for the draft: not for another answer, and not said while it is mute", async ({ app, standIn, page }) => {
  await conversation(app, standIn);
  await app.composer.fill(DRAFT);
  await offer(page).getByRole("button", { name: "Include it" }).click();
  // "Ask again" sent it too.
  await standIn.script(says("Another red."));
  await app.inMessage(app.last, "Ask again").click();
  const again = (await standIn.chats(5))[4].body.messages.map((m) => m.content).join("\n");
  expect(again).not.toContain("adjacency");
  await app.ended("complete");
  await expect(included(page)).toHaveCount(1);
  // It said "Included" of a message that was not sent.
  await app.message(2).hover();
  await app.act(app.message(2), "Mute");
  await expect(included(page)).toHaveCount(0);
  await app.act(app.message(2), "Mute");
  await expect(included(page)).toHaveCount(1);
});

test("offers that were turned off are turned on again where the rules are", async ({ app, standIn, page }) => {
  await conversation(app, standIn);
  await app.composer.fill(DRAFT);
  await offer(page).getByRole("button", { name: "Don’t suggest any" }).click();
  await expect(offer(page)).toHaveCount(0);
  await app.openRules();
  const never = page.getByRole("radio", { name: "Never", exact: true });
  await expect(never).toBeChecked();
  await page.getByRole("radio", { name: "Suggest one" }).check();
  await app.composer.fill("");
  await app.composer.fill(DRAFT);
  await expect(offer(page)).toBeVisible();
});
