// The one query template of Overpass QL that is understood, strictly (places.md 2.6): settings,
// a union of tag filters within a circle or a box, and how to print what was found.
import { isWithin } from "../world/countries.ts";
import { distance, type Point } from "../geo.ts";

export type Tags = Readonly<Record<string, string>>;
export type Area =
  | { readonly kind: "around"; readonly radius_m: number; readonly at: Point }
  | { readonly kind: "box"; readonly box: readonly [number, number, number, number] };
export type Statement = { readonly filters: readonly Filter[]; readonly area: Area };
type Filter = (tags: Tags) => boolean;

export type Query = {
  readonly timeout_s: number;
  readonly maxsize_bytes: number;
  readonly statements: readonly Statement[];
  readonly limit: number | null;
};
export type Parsed = { readonly query: Query } | { readonly line: number; readonly error: string };

const SETTINGS = /^\s*\[out:json\]\[timeout:(\d{1,4})\]\[maxsize:(\d{1,10})\];/;
const OPEN = /^\s*\(/;
const NWR = /^\s*nwr(?=\s*\[)/;
/** Bare words are letters, digits and `_`; anything else needs its quotes. */
const WORD = String.raw`([A-Za-z]\w*|"(?:[^"\\\n]|\\.)*")`;
const FILTER = new RegExp(
  String.raw`^\s*\[\s*(?:!\s*${WORD}|${WORD}(?:\s*(=|!=)\s*${WORD}|\s*(~|!~)\s*("(?:[^"\\\n]|\\.)*")\s*(,\s*i)?)?)\s*\]`,
);
const AREA = /^\s*\(\s*(around\s*:\s*)?([-+\d.,\s]+)\)\s*;/;
const CLOSE = /^\s*\)\s*;/;
const OUT = /^\s*out\s+(?:center\s+tags|tags\s+center)(?:\s+qt)?(?:\s+(\d+))?\s*;\s*$/;

export function parseQuery(text: string): Parsed {
  let left = text;
  const take = (form: RegExp): RegExpExecArray | null => {
    const match = form.exec(left);
    if (match !== null) left = left.slice(match[0].length);
    return match;
  };
  const wrong = (error: string, from = left): Parsed => {
    const read = text.slice(0, text.length - from.trimStart().length);
    return { line: read.split("\n").length, error };
  };
  const settings = take(SETTINGS);
  if (settings === null) return wrong("the settings must be [out:json][timeout:N][maxsize:N];");
  if (take(OPEN) === null) return wrong("'(' expected");
  const statements: Statement[] = [];
  while (take(NWR) !== null) {
    const start = left;
    const filters = takeFilters(take);
    if (filters === null) return wrong("']' expected, or not a filter that is known", start);
    const area = toArea(take(AREA));
    if (area === null)
      return wrong("an area expected: (around:radius,lat,lon) or (s,w,n,e)", start);
    statements.push({ filters, area });
  }
  if (statements.length === 0) return wrong("nwr[…] expected");
  if (take(CLOSE) === null) return wrong("');' expected");
  const out = take(OUT);
  if (out === null) return wrong("'out center tags;' expected at the end");
  return {
    query: {
      timeout_s: Number(settings[1]),
      maxsize_bytes: Number(settings[2]),
      statements,
      limit: out[1] === undefined ? null : Number(out[1]),
    },
  };
}

function takeFilters(take: (form: RegExp) => RegExpExecArray | null): Filter[] | null {
  const filters: Filter[] = [];
  for (let match = take(FILTER); match !== null; match = take(FILTER)) {
    const filter = toFilter(match);
    if (filter === null) return null;
    filters.push(filter);
  }
  return filters.length === 0 ? null : filters;
}

function toFilter(results: RegExpExecArray): Filter | null {
  const [, missing, key, equals, value, matches, pattern, ignoring] = results;
  const name = bare(missing ?? key ?? "");
  if (missing !== undefined) return (tags) => tags[name] === undefined;
  const wanted = bare(value ?? "");
  if (equals === "=") return (tags) => tags[name] === wanted;
  if (equals === "!=") return (tags) => tags[name] !== wanted;
  if (matches === undefined) return (tags) => tags[name] !== undefined;
  const regex = toRegex(bare(pattern ?? ""), ignoring !== undefined);
  if (regex === null) return null;
  const hits = (tags: Tags): boolean => tags[name] !== undefined && regex.test(tags[name]);
  return matches === "~" ? hits : (tags) => !hits(tags);
}

function toRegex(pattern: string, ignoreCase: boolean): RegExp | null {
  try {
    return new RegExp(pattern, ignoreCase ? "iu" : "u");
  } catch {
    return null;
  }
}

const bare = (word: string): string =>
  word.startsWith('"') ? word.slice(1, -1).replaceAll(/\\(.)/g, "$1") : word;

const NUMBER = /^[-+]?\d+(\.\d+)?$/;

function toArea(matches: RegExpExecArray | null): Area | null {
  if (matches === null) return null;
  const texts = (matches[2] ?? "").split(",").map((text) => text.trim());
  if (!texts.every((text) => NUMBER.test(text))) return null;
  const [a = 0, b = 0, c = 0, d = 0] = texts.map(Number);
  if (matches[1] !== undefined)
    return texts.length === 3 && a > 0 && isPlace(b, c)
      ? { kind: "around", radius_m: a, at: { lat: b, lon: c } }
      : null;
  return texts.length === 4 && a <= c && isPlace(a, b) && isPlace(c, d)
    ? { kind: "box", box: [a, b, c, d] }
    : null;
}

const isPlace = (lat: number, lon: number): boolean => Math.abs(lat) <= 90 && Math.abs(lon) <= 180;

export const isInside = (area: Area, at: Point): boolean =>
  area.kind === "around" ? distance(area.at, at) <= area.radius_m : isWithin(at, area.box);
