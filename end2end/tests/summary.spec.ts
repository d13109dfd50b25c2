// Summaries of what left the window: asked for, shown at their place, changed, taken out.
import type { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { Panel } from "../support/panel";
import { done, says, stall, type StandIn, text } from "../support/standIn";

async function conversation(app: ChatPage, standIn: StandIn): Promise<void> {
  await app.openReady();
  for (const n of [1, 2, 3, 4]) {
    await standIn.script(says(`Answer ${n}.`));
    await app.exchange(`Question ${n}?`);
  }
}

async function summarise(app: ChatPage): Promise<void> {
  await app.openMoreRules();
  await expect(app.rules).toContainText("Left the window: 5 messages.");
  await app.rules.getByRole("button", { name: "Summarise now" }).click();
}

// Guarded in each run by rooms/summaries/src/tests/mod.rs,
// `a_summary_that_a_reload_broke_off_is_begun_again_in_its_chat`.
test("a summary that a reload breaks off is begun again", { tag: "@all" }, async ({ app, standIn }) => {
  await conversation(app, standIn);
  await standIn.script([text("They", 1), stall]);
  await summarise(app);
  await expect(app.log.getByRole("region", { name: "Summary in progress" })).toContainText("They");
  await standIn.script(says("They talked of four things."));
  await app.reload();
  await expect(app.log.getByRole("region", { name: "Summary of 5 earlier messages" })).toContainText("They talked of four things.");
});

test("a summary is written at its place, goes after the system prompt, and can be changed and taken out", async ({ app, page, standIn }) => {
  const panel = new Panel(page);
  await conversation(app, standIn);
  await standIn.script(says("They talked of four things."));
  await summarise(app);
  const summary = app.log.getByRole("region", { name: "Summary of 5 earlier messages" });
  await expect(summary).toContainText("They talked of four things.");
  await expect(summary).toContainText(/by llama3\.2.*read \d+ tokens, wrote \d+ tokens/);
  await expect(summary).toContainText("sent with the next prompt");
  const asked = (await standIn.chats(5))[4].body;
  expect(asked.messages).toHaveLength(1);
  expect(asked.messages[0].content).toContain("User:\n```\nQuestion 1?\n```\n\nAssistant:\n```\nAnswer 1.\n```");
  await expect(app.messages).toHaveCount(8);

  await panel.open();
  expect((await panel.messages())[0]).toEqual({
    role: "system",
    content: "Summary of the earlier part of this conversation:\n\nThey talked of four things.",
  });
  await summary.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Edit summary" }).fill("They talked of tides.");
  await page.getByRole("button", { name: "Save as a new version" }).click();
  await expect(summary).toContainText("They talked of tides.");
  await expect(summary).toContainText("edited by you");
  await expect(summary.getByRole("group", { name: "Versions of the summary" })).toContainText("2/2");

  await standIn.script(says("Answer 5."));
  await app.exchange("Question 5?");
  const sent = (await standIn.chats(6))[5].body.messages;
  expect(sent[0].content).toBe((await panel.messages())[0].content);
  await app.act(app.last, "Details and timing");
  await expect(app.last).toContainText("Then the summary of older messages:");

  await app.reload();
  await app.ready();
  await expect(summary).toContainText("They talked of tides.");
  await summary.getByRole("button", { name: "Remove it" }).click();
  await expect(summary).toContainText("not sent");
  await expect(async () => expect((await panel.messages())[0].role).not.toBe("system")).toPass();
  await summary.getByRole("button", { name: "Use it" }).click();
  await expect(summary).toContainText("sent with the next prompt");
});

// Guarded in each run by rooms/summaries/src/tests/mod.rs, `one_that_is_stopped_or_fails_changes_nothing`.
test("a summary that is being written can be stopped, and a failure is said", { tag: "@all" }, async ({ app, page, standIn }) => {
  await conversation(app, standIn);
  await standIn.script([text("They", 1), stall]);
  await summarise(app);
  const running = app.log.getByRole("region", { name: "Summary in progress" });
  await expect(running).toContainText("They");
  await running.getByRole("button", { name: "Stop" }).click();
  await expect(running).toHaveCount(0);
  await expect(app.log.getByRole("region", { name: /^Summary/ })).toHaveCount(0);
  await standIn.script([{ do: "error", text: "out of memory" }]);
  await summarise(app);
  await expect(page.getByText(/The summary was not written/).first()).toBeVisible();
});

// Guarded in each run by rooms/summaries/src/tests/mod.rs,
// `a_summary_that_is_cut_off_is_kept_as_such_and_the_former_one_stays_in_use`.
test("a summary that is cut off says so, and the one before stays in use until the person decides", { tag: "@all" }, async ({ app, standIn }) => {
  await conversation(app, standIn);
  await standIn.script(says("They talked of four things."));
  await summarise(app);
  const summary = app.log.getByRole("region", { name: "Summary of 5 earlier messages" });
  await expect(summary).toContainText("sent with the next prompt");
  await standIn.script([text("They tal", 1), done("length")]);
  await summary.getByRole("button", { name: "Rewrite" }).click();
  await expect(summary).toContainText("A newer version was cut off by a length limit, so this one stays in use.");
  await expect(summary).toContainText("They talked of four things.");
  await expect(summary).toContainText("sent with the next prompt");
  await summary.getByRole("button", { name: "Next version" }).click();
  await expect(summary).toContainText("Cut off by a length limit, so something may be missing.");
});
