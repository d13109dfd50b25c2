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
