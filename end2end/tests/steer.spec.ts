// The window steered by the person: the edge moved by mouse, finger and key, rules by name, pins, mutes and fresh
// starts; and that Ollama gets exactly what the page shows.
import type { Locator, Page } from "@playwright/test";
import type { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { openWithMessages } from "../support/log";
import { Panel } from "../support/panel";
import { says, type StandIn } from "../support/standIn";
import { frames } from "../support/waiting";

/** Which messages are marked as sent, from 1. */
const sent = (app: ChatPage) =>
  app.messages.evaluateAll((all) => all.flatMap((m, i) => (m.getAttribute("data-window") === "out" ? [] : [i + 1])));

const expectSent = (app: ChatPage, messages: number[]) => expect.poll(() => sent(app)).toEqual(messages);

/** Asks, and compares what Ollama got before the prompt with what the page showed as sent. */
async function askAndCompare(app: ChatPage, standIn: StandIn, expected: string[]): Promise<void> {
  const marked = app.messages.and(app.page.locator(":not([data-window=out])")).locator(".message-text");
  await expect(marked).toHaveText(expected);
  const before = (await standIn.seen()).length;
  await standIn.script(says("Understood."));
  await app.exchange("And now?");
  const got = (await standIn.chats(before + 1))[before].body.messages;
  // Neighbours of one role are sent as one.
  expect(got.map((m) => m.content).join("\n\n")).toBe([...expected, "And now?"].join("\n\n"));
}

const middle = async (place: Locator) => {
  const box = (await place.boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, top: box.y };
};

/** From the handle to the upper edge of a message. */
async function way(app: ChatPage, message: number) {
  const from = await middle(app.edge);
  const edge = await middle(app.page.locator(".sash"));
  const by = (await middle(app.message(message))).top - edge.top;
  return { from, to: { x: from.x, y: from.y + by } };
}

async function drag(app: ChatPage, message: number, last: () => Promise<void>): Promise<void> {
  const { from, to } = await way(app, message);
  await app.page.mouse.move(from.x, from.y);
  await app.page.mouse.down();
  // Nowhere near the middle between two: it snaps.
  await app.page.mouse.move(to.x + 30, to.y + 6, { steps: 4 });
  await last();
}

test("the edge is dragged by the mouse, snaps, and is undone as one step", async ({ app, standIn, page }) => {
  await openWithMessages(app, 8);
  await expectSent(app, [6, 7, 8]);
  await drag(app, 4, async () => {
    // Shown while it is still in the hand.
    await expectSent(app, [4, 5, 6, 7, 8]);
    await page.mouse.up();
  });
  await expectSent(app, [4, 5, 6, 7, 8]);
  await expect(app.edge).toHaveAttribute("aria-valuetext", /^5 of 8 messages, (about )?\d+ tokens$/);
  await expect(app.windowLine).toContainText("5 of 8 messages");
  await app.reload();
  await expectSent(app, [4, 5, 6, 7, 8]);
  await drag(app, 7, () => page.mouse.up());
  await expectSent(app, [7, 8]);
  await page.keyboard.press("Control+z");
  await expectSent(app, [4, 5, 6, 7, 8]);
  await askAndCompare(app, standIn, ["Answer 2", "Question 3", "Answer 3", "Question 4", "Answer 4"]);
});

test("a press without a move changes nothing, and Escape takes a drag back", { tag: "@scrollbars" }, async ({ app, page }) => {
  await openWithMessages(app, 8, { policy: { steady: { keep: 2, grow_to: 6 } } });
  const before = await sent(app);
  await app.edge.click();
  await drag(app, 2, async () => {
    await expectSent(app, [2, 3, 4, 5, 6, 7, 8]);
    await page.keyboard.press("Escape");
  });
  await expectSent(app, before);
  await page.mouse.move(400, 300);
  await page.mouse.up();
  await expectSent(app, before);
  await expect(app.edge).toHaveAttribute("aria-valuetext", /^Grow, then trim/);
});

test("near the rim the messages come to meet the hand, by its place and not by its time", async ({ app, page }) => {
  await openWithMessages(app, 60);
  const from = await middle(app.edge);
  const log = (await app.log.boundingBox())!;
  const count = async () => (await sent(app)).length;
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  const first = await count();
  await page.mouse.move(from.x, log.y + 24, { steps: 3 });
  await expect.poll(count).toBeGreaterThan(first);
  // The last of the moves is painted.
  await frames(page);
  const near = await count();
  const scrolled = await app.log.evaluate((log) => log.scrollTop);
  // A fixed wait, because what is shown is that nothing happens.
  await page.waitForTimeout(500);
  expect(await count(), "nothing moves while the hand rests").toBe(near);
  expect(await app.log.evaluate((log) => log.scrollTop)).toBe(scrolled);
  await page.mouse.move(from.x, log.y + 3, { steps: 3 });
  await expect.poll(count).toBeGreaterThan(near);
  await page.mouse.move(from.x, log.y + 24, { steps: 3 });
  await expect.poll(count, "the way back is the same").toBe(near);
  // Its name says what it does, while it is held.
  await expect(page.locator(".sash-name")).toContainText(/^\d+ of 60 messages, (about )?\d+ tokens/);
  await page.mouse.up();
});

test("the edge is moved by keys, to nothing and to everything", async ({ app, standIn, page }) => {
  await openWithMessages(app, 30);
  await app.edge.focus();
  const shows = (text: string) => expect(app.edge).toHaveAttribute("aria-valuetext", new RegExp(`^${text}, (about )?[\\d,]+ tokens$`));
  await shows("3 of 30 messages");
  for (const [key, text] of [
    ["ArrowUp", "4 of 30 messages"],
    ["ArrowDown", "3 of 30 messages"],
    ["PageUp", "13 of 30 messages"],
    ["PageDown", "3 of 30 messages"],
    ["Home", "Everything, 30 of 30 messages"],
    ["ArrowDown", "29 of 30 messages"],
    ["End", "0 of 30 messages"],
  ]) {
    await page.keyboard.press(key);
    await shows(text);
    await expect(app.edge).toBeFocused();
    await expect(app.edge).toBeInViewport();
  }
  await expect(app.edge).toHaveAttribute("aria-valuenow", "0");
  await expect(app.edge).toHaveAttribute("aria-valuemax", "30");
  await askAndCompare(app, standIn, []);
  // Back out of nothing, too.
  await app.edge.focus();
  await page.keyboard.press("ArrowUp");
  await shows("1 of 32 messages");
});

test("a held key is one step", async ({ app, page }) => {
  await openWithMessages(app, 12);
  await app.edge.focus();
  for (let n = 0; n < 5; n++) await page.keyboard.down("ArrowUp");
  await page.keyboard.up("ArrowUp");
  await expect(app.edge).toHaveAttribute("aria-valuenow", "8");
  await page.keyboard.press("Control+z");
  await expect(app.edge).toHaveAttribute("aria-valuenow", "3");
});

// Guarded in each run by kernel/chat/src/window/choose.rs, `the_edge_stands_where_its_policy_begins`.
test("where exchanges are counted the edge moves by exchanges", { tag: "@all" }, async ({ app, standIn, page }) => {
  await openWithMessages(app, 12, { policy: { exchanges: 2 } });
  await expectSent(app, [9, 10, 11, 12]);
  await app.edge.focus();
  await page.keyboard.press("ArrowUp");
  await expect(app.edge).toHaveAttribute("aria-valuetext", /^Last 3 exchanges, 6 of 12 messages, /);
  await drag(app, 10, () => page.mouse.up());
  await expect(app.edge).toHaveAttribute("aria-valuetext", /^Last (exchange, 2|2 exchanges, 4) of 12/);
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowUp");
  await askAndCompare(app, standIn, ["Question 6", "Answer 6"]);
});

test.describe("with a finger, on a narrow page", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 320, height: 640 } });

  test("the edge is dragged, and the page does not scroll under it", async ({ app, page }) => {
    // So tall that the seventh is not where the transcript scrolls for a drag beyond its edge.
    await page.setViewportSize({ width: 320, height: 800 });
    await openWithMessages(app, 10);
    const { from, to } = await way(app, 7);
    const touch = await page.context().newCDPSession(page);
    const send = (type: string, points: { x: number; y: number }[]) =>
      touch.send("Input.dispatchTouchEvent", { type: type as "touchStart", touchPoints: points });
    const scrolled = () => app.log.evaluate((log) => log.scrollTop);
    const before = await scrolled();
    await send("touchStart", [from]);
    for (let n = 1; n <= 8; n++) await send("touchMove", [{ x: from.x, y: from.y + ((to.y - from.y) * n) / 8 }]);
    await expectSent(app, [7, 8, 9, 10]);
    await send("touchEnd", []);
    await expectSent(app, [7, 8, 9, 10]);
    expect(await scrolled()).toBe(before);
    const box = (await app.edge.boundingBox())!;
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(24);
  });

  test("the menu is there without hovering, and leaves by a tap elsewhere", async ({ app }) => {
    await openWithMessages(app, 6);
    await app.inMessage(app.message(1), "More").tap();
    const menu = app.message(1).getByRole("menu");
    await expect(menu).toBeInViewport({ ratio: 1 });
    await app.title.tap();
    await expect(menu).toHaveCount(0);
    await app.inMessage(app.message(1), "More").tap();
    await app.entry(menu, "Pin").tap();
    await app.expectChecked(app.message(1), "Pin", true);
    await expectSent(app, [1, 4, 5, 6]);
    await expect(app.message(1)).toContainText("about");
  });
});

