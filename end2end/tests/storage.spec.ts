// The log when the browser refuses it, when it is full, and when a record is damaged.
import { expect, test } from "../support/fixtures";
import { says, text, wait, done } from "../support/standIn";

test("with storage refused the page works in memory, and says so", async ({ app, standIn, page }) => {
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("Access is denied for this document.", "SecurityError");
        },
      });
    }
  });
  await app.openReady();
  await expect(page.getByText("Nothing is being saved")).toBeVisible();
  await standIn.script(says("One."));
  await standIn.script(says("Two."));
  await app.exchange("First");
  await app.newChat();
  await app.exchange("Second");
  await app.chat("First").click();
  await expect(app.text(app.last)).toHaveText("One.");
  await page.getByRole("button", { name: /^Theme/ }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
});

test("full storage is told, the answer comes all the same, and nothing old is harmed", async ({ app, standIn, page }) => {
  await standIn.script(says("Safe and sound."));
  await app.openReady();
  await app.exchange("Before");
  await page.evaluate(() => {
    let size = 1 << 20;
    for (let n = 0; size >= 1; ) {
      try {
        localStorage.setItem(`filler${n}`, "x".repeat(size));
        n++;
      } catch {
        size >>= 1;
      }
    }
  });
  await standIn.script([text("It comes ", 2), wait(1200), text("to its end.", 2), done()]);
  await app.exchange("While it is full");
  await expect(app.text(app.last)).toHaveText("It comes to its end.");
  await expect(page.getByText("Not everything is being saved")).toBeVisible();
  // Room again: the line goes with the next thing that is saved.
  await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("filler")).forEach((key) => localStorage.removeItem(key)));
  await standIn.script(says("Saved again."));
  await app.exchange("After");
  await expect(page.getByText("Not everything is being saved")).toHaveCount(0);
  await app.reload();
  await expect(app.messages.locator(".message-text")).toHaveText([
    "Before",
    "Safe and sound.",
    "While it is full",
    "It comes to its end.",
    "After",
    "Saved again.",
  ]);
});

test("a damaged record is set aside, and the rest is shown", async ({ app, standIn, page }) => {
  for (const words of ["The good answer.", "The bad answer."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("Good chat");
  await app.newChat();
  await app.exchange("Bad chat");
  const damaged = await page.evaluate(() => {
    const key = Object.keys(localStorage).find((k) => k.startsWith("sash:m:") && localStorage.getItem(k)!.includes("The bad answer."))!;
    localStorage.setItem(key, localStorage.getItem(key)!.replace("bad", "BAD"));
    return key;
  });
  await app.reload();
  await app.ready();
  await expect(app.title).toHaveText("Bad chat");
  await expect(app.messages.locator(".message-text")).toHaveText(["Bad chat"]);
  const stored = await app.stored();
  expect(stored[damaged]).toBeUndefined();
  expect(stored[`sash:bad:${damaged}`]).toContain("The BAD answer.");
  await app.chat("Good chat").click();
  await expect(app.messages.locator(".message-text")).toHaveText(["Good chat", "The good answer."]);
  await standIn.script(says("On we go."));
  await app.exchange("And on");
});

test("a damaged record in the middle hides nothing that is whole", async ({ app, standIn, page }) => {
  for (const words of ["One.", "Two.", "Three."]) await standIn.script(says(words));
  await app.openReady();
  for (const question of ["First", "Second", "Third"]) await app.exchange(question);
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((k) => k.startsWith("sash:m:") && localStorage.getItem(k)!.includes("Two."))!;
    localStorage.setItem(key, localStorage.getItem(key)!.slice(0, -9));
  });
  await app.reload();
  await expect(app.messages.locator(".message-text")).toHaveText(["First", "One.", "Second", "Third", "Three."]);
});

test("a log of a newer Sash is not written to", async ({ app, page }) => {
  await page.addInitScript(() => localStorage.setItem("sash:meta", '{"app":"sash","schema":9,"minReader":9,"install":"0000000000000001"}'));
  await app.openReady();
  await expect(page.getByText("a newer version of Sash wrote the chats")).toBeVisible();
  await app.exchange("Not kept");
  expect(Object.keys(await app.stored())).toEqual(["sash:meta"]);
});

test("keys of others are left alone", async ({ app, standIn, page }) => {
  await page.addInitScript(() => localStorage.setItem("theirs", "untouched"));
  await standIn.script(says("Ours."));
  await app.openReady();
  await app.exchange("Hello");
  await page.evaluate(() => dispatchEvent(new StorageEvent("storage", { key: "theirs", newValue: "x" })));
  await page.evaluate(() => dispatchEvent(new StorageEvent("storage", { key: null })));
  await expect(app.text(app.last)).toHaveText("Ours.");
  expect((await app.stored()).theirs).toBe("untouched");
});
