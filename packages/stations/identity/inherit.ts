/**
 * A source that renumbers its stations: what it publishes now is matched with what it published
 * before, as if they were two sources, so that a station keeps its id under its new key.
 */
import { resolveObservations } from "./match-stations.ts";
import type { Feed, Observation } from "./observed-station.ts";

/** A station of the last file, or of an earlier one that it has vanished from. */
export type Before = Omit<Observation, "feed"> & {
  /** When it was missed first, epoch s; null: it was in the last file. */
  gone_s: number | null;
};

/** A key that vanished is remembered this long: winter breaks are shorter. */
const REMEMBER_S = 180 * 24 * 3600;

export type Inheritance = {
  /** Key of now → key of before, where the station is the same. */
  heirs: Map<string, string>;
  /** What to remember: stations of now, and the vanished ones that no heir was found for. */
  seen: Before[];
};

/** Hands ids on. `now` are observations of one feed, `before` what was remembered of it. */
export function inherit(
  feed: Feed,
  before: readonly Before[],
  now: readonly Observation[],
  now_s: number,
): Inheritance {
  const ids = new Set(before.map(({ id }) => id));
  const present = new Set(now.map(({ id }) => id));
  const vanished = before.filter(({ id }) => !present.has(id));
  const heirs = findHeirs(
    feed,
    vanished,
    now.filter(({ id }) => !ids.has(id)),
  );
  const inherited = new Set(heirs.values());
  const seen: Before[] = now.map(toBefore);
  for (const station of vanished) {
    const gone_s = station.gone_s ?? now_s;
    if (!inherited.has(station.id) && now_s - gone_s < REMEMBER_S)
      seen.push({ ...station, gone_s });
  }
  return { heirs, seen };
}

/** A station that is published now, as it will be remembered. */
export function toBefore(station: Observation): Before {
  const { id, name, lat, lon, modes, capacity, virtual, keys } = station;
  return { id, name, lat, lon, modes, capacity, virtual, keys, gone_s: null };
}

function findHeirs(
  feed: Feed,
  vanished: readonly Before[],
  appeared: readonly Observation[],
): Map<string, string> {
  const heirs = new Map<string, string>();
  if (vanished.length === 0 || appeared.length === 0) return heirs;
  const feeds = [feed, { ...feed, id: `${feed.id}@before` }];
  const observations: Observation[] = [
    ...appeared.map((station) => ({ ...station, feed: 0 })),
    ...vanished.map((station) => ({ ...station, feed: 1 })),
  ];
  for (const { members } of resolveObservations(feeds, observations).clusters) {
    const heir = members.find((member) => member < appeared.length);
    const origin = members.find((member) => member >= appeared.length);
    if (heir !== undefined && origin !== undefined)
      heirs.set(observations[heir]!.id, observations[origin]!.id);
  }
  return heirs;
}
