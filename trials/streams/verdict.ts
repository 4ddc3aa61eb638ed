/** What must hold under an attack, and the cells as a table for a person. */
import Table from "cli-table3";
import type { Measured } from "../connections/callers.ts";
import { type Seen, SPARE_FDS } from "../connections/watch.ts";
import type { StreamAttacked } from "./attacks.ts";
import type { Subscribed } from "./subscribers.ts";

const KEPT_SHARE = 0.95;
const MB = 1_000_000;
/** Resident memory that an attack may take, and what may stay of it: the heap shrinks slowly. */
const GROWN_MOST = 400 * MB;
const STAYS_MOST = 150 * MB;

export type Memory = { before: number; most: number; after: number };

export type StreamCell = Seen & {
  attack: string;
  questions: Measured;
  streams: Subscribed;
  memory: Memory;
  attacked?: StreamAttacked;
  /** Goodput of questions and of streams, divided by that without an attack. */
  share: { questions: number; streams: number; events: number };
  /** In words; none: it passed. */
  findings: string[];
};

type Measurement = { questions: Measured; streams: Subscribed };

export function judgeStreams(
  input: Omit<StreamCell, "share" | "findings"> & { calm: Measurement; seconds: number },
): StreamCell {
  const { calm, seconds, ...cell } = input;
  const share = {
    questions: rateOf(
      cell.questions.good,
      cell.questions.sent,
      calm.questions.good,
      calm.questions.sent,
    ),
    streams: rateOf(cell.streams.good, cell.streams.opened, calm.streams.good, calm.streams.opened),
    events: cell.streams.events / calm.streams.events,
  };
  const findings: string[] = [];
  const expect = (holds: boolean, finding: string): void => {
    if (!holds) findings.push(`${cell.attack}: ${finding}`);
  };
  if (cell.attack === "none") {
    expect(
      calm.questions.good >= KEPT_SHARE * calm.questions.sent,
      "questions fail without attack",
    );
    expect(calm.streams.good >= KEPT_SHARE * calm.streams.opened, "streams fail without attack");
    expect(calm.streams.events > 0, "those that stay get no events without attack");
  }
  expect(share.questions >= KEPT_SHARE, `questions keep ${percent(share.questions)}`);
  expect(share.streams >= KEPT_SHARE, `streams keep ${percent(share.streams)}`);
  // Files of the simulator come every few seconds: fewer events in a short run say nothing.
  if (seconds >= 10) expect(share.events >= 0.8, `those that stay get ${percent(share.events)}`);
  expect(cell.streams.ended === 0, `${cell.streams.ended} honest streams were ended`);
  expect(cell.streams.silent === 0, `${cell.streams.silent} honest streams received nothing`);
  expect(cell.inflight_after === 0, `${cell.inflight_after} requests stay in flight`);
  expect(cell.unanswered === 0, `the admin listener left ${cell.unanswered} probes unanswered`);
  expect(cell.probes > 0, "the admin listener was never asked");
  const fds_most = cell.fds_before + SPARE_FDS;
  expect(cell.fds_after <= fds_most, `${cell.fds_after} descriptors, ${cell.fds_before} before`);
  const { before, most, after } = cell.memory;
  expect(most - before <= GROWN_MOST, `memory grew by ${toMb(most - before)}`);
  expect(after - before <= STAYS_MOST, `memory stays ${toMb(after - before)} above`);
  if (cell.attacked) expect(cell.attacked.opened > 0, "the attacker never got a connection");
  return { ...cell, share, findings };
}

function rateOf(good: number, sent: number, calm_good: number, calm_sent: number): number {
  return good / sent / (calm_good / calm_sent);
}

export function toStreamTable(cells: readonly StreamCell[], seconds: number): string {
  const table = new Table({
    head: [
      ...["attack", "questions kept", "streams kept, p99 ms", "events", "what failed"],
      ...["memory MB: before, most, after", "descriptors", "attacker", "verdict"],
    ],
    style: { head: [], border: [] },
    colWidths: [13, 18, 18, 10, 22, 16, 16, 26, 9],
    wordWrap: true,
  });
  for (const { share, questions, streams, memory, attacked, ...cell } of cells)
    table.push([
      cell.attack,
      `${percent(share.questions)} (${questions.good} of ${questions.sent})`,
      `${percent(share.streams)} (${streams.good} of ${streams.opened}), ${Math.round(streams.p99_ms)}`,
      `${streams.events}`,
      listBad({ ...questions.bad, ...streams.bad }),
      [memory.before, memory.most, memory.after].map((bytes) => Math.round(bytes / MB)).join(", "),
      `${cell.fds_before}, ${cell.fds_max}, ${cell.fds_after}`,
      attacked
        ? `opened ${attacked.opened}, let in ${attacked.let_in}, holds ${attacked.stored}, lost ${attacked.lost}`
        : "",
      cell.findings.length === 0 ? "passed" : "FAILED",
    ]);
  const findings = cells.flatMap((cell) => cell.findings).map((finding) => `✖ ${finding}`);
  const head = `${seconds} s each; good is 200, or a whole snapshot, within a second`;
  return [head, table.toString(), ...findings].join("\n");
}

function listBad(bad: Readonly<Record<string, number>>): string {
  const rows = Object.entries(bad).map(([name, count]) => `${count} × ${name}`);
  return rows.join(", ") || "nothing";
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function toMb(bytes: number): string {
  return `${Math.round(bytes / MB)} MB`;
}