test("Ctrl+Z takes back steps one by one, and is the browser's in a text field", async ({ app, page }) => {
  await openWithMessages(app, 8);
  await app.act(app.message(1), "Pin");
  await app.act(app.message(8), "Mute");
  await expectSent(app, [1, 5, 6, 7]);
  await app.composer.focus();
  await page.keyboard.type("words");
  await page.keyboard.press("Control+z");
  await expect(app.composer).not.toHaveValue("words");
  await expectSent(app, [1, 5, 6, 7]);
  await app.log.focus();
  await page.keyboard.press("Control+z");
  await expectSent(app, [1, 6, 7, 8]);
  await page.keyboard.press("Meta+z");
  await expectSent(app, [6, 7, 8]);
  await page.keyboard.press("Control+z");
  await expectSent(app, [6, 7, 8]);
});

test("pins are always sent and mutes never, in their place, and both are said", async ({ app, standIn }) => {
  await openWithMessages(app, 10);
  await app.act(app.message(2), "Pin");
  await app.act(app.message(9), "Mute");
  await expect(app.message(2).getByRole("heading")).toContainText("pinned");
  await expect(app.message(9).getByRole("heading")).toContainText("muted – not sent with the next prompt");
  await expect(app.message(9).locator(".margin-mark")).toBeVisible();
  await expect(app.message(2)).toContainText(/about \d+ tokens/);
  await app.reload();
  await askAndCompare(app, standIn, ["Answer 1", "Question 4", "Answer 4", "Answer 5"]);
  // A pin takes a mute off, and the other way round.
  await app.act(app.message(9), "Pin");
  await app.expectChecked(app.message(9), "Mute", false);
  await app.act(app.message(9), "Pin");
  await expect(app.message(9).locator(".margin-mark")).toHaveCount(0);
});

