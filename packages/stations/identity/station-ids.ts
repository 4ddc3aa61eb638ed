/**
 * Chooses the id of a station (R11): the one it has had, else that of the source known longest, else
 * that of the best source. So an id survives sources that come, go and renumber.
 */

/** One observation of a station, as far as ids go. */
export type Bearer = {
  /** Unique over sources: orders what is otherwise alike. */
  key: string;
  /** The id made of its own key (packages/kit/ids). */
  derived: string;
  /** The id it bore before, when that is another. */
  bridged: string | null;
  /** When this deployment first knew its source, epoch ms. */
  since_ms: number;
  /** Of its kind of source, best first (SOURCE_KINDS). */
  rank: number;
};

/**
 * One id for each station, a station being its observations; no id twice. An id made of a key that
 * is among the observations belongs to the station that holds it: when two that were one part, each
 * is itself again.
 */
export function assignIds(stations: readonly (readonly Bearer[])[]): string[] {
  const owners = new Map<string, number>();
  stations.forEach((bearers, station) => {
    for (const { derived } of bearers) owners.set(derived, station);
  });
  const taken = new Set<string>();
  return stations.map((bearers, station) => {
    const isFree = (id: string): boolean =>
      !taken.has(id) && (owners.get(id) ?? station) === station;
    // Its own key's id is always free to a station: no other may take it.
    const id = findBest(bearers, "bridged", isFree) ?? findBest(bearers, "derived", isFree)!;
    taken.add(id);
    return id;
  });
}

/** The id of this kind that the bearer of best standing brings. */
function findBest(
  bearers: readonly Bearer[],
  kind: "bridged" | "derived",
  isFree: (id: string) => boolean,
): string | null {
  let best: Bearer | null = null;
  for (const bearer of bearers) {
    const id = bearer[kind];
    if (id !== null && isFree(id) && (best === null || byStanding(bearer, best) < 0)) best = bearer;
  }
  return best && best[kind];
}

function byStanding(a: Bearer, b: Bearer): number {
  return a.since_ms - b.since_ms || a.rank - b.rank || (a.key < b.key ? -1 : 1);
}
