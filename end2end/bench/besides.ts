// The other program that this one is measured beside, in the same run.
import { SASH_FLAGS } from "../support/house";
import { type Program, startSashOf } from "../support/programs";

/** Starts the program that `--against` names, at the same Ollama and with the same flags as the one that is measured. */
export async function besides(ollama: Program): Promise<Program | undefined> {
  const file = process.env.SASH_AGAINST;
  return file ? startSashOf(file, ollama.url, ...SASH_FLAGS) : undefined;
}

/** The median; of an even number the upper one of the two. */
export const middle = (values: number[]): number => medianBy(values, (value) => value);

/** The one in the middle by a number of each. */
export const medianBy = <T>(all: T[], number: (one: T) => number): T => all.toSorted((a, b) => number(a) - number(b))[Math.floor(all.length / 2)];
