/**
 * JSON bodies from a published schema: valid ones, and ones that are broken in one place, with the
 * code and the member that a refusal must name (decisions, Capabilities).
 */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Dice } from "../dice.ts";
import type { Schema } from "./description.ts";
import { OPERATORS, type Subject } from "./texts.ts";

export type Json = string | number | boolean | null | Json[] | { [member: string]: Json };
type Members = { [member: string]: Json };

/** How a body must be refused; `names`: the message must contain one of these. */
export type Refusal = { code: string; names: readonly string[] };
export type Body = {
  bytes: Buffer;
  /** What was made wrong; null: nothing. */
  fault: string | null;
  /** null: it must be accepted. */
  refused: Refusal | null;
};

/** A token that no JavaScript value is written as: the text has it without the mark. */
const TOKEN = "@token ";
/** Appended to the name of a member that is written twice. */
const TWICE = "@twice";

export function write(value: Json): string {
  return JSON.stringify(value)
    .replaceAll(/"@token ([^"]*)"/g, "$1")
    .replaceAll(`${TWICE}":`, '":');
}

/** A value that the schema permits, by the name of its member. */
export function validJson(
  name: string,
  input: Schema,
  context: { resolve(schema: Schema): Schema; subject: Subject; dice: Dice },
): Json {
  const schema = context.resolve(input);
  const { dice, subject } = context;
  const own: Record<string, () => Json> = {
    lat: () => (dice.chance(0.95) ? subject.lat : dice.pick<Json>([90, -90, `${TOKEN}-0`, 0])),
    lon: () => (dice.chance(0.95) ? subject.lon : dice.pick<Json>([180, -180, `${TOKEN}1E+1`])),
    id: () => subject.dataset?.id ?? "nearby_none",
    version: () => subject.dataset?.version ?? "1-none",
    q: () => dice.pick(["Paris", "Berlin", "Café", "東京", "nowhere at all"]),
    language: () => dice.pick(["fr", "EN", "pt-BR", "zh-Hant-TW", "yue"]),
    country: () => dice.pick(["FR", "de", "ZZ"]),
    operators: () => dice.pick(OPERATORS),
  };
  const { anyOf } = schema;
  if (anyOf) {
    const items = anyOf.find((each) => each.type === "array")?.items?.enum;
    const one = context.resolve(dice.pick(anyOf));
    // A list may be written as one text, too.
    if (one.type === "string" && items)
      return Array.from({ length: dice.integer(1, 4) }, () => ` ${dice.pick(items)}`).join(",");
    return validJson(name, one, context);
  }
  if (schema.type === "null") return null;
  if (Object.hasOwn(own, name)) return own[name]!();
  if (schema.const !== undefined) return schema.const as Json;
  if (schema.enum) return dice.pick(schema.enum);
  if (schema.type === "boolean") return dice.chance(0.5);
  if (schema.type === "array")
    return Array.from({ length: dice.integer(1, 6) }, () =>
      validJson(name, schema.items ?? {}, context),
    );
  if (schema.type === "object") {
    const members = Object.entries(schema.properties ?? {}).filter(
      ([member]) => schema.required?.includes(member) || dice.chance(0.6),
    );
    const filled = members.map(
      ([member, rule]) => [member, validJson(member, rule, context)] as const,
    );
    return Object.fromEntries(dice.shuffle(filled));
  }
  if (schema.type === "number" || schema.type === "integer") return numberJson(schema, dice);
  return textJson(dice);
}

function numberJson({ type, minimum, maximum }: Schema, dice: Dice): Json {
  const low = minimum ?? 1;
  if (maximum !== undefined) return dice.pick<Json>([low, maximum, Math.ceil((low + maximum) / 2)]);
  if (low < -1e6) return dice.pick<Json>([0, -7, 4, Number.MAX_SAFE_INTEGER, `${TOKEN}2.0`]);
  const fraction: Json[] = type === "integer" ? [] : [250.5];
  return dice.pick<Json>([low, 7, 100, 400, `${TOKEN}2.0e1`, `${TOKEN}1e9`, ...fraction]);
}

