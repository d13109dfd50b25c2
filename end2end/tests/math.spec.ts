// Formulas: shown as MathML; prices and what is not understood stay as they were written.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { done, hold, says, text } from "../support/standIn";

const WRITTEN = readFileSync(join(__dirname, "../../crates/markdown/src/mathml/tests/written.txt"), "utf8").trim().split("\n");

const ANSWER = String.raw`The roots of $ax^2 + bx + c = 0$ are

$$
x_{1,2} = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}
$$

so for \(a = 1\) the matrix is

\[
\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}^{-1} = \frac{1}{-2} \begin{pmatrix} 4 & -2 \\ -3 & 1 \end{pmatrix}
\]

It costs $5 and $10, and $HOME/$USER is no formula. This one is not understood: $\unknown{x}$.

1. In a list: $\hat{\theta} = \arg\max_\theta \mathcal{L}(\theta)$
2. $$\boxed{42}$$

| name | formula |
|---|---|
| norm | $|x|$ |
`;

/** Everything in the answer that MathML Core has no place for, or that we do not make. */
const strangers = (answer: Locator) =>
  answer.evaluate((answer) => {
    const elements = "math mrow mstyle mphantom mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd".split(" ");
    const attributes = ("display alttext class mathvariant form accent accentunder stretchy symmetric fence largeop movablelimits displaystyle " +
      "lspace rspace linethickness scriptlevel width minsize maxsize").split(" ");
    const found: string[] = [];
    for (const element of answer.querySelectorAll(".formula *")) {
      if (element.localName === "code") continue;
      const inside = element.namespaceURI === "http://www.w3.org/1998/Math/MathML" && elements.includes(element.localName);
      if (!inside) found.push(element.outerHTML);
      for (const { name } of element.attributes) if (!attributes.includes(name)) found.push(`${element.localName} ${name}`);
    }
    return found;
  });

/** Counts what the Content-Security-Policy stops, from the first script on. */
async function reports(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const seen: string[] = ((globalThis as unknown as { reports: string[] }).reports = []);
    document.addEventListener("securitypolicyviolation", (event) => seen.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
  return () => page.evaluate(() => (globalThis as unknown as { reports: string[] }).reports);
}

test("formulas are shown; prices, variables and what is not understood are not", async ({ app, page, standIn }) => {
  const stopped = await reports(page);
  await app.openReady();
  await app.exchange("Hello");
  await standIn.script(says(ANSWER));
  await app.exchange("Maths, please");
  const answer = app.text(app.last);
  await expect(answer.locator("math")).toHaveCount(7);
  await expect(answer.locator("math[display=block]")).toHaveCount(3);
  await expect(answer.locator("math").first()).toHaveAttribute("alttext", "ax^2 + bx + c = 0");
  await expect(answer.locator(".formula").nth(1)).toHaveAttribute("data-source", "$$\nx_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}\n$$");
  await expect(answer).toContainText("It costs $5 and $10, and $HOME/$USER is no formula.");
  const unknown = answer.locator(".formula code");
  await expect(unknown).toHaveText("$\\unknown{x}$");
  await expect(unknown).toHaveAttribute("title", "Not shown as a formula");
  expect(await strangers(answer)).toEqual([]);
  // Laid out as a formula: the fraction's line lies between numerator and denominator.
  const fraction = answer.locator("mfrac").first();
  const [above, below] = [await fraction.locator("> *").first().boundingBox(), await fraction.locator("> *").last().boundingBox()];
  expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y + 1);
  expect(await stopped()).toEqual([]);
});

// Guarded in each run by crates/markdown/src/tests/formula.rs, `an_open_formula_is_calm`.
test("while it streams an open formula is calm, and closes to a formula", { tag: "@all" }, async ({ app, page, standIn }) => {
  await app.openReady();
  await standIn.script([text("Sum:\n\n$$\na_1 * b_2 * c", 4, 50), hold, text("_3\n$$\n\nIt costs $5 *now*.", 4, 50), done()]);
  await app.ask("Go");
  const answer = app.text(app.last);
  await expect(answer.locator(".formula.display code")).toHaveText("$$\na_1 * b_2 * c", { useInnerText: true });
  await expect(answer.locator("em, math")).toHaveCount(0);
  await standIn.release();
  await expect(answer.locator("math")).toHaveCount(1);
  await expect(answer.locator("em")).toHaveText("now");
  await expect(answer).toContainText("It costs $5 now.");
});

