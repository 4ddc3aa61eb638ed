/** Text as `npm run format` leaves it. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url);
const OXFMT = fileURLToPath(new URL("node_modules/.bin/oxfmt", ROOT));

/** Formats the text of a file of this name; a text that does not parse is an error. */
export function format(name: string, text: string): string {
  const run = spawnSync(OXFMT, [`--stdin-filepath=${name}`], {
    input: text,
    encoding: "utf8",
    cwd: fileURLToPath(ROOT),
  });
  if (run.status !== 0) throw run.error ?? new Error(`${name}: ${run.stderr}`);
  return run.stdout;
}
