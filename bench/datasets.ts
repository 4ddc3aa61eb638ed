/**
 * npm run bench -- datasets [--seconds N] [--folder DIR] [--postgres]: datasets put and read as the
 * service does it, in a folder or in a PostgreSQL of its own, 32 at a time, with bodies that look like
 * those of /v1/nearby, no two alike. Reports the rates, how well the bodies compress, and how long the
 * answering event loop was blocked.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { readArguments } from "../trials/arguments.ts";
import { newDatasetId } from "#core/datasets/id.ts";
import type { Datasets, NewDataset } from "#ports.ts";
import { pack } from "#storage/datasets-content.ts";
import { openStorage } from "#storage/open-storage.ts";
import {
  createPostgresDatasets,
  DatasetSecret,
  provideDatasetSecret,
} from "#storage/postgres/datasets.ts";
import { startPostgres } from "../test/support/engines.ts";
import { openStore } from "../test/support/postgres-store.ts";
import { noFault } from "../test/support/faults.ts";

const { seconds, folder, postgres } = readArguments(process.argv.slice(2), {
  seconds: 4,
  folder: tmpdir(),
  postgres: false,
});
const CONCURRENCY = 32;
const SIZES = [24_000, 120_000];

const { datasets, close } = postgres ? await openPostgres() : openFolder();

console.log("| what | bytes | a second | ms p50 | ms p99 | loop ms p99 | packed |");
console.log("|---|---|---|---|---|---|---|");
for (const bytes of SIZES) {
  const base = sampleBody(bytes);
  const ids: string[] = [];
  await measure("put", bytes, async (turn) => {
    const dataset = toDataset(base, turn);
    if ((await datasets.put(dataset)) !== "stored") throw new Error("refused");
    ids.push(dataset.id);
  });
  await measure("read", bytes, async (turn) => {
    const read = await datasets.read(ids[(turn * 7919) % ids.length]!, "body");
    if (read.status !== "ok" || read.bytes.length !== base.length) throw new Error(read.status);
    // As the next request would come in a turn of its own.
    await new Promise((resolve) => void setImmediate(resolve));
  });
}
await close();

type Opened = { datasets: Datasets; close(): Promise<void> };

function openFolder(): Opened {
  const data_dir = mkdtempSync(join(folder, "vicinity-bench-"));
  const storage = openStorage({ data_dir, mode: "live" });
  if ("problem" in storage) throw new Error(storage.problem);
  storage.datasets.start();
  return {
    datasets: storage.datasets,
    async close() {
      await Promise.all([storage.usage.close(), storage.datasets.close()]);
      storage.close();
      const { size } = statSync(join(data_dir, "live", "datasets.db"));
      console.log(`\nthe file: ${size} bytes`);
      rmSync(data_dir, { recursive: true });
    },
  };
}

async function openPostgres(): Promise<Opened> {
  const engine = await startPostgres({ durable: true });
  if (!engine) throw new Error("the package postgresql is missing");
  const store = await openStore(engine);
  const pool = store.openPool();
  const postgres_datasets = createPostgresDatasets(
    pool,
    new DatasetSecret(await provideDatasetSecret(pool)),
    (error) => noFault("datasets", error),
  );
  return {
    datasets: postgres_datasets,
    async close() {
      await postgres_datasets.close();
      await store.closeAll();
      await engine.stop();
    },
  };
}

async function measure(
  what: string,
  bytes: number,
  task: (turn: number) => Promise<void>,
): Promise<void> {
  const took: number[] = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let turn = 0;
  const begun = performance.now();
  const end = begun + seconds * 1000;
  delay.enable();
  const loop = async (): Promise<void> => {
    while (performance.now() < end) {
      const at = performance.now();
      await task(turn++);
      took.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, loop));
  delay.disable();
  const elapsed_s = (performance.now() - begun) / 1000;
  took.sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((q) => took[Math.floor(took.length * q)]!.toFixed(2));
  const loop_p99 = (delay.percentile(99) / 1e6).toFixed(2);
  const ratio = (bytes / pack(sampleBody(bytes)).length).toFixed(1);
  const rate = Math.round(took.length / elapsed_s);
  console.log(`| ${[what, bytes, rate, p50, p99, loop_p99, `1 : ${ratio}`].join(" | ")} |`);
}

/** Ids and numbers that do not pack; the members around them do. */
function sampleBody(bytes: number): Buffer {
  const stations: unknown[] = [];
  for (let length = 100; length < bytes; length += JSON.stringify(stations.at(-1)).length + 1)
    stations.push(sampleStation(stations.length));
  const body = Buffer.from(JSON.stringify({ status: "success", results: { stations } }));
  return Buffer.concat([body], bytes);
}

function sampleStation(index: number): unknown {
  const [a = 0, b = 0, c = 0] = randomBytes(3);
  return {
    id: `svc_station_${randomBytes(13).toString("hex").slice(0, 20)}`,
    entity_type: "station",
    mode: "bicycle",
    name: `${c} ${randomBytes(6).toString("base64")}`,
    location: { lat: 48.85 + a / 9_973, lon: 2.35 + b / 9_967 },
    distance_meters: index * 7 + (c % 7),
    availability: {
      vehicles: a % 30,
      docks: b % 30,
      disabled_vehicles: c % 3,
      disabled_docks: null,
      is_installed: true,
      is_renting: true,
      is_returning: true,
      last_reported: `2026-11-21T12:${10 + (a % 50)}:${10 + (b % 50)}Z`,
    },
    provenance: [{ source_id: "velib", fetched_at: "2026-11-21T12:59:00Z", license: "ODbL-1.0" }],
    resolution_status: "single",
    resolution_confidence: 1,
  };
}

/** Another body each turn: nothing is stored twice. */
function toDataset(base: Buffer, turn: number): NewDataset {
  const body = Buffer.from(base);
  body.write(`${turn} `.padStart(12), 24);
  const now_ms = Date.now();
  const issue = { secret: datasets.secret, now_ms, random: randomBytes(10) };
  return {
    id: newDatasetId("public", issue),
    owner: "public",
    version: `1-${turn}`,
    quota_key: `address ${turn % 1_000}`,
    quota_max: 100_000,
    created_at_ms: now_ms,
    expires_at_ms: now_ms + 86_400_000,
    observation: base.subarray(0, 1_500),
    body,
  };
}
