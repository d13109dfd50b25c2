// The numbers: tokens and speed by model, as plots and as a table; the room of each chat.
import { expect, test } from "../support/fixtures";
import { done, says, text } from "../support/standIn";

test("the numbers of each model stand as plots and as a table, with the room of the chats", async ({ app, page, standIn }) => {
  await standIn.script(says("One."));
  await app.openReady();
  await app.exchange("First?");
  await standIn.script([text("Two and more words.", 8, 40), done()]);
  await app.exchange("Second?");
  await app.newChat();
  await app.chooseModel("qwen3:4b");
  await standIn.script(says("Three."));
  await app.exchange("Another model?");
  await app.openFromFoot("Statistics");
  await expect(page).toHaveURL(/\/numbers$/);
  const dialog = page.getByRole("dialog", { name: "Statistics" });
  const llama = dialog.getByRole("region", { name: "llama3.2" });
  await expect(llama).toContainText(/2 answers: \d+ tokens read, \d+ written\./);
  await expect(llama.locator("figure")).toHaveCount(3);
  // A line from the first answer to the second.
  await expect(llama.locator("figure path").first()).toHaveAttribute("d", /^M[\d. ]+L[\d. ]+$/);
  await llama.getByText("As a table").click();
  await expect(llama.getByRole("row")).toHaveCount(3);
  await expect(llama.getByRole("row").nth(1)).toContainText(/\d+/);
  const qwen = dialog.getByRole("region", { name: "qwen3:4b" });
  await expect(qwen).toContainText("1 answer:");
  await expect(qwen.locator(".plot-point")).not.toHaveCount(0);
  // Where there is no room for columns, each value has its name, and nothing is offered that does not sort.
  await page.setViewportSize({ width: 390, height: 844 });
  const value = llama.getByRole("cell").first();
  expect(await value.evaluate((cell) => getComputedStyle(cell, "::before").content)).toBe('"Tokens read"');
  expect(await llama.locator("thead tr").evaluate((row) => getComputedStyle(row, "::before").content)).toBe("none");
  await page.setViewportSize({ width: 1280, height: 800 });
  // A reload stays; a chat is opened by its name.
  await page.reload();
  const rooms = dialog.getByRole("region", { name: "Storage by chat" });
  await expect(rooms.getByRole("row")).toHaveCount(2);
  await expect(rooms.getByRole("row").first()).toContainText(/kB/);
  await rooms.getByRole("button", { name: "First?" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(app.title).toHaveText("First?");
  await expect(page).toHaveURL(/\/chats\//);
});

test("an empty log has no numbers, and says so", async ({ app, page }) => {
  await app.openReady();
  await page.goto(new URL("/numbers", page.url()).href);
  await expect(page.getByRole("dialog", { name: "Statistics" })).toContainText("No model has answered yet.");
});
