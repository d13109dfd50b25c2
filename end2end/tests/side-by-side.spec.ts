// One question, several models: answers in columns, one after another; one is gone on with. And the map of the branches.
import { expect, test } from "../support/fixtures";
import { endless, says, status } from "../support/standIn";

test("two models answer one question side by side; one is stopped, one is gone on with", async ({ app, page, standIn }) => {
  await standIn.models({ add: ["tinytool"] });
  await app.open();
  await app.chooseModel("llama3.2:latest");
  await app.composer.fill("Which is it?");
  await app.openFromPicker("Ask several models…");
  const choice = page.getByRole("dialog", { name: "Ask several models" });
  await expect(choice.getByLabel("Question")).toHaveValue("Which is it?");
  await expect(choice.locator('[data-model="llama3.2:latest"] input')).toBeChecked();
  await expect(choice.getByRole("button", { name: "Ask 1 model" })).toBeDisabled();
  await choice.locator('[data-model="tinytool:latest"]').click();
  await standIn.script([endless()]);
  await standIn.script(says("It is **two**."));
  await choice.getByRole("button", { name: "Ask 2 models" }).click();

  const sides = page.getByRole("dialog", { name: "Side by side" });
  const side = (name: string) => sides.getByRole("group", { name, exact: true });
  await expect(side("llama3.2").locator(".markdown")).not.toBeEmpty();
  await expect(side("tinytool")).toContainText("Waits for llama3.2");
  expect(await standIn.chats(1)).toHaveLength(1);
  await side("llama3.2").getByRole("button", { name: "Stop" }).click();
  await expect(side("tinytool").locator("strong")).toHaveText("two");
  await expect(side("llama3.2")).toContainText("Stopped");
  await expect(side("tinytool")).toContainText("Model: tinytool:latest");
  const boxes = await Promise.all(["llama3.2", "tinytool"].map((name) => side(name).boundingBox()));
  expect(boxes[1]!.x).toBeGreaterThan(boxes[0]!.x + boxes[0]!.width - 1);

  // One at a time on a phone, without sideways scroll.
  await page.setViewportSize({ width: 320, height: 640 });
  await expect(side("tinytool")).toBeHidden();
  await sides.getByRole("group", { name: "Answers" }).getByRole("button", { name: "tinytool" }).click();
  await expect(side("tinytool")).toBeVisible();
  await expect(side("llama3.2")).toBeHidden();
  expect(await sides.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });

  await side("tinytool").getByRole("button", { name: "Continue with this answer" }).click();
  await expect(sides).toHaveCount(0);
  await expect(app.composer).toBeFocused();
  await expect(app.text(app.last)).toHaveText("It is two.");
  await expect(app.model).toHaveValue(/^tinytool/);

  // Both are versions after a reload, and stand side by side again.
  await app.reload();
  await expect(app.last.getByRole("group", { name: "Versions" })).toContainText("2/2");
  await app.act(app.last, "Compare the versions…");
  await expect(side("tinytool").locator("strong")).toHaveText("two");
  await expect(side("llama3.2")).toContainText("Stopped");

  // All of them are asked the next question, each on its own branch; a reload keeps who still waits.
  await standIn.script([endless()]);
  await sides.getByLabel("Next question, for all of them").fill("Why?");
  await page.keyboard.press("Enter");
  await expect(side("tinytool")).toContainText("Waits for llama3.2");
  await side("llama3.2").getByRole("button", { name: "Stop" }).waitFor();
  await page.keyboard.press("Escape");
  await expect(sides).toHaveCount(0);
  await app.reload();
  await app.ready("tinytool");
  await app.act(app.message(2), "Compare the versions…");
  await expect(side("tinytool")).toContainText("Not asked yet.");
  await standIn.script(says("Because of **me**."));
  await side("tinytool").getByRole("button", { name: "Resume", exact: true }).click();
  await expect(side("tinytool")).toContainText("Waits for llama3.2");
  await side("llama3.2").getByRole("button", { name: "Stop" }).click();
  await expect(side("tinytool").locator("strong").last()).toHaveText("me");
  await expect(side("tinytool").locator(".side-next")).toHaveText("Why?");
  await side("tinytool").getByRole("button", { name: "Continue with this answer" }).click();
  await expect(app.messages).toHaveCount(4);
  await expect(app.text(app.last)).toHaveText("Because of me.");
  await expect(app.text(app.message(2))).toHaveText("It is two.");
});

// Guarded in each run by rooms/compare/src/tests/side_by_side.rs,
// `the_branch_and_the_model_stay_where_nobody_chooses` and
// `nobody_goes_on_with_an_answer_that_failed_or_has_no_text`.
test("closing without a choice changes nothing, and an answer that failed cannot be continued with", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.models({ add: ["tinytool"] });
  await standIn.script(says("It is one."));
  await app.open();
  await app.chooseModel("llama3.2:latest");
  await app.exchange("Which is it?");
  const sides = page.getByRole("dialog", { name: "Side by side" });
  const side = (name: string) => sides.getByRole("group", { name, exact: true });
  const again = async () => {
    await app.act(app.last, "Ask several models…");
    const choice = page.getByRole("dialog", { name: "Ask several models" });
    await choice.locator('[data-model="tinytool:latest"]').click();
    await choice.getByRole("button", { name: "Ask 1 model" }).click();
  };
  await standIn.script([status(500, "application/json", '{"error":"It broke."}')]);
  await again();
  await expect(side("tinytool").locator(".note")).not.toBeEmpty();
  await expect(side("llama3.2").getByRole("button", { name: "Continue with this answer" })).toBeVisible();
  await expect(side("tinytool").getByRole("button", { name: "Continue with this answer" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(sides).toHaveCount(0);
  await expect(app.text(app.last)).toHaveText("It is one.");
  await expect(app.last.getByRole("group", { name: "Versions" })).toContainText("1/2");

  // While it runs too, and after it.
  await standIn.script([endless()]);
  await again();
  await expect(side("tinytool").locator(".markdown").last()).not.toBeEmpty();
  await page.keyboard.press("Escape");
  await expect(app.text(app.last)).toHaveText("It is one.");
  await app.stop.click();
  await expect(app.last.getByRole("group", { name: "Versions" })).toContainText("1/3");
  await expect(app.model).toHaveValue(/^llama3.2/);
  await app.reload();
  await expect(app.text(app.last)).toHaveText("It is one.");
});

test("a chat with many branches has a map of them, which leads to each by key", async ({ app, page, standIn }) => {
  for (const words of ["Answer one.", "Answer two.", "Answer three.", "Answer four."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("Which?");
  const map = page.getByRole("dialog", { name: "Branches" });
  for (const n of [2, 3, 4]) {
    await expect(app.last.getByRole("button", { name: /map of the branches/ })).toHaveCount(0);
    await app.inMessage(app.last, "Ask again").click();
    await expect(app.last.getByRole("group", { name: "Versions" })).toContainText(`${n}/${n}`);
    await app.ended("complete");
  }
  await app.last.getByRole("button", { name: "4 of 4: map of the branches" }).click();
  const rows = map.getByRole("treeitem");
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(3)).toHaveAttribute("aria-selected", "true");
  await expect(rows.nth(1)).toContainText("Answer two.");
  await expect(rows.nth(1)).toHaveAttribute("aria-level", "1");
  await rows.nth(3).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(map).toHaveCount(0);
  await expect(app.text(app.last)).toHaveText("Answer two.");
});
