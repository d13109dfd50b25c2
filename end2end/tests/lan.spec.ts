// LAN mode: through the machine's own address where there is one, on plain http, where a browser offers less.
import { networkInterfaces } from "node:os";
import { expect, test } from "../support/fixtures";
import { ChatPage, watchAnnouncements } from "../support/chatPage";
import { freePort, type Program } from "../support/programs";
import { says, type StandIn } from "../support/standIn";

const TOKEN = "a-token-for-the-tests-0123456789";
const own = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find((address) => address.family === "IPv4" && !address.internal)?.address;

// Chromium's remark on a header that only counts on https and on this machine.
test.beforeEach(({ watch }) => watch.allow(/Cross-Origin-Opener-Policy header has been ignored/));

async function lan(programs: { sash(ollama: string, ...more: string[]): Promise<Program> }, standIn: StandIn): Promise<string> {
  const port = await freePort();
  await programs.sash(standIn.url, "--listen", `0.0.0.0:${port}`, "--token", TOKEN);
  return `http://${own ?? "127.0.0.1"}:${port}`;
}

test("the token leaves the address at once and goes with every call", async ({ page, programs, standIn }) => {
  const url = await lan(programs, standIn);
  const app = new ChatPage(page, url);
  const calls: (string | undefined)[] = [];
  page.on("request", (request) => {
    expect(request.url()).not.toContain(TOKEN);
    if (request.url().includes("/api/")) calls.push(request.headers().authorization);
  });
  await page.goto(`${url}/#t=${TOKEN}`);
  await app.started();
  await app.ready();
  expect(page.url()).toBe(`${url}/`);
  await standIn.script(says("Hello, network."));
  await app.exchange("Hello?");
  expect(calls.length).toBeGreaterThan(2);
  expect(new Set(calls)).toEqual(new Set([`Bearer ${TOKEN}`]));
  // Ollama has no business with it.
  expect(JSON.stringify(await standIn.seen())).not.toContain(TOKEN);

  // The tab remembers it.
  await app.reload();
  await app.ready();
  await expect(app.text(app.last)).toHaveText("Hello, network.");
});

test("without the token the page asks for it, and it may be pasted", async ({ page, programs, standIn }) => {
  const url = await lan(programs, standIn);
  const app = new ChatPage(page, url);
  await app.open();
  const form = page.getByRole("form", { name: "Token" });
  await expect(form).toBeVisible();
  await expect(form).toContainText("This Sash asks for its token");
  const field = form.getByRole("textbox", { name: "Token" });
  // What is pasted must not become a draft.
  await expect(field).toBeFocused();
  await field.fill("not-the-right-token-at-all");
  await form.getByRole("button", { name: "Open" }).click();
  await expect(form.getByRole("alert")).toHaveText("This is not the token of this Sash.");
  await expect(field).toBeFocused();
  // The whole address, as it was printed.
  await field.fill(`${url}/#t=${TOKEN}`);
  await field.press("Enter");
  await expect(form).toHaveCount(0);
  await app.ready();
  await standIn.script(says("In."));
  await app.exchange("May I?");
});

test("a wrong token in the address shows the form too", async ({ page, programs, standIn }) => {
  const url = await lan(programs, standIn);
  await page.goto(`${url}/#t=wrong-wrong-wrong-wrong`);
  await expect(page.getByRole("form", { name: "Token" })).toBeVisible();
  expect(page.url()).toBe(`${url}/`);
});

test("from another machine the page says what a phone needs and what is missing, and nothing breaks on the way", async ({ page, programs, standIn }) => {
  test.skip(!own, "this machine has no address but the loopback, which browsers trust");
  const url = await lan(programs, standIn);
  const app = new ChatPage(page, url);
  await page.goto(`${url}/#t=${TOKEN}`);
  await app.ready();
  await standIn.script(says("Hello."));
  await app.exchange("From afar");

  await app.openFromFoot("This page on my phone…");
  const dialog = page.getByRole("dialog", { name: "This page on my phone" });
  await expect(dialog.getByRole("img", { name: `QR code of ${url}` })).toBeVisible();
  await expect(dialog).toContainText("Point its camera at the code");
  await expect(dialog).not.toContainText(TOKEN);
  const code = () => dialog.locator(".qr-code path").getAttribute("d");
  const without = await code();
  await dialog.getByRole("checkbox", { name: "Put the token into the code" }).check();
  await expect(dialog.locator(".copy-line").first()).toHaveText(`${url}/#t=${TOKEN}`);
  expect(await code()).not.toBe(without);
  await dialog.locator("summary").click();
  await expect(dialog).toContainText("no notifications, and no screen that stays on");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  // Who has no token is told nothing.
  const stranger = await page.request.post(`${url}/api/v1/addresses`, { data: {}, headers: { "Content-Type": "application/json" } });
  expect([stranger.status(), await stranger.text()]).toEqual([401, expect.not.stringContaining("origins")]);

  // What needs a secure page is off and says why; all else goes its way.
  await app.chats.getByRole("button", { name: "Settings" }).click();
  await expect(page.getByRole("checkbox", { name: /^Notify me/ })).toBeDisabled();
  await expect(page.getByText("Over plain HTTP from another machine browsers give a page neither")).toBeVisible();
  await page.keyboard.press("Escape");
  await app.openFromFoot("Storage");
  await page.keyboard.press("Escape");
  await app.openFromFoot("Export");
  const saved = page.waitForEvent("download");
  await page.getByRole("dialog", { name: "All chats" }).getByRole("tabpanel").getByRole("button", { name: "Export", exact: true }).click();
  await saved;
});

test("copying and new chats work without the secure context's extras", async ({ page, programs, standIn }) => {
  test.skip(!own, "this machine has no address but the loopback, which browsers trust");
  const url = await lan(programs, standIn);
  const app = new ChatPage(page, url);
  // What is said stands for a second or two, and may be gone when this test looks.
  await page.addInitScript(watchAnnouncements);
  const copied = (times: number) => expect.poll(async () => (await app.announced()).filter((said) => said === "Copied").length).toBe(times);
  await page.goto(`${url}/#t=${TOKEN}`);
  await app.ready();
  expect(await page.evaluate(() => [isSecureContext, "clipboard" in navigator, "randomUUID" in crypto])).toEqual([false, false, false]);
  await standIn.script(says("Copy **this**.\n\n```sh\necho hello\n```"));
  await app.exchange("Something to copy");
  await app.inMessage(app.last, "Copy").click();
  await copied(1);
  await app.composer.focus();
  await page.keyboard.press("Control+V");
  await expect(app.composer).toHaveValue("Copy **this**.\n\n```sh\necho hello\n```");
  await app.composer.fill("");
  // Said again, it is heard only once the first has gone.
  await expect.poll(async () => (await app.announced()).at(-1)).toBe("");
  await app.last.getByRole("button", { name: "Copy code" }).click();
  await copied(2);
  await app.composer.focus();
  await page.keyboard.press("Control+V");
  await expect(app.composer).toHaveValue(/^echo hello\n?$/);
  await app.newChat();
  await standIn.script(says("Second."));
  await app.composer.fill("");
  await app.exchange("Another chat");
  expect(Object.keys(await app.stored()).filter((key) => key.startsWith("sash:c:"))).toHaveLength(2);
});
