/**
 * Planned departures held against test/oracle/departures.py, which reads the same archive without any
 * code of the program: questions are drawn from what that program says of the feed, and its answers
 * compared with those of the packed timetable.
 */
import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { OpenFeed } from "#transit/index.ts";
import { type CallKind, type PlannedCall, profileOf } from "#transit/timetables.ts";
import { createRng } from "../../bench/world.ts";
import { ample } from "./timetables.ts";

const PROGRAM = fileURLToPath(new URL("../oracle/departures.py", import.meta.url));
const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const DAY_MS = DAY_S * 1000;

/** What a question is about, apart from any moment of service. */
export const AIMS = ["service", "change", "border", "first_day", "last_day", "over_24"] as const;
type Aim = (typeof AIMS)[number];

type Question = { aim: Aim; station: string; from: number; to: number; kind: CallKind };

/** As the oracle prints it: trip, day, start, stop, sequence, epoch seconds, headway, route, headsign. */
type Row = readonly (string | number | null)[];

type Facts = {
  zone: string;
  /** YYYYMMDD, and noon minus twelve hours. */
  days: [day: string, start_s: number][];
  changes: number[];
  /** Places in `days`. */
  services: Record<string, number[]>;
  /** Departures and arrivals by hour of the service day. */
  calls: [station: string, service: string, hour: number, count: number][];
};

export type Comparison = {
  questions: number;
  /** Questions whose answer has at least one row. */
  answered: number;
  rows: number;
  /** Questions by aim. */
  aims: Record<Aim, number>;
  /** Moments at which clocks change, near a day on which something runs. */
  changes: number;
  /** One line for each question that is answered differently. */
  differences: string[];
};

/** Whether Python 3.9 or newer with the zones that the oracle needs is there. */
export function hasPython(): boolean {
  const check = "import zoneinfo; zoneinfo.ZoneInfo('Europe/Berlin')";
  return spawnSync("python3", ["-c", check]).status === 0;
}

/** Puts `count` questions to the oracle that reads the archive, and to the opened feed. */
export async function compareDepartures(
  { path, open }: { path: string; open: OpenFeed },
  { count, seed }: { count: number; seed: number },
): Promise<Comparison> {
  const oracle = spawn("python3", [PROGRAM, path], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<number | null>((resolve) => oracle.once("close", resolve));
  const lines = createInterface({ input: oracle.stdout })[Symbol.asyncIterator]();
  const readLine = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`the oracle ended with ${await ended}`);
    return value;
  };
  const facts = keepLively(JSON.parse(await readLine()) as Facts);
  const questions = facts.calls.length === 0 ? [] : drawQuestions(facts, { count, seed });
  oracle.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(""));
  const comparison = begin(facts);
  for (const question of questions)
    judge(comparison, question, { open, expected: JSON.parse(await readLine()) as Row[] });
  await ended;
  return comparison;
}

/** Of the changes of clocks those near a day on which something runs. */
function keepLively({ changes, ...facts }: Facts): Facts {
  const isNear = (at_s: number): boolean =>
    facts.days.some(([, start_s]) => Math.abs(start_s - at_s) < 2 * DAY_S);
  return { ...facts, changes: changes.filter(isNear) };
}

function begin({ changes }: Facts): Comparison {
  const aims = Object.fromEntries(AIMS.map((aim) => [aim, 0])) as Record<Aim, number>;
  const none = { questions: 0, answered: 0, rows: 0, differences: [] };
  return { ...none, aims, changes: changes.length };
}

function judge(
  comparison: Comparison,
  question: Question,
  { open, expected }: { open: OpenFeed; expected: Row[] },
): void {
  comparison.questions++;
  comparison.aims[question.aim]++;
  comparison.rows += expected.length;
  if (expected.length > 0) comparison.answered++;
  const actual = answer(open, question);
  const [mine, theirs] = [sortRows(actual), sortRows(expected)];
  if (mine.join("\n") === theirs.join("\n")) return;
  const [more, fewer] = [without(mine, theirs), without(theirs, mine)];
  comparison.differences.push(
    `${JSON.stringify(question)}: ${more.length} only here (${more[0] ?? "-"}), ` +
      `${fewer.length} only by the oracle (${fewer[0] ?? "-"})`,
  );
}

