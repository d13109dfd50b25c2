// "The model can't see this": a draft that refers to a message outside the window, and the offer to include it.
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { watchAnnouncements } from "../support/chatPage";
import { conversation, DRAFT, lookedUp } from "../support/roadMap";
import { says } from "../support/standIn";

const offer = (page: Page) => page.getByRole("group", { name: "Suggestion" });
const included = (page: Page) => page.getByRole("region", { name: "Recalled for this prompt" }).getByRole("listitem");

test("what a draft refers to is offered, said once, and frozen into the question that it is included in", async ({ app, standIn, page }) => {
  await page.addInitScript(watchAnnouncements);
  await conversation(app, standIn);
  await app.composer.pressSequentially(DRAFT, { delay: 5 });
  await expect(offer(page)).toContainText("The model can’t see this: “As an adjacency list: each crossing with its streets.” (7 messages back)");
  await expect(app.composer).toBeFocused();
  expect((await app.announced()).filter((said) => said.includes("can’t see"))).toHaveLength(1);

  await page.keyboard.press("Alt+i");
  await expect(app.composer).toHaveValue(DRAFT);
  await expect(offer(page)).toHaveCount(0);
  await expect(included(page)).toContainText("“As an adjacency list");
  await expect(app.windowLine).toContainText("4 of 8 messages");

  await standIn.script(says("Small."));
  await page.keyboard.press("Enter");
  await app.ended("complete");
  const sent = (await standIn.chats(5))[4].body.messages.map((m) => m.content);
  expect(sent.slice(0, 3)).toEqual(["Pancakes, perhaps.", "Is there wine?", "A bottle of red."]);
  expect(sent[3]).toContain("As an **adjacency list**: each crossing with its streets.");
  expect(sent[3].endsWith(`\n\n${DRAFT}`)).toBe(true);
  await expect(included(page)).toHaveCount(0);
  await expect(offer(page)).toHaveCount(0);
  await expect(app.message(9).locator(".recalled")).toContainText("With 1 older message");

  // Another answer to the question reads the same, and so do later ones.
  await standIn.script(says("Tiny."));
  await app.inMessage(app.last, "Ask again").click();
  await app.ended("complete");
  expect((await standIn.chats(6))[5].body.messages.map((m) => m.content)).toEqual(sent);
  await standIn.script(says("Yes."));
  await app.exchange("Thanks");
  expect((await standIn.chats(7))[6].body.messages.map((m) => m.content)).toContain(sent[3]);
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

// Guarded in each run by rooms/recall/src/tests/mentions.rs,
// `what_was_included_can_be_left_out_and_does_not_go_while_it_is_muted`.
test("what was included can be left out again, and its message be looked at", { tag: "@all" }, async ({ app, standIn, page }) => {
  await conversation(app, standIn);
  await app.composer.fill(DRAFT);
  await offer(page).getByRole("button", { name: /^“As an/ }).click();
  await expect(app.message(2)).toBeFocused();
  await expect(app.message(2)).toBeInViewport();
  await offer(page).getByRole("button", { name: "Include it" }).click();
  await expect(app.composer).toBeFocused();
  await included(page).getByRole("button", { name: "Not this one" }).click();
  await expect(included(page)).toHaveCount(0);
  await expect(app.windowLine).toContainText("3 of 8 messages");
  await lookedUp(page);
  await expect(offer(page)).toHaveCount(0);
});

// Guarded in each run by crates/search/src/mention/tests/behaviour.rs, `nothing_is_offered_that_the_window_holds` and
// `talk_about_talk_refers_to_nothing`.
test("nothing is offered that goes along anyway, that nobody refers to, or that the draft no longer names", { tag: "@all" }, async ({ app, standIn, page }) => {
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

// Guarded in each run by rooms/recall/src/tests/mentions.rs, `whoever_wants_no_offers_gets_none`.
test("offers can be turned off for good", { tag: "@all" }, async ({ app, standIn, page }) => {
  await conversation(app, standIn);
  await app.composer.fill(DRAFT);
  await offer(page).getByRole("button", { name: "Stop suggesting" }).click();
  await expect(offer(page)).toHaveCount(0);
  await app.reload();
  await app.ready();
  await app.composer.fill(DRAFT);
  await lookedUp(page);
  await expect(offer(page)).toHaveCount(0);
});

// Guarded in each run by rooms/recall/src/tests/mentions.rs,
// `what_was_included_can_be_left_out_and_does_not_go_while_it_is_muted`.
test("what was included is for the draft: not for another answer, and not said while it is mute", { tag: "@all" }, async ({ app, standIn, page }) => {
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
  // A muted message is not sent.
  await app.message(2).hover();
  await app.act(app.message(2), "Mute");
  await expect(included(page)).toHaveCount(0);
  await app.act(app.message(2), "Mute");
  await expect(included(page)).toHaveCount(1);
});

test("offers that were turned off are turned on again where the rules are", async ({ app, standIn, page }) => {
  await conversation(app, standIn);
  await app.composer.fill(DRAFT);
  await offer(page).getByRole("button", { name: "Stop suggesting" }).click();
  await expect(offer(page)).toHaveCount(0);
  await app.openMoreRules();
  const recall = app.rules.getByRole("group", { name: "Recall older messages" });
  const never = recall.getByRole("radio", { name: "Never", exact: true });
  await expect(never).toBeChecked();
  await page.getByRole("radio", { name: "Suggest one" }).check();
  await app.composer.fill("");
  await app.composer.fill(DRAFT);
  await expect(offer(page)).toBeVisible();
});

test("an edited question says what it went with, and looks anew for what fits it", async ({ app, standIn, page }) => {
  await conversation(app, standIn);
  await app.composer.fill(DRAFT);
  await offer(page).getByRole("button", { name: "Include it" }).click();
  await standIn.script(says("Small."));
  await page.keyboard.press("Enter");
  await app.ended("complete");
  const field = page.getByRole("textbox", { name: "Edit message" });
  const going = page.getByRole("region", { name: "Recalled for this version" });
  const before = page.getByRole("region", { name: "Recalled for the question before" });
  await app.inMessage(app.message(9), "Edit").click();
  await expect(going).toContainText("“As an adjacency list");
  await field.fill("Write a poem about mountains");
  await expect(going).toHaveCount(0);
  await expect(before).toContainText("“As an adjacency list");
  await before.getByRole("button", { name: "Include it" }).click();
  await expect(before).toHaveCount(0);
  await going.getByRole("button", { name: "Not this one" }).click();
  await expect(before).toHaveCount(1);
  await standIn.script(says("High."));
  await field.press("Enter");
  await app.ended("complete");
  expect((await standIn.chats(6))[5].body.messages.at(-1)!.content).toBe("Write a poem about mountains");
});
