// One row of the table that `cargo xtask bench` prints.
import { appendFileSync } from "node:fs";

/** `holds` only where it is a gate. */
export function row(what: string, value: string, budget: string, holds?: boolean): void {
  const line = JSON.stringify({ what, value, budget, holds });
  console.log(line);
  if (process.env.SASH_ROWS) appendFileSync(process.env.SASH_ROWS, `${line}\n`);
}
