// What axe is asked for, wherever a test scans.
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** The rules: WCAG 2.2 to level AA, and what axe calls best practice. */
export const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Scans the page as it stands. */
export async function expectNoViolations(page: Page): Promise<void> {
  // One frame, so the mode without a second page does, and is quicker.
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).setLegacyMode().analyze();
  expect(violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}`))).toEqual([]);
}
