/**
 * Facts about a place as the vocabulary has them (packages/api/attributes.ts; decisions, Attributes). A
 * source's reader says under which name it means a value; type and set of values are settled here,
 * for all sources. What cannot be read as its fact is unknown, and absent.
 */
import {
  attributeFacts,
  type Fact,
  type FactName,
  INTEREST_FACTS,
  type PlaceKind,
} from "#api/attributes.ts";
import { PLACE_KINDS } from "#core/places/place.ts";
import { cleanDeepLink } from "#kit/uris.ts";
import { toBool, toText } from "#kit/coerce.ts";
import { readFee } from "#providers/fee.ts";
import { priceOfText } from "#providers/price-text.ts";
import { toPlainCount } from "#providers/place-rows.ts";

/** Values as a source has them, under the names of the vocabulary. */
export type StatedFacts = { readonly [N in FactName]?: unknown };

const FACTS: Readonly<Record<PlaceKind, ReadonlyMap<string, Fact>>> = Object.fromEntries(
  PLACE_KINDS.map((kind) => [kind, new Map(attributeFacts(kind).map((fact) => [fact.name, fact]))]),
) as Record<PlaceKind, Map<string, Fact>>;

const OF_INTERESTS: ReadonlyMap<string, Fact> = new Map(
  INTEREST_FACTS.map((fact) => [fact.name, fact]),
);

/** The facts of one kind that are known, in the order in which they are given; null: of a point of interest. */
export function readFacts(kind: PlaceKind | null, reported: StatedFacts): Record<string, unknown> {
  const facts = kind === null ? OF_INTERESTS : FACTS[kind];
  const cache: Record<string, unknown> = {};
  for (const name in reported) {
    const fact = facts.get(name);
    const value = fact && readValue(fact, reported[name as FactName]);
    if (value != null) cache[name] = value;
  }
  const { charge, prices } = cache;
  if (typeof charge === "string" && prices === undefined && facts.has("prices"))
    cache["prices"] = [priceOfText(charge)];
  return cache;
}

function readValue({ name, type, values }: Fact, raw: unknown): unknown {
  if (raw == null) return null;
  switch (type) {
    case "yes_no":
      return name === "fee" ? readFee(raw) : toBool(raw);
    case "text":
      return values ? readWord(wordOf(raw), values, SYNONYMS[name]) : toText(raw);
    case "whole":
      return toPlainCount(raw);
    case "date":
      return readDate(raw);
    case "link":
      return cleanDeepLink("web", raw);
    case "record":
    case "records":
      return raw;
  }
}

function wordOf(raw: unknown): string | null {
  return typeof raw === "boolean" ? String(raw) : toText(raw);
}

/** Other words for a value. `unknown` is said by leaving the fact out. */
const SYNONYMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  wheelchair: { true: "yes", designated: "yes", false: "no" },
  access: {
    public: "yes",
    designated: "yes",
    true: "yes",
    destination: "restricted",
    permit: "restricted",
    private: "restricted",
    no: "restricted",
    false: "restricted",
  },
};

/** The word that is meant; of a list (`yes;customers`) the one that comes first in the vocabulary. */
function readWord(
  text: string | null,
  values: readonly string[],
  synonyms: Readonly<Record<string, string>> = {},
): string | null {
  if (text === null) return null;
  const reported = text.split(";", MOST_WORDS).map((part) => {
    const word = part.trim().toLowerCase();
    return Object.hasOwn(synonyms, word) ? synonyms[word]! : word;
  });
  return values.find((value) => reported.includes(value)) ?? null;
}
const MOST_WORDS = 8;

/** The day of a date or of a moment, as its source writes it. */
function readDate(raw: unknown): string | null {
  const day = /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(toText(raw) ?? "")?.[0];
  return day !== undefined && !Number.isNaN(Date.parse(day)) ? day : null;
}
