/** Reads a wish by its grammar (packages/api/wishes), or says which rule it breaks and what is nearest. */
import type { CONNECTOR_TYPES } from "#api/tokens.ts";
import {
  OWN_KINDS,
  WISH_CONNECTORS,
  WISH_KINDS,
  WISH_NEEDS,
  type WishKind,
  type WishOption,
  WISHES,
  type WishUnit,
} from "#api/wishes.ts";
import { didYouMean, findNearest } from "#kit/nearest.ts";

export type Wish = {
  /** As it was written. */
  text: string;
  kind: WishKind;
  options: ReadonlySet<WishOption>;
  connectors: readonly (typeof CONNECTOR_TYPES)[number][];
  /** By unit; absent: there is no bound. */
  least: Readonly<Partial<Record<WishUnit, number>>>;
  /** Name of a stop or place it goes to; null: any. */
  toward: string | null;
  /** It must be so near to what answers the wish before it; null: it is wished by itself. */
  near: { amount: number; unit: "m" | "min" } | null;
};

export type ReadWish = { ok: true; wish: Wish } | { ok: false; message: string };

/** A mark and what follows it. */
const PART = /(>=|[:>~]|^)([^:>~=]+)/g;
const BOUND = /^(\d{1,5}(?:\.\d)?) ?(kw|%|min|)$/i;
const DISTANCE = /^(\d{1,4}) ?(m|min)$/;
const UNITS: Readonly<Record<string, WishUnit>> = { kw: "kW", "%": "%", min: "min", "": "" };

export function readWish(text: string): ReadWish {
  const source = text.trim();
  if (source.length > WISHES.chars_max)
    return refuse(`is longer than ${WISHES.chars_max} characters`);
  const parts = [...source.matchAll(PART)].map(([whole, mark = "", word = ""]) => {
    return { whole, mark, word: word.trim() };
  });
  const name = parts[0]?.word.toLowerCase() ?? "";
  const kind = Object.hasOwn(WISH_KINDS, name) ? WISH_KINDS[name] : undefined;
  if (parts[0]?.mark !== "" || kind === undefined)
    return refuse(`must begin with a kind, ${sayKinds(name)}`);
  if (parts.map(({ whole }) => whole).join("") !== source) return refuse(`must be written ${FORM}`);
  const draft: Draft = { options: new Set(), connectors: [], least: {}, toward: null, near: null };
  for (const { mark, word } of parts.slice(1)) {
    const problem = READERS[mark as Mark](draft, word, { kind, name });
    if (problem !== null) return refuse(problem);
  }
  return { ok: true, wish: { text: source, kind, ...draft } };
}

function sayKinds(name: string): string {
  const nearest = findNearest(name, Object.keys(WISH_KINDS)) ?? findWish(name);
  if (nearest !== undefined) return `did you mean ${nearest}?`;
  return `known are ${Object.keys(OWN_KINDS).join(", ")} and the classes of find_places`;
}

/** Of several words, or of an option alone, the wish that they are: `wheelchair toilet`, `dock`. */
function findWish(name: string): string | undefined {
  const words = name.split(/\s+/);
  const kind = words
    .map((word) => (words.length > 1 ? findNearest(word, Object.keys(WISH_KINDS)) : undefined))
    .find((each) => each !== undefined);
  const hasOption = (each: string): boolean =>
    WISH_KINDS[each]!.options.some((option) => option === name);
  const found = kind ?? Object.keys(OWN_KINDS).find(hasOption);
  if (found === undefined) return undefined;
  const options = WISH_KINDS[found]!.options.filter((option) => words.includes(option));
  return [found, ...options].join(":");
}

/** What to write, in the words of a refusal. */
const FORM =
  "KIND[:OPTION][>=N][>NAME][~N m or min], such as charger:CCS2>=50kW or tram>Central:last";

function refuse(message: string): { ok: false; message: string } {
  return { ok: false, message };
}

type Draft = {
  -readonly [
    M in Exclude<keyof Wish, "text" | "kind" | "options" | "connectors" | "least">
  ]: Wish[M];
} & {
  options: Set<WishOption>;
  connectors: (typeof CONNECTOR_TYPES)[number][];
  least: Partial<Record<WishUnit, number>>;
};
type Mark = ":" | ">=" | ">" | "~";
type Named = { kind: WishKind; name: string };

/** By mark: takes a part into the draft; returns what is wrong with it, or null. */
const READERS: Readonly<Record<Mark, (draft: Draft, word: string, named: Named) => string | null>> =
  {
    ":": takeOption,
    ">=": takeBound,
    ">": takeToward,
    "~": takeNear,
  };

function takeOption(draft: Draft, word: string, { kind, name }: Named): string | null {
  const option = kind.options.find((each) => each === word.toLowerCase());
  if (option !== undefined) draft.options.add(option);
  else {
    const isCharger = kind.family === "service" && kind.type === "charging";
    const connector = isCharger
      ? WISH_CONNECTORS.get(word.toLowerCase().replaceAll(" ", ""))
      : undefined;
    if (connector === undefined) return sayOption(word, { kind, name }, isCharger);
    draft.connectors.push(connector);
  }
  return null;
}

function sayOption(word: string, { kind, name }: Named, isCharger: boolean): string {
  const known = isCharger ? [...kind.options, ...WISH_CONNECTORS.keys()] : kind.options;
  const hint = didYouMean(word.toLowerCase(), known, { prefix: `${name}:` });
  return `has an option that ${name} has not, ${JSON.stringify(word)}: ${hint}`;
}

function takeBound(draft: Draft, word: string, { kind, name }: Named): string | null {
  const [, amount = "", unit = ""] = BOUND.exec(word) ?? [];
  const known = UNITS[unit.toLowerCase()];
  if (amount === "" || known === undefined || !kind.units.includes(known)) {
    const forms = kind.units.map((each) => `${name}>=10${each}`);
    return forms.length === 0
      ? `has a bound, which ${name} has not`
      : `must have a bound such as ${forms.join(" or ")}`;
  }
  draft.least[known] = Number(amount);
  return null;
}

function takeToward(draft: Draft, word: string, { kind, name }: Named): string | null {
  if (kind.family !== "transit")
    return `goes nowhere: only public transport has >NAME, not ${name}`;
  draft.toward = word;
  return null;
}

function takeNear(draft: Draft, word: string): string | null {
  const [, amount = "", unit = ""] = DISTANCE.exec(word) ?? [];
  if (amount === "") return "must end with how near to the wish before it, such as ~400m or ~5min";
  draft.near = { amount: Number(amount), unit: unit === "m" ? "m" : "min" };
  return null;
}

/** What the person has or needs. */
export type Needs = { wheelchair: boolean; step_free: boolean; budget: number | null };

export function readNeeds(
  words: readonly string[],
): { ok: true; needs: Needs } | { ok: false; message: string } {
  const needs: Needs = { wheelchair: false, step_free: false, budget: null };
  for (const word of words) {
    const [, name = word, amount] = /^(budget):(\d{1,6}(?:\.\d{1,2})?)$/.exec(word) ?? [];
    if (!Object.hasOwn(WISH_NEEDS, name) || (name === "budget" && amount === undefined))
      return refuse(
        `${JSON.stringify(word)} is none of wheelchair, luggage, children and budget:N`,
      );
    if (name === "budget") needs.budget = Number(amount);
    else needs.step_free = true;
    if (name === "wheelchair") needs.wheelchair = true;
  }
  return { ok: true, needs };
}
