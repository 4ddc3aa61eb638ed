/**
 * The law of cost: what a question takes is bounded by its limits and not by what lies in its circle.
 * Every described operation that takes a point is asked in a drawn world, and its processor time and
 * its bytes are held to bounds; the unit is an empty nearby of the same run and the same program.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Dice } from "../dice.ts";
import type { Place } from "../hostile/wire.ts";
import type { Operation, Parameter } from "./description.ts";

/** Of the plain empty nearby. */
export const MOST_TIMES = 60;
/** Of an answer, and more for each result that may be shown. */
export const MOST_BYTES = { answer: 256 * 1024, result: 8 * 1024 } as const;

export type Question = { operation: string; target: string; limit: number };
export type Cost = { question: Question; times: number; bytes: number; status: number };

/** Operations that take a point as parameters of the query, and nothing in the path or a body. */
export function listAtPoint(operations: readonly Operation[]): Operation[] {
  return operations.filter(({ method, parameters, body }) => {
    const names = new Set(parameters.map(({ name }) => name));
    const isPlain = parameters.every((parameter) => parameter.in === "query");
    return method === "GET" && body === null && isPlain && names.has("lat") && names.has("lon");
  });
}

/** Questions at a place: the smallest and the largest of each bound, and lists whole. */
export function drawQuestions(
  operation: Operation,
  at: Place,
  { dice, many }: { dice: Dice; many: number },
): Question[] {
  return Array.from({ length: many }, (_, n) => {
    const query = new URLSearchParams({ lat: String(at.lat), lon: String(at.lon) });
    let limit = 100;
    for (const parameter of operation.parameters) {
      const { name } = parameter;
      if (query.has(name) || name === "lng" || name === "token") continue;
      const value = valueOf(parameter, dice, n);
      if (value === null) continue;
      query.set(name, value);
      if (name === "limit") limit = Number(value);
    }
    const target = `${operation.path}?${query.toString()}`;
    return { operation: operation.id, target, limit };
  });
}

/** null: it is left out. The first question has everything at its most, the second at its least. */
function valueOf({ name, schema, required }: Parameter, dice: Dice, n: number): string | null {
  const items = schema["x-items"];
  if (items) return n === 1 && !required ? null : items.join();
  if (name === "q")
    return n === 0 ? "thing same strasse a e i o u" : dice.pick(["a", "thing 7", "x"]);
  const bounds = BOUNDS[name];
  if (bounds === undefined) return null;
  const [least, most] = bounds;
  return String(n === 0 ? most : n === 1 ? least : dice.integer(least, most));
}

/** Beyond the most that any operation takes: what is above is reduced. */
const BOUNDS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  limit: [1, 1_000],
  radius: [50, 20_000],
  minutes: [1, 30],
};
/** No list has more. */
const LIMIT_MAX = 200;

/** What is wrong with a cost; null: it is within the bounds. */
export function findCostProblem({ question, times, bytes, status }: Cost): string | null {
  const listed = Math.min(question.limit, LIMIT_MAX);
  const most = MOST_BYTES.answer + listed * MOST_BYTES.result;
  if (status >= 500 && status !== 503) return `answered ${status}`;
  if (bytes > most) return `${bytes} bytes for at most ${listed} results (${most})`;
  if (times > MOST_TIMES) return `takes ${times.toFixed(0)} times an empty nearby (${MOST_TIMES})`;
  return null;
}

/** Nanoseconds on a processor of all threads of a process, or of its main thread alone. */
export function processor_ns(pid: number, which: "all" | "main"): number {
  const threads = which === "main" ? [String(pid)] : readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => sum + read(`/proc/${pid}/task/${thread}/schedstat`), 0);
}

/** 0: the thread has just ended. */
function read(path: string): number {
  try {
    return Number(readFileSync(path, "utf8").split(" ")[0]);
  } catch {
    return 0;
  }
}

export type Ask = (target: string) => Promise<{ status: number; bytes: number }>;

/** What takes so long needs no second look. */
const ENOUGH_MS = 500;

/** Asks several times, one after the other, and takes the least of three rounds: others disturb. */
export async function measure(
  ask: Ask,
  target: string,
  { pid, times, rounds }: { pid: number; times: number; rounds: number },
): Promise<{ ns: number; status: number; bytes: number }> {
  let least = Infinity;
  let last = await ask(target);
  const until = performance.now() + ENOUGH_MS;
  for (let round = 0; round < rounds && performance.now() < until; round++) {
    const before = processor_ns(pid, "main");
    for (let n = 0; n < times; n++) last = await ask(target);
    least = Math.min(least, (processor_ns(pid, "main") - before) / times);
  }
  return { ns: least, ...last };
}
