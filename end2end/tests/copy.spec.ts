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
  const copy = app.last.getByRole("button", { name: "Copy", exact: true });
  const icon = () => copy.locator("path").getAttribute("d");
  const before = await icon();
  await copy.click();
  await expect.poll(icon, "a tick").not.toBe(before);
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

// Guarded in each run by "a message is copied as Markdown and as rich text".
test("a question is copied as it was written", { tag: "@all" }, async ({ app, page, context, standIn }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await app.openReady();
  await standIn.script(says("Yes."));
  await app.exchange("Is **this** bold?");
  await app.messages.first().hover();
  await app.messages.first().getByRole("button", { name: "Copy", exact: true }).click();
  await expect.poll(async () => (await clipboard(page))["text/plain"]).toBe("Is **this** bold?");
});

// It gave the glyphs, each on a line of its own.
test("formulas in a selection are copied as their source, and as MathML", async ({ app, page, context, standIn }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await app.openReady();
  const source = String.raw`\frac{a}{b}`;
  await standIn.script(
    says(`Take $${source}$ and **go**.\n\n$$\nx_1\n= 2\n$$\n\n- see [here](https://example.com/x)\n- \\(y^2\\) and $\\unknown{z}$\n\n\`\`\`text\nlet a;\n\`\`\`\n\nThe end.`),
  );
  await app.exchange("Hello");
  const answer = app.text(app.last);
  await expect(answer.locator("math")).toHaveCount(3);
  await answer.evaluate((element) => getSelection()?.selectAllChildren(element));
  const selected = await page.evaluate(() => getSelection()!.toString());
  await page.keyboard.press("Control+c");
  await expect.poll(async () => (await clipboard(page))["text/plain"]).toContain("Take");
  const copied = await clipboard(page);
  expect(copied["text/plain"]).toBe(
    `Take $${source}$ and go.\n\n$$\nx_1\n= 2\n$$\n\nsee here\n\\(y^2\\) and $\\unknown{z}$\nlet a;\n\n\nThe end.`,
  );
  const seen = await page.evaluate((html) => {
    const place = new DOMParser().parseFromString(html, "text/html").body;
    return {
      formulas: [...place.querySelectorAll("math")].map((math) => math.getAttribute("alttext")?.trim()),
      bold: place.querySelector("p strong")?.textContent,
      ours: place.querySelectorAll("button, figcaption, .host").length,
    };
  }, copied["text/html"]);
  expect(seen).toEqual({ formulas: [source, "x_1\n= 2", "y^2"], bold: "go", ours: 0 });
  // Nothing is left of it in the page, and what is selected is what it was.
  await expect(page.locator(".copied")).toHaveCount(0);
  expect(await page.evaluate(() => getSelection()!.toString())).toBe(selected);

  // From within a formula into the text.
  await answer.evaluate((answer) => {
    const inner = answer.querySelector("math mi")!;
    getSelection()!.setBaseAndExtent(inner, 0, answer.querySelector("strong")!.firstChild!, 1);
  });
  await page.keyboard.press("Control+c");
  await expect.poll(async () => (await clipboard(page))["text/plain"]).toBe(`$${source}$ and g`);

  // What is selected in a field is the field's.
  await app.composer.fill("mine");
  await app.composer.selectText();
  await page.keyboard.press("Control+c");
  await expect.poll(async () => (await clipboard(page))["text/plain"]).toBe("mine");
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