/** What each row says of its place on the branch. */
const places = (app: ChatPage) =>
  app.messages.evaluateAll((all) => all.map((m) => `${m.getAttribute("aria-posinset")} of ${m.getAttribute("aria-setsize")}`));

const inOrder = (n: number) => Array.from({ length: n }, (_, at) => `${at + 1} of ${n}`);

/** The window's edge, a pin and a mute, each seen at the rows below a place where rows came or went. */
async function expectFollowing(app: ChatPage, messages: number): Promise<void> {
  const last = (n: number) => Array.from({ length: n }, (_, at) => messages - n + 1 + at);
  await expectSent(app, last(3));
  await app.edge.focus();
  await app.page.keyboard.press("ArrowUp");
  await expectSent(app, last(4));
  await app.act(app.message(messages), "Mute");
  await expect(app.message(messages).getByRole("heading", { level: 3 })).toContainText("muted");
  await expect(app.message(messages).locator(".margin-mark")).toBeVisible();
  await app.act(app.message(messages), "Pin");
  await expect(app.message(messages)).toHaveAttribute("data-set", "pinned");
  await expect.poll(() => places(app)).toEqual(inOrder(messages));
  await app.log.focus();
  for (let n = 0; n < 3; n++) await app.page.keyboard.press("Control+z");
  await expectSent(app, last(3));
  await expect(app.message(messages)).not.toHaveAttribute("data-set");
}

