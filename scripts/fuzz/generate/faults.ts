/** What can be wrong with the parameters of an operation, one fault at a time. */
import type { Dice } from "../../../trials/dice.ts";
import type { Pair } from "../request.ts";
import {
  BOUNDS,
  EXCLUSIVE,
  faultsOf,
  HALVES,
  NAMES,
  NO_RADIUS,
  type Operation,
  REQUIRED,
} from "./rules.ts";
import { BROKEN_ENCODINGS, outside } from "./values.ts";

export type Query = { pairs: Pair[]; labels: string[] };

type Fault = (query: Query, operation: Operation, dice: Dice) => string | null;

const FAULTS: readonly Fault[] = [
  badValue,
  badValue,
  badValue,
  badValue,
  badValue,
  badValue,
  outOfRange,
  outOfRange,
  badEncoding,
  repeated,
  missing,
  differ,
  tooFar,
  noise,
];

export function addFault(operation: Operation, query: Query, dice: Dice): void {
  const label = dice.pick(FAULTS)(query, operation, dice);
  if (label !== null) query.labels.push(label);
}

function badValue(query: Query, operation: Operation, dice: Dice): string {
  const name = dice.pick(NAMES[operation]);
  const faults = faultsOf(name, operation);
  const kind = dice.pick(Object.keys(faults));
  put(query, name, { text: dice.pick(faults[kind]!) });
  return `${name}: ${kind}`;
}

function outOfRange(query: Query, operation: Operation, dice: Dice): string | null {
  const bounded = NAMES[operation].filter((name) => BOUNDS[name] !== undefined);
  if (bounded.length === 0) return null;
  const name = dice.pick(bounded);
  put(query, name, { text: beyond(operation, name, dice) });
  return `${name}: out of range`;
}

function beyond(operation: Operation, name: string, dice: Dice): string {
  if (name === "limit" || name === "offset")
    return dice.pick(["0", "-1", "-0", `-${dice.integer(1, 1e9)}`]);
  if (name === "radius" && EXCLUSIVE.includes(operation)) return dice.pick(NO_RADIUS);
  return outside(dice, BOUNDS[name]!);
}

function badEncoding(query: Query, operation: Operation, dice: Dice): string {
  const name = dice.pick(NAMES[operation]);
  const kind = dice.pick([...Object.keys(BROKEN_ENCODINGS), "no value"]);
  const raw = kind === "no value" ? "=" : dice.pick(BROKEN_ENCODINGS[kind]!);
  put(query, name, { text: "", raw });
  return `encoding: ${kind}`;
}

function repeated(query: Query, _operation: Operation, dice: Dice): string | null {
  if (query.pairs.length === 0) return null;
  const pair = dice.pick(query.pairs);
  query.pairs.push(dice.chance(0.6) ? { ...pair } : { name: pair.name, text: "1" });
  return "repeated";
}

function missing(query: Query, operation: Operation, dice: Dice): string | null {
  const given = REQUIRED[operation].filter((names) =>
    query.pairs.some(({ name }) => names.includes(name)),
  );
  if (given.length === 0) return null;
  const gone = dice.pick(given);
  query.pairs = query.pairs.filter(({ name }) => !gone.includes(name));
  const half = HALVES.includes(operation) && (gone[0] === "lat" || gone[0] === "lon");
  return half ? "half a point" : `missing ${gone[0]}`;
}

function differ(query: Query, operation: Operation, dice: Dice): string | null {
  if (!NAMES[operation].includes("lng")) return null;
  put(query, "lon", { text: String(dice.integer(-90, 0)) });
  query.pairs.push({ name: "lng", text: String(dice.integer(1, 90)) });
  return "lon and lng differ";
}

/** Beyond the bound of the plan: refused with 403, never clamped. */
function tooFar(query: Query, operation: Operation, dice: Dice): string | null {
  if (operation !== "nearby") return null;
  put(query, "offset", {
    text: dice.pick(["1001", "10000", "9007199254740991", `1${"0".repeat(30)}`]),
  });
  return "offset above the plan";
}

const NOISE = Array.from("0123456789eE+-._, xX\0\t;&%=#");

/** One character put into a good value: good or bad, the oracle knows. */
function noise(query: Query, _operation: Operation, dice: Dice): string | null {
  const pair = query.pairs.length === 0 ? undefined : dice.pick(query.pairs);
  if (pair === undefined || pair.raw !== undefined) return null;
  const at = dice.integer(0, pair.text.length);
  const char = dice.pick(NOISE);
  pair.text = pair.text.slice(0, at) + char + pair.text.slice(at + dice.integer(0, 1));
  return "noise";
}

function put(query: Query, name: string, value: { text: string; raw?: string }): void {
  query.pairs = [...query.pairs.filter((pair) => pair.name !== name), { name, ...value }];
}

/** Every kind of refusal that a long enough run must have met. */
export function expectedLabels(): string[] {
  const names = [...new Set(Object.values(NAMES).flat())];
  const values = names.flatMap((name) =>
    Object.keys(faultsOf(name)).map((kind) => `${name}: ${kind}`),
  );
  const ranges = Object.keys(BOUNDS).map((name) => `${name}: out of range`);
  const encodings = [...Object.keys(BROKEN_ENCODINGS), "no value"].map(
    (kind) => `encoding: ${kind}`,
  );
  const missed = ["lat", "lon", "q", "types"].map((name) => `missing ${name}`);
  const others = ["repeated", "half a point", "lon and lng differ", "offset above the plan"];
  return [...values, ...ranges, ...encodings, ...missed, ...others];
}
