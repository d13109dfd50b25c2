// What stands on the pages of a PDF that Chromium printed. It writes classic objects, streams that are deflated, and
// glyphs as hexadecimal pairs with a map to characters beside each font: nothing else is read here.
import { inflateSync } from "node:zlib";

/** The title, and the text of each page. */
export interface Printed {
  title: string;
  pages: string[];
}

/** A map from glyphs to characters. */
function glyphs(map: string): Map<number, string> {
  const found = new Map<number, string>();
  const hex = (digits: string) => parseInt(digits, 16);
  for (const [, lines] of map.matchAll(/beginbfchar\n(.*?)endbfchar/gs))
    for (const [, glyph, char] of lines.matchAll(/<(\w+)> <(\w+)>/g)) found.set(hex(glyph), Buffer.from(char, "hex").swap16().toString("utf16le"));
  for (const [, lines] of map.matchAll(/beginbfrange\n(.*?)endbfrange/gs))
    for (const [, first, last, char] of lines.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g))
      for (let glyph = hex(first); glyph <= hex(last); glyph++) found.set(glyph, String.fromCodePoint(hex(char) + glyph - hex(first)));
  return found;
}

export function readPdf(pdf: Buffer): Printed {
  // A byte is a character here, so that places in the text are those in the file.
  const file = pdf.toString("latin1");
  const objects = new Map<string, string>();
  for (const [, id, body] of file.matchAll(/^(\d+) 0 obj\n(.*?)\nendobj$/gms)) objects.set(id, body);
  const object = (id: string | undefined) => objects.get(id ?? "") ?? "";
  const stream = (id: string | undefined) => {
    const [, length, data] = /\/Length (\d+)>> stream\n(.*)$/s.exec(object(id)) ?? [];
    return data ? inflateSync(Buffer.from(data.slice(0, Number(length)), "latin1")).toString("latin1") : "";
  };
  const fonts = new Map<string, Map<number, string>>();
  for (const [, name, id] of file.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const map = /\/ToUnicode (\d+) 0 R/.exec(object(id))?.[1];
    if (!fonts.has(name)) fonts.set(name, glyphs(stream(map)));
  }

  const pages = [...objects.values()].filter((body) => /^<<\/Type \/Page\n/.test(body));
  const text = (page: string) => {
    let font: Map<number, string> | undefined;
    let said = "";
    for (const [, name, run] of stream(/\/Contents (\d+) 0 R/.exec(page)?.[1]).matchAll(/\/(F\d+) [\d.]+ Tf|<(\w+)> Tj|^ET$/gm)) {
      if (name) font = fonts.get(name);
      else if (run) said += run.match(/..../g)!.map((glyph) => font?.get(parseInt(glyph, 16)) ?? "\ufffd").join("");
      else said += "\n";
    }
    return said;
  };
  return { title: /\/Title \((.*?)\)/.exec(file)?.[1] ?? "", pages: pages.map(text) };
}
