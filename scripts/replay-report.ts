/**
 * Replays captured GBFS sets through the service and holds its answers against a loop over
 * everything (docs/replay.md). node scripts/replay-report.ts [DIR] [--json] [--circles N]
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { showProgress } from "./replay/progress.ts";
import { printReport } from "./replay/report/print.ts";
import { makeReport } from "./replay/report/report.ts";

const DEFAULT_DIR = fileURLToPath(new URL("../../shared/data/gbfs", import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    circles: { type: "string", default: "10000" },
    help: { type: "boolean", default: false },
  },
});
const dir = positionals[0] ?? DEFAULT_DIR;
const circles = Number(values.circles);
if (values.help || !Number.isInteger(circles) || circles < 1) {
  process.stderr.write("usage: node scripts/replay-report.ts [DIR] [--json] [--circles N]\n");
  process.exit(values.help ? 0 : 2);
}
if (!existsSync(dir)) {
  process.stderr.write(`replay-report: no such folder: ${dir}\n`);
  process.exit(2);
}

const progress = showProgress(process.stderr);
const report = await makeReport({ dir, circles, onStep: (what) => progress.step(what) });
progress.stop();
process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : printReport(report));
process.exitCode = report.claims.some(({ differences }) => differences.length > 0) ? 1 : 0;
