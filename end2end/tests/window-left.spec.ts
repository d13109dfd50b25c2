// Messages leave the window: what is said above the field the first time, and the line in the transcript.
import type { Locator, Page } from "@playwright/test";
import { type ChatPage, watchAnnouncements } from "../support/chatPage";
import { expect, showNotices, test } from "../support/fixtures";
import { openWithMessages } from "../support/log";
import { says, type StandIn } from "../support/standIn";

const first = (page: Page): Locator => page.locator(".first-left");
const button = (page: Page, name: string): Locator => first(page).getByRole("button", { name, exact: true });
const line = (page: Page): Locator => page.locator(".window-notice");

async function exchanges(app: ChatPage, standIn: StandIn, ...all: [string, string][]): Promise<void> {
  for (const [question, answer] of all) {
    await standIn.script(says(answer));
    await app.exchange(question);
  }
}

const last = async (standIn: StandIn, chats: number): Promise<string[]> => {
  const sent = (await standIn.chats(chats))[chats - 1].body.messages;
  return sent.map((message: { content: string }) => message.content);
};

test.beforeEach(({ page }) => page.addInitScript(watchAnnouncements));

test("a newcomer's fourth question knows what the first one said", async ({ app, page, standIn }) => {
  await app.openReady();
  await showNotices(page);
  await exchanges(app, standIn, ["My code word is marmalade", "Noted."]);
  await expect(button(page, "OK")).toHaveCount(0);
  await expect(line(page)).toHaveCount(0);
  // With the second answer the first message has left, before a question is asked without it.
  await exchanges(app, standIn, ["Why is the sky blue?", "It scatters light."]);
  await expect(first(page)).toContainText("The model no longer sees the start of this chat: it gets the last 3 messages with each question.");
  const said = (await app.announced()).filter((words) => words.startsWith("The model no longer sees the start"));
  expect(said).toHaveLength(1);
  await button(page, "Keep all that fits").click();
  await expect(app.composer).toBeFocused();
  await expect(button(page, "OK")).toHaveCount(0);
  await expect(line(page)).toHaveCount(0);
  await expect(page.locator(".toast")).toContainText("then drops the older half");
  await exchanges(app, standIn, ["Plan a dinner", "Pasta."], ["What is my code word?", "Marmalade."]);
  expect(await last(standIn, 4)).toEqual([
    "My code word is marmalade",
    "Noted.",
    "Why is the sky blue?",
    "It scatters light.",
    "Plan a dinner",
    "Pasta.",
    "What is my code word?",
  ]);
});

// Guarded in each run by crates/search/src/mention/tests/behaviour.rs,
// `from_the_first_message_that_left_what_was_said_is_offered`; mention.spec.ts, "what a draft refers to is offered,
// said once, and frozen into the question that it is included in".
test("without an answer to it the older message is suggested", { tag: "@all" }, async ({ app, page, standIn }) => {
  await app.openReady();
  await exchanges(app, standIn, ["My code word is marmalade", "Noted."], ["Why is the sky blue?", "It scatters light."]);
  await app.composer.fill("What is my code word?");
  const offer = page.getByRole("group", { name: "Suggestion" });
  await expect(offer).toContainText("My code word is marmalade");
  await offer.getByRole("button", { name: /^Include it/ }).click();
  await standIn.script(says("Marmalade."));
  await app.composer.press("Enter");
  await app.ended("complete");
  expect((await last(standIn, 3)).join("\n")).toContain("My code word is marmalade");
});

