/** Points of interest of made bases, and searches over them. */
import type { ClassReply } from "#app/places/class-join.ts";
import { createClassSearch } from "#app/places/class-search.ts";
import {
  createFindInterests,
  type InterestBase,
  type InterestDeps,
} from "#app/places/interest-finder.ts";
import { createOpenStates } from "#app/places/open-states.ts";
import { createPlaceSearches } from "#app/places/place-search.ts";
import { CLASS_PARAMETERS } from "#api/class-places.ts";
import { defaultsOf } from "#api/primitives.ts";
import type { BaseInterests } from "#core/places/interest.ts";
import type { PackColumn } from "#kit/pack.ts";
import type { SearchReply } from "#app/search-reply.ts";
import type { Finder } from "#app/places/place-finder.ts";
import { columnName } from "#osm/sections.ts";
import { createInterestsSection, openInterests } from "#providers/openstreetmap/base-interests.ts";
import { OnePage } from "#upstream/bases/one-page.ts";
import { createBasePlaces } from "#world/places/base-places.ts";
import type { Feature } from "./geocoder.ts";
import { createWatchedClock } from "./lookup.ts";

/** What the section makes of features, opened. */
export function interestsOf(features: Iterable<Feature>): BaseInterests & {
  counts: Readonly<Record<string, number>>;
} {
  const section = createInterestsSection();
  for (const each of features)
    if (each.type === "node") section.node(each);
    else if (each.type === "way") section.way(each);
    else section.relation(each);
  const steps = section.finish();
  let step = steps.next();
  while (!step.done) step = steps.next();
  const { columns, meta } = step.value;
  const named: Record<string, PackColumn> = {};
  for (const [name, column] of Object.entries(columns))
    named[columnName(section.name, name)] = column;
  const { counts } = meta as { counts: Record<string, number> };
  return { ...openInterests(named, meta)!, counts };
}

type Box = readonly [south: number, west: number, north: number, east: number];

/** A base that covers a box. */
export function aClassBase(
  id: string,
  [south, west, north, east]: Box,
  interests: BaseInterests,
): InterestBase {
  return {
    statement: { id, data_at: "2026-01-01T00:00:00Z", licence: "ODbL-1.0", attribution: "©" },
    covers: (lat, lon) => lat >= south && lat <= north && lon >= west && lon <= east,
    coversCircle: () => true,
    pages: new OnePage({ interests }),
  };
}

type Town = Partial<Omit<InterestDeps, "bases">> & {
  bases?: readonly InterestBase[];
  /** Sources of urban services. */
  finders?: readonly Finder[];
  /** The time that the clock shows. */
  now?: string;
};

/** Searches by class in a town: as an operation decodes its question. */
export function createTown({
  bases = [],
  finders = [],
  now = "2026-11-24T10:00:00Z",
  ...deps
}: Town) {
  const clock = { ...createWatchedClock(), now: () => Date.parse(now) };
  const countries = () => Promise.resolve(() => ["CH"]);
  const openStates = createOpenStates({
    countries,
    timezones: () => Promise.resolve(() => "Europe/Zurich"),
  });
  const maps = { id: "maps", name: "Maps" };
  const { services } = createPlaceSearches({ finders, clock, countries, openStates, maps });
  const interests = createFindInterests({
    bases: createBasePlaces(() => bases),
    ...{ olderAt: () => null, maps: null },
    map: { id: "openstreetmap", name: "OpenStreetMap" },
    ...deps,
  });
  const search = createClassSearch({ clock, openStates, maps, interests, services });
  return async (
    question: { lat: number; lon: number; classes: readonly string[] } & Readonly<
      Record<string, unknown>
    >,
  ): Promise<SearchReply<ClassReply>> => {
    const now_ms = clock.now();
    const reply = await search({
      question: { ...defaultsOf(CLASS_PARAMETERS), ...question },
      ...{ now_ms, deadline_ms: now_ms + 60_000, signal: new AbortController().signal },
    });
    if ("kind" in reply) throw new Error(reply.message);
    return reply;
  };
}
