// An import that the browser's end cut off: the next start takes back what it had added, and nothing else.
import { expect, test } from "../support/fixtures";
import { checksum, openWithMessages } from "../support/log";

const record = (value: object) => {
  const payload = JSON.stringify(value);
  return `1|${checksum(payload)}|${payload}`;
};

test("what an import left half done is gone at the next start, and the chats that were here are not", async ({ app, page }) => {
  await openWithMessages(app, 4);
  const before = await app.kept();
  const chat = "00000000000000d7";
  const id = "00000000000000d8";
  const [head, message] = [`sash:c:${chat}`, `sash:m:${chat}:000001-${id}`];
  await page.evaluate((records) => Object.entries(records).forEach(([key, value]) => localStorage.setItem(key, value)), {
    // One of the keys it names had not been written yet.
    "sash:in:00000000000000d9": record({ keys: [head, message, `sash:m:${chat}:000002-${id}`] }),
    [head]: record({ id: chat, title: "Half of it", created: 1e12, policy: { messages: 3 }, rev: 0 }),
    [message]: record({ id, seq: 1, role: "user", content: "Half of it", created: 1e12 }),
  });
  await app.reload();
  await expect(app.chat("A long chat")).toBeVisible();
  await expect(app.chat("Half of it")).toHaveCount(0);
  expect(await app.kept()).toEqual(before);
});

// Guarded in each run by tests/pairs/imports.rs,
// `the_next_start_deletes_the_images_of_a_browser_that_was_killed`.
test("images of an import that was cut off are deleted at the next start, those of chats are not", { tag: "@all" }, async ({ app, page }) => {
  await openWithMessages(app, 2);
  const [left, used] = ["a".repeat(64), "b".repeat(64)];
  const image = (hash: string) => ({ hash, type: "image/png", size: 9, width: 3, height: 2 });
  const question = { id: "00000000000000e1", parent: "0000000000000002", seq: 3, role: "user", content: "Look", images: [image(used)], created: 1e12 };
  await page.evaluate(
    async ({ hashes, records }) => {
      const opening = indexedDB.open("sash");
      await new Promise((resolve, reject) => ([opening.onsuccess, opening.onerror] = [resolve, reject]));
      const transaction = opening.result.transaction("images", "readwrite");
      for (const hash of hashes) transaction.objectStore("images").put([new Uint8Array([1, 2, 3]), Date.now()], hash);
      await new Promise((resolve, reject) => ([transaction.oncomplete, transaction.onabort] = [resolve, reject]));
      opening.result.close();
      Object.entries(records).forEach(([key, value]) => localStorage.setItem(key, value));
    },
    {
      hashes: [left, used],
      records: {
        "sash:in:00000000000000d9": record({ keys: ["sash:c:00000000000000d7"], images: [left, used] }),
        "sash:m:00000000000000c1:000003-00000000000000e1": record(question),
      },
    },
  );
  await app.reload();
  const kept = () =>
    page.evaluate(async () => {
      const opening = indexedDB.open("sash");
      await new Promise((resolve, reject) => ([opening.onsuccess, opening.onerror] = [resolve, reject]));
      const keys = opening.result.transaction("images").objectStore("images").getAllKeys();
      await new Promise((resolve, reject) => ([keys.onsuccess, keys.onerror] = [resolve, reject]));
      opening.result.close();
      return keys.result;
    });
  await expect.poll(kept).toEqual([used]);
  await expect.poll(async () => Object.keys(await app.stored()).filter((key) => key.startsWith("sash:in:"))).toEqual([]);
});
