/**
 * `node scripts/scale.ts [--set name=value]… [--write]`: what 10,000 systems and 100 million questions
 * a day in three regions take; with `--write` into docs/scale.md, which a test holds to it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { simulate } from "./scale/model.ts";
import { type Name, PARAMETERS, usualValues } from "./scale/parameters.ts";
import { intoPage, printScale } from "./scale/print.ts";

const PAGE = new URL("../docs/scale.md", import.meta.url);
const { values: options } = parseArgs({
  options: {
    set: { type: "string", multiple: true, default: [] },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log("usage: node scripts/scale.ts [--set name=value]... [--write]");
  process.exit(0);
}
const values = usualValues();
for (const text of options.set) {
  const [name = "", stated = ""] = text.split("=");
  const value = Number(stated);
  if (!Object.hasOwn(PARAMETERS, name) || stated === "" || !(value >= 0)) {
    console.error(`--set ${text}: expected name=value, of ${Object.keys(PARAMETERS).join(", ")}`);
    process.exit(2);
  }
  values[name as Name] = value;
}
const table = printScale(simulate(values), values);
console.log(table);
if (options.write && options.set.length > 0) throw new Error("--write: without --set");
if (options.write) writeFileSync(PAGE, intoPage(readFileSync(PAGE, "utf8"), table));
