// A file with more text than a browser keeps: it comes in packed, or some of its chats do.
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { zip } from "../support/zip";

const all = process.env.SASH_TESTS === "all";

/** Prose of some thousand different words, of which a few are most of the text. */
function prose(seed: number): (bytes: number) => string {
  const parts = ["ta", "ri", "mo", "sel", "an", "ver", "li", "qu", "den", "po", "ist", "ur", "ba", "ne", "cor", "e"];
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const word = () => {
    let n = next([20, 200, 2000][next(3)]) + 1;
    let made = "";
    for (; n > 0; n = Math.floor(n / 16)) made += parts[n % 16];
    return made;
  };
  return (bytes) => {
    let text = "";
    while (text.length < bytes) text += `${word()} `;
    return text;
  };
}

/** An archive of ChatGPT of so many chats with 12.4 kB of text each, the newest last. */
function archive(chats: number) {
  const text = prose(7);
  const list = Array.from({ length: chats }, (_, chat) => {
    const time = 1_700_000_000 + chat * 10_000;
    const nodes = Array.from({ length: 8 }, (_, n) => {
      const id = `node-${chat}-${n}`;
      const words = `${n ? "" : `Question of chat ${chat} `}${text(1_550)}${n === 7 ? ` marmalade${chat}` : ""}`;
      const message = {
        id,
        author: { role: n % 2 ? "assistant" : "user" },
        create_time: time + n,
        content: { content_type: "text", parts: [words] },
      };
      return [id, { id, parent: n ? `node-${chat}-${n - 1}` : null, children: [], message }];
    });
    return { title: `Chat number ${chat}`, conversation_id: `chat-${chat}`, create_time: time, mapping: Object.fromEntries(nodes) };
  });
  return { name: "export.zip", mimeType: "application/zip", buffer: zip({ "conversations.json": JSON.stringify(list) }) };
}

// Guarded in each run by rooms/import/tests/files/large.rs, `a_file_of_more_text_than_a_browser_keeps_comes_in_whole`.
test("an export of 18 MB comes in, is opened, searched and exported again", { tag: "@all" }, async ({ app, page }) => {
  test.slow();
  await page.addInitScript(() => {
    const tasks: number[] = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: "longtask" });
    Object.assign(window, { tasks });
  });
  await app.openReady();
  const library = new Library(page);
  await app.openFromFoot("Import…");
  const field = library.dialog.getByLabel("Files to import");
  await expect(field).toBeFocused();
  const began = Date.now();
  await field.setInputFiles(archive(1_500));
  await expect(library.dialog).toContainText("1,500 chats: 1,500 new", { timeout: 240_000 });
  const read = Date.now();
  await expect(library.button("Import")).toBeInViewport();
  await library.button("Import").click();
  await expect(library.dialog).toContainText("1,500 chats imported.", { timeout: 240_000 });
  const imported = Date.now();
  const longest = await page.evaluate(() => Math.max(0, ...(window as unknown as { tasks: number[] }).tasks));
  console.log(`read ${read - began} ms, imported ${imported - read} ms, longest task ${Math.round(longest)} ms`);

  const [download] = await Promise.all([page.waitForEvent("download"), library.button("Export").click()]);
  expect(download.suggestedFilename()).toMatch(/\.jsonl$/);
  await library.tab("Search").click();
  await library.field.fill("marmalade77");
  await expect(library.results.first()).toContainText("marmalade77", { timeout: 120_000 });
  await library.results.first().click();
  await expect(app.text(app.last)).toContainText("marmalade77");
});

test("of a file that finds no room some chats are chosen, and nothing is half when the page ends", async ({ app, page }) => {
  test.slow();
  await app.openReady();
  // Most of the room is taken.
  await page.evaluate(() => localStorage.setItem("other", "x".repeat(4.34 * 1024 * 1024)));
  const library = new Library(page);
  await app.openFromFoot("Import…");
  const field = library.dialog.getByLabel("Files to import");
  const file = archive(300);
  await field.setInputFiles(file);
  await expect(library.dialog).toContainText("Select fewer chats", { timeout: 120_000 });
  await expect(library.button("Import")).toBeDisabled();
  await library.dialog.getByRole("searchbox", { name: "Search titles" }).fill("number 29");
  await library.button("Select only these").click();
  await expect(library.dialog).toContainText("13 of 300 chats selected.");
  await library.dialog.getByRole("checkbox", { name: /^Chat number 290/ }).uncheck();
  await expect(library.dialog).toContainText("12 of 300 chats selected.");
  await library.button("Import").click();
  await expect(library.dialog).toContainText("12 chats imported.", { timeout: 60_000 });
  await expect(app.rows).toHaveCount(12);

  // The others that fit, but the page ends in a slice.
  const records = async () => Object.keys(await app.stored()).filter((key) => /^sash:(c|m|s|in):/.test(key)).sort();
  const kept = await records();
  for (let slice = 1; slice < (all ? 40 : 2); slice++) {
    await page.reload();
    await app.started();
    await app.openFromFoot("Import…");
    await field.setInputFiles(file);
    await library.button("Select the newest that fit").click({ timeout: 120_000 });
    // From the n-th segment on nothing is written or removed: the browser is gone.
    await page.evaluate((segments) => {
      const { setItem, removeItem } = Storage.prototype;
      let left = segments;
      Storage.prototype.setItem = function (key, value) {
        if (key.startsWith("sash:s:")) left--;
        if (left >= 0) setItem.call(this, key, value);
      };
      Storage.prototype.removeItem = function (key) {
        if (left >= 0) removeItem.call(this, key);
      };
    }, slice * 3);
    await library.button("Import").click();
    await expect(library.dialog).toContainText("Nothing was imported", { timeout: 60_000 });
    await page.reload();
    await app.started();
    await expect.poll(records, `ended in slice ${slice}`).toEqual(kept);
  }
});
