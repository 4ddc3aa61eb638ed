// The searchable side of the simulated world: addresses and names of every city, and countries.
// What a geocoder makes of a spot is elsewhere; here is what exists, and what a text or point means.
import { distance, type Point } from "../geo.ts";
import { once } from "../registry.ts";
import { COUNTRIES, countryAt, type Country } from "./countries.ts";
import {
  countrySpot,
  findHouse,
  type Gazetteer,
  listHouses,
  listSpots,
  type Spot,
  type SpotKind,
  type Street,
} from "./gazetteer.ts";
import { holds, isNumber, wordsIn } from "./match.ts";
import { exonymsOf, toTown } from "./towns.ts";
import type { World } from "./world.ts";

export type Hit = {
  readonly spot: Spot;
  /** Words of the question that it does not answer; 0: all are. */
  readonly missed: number;
  /** 0 to 1, best first. */
  readonly score: number;
};

export type Near = { readonly spot: Spot; readonly distance_m: number };

type SearchOptions = {
  /** What is near it comes first; nothing is left out. */
  readonly near?: Point | undefined;
  /** ISO 3166-1 alpha-2, upper case; absent: everywhere. */
  readonly countries?: readonly string[] | undefined;
  /** The last word may be the beginning of one. */
  readonly prefix?: boolean | undefined;
};

export type Addresses = {
  /** Best first; all words are answered, or at least half of them if nothing answers all. */
  search(text: string, options?: SearchOptions): Hit[];
  /** Houses, streets and points of interest, nearest first. */
  near(at: Point, within_m: number): Near[];
  /** The areas that hold the point, smallest first; [] at sea. */
  holding(at: Point): Spot[];
  /** Lists the points of interest of every city. */
  listPois(): readonly Spot[];
};

type Entry = {
  readonly spot: Spot;
  readonly street: Street | null;
  readonly local: ReadonlySet<string>;
  readonly english: ReadonlySet<string>;
  /** In other languages; of cities. */
  readonly abroad: readonly ReadonlySet<string>[];
  readonly context: ReadonlySet<string>;
  /** The words of its post code: they count together only, or a house number would be one of them. */
  readonly code: readonly string[];
};

const TOWN_REACH_M = 20_000;
const NEAR_SCALE_M = 50_000;
/** Between things whose names answer equally well, the larger is meant. */
const RANK: readonly SpotKind[] = [
  ...(["country", "city", "region", "airport", "station", "museum"] as const),
  ...(["subway", "neighbourhood", "postcode", "street", "house"] as const),
];

export function createAddresses(
  world: Pick<World, "seed" | "cities" | "getNetwork" | "listServices">,
): Addresses {
  const towns = world.cities.map((city) => ({
    city,
    spots: once(() =>
      listSpots(toTown(city), {
        seed: world.seed,
        stations: world.getNetwork(city).stations,
        services: world.listServices(city),
      }),
    ),
  }));
  const listEntries = once(() => [
    ...COUNTRIES.map((each) => toEntry(countrySpot(each))),
    ...towns.flatMap(({ spots }) => index(spots())),
  ]);
  const houses = new Map<Gazetteer, readonly Spot[]>();
  const housesOf = (town: Gazetteer): readonly Spot[] => {
    const known_house = houses.get(town) ?? town.streets.flatMap(listHouses);
    houses.set(town, known_house);
    return known_house;
  };
  /** Every word of a name, in order. */
  const listWords = once(() => {
    const names = listEntries().flatMap(({ local, english, abroad }) => [
      local,
      english,
      ...abroad,
    ]);
    return [...new Set(names.flatMap((words) => [...words]))].sort();
  });
  const townsAround = (at: Point, within_m: number): Gazetteer[] =>
    towns
      .filter(({ city }) => distance(at, city) <= TOWN_REACH_M + within_m)
      .map(({ spots }) => spots());

  return {
    search: (text, options = {}) =>
      searchAll(
        listEntries(),
        options.prefix ? complete(listWords(), wordsIn(text)) : [wordsIn(text)],
        options,
      ),
    near: (at, within_m) =>
      townsAround(at, within_m)
        .flatMap((town) => listNear(town, housesOf(town), at))
        .filter(({ distance_m }) => distance_m <= within_m)
        .toSorted(byDistance),
    holding(at) {
      const town = townsAround(at, 0)[0];
      const country = town?.town.country ?? countryAt(at);
      return [...(town ? areasAt(town, at) : []), ...(country ? [countrySpot(country)] : [])];
    },
    listPois: once(() => towns.flatMap(({ spots }) => spots().pois)),
  };
}

/** A house before the street that is as near because of it. */
const byDistance = (a: Near, b: Near): number =>
  a.distance_m - b.distance_m ||
  Number(a.spot.kind === "street") - Number(b.spot.kind === "street") ||
  a.spot.key - b.spot.key;

function listNear(town: Gazetteer, houses: readonly Spot[], at: Point): Near[] {
  const toNear = (spot: Spot): Near => ({ spot, distance_m: distance(at, spot) });
  const near = [...houses, ...town.pois].map(toNear);
  // A street is as far away as the nearest of its houses.
  const streets = town.streets.map((street) => {
    const own = near.filter(({ spot }) => spot.kind === "house" && spot.street === street.name);
    return { spot: street, distance_m: Math.min(...own.map(({ distance_m }) => distance_m)) };
  });
  return [...near, ...streets];
}

