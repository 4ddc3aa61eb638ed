/**
 * Fetches tiles of open data that a question needs and nobody holds or fetches yet: one call for
 * all of them, a little beyond the circle, so that its neighbours find theirs.
 */
import type { Failure, Outcome } from "#core/outcome.ts";
import type { PlaceKind } from "#core/places/place.ts";
import { boxesAround, type Tile, tilesOf } from "#core/places/tiles.ts";
import type { TileSink } from "#ports.ts";
import type { BoxLookup, LookupSettings } from "#providers/lookup.ts";
import { type AskOptions, type Source, toLeft } from "#upstream/lookup/ask.ts";
import { type CallerDeps, createCaller } from "#upstream/lookup/caller.ts";
import { createFlights, type Flight } from "#upstream/lookup/flights.ts";

export type TileQuestion = {
  lat: number;
  lon: number;
  radius_m: number;
  kinds: readonly PlaceKind[];
};

/** What became of the tiles under a circle. What is held of them is in the store. */
export type TileReply = {
  /** null: everything needed is there. */
  failure: Failure | null;
  cache: "hit" | "miss" | "partial";
  /** Requests made on behalf of this question. */
  calls: number;
  /** Things the source sent for it. */
  raw: number;
};

export type AskTiles = (question: TileQuestion, options: AskOptions) => Promise<TileReply>;

/** A neighbour this far away needs no tile of his own. */
const MARGIN_M = 500;
const REVALIDATED_MS = 5_000;

type Landed = Outcome<{ raw: number }>;
type Pair = { kind: PlaceKind; tile: Tile };

export function createAskTiles<S extends LookupSettings>(
  lookup: BoxLookup<S>,
  source: Source<S>,
  deps: CallerDeps & { tiles: TileSink },
): AskTiles {
  const { clock, tiles } = deps;
  const { policy } = source;
  const flights = createFlights<Landed>();
  const call = createCaller(lookup, source, deps);

  /** One call for all the pairs, and for what else lies between them. */
  function fly(pairs: readonly Pair[], renewing: boolean): Flight<Landed> {
    const kinds = [...new Set(pairs.map(({ kind }) => kind))];
    const wanted = [...new Set(pairs.map(({ tile }) => tile))];
    const keys = kinds.flatMap((kind) => wanted.map((tile) => keyOf({ kind, tile })));
    const outlives = renewing ? "everybody" : "deadlines";
    return flights.start(keys, { now_ms: clock.now(), outlives }, async (signal) => {
      const outcome = await call({ kinds, boxes: boxesAround(wanted) }, signal);
      if (outcome.status !== "ok") return outcome;
      tiles.put(kinds, wanted, outcome.value.value, outcome.fetched_at_ms);
      return { ...outcome, value: { raw: outcome.value.raw } };
    });
  }

  return async ({ lat, lon, radius_m, kinds }, { patience, freshness }) => {
    const now_ms = clock.now();
    const fresh_ms = freshness === "revalidate" ? REVALIDATED_MS : policy.fresh_ms;
    const usable_ms = freshness === null ? fresh_ms + policy.renew_ms : fresh_ms;
    const olderThan = (most_ms: number) => (pair: Pair) => {
      const held = tiles.get(pair.kind, pair.tile);
      return held === null || now_ms - held.fetched_at_ms > most_ms;
    };
    const needed = pairsOf(kinds, tilesOf(lat, lon, radius_m));
    const missing = needed.filter(olderThan(usable_ms));
    if (missing.length === 0) {
      const old = needed
        .filter(olderThan(fresh_ms))
        .filter((pair) => !flights.find(keyOf(pair), 0));
      if (old.length > 0) fly(old, true);
      return { failure: null, cache: "hit", calls: 0, raw: 0 };
    }
    const begun_after_ms = freshness === "revalidate" ? now_ms : 0;
    const joined = new Set<Flight<Landed>>();
    const unasked: Pair[] = [];
    for (const pair of missing) {
      const flight = flights.find(keyOf(pair), begun_after_ms);
      if (flight) joined.add(flight);
      else unasked.push(pair);
    }
    if (unasked.length > 0) {
      const lacking = [...new Set(unasked.map(({ kind }) => kind))];
      const around = pairsOf(lacking, tilesOf(lat, lon, radius_m + MARGIN_M));
      const beside = around
        .filter(olderThan(fresh_ms))
        .filter((pair) => !flights.find(keyOf(pair), 0));
      joined.add(fly([...unasked, ...beside], false));
    }
    const landings = await Promise.all([...joined].map((flight) => flight.wait(patience.left)));
    const outcomes = landings.map((each) => ("left" in each ? toLeft(each.left) : each.landed));
    return {
      failure: outcomes.find((outcome) => outcome.status !== "ok") ?? null,
      cache: missing.length < needed.length ? "partial" : "miss",
      calls: unasked.length > 0 ? 1 : 0,
      raw: outcomes.reduce((sum, each) => sum + (each.status === "ok" ? each.value.raw : 0), 0),
    };
  };
}

function pairsOf(kinds: readonly PlaceKind[], tiles: readonly Tile[]): Pair[] {
  return kinds.flatMap((kind) => tiles.map((tile) => ({ kind, tile })));
}

function keyOf({ kind, tile }: Pair): string {
  return `${kind} ${tile}`;
}
