// Where things stand, with the scrollbars of the project: hidden ones, or classic ones, which take room.
import type { Locator } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { openWithMessages } from "../support/log";
import { done, says, text } from "../support/standIn";
import { frames } from "../support/waiting";

const middle = async (place: Locator) => {
  const box = (await place.boundingBox())!;
  return box.x + box.width / 2;
};

test("the project shows the scrollbars that it says", { tag: "@scrollbars" }, async ({ page }, info) => {
  await page.setContent(`<div style="width: 200px; height: 100px; overflow-y: scroll"></div>`);
  const room = await page.locator("div").evaluate((div: HTMLElement) => div.offsetWidth - div.clientWidth);
  expect(room > 0).toBe(info.project.name === "scrollbars");
});

for (const messages of [2, 30]) {
  // Two messages are guarded in each run by thirty, with which there is a scrollbar.
  test(`transcript and composer stand in line, ${messages} messages`, { tag: messages === 30 ? "@scrollbars" : "@all" }, async ({ app, page }) => {
    await openWithMessages(app, messages);
    const [transcript, composer] = [page.locator(".messages"), page.locator("form.composer")];
    for (const width of [390, 800, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await frames(page);
      expect(Math.abs((await middle(transcript)) - (await middle(composer))), `${width} px`).toBeLessThanOrEqual(0.5);
    }
  });
}

test("the model's name has letters as large as the words beside it", async ({ app, page }) => {
  const size = (what: Locator) => what.evaluate((element) => getComputedStyle(element).fontSize);
  await app.openReady();
  expect(await size(app.model)).toBe(await size(page.getByRole("button", { name: "What the model sees" })));
});

for (const messages of [2, 40]) {
  // Two messages are guarded in each run by forty, with which there is a scrollbar.
  test(`the text begins and ends where the composer does, ${messages} messages`, { tag: messages === 40 ? [] : "@all" }, async ({ app, page }) => {
    await openWithMessages(app, messages, {}, ". " + "Some words that make a message of middling length. ".repeat(6));
    for (const width of [850, 1000, 1280]) {
      await page.setViewportSize({ width, height: 600 });
      await frames(page);
      const [text, box] = [(await app.text(app.last).boundingBox())!, (await page.locator(".composer-box").boundingBox())!];
      expect(Math.abs(text.x - box.x), `${width} px, left`).toBeLessThanOrEqual(1);
      expect(Math.abs(text.x + text.width - box.x - box.width), `${width} px, right`).toBeLessThanOrEqual(1);
    }
  });
}

test("the text stays where it is when the first answer outgrows the screen", { tag: "@scrollbars" }, async ({ app, page, standIn }) => {
  const lines = Array.from({ length: 60 }, (_, n) => `Line ${n} of it.\n\n`).join("");
  await standIn.script([text(lines, 60, 60), done()]);
  await app.openReady();
  await page.evaluate(() => {
    const places: number[] = [];
    Object.assign(globalThis, { places });
    const look = () => {
      const first = document.querySelector(".message .message-text");
      if (first) places.push(first.getBoundingClientRect().left);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await app.exchange("A long answer, please");
  expect(await app.log.evaluate((log) => log.scrollHeight > log.clientHeight)).toBe(true);
  const places = await page.evaluate(() => (globalThis as unknown as { places: number[] }).places);
  expect([...new Set(places)], "left edges of the first message").toHaveLength(1);
});

test("nothing makes the page scroll sideways, with a wide answer on a narrow page", async ({ app, page, standIn }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await standIn.script(says(`| ${"column | ".repeat(12)}\n|${" --- |".repeat(12)}\n| ${"a cell | ".repeat(12)}\n\n\`\`\`\n${"long ".repeat(60)}\n\`\`\`\n\n${"word ".repeat(300)}`));
  await app.openReady();
  await app.exchange("Something wide");
  const widths = await page.evaluate(() => {
    const [root, log] = [document.documentElement, document.querySelector("[role=log]")!];
    return [root.scrollWidth - root.clientWidth, log.scrollWidth - log.clientWidth];
  });
  expect(widths).toEqual([0, 0]);
});

test("a long dialog begins at its head and keeps its buttons in view", async ({ app, page }) => {
  await app.openReady();
  for (const size of [{ width: 1280, height: 500 }, { width: 390, height: 700 }]) {
    await page.setViewportSize(size);
    if (size.width < 800) await page.getByRole("button", { name: "Chats", exact: true }).click();
    await app.openFromFoot("Keyboard shortcuts");
    const dialog = page.getByRole("dialog", { name: "Keyboard" });
    await expect(dialog.getByRole("heading", { name: "Keyboard" })).toBeInViewport();
    await expect(dialog.getByRole("button", { name: "Close" })).toBeInViewport();
    const body = dialog.locator(".dialog-body");
    expect(await body.evaluate((body) => [body.scrollTop, body.scrollHeight > body.clientHeight])).toEqual([0, true]);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  }
});

test("beside the panel the title keeps its room and its menu can be pressed", async ({ app, page }) => {
  await openWithMessages(app, 2);
  await page.setViewportSize({ width: 1100, height: 800 });
  await page.getByRole("button", { name: "What the model sees" }).click();
  expect((await page.locator("#chat-title").boundingBox())!.width).toBeGreaterThan(50);
  await page.getByRole("button", { name: "This chat", exact: true }).click();
  await expect(page.getByRole("menuitem").first()).toBeVisible();
});

test("text has four sizes that grow with the setting, and every dialog has its title, one of three widths and Close", async ({ app, page, standIn }) => {
  await standIn.script(says("# One\n\n## Two\n\n### Three\n\nSome `code`, a [link](https://example.com) and a note[^1].\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```\ncode\n```\n\n[^1]: Below."));
  await app.openReady();
  await app.exchange("All of it?");
  await page.keyboard.press("Control+,");
  const settings = page.getByRole("dialog", { name: "Settings" });
  await expect(settings).toBeVisible();
  const sizes = () =>
    page.evaluate(() => {
      const withText = [...document.querySelectorAll("body *")].filter((element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue!.trim()));
      return [...new Set(withText.map((element) => parseFloat(getComputedStyle(element).fontSize)))].sort((a, b) => a - b);
    });
  expect(await sizes()).toEqual([12, 14, 16, 20]);
  await settings.getByLabel("Text size").selectOption({ label: "Larger" });
  await expect.poll(sizes).toEqual([15, 17.5, 20, 25]);
  const dialogs = await page.locator("dialog.dialog:not(.palette)").evaluateAll((all) =>
    all.map((dialog) => ({
      isNamed: dialog.getAttribute("aria-labelledby") === dialog.querySelector(":scope > h2")?.id,
      closesLast: dialog.lastElementChild?.getAttribute("aria-label"),
      widths: ["narrow", "medium", "wide"].filter((width) => dialog.classList.contains(`dialog-${width}`)).length,
    })),
  );
  expect(dialogs.length).toBeGreaterThan(10);
  for (const dialog of dialogs) expect(dialog).toEqual({ isNamed: true, closesLast: "Close", widths: 1 });
});
