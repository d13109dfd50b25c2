// Finding what a person sees by role and name, in any browser: the drivers have no such thing in common.

/** Words to compare with: all of a text, with blanks made one, or a pattern somewhere in it. */
export type Words = string | RegExp;

/** Words as they cross into the page. */
type Sent = { exact: string } | { pattern: string; flags: string };

type Step =
  | { do: "role"; role: string; name?: Sent }
  | { do: "css"; css: string }
  | { do: "having"; words: Sent }
  | { do: "nth"; n: number };

const sent = (words: Words): Sent =>
  typeof words === "string" ? { exact: words } : { pattern: words.source, flags: words.flags };

/** What is looked for, one step after the other, as data: each step looks within what the last one found. */
export class Query {
  constructor(readonly steps: Step[] = []) {}

  /** Elements of a role, and of an accessible name where one is given. */
  role(role: string, name?: Words): Query {
    return new Query([...this.steps, { do: "role", role, ...(name !== undefined && { name: sent(name) }) }]);
  }

  css(css: string): Query {
    return new Query([...this.steps, { do: "css", css }]);
  }

  /** Those of the found whose text is so. */
  having(words: Words): Query {
    return new Query([...this.steps, { do: "having", words: sent(words) }]);
  }

  /** The n-th of the found, from 0; from the end where negative. */
  nth(n: number): Query {
    return new Query([...this.steps, { do: "nth", n }]);
  }

  get last(): Query {
    return this.nth(-1);
  }

  /** As one reads it in a failure. */
  toString(): string {
    const words = (sent: Sent) => ("exact" in sent ? `"${sent.exact}"` : `/${sent.pattern}/${sent.flags}`);
    const told = this.steps.map((step) => {
      switch (step.do) {
        case "role":
          return step.name ? `${step.role} ${words(step.name)}` : step.role;
        case "css":
          return step.css;
        case "having":
          return `having ${words(step.words)}`;
        case "nth":
          return `#${step.n}`;
      }
    });
    return told.join(" › ");
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
  /** Its middle, once it was brought into view. */
  x: number;
  y: number;
  top: number;
  left: number;
  width: number;
  height: number;
  /** What lies over its middle and would get the click; empty where nothing does. */
  covered: string;
}

/** Runs in the page: the visible elements that a query finds, in the order of the document. `reach` brings the first into view. */
export function look(steps: Step[], reach: boolean): Found[] {
  const ROLES: Record<string, string> = {
    article: "article",
    button: "button, summary",
    cell: "td",
    checkbox: "[type=checkbox]",
    columnheader: "th",
    combobox: "select, [role=combobox]",
    complementary: "aside",
    dialog: "dialog[open]",
    form: "form[aria-label]",
    group: "figure, fieldset, details",
    heading: "h1, h2, h3, h4, h5, h6",
    link: "a[href]",
    list: "ul, ol",
    listitem: "li",
    math: "math",
    navigation: "nav",
    option: "option",
    radio: "[type=radio]",
    region: "section[aria-label]",
    slider: "[type=range]",
    spinbutton: "[type=number]",
    status: "output",
    table: "table",
    textbox: "textarea, input:not([type]), [type=text]:not([role]), [type=search]",
  };
  const clean = (text: string | null | undefined) => (text ?? "").replace(/\s+/g, " ").trim();
  const textOf = (element: Element, without: string) => {
    const copy = element.cloneNode(true) as Element;
    for (const inner of copy.querySelectorAll(without)) inner.remove();
    return clean(copy.textContent);
  };
  const nameOf = (element: Element): string => {
    const by = element.getAttribute("aria-labelledby");
    if (by) return clean(by.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join(" "));
    const label = element.getAttribute("aria-label");
    if (label) return clean(label);
    const labels = (element as HTMLInputElement).labels;
    if (labels?.length) return clean([...labels].map((label) => textOf(label, "select, input, textarea")).join(" "));
    return textOf(element, "[aria-hidden=true], [hidden]") || clean(element.getAttribute("title"));
  };
  const fits = (text: string, words: Sent) =>
    "exact" in words ? text === words.exact : new RegExp(words.pattern, words.flags).test(text);
  const seen = (element: Element) =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility === "visible" && !element.closest("[inert]");

  let found: Element[] = [];
  let places: ParentNode[] = [document];
  for (const step of steps) {
    if (step.do === "nth") {
      found = found.slice(step.n, step.n + 1 || undefined);
    } else if (step.do === "having") {
      found = found.filter((element) => fits(clean(element.textContent), step.words));
    } else {
      const own = step.do === "css" ? step.css : [`[role=${step.role}]`, ...(ROLES[step.role] ?? "").split(",")].filter(Boolean).join(",");
      const within = places.flatMap((place) => [...place.querySelectorAll(own)]);
      found = [...new Set(within)].filter(seen);
      if (step.do === "role") {
        // A role that is written down goes before the element's own.
        found = found.filter((element) => (element.getAttribute("role") ?? step.role) === step.role);
        const name = step.name;
        if (name) found = found.filter((element) => fits(nameOf(element), name));
      }
    }
    places = found;
  }
  if (reach) found[0]?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  return found.map((element) => {
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const hit = document.elementFromPoint(x, y);
    const label = hit?.closest("label") as HTMLLabelElement | null;
    const free = hit && (element.contains(hit) || label?.control === element);
    return {
      text: clean(element.textContent),
      value: (element as HTMLInputElement).value ?? "",
      focused: document.activeElement === element,
      disabled: (element as HTMLButtonElement).disabled === true,
      attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
      x,
      y,
      top: box.top,
      left: box.left,
      width: box.width,
      height: box.height,
      covered: free ? "" : hit ? `<${hit.tagName.toLowerCase()} class="${hit.getAttribute("class") ?? ""}">` : "nothing: it is out of view",
    };
  });
}
