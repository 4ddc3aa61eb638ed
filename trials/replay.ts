/**
 * Replays captured GBFS sets through the service and holds its answers against a loop over
 * everything (docs/lab/replay.md): `[DIR] [--json FILE] [--circles N]`. With `--serve` it only serves the
 * folder as a GBFS host until it is stopped: `--serve DIR [--port N] [--host H] [--no-shift]
 * [--config FILE]`.
 */
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { configurationFor } from "./replay/configuration.ts";
import { type ReplayHost, startReplayHost } from "./replay/host.ts";
import { showProgress } from "./replay/progress.ts";
import { printReport } from "./replay/report/print.ts";
import { makeReport } from "./replay/report/report.ts";
import { skippedTable, systemsTable } from "./replay/tables.ts";

const DEFAULT_DIR = fileURLToPath(new URL("../../shared/data/gbfs", import.meta.url));

export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: "string" },
      circles: { type: "string", default: "10000" },
      serve: { type: "boolean", default: false },
      port: { type: "string", default: "0" },
      host: { type: "string", default: "127.0.0.1" },
      "no-shift": { type: "boolean", default: false },
      config: { type: "string" },
    },
  });
  const dir = positionals[0] ?? DEFAULT_DIR;
  if (!existsSync(dir)) throw new Error(`no such folder: ${dir}`);
  if (values.serve) {
    await serve(dir, values);
    return 0;
  }
  const circles = Number(values.circles);
  if (!Number.isInteger(circles) || circles < 1)
    throw new Error("--circles: expected a whole number");
  const progress = showProgress(process.stderr);
  const report = await makeReport({ dir, circles, onStep: (what) => progress.step(what) });
  progress.stop();
  process.stdout.write(printReport(report));
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
  return report.claims.reduce((sum, { differences }) => sum + differences.length, 0);
}

type ServeOptions = { port: string; host: string; "no-shift": boolean; config?: string };

async function serve(dir: string, options: ServeOptions): Promise<void> {
  const port = Number(options.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error("--port: expected a number from 0 to 65535");
  const progress = showProgress(process.stderr);
  const host = await startReplayHost({
    dir,
    port,
    host: options.host,
    shift: !options["no-shift"],
    onSet: ({ path }) => progress.step(path),
  });
  progress.stop();
  present(host, options.config);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await host.close();
}

/** Tables go to stderr; the configuration alone goes to stdout, so that it can be piped. */
function present(running: ReplayHost, file: string | undefined): void {
  const text = `${JSON.stringify(configurationFor(running.systems), null, 2)}\n`;
  console.error(systemsTable(running.systems));
  if (running.skipped.length > 0) console.error(`Not served:\n${skippedTable(running.skipped)}`);
  console.error(`${running.systems.length} systems at ${running.url}`);
  if (file === undefined) {
    process.stdout.write(text);
    console.error("The configuration went to standard output; --config FILE writes it to a file.");
    return;
  }
  writeFileSync(file, text);
  console.error(
    `Run the service on it:\n  VICINITY_CONTACT=you@example.org npm run live -- --config ${file}`,
  );
}
