/**
 * The service's own identity resolution, judged on every folder of labelled pairs below DIR
 * (docs/lab/identity.md): `[DIR] [--json FILE] [--leave-one-out] [--examples N] [--write]`; `--write`
 * puts the card into that page. `--vehicles SEED` judges vehicles of two feeds, by seeded fleets.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { replaceSection } from "../scripts/pages/identity.ts";
import { holdOut } from "./scorecard/hold-out.ts";
import { type Card, judge } from "./scorecard/judge.ts";
import { toHoldOutText, toJson, toPage, toText } from "./scorecard/print.ts";
import { readSets, printSkipped } from "./scorecard/sets.ts";
import { judgeVehicles, vehicleText } from "./scorecard/vehicles.ts";
import { VARIANTS } from "./scorecard/variants.ts";

const PAGE = new URL("../docs/lab/identity.md", import.meta.url);

export function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: "string" },
      "leave-one-out": { type: "boolean", default: false },
      examples: { type: "string", default: "3" },
      write: { type: "boolean", default: false },
      vehicles: { type: "string" },
    },
  });
  if (values.vehicles !== undefined) {
    console.log(vehicleText(judgeVehicles(Number(values.vehicles))));
    return Promise.resolve(0);
  }
  const dir = positionals[0] ?? "../shared/data/pairs";
  const sets = existsSync(dir) ? readSets(dir, printSkipped) : [];
  if (sets.length === 0) throw new Error(`no folder of labelled pairs below ${dir}`);
  const print = (content: unknown, text: string): void => {
    if (values.json === undefined) console.log(text);
    else writeFileSync(values.json, `${JSON.stringify(content, null, 2)}\n`);
  };
  if (values["leave-one-out"]) {
    const stored = holdOut(sets);
    print(stored, toHoldOutText(stored));
    return Promise.resolve(0);
  }
  const cards: Card[] = VARIANTS.flatMap((variant) => sets.map((set) => judge(set, variant)));
  if (values.write) {
    const page = readFileSync(PAGE, "utf8");
    writeFileSync(PAGE, replaceSection(page, "card", toPage(cards, holdOut(sets))));
  } else print(toJson(cards), toText(sets, cards, Number(values.examples)));
  return Promise.resolve(0);
}
