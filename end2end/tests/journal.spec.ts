// The journal in IndexedDB: what localStorage lost is there at the next start. Killing the browser: kill.spec.ts.
import { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { forgetJournal } from "../support/log";
import { endless, says, text } from "../support/standIn";

// Guarded in each run by kernel/log/src/tests/journal.rs, `what_is_missing_is_brought_back_and_what_is_there_stays`.
test("records that the browser lost are brought back, once", { tag: "@all" }, async ({ app, standIn, page }) => {
  for (const words of ["One.", "Two."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("First");
  await app.exchange("Second");
  const before = await app.stored();
  await page.evaluate(() => {
    const [, ...lost] = Object.keys(localStorage).filter((key) => /^sash:[mc]:/.test(key)).sort();
    lost.forEach((key) => localStorage.removeItem(key));
  });
  await app.reload();
  await expect(app.messages.locator(".message-text")).toHaveText(["First", "One.", "Second", "Two."]);
  for (const [key, value] of Object.entries(await app.stored())) if (/^sash:[mc]:/.test(key)) expect(value).toBe(before[key]);
});

test("a whole log that never reached the disk is there again", async ({ app, standIn, page }) => {
  await standIn.script(says("One."));
  await app.openReady();
  await app.exchange("First");
  await page.evaluate(() => localStorage.clear());
  await app.reload();
  await expect(app.messages.locator(".message-text")).toHaveText(["First", "One."]);
});

// Guarded in each run by kernel/log/src/tests/journal.rs,
// `a_damaged_record_is_healed_and_a_damaged_entry_heals_nothing`.
test("a damaged record is healed, and kept aside as it was", { tag: "@all" }, async ({ app, standIn, page }) => {
  await standIn.script(says("The answer."));
  await app.openReady();
  await app.exchange("Question");
  const damaged = await page.evaluate(() => {
    const key = Object.keys(localStorage).find((k) => k.startsWith("sash:m:") && localStorage.getItem(k)!.includes("The answer."))!;
    localStorage.setItem(key, localStorage.getItem(key)!.replace("The", "the"));
    return key;
  });
  await app.reload();
  await expect(app.messages.locator(".message-text")).toHaveText(["Question", "The answer."]);
  expect((await app.stored())[`sash:bad:${damaged}`]).toContain("the answer.");
});

// Guarded in each run by kernel/log/src/tests/killed.rs, `a_killed_browser_loses_nothing_that_was_acknowledged`.
test("deleted chats stay deleted, emptied ones stay away", { tag: "@all" }, async ({ app, standIn, page }) => {
  await standIn.script(says("One."));
  await standIn.script(says("Two."));
  await app.openReady();
  await app.exchange("Stays");
  await app.newChat();
  await app.exchange("Goes");
  const before = await app.stored();
  await app.chat("Goes").hover();
  await app.inList("Goes", "Delete");
  await expect(app.chat("Goes")).toHaveCount(0);
  // The disk is as it was before.
  await page.evaluate((before) => {
    localStorage.clear();
    for (const [key, value] of Object.entries(before)) localStorage.setItem(key, value);
  }, before);
  await app.reload();
  await expect(app.chat("Stays")).toBeVisible();
  await expect(app.chat("Goes")).toHaveCount(0);
});

test("chats that were cleared from outside come back when they are asked for", async ({ app, standIn, page, context }) => {
  await standIn.script(says("One."));
  await app.openReady();
  await app.exchange("First");
  const other = await context.newPage();
  await other.goto(`${app.url}/icon.svg`);
  await other.evaluate(() => localStorage.clear());
  await expect(page.getByText("deleted from outside Sash")).toBeVisible();
  // What is on the screen stays there, also when it goes on.
  await expect(app.messages.locator(".message-text")).toHaveText(["First", "One."]);
  await standIn.script(says("Two."));
  await app.exchange("Second");
  const all = ["First", "One.", "Second", "Two."];
  await expect(app.messages.locator(".message-text")).toHaveText(all);
  await page.getByRole("button", { name: "Bring it back" }).click();
  await expect(page.getByText("deleted from outside Sash")).toHaveCount(0);
  await expect(app.chat("First")).toBeVisible();
  await forgetJournal(page);
  await app.reload();
  await expect(app.messages.locator(".message-text")).toHaveText(all);
});

// Guarded in each run by kernel/log/src/tests/journal.rs,
// `a_log_that_someone_cleared_comes_back_only_when_asked_for`.
test("a log that had been there for long and is gone is brought back only when asked for", { tag: "@all" }, async ({ app, standIn, page }) => {
  await standIn.script(says("One."));
  await app.openReady();
  await app.exchange("First");
  await page.evaluate(async () => {
    localStorage.clear();
    // As if it had been begun ten minutes before.
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open("sash");
      request.onsuccess = () => resolve(request.result);
    });
    const store = db.transaction("redo", "readwrite").objectStore("redo");
    await new Promise<void>((resolve) => {
      const read = store.get("sash:meta");
      read.onsuccess = () => {
        store.put([read.result[0], read.result[1] - 600_000], "sash:meta").onsuccess = () => resolve();
      };
    });
    db.close();
  });
  await app.reload();
  await expect(page.getByText("deleted from outside Sash")).toBeVisible();
  await expect(app.messages).toHaveCount(0);
  // Not at the next start either, where nothing was said yet.
  await app.reload();
  await expect(page.getByText("deleted from outside Sash")).toBeVisible();
  await expect(app.messages).toHaveCount(0);
  await page.getByRole("button", { name: "Bring it back" }).click();
  await app.chat("First").click();
  await expect(app.messages.locator(".message-text")).toHaveText(["First", "One."]);
});

test("without IndexedDB the page works, and says so in the console alone", async ({ app, standIn, page }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("Not here.", "SecurityError");
    };
  });
  const told = page.waitForEvent("console", (line) => line.text().includes("There is no journal"));
  await standIn.script(says("One."));
  await app.openReady();
  await told;
  await app.exchange("First");
  await app.reload();
  await expect(app.messages.locator(".message-text")).toHaveText(["First", "One."]);
});

