// The page in another language: what a step calls by its English name is found by the page's own texts.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { escaped } from "./chatPage";

const root = join(__dirname, "../..");
const locales = join(root, "crates/words/locales");

/** The files of texts, each by the language: those of the catalogue, and those that parts of the chat and rooms have in their folders. */
function files(): ((language: string) => string)[] {
  const own = readdirSync(join(locales, "en")).map((name) => (language: string) => join(locales, language, name));
  const parts = ["kernel", "rooms"].map((folder) => join(root, folder)).filter((folder) => existsSync(folder));
  const words = parts.flatMap((folder) => readdirSync(folder).map((part) => join(folder, part, "words"))).filter((folder) => existsSync(folder));
  return [...own, ...words.map((folder) => (language: string) => join(folder, `${language}.json`))];
}

type Named = Record<string, { name?: string | RegExp; hasText?: string | RegExp; exact?: boolean }>;

/** A text of the page: in English, and in the language. */
interface Text {
  english: string;
  translated: string;
}

function texts(language: string): Text[] {
  return files().flatMap((file) => {
    const read = (name: string): Record<string, string> => JSON.parse(readFileSync(file(name), "utf8"));
    const [english, translated] = [read("en"), read(language)];
    // Hebrew has a form for two, which English does not have.
    const forms = (key: string) => [key, key.replace(/_other$/, "_two")].filter((form, n, all) => form in translated && all.indexOf(form) === n);
    return Object.keys(english).flatMap((key) => forms(key).map((form) => ({ english: english[key], translated: translated[form] })));
  });
}

const PLACEHOLDER = /\{\{ (\w+) \}\}/;
/** A text as a pattern, with any kind of space. What stands in it is what `filling` has under its name, or anything. */
const pattern = (text: string, filling: Record<string, string> = {}): string =>
  text.split(PLACEHOLDER).map((part, n) => (n % 2 === 0 ? escaped(part).replace(/\s/g, "\\s") : part in filling ? escaped(filling[part]) : "(.*)")).join("");

/** What stands in a text at its placeholders, if it is this one. */
function fillingOf(text: string, filled: string): Record<string, string> | undefined {
  const names = text.split(PLACEHOLDER).filter((_, n) => n % 2 === 1);
  const found = names.length > 0 && /\p{L}{3}/u.test(text.split(PLACEHOLDER).filter((_, n) => n % 2 === 0).join("")) && new RegExp(`^${pattern(text)}$`).exec(filled);
  return found ? Object.fromEntries(names.map((name, n) => [name, found[n + 1]])) : undefined;
}

/** Finds what is named in English by the texts of this language too. */
export class Translation {
  private readonly texts: Text[];

  constructor(language: string) {
    this.texts = texts(language);
  }

  /** A pattern for a name and its translations. */
  private alternatives(name: string, whole: boolean): string {
    const patterns = (texts: Text[]) => texts.map(({ translated }) => pattern(translated));
    const exact = patterns(this.texts.filter(({ english }) => english === name));
    // A name with a number or a title in it is that of a text with a placeholder.
    const filled = this.texts.flatMap(({ english, translated }) => {
      const filling = fillingOf(english, name);
      return filling ? [pattern(translated, filling)] : [];
    });
    const part = name.length > 3 ? patterns(this.texts.filter(({ english }) => english.includes(name))) : [];
    const found = whole ? ([exact, filled, part].find((some) => some.length > 0) ?? []) : [...exact, ...part];
    return [escaped(name), ...found].join("|");
  }

  /** A name as a pattern that finds its translations too. A pattern that is more than a text between anchors stays. */
  name(name: string | RegExp, exact = false): RegExp {
    if (typeof name === "string") return new RegExp(exact ? `^(?:${this.alternatives(name, true)})$` : `(?:${this.alternatives(name, true)})`, exact ? "" : "i");
    const [, from, words, to] = /^(\^?)(.*?)(\$?)$/.exec(name.source)!;
    const plain = words.replace(/\\([.*+?^${}()|[\]\\/])/g, "$1");
    return escaped(plain) === words ? new RegExp(`${from}(?:${this.alternatives(plain, to !== "")})${to}`, name.flags) : name;
  }

  /** Has the locators of a page, and those within them, find translations. Gives back what undoes it: locators of all pages are of one class. */
  apply(page: Page): () => void {
    const locator = Object.getPrototypeOf(page.locator("html"));
    const undo = [page, locator].map((target) => {
      const { getByRole, getByText, getByLabel, filter, locator: find } = target;
      const translated = {
        getByRole: (it: object, role: string, options: Named[string] = {}) => getByRole.call(it, role, options.name === undefined ? options : { ...options, name: this.name(options.name, options.exact), exact: undefined }),
        getByText: (it: object, text: string | RegExp, options: Named[string] = {}) => getByText.call(it, this.name(text, options.exact)),
        getByLabel: (it: object, text: string | RegExp, options: Named[string] = {}) => getByLabel.call(it, this.name(text, options.exact)),
        filter: (it: object, options: Named[string]) => filter.call(it, options.hasText === undefined ? options : { ...options, hasText: this.name(options.hasText) }),
        locator: (it: object, selector: unknown, options: Named[string] = {}) => find.call(it, selector, options.hasText === undefined ? options : { ...options, hasText: this.name(options.hasText) }),
      };
      const before = Object.entries(translated).filter(([name]) => name in target).map(([name, own]) => {
        const descriptor = Object.getOwnPropertyDescriptor(target, name);
        Object.defineProperty(target, name, { configurable: true, writable: true, value(this: object, ...all: unknown[]) { return (own as (...all: unknown[]) => unknown)(this, ...all); } });
        return [name, descriptor] as const;
      });
      return () => before.forEach(([name, descriptor]) => (descriptor ? Object.defineProperty(target, name, descriptor) : delete target[name]));
    });
    return () => undo.forEach((step) => step());
  }
}
