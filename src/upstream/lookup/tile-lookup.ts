/**
 * Fetches tiles of open data that a request needs and that are neither held nor being fetched: one
 * call for all of them, a little beyond the circle, so that its neighbours find theirs.
 */
import type { Failure, Outcome } from "#kit/outcome.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import { boxesAround, type Tile, tilesOf } from "#kit/tiles.ts";
import type { Clock, TileSink } from "#ports.ts";
import type { BoxLookup, BoxQuery, LookupSettings } from "#providers/lookup.ts";
import type { AskOptions, LookupSource } from "#upstream/lookup/ask-source.ts";
import {
  type LookupCaller,
  type CallerDeps,
  createCaller,
  createSilentMeter,
} from "#upstream/lookup/lookup-caller.ts";
import {
  createInFlight,
  type GoesOn,
  type InFlight,
  type InFlightRequests,
} from "#upstream/lookup/in-flight.ts";
import type { LookupPolicy } from "#upstream/lookup/lookup-policy.ts";
import { REVALIDATED_MS } from "#kit/time.ts";

export type TileQuestion = {
  lat: number;
  lon: number;
  radius_m: number;
  kinds: readonly PlaceKind[];
};

/** The outcome for the tiles under a circle; the tiles themselves are in the store. */
export type TileReply = {
  /** null: everything needed is there. */
  failure: Failure | null;
  cache: "hit" | "miss" | "partial";
  /** Calls made on behalf of this request. */
  calls: number;
  /** Things the source sent for it. */
  raw: number;
};

export type AskTiles = (question: TileQuestion, options: AskOptions) => Promise<TileReply>;

/** A neighbour this far away needs no tile of its own. */
const MARGIN_M = 500;

type Fetched = Outcome<{ raw: number }>;
type Pair = { kind: PlaceKind; tile: Tile };
type Context = {
  clock: Clock;
  tiles: TileSink;
  policy: LookupPolicy;
  inflight: InFlightRequests<Fetched>;
  call: LookupCaller<BoxQuery, Place[]>;
};

export function createAskTiles<S extends LookupSettings>(
  lookup: BoxLookup<S>,
  source: LookupSource<S>,
  deps: CallerDeps & { tiles: TileSink },
): AskTiles {
  const { clock, tiles } = deps;
  const { policy } = source;
  const call = createCaller(lookup, source, deps);
  const { meter = createSilentMeter() } = deps;
  const inflight = createInFlight<Fetched>({
    waiters: meter.waiters,
    onFault: (error) => deps.onFault(`source ${lookup.id}`, error),
  });
  const context: Context = { clock, tiles, policy, call, inflight };
  return async (question, { signal, freshness }) => {
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
    const text = missing.length < needed.length ? "partial" : "miss";
    meter.tiles[text].count++;
    const begun_after_ms = freshness === "revalidate" ? now_ms : 0;
    const { joined, calls } = joinOrSend(context, missing, { question, begun_after_ms });
    const outcomes = await Promise.all([...joined].map((request) => request.wait(signal)));
    return {
      failure: outcomes.find((outcome) => outcome.status !== "ok") ?? null,
      cache: text,
      calls,
      raw: outcomes.reduce((sum, each) => sum + (each.status === "ok" ? each.value.raw : 0), 0),
    };
  };
}

/** Not held, or held for longer than that. */
function olderThan({ clock, tiles }: Context, most_ms: number): (pair: Pair) => boolean {
  const now_ms = clock.now();
  return ({ kind, tile }) => {
    const stored = tiles.get(kind, tile);
    return stored === null || now_ms - stored.fetched_at_ms > most_ms;
  };
}

/** In the background, and not twice. */
function renew(context: Context, old: readonly Pair[]): void {
  const unasked = old.filter((pair) => !context.inflight.find(keyOf(pair), 0));
  if (unasked.length > 0) send(context, unasked, "always");
}

/** The requests that bring what is missing: those in flight, and one for the rest. */
function joinOrSend(
  context: Context,
  missing: readonly Pair[],
  { question, begun_after_ms }: { question: TileQuestion; begun_after_ms: number },
): { joined: ReadonlySet<InFlight<Fetched>>; calls: number } {
  const { inflight, policy } = context;
  const joined = new Set<InFlight<Fetched>>();
  const unasked: Pair[] = [];
  for (const pair of missing) {
    const request = inflight.find(keyOf(pair), begun_after_ms);
    if (request) joined.add(request);
    else unasked.push(pair);
  }
  if (unasked.length === 0) return { joined, calls: 0 };
  const lacking = [...new Set(unasked.map(({ kind }) => kind))];
  const nearby = pairsOf(lacking, tilesUnder(question, MARGIN_M))
    .filter(olderThan(context, policy.fresh_ms))
    .filter((pair) => !inflight.find(keyOf(pair), 0));
  // A request whose time is up has still asked for what the next one will ask for.
  joined.add(send(context, [...unasked, ...nearby], "after_deadline"));
  return { joined, calls: 1 };
}

/** One call for all the pairs, and for what else lies between them. */
function send(
  { inflight, clock, call, tiles }: Context,
  pairs: readonly Pair[],
  goes_on: GoesOn,
): InFlight<Fetched> {
  const kinds = [...new Set(pairs.map(({ kind }) => kind))];
  const wanted = [...new Set(pairs.map(({ tile }) => tile))];
  const keys = pairsOf(kinds, wanted).map(keyOf);
  return inflight.start(keys, { now_ms: clock.now(), goes_on }, async (signal) => {
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
