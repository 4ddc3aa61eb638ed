/** Mutations of a JSON body, in one to three places: values, members, the text, and its bytes. */
import type { Dice } from "../dice.ts";

export type Mutant = { bytes: Buffer; what: string };

/** Written as it is, without the marks: what no JavaScript value is written as. */
const RAW = "@raw ";
const RAW_TEXT = /"@raw ([^"]*)"/g;
const DEPTH = 10_000;

const raw = (text: string): string => RAW + text;

/** By what they are; each replaces a value of any member. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  "another type": [null, true, false, 0, "", [], {}, [[]], [null], { a: {} }, "null", "[object]"],
  "out of range": [-1, 0, 91, -91, 181, 1e9, 5e-324, 0.1, -0.5, 2 ** 53, -(2 ** 53), 1e300],
  "huge number": [
    ...[raw("1e999"), raw("-1e999"), raw("9".repeat(400)), raw(`0.${"1".repeat(3_000)}`)],
    ...[raw("1e-999"), raw("-0"), raw("9007199254740993"), raw("1E+0308")],
  ],
  "text with controls": [
    ...["a\u0000b", "\n", "\u007f", "\u0085", "\u202e", "\u200b", "\u2028", "\ufeff", "\u{e0041}"],
    ...[raw("x").replace("x", "\\ud800"), "\ud83d\ude00", "e\u0301".repeat(200)],
  ],
  "long text": ["x".repeat(129), "x".repeat(10_000), "😀".repeat(5_000), "a,".repeat(4_000)],
  "hostile text": [
    ...["__proto__", "constructor", "toString", "../../etc/passwd", "%00", "' OR 1=1 --"],
    ...["{{x}}", "<script>", "vicinity:///v1/datasets/x/y", "file:///etc/passwd", "48.8,2.3"],
    ...["48.8566,2.3522,9", "NaN,NaN", "91,181", "nearby_", "1-", "1.0.0", "2026-07-28"],
  ],
  "deep nesting": [
    raw("[".repeat(DEPTH) + "]".repeat(DEPTH)),
    raw('{\\"a\\":'.repeat(20) + "1" + "}".repeat(20)),
  ],
  "long list": [
    Array.from({ length: 5_000 }, () => 1),
    Array.from({ length: 300 }, () => "bicycle"),
  ],
};
const NAMES = [
  ...["extra", "__proto__", "constructor", "toString", "", "LAT", "lat ", "lng", "é", "offset"],
  ...["cursor", "token", "_meta", "a\u0000b", "x".repeat(300), "0", "id", "jsonrpc", "params"],
];
const VERSIONS = ["1.0.1", "1", "2.0.0", "", "v1.0.0", "2.1", "1.0", "2024-11-05", "2099-01-01"];
const VERSIONED = /version|jsonrpc/i;

/** Mutates a body that is one JSON value. */
export function mutate(text: string, dice: Dice): Mutant {
  const value = JSON.parse(text) as unknown;
  const what: string[] = [];
  const times = dice.pick([1, 1, 1, 2, 3]);
  for (let n = 0; n < times; n++) what.push(change(value, dice));
  const written = JSON.stringify(value).replaceAll(RAW_TEXT, (_, inner: string) =>
    inner.replaceAll(String.raw`\"`, '"').replaceAll("\\\\ud800", "0"),
  );
  if (!dice.chance(0.15)) return { bytes: Buffer.from(written), what: what.join("; ") };
  const kind = dice.pick(Object.keys(TEXTS));
  return { bytes: TEXTS[kind]!(written, dice), what: kind };
}

type Place = { holder: Record<string, unknown>; name: string };

/** Any member or item, at any depth. */
function listPlaces(value: unknown): Place[] {
  if (value === null || typeof value !== "object") return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [
    { holder, name },
    ...(Object.keys(holder).length > 50 ? [] : listPlaces(holder[name])),
  ]);
}

function change(body: unknown, dice: Dice): string {
  const places = listPlaces(body);
  if (places.length === 0) return "nothing left";
  const { holder, name } = dice.pick(places);
  const roll = dice.next();
  if (roll < 0.55) {
    const kind = dice.pick(Object.keys(VALUES));
    holder[name] = structuredClone(dice.pick(VALUES[kind]!));
    return kind;
  }
  if (roll < 0.65) {
    delete holder[name];
    return "missing member";
  }
  if (roll < 0.8) {
    const value = dice.pick<unknown>([null, 1, "x", {}, holder[name]]);
    Object.defineProperty(holder, dice.pick(NAMES), { value, ...DATA });
    return "unknown member";
  }
  if (roll < 0.9) {
    const versions = places.filter((place) => VERSIONED.test(place.name));
    const place = versions.length === 0 ? { holder, name } : dice.pick(versions);
    place.holder[place.name] = dice.pick(VERSIONS);
    return "wrong version";
  }
  const other = dice.pick(places);
  const stored = holder[name];
  holder[name] = structuredClone(other.holder[other.name]);
  if (dice.chance(0.5) && !JSON.stringify(stored)?.includes(RAW)) holder[name] = [stored];
  return "another member's value";
}

const DATA = { enumerable: true, configurable: true, writable: true } as const;

const TEXTS: Readonly<Record<string, (text: string, dice: Dice) => Buffer>> = {
  "cut off": (text, dice) => Buffer.from(text.slice(0, dice.integer(0, text.length - 1))),
  "two values": (text) => Buffer.from(`${text}${text}`),
  "byte order mark": (text) => Buffer.from(`\ufeff${text}`),
  "in an array": (text) => Buffer.from(`[${text},${text}]`),
  "too large": (text) => Buffer.from(text + " ".repeat(70_000)),
  "a member twice": (text) =>
    Buffer.from(text.replace("{", '{"jsonrpc":"2.0","contract_version":"1.0.0",')),
  "bytes changed": (text, dice) => {
    const bytes = Buffer.from(text);
    for (let n = dice.integer(1, 4); n > 0 && bytes.length > 0; n--)
      bytes[dice.integer(0, bytes.length - 1)] = dice.integer(0, 255);
    return bytes;
  },
  "no object": (_, dice) => Buffer.from(dice.pick(["", "null", "1", '"x"', "[]", "{}", "[[]]"])),
};
