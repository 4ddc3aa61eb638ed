/**
 * What a question names binds (decisions, Named places bind): a candidate that lies in another place than the one that
 * the question names is none.
 */
import { Budget } from "#kit/budget.ts";
import { wordsOf } from "#osm/geocoder/fold-words.ts";
import type { Geocoder } from "#osm/geocoder/geocoder.ts";
import { MAX_WORDS } from "#osm/geocoder/geocode-query.ts";
import { distance_m } from "#kit/geo.ts";
import type { Location } from "#kit/geo.ts";
import type { NamedSpan, PlaceNames } from "#core/places/named-place.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";
import { EXACTLY, LOOK_UP, PLACES, SAME_PLACE_M } from "./base-coverage.ts";
import type { BaseHit } from "./base-hits.ts";
import type { PinnedBases } from "./pinned-bases.ts";

/** What it may cost to find out whether bases have places of a name, of all together. */
const ALL_LOOK_UPS = { looks: 40_000, keeps: 64 } as const;
/** What it may cost to find the places that bases alone know, of all together: some nanoseconds a look, a microsecond a keep. */
const OWN_NAMES = { looks: 100_000, keeps: 1_024 } as const;

export type Binding = {
  /** Those of the index of the world's places. */
  spans: readonly NamedSpan[];
  /** Whether a candidate is not in what the question names. */
  contradicts(hit: BaseHit): boolean;
  /** Not all names of bases were looked at, so that the question may name more places. */
  isCut: boolean;
};

/**
 * `q`: the question; `names`: null: no index of the world's places is there, so that what `bases` know
 * is all that is known to be named.
 */
export function bindPlaces(
  q: string,
  {
    names,
    bases,
    pinned,
  }: { names: PlaceNames | null; bases: readonly GeocodingBase[]; pinned: PinnedBases },
): Binding {
  const spans = names?.read(q) ?? [];
  const all = wordsOf(q, MAX_WORDS);
  const names_budget = new Budget(OWN_NAMES);
  const own_names = wordsOfBases(q, { bases, pinned, spans, budget: names_budget });
  const cache = new Map<GeocodingBase, Map<NamedSpan, readonly Location[]>>();
  const budget = new Budget(ALL_LOOK_UPS);

  function placesIn(base: GeocodingBase, span: NamedSpan): readonly Location[] {
    const own = cache.get(base) ?? new Map<NamedSpan, readonly Location[]>();
    cache.set(base, own);
    let match = own.get(span);
    if (match === undefined)
      own.set(span, (match = findPlaces(pinned.of(base), span.text, budget)));
    return match;
  }

  function agrees({ item, base }: BaseHit, span: NamedSpan): boolean {
    const { name, label, address, country_code: country, location } = item;
    const isOpenSpan = span.words.some((word) => isOpen({ item }, word));
    const isCountry = span.places.every(({ kind }) => kind === "country");
    const texts = isCountry ? [name] : [name, label, ...Object.values(address)];
    const written = new Set(texts.flatMap((text) => wordsOf(text ?? "")));
    if (!isOpenSpan && span.words.every((word) => written.has(word))) return true;
    if (span.places.some((place) => names!.holds(place, { ...location, country }))) return true;
    if (isCountry) return country === null && !isOpenSpan;
    // By a name in another language, or by one that is only like it. A town next to the border that
    // reaches into the base is in its own country all the same.
    return !isOpenSpan && placesIn(base, span).some((at) => !isAbroad(span, at, country));
  }

  /** Whether a candidate explains none of the places of a word, which a street may have in its name, too. */
  function isOpen({ item }: Pick<BaseHit, "item">, word: string): boolean {
    const open = item.unexplained.filter((each) => each === word).length;
    return open > 0 && open >= all.filter((each) => each === word).length;
  }

  /** It is called like the town, and nothing else of the question is of it. */
  function isNamesake({ item }: BaseHit): boolean {
    if (PLACES.has(item.type)) return false;
    const others = all.filter(
      (word) => !/^\d/.test(word) && !spans.some(({ words }) => words.includes(word)),
    );
    return others.length > 0 && others.every((word) => item.unexplained.includes(word));
  }

  return {
    spans,
    isCut: names_budget.isSpent,
    contradicts: (hit) =>
      spans.some((span) => !agrees(hit, span)) ||
      own_names.some((word) => isOpen(hit, word)) ||
      (spans.length > 0 && isNamesake(hit)),
  };
}

/** Words of places and postcodes that bases know, and that the index of the world's places does not have. */
function wordsOfBases(
  q: string,
  {
    bases,
    pinned,
    spans,
    budget,
  }: {
    bases: readonly GeocodingBase[];
    pinned: PinnedBases;
    spans: readonly NamedSpan[];
    budget: Budget;
  },
): readonly string[] {
  const entries = new Set(spans.flatMap(({ words }) => words));
  const matches = bases.flatMap((base, i) =>
    budget.share(bases.length - i, (own) =>
      pinned.of(base).flatMap((geocoder) => geocoder.namedWords?.(q, own) ?? []),
    ),
  );
  return [...new Set(matches.filter((own) => !own.every((word) => entries.has(word))).flat())];
}

/** Whether a place of a base is one that the index has in another country than a candidate's. */
function isAbroad({ places }: NamedSpan, at: Location, country: string | null): boolean {
  return places.some(
    (place) =>
      country !== null &&
      place.country !== null &&
      place.country !== country &&
      distance_m(at.lat, at.lon, place.lat, place.lon) <= SAME_PLACE_M,
  );
}

function findPlaces(geocoders: readonly Geocoder[], q: string, budget: Budget): Location[] {
  const request = { q, language: null, country: null, near: null, limit: 5 };
  if (!budget.look(LOOK_UP.looks) || !budget.keep(LOOK_UP.keeps)) return [];
  return geocoders
    .flatMap((geocoder) => geocoder.geocode({ ...request, budget: new Budget(LOOK_UP) }))
    .filter(
      ({ type, explained, unexplained }) =>
        PLACES.has(type) && unexplained.length === 0 && explained >= EXACTLY,
    )
    .map(({ location }) => location);
}
