// The states of a running answer, in words, and its times.
import { expect, test } from "../support/fixtures";
import { done, endless, hold, text, wait } from "../support/standIn";

test("a running answer says about how fast it comes, and its receipt when the first token came", async ({ app, standIn }) => {
  await standIn.script([wait(400), endless(40)]);
  await app.openReady();
  await app.ask("Go");
  await app.streaming();
  const speed = app.last.locator(".message-foot .speed");
  await expect(speed).toHaveText(/^about \d+ tokens\/s$/);
  const line = app.last.locator(".message-foot");
  const height = (await line.boundingBox())!.height;
  await app.stop.click();
  await app.ended("stopped");
  await expect(speed).toHaveCount(0);
  expect((await line.boundingBox())!.height).toBe(height);
  await app.act(app.last, "Details and timing");
  await expect(app.last.locator(".receipt")).toContainText(/Time: to the first token (0\.[4-9]|\d+\.\d) s/);
});

test("a model that was not in memory is loading, and then loading or reading the prompt", async ({ app, standIn }) => {
  await standIn.settings({ load_ms: 2_500 });
  await app.openReady();
  await standIn.script([hold, text("Here."), done()]);
  await app.ask("Go");
  await expect(app.last).toContainText("Loading llama3.2…");
  await expect(app.last).not.toContainText("reading the prompt");
  await expect(app.last).toContainText(/Loading llama3\.2… and reading the prompt… \d+ s/);
  await standIn.release();
  await app.ended("complete");
  // From now on it is in memory.
  await standIn.script([hold, text("Here."), done()]);
  await app.ask("Again");
  await expect(app.last).toContainText("llama3.2 is reading the prompt…");
  await standIn.release();
  await app.ended("complete");
});

test("an answer that a length limit cut off says so and goes on, or says that the thinking used it up", async ({ app, standIn }) => {
  await standIn.models({ add: ["tinythink"] });
  await standIn.script([text("Half an ans"), done("length")]);
  await app.open();
  await app.chooseModel("llama3.2:latest");
  await app.ask("Go");
  await app.ended("cut-off");
  await expect(app.last).toContainText("Cut off by a length limit");
  await standIn.script([text("wer."), done()]);
  await app.inMessage(app.last, "Continue").click();
  await app.ended("complete");
  const sent = (await standIn.chats(2))[1].body.messages.map((message) => message.content);
  expect(sent).toEqual(["Go", "Half an ans"]);
  await expect(app.messages).toHaveCount(2);
  await expect(app.text(app.last)).toHaveText("Half an answer.");
  await app.chooseModel("tinythink:latest");
  await standIn.script([{ do: "thinking", text: "So much to think", tokens: 3 }, done("length")]);
  await app.ask("And why?");
  await app.ended("cut-off");
  await expect(app.last).toContainText("Cut off by a length limit while thinking");
  await expect(app.inMessage(app.last, "Continue")).toHaveCount(0);
});
