/** The report of a comparison: how much was asked of what, and the first difference of each kind. */
import type { Difference } from "./compare.ts";
import type { ExpectedUse } from "./expected.ts";
import { listUnmetCodes } from "./coverage.ts";
import type { Recording, Step } from "./recording.ts";

const SHOWN = 30;

export function printTally({ stages }: Recording): void {
  for (const { stage, entries } of stages) {
    console.log(`\n# ${stage}`);
    const parts = Map.groupBy(entries, ({ step }) => step.part);
    for (const [part, all] of parts) {
      const statuses = Map.groupBy(all, ({ reply }) => reply.status);
      const counts = [...statuses].toSorted(([a], [b]) => a - b);
      const list = counts.map(([status, each]) => `${status} × ${each.length}`).join(", ");
      console.log(`${part.padEnd(32)} ${list}`);
    }
  }
}

export function printUnmet(recording: Recording): void {
  const codes = listUnmetCodes(recording);
  console.log(`\ncodes of errors that no answer had: ${codes.join(", ") || "none"}`);
}

export function printDifferences(differences: readonly Difference[]): void {
  const kinds = Map.groupBy(differences, ({ stage, step, what }) =>
    [stage, step.part, what].join("\n"),
  );
  for (const [first, ...more] of [...kinds.values()].slice(0, SHOWN)) {
    const { stage, step, what, before, after } = first!;
    const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
    console.log(`✖ ${stage}, ${step.part}: ${what} differs${others}`);
    console.log(`  ${describe(step)}`);
    console.log(`  before ${toLine(before)}\n  after  ${toLine(after)}`);
  }
  if (kinds.size > SHOWN) console.log(`and ${kinds.size - SHOWN} more kinds of differences`);
}

export function printExpected(expected: readonly ExpectedUse[]): void {
  for (const { part, used, reason } of expected)
    console.log(`expected in ${part}: ${reason} (${used} answers)`);
}

const LINE_MAX = 300;

function describe(step: Step): string {
  if (step.to === "shell") return `${step.label}: vicinity ${step.args.join(" ")}`;
  if (step.to === "socket") return `${step.label}: ${toLine(step.bytes)}`;
  const body = step.body === null ? "" : ` ${toLine(step.body)}`;
  return `${step.label}: ${step.method} ${step.target}${body}`.slice(0, LINE_MAX);
}

/** Recordings have a character a byte. */
function toLine(text: string): string {
  return JSON.stringify(Buffer.from(text, "latin1").toString()).slice(0, LINE_MAX);
}
