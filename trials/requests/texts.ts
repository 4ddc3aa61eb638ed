/**
 * Texts of parameters: every notation that a published schema permits, and odd ones, whether it
 * permits them or not. Which of the two holds is for the oracle (verdict.ts) to say.
 */
import type { Dice } from "../dice.ts";
import type { Parameter, Schema } from "./description.ts";
import type { Point } from "./laws/geo.ts";

type Texts = Readonly<Record<string, readonly string[]>>;

/** By what is odd about them; tried on every parameter. */
const ODD: Texts = {
  nan: ["NaN", "nan", "-NaN"],
  infinity: ["Infinity", "-Infinity", "inf", "∞"],
  overflow: ["1e999", "-1e999", "1e309", "9".repeat(400)],
  hexadecimal: ["0x10", "0X1F", "-0x1", "0b1", "0o7", "#10"],
  exponent: ["1e", "e5", "1e+", "1E-", "1e1234", "1e0001", "1e1.5", "1ee1", "1d5"],
  sign: ["+1", "--1", "-", "- 1", "−1", "1-"],
  point: ["1.", ".5", "-.5", ".", "1..2", "1.2.3", "1,5", "1_0", "1'0"],
  fraction: ["5.5", "1.0", "1e2", "0.1", "-0.5e1"],
  "zero or less": ["0", "-0", "0.0", "0e5", "1e-400", "-1", "-5e-324", "-1e300"],
  empty: [""],
  blank: [" ", "\t\n", "\u00a0", "\u3000\u2003", "\u2028\u2029", " ".repeat(300)],
  padded: [" 1", "1 ", "1\n", "1\r\n", " fr", "FR\n", " true", "json ", "\tx"],
  word: [
    "null",
    "undefined",
    "one",
    "[]",
    "{}",
    "1;2",
    "1n",
    "1px",
    "'1'",
    "yes",
    "on",
    "toString",
  ],
  digits: ["١", "１", "१", "²", "1\u0301"],
  invisible: ["\u202e1", "1\u200b", "\ufeff1", "en\u200b", "\u202eFR", "\u20661\u2069"],
  nul: ["\0", "1\0", "en\0", "FR\0"],
  case: ["TRUE", "True", "JSON", "GeoJson", "FR"],
  language: ["f", "fren", "en-", "-en", "en--us", "en-x", "pt_BR", "en,fr", "*", "en;q=0.8", "1n"],
  country: ["F", "FRA", "F1", "33", "F-", "ФР", "ＦＲ", "ß", "F\u0301R"],
  "exactly 200": [
    "x".repeat(200),
    "😀".repeat(200),
    "e\u0301".repeat(200),
    "\u0958".repeat(100),
    ` ${"\u0301".repeat(200)} `,
    `\u3000${"a b ".repeat(50).slice(0, -1)}c\n`,
  ],
  "too long": [
    "x".repeat(201),
    "😀".repeat(201),
    "e\u0301".repeat(201),
    "\u0958".repeat(101),
    `x${" ".repeat(199)}x`,
    `  ${"y".repeat(201)}  `,
    "z".repeat(4000),
  ],
  scripts: [
    "東京都千代田区",
    "กรุงเทพมหานคร",
    "Ελλάδα",
    "رحוב",
    "\u202eParis\u202c",
    "👩‍👩‍👧‍👦",
    "Z\u0351\u036b",
  ],
  control: ["Paris\0", "Par\u0001is", "Paris\u001b[31m", "a\u0085b", "x\ufeff", "\u0085Paris"],
  "no character": ["\uffff", "\ufdd0", "\ue000", "\u{e0001}tag\u{e007f}", "\u00ad", "\u{10ffff}"],
  injection: [
    "' OR 1=1 --",
    "<script>",
    "../../etc/passwd",
    "${jndi:ldap://x}",
    "%00",
    "a&key=x",
    '""',
    "?#",
  ],
};

/** Percent-encodings that decode to no UTF-8 text, sent as they are. */
export const BROKEN: Texts = {
  cut: ["%", "1%", "%4", "1%3"],
  "not hexadecimal": ["%zz", "%4g", "%u0031", "%-1"],
  "not UTF-8": ["%ff", "%c3%28", "1%80", "%fe%ff"],
  overlong: ["%c0%b1", "%e0%80%b1", "%c0%80"],
  surrogate: ["%ed%a0%80", "%ed%b0%80", "%ed%a0%bd%ed%b8%80"],
  "beyond Unicode": ["%f4%90%80%80", "%f8%88%80%80%80"],
};

/** The odd texts for a schema: those of every parameter, and some close to what it permits. */
export function oddTexts(schema: Schema): Texts {
  const { minimum: low, maximum: high } = schema;
  const items = schema["x-items"] ?? schema.enum?.map(String) ?? [];
  const [one = "x", other = one] = items;
  return {
    ...ODD,
    ...(low === undefined
      ? {}
      : { "below the minimum": [`${low - 1}`, `${low - 1e-9}`, "-1e300"] }),
    ...(high === undefined
      ? {}
      : {
          "above the maximum": [
            `${high * (1 + 2 ** -52)}`,
            `${high}.0000001`,
            `${high + 1}`,
            "1e9",
          ],
        }),
    ...(items.length === 0
      ? {}
      : {
          "empty item": [",", `${one},`, `,${one}`, `${one},,${other}`, `${one}, ,${one}`],
          "case of an item": [one.toUpperCase(), one[0]!.toUpperCase() + one.slice(1)],
          "unknown item": [`${one}x`, one.slice(1), `${one},${other}s`, "constructor", "*", "all"],
          separator: [`${one};${other}`, `${one}|${other}`, `${one} ${other}`, `[${one}]`],
          "item with more": [`${one}\0`, `\u202e${one}`, `${one}\u200b`],
        }),
  };
}