test("rows follow the window after a message before them was deleted, and after it came back", async ({ app, page }) => {
  await openWithMessages(app, 8);
  await app.act(app.message(3), "Delete");
  await expect(app.messages).toHaveCount(7);
  await expectFollowing(app, 7);
  await page.keyboard.press("Control+z");
  await expect(app.messages).toHaveCount(8);
  await expectFollowing(app, 8);
  await app.act(app.message(1), "Delete");
  await app.act(app.message(4), "Delete");
  await expect(app.messages).toHaveCount(6);
  await expectFollowing(app, 6);
});

// Guarded in each run by "rows follow the window after a message before them was deleted, and after it came back".
test("rows follow the window when branches are walked", { tag: "@all" }, async ({ app, standIn, page }) => {
  await openWithMessages(app, 8);
  await app.act(app.message(5), "Edit");
  await standIn.script(says("Of the other branch."));
  await page.getByRole("textbox", { name: "Edit message" }).fill("Another question");
  await page.getByRole("button", { name: "Send as a new version" }).click();
  await app.ended("complete");
  await expectFollowing(app, 6);
  await app.inMessage(app.message(5), "Previous version").click();
  await expect(app.messages).toHaveCount(8);
  await expectFollowing(app, 8);
  // The rows of both branches move up by one.
  await app.act(app.message(2), "Delete");
  await expect(app.messages).toHaveCount(7);
  await expectFollowing(app, 7);
  await app.inMessage(app.message(4), "Next version").click();
  await expect(app.messages).toHaveCount(5);
  await expectFollowing(app, 5);
});

// Guarded in each run by "rows follow the window after a message before them was deleted, and after it came back".
test("rows of an imported chat follow the window", { tag: "@all" }, async ({ app, page }) => {
  await openWithMessages(app, 8);
  const library = new Library(page);
  await app.openFromFoot("Export");
  const [download] = await Promise.all([page.waitForEvent("download"), library.button("Export").click()]);
  const path = (await download.path())!;
  await library.tab("Storage").click();
  await library.button("Delete everything…").click();
  await library.button("Delete everything").click();
  await app.started();
  await app.openFromFoot("Export");
  await library.dialog.getByLabel("Files to import").setInputFiles(path);
  await library.button("Import").click();
  await expect(library.dialog).toContainText("1 chat imported.");
  await library.close();
  await app.chat("A long chat").click();
  await expect(app.messages).toHaveCount(8);
  await expectFollowing(app, 8);
  await app.act(app.message(4), "Delete");
  await expect(app.messages).toHaveCount(7);
  await expectFollowing(app, 7);
});

test("dragging the edge selects nothing, and the press is the handle's alone", async ({ app, page }) => {
  await openWithMessages(app, 8);
  const selectable = (name: string) => app.edge.evaluate((edge, name) => getComputedStyle(edge).getPropertyValue(name), name);
  expect(await selectable("-webkit-user-select")).toBe("none");
  await app.edge.evaluate((edge) => {
    edge.addEventListener("pointerdown", (event) => setTimeout(() => edge.setAttribute("data-test-cancelled", String(event.defaultPrevented))));
  });
  await drag(app, 4, () => page.mouse.up());
  await expect(app.edge).toHaveAttribute("data-test-cancelled", "true");
  await expect(app.edge).toBeFocused();
  expect(await page.evaluate(() => getSelection()?.isCollapsed)).toBe(true);
});

