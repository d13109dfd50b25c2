// A chat on paper: the browser prints what the page shows, so all of it must be there, and nothing else.
import type { Page } from "@playwright/test";
import type { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { openWithMessages } from "../support/log";
import { readPdf } from "../support/pdf";

const LONG = "x".repeat(400);
const PARTS = `

[a link](https://example.com/somewhere) and <https://example.org/>

\`\`\`text
${LONG}
\`\`\`

| ${Array.from({ length: 12 }, (_, n) => `a column ${n}`).join(" | ")} |
|${" - |".repeat(12)}
| ${Array.from({ length: 12 }, (_, n) => `cell ${n} of it`).join(" | ")} |

$$\\frac{a}{b} + c$$

The last word.`;

/** In the place of the browser's dialog: records what would be on paper. */
const watchPrinting = (page: Page) =>
  page.addInitScript(() => {
    window.print = () => {
      dispatchEvent(new Event("beforeprint"));
      const messages = [...document.querySelectorAll("[role=log] article")];
      Object.assign(window, {
        printed: {
          title: document.title,
          count: messages.length,
          first: messages[0]?.querySelector(".message-text")?.textContent,
          last: messages.at(-1)?.querySelector(".message-text")?.textContent,
        },
      });
      dispatchEvent(new Event("afterprint"));
    };
  });

const printed = (page: Page) => page.evaluate(() => (window as unknown as { printed?: Record<string, unknown> }).printed);

async function print(app: ChatPage) {
  await app.page.getByRole("button", { name: "This chat", exact: true }).click();
  await app.page.getByRole("menuitem", { name: "Print or save as PDF…" }).click();
  await expect.poll(() => printed(app.page), { timeout: 60_000 }).toBeTruthy();
  return (await printed(app.page))!;
}

test("all 200 messages are printed under the chat's title, and then the page is as it was", async ({ app, page }) => {
  await watchPrinting(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await openWithMessages(app, 200, {}, (n) => (n === 200 ? PARTS : " with some words."), Date.UTC(2026, 2, 3, 12));
  await expect(app.last).toContainText("The last word.");
  expect(await app.messages.count()).toBeLessThan(200);
  const paper = await print(app);
  expect(paper).toMatchObject({ title: "A long chat", count: 200, first: "Question 1 with some words." });
  expect(paper.last).toContain("The last word.");
  await expect(page).toHaveTitle("A long chat · Sash");
  await expect.poll(() => app.messages.count()).toBeLessThan(200);

  // On paper there is black on white, who wrote when, and nothing to press or to scroll.
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const head = (role: string) =>
    app.log.locator(`article[data-role=${role}]`).last().evaluate((message) => getComputedStyle(message, "::before").content);
  expect(await head("assistant")).toMatch(/^"llama3.2 · 3 Mar 2026, 13:00/);
  expect(await head("user")).toMatch(/^"You · 3 Mar 2026, 13:00/);
  const colours = await page.evaluate(() => {
    const { color, backgroundColor } = getComputedStyle(document.body);
    return [color, backgroundColor];
  });
  expect(colours).toEqual(["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
  for (const controls of [page.getByRole("button"), page.getByRole("textbox"), page.getByRole("navigation"), page.getByRole("slider"), page.locator("summary")])
    await expect(controls.filter({ visible: true })).toHaveCount(0);
  await page.setViewportSize({ width: 700, height: 900 });
  const wide = await app.last.evaluate((message) =>
    [...message.querySelectorAll("pre, .table, .formula, table")].filter((part) => part.scrollWidth > part.clientWidth + 1 || part.getBoundingClientRect().right > innerWidth).map((part) => part.className || part.tagName),
  );
  expect(wide, "nothing is cut off").toEqual([]);
  const links = await app.last.locator("a").evaluateAll((all) => all.map((link) => getComputedStyle(link, "::after").content));
  expect(links).toEqual(['" (" attr(href) ")"', "none"].map((content) => (content === "none" ? content : '" (https://example.com/somewhere)"')));
});

test("the PDF that the browser makes has all 200 messages on its pages, in their order", async ({ app, page }) => {
  await openWithMessages(app, 200, {}, " with some words.");
  await expect(app.last).toContainText("Answer 100");
  expect(await app.messages.count()).toBeLessThan(200);
  // As after Ctrl+P.
  const { title, pages } = readPdf(await page.pdf({ format: "A4" }));
  expect(title, "what the browser names the file after").toBe("A long chat");
  expect(pages.length).toBeGreaterThan(8);
  expect(pages[0]).toContain("Question 1 with some words.");
  expect(pages.at(-1)).toContain("Answer 100 with some words.");
  const printed = pages.join("").match(/(Question|Answer) \d+ with some words\./g);
  expect(printed).toEqual(Array.from({ length: 200 }, (_, n) => `${n % 2 === 0 ? "Question" : "Answer"} ${Math.floor(n / 2) + 1} with some words.`));
  expect(pages.join(""), "nothing to press").not.toMatch(/Copy|New chat|Ask something/);
  await expect.poll(() => app.messages.count()).toBeLessThan(200);
});

test("1,000 messages are made ready in slices, and another chat gives it up", { tag: "@all" }, async ({ app, page }) => {
  test.setTimeout(120_000);
  await watchPrinting(page);
  await openWithMessages(app, 1_000, {}, ". Some words that make a message of middling length.");
  await page.getByRole("button", { name: "This chat", exact: true }).click();
  await page.getByRole("menuitem", { name: "Print or save as PDF…" }).click();
  await app.newChat();
  await expect(app.title).toHaveText("New chat");
  await app.chat("A long chat").click();
  await expect(app.last).toContainText("Answer 500");
  expect(await printed(page)).toBeUndefined();
  expect(await print(app)).toMatchObject({ count: 1_000 });
});
