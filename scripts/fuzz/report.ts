/** The figures of a run as tables. */
import Table from "cli-table3";
import type { Failure } from "./run.ts";
import type { Tally } from "./tally.ts";

export function printReport(tally: Tally, elapsed_s: number): void {
  const statuses = new Table({ head: ["operation", "status", "requests"], style: PLAIN });
  for (const [operation, row] of [...tally.statuses].sort(byName))
    for (const [status, requests] of [...row].sort(byName))
      statuses.push([operation, status, { hAlign: "right", content: number(requests) }]);
  console.log(statuses.toString());
  const codes = new Table({ head: ["refused with", "requests"], style: PLAIN });
  for (const [code, requests] of [...tally.codes].sort(byName))
    codes.push([code, { hAlign: "right", content: number(requests) }]);
  console.log(codes.toString());
  const rate = Math.round(tally.requests / elapsed_s);
  console.log(
    `${number(tally.requests)} requests in ${elapsed_s.toFixed(1)} s, ${number(rate)} a second; ` +
      `${number(tally.malformed)} malformed or mutated, ${number(tally.twins)} pairs compared, ` +
      `${tally.labels.size} kinds of fault, ${number(tally.items)} items checked, ` +
      `${number(tally.unknown)} of their counts unknown`,
  );
}

const PLAIN = { head: [], border: [] };
const number = (value: number): string => value.toLocaleString("en");
const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

export function describeFailure({ index, why, bytes }: Failure, seed: number): string {
  const shown = JSON.stringify(bytes.toString("latin1").slice(0, 3000));
  return `request ${index} of seed ${seed}:\n${shown}\n${why}`;
}
