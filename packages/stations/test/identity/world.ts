/** Small worlds of docks and of sources that see them, for the tests of identity. */
import fc from "fast-check";
import { METRES_PER_DEGREE } from "#kit/geo.ts";
import type { Matching, ScoredPair } from "../../identity/match-stations.ts";
import type { Feed, Observation, SourceKind } from "../../identity/observed-station.ts";

export type World = { feeds: Feed[]; observations: Observation[] };

/** Feeds of one name have an address in common: whose they are is known, whatever docks they show. */
export function feedOf(id: string, kind: SourceKind, names: readonly string[]): Feed {
  const urls = names.map((name) => `https://${name.toLowerCase()}.example.org/gbfs.json`);
  return { id, kind, system_id: id, names, urls };
}

/** An observation at metres east and north of a place. */
export function observe(
  feed: number,
  id: string,
  at: { east_m?: number; north_m?: number },
  more: Partial<Observation> = {},
): Observation {
  return {
    feed,
    id,
    name: "",
    modes: 1,
    capacity: null,
    virtual: null,
    keys: {},
    lat: 45 + (at.north_m ?? 0) / METRES_PER_DEGREE,
    lon: 5 + (at.east_m ?? 0) / (METRES_PER_DEGREE * Math.cos(Math.PI / 4)),
    ...more,
  };
}

const FEEDS: readonly Feed[] = [
  feedOf("gbfs:hub", "gbfs", ["Hubway"]),
  feedOf("citybikes:hub", "citybikes", ["Hubway"]),
  feedOf("openstreetmap:hub", "openstreetmap", ["Hubway"]),
  feedOf("openstreetmap:", "openstreetmap", []),
  feedOf("gbfs:rival", "gbfs", ["Velozef"]),
];

const name = fc.constantFrom(
  "",
  "Oak St",
  "Oak Street",
  "Oak St & 5 Ave",
  "Oak St (1)",
  "Oak St (2)",
  "Elm Sq",
  "渋谷",
);

/** Docks crowded into a few hundred metres, each seen by some sources with errors of every kind. */
export function arbitraryWorld(prefix = "", north_m = 0): fc.Arbitrary<World> {
  const sight = fc.record({
    feed: fc.integer({ min: 0, max: FEEDS.length - 1 }),
    east_m: fc.constantFrom(0, 0, 4, 15, 60, 140),
    name,
    capacity: fc.constantFrom(null, 10, 12, 40),
    modes: fc.constantFrom(0, 1, 1, 1, 8),
    virtual: fc.constantFrom(null, true, false),
    key: fc.option(fc.integer({ min: 0, max: 8 }), { nil: null }),
  });
  const dock = fc.record({
    east_m: fc.integer({ min: 0, max: 400 }),
    sights: fc.uniqueArray(sight, { selector: ({ feed }) => feed, maxLength: 4 }),
  });
  return fc.array(dock, { maxLength: 8 }).map((docks) => ({
    feeds: [...FEEDS],
    observations: docks.flatMap(({ east_m, sights }, i) =>
      sights.map(({ key, ...seen }, j) =>
        observe(
          seen.feed,
          `${prefix}${i}-${j}`,
          { east_m: east_m + seen.east_m, north_m },
          {
            name: seen.name,
            capacity: seen.capacity,
            modes: seen.modes,
            virtual: seen.virtual,
            keys: key === null ? {} : { short_name: `${prefix}key${key}` },
          },
        ),
      ),
    ),
  }));
}

/** A matching in words that do not depend on the order of the input. */
export function describeMatching({ feeds, observations }: World, matching: Matching): unknown {
  const call = (row: number): string =>
    `${feeds[observations[row]!.feed]!.id} ${observations[row]!.id}`;
  const pair = ({ a, b, score, reasons }: ScoredPair): unknown[] => [
    call(a),
    call(b),
    score,
    reasons,
  ];
  return {
    clusters: matching.clusters.map(({ members, confidence, pairs }) => ({
      confidence,
      members: members.map(call),
      pairs: pairs.map(pair),
    })),
    possible: matching.possible.map(pair),
  };
}
