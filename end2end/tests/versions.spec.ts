// Ask again and edit make branches; nothing that was there is touched.
import { expect, test } from "../support/fixtures";
import { says } from "../support/standIn";

const all = process.env.SASH_TESTS === "all";

test("asking again gives another answer beside the first", async ({ app, standIn }) => {
  await standIn.script(says("Answer one."));
  await standIn.script(says("Answer two."));
  await app.openReady();
  await app.exchange("Which?");
  await app.inMessage(app.last, "Ask again").click();
  await expect(app.text(app.last)).toHaveText("Answer two.");
  await app.ended("complete");

  const versions = app.last.getByRole("group", { name: "Versions" });
  await expect(versions).toContainText("2/2");
  await expect(app.inMessage(app.last, "Next version")).toBeDisabled();
  await app.inMessage(app.last, "Previous version").click();
  await expect(app.text(app.last)).toHaveText("Answer one.");
  await expect(versions).toContainText("1/2");
  await expect(app.inMessage(app.last, "Previous version")).toBeDisabled();

  await app.reload();
  await expect(app.text(app.last)).toHaveText("Answer one.");
  await app.inMessage(app.last, "Next version").click();
  await expect(app.text(app.last)).toHaveText("Answer two.");

  // Both prompts were the same question, alone.
  const chats = await standIn.chats(2);
  expect(chats.map((chat) => chat.body.messages)).toEqual([
    [{ role: "user", content: "Which?" }],
    [{ role: "user", content: "Which?" }],
  ]);
});

test("an edited question is a branch with its own window", async ({ app, standIn, page }) => {
  for (const words of ["About cats.", "More of cats.", "About dogs.", "More of dogs."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("Cats?");
  await app.exchange("More?");

  const question = app.message(1);
  await question.hover();
  await app.inMessage(question, "Edit").click();
  const field = page.getByRole("textbox", { name: "Edit message" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("Cats?");
  await field.fill("Dogs?");
  await page.getByRole("button", { name: "Send as a new version" }).click();
  await expect(app.messages).toHaveCount(2);
  await app.ended("complete");
  await expect(app.text(app.message(1))).toHaveText("Dogs?");
  await expect(app.text(app.last)).toHaveText("About dogs.");
  expect((await standIn.chats(3))[2].body.messages).toEqual([{ role: "user", content: "Dogs?" }]);

  // The window follows the branch.
  await app.exchange("And more?");
  expect((await standIn.chats(4))[3].body.messages.map((m) => m.content)).toEqual(["Dogs?", "About dogs.", "And more?"]);

  await app.reload();
  await expect(app.text(app.message(1))).toHaveText("Dogs?");
  await expect(app.message(1).getByRole("group", { name: "Versions" })).toContainText("2/2");
  await app.message(1).hover();
  await app.inMessage(app.message(1), "Previous version").click();
  await expect(app.messages.locator(".message-text")).toHaveText(["Cats?", "About cats.", "More?", "More of cats."]);
  await app.message(1).hover();
  await app.inMessage(app.message(1), "Next version").click();
  await expect(app.messages.locator(".message-text")).toHaveText(["Dogs?", "About dogs.", "And more?", "More of dogs."]);
});

test("Escape closes an edit and keeps its text, through another chat and a reload; Cancel throws it away, with undo", async ({
  app,
  standIn,
  page,
}) => {
  await standIn.script(says("Yes."));
  await app.openReady();
  await app.exchange("Keep me");
  const field = page.getByRole("textbox", { name: "Edit message" });
  const waiting = app.message(1).getByRole("button", { name: "Unsaved edit", exact: true });
  const edit = app.message(1).getByRole("button", { name: /^Edit/ });
  await app.act(app.message(1), "Edit");
  await field.fill("Changed");
  await field.press("Escape");
  await expect(field).toHaveCount(0);
  await expect(app.text(app.message(1))).toHaveText("Keep me");
  await expect(waiting).toBeVisible();
  await expect(edit).toHaveAccessibleName("Edit (unsaved text)");
  await expect(edit).toBeFocused();

  await edit.click();
  await expect(field).toHaveValue("Changed");
  await field.fill("Changed again");
  // Another chat, without Escape.
  await app.newChat();
  await app.rows.first().getByRole("button", { name: "Keep me" }).click();
  await waiting.click();
  await expect(field).toHaveValue("Changed again");
  await field.fill("Changed at last");
  await app.reload();
  await waiting.click();
  await expect(field).toHaveValue("Changed at last");

  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(waiting).toHaveCount(0);
  await expect(edit).toHaveAccessibleName("Edit");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await waiting.click();
  await expect(field).toHaveValue("Changed at last");
  await standIn.script(says("No."));
  await app.ready();
  await field.press("Enter");
  await app.ended("complete");
  await expect(app.text(app.message(1))).toHaveText("Changed at last");
  await app.message(1).hover();
  await app.inMessage(app.message(1), "Previous version").click();
  await expect(app.text(app.message(1))).toHaveText("Keep me");
  await expect(waiting).toHaveCount(0);
  await standIn.chats(2);
});

// Guarded in each run by input-methods.spec.ts, "edit of a question".
test("Escape that ends a composition closes neither an edit of a question nor one of an answer", { tag: "@all" }, async ({ app, standIn, page }) => {
  await standIn.script(says("Yes."));
  await app.openReady();
  await app.exchange("Keep me");
  for (const [message, action, name] of [
    [app.message(1), "Edit", "Edit message"],
    [app.message(2), "Edit this answer", "Edit answer"],
  ] as const) {
    await app.act(message, action);
    const field = page.getByRole("textbox", { name });
    await field.fill("にほん");
    for (const composing of [{ isComposing: true }, { keyCode: 229 }]) {
      await field.dispatchEvent("keydown", { key: "Escape", bubbles: true, cancelable: true, ...composing });
    }
    await expect(field).toHaveValue("にほん");
    await field.press("Escape");
    await expect(field).toHaveCount(0);
  }
});

test("what another tab types in the edit of the same message is offered, and this tab's text stays until it is taken", async ({ app, standIn, page }) => {
  await standIn.script(says("Yes."));
  await app.openReady();
  await app.exchange("Keep me");
  const edits = [
    [1, "Edit", "Edit message"],
    [2, "Edit this answer", "Edit answer"],
  ] as const;
  // That of a question in each run.
  for (const [at, action, name] of all ? edits : edits.slice(0, 1)) {
    const other = await app.anotherTab();
    for (const tab of [app, other]) await tab.act(tab.message(at), action);
    const [field, others] = [app, other].map((tab) => tab.page.getByRole("textbox", { name }));
    await field.fill("Typed here");
    // A field in which nothing was typed follows; a text that was typed a moment ago is not replaced.
    await expect(others).toHaveValue("Typed here");
    await page.waitForTimeout(3_200);
    await others.fill("Typed there");
    const line = page.getByText("changed elsewhere");
    await expect(line).toBeVisible();
    await expect(field).toHaveValue("Typed here");
    await page.getByRole("button", { name: "Use the other" }).click();
    await expect(field).toHaveValue("Typed there");
    await expect(line).toHaveCount(0);
    await field.press("Escape");
    await other.page.close();
  }
});
