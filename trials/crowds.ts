/**
 * How long the serving thread is blocked while feeds are resolved that are made to hold it up, and
 * the largest that are not. The packs are made beforehand, as the parsing thread makes them.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readArguments } from "./arguments.ts";
import type { Shard, StationInfo } from "#stations/shards.ts";
import { openStorage } from "#storage/open-storage.ts";
import { createIdentityThread } from "#upstream/identity-thread.ts";
import { createIdentity } from "#world/identity/world-identity.ts";
import { createWorld } from "#world/world.ts";
import { aShard, aStation, HERE, moved } from "../test/support/domain.ts";
import { noFault } from "../test/support/faults.ts";

const WORKER = new URL("../src/main/workers/identity.ts", import.meta.url);
const NAME = "Vélocité Testville";

/** Refused, unresolved or merged: all that matters is how long the serving thread waits for it. */
type Story = { what: string; shards: () => Shard[]; outcomes: (string | null)[] };

const STORIES: Story[] = [
  {
    what: "60,000 stations at one point, named as a neighbour of 10",
    shards: () => [city("a", "gbfs", 10), crowd("b", 60_000)],
    outcomes: [null, "too_dense"],
  },
  {
    what: "two feeds of 2,000 stations at one place, of one name",
    shards: () => [crowd("a", 2_000), crowd("b", 2_000)],
    outcomes: ["too_dense", "too_dense"],
  },
  {
    what: "600 names of 4,080 blanks, and a neighbour",
    shards: () => [city("a", "gbfs", 600), city("b", "citybikes", 600, `a${" ".repeat(4_080)}b`)],
    outcomes: [null, null],
  },
  {
    what: "90,000 stations a metre and a bit apart around 10 of a neighbour",
    shards: () => [city("a", "gbfs", 10), lawn("b", 300)],
    outcomes: [null, null],
  },
  {
    what: "60,000 docks and a copy of them",
    shards: () => [city("a", "gbfs", 60_000), city("b", "citybikes", 60_000)],
    outcomes: [null, null],
  },
];

/** Docks 170 m apart. */
function city(id: string, source: string, docks: number, name?: string): Shard {
  const side = Math.ceil(Math.sqrt(docks));
  return system(
    id,
    source,
    Array.from({ length: docks }, (_, i) =>
      aStation(`${id}${i}`, {
        name: name === undefined ? `Dock ${i}` : `${name} ${i}`,
        ...moved(HERE, Math.floor(i / side) * 170, (i % side) * 170),
      }),
    ),
  );
}

function crowd(id: string, stations: number): Shard {
  return system(
    id,
    "citybikes",
    Array.from({ length: stations }, (_, i) => aStation(`${id}${i}`)),
  );
}

function lawn(id: string, side: number): Shard {
  return system(
    id,
    "citybikes",
    Array.from({ length: side * side }, (_, i) =>
      aStation(`${id}${i}`, moved(HERE, Math.floor(i / side) * 1.2, (i % side) * 1.2)),
    ),
  );
}

function system(id: string, source: string, stations: StationInfo[]): Shard {
  return aShard({ id, source, name: NAME, stations, statuses: null });
}

export async function run(args: readonly string[]): Promise<number> {
  const { most_ms } = readArguments(args, { most_ms: 50 });
  let findings = 0;
  for (const { what, shards, outcomes } of STORIES) {
    const measured = await measure(shards());
    const tooLong = measured.pause_ms > most_ms;
    const isOther = JSON.stringify(measured.outcomes) !== JSON.stringify(outcomes);
    if (tooLong || isOther) findings++;
    console.log(
      `${tooLong || isOther ? "✖" : "✔"} ${what}: longest pause ${measured.pause_ms.toFixed(1)} ms, ` +
        `all of it ${measured.elapsed_ms.toFixed(0)} ms, outcomes ${JSON.stringify(measured.outcomes)}`,
    );
  }
  return findings;
}

async function measure(
  shards: readonly Shard[],
): Promise<{ pause_ms: number; elapsed_ms: number; outcomes: (string | null)[] }> {
  const data_dir = mkdtempSync(join(tmpdir(), "vicinity-crowds-"));
  const storage = openStorage({ data_dir, mode: "live" });
  if ("problem" in storage) throw new Error(storage.problem);
  const thread = createIdentityThread({ worker_url: WORKER, onFault: noFault });
  const identity = createIdentity({
    bridges: storage.bridges,
    overrides: { always: [], never: [] },
    now: Date.now,
    resolve: (job) => thread.run(job),
    pause: () => nextTurn(),
  });
  const world = createWorld(identity);
  for (const { source_id } of shards) world.register({ source_id, country: null });
  // The thread is up, as it is in a service that reads its first feed.
  await world.put({ ...shards[0]!, statics: aShard({ id: shards[0]!.source_id }).statics });
  const watch = watchPauses();
  const begun_ms = performance.now();
  const outcomes = await Promise.all(shards.map(async (shard) => world.put(shard)));
  const elapsed_ms = performance.now() - begun_ms;
  const pause_ms = watch();
  await thread.close();
  storage.close();
  rmSync(data_dir, { recursive: true });
  return { pause_ms, elapsed_ms, outcomes };
}

/** Stops watching, and gives the longest time between two turns of the event loop. */
function watchPauses(): () => number {
  let last_ms = performance.now();
  let longest_ms = 0;
  let over = false;
  const look = (): void => {
    const now_ms = performance.now();
    longest_ms = Math.max(longest_ms, now_ms - last_ms);
    last_ms = now_ms;
    if (!over) setImmediate(look);
  };
  setImmediate(look);
  return () => {
    over = true;
    look();
    return longest_ms;
  };
}
