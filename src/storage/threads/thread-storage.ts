/**
 * The stores of a thread that serves next to others (docs/workers.md): it reads the data folder by connections
 * of its own, writes its own journal of usage, and has all else written by the thread that holds the folder.
 */
import { join } from "node:path";
import { dayOf, monthOf } from "#core/metering/metering-periods.ts";
import { guard, type NoteFault } from "#kit/guard.ts";
import type { Datasets, SpendStore } from "#ports.ts";
import { baseFolder, createBaseStore } from "#storage/base-files.ts";
import { createAccounts } from "#storage/embedded/accounts.ts";
import { createBridges } from "#storage/embedded/bridges.ts";
import { type DatabaseSync, openDatabase } from "#storage/embedded/database.ts";
import { createDatasetReader } from "#storage/embedded/datasets-reader.ts";
import { diskSpaceOf, floorOf } from "#storage/embedded/disk.ts";
import { createDocumentStore } from "#storage/embedded/documents.ts";
import { FileNames } from "#storage/embedded/file-names.ts";
import { createLedgerReader, type LedgerReader } from "#storage/embedded/ledger-statements.ts";
import { DATASET_MIGRATIONS, MIGRATIONS } from "#storage/embedded/migrations.ts";
import { DATABASES } from "#storage/embedded/private-files.ts";
import { reportAccounts } from "#storage/embedded/reported-accounts.ts";
import { createEmbeddedTransitStore, createTransitWorker } from "#storage/embedded/transit.ts";
import { toLine } from "#storage/error-line.ts";
import type { DataPlace, Storage } from "#storage/open-storage.ts";
import { type HealthEvent, StoreHealth } from "#storage/store-health.ts";
import { folderFailure } from "#storage/store-reasons.ts";
import { timeOf } from "#storage/store-time.ts";
import { openJournal } from "#storage/usage/journal.ts";
import type { EventsText, Ledger } from "#storage/usage/usage-ledger.ts";
import { createUsageWriter, type UsageWriter } from "#storage/usage/writer.ts";
import type { SharedCounts } from "./shared-counts.ts";
import { type ClaimCalls, claimsOver } from "./thread-claims.ts";

/** Functions of the thread that holds the folder. */
export type StoreCalls = ClaimCalls & {
  /** false: the ledger did not take them, and they come again. */
  countEvents(events: EventsText): Promise<boolean>;
  putDataset: Datasets["put"];
  keepDatasetOn: Datasets["keepOn"];
  addSpend: SpendStore["add"];
};

type Later<F> = F extends (...args: infer A) => infer R
  ? (...args: A) => Promise<Awaited<R>>
  : never;

export type ThreadStorageDeps = {
  /** Number of the thread, from 1. */
  thread: number;
  /** Of the datasets. */
  secret: Uint8Array;
  counts: SharedCounts;
  calls: { [K in keyof StoreCalls]: Later<StoreCalls[K]> };
  onHealth(event: HealthEvent): void;
  onDefect: NoteFault;
};

export function openThreadStorage({ data_dir, mode }: DataPlace, deps: ThreadStorageDeps): Storage {
  const { thread, secret, calls, onHealth, onDefect } = deps;
  const folder = join(data_dir, mode);
  const time = timeOf(onDefect);
  const path = join(folder, DATABASES.main);
  const database = openDatabase(path, MIGRATIONS, { opening: "command" });
  const datasets = openDatabase(join(folder, DATABASES.datasets), DATASET_MIGRATIONS, {
    opening: "command",
  });
  const health = new StoreHealth("folder", { time, onEvent: onHealth });
  const journal = openJournal(
    folder,
    {
      time,
      onFault: (error) =>
        health.fail("journal", folderFailure(error) ?? { reason: "broken", detail: toLine(error) }),
      onKept: () => health.succeed("journal"),
      onDefect,
    },
    thread,
  );
  const space = () => {
    const { free, ...size } = diskSpaceOf(folder);
    return { free, floor: floorOf({ free, ...size }) };
  };
  const reader = createLedgerReader(database);
  const ledger = toLedger(calls.countEvents, reader);
  const usage = createUsageWriter({ journal, ledger, time, diskFree: () => space().free });
  return {
    feeds: { listMemos: () => [], putMemo: () => undefined, close: () => undefined },
    bridges: createBridges(database),
    transit: createEmbeddedTransitStore(database, createTransitWorker(path, onDefect)),
    documents: readOnly(createDocumentStore(join(folder, "documents"))),
    bases: createBaseStore(baseFolder(folder)),
    spend: { add: calls.addSpend },
    accounts: reportAccounts(createAccounts(database), health),
    usage: countTogether(usage, reader, deps.counts),
    datasets: { ...toDatasets(datasets, { secret, calls }), start: () => undefined },
    files: new FileNames({ databases: [], others: [] }),
    claims: claimsOver(calls),
    fleet: null,
    schemas: () => ({}),
    health: [health],
    space,
    close() {
      health.close();
      datasets.close();
      database.close();
    },
  };
}

/** The thread that holds the folder writes them. */
export function readOnly(documents: Storage["documents"]): Storage["documents"] {
  const done = (): Promise<boolean> => Promise.resolve(true);
  return { ...documents, write: done, confirm: done };
}

function toLedger(
  countEvents: ThreadStorageDeps["calls"]["countEvents"],
  reader: LedgerReader,
): Ledger {
  return {
    async apply(events, onCounted) {
      const isCounted = await guard(
        () => countEvents(events),
        () => false,
      );
      if (isCounted) onCounted();
      return isCounted;
    },
    unitsOf: reader.unitsOf,
    listUsage: reader.listUsage,
    // By the thread that has the ledger.
    forget: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/**
 * The same usage, its units counted with those of the other threads. They are read from the ledger when an
 * account is first seen in a period, and an event is counted before it is recorded.
 */
function countTogether(
  usage: UsageWriter,
  reader: Pick<LedgerReader, "unitsOf">,
  counts: SharedCounts,
): UsageWriter {
  const unitsOf = (account_id: string, period: string): number =>
    counts.total(`${account_id} ${period}`, Date.parse(period), () =>
      reader.unitsOf(account_id, period),
    );
  const add = (account_id: string, period: string, units: number): void => {
    unitsOf(account_id, period);
    counts.add(`${account_id} ${period}`, units, Date.parse(period));
  };
  return {
    ...usage,
    unitsOf,
    record(events) {
      const change = (sign: 1 | -1): void => {
        for (const { account_id, at_ms, units } of events)
          if (account_id !== null)
            for (const period of [dayOf(at_ms), monthOf(at_ms)])
              add(account_id, period, sign * units);
      };
      change(1);
      const is_kept = usage.record(events);
      if (!is_kept) change(-1);
      return is_kept;
    },
  };
}

function toDatasets(
  database: DatabaseSync,
  { secret, calls }: Pick<ThreadStorageDeps, "secret" | "calls">,
): Datasets {
  const reader = createDatasetReader(database);
  return {
    secret,
    put: (dataset) =>
      guard(
        () => calls.putDataset(dataset),
        () => "unavailable" as const,
      ),
    keepOn: (id, life) =>
      guard(
        () => calls.keepDatasetOn(id, life),
        () => false,
      ),
    read: (id, part) => Promise.resolve(reader.read(id, part)),
    findRepeat: (repeat_key, since_ms) => Promise.resolve(reader.findRepeat(repeat_key, since_ms)),
    count: (quota_key, now_ms) => Promise.resolve(reader.count(quota_key, now_ms)),
    // By the thread that holds the folder.
    forget: () => Promise.resolve("done"),
    close: () => Promise.resolve(),
  };
}