// Guarded in each run by kernel/log/src/tests/mod.rs,
// `an_answer_that_never_ended_is_there_as_interrupted_and_the_final_record_replaces_it`;
// kernel/log/src/tests/killed.rs, `a_killed_browser_loses_nothing_that_was_acknowledged`.
test("an answer that was lost with the browser is there as interrupted, and goes on", { tag: "@all" }, async ({ programs, standIn, page }) => {
  // What the log alone keeps: the server keeps no answer that could be taken up.
  const app = new ChatPage(page, (await programs.sash(standIn.url, "--linger", "0")).url);
  await standIn.script([text("Half of it", 1), endless()]);
  await app.openReady();
  await app.ask("Tell me");
  await app.streaming();
  await expect.poll(async () => Object.keys(await app.stored()).filter((key) => key.startsWith("sash:t:")).length).toBeGreaterThan(1);
  const kept = await app.stored();
  await page.route("**/api/**", (route) => route.abort());
  await app.page.goto(`${app.url}/icon.svg`);
  await page.evaluate((kept) => {
    localStorage.clear();
    for (const [key, value] of Object.entries(kept)) if (!key.startsWith("sash:t:")) localStorage.setItem(key, value);
  }, kept);
  await page.unroute("**/api/**");
  await app.open();
  await app.ready();
  await app.ended("interrupted");
  await expect(app.text(app.last)).toContainText("Half of it");
  await standIn.script(says("And the rest."));
  await app.last.getByRole("button", { name: "Continue" }).click();
  await app.ended("complete");
  await expect(app.messages).toHaveCount(2);
  const seen = (await standIn.chats(2))[1].body.messages;
  expect(seen.map((m) => m.role)).toEqual(["user", "assistant"]);
  expect(seen[1].content).toContain("Half of it");
  await expect(app.text(app.last)).toHaveText(/Half of it.*And the rest\./s);
});
