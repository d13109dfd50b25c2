// The states of a running answer, in words, and its times.
import { expect, test } from "../support/fixtures";
import { done, endless, hold, text, wait } from "../support/standIn";

test("a running answer says what it has cost and how fast it comes, and keeps that; a click opens its receipt", async ({ app, page, standIn }) => {
  await standIn.script([wait(400), endless(40)]);
  await app.openReady();
  await app.ask("Go");
  await app.streaming();
  const line = app.last.locator(".message-foot");
  const figures = line.locator(".figures");
  const model = line.locator(".answer-model");
  const shown = /^about [\d,]+ tokens · \d+\/s · \d+\.\d s$/;
  await expect(figures).toHaveText(shown);
  const ends = async () => {
    const [foot, at, by] = [(await line.boundingBox())!, (await figures.boundingBox())!, (await model.boundingBox())!];
    return { height: foot.height, figures: Math.round(at.x + at.width), model: Math.round(by.x), end: Math.round(by.x + by.width) };
  };
  const running = await ends();
  await app.stop.click();
  await app.ended("stopped");
  await expect(figures).toHaveText(shown);
  await page.mouse.move(0, 0);
  expect(await ends()).toEqual(running);
  // The time of day came between the model and the end, so that both moved by its width.
  await app.last.hover();
  await expect(line.locator("time")).toBeVisible();
  expect(await ends()).toEqual(running);
  await page.mouse.move(0, 0);
  expect(await ends()).toEqual(running);

  const words = await figures.textContent();
  await app.reload();
  await expect(figures).toHaveText(words!);
  await figures.click();
  await expect(figures).toHaveAttribute("aria-expanded", "true");
  await expect(app.last.locator(".receipt")).toContainText(/Time: to the first token (0\.[4-9]|\d+\.\d) s/);
  await figures.click();
  await expect(app.last.locator(".receipt")).toHaveCount(0);

  // One line on the narrowest page too.
  await page.setViewportSize({ width: 320, height: 640 });
  expect((await line.boundingBox())!.height).toBe(running.height);
  expect(await line.evaluate((foot) => foot.scrollWidth - foot.clientWidth)).toBe(0);
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