/** What one request is about, so that its values fit together. */
/** Names of lines, as the vehicles show them. */
const LINES = ["M1", "T1,40", "m1, s1", "no such line"];

export type Subject = Point & {
  /** A dataset that the service has named before; null: none is known yet. */
  dataset: { id: string; version: string } | null;
  /** Ids of stations of public transport; empty: none is known. */
  stations: readonly string[];
};

const QUERIES = [
  ...[
    "Gare du Nord",
    "10 Rue de Rivoli",
    "Berlin",
    "48.85,2.35",
    "Café",
    "Cafe\u0301",
    "東京",
    "x",
  ],
  ...[
    "Springfield",
    "PARIS",
    "  Tour Eiffel ",
    "Rue 🚲 de la 🥖",
    "qwertzuiop asdf",
    "Paris\u3000",
  ],
];
const LANGUAGES = [
  "fr",
  "en",
  "DE",
  "pt-BR",
  "zh-Hant-TW",
  "xx",
  "sr-Latn-RS",
  "en-12345678-ab-9Z",
];
const COUNTRIES = ["FR", "de", "US", "GB", "ZZ", "Aq"];
export const OPERATORS = ["Vélo Seine", "lime", "zigzag-paris,trotti'lune", "none"];
const BRANDS = ["zigzag-paris", "velo-seine", "thames-cycles", "lime", "none", "freefloat"];

/** A value that the schema permits, in one of its notations. */
export function validText({ name, schema }: Parameter, subject: Subject, dice: Dice): string {
  const { lat, lon, dataset, stations } = subject;
  const texts = {
    lat: () => degrees(lat, dice),
    lon: () => degrees(lon, dice),
    lng: () => degrees(lon, dice),
    coords: () => `${degrees(lat, dice)},${degrees(lon, dice)}`,
    q: () => dice.pick(QUERIES),
    language: () => dice.pick(LANGUAGES),
    country: () => dice.pick(COUNTRIES),
    provider: () => dice.pick(BRANDS),
    id: () => dataset?.id ?? "nearby_none",
    version: () => dataset?.version ?? "1-none",
    usable: () => dice.pick(["any", "now"]),
    from: () => `${degrees(lat, dice)},${degrees(lon, dice)}`,
    to: () => endOf(subject, dice),
    lines: () => dice.pick(LINES),
    operators: () => dice.pick(OPERATORS),
    station_id: () => (stations.length > 0 ? dice.pick(stations) : "svc_transport_station_none"),
  };
  if (Object.hasOwn(texts, name)) return texts[name as keyof typeof texts]();
  if (schema["x-items"]) return listText(schema["x-items"], dice);
  if (schema.enum) return String(dice.pick(schema.enum));
  if (schema.type === "boolean") return dice.pick(["true", "false"]);
  return numberText(schema, dice);
}

/** The end of a way: near its beginning, the same point, or in another city. */
function endOf({ lat, lon }: Point, dice: Dice): string {
  const near = (value: number): string => (value + (dice.next() - 0.5) * 0.012).toFixed(6);
  return dice.chance(0.8)
    ? `${near(lat)},${near(lon)}`
    : dice.pick([`${lat},${lon}`, "52.52,13.405"]);
}

function degrees(value: number, dice: Dice): string {
  const roll = dice.next();
  if (roll < 0.9) return String(value);
  if (roll < 0.96) return `${value}${String(value).includes(".") ? "" : "."}0e0`;
  return dice.pick(["-0", "1e-999", "00.5", "90", "-90", "2.50E+1"]);
}

/** Bounds, the default, beyond what is applied, and numbers between; whole ones for integers. */
function numberText(schema: Schema, dice: Dice): string {
  const isInteger = schema.type === "integer";
  const low = schema.minimum ?? 1;
  const high = schema.maximum ?? 10 * Math.max(low, Number(schema.default ?? 1));
  const usual = String(schema.default ?? low);
  const within = dice.between(low, Math.min(high, 60));
  return dice.pick([
    ...[usual, usual, String(low), String(high), isInteger ? "007" : "00050.50"],
    ...[isInteger ? String(Math.round(within)) : within.toFixed(2), isInteger ? "2" : "3.99e2"],
    ...(schema.maximum === undefined ? [isInteger ? "9".repeat(20) : "1e300"] : []),
  ]);
}

function listText(items: readonly string[], dice: Dice): string {
  const count = dice.pick([1, 1, 2, 3, 6, items.length]);
  const blank = (): string => (dice.chance(0.1) ? dice.pick([" ", "  "]) : "");
  return Array.from({ length: count }, () => blank() + dice.pick(items) + blank()).join(",");
}

/** The text as a value of a query or a segment of a path, characters escaped at whim. */
export function encode(text: string, dice: Dice): string {
  const plain = encodeURIComponent(text.toWellFormed());
  if (!dice.chance(0.15)) return dice.chance(0.5) ? plain.replaceAll("%20", "+") : plain;
  return Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}
