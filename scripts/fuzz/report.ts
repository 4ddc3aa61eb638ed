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
  const answers = new Table({ head: ["operation", "answered", "requests"], style: PLAIN });
  for (const [operation, row] of [...tally.answers].sort(byName))
    for (const [answer, requests] of [...row].sort(byName))
      answers.push([operation, answer, { hAlign: "right", content: number(requests) }]);
  console.log(answers.toString());
  const codes = new Table({ head: ["refused with", "requests"], style: PLAIN });
  for (const [code, requests] of [...tally.codes].sort(byName))
    codes.push([code, { hAlign: "right", content: number(requests) }]);
  console.log(codes.toString());
  const twins = [...tally.twins].sort(byName).map(([kind, pairs]) => `${number(pairs)} ${kind}`);
  const rate = Math.round(tally.requests / elapsed_s);
  console.log(
    `${number(tally.requests)} requests in ${elapsed_s.toFixed(1)} s, ${number(rate)} a second; ` +
      `${number(tally.malformed)} malformed or mutated, pairs compared: ${twins.join(", ")}; ` +
      `${tally.labels.size} kinds of fault and oddity, ${number(tally.items)} items checked, ` +
      `${number(tally.unknown)} of their counts unknown`,
  );
}

const PLAIN = { head: [], border: [] };
const number = (value: number): string => value.toLocaleString("en");
const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

export function describeFailure({ index, first, ...small }: Failure, seed: number): string {
  const met = first === undefined ? "" : `\nas it was met: ${describe(first)}`;
  return `request ${index} of seed ${seed}:\n${describe(small)}${met}`;
}

function describe({ why, bytes }: { why: string; bytes: Buffer }): string {
  return `${JSON.stringify(bytes.toString("latin1").slice(0, 3000))}\n${why}`;
}