test("what is outside the window is written as what is in it: only the margin differs", async ({ app, page }) => {
  await openWithMessages(app, 8);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const looks = await app.messages.evaluateAll((all) =>
      all.map((m) => {
        const text = getComputedStyle(m.querySelector(".message-text")!);
        const line = getComputedStyle(m, "::before");
        return { colour: text.color, opacity: text.opacity, bracket: line.opacity };
      }),
    );
    expect(new Set(looks.map((look) => look.colour + look.opacity)).size).toBe(1);
    expect(looks.map((look) => look.bracket)).toEqual(["0", "0", "0", "0", "0", "1", "1", "1"]);
  }
});

const open = async (app: ChatPage) => {
  await app.openRules();
  return app.rules;
};

test("each rule by its name, and Ollama gets what it says", async ({ app, standIn, page }) => {
  await openWithMessages(app, 42);
  const menu = await open(app);
  await expect(menu).toContainText("This chat has 42 messages, 21 exchanges.");
  await expect(app.rule("Last messages")).toBeFocused();
  // Four cards, a number on three of them; what fewer people need is folded.
  await expect(menu.getByRole("radio")).toHaveCount(4);
  await expect(menu.getByRole("spinbutton")).toHaveCount(3);
  await expect(menu.locator("button, input, summary").filter({ visible: true })).toHaveCount(11);
  await page.keyboard.press("ArrowUp");
  await expect(app.rule("As much as fits")).toBeChecked();
  await page.keyboard.press("ArrowDown");
  await expect(app.rule("Last messages")).toBeChecked();
  const more = menu.locator("summary");
  await more.focus();
  await page.keyboard.press("Enter");
  await expect(menu.getByRole("radio", { checked: true })).toHaveCount(3);
  // Each says what it does before it is chosen.
  for (const words of [
    "The last 3 messages before the question;",
    "The last 5 questions with their answers",
    "Keeps up to 12 messages, then drops to 4",
    "As many whole exchanges as fit into 2,000 tokens;",
    "then drops the older half",
    "you are asked what to leave out",
  ]) {
    await expect(menu).toContainText(words);
  }
  for (const [name, count] of [
    ["Last exchanges", 10],
    ["Grow, then trim", 12],
    ["Everything", 42],
    ["Tokens", 42],
    ["As much as fits", 42],
    ["Last messages", 3],
  ] as const) {
    await app.rule(name).check();
    await expect(app.windowLine).toContainText(`${count} of 42 messages`);
    await expect(menu.getByRole("radiogroup", { name: "Rules" }).getByRole("radio", { checked: true })).toHaveCount(1);
  }
  // All of a card is its label, but for the number.
  await menu.getByText("The last 5 questions with their answers").click({ force: true });
  await expect(app.windowLine).toContainText("10 of 42 messages");
  await expect(app.rule("Last exchanges")).toBeChecked();
  await menu.getByRole("spinbutton", { name: "Tokens" }).fill("24");
  await page.keyboard.press("Enter");
  await expect(app.rule("Tokens")).toBeChecked();
  await expect(menu).toContainText("As many whole exchanges as fit into 24 tokens;");
  await expectSent(app, [41, 42]);
  await menu.getByRole("spinbutton", { name: "Maximum messages" }).fill("6");
  await page.keyboard.press("Enter");
  await expect(menu).toContainText("Keeps up to 6 messages, then drops to 2");
  await expect(app.rule("Grow, then trim")).toBeChecked();
  await menu.getByRole("spinbutton", { name: "Messages", exact: true }).fill("0");
  await page.keyboard.press("Tab");
  await expect(app.rule("Last messages")).toBeChecked();
  await expect(menu).toContainText("The question alone.");
  await page.keyboard.press("Escape");
  await expect(menu).toHaveCount(0);
  await expect(app.windowLine).toBeFocused();
  await standIn.chats(0);
  await askAndCompare(app, standIn, []);
  await open(app);
  await app.rule("Last exchanges").check();
  await app.title.click();
  await expect(menu).toHaveCount(0);
  await askAndCompare(app, standIn, [18, 19, 20, 21].flatMap((n) => [`Question ${n}`, `Answer ${n}`]).concat("And now?", "Understood."));
});