/** One of each kind that tiles the city: the one whose middle is nearest. */
function areasAt({ areas }: Gazetteer, at: Point): Spot[] {
  const nearest = areas.toSorted((a, b) => distance(at, a) - distance(at, b));
  return (["neighbourhood", "postcode", "city", "region"] as const).flatMap(
    (kind) => nearest.find((area) => area.kind === kind) ?? [],
  );
}

const index = ({ streets, pois, areas }: Gazetteer): Entry[] => [
  ...streets.map((street) => toEntry(street, street)),
  ...[...pois, ...areas].map((spot) => toEntry(spot)),
];

function toEntry(spot: Spot, street: Street | null = null): Entry {
  const { town, country, area } = spot;
  const around = [spot.street, area, town?.name ?? null, town?.region ?? null, country];
  const words = around.flatMap((name) => (name ? [name.local, name.english] : []));
  const exonyms = town === null ? [] : Object.values(exonymsOf(town.city));
  const codes = [spot.number, town?.region.short ?? "", ...codesOf(country)];
  return {
    spot,
    street,
    local: new Set(wordsIn(spot.name.local)),
    english: new Set(wordsIn(spot.name.english)),
    abroad: spot.kind === "city" ? exonyms.map((name) => new Set(wordsIn(name))) : [],
    context: new Set([...words, ...exonyms, ...codes].flatMap(wordsIn)),
    code: spot.kind === "postcode" ? [] : wordsIn(spot.post_code),
  };
}

const codesOf = ({ code, alpha_3 }: Country): string[] =>
  code === "GB" ? [code, alpha_3, "UK"] : [code, alpha_3];

/** Ends that a last word is completed to, at most. */
const COMPLETIONS = 16;

/** The words with the last one completed; as they are where it is whole, or begins no word. */
function complete(entries: readonly string[], words: readonly string[]): readonly string[][] {
  const last = words.at(-1) ?? "";
  const begun = entries.filter((word) => word.startsWith(last)).slice(0, COMPLETIONS);
  if (last === "" || isNumber(last) || begun.length === 0) return [[...words]];
  return begun.map((word) => [...words.slice(0, -1), word]);
}

function searchAll(
  entries: readonly Entry[],
  questions: readonly (readonly string[])[],
  options: SearchOptions,
): Hit[] {
  const hits = questions.flatMap((words) => search(entries, words, options)).toSorted(byRelevance);
  const isBest = ({ missed }: Hit): boolean => missed === hits[0]?.missed;
  return [...new Map(hits.filter(isBest).map((hit) => [hit.spot.key, hit])).values()];
}

function search(entries: readonly Entry[], words: readonly string[], options: SearchOptions) {
  const { countries, near } = options;
  if (words.length === 0) return [];
  const hits = entries
    .filter(({ spot }) => countries === undefined || countries.includes(spot.country.code))
    .flatMap((entry) => match(entry, words) ?? [])
    .map((hit) => ({ ...hit, score: hit.score + closeness(hit.spot, near) }));
  const exact = hits.filter(({ missed }) => missed === 0);
  return (exact.length > 0 ? exact : hits).toSorted(byRelevance);
}

const closeness = (spot: Point, near: Point | undefined): number =>
  near === undefined ? 0 : 0.5 * Math.exp(-distance(spot, near) / NEAR_SCALE_M);

const byRelevance = (a: Hit, b: Hit): number =>
  a.missed - b.missed ||
  b.score - a.score ||
  rankOf(a.spot.kind) - rankOf(b.spot.kind) ||
  a.spot.key - b.spot.key;

const rankOf = (kind: SpotKind): number => {
  const at = RANK.indexOf(kind);
  return at === -1 ? RANK.length : at;
};

/** Null: too little of it answers. A number that it does not have makes it another thing; to have
 * no more than a letter or an article in common is nothing. */
function match(entry: Entry, words: readonly string[]): Hit | null {
  const own = new Set<string>();
  const missing: string[] = [];
  for (const word of without(words, entry.code)) {
    const matches = namesOf(entry).flatMap((name) => holds(name, word) ?? []);
    for (const each of matches) own.add(each);
    if (matches.length === 0 && holds(entry.context, word) === null) missing.push(word);
  }
  const numbers = missing.filter(isNumber);
  const spot = numbers.length === 0 ? entry.spot : houseIn(entry, numbers);
  const missed = missing.length - numbers.length;
  if (own.size === 0 || spot === null || missed > words.length / 2) return null;
  if (missed > 0 && [...own].every((word) => /^[a-z]{1,2}$/.test(word))) return null;
  return { spot, missed, score: Math.max(...namesOf(entry).map((name) => share(own, name))) };
}

const namesOf = ({ local, english, abroad }: Entry): ReadonlySet<string>[] => [
  local,
  english,
  ...abroad,
];

function without(words: readonly string[], code: readonly string[]): readonly string[] {
  const at = words.findIndex((_, n) => code.every((word, k) => words[n + k] === word));
  return code.length === 0 || at === -1 ? words : words.toSpliced(at, code.length);
}

const houseIn = ({ street }: Entry, numbers: readonly string[]): Spot | null =>
  street !== null && numbers.length === 1 ? findHouse(street, Number(numbers[0])) : null;

const share = (own: ReadonlySet<string>, words: ReadonlySet<string>): number =>
  words.size === 0 ? 0 : [...words].filter((word) => own.has(word)).length / words.size;