/** 1 to 128 code points, whatever they take in UTF-16, without control characters. */
function textJson(dice: Dice): string {
  const one = (): string =>
    dice.pick(["a", "Z", "9", "-", " ", '"', "\\", "/", "é", "中", "😀", "\u200d", "\u00a0", "~"]);
  return Array.from({ length: dice.pick([1, 2, 8, 20, 127, 128]) }, one).join("");
}

const DEEP = `${TOKEN}${"[".repeat(20_000)}${"]".repeat(20_000)}`;
/** Tried on every member; what its schema permits is no fault. */
const ODD: readonly Json[] = [
  ...[null, "", " ", ",", "1", "null", true, false, 0, -1, 5, 0.9, 1.5, -400, 91, 181, 1e9, 1e300],
  ...[[], [1], ["a"], [""], [null], [[]], {}, { a: 1 }, DEEP, `${TOKEN}1e999`, `${TOKEN}-1e999`],
  ...[`${TOKEN}9007199254740992`, `${TOKEN}-9007199254740993`, "a\u0000", "\n", "\u007f"],
  ...["a\u0085b", "a".repeat(129), "😀".repeat(129), "a".repeat(60_000), "toString", "__proto__"],
  ...[
    "1.0",
    "1.0.1",
    " 1.0.0",
    "v1.0.0",
    "fr_FR",
    "f",
    "fr-",
    "Pickup",
    "pickup,park",
    "Revalidate",
  ],
  ...["bicycle,", ",bicycle", "bicycle,,car", "bicycle;car", "BICYCLE", "other", ["bicycle", "x"]],
  ...[
    ["bicycle", null],
    [" bicycle"],
    ["bicycle,car"],
    "search",
    "read_dataset\u0000",
    "stations x",
  ],
];
const STRANGERS = [
  ...["extra", "lng", "offset", "debug", "format", "token", "__proto__", "constructor", "toString"],
  ...["Lat", "request_ids", "é", "a b", "", "turnId", "0", "x".repeat(70)],
];

export type BodyRules = {
  /** Of the body as a whole; references resolved. */
  validate: ValidateFunction;
  /** Code of a refusal for a value at this path, where it is not `invalid_request`. */
  codeOf(path: readonly string[], value: Json): string | null;
  /** How a message names the member at the path. */
  nameOf(path: readonly string[]): string;
};

export function compileBody(schema: object, schemas: object): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const text = JSON.stringify({ ...schema, $defs: schemas });
  return ajv.compile(
    JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")) as Record<string, unknown>,
  );
}

/** Breaks one thing in a valid body; null: what was drawn broke nothing. */
export function breakJson(valid: Members, rules: BodyRules, dice: Dice): Body | null {
  const made = dice.pick([wrongValue, wrongValue, wrongValue, missing, stranger, twice])(
    structuredClone(valid),
    rules,
    dice,
  );
  return made && { ...made, bytes: Buffer.from(write(made.body)) };
}

type Broken = { body: Json; fault: string; refused: Refusal };

/** The object that holds a member, anywhere in the body, and the member's path. */
function pickMember(body: Members, dice: Dice): { holder: Members; path: string[] } {
  const path: string[] = [];
  let holder = body;
  for (;;) {
    const name = dice.pick(Object.keys(holder));
    path.push(name);
    const value = holder[name];
    const isObject = value !== null && typeof value === "object" && !Array.isArray(value);
    if (!isObject || Object.keys(value).length === 0 || dice.chance(0.15)) return { holder, path };
    holder = value;
  }
}

function wrongValue(body: Members, rules: BodyRules, dice: Dice): Broken | null {
  const { holder, path } = pickMember(body, dice);
  const value = dice.pick(ODD);
  holder[path.at(-1)!] = value;
  if (rules.validate(JSON.parse(write(body)))) return null;
  const code = rules.codeOf(path, value) ?? "invalid_request";
  const fault = `${path.join(".")}: ${write(value).slice(0, 20)}`;
  return { body, fault, refused: { code, names: [rules.nameOf(path)] } };
}

function missing(body: Members, rules: BodyRules, dice: Dice): Broken | null {
  const { holder, path } = pickMember(body, dice);
  delete holder[path.at(-1)!];
  if (rules.validate(JSON.parse(write(body)))) return null;
  const refused = { code: "invalid_request", names: [rules.nameOf(path)] };
  return { body, fault: `missing ${path.join(".")}`, refused };
}

