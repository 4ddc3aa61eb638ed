/**
 * What 10,000 systems and 100 million requests a day in three regions take; `--write` puts it into
 * docs/lab/scale.md, which a test holds to it. `[--set name=value]… [--write]`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { simulate } from "./scale/model.ts";
import { type Name, PARAMETERS, usualValues } from "./scale/parameters.ts";
import { intoPage, printScale } from "./scale/print.ts";

const PAGE = new URL("../docs/lab/scale.md", import.meta.url);

export function run(args: readonly string[]): Promise<number> {
  const { values: options } = parseArgs({
    args: [...args],
    options: {
      set: { type: "string", multiple: true, default: [] },
      write: { type: "boolean", default: false },
    },
  });
  const values = usualValues();
  for (const text of options.set) {
    const [name = "", stated = ""] = text.split("=");
    const value = Number(stated);
    if (!Object.hasOwn(PARAMETERS, name) || stated === "" || !(value >= 0)) {
      const entry = Object.keys(PARAMETERS).join(", ");
      throw new Error(`--set ${text}: expected name=value, of ${entry}`);
    }
    values[name as Name] = value;
  }
  const table = printScale(simulate(values), values);
  console.log(table);
  if (options.write && options.set.length > 0) throw new Error("--write: without --set");
  if (options.write) writeFileSync(PAGE, intoPage(readFileSync(PAGE, "utf8"), table));
  return Promise.resolve(0);
}