test("a rule is used for new chats when that is asked for", async ({ app, page }) => {
  await openWithMessages(app, 4);
  const menu = await open(app);
  await app.openMoreRules();
  await app.rule("Everything").check();
  await expect(menu).toContainText("New chats start with a different choice.");
  await menu.getByRole("button", { name: "Use for new chats" }).click();
  await expect(menu.getByRole("button", { name: "Use for new chats" })).toBeFocused();
  await expect(menu).toContainText("New chats start like this.");
  await page.keyboard.press("Escape");
  await app.reload();
  await app.newChat();
  await open(app);
  await expect(app.rule("Everything")).toBeChecked();
  await expect(menu).toContainText("This chat has 0 messages, 0 exchanges.");
});

test("the rules never lie over the sash: beside it on a wide page, below it on a phone, where they scroll inside", async ({ app, page }) => {
  await openWithMessages(app, 12);
  await app.openMoreRules();
  const handle = (await app.edge.boundingBox())!;
  const menu = (await app.rules.boundingBox())!;
  const line = (await app.windowLine.boundingBox())!;
  expect(menu.x).toBeGreaterThan(handle.x + 18);
  expect(menu.x + menu.width).toBeCloseTo(line.x + line.width, 0);
  expect(menu.y + menu.height).toBeLessThanOrEqual(line.y);
  // Its head stays, and never covers what has the focus.
  const close = app.rules.getByRole("button", { name: "Close" });
  await app.rules.getByRole("button", { name: "Clear context here" }).focus();
  await expect(close).toBeInViewport({ ratio: 1 });

  await page.setViewportSize({ width: 390, height: 844 });
  const sheet = (await app.rules.boundingBox())!;
  expect(sheet.x).toBe(0);
  expect(sheet.width).toBe(390);
  expect(sheet.y + sheet.height).toBeCloseTo(844, 0);
  expect(sheet.y).toBeGreaterThan(844 * 0.4);
  // The transcript ends where the sheet begins.
  await expect.poll(async () => app.log.evaluate((log) => log.getBoundingClientRect().bottom)).toBeLessThanOrEqual(sheet.y + 1);
  const inSight = await app.messages.evaluateAll(
    (all, top) => all.filter((m) => m.getBoundingClientRect().bottom < top && m.getBoundingClientRect().bottom > 60).length,
    sheet.y,
  );
  expect(inSight).toBeGreaterThan(1);
  await page.setViewportSize({ width: 320, height: 568 });
  const inside = await app.rules.evaluate((menu) => ({ sideways: menu.scrollWidth - menu.clientWidth, down: menu.scrollHeight - menu.clientHeight }));
  expect(inside.sideways).toBe(0);
  expect(inside.down).toBeGreaterThan(0);
  await app.rules.getByRole("radio", { name: "After each answer too" }).focus();
  await expect(close).toBeInViewport({ ratio: 1 });
  await close.click();
  await expect(app.rules).toHaveCount(0);
  await expect(app.windowLine).toBeFocused();
});

// Guarded in each run by keyboard.spec.ts, "Escape in the menu of a message does not stop the answer".
test("Escape in the choice of rules does not stop the answer", { tag: "@all" }, async ({ app, standIn, page }) => {
  await standIn.script([{ do: "text", text: "Some", tokens: 1, rate: 0 }, { do: "stall" }]);
  await app.openReady();
  await app.ask("Go");
  await app.streaming();
  const menu = await open(app);
  await page.keyboard.press("Escape");
  await expect(menu).toHaveCount(0);
  await expect(app.stop).toBeVisible();
});

