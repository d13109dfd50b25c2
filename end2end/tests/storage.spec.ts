// The log when the browser refuses it, when it is full, and when a record is damaged.
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { forgetJournal } from "../support/log";
import { says, text, wait, done } from "../support/standIn";

test("with storage refused the page works in memory, and says so", async ({ app, standIn, page }) => {
  await page.addInitScript(() => {
    // Where site data is blocked, locks are refused too; an answer was taken for one that another tab takes over.
    LockManager.prototype.request = () => Promise.reject(new DOMException("Not allowed in this context.", "SecurityError"));
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

/** Fills localStorage to the last unit. */
const fill = (page: Page) =>
  page.evaluate(() => {
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
const makeRoom = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("filler")).forEach((key) => localStorage.removeItem(key)));

// Guarded in each run by kernel/log/src/tests/mod.rs, `the_reserve_lets_an_answer_in_when_all_else_is_full`;
// kernel/stores/tests/stores/storage.rs, `room_is_kept_for_the_end_of_an_answer`.
test("the reserve lets a running answer in when the storage fills up under it", { tag: "@all" }, async ({ app, standIn, page }) => {
  await standIn.script(says("Safe and sound."));
  await app.openReady();
  await app.exchange("Before");
  await expect.poll(async () => (await app.stored())["sash:z"]?.length).toBe(128 * 1024);
  await standIn.script([text("It comes ", 2), wait(1500), text("to its end.", 2), done()]);
  await app.ask("While it fills up");
  await app.streaming();
  await fill(page);
  await app.ended("complete");
  await expect(page.getByText("Not everything is being saved")).toHaveCount(0);
  await expect(page.getByText("More than 95%")).toBeVisible();
  await forgetJournal(page);
  await app.reload();
  await expect(app.messages.locator(".message-text")).toHaveText(["Before", "Safe and sound.", "While it fills up", "It comes to its end."]);
});

test("full storage is told, answers come all the same, and are in the journal until there is room", async ({ app, standIn, page }) => {
  await standIn.script(says("Safe and sound."));
  await app.openReady();
  await app.exchange("Before");
  await expect.poll(async () => (await app.stored())["sash:z"]?.length).toBe(128 * 1024);
  await page.evaluate(() => localStorage.removeItem("sash:z"));
  await fill(page);
  await standIn.script([text("It comes ", 2), wait(1200), text("to its end.", 2), done()]);
  await app.exchange("While it is full");
  await expect(app.text(app.last)).toHaveText("It comes to its end.");
  await expect(page.getByText(/Not everything is being saved: .* full\. Did not fit: \d records/)).toBeVisible();
  const all = ["Before", "Safe and sound.", "While it is full", "It comes to its end."];
  // Neither is lost with the page.
  await app.reload();
  await expect(app.messages.locator(".message-text")).toHaveText(all);
  await expect(page.getByText("Not everything is being saved")).toBeVisible();
  // Room again: the line goes with the next thing that is saved.
  await makeRoom(page);
  await standIn.script(says("Saved again."));
  await app.ready();
  await app.exchange("After");
  await expect(page.getByText("Not everything is being saved")).toHaveCount(0);
  await forgetJournal(page);
  await app.reload();
  await expect(app.messages.locator(".message-text")).toHaveText([...all, "After", "Saved again."]);
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
  await forgetJournal(page);
  await app.reload();
  await app.ready();
  await expect(app.title).toHaveText("Bad chat");
  await expect(app.messages.locator(".message-text")).toHaveText(["Bad chat"]);
  const stored = await app.stored();
  expect(stored[damaged]).toBeUndefined();
  expect(stored[`sash:bad:${damaged}`]).toContain("The BAD answer.");
  await expect(page.getByText("1 record could not be read")).toBeVisible();
  await app.chat("Good chat").click();
  await expect(app.messages.locator(".message-text")).toHaveText(["Good chat", "The good answer."]);
  await standIn.script(says("On we go."));
  await app.exchange("And on");
});

// Guarded in each run by kernel/chat/src/chat/tests.rs, `a_lost_message_hides_nothing_that_led_to_it`.
test("a damaged record in the middle hides nothing that is whole", { tag: "@all" }, async ({ app, standIn, page }) => {
  for (const words of ["One.", "Two.", "Three."]) await standIn.script(says(words));
  await app.openReady();
  for (const question of ["First", "Second", "Third"]) await app.exchange(question);
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((k) => k.startsWith("sash:m:") && localStorage.getItem(k)!.includes("Two."))!;
    localStorage.setItem(key, localStorage.getItem(key)!.slice(0, -9));
  });
  await forgetJournal(page);
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

// Guarded in each run by kernel/stores/tests/stores/tabs.rs, `keys_of_other_programs_are_not_looked_at`.
test("keys of others are left alone", { tag: "@all" }, async ({ app, standIn, page }) => {
  await page.addInitScript(() => localStorage.setItem("theirs", "untouched"));
  await standIn.script(says("Ours."));
  await app.openReady();
  await app.exchange("Hello");
  await page.evaluate(() => dispatchEvent(new StorageEvent("storage", { key: "theirs", newValue: "x" })));
  await expect(app.text(app.last)).toHaveText("Ours.");
  expect((await app.stored()).theirs).toBe("untouched");
});
