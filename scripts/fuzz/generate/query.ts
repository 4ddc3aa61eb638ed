/** The parameters of an operation: a valid set, then none, one or several faults in it. */
import type { Dice } from "../dice.ts";
import type { Pair } from "../request.ts";
import { pointText } from "./points.ts";
import {
  BROKEN_ENCODINGS,
  type Faulty,
  NOT_BOOLEAN,
  NOT_FORMAT,
  NOT_INTEGER,
  notList,
  NOT_NUMERIC,
  outside,
} from "./values.ts";

export type Operation = "nearby" | "sources";
export type Query = { pairs: Pair[]; labels: string[] };

const MODES = ["bicycle", "scooter", "moped", "car"];
const FAMILIES = ["places", "lines", "stations", "vehicles", "alerts"];
const MODE_FAULTS = notList("bicycle", "other");
const FAMILY_FAULTS = notList("stations", "station");

export function makeQuery(operation: Operation, dice: Dice): Query {
  const query: Query = { pairs: validPairs(operation, dice), labels: [] };
  const roll = dice.next();
  const faults = roll < 0.5 ? 0 : roll < 0.9 ? 1 : dice.integer(2, 3);
  for (let n = 0; n < faults; n++) addFault(operation, query, dice);
  return query;
}

export function validPairs(operation: Operation, dice: Dice): Pair[] {
  if (operation === "sources") {
    const point = dice.chance(0.6) ? pointPairs(dice) : [];
    const radius = dice.pick(["1", "400", "1.0e4", "1e9", "1e300"]);
    return dice.chance(0.4) ? [...point, { name: "radius", text: radius }] : point;
  }
  return [...pointPairs(dice), ...optionalPairs(dice)];
}

function pointPairs(dice: Dice): Pair[] {
  const { lat, lon } = pointText(dice);
  const name = dice.pick(["lon", "lon", "lng"]);
  const pairs: Pair[] = [
    { name: "lat", text: lat },
    { name, text: lon },
  ];
  if (dice.chance(0.1)) pairs.push({ name: name === "lon" ? "lng" : "lon", text: lon });
  return pairs;
}

function optionalPairs(dice: Dice): Pair[] {
  const given: Pair[] = [];
  const add = (name: string, probability: number, text: () => string): void => {
    if (dice.chance(probability)) given.push({ name, text: text() });
  };
  add("radius", 0.5, () => radiusText(dice));
  add("modes", 0.35, () => listText(MODES, dice));
  add("include", 0.45, () => listText(FAMILIES, dice));
  add("limit", 0.5, () => limitText(dice));
  add("offset", 0.3, () =>
    dice.pick(["0", "-0", "1", "007", "20", "250", "1000", `${dice.integer(0, 60)}`]),
  );
  add("format", 0.3, () => dice.pick(["json", "geojson", "geojson"]));
  add("debug", 0.12, () => dice.pick(["true", "false"]));
  return given;
}

function radiusText(dice: Dice): string {
  const some = String(dice.between(1, 400));
  return dice.pick([
    some,
    some,
    "1",
    "400",
    "400.0000001",
    "401",
    "1e3",
    "1e300",
    "00050",
    "39999e-2",
  ]);
}

function limitText(dice: Dice): string {
  return dice.pick(["1", "2", "5", "20", "100", "101", "007", "1000000", `${dice.integer(1, 30)}`]);
}

function listText(items: readonly string[], dice: Dice): string {
  const count = dice.pick([1, 1, 2, 3, 6]);
  const blank = (): string => (dice.chance(0.15) ? dice.pick([" ", "  ", "\t"]) : "");
  return Array.from({ length: count }, () => `${blank()}${dice.pick(items)}${blank()}`).join(",");
}

/** What a parameter may be given that it must refuse. */
function faultsOf(name: string): Faulty | null {
  if (name === "limit" || name === "offset") return NOT_INTEGER;
  if (name === "modes") return MODE_FAULTS;
  if (name === "include") return FAMILY_FAULTS;
  if (name === "format") return NOT_FORMAT;
  if (name === "debug") return NOT_BOOLEAN;
  return NOT_NUMERIC;
}

const NAMES: Readonly<Record<Operation, readonly string[]>> = {
  nearby: ["lat", "lon", "lng", "radius", "modes", "include", "limit", "offset", "format", "debug"],
  sources: ["lat", "lon", "lng", "radius"],
};
const BOUNDS: Readonly<Record<string, { low?: number; high?: number }>> = {
  lat: { low: -90, high: 90 },
  lon: { low: -180, high: 180 },
  lng: { low: -180, high: 180 },
  radius: { low: 1 },
  limit: { low: 1 },
  offset: { low: 0 },
};

type Fault = (query: Query, operation: Operation, dice: Dice) => string | null;

const FAULTS: readonly Fault[] = [
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

function addFault(operation: Operation, query: Query, dice: Dice): void {
  const label = dice.pick(FAULTS)(query, operation, dice);
  if (label !== null) query.labels.push(label);
}

function badValue(query: Query, operation: Operation, dice: Dice): string {
  const name = dice.pick(NAMES[operation]);
  const faults = faultsOf(name)!;
  const kind = dice.pick(Object.keys(faults));
  put(query, name, { text: dice.pick(faults[kind]!) });
  return `${name}: ${kind}`;
}

function outOfRange(query: Query, operation: Operation, dice: Dice): string {
  const name = dice.pick(NAMES[operation].filter((one) => BOUNDS[one] !== undefined));
  const text = outside(dice, BOUNDS[name]!);
  const whole = name === "limit" || name === "offset";
  put(query, name, {
    text: whole ? dice.pick(["0", "-1", "-0", `-${dice.integer(1, 1e9)}`]) : text,
  });
  return `${name}: out of range`;
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
  if (!query.pairs.some(({ name }) => name === "lat")) return null;
  const gone = dice.chance(0.5) ? ["lat"] : ["lon", "lng"];
  query.pairs = query.pairs.filter(({ name }) => !gone.includes(name));
  return operation === "nearby" ? `missing ${gone[0]}` : "half a point";
}

function differ(query: Query, _operation: Operation, dice: Dice): string {
  put(query, "lon", { text: String(dice.integer(-90, 0)) });
  query.pairs.push({ name: "lng", text: String(dice.integer(1, 90)) });
  return "lon and lng differ";
}

/** Beyond the bound of the plan: refused with 403, never clamped. */
function tooFar(query: Query, operation: Operation, dice: Dice): string | null {
  if (operation === "sources") return null;
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
  const values = NAMES.nearby.flatMap((name) =>
    Object.keys(faultsOf(name)!).map((kind) => `${name}: ${kind}`),
  );
  const ranges = Object.keys(BOUNDS).map((name) => `${name}: out of range`);
  const encodings = [...Object.keys(BROKEN_ENCODINGS), "no value"].map(
    (kind) => `encoding: ${kind}`,
  );
  const others = ["repeated", "missing lat", "missing lon", "half a point", "lon and lng differ"];
  return [...values, ...ranges, ...encodings, ...others, "offset above the plan"];
}
