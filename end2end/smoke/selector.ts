// Finding what a person sees, in any browser: the drivers have no such thing in common.
import { escaped } from "../support/chatPage";

interface Step {
  css: string;
  /** A pattern of the accessible name, or of the text where an element has no other name. */
  name?: { source: string; flags: string };
  nth?: number;
}

/** Elements of the page, by a CSS selector and their names; each step looks within what the last one found. */
export class Selector {
  constructor(readonly steps: Step[] = []) {}

  /** Elements within these; a string is the whole name. */
  el(css: string, name?: string | RegExp): Selector {
    const pattern = typeof name === "string" ? new RegExp(`^${escaped(name)}$`) : name;
    return new Selector([...this.steps, { css, ...(pattern && { name: { source: pattern.source, flags: pattern.flags } }) }]);
  }

  /** The n-th of them, from 0; from the end where negative. */
  nth(n: number): Selector {
    return new Selector([...this.steps.slice(0, -1), { ...this.steps.at(-1)!, nth: n }]);
  }

  /** As one reads it in a failure. */
  toString(): string {
    return this.steps.map(({ css, name, nth }) => [css, name?.source, nth].filter((part) => part !== undefined).join(" ")).join(" › ");
  }
}

/** What is told of an element. */
export interface Found {
  text: string;
  /** What a field holds; empty where it is none. */
  value: string;
  focused: boolean;
  disabled: boolean;
  attributes: Record<string, string>;
  top: number;
  height: number;
  /** Its middle. */
  x: number;
  y: number;
  /** What lies over its middle and would get the click; empty where nothing does. */
  covered: string;
}

/** Runs in the page: the visible elements of a selector, in the order of the document. `reach` brings the first into view. */
export function find(steps: Step[], reach: boolean): Found[] {
  const clean = (text: string | null | undefined) => (text ?? "").replace(/\s+/g, " ").trim();
  const nameOf = (element: Element): string => {
    const by = element.getAttribute("aria-labelledby");
    const labels = by ? by.split(/\s+/).map((id) => document.getElementById(id)) : [...((element as HTMLInputElement).labels ?? [])];
    const label = clean(labels.map((label) => label?.textContent).join(" "));
    return label || clean(element.getAttribute("aria-label")) || clean(element.textContent);
  };
  const seen = (element: Element) =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility === "visible" && !element.closest("[inert]");

  let found: Element[] = [];
  let places: ParentNode[] = [document];
  for (const { css, name, nth } of steps) {
    const all = new Set(places.flatMap((place) => [...place.querySelectorAll(css)]));
    const pattern = name && new RegExp(name.source, name.flags);
    found = [...all].filter((element) => seen(element) && (!pattern || pattern.test(nameOf(element))));
    if (nth !== undefined) found = found.slice(nth, nth + 1 || undefined);
    places = found;
  }
  if (reach) found[0]?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  return found.map((element) => {
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const hit = document.elementFromPoint(x, y);
    const free = hit && (element.contains(hit) || hit.closest("label")?.control === element);
    return {
      text: clean(element.textContent),
      value: (element as HTMLInputElement).value ?? "",
      focused: document.activeElement === element,
      disabled: (element as HTMLButtonElement).disabled === true,
      attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
      top: box.top,
      height: box.height,
      x,
      y,
      covered: free ? "" : hit ? `<${hit.localName} class="${hit.className}">` : "nothing: it is out of view",
    };
  });
}
