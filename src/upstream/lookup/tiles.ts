/**
 * Fetches tiles of open data that a question needs and nobody holds or fetches yet: one call for
 * all of them, a little beyond the circle, so that its neighbours find theirs.
 */
import type { Failure, Outcome } from "#core/outcome.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import { boxesAround, type Tile, tilesOf } from "#core/places/tiles.ts";
import type { Clock, TileSink } from "#ports.ts";
import type { BoxLookup, BoxQuery, LookupSettings } from "#providers/lookup.ts";
import { type AskOptions, type Source, toLeft } from "#upstream/lookup/ask.ts";
import { type Caller, type CallerDeps, createCaller } from "#upstream/lookup/caller.ts";
import {
  createFlights,
  type Flight,
  type Flights,
  type Outlives,
} from "#upstream/lookup/flights.ts";
import { createSilentMeter } from "#upstream/lookup/meter.ts";
import type { LookupPolicy } from "#upstream/lookup/policy.ts";
import { REVALIDATED_MS } from "#core/time.ts";

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

type Landed = Outcome<{ raw: number }>;
type Pair = { kind: PlaceKind; tile: Tile };
type Context = {
  clock: Clock;
  tiles: TileSink;
  policy: LookupPolicy;
  flights: Flights<Landed>;
  call: Caller<BoxQuery, Place[]>;
};

export function createAskTiles<S extends LookupSettings>(
  lookup: BoxLookup<S>,
  source: Source<S>,
  deps: CallerDeps & { tiles: TileSink },
): AskTiles {
  const { clock, tiles } = deps;
  const { policy } = source;
  const call = createCaller(lookup, source, deps);
  const { meter = createSilentMeter() } = deps;
  const flights = createFlights<Landed>(meter.waiters);
  const context: Context = { clock, tiles, policy, call, flights };
  return async (question, { patience, freshness }) => {
    const now_ms = clock.now();
    const fresh_ms = freshness === "revalidate" ? REVALIDATED_MS : policy.fresh_ms;
    const usable_ms = freshness === null ? fresh_ms + policy.renew_ms : fresh_ms;
    const needed = pairsOf(question.kinds, tilesUnder(question, 0));
    const missing = needed.filter(olderThan(context, usable_ms));
    if (missing.length === 0) {
      const old = needed.filter(olderThan(context, fresh_ms));
      renew(context, old);
      meter.tiles[old.length > 0 ? "stale" : "hit"].count++;
      return { failure: null, cache: "hit", calls: 0, raw: 0 };
    }
    const found = missing.length < needed.length ? "partial" : "miss";
    meter.tiles[found].count++;
    const begun_after_ms = freshness === "revalidate" ? now_ms : 0;
    const { joined, calls } = board(context, missing, { question, begun_after_ms });
    const landings = await Promise.all([...joined].map((flight) => flight.wait(patience.left)));
    const outcomes = landings.map((each) => ("left" in each ? toLeft(each.left) : each.landed));
    return {
      failure: outcomes.find((outcome) => outcome.status !== "ok") ?? null,
      cache: found,
      calls,
      raw: outcomes.reduce((sum, each) => sum + (each.status === "ok" ? each.value.raw : 0), 0),
    };
  };
}

/** Not held, or held for longer than that. */
function olderThan({ clock, tiles }: Context, most_ms: number): (pair: Pair) => boolean {
  const now_ms = clock.now();
  return ({ kind, tile }) => {
    const held = tiles.get(kind, tile);
    return held === null || now_ms - held.fetched_at_ms > most_ms;
  };
}

/** In the background, and not twice. */
function renew(context: Context, old: readonly Pair[]): void {
  const unasked = old.filter((pair) => !context.flights.find(keyOf(pair), 0));
  if (unasked.length > 0) fly(context, unasked, "everybody");
}

/** The flights that bring what is missing: those in the air, and one for the rest. */
function board(
  context: Context,
  missing: readonly Pair[],
  { question, begun_after_ms }: { question: TileQuestion; begun_after_ms: number },
): { joined: ReadonlySet<Flight<Landed>>; calls: number } {
  const { flights, policy } = context;
  const joined = new Set<Flight<Landed>>();
  const unasked: Pair[] = [];
  for (const pair of missing) {
    const flight = flights.find(keyOf(pair), begun_after_ms);
    if (flight) joined.add(flight);
    else unasked.push(pair);
  }
  if (unasked.length === 0) return { joined, calls: 0 };
  const lacking = [...new Set(unasked.map(({ kind }) => kind))];
  const beside = pairsOf(lacking, tilesUnder(question, MARGIN_M))
    .filter(olderThan(context, policy.fresh_ms))
    .filter((pair) => !flights.find(keyOf(pair), 0));
  // Whoever's time is up has still asked for what the next one will ask for.
  joined.add(fly(context, [...unasked, ...beside], "deadlines"));
  return { joined, calls: 1 };
}

/** One call for all the pairs, and for what else lies between them. */
function fly(
  { flights, clock, call, tiles }: Context,
  pairs: readonly Pair[],
  outlives: Outlives,
): Flight<Landed> {
  const kinds = [...new Set(pairs.map(({ kind }) => kind))];
  const wanted = [...new Set(pairs.map(({ tile }) => tile))];
  const keys = pairsOf(kinds, wanted).map(keyOf);
  return flights.start(keys, { now_ms: clock.now(), outlives }, async (signal) => {
    const outcome = await call({ kinds, boxes: boxesAround(wanted) }, signal);
    if (outcome.status !== "ok") return outcome;
    tiles.put(kinds, wanted, outcome.value.value, outcome.fetched_at_ms);
    return { ...outcome, value: { raw: outcome.value.raw } };
  });
}

function tilesUnder({ lat, lon, radius_m }: TileQuestion, margin_m: number): Tile[] {
  return tilesOf(lat, lon, radius_m + margin_m);
}

function pairsOf(kinds: readonly PlaceKind[], tiles: readonly Tile[]): Pair[] {
  return kinds.flatMap((kind) => tiles.map((tile) => ({ kind, tile })));
}

function keyOf({ kind, tile }: Pair): string {
  return `${kind} ${tile}`;
}
