/** Requests that must be answered alike: HEAD as GET, compressed as plain. */
import { type Connection, headerOf, type Reply } from "./client.ts";
import { readJson, readText } from "./checks/body.ts";
import { type FuzzRequest, headersOf, toWire } from "./request.ts";

export type Twin = "head" | "coding";

/** Feeds change and seconds pass between two answers; they do not do so every time. */
const ATTEMPTS = 6;

export async function findTwinProblem(
  connection: Connection,
  request: FuzzRequest,
  kind: Twin,
): Promise<string | null> {
  const [one, other] = kind === "head" ? headPair(request) : codingPair(request);
  let problem: string | null = null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const bytes = Buffer.concat([toWire(one), toWire(other)]);
    const [a, b] = await connection.exchange(bytes, [one.method, other.method]);
    problem = kind === "head" ? headProblem(a!, b!) : codingProblem(a!, b!);
    if (problem === null) return null;
  }
  return problem;
}

function headPair(request: FuzzRequest): [FuzzRequest, FuzzRequest] {
  return [
    { ...request, method: "GET" },
    { ...request, method: "HEAD" },
  ];
}

function codingPair(request: FuzzRequest): [FuzzRequest, FuzzRequest] {
  const others = request.headers.filter(([name]) => name.toLowerCase() !== "accept-encoding");
  const coding = request.headers.length % 2 === 0 ? "gzip" : "br";
  return [
    { ...request, method: "GET", headers: others },
    { ...request, method: "GET", headers: [...others, ["accept-encoding", coding]] },
  ];
}

/** These are of the moment or of the request. */
const VOLATILE = ["date", "x-request-id"];

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

/** Diagnostics tell how long they took. */
function withoutTimes(reply: Reply): string | null {
  const text = readText(reply);
  const body = text === null ? undefined : readJson(text);
  if (body === undefined) return null;
  const { debug: _debug, time: _time, ...rest } = body as Record<string, unknown>;
  return JSON.stringify(rest);
}

export function canTwin(request: FuzzRequest): boolean {
  const steady = request.method === "GET" && request.version === "1.1" && request.body === "";
  return steady && headersOf(request, "connection").length === 0;
}
