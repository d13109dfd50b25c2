// The page's program, as a module of scripts: what it exports shows a text in any element.
import type { Page } from "@playwright/test";

/** An answer in a place of the page. */
export interface Rendering {
  add(more: string, running: boolean): void;
  free(): void;
}

/** What `program()` gives in the page, once `withProgram` was called. */
export interface Program {
  Rendering: new (place: Element) => Rendering;
}

/** Gives the page a function `program` that imports its program; before the page is opened. As a text: a compiler of tests makes something else of `import`. */
export const withProgram = (page: Page): Promise<unknown> =>
  page.addInitScript({ content: 'globalThis.program = () => import(document.querySelector("script[data-js]").dataset.js);' });