test("/clear starts the window afresh, is undone, and stays after a reload", async ({ app, standIn, page }) => {
  await openWithMessages(app, 6);
  const line = page.getByText("Context cleared here");
  await app.ask(" /clear ");
  await expect(app.composer).toHaveValue("");
  await expect(line).toBeInViewport();
  await expectSent(app, []);
  await expect(app.messages).toHaveCount(6);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(line).toHaveCount(0);
  await expectSent(app, [4, 5, 6]);

  await app.ask("/clear");
  await expect(line).toBeVisible();
  await app.log.focus();
  await page.keyboard.press("Control+z");
  await expect(line).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);

  // With the focus in the field that Sash emptied.
  await app.ask("/clear");
  await expect(line).toBeVisible();
  await expect(app.composer).toBeFocused();
  await page.keyboard.press("Control+z");
  await expect(line).toHaveCount(0);

  await app.ask("/clear");
  await app.reload();
  await app.ready();
  await expect(line).toBeVisible();
  await standIn.chats(0);
  await askAndCompare(app, standIn, []);
  await askAndCompare(app, standIn, ["And now?", "Understood."]);
  await page.getByRole("button", { name: "Remove “Context cleared here”" }).click();
  await expect(line).toHaveCount(0);
  await expect(app.log).toBeFocused();
  await expectSent(app, [8, 9, 10]);
});

test("a prompt that only begins with /clear is a prompt", async ({ app, standIn }) => {
  await standIn.script(says("It clears."));
  await app.openReady();
  await app.exchange("/clear what does it do?");
  expect((await standIn.chats(1))[0].body.messages).toEqual([{ role: "user", content: "/clear what does it do?" }]);
});

test("the fresh start is a button too", async ({ app, page }) => {
  await openWithMessages(app, 6);
  const menu = await open(app);
  await menu.getByRole("button", { name: "Clear context here" }).click();
  await expect(menu).toHaveCount(0);
  await expect(app.composer).toBeFocused();
  await expectSent(app, []);
});

test("the parts of the window are shown with the focus, until Escape", async ({ app, page }) => {
  await openWithMessages(app, 4);
  await app.windowLine.focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("tooltip")).toContainText("Sends the last 3 messages: ");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("tooltip")).toHaveCount(0);
});

/** What a key moves, and how that is seen. */
const MOVED: Record<string, [string, MutationObserverInit]> = {
  edge: [".sash", { attributeFilter: ["style"] }],
  marks: [".messages", { attributeFilter: ["data-window"], subtree: true }],
  panel: ["#panel .turn-place", { childList: true, characterData: true, subtree: true }],
};

/** Presses a key; the milliseconds until each of them had changed, of those that had when the next frame was painted. */
async function pressed(page: Page, key: string): Promise<Record<string, number>> {
  const watch = await page.evaluateHandle((moved) => {
    const frame = new Promise<Record<string, number>>((painted) => {
      const began = () => {
        const start = performance.now();
        const times: Record<string, number> = {};
        const since = () => performance.now() - start;
        for (const [name, [place, what]] of Object.entries(moved)) {
          new MutationObserver(() => (times[name] ??= since())).observe(document.querySelector(place)!, what);
        }
        requestAnimationFrame(() => {
          // The first task behind the frame: what comes later was not in it.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => painted({ ...times, frame: since() });
          port2.postMessage(null);
        });
      };
      addEventListener("keydown", began, { capture: true, once: true });
    });
    return { frame };
  }, MOVED);
  await page.keyboard.press(key);
  return watch.evaluate(({ frame }) => frame);
}

