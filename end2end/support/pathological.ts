// Answers that take a program long which looks at something again for each of many things: those that cmark, cmark-gfm
// and markdown-it test themselves with, and what was found in the page. Each is cut to at most so many characters.

/** So many times a piece, up to a length. */
const times = (piece: string, length: number) => piece.repeat(Math.max(1, Math.floor(length / piece.length)));
const lines = (line: (n: number) => string, length: number): string => {
  let out = "";
  for (let n = 0; out.length < length; n++) out += line(n);
  return out;
};

const MADE: Record<string, (length: number) => string> = {
  // cmark
  "nested strong emphasis": (l) => `${times("*a **a ", l / 2)}b${times(" a** a*", l / 2)}`,
  "emphasis closed and never opened": (l) => times("a_ ", l),
  "emphasis opened and never closed": (l) => times("_a ", l),
  "links closed and never opened": (l) => times("a]", l),
  "links opened and never closed": (l) => times("[a", l),
  "openers and closers that do not match": (l) => times("*a_ ", l),
  "closers in multiples of three": (l) => `a**b${times("c* ", l)}`,
  "links opened and emphasis closed": (l) => times("[ a_", l),
  "the pattern [ (](": (l) => times("[ (](", l),
  "the pattern ![[]()": (l) => times("![[]()", l),
  "nested brackets": (l) => `${times("[", l / 2)}a${times("]", l / 2)}`,
  "nested quotes": (l) => `${times("> ", l)}a`,
  "lists in lists": (l) => lines((n) => `${"  ".repeat(n)}* a\n`, Math.min(l, 300_000)),
  "runs of backticks, each longer": (l) => lines((n) => `e${"`".repeat(n + 1)}`, l),
  "links with half a destination": (l) => times("[a](<b", l),
  "links with half a destination, bare": (l) => times("[a](b", l),
  "comments opened and never closed": (l) => `</${times("<!--", l)}`,
  "empty lines in deep lists": (l) => `${times("- ", l / 3)}x${times("\n", l / 3)}`,
  "emphasis in deep quotes": (l) => `${times(">", l / 2)}${times("a*", l / 2)}`,
  "many definitions and references": (l) => `${lines((n) => `[r${n}]: /u${n}\n`, l / 2)}\n${lines((n) => `[r${n}] `, l / 2)}`,
  // cmark-gfm
  "a list of vertical tabs": (l) => times("\r -\v", l),
  "a table of many columns": (l) => `${times("|a", l / 3)}|\n${times("|-", l / 3)}|\n${times("|b", l / 3)}|\n`,
  "tildes": (l) => times("~a~~b~ ", l),
  "addresses with brackets": (l) => times("https://a.example/(( ", l),
  // markdown-it
  "stars around a letter": (l) => `${times("*", l / 2)}a${times("*", l / 2)}`,
  "spaces before the end of a line": (l) => `x${times(" ", l)}x  \nx`,
  "autolinks opened and never closed": (l) => `${times("<", l)}>`,
  "definitions half written": (l) => times("[a]: <b\n", l),
  // The page itself.
  "pairs of backticks and a backslash": (l) => times("``\\", l),
  "a line and an empty item": (l) => times("aaa\n-\n", l),
  "paragraphs of a word": (l) => times("word\n\n", l),
  "empty fences": (l) => times("```\n", l),
  "rules": (l) => times("---\n", l),
  "headings": (l) => times("# a\n", l),
  "quotes of a letter": (l) => times("> a\n\n", l),
  "a loose list": (l) => times("- item\n\n", l),
  "a list without letters": (l) => times("- 1\n", l),
  "a table of 64 columns": (l) => `${"|a".repeat(64)}|\n${"|-".repeat(64)}|\n${times(`${"|b".repeat(64)}|\n`, l)}`,
  "formulas of a letter": (l) => times("$x$ ", l),
  "formulas on lines of their own": (l) => times("$$\nx\n$$\n\n", l),
  "blocks of HTML": (l) => times("<div>\n\n", l),
  "bare addresses": (l) => lines((n) => `https://a.example/${n} `, l),
  "characters that change the direction": (l) => times("a\u202e", l),
  "references before their definitions": (l) => `${lines((n) => `[r${n}]\n\n`, l / 2)}${lines((n) => `[r${n}]: /u${n}\n`, l / 2)}`,
  "one line": (l) => times("word ", l),
  "lines": (l) => times("a\n", l),
};

export interface Pathological {
  name: string;
  text: string;
}

/** All of them, of about so many characters each. */
export const pathological = (length: number): Pathological[] =>
  Object.entries(MADE).map(([name, make]) => ({ name, text: make(length).slice(0, length) }));
