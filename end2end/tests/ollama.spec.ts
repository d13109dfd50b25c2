// Ollama comes and goes, and the demo stands in for it.
import { expect, test } from "../support/fixtures";
import { ChatPage } from "../support/chatPage";
import { freePort } from "../support/programs";
import { says, StandIn } from "../support/standIn";

test("the page notices by itself when Ollama comes, goes, and comes back", async ({ page, programs }) => {
  const port = await freePort();
  const sash = await programs.sash(`http://127.0.0.1:${port}`);
  const app = new ChatPage(page, sash.url);
  await app.open();
  await expect(app.panel.getByRole("heading", { name: "Ollama is not reachable" })).toBeVisible();
  await expect(app.panel).toContainText(`http://127.0.0.1:${port}`);
  await expect(app.panel).toContainText("ollama serve");
  await expect(app.send).toBeDisabled();

  const first = await programs.standIn(port);
  const standIn = new StandIn(first.url);
  await standIn.models({ add: ["llama3.2"] });
  await expect(app.panel, "within a few seconds, without a touch").toHaveCount(0, { timeout: 6_000 });
  await app.ready();
  await standIn.script(says("Good morning."));
  await app.exchange("Awake?");

  await first.stop();
  await app.ask("Still awake?");
  await app.ended("failed");
  await expect(app.last).toContainText("Ollama is not reachable at");
  // Compact now: the chat is what matters.
  await expect(app.panel).toBeVisible();
  await expect(app.panel).not.toContainText("ollama serve");
  await expect(app.text(app.message(2))).toHaveText("Good morning.");

  const second = await programs.standIn(port);
  const back = new StandIn(second.url);
  await back.models({ add: ["llama3.2"] });
  await expect(app.panel).toHaveCount(0, { timeout: 8_000 });
  await back.script(says("Good evening."));
  await app.last.getByText("Ask again").click();
  await app.ended("complete");
  await expect(app.text(app.last)).toHaveText("Good evening.");
});

test("without Ollama the demo answers, and says what it was given", async ({ page, programs }) => {
  const sash = await programs.sash(`http://127.0.0.1:${await freePort()}`);
  const app = new ChatPage(page, sash.url);
  await app.open();
  await app.panel.getByRole("button", { name: "Try the demo" }).click();
  await expect(app.panel).toHaveCount(0);
  await expect(page.getByText("This is the demo")).toBeVisible();
  await app.exchange("Hello there");
  await expect(app.text(app.last)).toContainText("not a language model");
  await expect(app.text(app.last)).toContainText("1 message");
  await app.exchange("And again");
  await expect(app.text(app.last)).toContainText("3 messages");
  await expect(app.text(app.last)).toContainText("Hello there");

  // After a reload too, and back.
  await app.reload();
  await expect(page.getByText("This is the demo")).toBeVisible();
  await page.getByRole("button", { name: "Back to Ollama" }).click();
  await expect(app.panel).toContainText("Ollama is not reachable");
  await expect(page.getByText("This is the demo")).toHaveCount(0);
});

test("started as a demo there is no way to an Ollama that is not there", async ({ page, programs }) => {
  const sash = await programs.sash(`http://127.0.0.1:${await freePort()}`, "--demo");
  const app = new ChatPage(page, sash.url);
  await app.open();
  await expect(page.getByText("This is the demo")).toBeVisible();
  await expect(page.getByRole("button", { name: "Back to Ollama" })).toHaveCount(0);
  await app.exchange("Show me *markdown*");
  await expect(app.text(app.last).getByRole("group", { name: "Code, rust" })).toBeVisible();
});
