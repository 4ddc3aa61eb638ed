/**
 * `npm run trials -- same-answers --before DIR`: another checkout and this one are asked the same
 * requests of every operation, with the clock stopped; their answers must be equal but for ids that
 * are random by design. Shows that a change of structure changed no answer.
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { compare, type Difference, type Recorded } from "./same-answers/compare.ts";
import { record } from "./same-answers/record.ts";

const OWN = fileURLToPath(new URL("..", import.meta.url));
const SHOWN = 20;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      before: { type: "string", default: OWN },
      after: { type: "string", default: OWN },
      requests: { type: "string", default: "2000" },
      seed: { type: "string", default: "1" },
    },
  });
  const wish = { seed: Number(values.seed), count: Number(values.requests) };
  const before = await record({ ...wish, root: resolve(values.before) }, null);
  const after = await record({ ...wish, root: resolve(values.after) }, before.basis);
  const differences = compare(before.recorded, after.recorded);
  report(before.recorded, differences);
  return differences.length;
}

function report(recorded: readonly Recorded[], differences: readonly Difference[]): void {
  const tally = new Map<string, Map<number, number>>();
  for (const { request, answer } of recorded) {
    const statuses = tally.get(request.operation) ?? new Map<number, number>();
    tally.set(request.operation, statuses);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  }
  for (const [operation, statuses] of tally) {
    const counts = [...statuses]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${status} × ${count}`);
    console.log(`${operation.padEnd(26)} ${counts.join(", ")}`);
  }
  console.log(`\n${recorded.length} requests, ${differences.length} answers differ`);
  const distinct = Map.groupBy(differences, ({ request, what, before, after }) =>
    JSON.stringify([request.operation, what, before, after]),
  );
  for (const [first, ...more] of [...distinct.values()].slice(0, SHOWN)) {
    const { request, what, before, after } = first!;
    const again = more.length === 0 ? "" : `, and ${more.length} more`;
    console.log(`✖ ${request.operation}: ${what} (${request.fault ?? "a valid request"}${again})`);
    console.log(
      `  ${request.method} ${request.target.slice(0, 200)} ${String(request.body ?? "")}`,
    );
    console.log(`  before ${JSON.stringify(before)}\n  after  ${JSON.stringify(after)}`);
  }
}