test("a long chat: edge, marks and panel have moved by the next frame", async ({ app, page }, info) => {
  // A program built for debugging, with every step recorded.
  test.slow();
  await openWithMessages(app, 1000, {}, ". " + "Some words that make a message of middling length, as they do. ".repeat(6));
  const panel = new Panel(page);
  await panel.open();
  const moveBy = async (key: string) => {
    await app.edge.focus();
    const moves: Record<string, number>[] = [];
    for (let n = 0; n < 10; n++) moves.push(await pressed(page, key));
    for (const what of Object.keys(moves[0])) {
      const times = moves.map((move) => move[what]).sort((a, b) => a - b);
      const description = `${key}, ${what}: median ${times[5].toFixed(1)} ms, worst ${times[9].toFixed(1)} ms`;
      info.annotations.push({ type: "1,000 messages", description });
      console.log(description);
    }
    expect(moves.map((move) => Object.keys(move).sort())).toEqual(Array(10).fill(["edge", "frame", "marks", "panel"]));
  };
  await expect(panel.turns).toHaveCount(4);
  await moveBy("ArrowUp");
  await expect(panel.turns).toHaveCount(14);
  await page.keyboard.press("Home");
  await expect(app.edge).toHaveAttribute("aria-valuetext", /^Everything, 1,000 of 1,000 messages, /);
  // A card for each of them would be slow: the last hundred, and more when they are asked for.
  await expect(panel.turns).toHaveCount(101);
  await expect(panel.place).toContainText("900 messages before these.");
  await moveBy("ArrowDown");
  await expect(panel.turns).toHaveCount(101);
  await expect(panel.place).toContainText("890 messages before these.");
  await panel.place.getByRole("button", { name: "Show 500 more" }).click();
  await expect(panel.turns).toHaveCount(601);
  await panel.place.getByRole("button", { name: "Show 390 more" }).click();
  await expect(panel.turns).toHaveCount(991);
  await expect(panel.turns.first()).toContainText("Question 6.");
});

test("the undo at the foot is of the chat it tells of, and Ctrl+Z brings a deleted chat back", async ({ app, page }) => {
  // It undid a step of whatever chat was open.
  await openWithMessages(app, 6);
  await app.composer.fill("/clear");
  await app.composer.press("Enter");
  const told = page.locator(".toast").filter({ hasText: "Context cleared" });
  await expect(told).toBeVisible();
  await app.newChat();
  await expect(told).toHaveCount(0);
  await app.chat("A long chat").click();
  await expectSent(app, []);
  await app.inList("A long chat", "Delete");
  await expect(app.chat("A long chat")).toHaveCount(0);
  // In a field it is the field's.
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press("Control+z");
  await expect(app.chat("A long chat")).toBeVisible();
  await expect(app.messages).toHaveCount(6);
  await page.keyboard.press("Control+z");
  await expectSent(app, [4, 5, 6]);
});

// Guarded in each run by "a rule is used for new chats when that is asked for".
test("a new chat takes the rule for new chats, also one that was begun before", { tag: "@all" }, async ({ app, page }) => {
  await openWithMessages(app, 6);
  await app.newChat();
  await app.chat("A long chat").click();
  await app.openMoreRules();
  await app.rule("Everything").check();
  await page.getByRole("button", { name: "Use for new chats" }).click();
  await app.newChat();
  await app.openRules();
  await expect(app.rule("Everything")).toBeChecked();
});

test("a number that is none is refused, and the field says what holds", async ({ app, page }) => {
  await openWithMessages(app, 6);
  await app.windowLine.click();
  const field = page.getByRole("spinbutton", { name: "Messages", exact: true });
  await field.fill("2");
  await field.press("Enter");
  await expectSent(app, [5, 6]);
  for (const wrong of ["-5", "1.5", "99999999999"]) {
    await field.fill(wrong);
    await field.press("Enter");
    await expect(field).toHaveValue("2");
    await expectSent(app, [5, 6]);
  }
});

// The field is removed with its menu and tells of its change afterwards: the program read a signal that was gone, and stopped.
test("a press outside of the menu closes it and keeps the number that was typed", async ({ app, page }) => {
  await openWithMessages(app, 6);
  await app.windowLine.click();
  await page.getByRole("spinbutton", { name: "Messages", exact: true }).fill("2");
  await app.log.click({ position: { x: 5, y: 5 } });
  await expect(page.getByRole("spinbutton", { name: "Messages", exact: true })).toHaveCount(0);
  await expectSent(app, [5, 6]);
  await expect(page.locator("html")).toHaveAttribute("data-state", "ready");
});
