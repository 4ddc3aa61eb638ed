/**
 * Points of interest as a question sees them: those of the imported base that covers the point; where
 * none does, of the maps provider, where one is configured for the deployment.
 */
import type { BaseStatementBody } from "#api/bases.ts";
import type { Budget } from "#kit/budget.ts";
import { distance_m } from "#kit/geo.ts";
import type { BaseInterests, Interest } from "#core/places/interest.ts";
import { searchThings, toWanted } from "#core/places/place-columns.ts";
import { toUnopenedSource } from "#osm/base/other-version.ts";
import type { InterestQuery } from "#providers/lookup.ts";
import type { Ask, AskOptions } from "#upstream/lookup/ask-source.ts";
import { type BasePlaces, type CoveringBase, pinLeading } from "#world/places/base-places.ts";
import type { Circle } from "#world/system-entry.ts";
import { heldOf, toOutcome } from "../lookup-outcome.ts";
import type { SourceFinding } from "../search-reply.ts";

export type InterestBase = CoveringBase<{ interests: BaseInterests | null }>;

/** The maps provider, by the name under which it is published. */
type InterestMaps = {
  id: string;
  name: string;
  /** Classes of these that it can be asked for at once. */
  knownOf(classes: readonly string[]): readonly string[];
  /** Places that it names at most. */
  most: number;
  ask: Ask<InterestQuery, Interest[]>;
};

export type InterestDeps = {
  /** Bases that have points of interest. */
  bases: BasePlaces<InterestBase>;
  /** A base that covers the point and was imported before it had some; null: none. */
  olderAt(at: { lat: number; lon: number }): BaseStatementBody | null;
  /** null: no maps provider knows any. */
  maps: InterestMaps | null;
  /** Id and name of what the bases are of. */
  map: { id: string; name: string };
};

type InterestQuestion = AskOptions & {
  circle: Circle;
  classes: readonly string[];
  language: string | null;
  budget: Budget;
};

/** What lies within the circle, in no particular order. */
export type InterestHits = {
  /** Distances, metres. */
  metres: ArrayLike<number>;
  /** Numbers of their classes, below 256. */
  kinds: ArrayLike<number>;
  classOf(kind: number): string;
  placeAt(hit: number): Interest;
  /** Beyond this not all was looked at; Infinity: all of the circle was. */
  whole_m: number;
};

export type InterestFinding = {
  findings: readonly SourceFinding[];
  hits: InterestHits;
  /** Classes that no source knows here. */
  unserved: readonly string[];
  /** Names of those who know such things, and not here. */
  uncovered: readonly string[];
  /** The base that answered; null: none did. */
  base: BaseStatementBody | null;
  /** The maps provider was asked. */
  isOfMaps: boolean;
};

export type FindInterests = (question: InterestQuestion) => Promise<InterestFinding>;

const NO_HITS: InterestHits = {
  metres: [],
  kinds: [],
  classOf: () => "",
  placeAt: () => {
    throw new RangeError("there is no hit");
  },
  whole_m: Number.POSITIVE_INFINITY,
};
const NOTHING: Omit<InterestFinding, "findings"> = {
  hits: NO_HITS,
  unserved: [],
  uncovered: [],
  base: null,
  isOfMaps: false,
};

export function createFindInterests(deps: InterestDeps): FindInterests {
  const { bases, maps, map, olderAt } = deps;
  return async (question) => {
    const { circle, classes, signal, budget } = question;
    using pinned = await pinLeading<{ interests: BaseInterests | null }, InterestBase>(
      bases.listAt(circle),
      circle,
      signal,
    );
    const { base, lost } = pinned;
    const lack = lost ?? (base ? null : bases.unopenedAt(circle)) ?? toOlder(base, circle, olderAt);
    if (base) {
      const hits = hitsOf(pinned.pages, classes, circle, budget);
      const partly = !base.coversCircle(circle);
      const finding = { ...AT_HAND, key: map.id, name: map.name, raw: hits.metres.length, partly };
      const findings = [finding, ...(lack ? [toFailed(lack)] : [])];
      return { ...NOTHING, findings, hits, base: base.statement };
    }
    const known = maps?.knownOf(classes) ?? [];
    if (maps && known.length > 0)
      return await askMaps(maps, { ...question, classes: known }, classes);
    if (lack) return { ...NOTHING, findings: [toFailed(lack)] };
    if (bases.isEmpty()) return { ...NOTHING, findings: [], unserved: classes };
    return { ...NOTHING, findings: [], uncovered: [map.name] };
  };
}

/** What a base has is there without a call, and as new as it gets. */
const AT_HAND = {
  status: "ok",
  reason: null,
  calls: 0,
  cache: "hit",
  good_until_ms: Number.POSITIVE_INFINITY,
} as const;

type Lack = { id: string; reason: string };

function toOlder(
  base: InterestBase | null,
  at: Circle,
  olderAt: InterestDeps["olderAt"],
): Lack | null {
  const older = base ? null : olderAt(at);
  return older && { id: older.id, reason: "earlier_version" };
}

function toFailed(lack: Lack): SourceFinding {
  const { source_id: key, name, status, reason } = toUnopenedSource(lack);
  return { key, name, status, reason, raw: 0, calls: 0, cache: "miss", good_until_ms: null };
}

function hitsOf(
  pages: readonly { page: { interests: BaseInterests | null } }[],
  classes: readonly string[],
  circle: Circle,
  budget: Budget,
): InterestHits {
  const all = pages.flatMap(({ page: { interests } }) =>
    interests
      ? [{ rows: interests.rows, wanted: toWanted(interests.numbersOf(classes)), interests }]
      : [],
  );
  const hits = searchThings(all, circle, { budget });
  // Pages of one base were imported by one program: their numbers mean the same.
  const classOf = (number: number): string => all[0]!.interests.classOf(number);
  const { metres, whole_m, placeAt, kinds } = hits;
  return { metres, kinds, whole_m, placeAt, classOf };
}

async function askMaps(
  maps: InterestMaps,
  question: InterestQuestion,
  classes: readonly string[],
): Promise<InterestFinding> {
  const { circle, signal, keyed, freshness, language, budget } = question;
  const query = { ...circle, language, country: null, limit: maps.most, classes: question.classes };
  const reply = await maps.ask(query, { signal, keyed, freshness });
  const places = (heldOf(reply)?.value ?? []).slice(0, budget.take(maps.most));
  const found = places
    .map((place) => ({ place, metres: distance_m(circle.lat, circle.lon, place.lat, place.lon) }))
    .filter(({ metres }) => metres <= circle.radius_m);
  const metres = found.map((each) => each.metres);
  const within_m = Math.floor(Math.max(0, ...metres));
  const isFull = places.length >= maps.most;
  const cut = isFull ? { shown: maps.most, total: null, within_m, of: "these classes" } : null;
  const finding = { key: maps.id, name: maps.name, ...toOutcome([reply]), cut };
  const hits = {
    metres,
    kinds: found.map(({ place }) => classes.indexOf(place.place_class)),
    classOf: (kind: number) => classes[kind]!,
    placeAt: (hit: number) => published(found[hit]!.place, maps.id),
    whole_m: Number.POSITIVE_INFINITY,
  };
  const unserved = classes.filter((each) => !question.classes.includes(each));
  return { ...NOTHING, findings: [finding], hits, unserved, isOfMaps: true };
}

function published(place: Interest, source_id: string): Interest {
  return { ...place, source_id };
}
