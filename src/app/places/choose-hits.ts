/**
 * Which of the hits by name answer a question, and what is said where none does: what contradicts a named
 * place goes (decisions, Named places bind), a base knows better what it covers, and of a place alone the
 * answer says that nothing else is known.
 */
import { Budget } from "#kit/budget.ts";
import { wordsOf } from "#osm/geocoder/fold-words.ts";
import { MAX_WORDS } from "#osm/geocoder/geocode-query.ts";
import type { Location } from "#kit/geo.ts";
import { sayNothingElse, sayUncovered } from "#core/places/geocode-notices.ts";
import type { NamedSpan } from "#core/places/named-place.ts";
import type { GeocodeQuery } from "#providers/lookup.ts";
import { addOnce, type BaseHit, keepByName, mergeHits, weighCities } from "./base-hits.ts";
import { findPlace, isCovered, isPlaceAt, PLACES } from "./base-coverage.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";
import { noticesOfGuesses, orderGuesses } from "./guesses.ts";
import type { Binding } from "./named-places.ts";
import type { PinnedBases } from "./pinned-bases.ts";

/** More is not shown (§2.2). */
export const MOST = 5;
/** What it may cost to find the place that a question names: bases may have spent what it had. */
const NAMED = { looks: 40_000, keeps: 96 } as const;

export type NameQuery = Omit<GeocodeQuery, "near"> & { near: Location | null; limit?: number };

type Sources = {
  query: NameQuery;
  bases: readonly GeocodingBase[];
  gazetteer: GeocodingBase | null;
  pinned: PinnedBases;
  binding: Binding;
};

export type Chosen = {
  hits: BaseHit[];
  /** What one should know beyond the hits. */
  notices: string[];
  /** The question names a place that lies outside every base: no more than that place is known. */
  isPartial: boolean;
};

export function choose(lists: readonly BaseHit[][], sources: Sources): Chosen {
  const { query, bases, gazetteer, binding } = sources;
  const { q, near, prefix = false } = query;
  const request = { words: wordsOf(q, MAX_WORDS), near, prefix };
  const own = lists.map((list) => list.filter((hit) => !binding.contradicts(hit)));
  const world = gazetteer === null ? [] : own.at(-1)!;
  const here = own.flatMap((list) => (list === world ? [] : list));
  // What a base covers it knows better, where it knows it.
  const covered = world.filter(
    ({ item }) =>
      isCovered(bases, item.location) &&
      (item.misspelt === true || here.some((hit) => isPlaceAt(hit.item, item.location))),
  );
  const cities = covered.map(({ item }) => item);
  const matches = own.map((list) =>
    list === world ? world.filter((hit) => !covered.includes(hit)) : weighCities(list, cities),
  );
  const isDropped = own.some((list, i) => list.length < lists[i]!.length);
  const isOutside = near !== null && !isCovered(bases, near);
  const hits = orderGuesses(keepByName(mergeHits(matches, request)), request, { isOutside });
  if (hits.length > 0) {
    const listed = hits.slice(0, MOST);
    const name = listed.every(isPlaceAlone) ? listed[0]!.item.name : null;
    const others = name === null ? [] : [sayNothingElse(name)];
    return {
      hits,
      notices: [...noticesOfGuesses(q, listed, request), ...others],
      isPartial: false,
    };
  }
  const match = findNamed(binding.spans, isDropped || /\d/.test(q), sources);
  const isAll =
    binding.spans.reduce((sum, { words }) => sum + words.length, 0) >= request.words.length;
  if (match[0] && !isAll) return sayWhere(match, { ...sources, spans: binding.spans });
  return { hits: match.length > 0 ? match : covered, notices: [], isPartial: false };
}

/** A place that is named, of which more is asked for. */
function isPlaceAlone({ item }: BaseHit): boolean {
  return PLACES.has(item.type) && item.in_named_place && item.unexplained.length > 0;
}

/** Only the place that a question names is known: says whether no base has it, or has nothing of the rest. */
function sayWhere(
  names: readonly BaseHit[],
  { query, bases, gazetteer, pinned, spans }: Sources & { spans: readonly NamedSpan[] },
): Chosen {
  const { location, name } = names[0]!.item;
  const span = spans.find((each) => isNamed([each], location));
  const text = span?.text ?? name;
  const place = span?.places.find((each) => each.lat === location.lat && each.lon === location.lon);
  const isWide = place !== undefined && place.kind !== "settlement";
  const own =
    place && !isWide ? findPlace({ bases, pinned }, place, { text, language: query.language }) : [];
  const isSome = isWide && gazetteer!.names!.hasSome(place, (at) => isCovered(bases, at));
  if (own.length === 0 && !isSome)
    return { hits: [...names], notices: [sayUncovered(text)], isPartial: true };
  // A base knows better what it covers.
  const hits = own.length > 0 ? own : [...names];
  return { hits, notices: [sayNothingElse(text)], isPartial: false };
}

/** The places themselves that a question names, of the gazetteer; where they disagree, the largest. */
function findNamed(
  spans: readonly NamedSpan[],
  isAddress: boolean,
  { query, gazetteer, pinned }: Sources,
): BaseHit[] {
  if (gazetteer === null || !spans.some(({ apart }) => apart || isAddress)) return [];
  const { limit = MOST } = query;
  const find = (own_spans: readonly NamedSpan[]): BaseHit[] =>
    pinned
      .of(gazetteer)
      .flatMap((geocoder) =>
        geocoder.geocode({
          ...query,
          q: own_spans.map(({ text }) => text).join(", "),
          prefix: false,
          limit,
          budget: new Budget(NAMED),
        }),
      )
      .filter(({ misspelt, location }) => misspelt !== true && isNamed(own_spans, location))
      .reduce<BaseHit[]>((once, item) => addOnce(once, { item, base: gazetteer }), []);
  const match = find(spans);
  if (match.length > 0) return match;
  const wide = spans.filter(({ places }) => places.every(({ kind }) => kind === "country"));
  return wide.length > 0 && wide.length < spans.length ? find(wide) : [];
}

function isNamed(spans: readonly NamedSpan[], { lat, lon }: Location): boolean {
  return spans.some(({ places }) => places.some((each) => each.lat === lat && each.lon === lon));
}
