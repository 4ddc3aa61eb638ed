/** `npm run freshness`: measures the freshness policies and writes the table of docs/capabilities.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { measureFreshness, SHARERS, toTable } from "./freshness/table.ts";

const PAGE = new URL("../docs/capabilities.md", import.meta.url);
const BETWEEN = /(<!-- freshness -->\n)[^]*(\n<!-- \/freshness -->)/;

const { rows, shared, again } = await measureFreshness();
const table = toTable(rows);
console.log(`${table}\n${SHARERS} at once: ${shared} fetched; one more: ${again}`);
const page = readFileSync(PAGE, "utf8");
writeFileSync(
  PAGE,
  page.replace(BETWEEN, (_, before: string, after: string) => before + table + after),
);
