// Text that would rather be something else.
import { expect, test } from "../support/fixtures";
import { done, says, text } from "../support/standIn";

const HOSTILE = `Hello <script>window.pwned = 1; alert(1)</script> <img src=x onerror="window.pwned = 1">

<iframe src="https://evil.example/"></iframe><svg onload="window.pwned = 1"></svg>
<style>body { display: none }</style><form action="https://evil.example/"><button>Log in</button></form>

[one](javascript:alert(1)) [two](java&#115;cript:alert(1)) [three](data:text/html,<script>alert(1)</script>)
[four](vbscript:x) <javascript:alert(1)> [five](//evil.example/x) [six](  javascript:alert(1))

![an image](https://evil.example/pixel.png) ![data](data:image/svg+xml,<svg/onload=alert(1)>)

[fine](https://example.com/)
`;

test("an answer makes no element, request, dialog or link of its own making", async ({ app, standIn, page }) => {
  const before: string[] = [];
  page.on("request", (request) => before.push(request.url()));
  await standIn.script([text(HOSTILE, 60, 200), done()]);
  await app.openReady();
  await app.exchange(HOSTILE);
  const answer = app.text(app.last);
  await expect(answer).toContainText("Hello <script>window.pwned = 1; alert(1)</script>");
  await expect(app.log.locator("script, img, iframe, svg:not([aria-hidden]), style, form, object, embed, link, meta, base")).toHaveCount(0);
  await expect(app.log.getByRole("button", { name: "Log in" })).toHaveCount(0);
  const hrefs = await app.log.locator("a").evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).protocol));
  expect(new Set(hrefs)).toEqual(new Set(["https:"]));
  const handlers = await app.log.evaluate((log) =>
    [...log.querySelectorAll("article, article *")].flatMap((e) => e.getAttributeNames()).filter((name) => name.startsWith("on") || name === "style" || name === "srcdoc"),
  );
  expect(handlers).toEqual([]);
  expect(await page.evaluate(() => "pwned" in globalThis)).toBe(false);
  expect(before.filter((url) => !url.startsWith(app.url))).toEqual([]);
  // The question is plain text, the title and the list too.
  await expect(app.text(app.message(1))).toHaveText(HOSTILE.trim(), { useInnerText: true });
  await expect(app.title).toContainText("alert(1)</script>");
  await app.reload();
  await expect(app.text(app.last)).toContainText("Hello <script>");
  // `watch` checks for dialogs and complaints.
});

test("text from right to left runs so, code does not", async ({ app, standIn }) => {
  await standIn.script(says("שלום עולם\n\nplain\n\n```\ncode\n```"));
  await app.openReady();
  await app.exchange("مرحبا بالعالم");
  const direction = (words: string) => app.log.getByText(words).evaluate((e) => getComputedStyle(e).direction);
  expect(await direction("שלום עולם")).toBe("rtl");
  expect(await direction("مرحبا بالعالم")).toBe("rtl");
  expect(await direction("plain")).toBe("ltr");
  expect(await app.log.getByRole("group", { name: "Code" }).evaluate((e) => getComputedStyle(e).direction)).toBe("ltr");
});

test("very long words, code and tables do not push a narrow page wide", async ({ app, standIn, page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const long = "x".repeat(400);
  const table = `| ${"head | ".repeat(12)}\n|${" --- |".repeat(12)}\n| ${"cellcellcell | ".repeat(12)}`;
  await standIn.script(says(`# ${long}\n\n${long} \`${long}\`\n\n\`\`\`\n${long}\n\`\`\`\n\n${table}\n\n- ${long}\n\nhttps://example.com/${long}`));
  await app.openReady();
  await app.exchange(`${long} ${long}`);
  await expect(app.last.getByRole("group", { name: "Table" })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  const wide = await app.log.evaluate((log) => log.scrollWidth - log.clientWidth);
  expect(wide).toBeLessThanOrEqual(0);
  // What is wide scrolls by itself, within reach of the keyboard.
  const code = app.last.getByRole("group", { name: "Code" });
  await code.focus();
  await expect(code).toBeFocused();
  expect(await code.evaluate((e) => e.scrollWidth > e.clientWidth)).toBe(true);
});

// Guarded in each run by kernel/log/src/form.rs, `any_text_survives_a_record`.
test("naughty strings go there and back unchanged", { tag: "@all" }, async ({ app, standIn }) => {
  const strings = [
    "\u202Ereversed\u202C",
    "zero\u200Bwidth\uFEFF",
    "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!͖̬̰̙̗̿̋ͥͥ̂ͣ̐́́͜͞",
    "👩‍👩‍👧‍👦🏳️‍🌈🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "'; DROP TABLE chats; --",
    "${7*7} {{7*7}} %s %n",
    "\\ \" \\u0000 / </textarea>",
    "１２３",
  ];
  await standIn.script(says("Got it."));
  await app.openReady();
  await app.exchange(strings.join("\n"));
  const [chat] = await standIn.chats(1);
  expect(chat.body.messages[0].content).toBe(strings.join("\n"));
  await app.reload();
  const stored = Object.values(await app.stored()).find((record) => record.includes("DROP TABLE"));
  expect(JSON.parse(stored!.split("|").slice(2).join("|")).content).toBe(strings.join("\n"));
});
