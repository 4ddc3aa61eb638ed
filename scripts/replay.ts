/**
 * Serves a folder of captured GBFS files as a GBFS host (docs/replay.md).
 * node scripts/replay.ts DIR [--port N] [--host H] [--no-shift] [--config FILE]
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { configurationFor } from "./replay/configuration.ts";
import { startReplayHost } from "./replay/host.ts";
import type { ReplayHost } from "./replay/host.ts";
import { showProgress } from "./replay/progress.ts";
import { skippedTable, systemsTable } from "./replay/tables.ts";

const USAGE =
  "usage: node scripts/replay.ts DIR [--port N] [--host H] [--no-shift] [--config FILE]\n";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: "string", default: "0" },
    host: { type: "string", default: "127.0.0.1" },
    "no-shift": { type: "boolean", default: false },
    config: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const dir = positionals[0];
const port = Number(values.port);
if (values.help || dir === undefined || !Number.isInteger(port) || port < 0 || port > 65_535) {
  process.stderr.write(USAGE);
  process.exit(values.help ? 0 : 2);
}

const progress = showProgress(process.stderr);
const host = await startReplayHost({
  dir,
  port,
  host: values.host,
  shift: !values["no-shift"],
  onSet: ({ path }) => progress.step(path),
});
progress.stop();
present(host, values.config);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void host.close().then(() => process.exit(0)));
}

/** People read stderr; the configuration alone goes to stdout, so that it can be piped. */
function present(running: ReplayHost, file: string | undefined): void {
  const text = `${JSON.stringify(configurationFor(running.systems), null, 2)}\n`;
  const say = (line: string): boolean => process.stderr.write(`${line}\n`);
  say(systemsTable(running.systems));
  if (running.skipped.length > 0) say(`Not served:\n${skippedTable(running.skipped)}`);
  say(`${running.systems.length} systems at ${running.url}`);
  if (file === undefined) {
    process.stdout.write(text);
    say("The configuration went to standard output; --config FILE writes it to a file.");
    return;
  }
  writeFileSync(file, text);
  say(
    `Run the service on it:\n  VICINITY_CONTACT=you@example.org npm run live -- --config ${file}`,
  );
}
