// Long answers cost no more for a token than short ones: what is counted is what changes in the page, not time.
import type { Page } from "@playwright/test";
import { code, list, mixed, paragraph, table } from "../support/answers";
import { expect, test } from "../support/fixtures";
import { type Program, withProgram } from "../support/program";

interface Counted {
  /** Records of changes for a frame: the most of them, at each of the lengths. */
  most: number[];
  /** Changes in blocks behind which another one had begun. */
  late: number;
  /** Letters of the longest text that was changed. */
  longest: number;
  blocks: number;
}

/** Waits until an answer is all shown: what is long is built in several tasks. */
const withBuilt = () => {
  const built = async (place: Element) => {
    while (place.hasAttribute("aria-busy")) await new Promise((done) => setTimeout(done));
  };
  Object.assign(globalThis, { built });
};
declare function built(place: Element): Promise<void>;
declare function program(): Promise<Program>;

/** Streams a text by so many letters a frame; looks at 60 frames from each of the lengths on. */
const count = (page: Page, answer: string, lengths: number[], letters = 16): Promise<Counted> =>
  page.evaluate(
    async ({ answer, lengths, letters }) => {
      const { Rendering } = await program();
      const place = document.createElement("div");
      place.className = "markdown";
      document.querySelector(".message-text")!.append(place);
      const shown = new Rendering(place);
      const observer = new MutationObserver(() => {});
      const all = { subtree: true, childList: true, characterData: true, attributes: true };
      const out: Counted = { most: lengths.map(() => 0), late: 0, longest: 0, blocks: 0 };
      const last = () => place.lastElementChild?.lastElementChild;
      let begun = last();
      for (let at = 0; at < answer.length; ) {
        const near = lengths.findIndex((length) => at >= length && at < length + 60 * letters);
        const next = lengths.find((length) => length > at) ?? answer.length;
        // In between it comes in large pieces.
        const end = near >= 0 ? at + letters : Math.min(at + 997, next);
        observer.observe(place, all);
        shown.add(answer.slice(at, end), true);
        const busy = place.hasAttribute("aria-busy");
        const records = observer.takeRecords();
        await built(place);
        if (busy) observer.takeRecords();
        else if (near >= 0) {
          out.most[near] = Math.max(out.most[near], records.length);
          for (const { target } of records) {
            if (target instanceof Text) out.longest = Math.max(out.longest, target.length);
            // A block before the one that was last when this frame began.
            let block: Node | null = target;
            while (block && block.parentNode?.parentNode !== place) block = block.parentNode;
            if (block && begun && block.compareDocumentPosition(begun) & Node.DOCUMENT_POSITION_FOLLOWING) out.late++;
          }
        }
        begun = last();
        at = end;
      }
      out.blocks = place.querySelectorAll(".part > *").length;
      observer.disconnect();
      return out;
    },
    { answer, lengths, letters },
  );

test.beforeEach(async ({ app }) => {
  await app.page.addInitScript(withBuilt);
  await withProgram(app.page);
  await app.openReady();
  await app.exchange("Hello");
});

for (const [most, tag] of [
  [50_000, []],
  [200_000, "@all"],
] as [number, string | string[]][]) {
  test(`a token changes as much of the page at ${most.toLocaleString("en")} letters as at 10,000, and finished blocks not at all`, { tag }, async ({ page }) => {
    const counted = await count(page, mixed(most + 2_000), [10_000, most / 2, most]);
    console.log(`of ${counted.blocks} blocks: ${JSON.stringify(counted)}`);
    expect(counted.late).toBe(0);
    for (const most of counted.most) expect(most).toBeLessThanOrEqual(12);
  });
}

for (const [what, text, longest] of [
  ["a code block of 5,000 lines", code(5_000), 6_000],
  ["a table of 2,000 rows", table(2_000), 200],
  ["a list of 2,000 items", list(2_000), 200],
] as [string, string, number][]) {
  // Guarded in each run by the table; crates/markdown/src/tests/growing.rs, `long_code_is_not_parsed_again_at_the_end`
  // and `what_is_finished_of_a_table_or_a_list_is_not_parsed_again`.
  const tag = what === "a table of 2,000 rows" ? [] : "@all";
  test(`a token changes as much of ${what} at its end as at its beginning`, { tag }, async ({ page }) => {
    const counted = await count(page, text, [2_000, Math.floor(text.length / 2), text.length - 2_000]);
    console.log(`${what}, ${text.length} letters: ${JSON.stringify(counted)}`);
    for (const most of counted.most) expect(most).toBeLessThanOrEqual(12);
    // No text grows without end: a browser lays it out as a whole.
    expect(counted.longest).toBeLessThanOrEqual(longest);
  });
}

