/** What handing a big system over costs: 5,000 stations and 20,000 vehicles, as packs and text. */
import { gbfsProtocol } from "#stations/index.ts";
import type { Shard } from "#stations/shards.ts";
import { heldPacks, readHandover, writeHandover } from "#upstream/feeds/handover.ts";
import { createRecord } from "#upstream/feeds/feed-view.ts";
import { aShard, aStation, aVehicle, moved, HERE, NOW_MS } from "../test/support/domain.ts";
import { systemOf } from "../test/unit/feeds/support.ts";

const STATIONS = 5_000;
const VEHICLES = 20_000;
const RUNS = 200;

function build(): Shard {
  const at = (i: number) => moved(HERE, (i % 173) * 60, (i % 311) * 70);
  return aShard({
    stations: Array.from({ length: STATIONS }, (_, i) => aStation(`s${i}`, at(i))),
    vehicles: Array.from({ length: VEHICLES }, (_, i) => aVehicle(`v${i}`, { location: at(i) })),
  });
}

async function measure(name: string, task: () => unknown, runs = RUNS): Promise<void> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const begun = performance.now();
    await task();
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  const [median, worst] = [0.5, 0.99].map((share) => times[Math.floor(times.length * share)]!);
  console.log(`${name}: median ${median!.toFixed(2)} ms, p99 ${worst!.toFixed(2)} ms`);
}

const state = createRecord(systemOf("sys", "https://a.example/gbfs.json"), gbfsProtocol);
state.shard = build();
const { state: text, packs } = writeHandover(state, NOW_MS);
const published = { source_id: "sys", version: 1, state: text, packs };
const sizes = Array.from(packs.values(), (bytes) => bytes.length);
console.log(`text ${text.length} B, packs ${sizes.join(" + ")} B`);

const about = { source_id: "sys", stored: null, now_ms: NOW_MS };
const first = (await readHandover(published, about))!.shard;
const confirmed = { ...published, packs: new Map<string, Uint8Array>() };
await measure("write, packs known", () => writeHandover(state, NOW_MS));
const fresh = Array.from({ length: 20 }, build);
await measure(
  "write, all packs new",
  () => writeHandover({ ...state, shard: fresh.pop()! }, NOW_MS),
  20,
);
await measure("read, all packs held", () => readHandover(confirmed, { ...about, stored: first }));
await measure("read, all packs new", () => readHandover(published, about));
console.log(`held: ${heldPacks(first).size} packs`);
