/**
 * Requests that must be answered alike: HEAD as GET, compressed as plain, what has two names; and a
 * longer list, which must begin with the shorter one.
 */
import { type Connection, headerOf, type Reply } from "./client.ts";
import { readJson, readText } from "./checks/body.ts";
import { longerPair, longerProblem } from "./longer.ts";
import type { Expectation, Question } from "./oracle/judge.ts";
import { type FuzzRequest, headersOf, mayOverflow, toWire } from "./request.ts";
import { pagesPair, pagesProblem } from "./pages.ts";
import { hasSame, samePair, sameProblem } from "./same.ts";
import {
  closerPair,
  closerProblem,
  fewerModesPair,
  fewerModesProblem,
  linesPair,
  linesProblem,
  rewordedPair,
  rewordedProblem,
} from "./agree.ts";

export type Twin =
  | ("head" | "coding" | "longer" | "same")
  | ("pages" | "lines" | "reworded" | "fewer modes" | "closer");

/** What is listed up to a limit is asked longer, or in another way, most of the time. */
/** Pairs that only make sense for one kind of question. */
const OWN: Readonly<Partial<Record<Question["kind"], readonly Twin[]>>> = {
  nearby: ["pages", "lines"],
  transport: ["reworded", "fewer modes", "closer"],
};

export function pickTwin({ verdicts, question }: Expectation, roll: number): Twin {
  const listed = question !== null && question.kind !== "geocoding";
  const accepted = verdicts.length === 1 && verdicts[0]!.status === 200;
  if (!listed || !accepted) return roll < 0.5 ? "head" : "coding";
  const own = OWN[question.kind] ?? [];
  // Each of its own as often as a longer list.
  const at = Math.floor((roll / 0.85) * (own.length + 1));
  if (own.length > 0 && roll < 0.85) return own[at] ?? "longer";
  if (roll < 0.4 && hasSame(question)) return "same";
  if (roll < 0.7) return "longer";
  return roll < 0.85 ? "head" : "coding";
}

/** Feeds change and seconds pass between two answers; they do not do so every time. */
const ATTEMPTS = 6;

export async function findTwinProblem(
  connection: Connection,
  request: FuzzRequest,
  { kind, question }: { kind: Twin; question: Question | null },
): Promise<string | null> {
  const { pair, compare } = KINDS[kind];
  const [one, other] = pair(request, question);
  let problem: string | null = null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const bytes = Buffer.concat([toWire(one), toWire(other)]);
    const [a, b] = await connection.exchange(bytes, [one.method, other.method]);
    problem = compare(a!, b!, question);
    if (problem === null) return null;
  }
  return problem;
}

type Kind = {
  pair(request: FuzzRequest, question: Question | null): [FuzzRequest, FuzzRequest];
  compare(one: Reply, other: Reply, question: Question | null): string | null;
};

/** For pairs that are only picked where the question is theirs. */
const own =
  <Q extends Question, Rest extends unknown[], R>(run: (...of: [...Rest, Q]) => R) =>
  (...of: [...Rest, Question | null]): R =>
    run(...(of as unknown as [...Rest, Q]));
const KINDS: Readonly<Record<Twin, Kind>> = {
  head: { pair: headPair, compare: headProblem },
  coding: { pair: codingPair, compare: codingProblem },
  longer: { pair: longerPair, compare: longerProblem },
  same: { pair: samePair, compare: sameProblem },
  pages: { pair: own(pagesPair), compare: pagesProblem },
  lines: { pair: own(linesPair), compare: linesProblem },
  reworded: { pair: own(rewordedPair), compare: rewordedProblem },
  "fewer modes": { pair: own(fewerModesPair), compare: own(fewerModesProblem) },
  closer: { pair: own(closerPair), compare: own(closerProblem) },
};

function headPair(request: FuzzRequest): [FuzzRequest, FuzzRequest] {
  return [
    { ...request, method: "GET" },
    { ...request, method: "HEAD" },
  ];
}

/** Each coding has a tag of its own (RFC 9110 8.8.3.3): a condition may hold of one of the two alone. */
const OF_A_CODING: ReadonlySet<string> = new Set(["accept-encoding", "if-none-match"]);

function codingPair(request: FuzzRequest): [FuzzRequest, FuzzRequest] {
  const others = request.headers.filter(([name]) => !OF_A_CODING.has(name.toLowerCase()));
  const coding = request.headers.length % 2 === 0 ? "gzip" : "br";
  return [
    { ...request, method: "GET", headers: others },
    { ...request, method: "GET", headers: [...others, ["accept-encoding", coding]] },
  ];
}

/** These are of the moment or of the request: the second of two has one less left. */
const VOLATILE = ["date", "x-request-id", "ratelimit"];

function headProblem(get: Reply, head: Reply): string | null {
  if (get.status !== head.status) return `HEAD gives ${head.status}, GET ${get.status}`;
  const stable = (reply: Reply): string =>
    reply.headers
      .filter(([name]) => !VOLATILE.includes(name))
      .map((header) => header.join(": "))
      .join("\n");
  return stable(get) === stable(head)
    ? null
    : `HEAD says\n${stable(head)}\nGET says\n${stable(get)}`;
}

function codingProblem(plain: Reply, packed: Reply): string | null {
  if (plain.status !== packed.status)
    return `${packed.status} when compressed, ${plain.status} plain`;
  if (headerOf(plain, "content-encoding") !== undefined) return "compressed without being asked";
  const coding = headerOf(packed, "content-encoding");
  const large = plain.body.length > 1024 && plain.status === 200;
  if ((coding !== undefined) !== large)
    return `${plain.body.length} bytes came as ${coding ?? "they are"}`;
  const same = withoutTimes(plain) === withoutTimes(packed);
  return same ? null : "the compressed body says something else";
}

/** Diagnostics tell how long they took, and geocoding whether it remembered. */
function withoutTimes(reply: Reply): string | null {
  const text = readText(reply);
  const body = text === null ? undefined : readJson(text);
  if (body === undefined) return null;
  const { debug: _debug, time: _time, ...rest } = body as Record<string, unknown>;
  return JSON.stringify(rest, (name, value: unknown) => (name === "cache" ? undefined : value));
}

export function canTwin(request: FuzzRequest): boolean {
  const steady = request.method === "GET" && request.version === "1.1" && request.body === "";
  const open = headersOf(request, "connection").length === 0 && !mayOverflow(request);
  return steady && open;
}