function sortRows(rows: readonly Row[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

function without(rows: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const row of others) left.set(row, (left.get(row) ?? 0) + 1);
  return rows.filter((row) => {
    const count = left.get(row) ?? 0;
    left.set(row, count - 1);
    return count <= 0;
  });
}

function answer(open: OpenFeed, { station, from, to, kind }: Question): Row[] {
  const row = open.findStation(station);
  if (row === null || open.timetable === null) return [[`no station ${station}`]];
  const query = { kind, from_ms: from * 1000, to_ms: to * 1000 };
  const budget = ample();
  const calls = open.timetable.list(row, query, budget);
  return [...calls.map((call) => toRow(open, call)), ...(budget.isSpent ? [["cut"]] : [])];
}

function toRow({ meta, timetable }: OpenFeed, call: PlannedCall): Row {
  const { columns, trip, stopId, headsign } = timetable!;
  const { id, route } = trip(call.trip);
  const isFrequent = columns.profile_frequent[profileOf(columns, call.trip)] === 1;
  const at = columns.pattern_starts[call.pattern]! + call.position;
  return [
    id,
    new Date(call.day * DAY_MS).toISOString().slice(0, 10).replaceAll("-", ""),
    isFrequent ? call.start_s : null,
    stopId(call.stop),
    columns.pattern_sequences[at]!,
    call.planned_ms / 1000,
    call.headway_s,
    meta.routes[route]!.id,
    headsign(call.trip, call.position),
  ];
}

/** Shares of the questions; the rest is about moments of service. */
const SHARES: readonly [Aim, number][] = [
  ["change", 0.12],
  ["border", 0.12],
  ["first_day", 0.06],
  ["last_day", 0.06],
  ["over_24", 0.08],
];
const SPANS_S = [600, HOUR_S, 2 * HOUR_S, 3 * HOUR_S, 8 * HOUR_S, DAY_S] as const;
const KINDS: readonly CallKind[] = ["departures", "departures", "arrivals"];

type Dice = { random: () => number; pick: <T>(from: readonly T[]) => T };

function drawQuestions(facts: Facts, { count, seed }: { count: number; seed: number }): Question[] {
  const random = createRng(seed);
  const dice: Dice = { random, pick: (from) => from[Math.floor(random() * from.length)]! };
  const pools = Object.fromEntries(AIMS.map((aim) => [aim, poolOf(aim, facts)]));
  return Array.from({ length: count }, (_, i) => {
    const aim = aimOf(i / count, facts);
    const call = drawCall(pools[aim]!, dice);
    const from = momentOf(aim, { facts, call, dice });
    const span_s = dice.pick(aim === "change" ? SPANS_S.slice(4) : SPANS_S);
    return { aim, station: call[0], from, to: from + span_s, kind: dice.pick(KINDS) };
  });
}

function aimOf(place: number, { changes }: Facts): Aim {
  let end = 0;
  for (const [aim, share] of SHARES) {
    end += share;
    if (place < end) return aim === "change" && changes.length === 0 ? "service" : aim;
  }
  return "service";
}

type Calls = Facts["calls"];
/** Hours of service, and the number of calls up to the end of each. */
type Pool = { calls: Calls; ends: readonly number[] };

/** Of all hours those that suit the aim, or all where none does. */
function poolOf(aim: Aim, { calls: all, services, days }: Facts): Pool {
  const last = days.length - 1;
  const suits: Partial<Record<Aim, (call: Calls[number]) => boolean>> = {
    border: ([, , hour]) => hour % 24 < 4,
    over_24: ([, , hour]) => hour >= 24,
    first_day: ([, service]) => services[service]!.includes(0),
    last_day: ([, service]) => services[service]!.includes(last),
  };
  const suited = all.filter((call) => suits[aim]?.(call) ?? true);
  const calls = suited.length > 0 ? suited : all;
  let total = 0;
  return { calls, ends: calls.map(([, , , count]) => (total += count)) };
}

/** Stations by their calls, one in five evenly. */
function drawCall({ calls, ends }: Pool, { random, pick }: Dice): Calls[number] {
  const at = random() * ends.at(-1)!;
  return random() < 0.2 ? pick(calls) : calls[ends.findIndex((end) => at < end)]!;
}

/** Mostly on a day on which something runs at the station, one in ten on any. */
function momentOf(
  aim: Aim,
  { facts, call: [, service, hour], dice }: { facts: Facts; call: Calls[number]; dice: Dice },
): number {
  const { days, changes, services } = facts;
  const within = (span_s: number): number => Math.floor(dice.random() * span_s);
  const at_s = hour * HOUR_S - within(HOUR_S / 2);
  if (aim === "change") return dice.pick(changes) - 6 * HOUR_S + within(12 * HOUR_S);
  if (aim === "first_day") return days[0]![1] + at_s;
  if (aim === "last_day") return days.at(-1)![1] + at_s;
  const [, start_s] = dice.random() < 0.1 ? dice.pick(days) : days[dice.pick(services[service]!)]!;
  return start_s + at_s;
}
