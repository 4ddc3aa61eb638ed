/**
 * `npm run scorecard -- [DIR] [--json] [--leave-one-out] [--examples N] [--write]`: the service's own identity
 * resolution, judged on every folder of labelled pairs below DIR. docs/identity.md explains it.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { IDENTITY_PAGE, replaceSection } from "./pages/identity.ts";
import { judge } from "./scorecard/judge.ts";
import type { Card } from "./scorecard/judge.ts";
import { holdOut } from "./scorecard/hold-out.ts";
import { toHoldOutText, toJson, toPage, toText } from "./scorecard/print.ts";
import { readSets, tellSkipped } from "./scorecard/sets.ts";
import { VARIANTS } from "./scorecard/variants.ts";

const DEFAULT_DIR = "../shared/data/pairs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    "leave-one-out": { type: "boolean", default: false },
    examples: { type: "string", default: "3" },
    /** Puts the card into docs/identity.md. */
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log("npm run scorecard -- [DIR] [--json] [--leave-one-out] [--examples N] [--write]");
  process.exit(0);
}

const dir = positionals[0] ?? DEFAULT_DIR;
if (!existsSync(dir)) {
  console.error(`!!! SKIPPED: ${dir} is not there, so nothing was judged`);
  process.exit(1);
}
const sets = readSets(dir, tellSkipped);
if (sets.length === 0) {
  console.error(`!!! SKIPPED: no folder of labelled pairs below ${dir}`);
  process.exit(1);
}

if (values["leave-one-out"]) {
  const held = holdOut(sets);
  console.log(values.json ? JSON.stringify(held, null, 2) : toHoldOutText(held));
} else {
  const cards: Card[] = VARIANTS.flatMap((variant) => sets.map((set) => judge(set, variant)));
  if (values.write) {
    const page = readFileSync(IDENTITY_PAGE, "utf8");
    writeFileSync(IDENTITY_PAGE, replaceSection(page, "card", toPage(cards, holdOut(sets))));
  } else if (values.json) console.log(JSON.stringify(toJson(cards), null, 2));
  else console.log(toText(sets, cards, Number(values.examples)));
}