test("every formula as models write them is laid out, and none is wider than its place", async ({ app, page, standIn }) => {
  const stopped = await reports(page);
  await app.openReady();
  await standIn.script(says(WRITTEN.map((source) => `$$\n${source}\n$$`).join("\n\n")));
  await app.exchange("All of them");
  const answer = app.text(app.last);
  await expect(answer.locator("math")).toHaveCount(WRITTEN.length);
  expect(await strangers(answer)).toEqual([]);
  const flat = await answer.evaluate((answer) =>
    [...answer.querySelectorAll("math")].filter((math) => math.getBoundingClientRect().height < 8).map((math) => math.getAttribute("alttext")),
  );
  expect(flat, "formulas without height").toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(320);
  expect(await stopped()).toEqual([]);
});

test("a wide formula scrolls in its own place, by keyboard too", async ({ app, page, standIn }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await app.openReady();
  const wide = Array.from({ length: 40 }, (_, index) => `x_{${index}}`).join(" + ");
  await standIn.script(says(`Wide:\n\n$$\n${wide}\n$$\n\nand within $${wide}$ a line.`));
  await app.exchange("Go");
  const place = app.text(app.last).locator(".formula.display");
  await expect(place.locator("math")).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  expect(await app.text(app.last).evaluate((answer) => answer.scrollWidth <= answer.clientWidth)).toBe(true);
  // The one within a line could not be reached.
  const groups = app.last.getByRole("group", { name: "Formula" });
  await expect(groups).toHaveCount(2);
  await groups.first().focus();
  for (const n of [0, 1]) {
    const group = groups.nth(n);
    await expect(group).toBeFocused();
    expect(await group.evaluate((place) => place.scrollWidth > place.clientWidth && place.scrollLeft === 0)).toBe(true);
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => group.evaluate((place) => place.scrollLeft)).toBeGreaterThan(0);
    await page.keyboard.press("Tab");
  }
});

// Guarded in each run by crates/markdown/src/mathml/tests/hostile.rs, `nothing_leads_out_of_the_formula`.
test("hostile formulas load, run and style nothing", { tag: "@all" }, async ({ app, page, standIn }) => {
  const stopped = await reports(page);
  await app.openReady();
  const hostile = [
    "\\href{javascript:alert(1)}{x}",
    "\\href{https://evil.example}{x}",
    "\\url{https://evil.example}",
    "\\includegraphics{https://evil.example/x.png}",
    "\\htmlStyle{position:fixed;inset:0}{x}",
    "\\htmlClass{composer}{x}",
    "\\htmlId{prompt}{x}",
    "\\text{<img src=x onerror=alert(1)>}",
    "<img src=x onerror=alert(1)>",
    "\\unicode{x3c}script\\unicode{x3e}",
    "\\def\\a{\\a\\a}\\a",
    "\\newcommand{\\x}{\\x\\x}\\x",
    `${"{".repeat(2000)}x${"}".repeat(2000)}`,
    "\\sqrt".repeat(1500) + " x",
    "\\frac{1}".repeat(900) + "x",
    "\\hspace{99999em}x\\color{white}y",
    "x^".repeat(3000),
  ];
  await standIn.script(says(`${hostile.map((source) => `$$${source}$$ \\(${source}\\)`).join("\n\n")}\n\nAfter $e^{i\\pi}$ all.`));
  await app.exchange("Go");
  const answer = app.text(app.last);
  await expect(answer.locator("math[alttext='e^{i\\\\pi}']")).toHaveCount(1);
  expect(await strangers(answer)).toEqual([]);
  expect(await answer.locator("a, img, script, style, iframe, [href], [src], [onerror]").count()).toBe(0);
  const wide = await answer.evaluate((answer) =>
    [...answer.querySelectorAll(".formula")].filter((place) => place.getBoundingClientRect().right > answer.getBoundingClientRect().right + 1).map((place) => place.getAttribute("data-source")?.slice(0, 60)),
  );
  expect(wide, "wider than the answer").toEqual([]);
  expect(await stopped()).toEqual([]);
});

test("formulas have the colour of the text around them, light and dark", async ({ app, page, standIn }) => {
  await app.openReady();
  await standIn.script(says(ANSWER));
  await app.exchange("Maths, please");
  await expect(app.text(app.last).locator("math")).toHaveCount(7);
  const inks = new Set<string>();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const ink = await app.text(app.last).locator("math").first().evaluate((math) => getComputedStyle(math).color);
    expect(ink, colorScheme).toBe(await app.text(app.last).evaluate((answer) => getComputedStyle(answer).color));
    inks.add(ink);
  }
  expect(inks.size).toBe(2);
});
