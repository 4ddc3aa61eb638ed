/**
 * What each freshness policy fetches, counted at the simulator; `--write` puts the table into
 * docs/capabilities.md. What the table must say is held by trials/freshness/freshness.test.ts.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { readArguments } from "./arguments.ts";
import { measureFreshness, SHARERS, toTable } from "./freshness/table.ts";

const PAGE = new URL("../docs/capabilities.md", import.meta.url);
const BETWEEN = /(<!-- freshness -->\n)[^]*(\n<!-- \/freshness -->)/;

export async function run(args: readonly string[]): Promise<number> {
  const { write } = readArguments(args, { write: false });
  const { rows, shared, again } = await measureFreshness();
  const table = toTable(rows);
  console.log(`${table}\n${SHARERS} at once: ${shared} fetched; one more: ${again}`);
  const page = readFileSync(PAGE, "utf8");
  const updated = page.replace(
    BETWEEN,
    (_, before: string, after: string) => before + table + after,
  );
  if (write) writeFileSync(PAGE, updated);
  else if (updated !== page) console.log("✖ docs/capabilities.md shows another table (--write)");
  return write || updated === page ? 0 : 1;
}