test("recall is turned on for this chat alone, and OK leaves the quiet line in all chats", async ({ app, page, context }) => {
  await openWithMessages(app, 8);
  await showNotices(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(first(other)).toContainText("The model no longer sees the start of this chat");
  await button(page, "Recall older messages").click();
  await expect(page.locator(".toast")).toContainText("In this chat only");
  await expect(first(page)).toHaveText("");
  await expect(line(page)).toHaveText("From here up the model no longer sees the chat");
  // Answered in one tab, it is gone in the other.
  await expect(first(other)).toHaveText("");
  await other.close();
  const recall = (chat: Record<string, string>) => Object.entries(chat).filter(([key, value]) => key.startsWith("sash:c:") && value.includes('"recall"'));
  expect(recall(await app.stored())).toHaveLength(1);
  expect(recall(await app.stored())[0][1]).not.toMatch(/"all_chats":true/);
  await app.reload();
  await showNotices(page);
  await expect(line(page)).toHaveCount(1);
  await expect(first(page)).toHaveText("");
});

test("it is said in a temporary chat too, takes no focus, and moves no field under the hand", async ({ app, page, standIn }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await app.openReady();
  await showNotices(page);
  await page.getByRole("button", { name: "This chat" }).click();
  await page.getByRole("menuitem", { name: "New temporary chat" }).click();
  await exchanges(app, standIn, ["First", "One."]);
  await standIn.script(says("Two."));
  await app.composer.fill("Second");
  await app.composer.press("Enter");
  await app.composer.pressSequentially("I wri");
  const before = (await app.composer.boundingBox())!;
  await app.ended("complete");
  await expect(button(page, "Keep all that fits")).toBeVisible();
  await expect(app.composer).toBeFocused();
  await app.composer.pressSequentially("te on");
  await expect(app.composer).toHaveValue("I write on");
  const after = (await app.composer.boundingBox())!;
  expect(after.y).toBe(before.y);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await button(page, "OK").click();
  await expect(first(page)).toHaveText("");
  await expect(line(page)).toHaveCount(1);
});

for (const width of [320, 390, 1280]) {
  // Guarded in each run by the narrowest.
  test(`the line is a row of its own between what is left out and what is sent, at ${width} px`, { tag: width === 320 ? [] : "@all" }, async ({ app, page }) => {
    await page.setViewportSize({ width, height: 800 });
    await openWithMessages(app, 8);
    await expect(app.messages).toHaveCount(8);
    await line(page).scrollIntoViewIfNeeded();
    const at = (await line(page).boundingBox())!;
    const boxes = await app.messages.evaluateAll((all) => all.map((message) => {
      const box = message.getBoundingClientRect();
      return { top: box.top, bottom: box.bottom, sent: message.dataset.window !== "out" };
    }));
    for (const box of boxes) {
      if (box.sent) expect(box.top).toBeGreaterThanOrEqual(Math.floor(at.y + at.height) - 1);
      else expect(box.bottom).toBeLessThanOrEqual(Math.ceil(at.y) + 1);
    }
  });
}

test("the line follows the edge, and a reader stays where they are", async ({ app, page }) => {
  await openWithMessages(app, 100);
  const place = () => line(page).evaluate((row) => row.nextElementSibling?.textContent ?? "");
  await expect.poll(place).toContain("Answer 49");
  await app.log.evaluate((log) => log.scrollTo(0, log.scrollHeight / 2));
  await page.waitForTimeout(300);
  const seen = () => app.messages.evaluateAll((all) => {
    const shown = all.find((message) => message.getBoundingClientRect().top > 150)!;
    return [shown.querySelector(".message-text")!.textContent, Math.round(shown.getBoundingClientRect().top)];
  });
  const before = await seen();
  await app.openRules();
  await app.rule("Last messages").check();
  await app.rules.getByRole("spinbutton").first().fill("90");
  await app.rules.getByRole("spinbutton").first().blur();
  await expect(app.windowLine).toContainText("90 of 100");
  await page.keyboard.press("Escape");
  await page.waitForTimeout(300);
  const after = await seen();
  expect(after[0]).toBe(before[0]);
  // Chromium does not always make up for the line itself, which came in above.
  const height = 32;
  expect(Math.abs(Number(after[1]) - Number(before[1]))).toBeLessThanOrEqual(height);
});

test("the line is not printed, and below a clearing there is none", async ({ app, page }) => {
  await openWithMessages(app, 8);
  await expect(line(page)).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(line(page)).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await app.composer.fill("/clear");
  await app.composer.press("Enter");
  await expect(app.log.getByText("Context cleared here")).toBeVisible();
  await expect(line(page)).toHaveCount(0);
});

test("no tooltip takes the pointer from what is below it", async ({ app, page }) => {
  await openWithMessages(app, 8);
  const tips = page.locator("[role=tooltip], .sash-name");
  for (const events of await tips.evaluateAll((all) => all.flatMap((tip) => [tip, ...tip.querySelectorAll("*")].map((part) => getComputedStyle(part).pointerEvents)))) {
    expect(events).toBe("none");
  }
  expect(await tips.count()).toBeGreaterThanOrEqual(2);
  // It lies over the field, which takes the click.
  await app.windowLine.hover();
  const tip = page.getByRole("tooltip");
  await expect(tip).toBeVisible();
  const [over, field] = [(await tip.boundingBox())!, (await app.composer.boundingBox())!];
  const y = Math.max(over.y, field.y) + 4;
  expect(y).toBeLessThan(Math.min(over.y + over.height, field.y + field.height));
  await page.mouse.click(over.x + over.width / 2, y);
  await expect(app.composer).toBeFocused();
});