// Guarded in each run by crates/markdown/src/tests/growing.rs, `words_of_a_long_paragraph_are_not_parsed_again`.
test("a long paragraph grows by what comes", { tag: "@all" }, async ({ page }) => {
  const counted = await count(page, paragraph(50_000), [1_000, 20_000, 40_000]);
  for (const most of counted.most) expect(most).toBe(1);
});

test("a long table keeps its columns while it grows, its numbers in one line, and is one table to a screen reader", async ({ page }) => {
  const seen = await page.evaluate(
    async ({ text }) => {
      const { Rendering } = await program();
      const place = document.createElement("div");
      place.className = "markdown";
      document.querySelector(".message-text")!.replaceChildren(place);
      const shown = new Rendering(place);
      const widths = new Set<string>();
      const row = (one: Element) => [...one.children].map((cell) => Math.round(cell.getBoundingClientRect().left)).join(" ");
      for (let at = 0, frame = 0; at < text.length; at += 97, frame++) {
        shown.add(text.slice(at, at + 97), true);
        await built(place);
        if (frame % 40) continue;
        await new Promise(requestAnimationFrame);
        const rows = [...place.querySelectorAll("tr")];
        // The first piece is as the browser finds it, as long as it is alone.
        if (rows.length > 80) for (const one of [rows[0], rows[70], rows[rows.length - 1]]) widths.add(row(one));
      }
      shown.add("", false);
      await built(place);
      const rows = [...place.querySelectorAll("tr")];
      for (const one of rows) widths.add(row(one));
      const numbers = rows.slice(1).map((one) => one.children[1].firstChild!);
      const lines = numbers.map((number) => {
        const range = document.createRange();
        range.selectNodeContents(number);
        return range.getClientRects().length;
      });
      return { widths: widths.size, rows: rows.length, lines: Math.max(...lines), text: place.querySelector("table")!.textContent!.length };
    },
    { text: table(1_200) },
  );
  expect(seen).toMatchObject({ widths: 1, rows: 1_201, lines: 1 });
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const count = (role: string) => nodes.filter((node) => !node.ignored && node.role?.value === role).length;
  expect([count("table"), count("columnheader"), count("row")]).toEqual([1, 3, 1_201]);
});

test("what is selected in code and in a table stays selected while they grow, and is copied as it stands", async ({ page }) => {
  for (const [what, text] of [
    ["code", code(300)],
    ["td", table(300)],
  ]) {
    const [before, after] = await page.evaluate(
      async ({ what, text }) => {
        const { Rendering } = await program();
        const place = document.createElement("div");
        place.className = "markdown";
        document.querySelector(".message-text")!.replaceChildren(place);
        const shown = new Rendering(place);
        const half = Math.floor(text.length / 2);
        shown.add(text.slice(0, half), true);
        await built(place);
        const first = place.querySelector(what)!.firstChild!;
        const all = place.querySelectorAll(what);
        const last = what === "code" ? all[0].lastElementChild!.firstChild! : all[20].firstChild!;
        getSelection()!.setBaseAndExtent(first, 2, last, 5);
        const before = getSelection()!.toString();
        for (let at = half; at < text.length; at += 11) {
          shown.add(text.slice(at, at + 11), true);
          await built(place);
        }
        shown.add("", false);
        await built(place);
        return [before, getSelection()!.toString()];
      },
      { what, text },
    );
    expect(before.length).toBeGreaterThan(100);
    expect(after).toBe(before);
    if (what === "code") {
      // The pieces of long code are not seen in what is copied.
      const lines = text.split("\n").slice(3);
      expect(before.split("\n").slice(1, 100)).toEqual(lines.slice(1, 100));
    }
  }
});
