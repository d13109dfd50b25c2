// What is copied: a message as Markdown and as rich text, a selection as what it looks like.
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { says } from "../support/standIn";

const ANSWER = `# Title

A **bold** word, [a link](https://example.com/x) and \`code\`.

- one
- [x] two

\`\`\`rust
let a = 1 < 2;
\`\`\`

| a | b |
|---|--:|
| 1 | 2 |
`;

/** What lies in the clipboard, by kind. */
const clipboard = (page: Page) =>
  page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const kinds = item.types.map(async (kind) => [kind, await (await item.getType(kind)).text()]);
    return Object.fromEntries(await Promise.all(kinds)) as Record<string, string>;
  });

test("a message is copied as Markdown and as rich text", async ({ app, page, context, standIn }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await app.openReady();
  await standIn.script(says(ANSWER));
  await app.exchange("Hello");
  await app.last.getByRole("button", { name: "Copy", exact: true }).click();
  await expect.poll(async () => (await clipboard(page))["text/plain"]).toBe(ANSWER);
  const rich = (await clipboard(page))["text/html"];
  const seen = await page.evaluate((rich) => {
    const place = new DOMParser().parseFromString(rich, "text/html").body;
    const text = (what: string) => place.querySelector(what)?.textContent;
    const attributes = [...place.querySelectorAll("*")].flatMap((element) => element.getAttributeNames());
    return {
      title: text("h1"),
      bold: text("p strong"),
      link: place.querySelector("a")?.getAttribute("href"),
      items: place.querySelectorAll("ul li").length,
      code: text("pre code"),
      cells: [...place.querySelectorAll("table td")].map((cell) => cell.textContent),
      ours: place.querySelectorAll("button, figcaption, .host").length,
      attributes: [...new Set(attributes)].filter((name) => !["href", "dir", "scope", "style"].includes(name)),
    };
  }, rich);
  expect(seen).toEqual({
    title: "Title",
    bold: "bold",
    link: "https://example.com/x",
    items: 2,
    code: "let a = 1 < 2;\n",
    cells: ["1", "2"],
    ours: 0,
    attributes: [],
  });
});

test("a question is copied as it was written", async ({ app, page, context, standIn }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await app.openReady();
  await standIn.script(says("Yes."));
  await app.exchange("Is **this** bold?");
  await app.messages.first().hover();
  await app.messages.first().getByRole("button", { name: "Copy", exact: true }).click();
  await expect.poll(async () => (await clipboard(page))["text/plain"]).toBe("Is **this** bold?");
});

test("a selection is copied as what it looks like, without names of buttons and hosts", async ({ app, page, context, standIn }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await app.openReady();
  await standIn.script(says(ANSWER));
  await app.exchange("Hello");
  await app.text(app.last).evaluate((element) => getSelection()?.selectAllChildren(element));
  await page.keyboard.press("Control+c");
  const plain = await expect
    .poll(async () => (await clipboard(page))["text/plain"] ?? "")
    .toContain("Title")
    .then(() => clipboard(page));
  const lines = plain["text/plain"].split("\n").map((line) => line.trim()).filter(Boolean);
  expect(lines).toEqual(["Title", "A bold word, a link and code.", "one", "☑ two", "let a = 1 < 2;", "a\tb", "1\t2"]);
});
