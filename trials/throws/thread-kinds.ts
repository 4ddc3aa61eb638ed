/** Each kind of thread that the service has, with a job for it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NoteFault } from "#kit/guard.ts";
import { threadBaseImport } from "#osm/imports.ts";
import type { SearchJob } from "#osm/names.ts";
import type { GroupJob } from "#stations/resolution.ts";
import { threadImport } from "#transit/imports.ts";
import { openDatabase } from "#storage/embedded/database.ts";
import { createDatasetsWorker } from "#storage/embedded/datasets.ts";
import { createLedgerWorker } from "#storage/embedded/ledger.ts";
import { DATASET_MIGRATIONS } from "#storage/embedded/migrations.ts";
import { createTransitWorker } from "#storage/embedded/transit.ts";
import { ingest } from "#providers/protocols.ts";
import { IngestPool } from "#upstream/feeds/ingest-pool.ts";
import { createIdentityThread } from "#upstream/identity-thread.ts";
import { threadReader } from "#upstream/register-thread.ts";
import { runInThread, Thread } from "#kit/run/thread.ts";
import { aStatics, aStation, HERE } from "../../test/support/domain.ts";
import { ingestJobOf } from "../../test/unit/feeds/jobs.ts";

/** `run`: a job that is done, or null where it has failed. */
type OpenedThread = { run(): Promise<unknown>; close(): Promise<unknown> };
export type ThreadKind = { plant: string; open(folder: string, onFault: NoteFault): OpenedThread };

const workerOf = (name: string): URL =>
  new URL(`../../src/main/workers/${name}.ts`, import.meta.url);
const limits = { max_heap_mb: 256, job_timeout_ms: 60_000 };
const signal = new AbortController().signal;
const nothing = (): Promise<void> => Promise.resolve();

/** A question that is asked of no page. */
const SEARCH_JOB: SearchJob = {
  ...{ pages: [], names: [], gone: [], words: [], groups: [] },
  query: { q: "", language: null, country: null, near: null, limit: 1 },
  interest: false,
  weighing: { names: [], pages: [] },
  budget: { looks: 1, keeps: 1 },
  wanted: "items",
};

export const THREADS: Readonly<Record<string, ThreadKind>> = {
  ingest: {
    plant: "src/providers/protocols.ts#ingest",
    open(_, onFault) {
      const bounds = { inline_below_bytes: 0, inline_statics_below_bytes: 0 };
      const pool = new IngestPool({
        ...bounds,
        inline: ingest,
        worker_url: workerOf("ingest"),
        onFault,
      });
      const run = async () => (await pool.ingest(ingestJobOf())).statics;
      return { run, close: () => pool.close() };
    },
  },
  identity: {
    plant: "packages/stations/identity/group.ts#resolveGroup",
    open(_, onFault) {
      const thread = createIdentityThread({ worker_url: workerOf("identity"), onFault });
      return { run: () => thread.run(identityJob()), close: () => thread.close() };
    },
  },
  live: {
    plant: "packages/transit/schedule/feed-pack.ts#openFeed",
    open(_, onFault) {
      const slot = new Thread({ ...limits, worker_url: workerOf("live"), onFault });
      const job = { pack: { feed_id: "f", version: 1, bytes: new Uint8Array(9) }, messages: [] };
      return { run: () => slot.run(job), close: () => slot.close() };
    },
  },
  import: {
    plant: "packages/transit/archive/import-archive.ts#importGtfs",
    open(_, onFault) {
      const read = threadImport({ worker_url: workerOf("import"), onFault });
      const options = { feed_id: "f", region: null, now_ms: 1 };
      return { run: async () => expect(await read({ path: "/nowhere" }, options)), close: nothing };
    },
  },
  base: {
    plant: "packages/osm-base/reader/import-extract.ts#readExtract",
    open(folder, onFault) {
      const read = threadBaseImport({ worker_url: workerOf("base"), onFault });
      const options = { id: "b", region: null, now_ms: 1, target: { folder, write: nothing } };
      const path = join(folder, "a.osm.pbf");
      writeFileSync(path, "no extract");
      const run = async (): Promise<unknown> => {
        const result = await read(path, options);
        return !result.ok && /not an \.osm\.pbf file/.test(result.problem) ? result.problem : null;
      };
      return { run, close: nothing };
    },
  },
  search: {
    plant: "packages/osm-base/geocoder/page-search.ts#rankGroups",
    open(_, onFault) {
      const thread = new Thread({ ...limits, worker_url: workerOf("search"), onFault });
      return { run: () => thread.run(SEARCH_JOB), close: () => thread.close() };
    },
  },
  register: {
    plant: "packages/kit/trail.ts#createTrail",
    open(_, onFault) {
      const read = threadReader({ worker_url: workerOf("register"), onFault });
      const settings = { url: "https://source.example", timeout_ms: 1 };
      const run = async (): Promise<unknown> => {
        const document = {
          id: "none",
          settings,
          body: new Uint8Array(),
          companions: { bodies: [] },
        };
        const { reason } = await read(document, { take: nothing, signal });
        return reason === "wrong_shape" ? reason : null;
      };
      return { run, close: nothing };
    },
  },
  catalogue: {
    plant: "src/providers/mobilitydb/mobilitydb-catalogue.ts#readCatalogue",
    open(_, onFault) {
      const bounds = { ...limits, worker_url: workerOf("catalogue"), onFault };
      const run = async (): Promise<unknown> => {
        const read = await runInThread(new TextEncoder().encode("id"), bounds);
        return read.ok ? "read" : null;
      };
      return { run, close: nothing };
    },
  },
  ledger: {
    plant: "src/storage/embedded/ledger-statements.ts#createLedgerWriter",
    open(folder, onFault) {
      const path = join(folder, "ledger.db");
      openDatabase(path).close();
      const worker = createLedgerWorker(path, onFault);
      const message = { kind: "forget", before_ms: 0, after_id: "" } as const;
      return { run: () => worker.send(message), close: () => worker.close() };
    },
  },
  datasets: {
    plant: "src/storage/embedded/datasets-writer.ts#createDatasetWriter",
    open(folder, onFault) {
      const path = join(folder, "datasets.db");
      openDatabase(path, DATASET_MIGRATIONS).close();
      const worker = createDatasetsWorker(path, onFault);
      return { run: () => worker.send({ kind: "forget", now_ms: 0 }), close: () => worker.close() };
    },
  },
  transit: {
    plant: "src/storage/embedded/transit-store.ts#createTransitStore",
    open(folder, onFault) {
      const path = join(folder, "transit.db");
      openDatabase(path).close();
      const worker = createTransitWorker(path, onFault);
      return {
        run: () => worker.send({ kind: "read", feed_id: "f" }),
        close: () => worker.close(),
      };
    },
  },
};

function identityJob(): GroupJob {
  const systems = ["gbfs", "citybikes"].map((id) => ({
    source_id: id,
    since_ms: 0,
    ids: [JSON.stringify([["s0", `kept-${id}`]])],
    rents: null,
    docks: null,
    statics: aStatics({ id, source: id, name: "City", stations: [aStation("s0", HERE)] }).buffer,
  }));
  const past = { statics: null, recalled: null };
  return { systems, past, overrides: { always: [], never: [] }, now_s: 1 };
}

/** A file that is not there is a problem, and no defect. */
function expect(result: { ok: boolean; problem?: string }): unknown {
  return result.problem?.includes("no such file") ? result.problem : null;
}
