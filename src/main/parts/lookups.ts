/** What every source that is asked per request, and every register, is opened with. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { toListedId } from "#app/places/open-places.ts";
import type { RegisterDeps } from "#app/places/registers.ts";
import { createLookupHealth, type LookupHealth } from "#app/source-items.ts";
import { countAnswers } from "#observe/fleet-ports.ts";
import { noteLookups, noteRegistries } from "#observe/lookup-events.ts";
import { createLookupMeter } from "#observe/lookup-meter.ts";
import { type AskDeps, createLookupCache } from "#upstream/lookup/ask-source.ts";
import { ReadingTurns } from "#upstream/registers/reading-turns.ts";
import { threadReader } from "#upstream/register-thread.ts";
import { createTiles, type Tiles } from "#world/places/place-tiles.ts";
import { WORKERS } from "../workers.ts";
import type { Inputs, Made } from "./given.ts";

export type LookupDeps = AskDeps & RegisterDeps & { tiles: Tiles; health: LookupHealth };

type Needs =
  | "storage"
  | "shared"
  | "tracing"
  | "metrics"
  | "fleet"
  | "network"
  | "history"
  | "quality"
  | "spending";

export function toLookupDeps(
  { options, clock, random, log, onFault, serving }: Inputs,
  {
    storage,
    shared,
    tracing,
    metrics,
    fleet,
    network,
    history,
    quality,
    spending,
  }: Pick<Made, Needs>,
): LookupDeps {
  const health = createLookupHealth(clock.now);
  return {
    spending,
    documents: storage.documents,
    ...(shared ? { shared: countAnswers(shared.answers, fleet) } : {}),
    run: serving.resuming(network.runLookups),
    clock,
    onFault,
    random,
    cache: createLookupCache(clock),
    tiles: createTiles(),
    health,
    meter: createLookupMeter(metrics),
    readInThread: threadReader({ worker_url: WORKERS.register, onFault }),
    turns: new ReadingTurns(clock),
    pause: () => nextTurn(),
    onAttempt: noteLookups({
      ...{ log, metrics, tracing, history, quality, health },
      toListedId: (provider) => toListedId(provider, options.config),
    }),
    onRegistry: noteRegistries(log, { history, quality }),
  };
}