function stranger(body: Members, rules: BodyRules, dice: Dice): Broken | null {
  const { holder, path } = pickMember(body, dice);
  const name = dice.pick([...STRANGERS, path.at(-1)!.toUpperCase(), `${path.at(-1)} `]);
  if (Object.hasOwn(holder, name)) return null;
  const value = dice.pick<Json>([null, 1, "x", [], {}]);
  Object.defineProperty(holder, name, { value, enumerable: true });
  if (rules.validate(JSON.parse(write(body)))) return null;
  // A name that is no word is quoted, and cut when it is long.
  const isWord = /^\w{1,64}$/.test(name);
  const listed = isWord ? rules.nameOf([...path.slice(0, -1), name]) : name.slice(0, 64);
  const fault = `extra ${[...path.slice(0, -1), name].join(".")}`;
  return { body, fault, refused: { code: "unexpected_member", names: [listed] } };
}

/** A schema has no word for it. */
function twice(body: Members, rules: BodyRules, dice: Dice): Broken {
  const { holder, path } = pickMember(body, dice);
  const name = path.at(-1)!;
  holder[`${name}${TWICE}`] = dice.chance(0.5) ? holder[name]! : null;
  const names = [`"${rules.nameOf(path)}"`];
  return { body, fault: `twice ${path.join(".")}`, refused: { code: "invalid_json", names } };
}

/** The text of a good body made no JSON. */
const NO_JSON: Readonly<Record<string, (text: string) => string>> = {
  "byte order mark": (text) => `\ufeff${text}`,
  "trailing text": (text) => `${text}x`,
  "a second value": (text) => `${text} {}`,
  "trailing NUL": (text) => `${text}\u0000`,
  "a comment": (text) => `${text}//`,
  "cut off": (text) => text.slice(0, -1),
  "single quotes": (text) => text.replaceAll('"', "'"),
  NaN: (text) => text.replace("null", "NaN").replace('"1.0.0"', "NaN"),
  "a plus": (text) => text.replace('"1.0.0"', "+1"),
  "a leading zero": (text) => text.replace('"1.0.0"', "01"),
  hexadecimal: (text) => text.replace('"1.0.0"', "0x1"),
  "a comma too many": (text) => text.replace(/\}$/, ",}"),
  "a raw line end": (text) => text.replace('"1.0.0"', '"1.0.0\n"'),
  "a wrong escape": (text) => text.replace('"1.0.0"', String.raw`"\x41"`),
  "a blank of Unicode": (text) => `\u00a0${text}`,
  nothing: () => "",
  blank: () => " \n",
};
const NO_UTF8 = ["ff", "c328", "c0af", "eda080", "f0808080", "f4908080", "e282", "80"];

/** Bytes that are no JSON text, for a body that holds "1.0.0". */
export function breakBytes(text: string, dice: Dice): Body {
  const refused = { code: "invalid_json", names: ["body"] };
  if (dice.chance(0.3)) {
    const [before = "", after = ""] = text.split("1.0.0");
    const bad = Buffer.from(dice.pick(NO_UTF8), "hex");
    const bytes = Buffer.concat([Buffer.from(before), bad, Buffer.from(after)]);
    return { bytes, fault: "no UTF-8", refused };
  }
  const name = dice.pick(Object.keys(NO_JSON));
  return { bytes: Buffer.from(NO_JSON[name]!(text)), fault: `no JSON: ${name}`, refused };
}

const LIMIT_BYTES = 65_536;

/** Blanks until it is exactly as large as may be, or larger by one. */
export function enlarge(text: string, dice: Dice): Body {
  const isTooLarge = dice.chance(0.5);
  const size = LIMIT_BYTES + (isTooLarge ? dice.pick([1, 4_000, 100_000]) : 0);
  const bytes = Buffer.alloc(size, " ");
  bytes.write(text);
  return {
    bytes,
    fault: isTooLarge ? "too large" : null,
    refused: isTooLarge ? { code: "body_too_large", names: ["65536", "64 KiB", "body"] } : null,
  };
}
