// Long answers, made to measure: the same text each time for the same length.

const WORDS =
  "the window of a chat holds what the model reads and when it slides older lines fall out so that each answer costs the same and none is cut without a word about it".split(" ");

/** Words from the list, `count` of them, beginning anywhere. */
const words = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => WORDS[(from * 7 + n * (1 + (from % 5))) % WORDS.length]).join(" ");

const sentence = (from: number, count: number) => `${words(from, count).replace(/^./, (c) => c.toUpperCase())}.`;

/** One part of an answer as models write them: the shapes take turns. */
function part(n: number): string {
  switch (n % 6) {
    case 0:
      return `## ${sentence(n, 4).slice(0, -1)}\n\n${sentence(n, 14)} **${words(n, 3)}** ${sentence(n + 1, 16)} See [the notes](https://example.com/${n}) and \`window.select(${n})\`. ${sentence(n + 2, 12)}`;
    case 1:
      return [0, 1, 2, 3].map((i) => `- **${words(n + i, 2)}**: ${words(n + i, 9)}${i === 1 ? `\n  - ${words(n, 6)}\n  - ${words(n + 3, 7)}` : ""}`).join("\n");
    case 2:
      return `\`\`\`rust\n${Array.from({ length: 14 }, (_, i) => (i % 5 === 4 ? "" : `    let ${WORDS[(n + i) % WORDS.length]} = select(&chat, ${i}).len(); // ${words(n + i, 3)}`)).join("\n")}\n\`\`\``;
    case 3:
      return `${sentence(n, 18)} ${sentence(n + 4, 15)} *${words(n, 2)}* ${sentence(n + 8, 20)}`;
    case 4:
      return `| ${words(n, 1)} | tokens | seconds |\n|---|---:|---:|\n${[0, 1, 2, 3].map((i) => `| ${words(n + i, 3)} | ${n * 31 + i} | ${i}.${n % 10} |`).join("\n")}`;
    default:
      return `1. ${sentence(n, 10)}\n2. ${sentence(n + 1, 12)}\n\n   ${sentence(n + 2, 8)}\n3. ${sentence(n + 3, 9)}\n\n> ${sentence(n, 15)}`;
  }
}

/** An answer of about so many characters, of prose, lists, code and tables; it ends with its last part. */
export function mixed(characters: number): string {
  const parts: string[] = [];
  for (let length = 0, n = 0; length < characters; n++) {
    parts.push(part(n));
    length += parts[n].length + 2;
  }
  return parts.join("\n\n");
}

/** One code block of so many lines. */
export const code = (lines: number): string =>
  `Here it is:\n\n\`\`\`rust\n${Array.from({ length: lines }, (_, n) => `    let line_${n} = select(&chat, ${n}).len(); // ${words(n, 3)}\n`).join("")}\`\`\`\n\nThat is all.\n`;

/** One table of so many rows. */
export const table = (rows: number): string =>
  `Here it is:\n\n| name | tokens | note |\n|---|---:|---|\n${Array.from({ length: rows }, (_, n) => `| ${words(n, 2)} | ${n} | ${words(n, 5)} |\n`).join("")}\nThat is all.\n`;

/** One paragraph of about so many characters. */
export const paragraph = (characters: number): string =>
  Array.from({ length: Math.ceil(characters / 60) }, (_, n) => sentence(n, 11)).join(" ").slice(0, characters);

/** One list of so many items. */
export const list = (items: number): string => Array.from({ length: items }, (_, n) => `- ${words(n, 9)}\n`).join("");
