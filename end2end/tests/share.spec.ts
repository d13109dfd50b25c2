// A chat as one HTML file: it has no script, asks for nothing, and comes in again as the same chat.
import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import type { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { id, openWithMessages, record } from "../support/log";
import { says } from "../support/standIn";

const ANSWER = "# Tides\n\nAs $x^2$ says, **twice** a day.\n\n$$\n\\frac{a}{b}\n$$\n\n```rust\nfn main() {} // a line that is wider than a phone, and than a sheet of paper in the end\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n<script>alert(1)</script> ![x](https://example.org/x.png)";

async function share(app: ChatPage, page: Page, entry: string): Promise<{ name: string; path: string; html: string }> {
  await page.getByRole("button", { name: "This chat", exact: true }).click();
  const item = page.getByRole("menuitem", { name: entry, exact: true });
  const [download] = await Promise.all([page.waitForEvent("download"), item.click()]);
  const path = (await download.path())!;
  await expect(page.getByText(/^Saved as .*It opens in any browser/).first()).toBeVisible();
  return { name: download.suggestedFilename(), path, html: await readFile(path, "utf8") };
}

test("a shared file opens without a request, passes axe, and comes in again", async ({ app, page, standIn, browser }) => {
  await standIn.script(says(ANSWER));
  await app.openReady();
  await app.exchange("When is the tide?");
  const { name, path, html } = await share(app, page, "Share as a file");
  expect(name).toBe("When is the tide.html");
  expect(html).not.toMatch(/<script/i);

  for (const colorScheme of ["light", "dark"] as const) {
    const context = await browser.newContext({ colorScheme, viewport: { width: 320, height: 640 } });
    const reader = await context.newPage();
    const requests: string[] = [];
    reader.on("request", (request) => requests.push(request.url()));
    const faults: string[] = [];
    reader.on("pageerror", (error) => faults.push(String(error)));
    reader.on("console", (message) => faults.push(message.text()));
    await reader.setContent(html);
    await expect(reader.getByRole("heading", { level: 1 })).toHaveText("When is the tide?");
    await expect(reader.locator("math")).toHaveCount(2);
    await expect(reader.locator(".tok-k")).toHaveText(["fn"]);
    await expect(reader.locator("article")).toHaveCount(2);
    await reader.getByText("Details and timing").click();
    await expect(reader.getByText(/^The model read 1 message/)).toBeVisible();
    const overflow = await reader.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    const formula = await reader.locator(".formula").evaluate((box) => {
      const { overflowY, paddingBottom } = getComputedStyle(box);
      return { overflowY, isWhole: box.scrollHeight - box.clientHeight <= parseFloat(paddingBottom) };
    });
    expect(formula, "a display formula has no scrollbar of its own").toEqual({ overflowY: "hidden", isWhole: true });
    expect(await reader.locator("td").first().evaluate((cell) => getComputedStyle(cell).overflowWrap), "words of a cell stay whole").toBe("break-word");
    await reader.emulateMedia({ media: "print" });
    const code = reader.locator("figure.code pre");
    expect(await code.evaluate((box) => box.scrollWidth - box.clientWidth), "printed code is wrapped").toBe(0);
    await reader.emulateMedia({ media: "screen" });
    const { violations } = await new AxeBuilder({ page: reader }).setLegacyMode().analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
    expect(requests.filter((url) => !url.startsWith("about:") && !url.startsWith("data:"))).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  }

  const library = new Library(page);
  await app.openFromFoot("Export");
  // No file says which engine of this Sash has read a message.
  const messages = async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), library.button("Export").click()]);
    const lines = (await readFile((await download.path())!, "utf8")).split("\n").filter((line) => /^\{"key":"[^"]*m:/.test(line));
    return lines.map((line) => {
      const { receipt, ...rest } = JSON.parse(line).data;
      return { ...rest, receipt: receipt && { ...receipt, engine_address: undefined } };
    });
  };
  const before = await messages();
  await library.tab("Storage").click();
  await library.button("Delete everything…").click();
  await library.button("Delete everything").click();
  await app.started();
  await app.openFromFoot("Export");
  const field = library.dialog.getByLabel("Files to import");
  await expect(field, "offered by the browser's file chooser").toHaveAttribute("accept", /\.html/);
  await field.setInputFiles(path);
  await expect(library.dialog).toContainText("1 chat: 1 new");
  await library.button("Import").click();
  await expect(library.dialog).toContainText("1 chat imported.");
  expect(before).toHaveLength(2);
  expect(await messages()).toEqual(before);
});

// Guarded in each run by rooms/import/tests/files/share.rs, `a_page_holds_the_shown_branch_alone` and
// `a_page_of_all_branches_comes_in_again_with_all_of_them`.
test("a branch is shared alone, or all of them", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.script(says("First answer."));
  await app.openReady();
  await app.exchange("A question?");
  await standIn.script(says("Second answer."));
  await app.act(app.last, "Ask again");
  await app.ended("complete");
  await expect(app.text(app.last)).toHaveText("Second answer.");
  const branch = await share(app, page, "Share this branch as a file");
  expect(branch.html).toContain("Second answer.");
  expect(branch.html).not.toContain("First answer.");
  const all = await share(app, page, "Share all branches as a file");
  expect(all.html).toContain("Second answer.");
  expect(all.html).toContain("First answer.");
});

test("what goes along is said before, and quotes of other chats stay out unless they are wanted", async ({ app, page }) => {
  await openWithMessages(app, 4, { systems: ["Be brief."], system: 0 });
  const question = {
    id: id(5),
    parent: id(4),
    seq: 5,
    role: "user",
    content: "Question 3",
    recalled: { pieces: [{ message: id(99), chat: id(0xc9) }], text: "Words of another chat" },
    created: 1e12 + 5,
  };
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [`sash:m:00000000000000c1:000005-${id(5)}`, record(question)]);
  await app.reload();
  await expect(app.messages).toHaveCount(5);
  const dialog = page.getByRole("dialog", { name: "Share as a file" });
  const save = async (include: boolean, systems = true) => {
    await page.getByRole("button", { name: "This chat", exact: true }).click();
    await page.getByRole("menuitem", { name: "Share as a file", exact: true }).click();
    await expect(dialog.getByRole("listitem")).toHaveText(["The system prompt"]);
    const prompts = dialog.getByRole("checkbox", { name: "Include system prompts" });
    await expect(prompts).toBeChecked();
    if (!systems) {
      await prompts.uncheck();
      await expect(dialog.getByRole("listitem")).toHaveCount(0);
    }
    await expect(dialog).toContainText("1 question quotes messages that are not in the file");
    const quotes = dialog.getByRole("checkbox", { name: "Include these quotes" });
    await expect(quotes).not.toBeChecked();
    if (include) await quotes.check();
    const [download] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "Save the file" }).click()]);
    await expect(dialog).toBeHidden();
    return readFile((await download.path())!, "utf8");
  };
  const without = await save(false);
  expect(without).not.toContain("Words of another chat");
  expect(without).toContain("It quoted messages that are not in this file.");
  expect(without).toContain("Be brief.");
  expect(await save(true)).toContain("Words of another chat");
  expect(await save(true, false)).not.toContain("Be brief.");

  // Nothing is saved when the person thinks better of it.
  await page.getByRole("button", { name: "This chat", exact: true }).click();
  await page.getByRole("menuitem", { name: "Share as a file", exact: true }).click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
});
