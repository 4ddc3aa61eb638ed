/**
 * Opens the embedded store of one mode (operation, VICINITY_DATA_DIR) for the service: one service
 * per folder. The lock is SQLite's own on a file of its own, so that a crash releases it.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { BaseStore } from "#ports/bases.ts";
import type { NoteFault } from "#kit/guard.ts";
import type { DocumentStore } from "#core/kept-documents.ts";
import { pathProblem } from "#kit/path-problem.ts";
import type {
  Accounts,
  AccountsAtHand,
  Bridges,
  FeedStore,
  MaybePromise,
  SpendStore,
  Usage,
  UsageRow,
} from "#ports.ts";
import type { Claims } from "#ports/claims.ts";
import type { People } from "#ports/people.ts";
import type { ReplicaTexts } from "#ports/replica-texts.ts";
import type { Reservations } from "#ports/reservations.ts";
import type { TransitStore } from "#ports/transit.ts";
import { baseFolder, createBaseStore } from "#storage/base-files.ts";
import { createAccounts } from "#storage/embedded/accounts.ts";
import { createBridges } from "#storage/embedded/bridges.ts";
import { openDatabase, type DatabaseOpening, readVersion } from "#storage/embedded/database.ts";
import {
  createDatasets,
  createDatasetsWorker,
  type EmbeddedDatasets,
} from "#storage/embedded/datasets.ts";
import { type RootDeps, secureFolder } from "#storage/embedded/data-root.ts";
import { createDocumentStore } from "#storage/embedded/documents.ts";
import { createFeedStore } from "#storage/embedded/feed-store.ts";
import { FileNames } from "#storage/embedded/file-names.ts";
import { createEmbeddedLedger, createLedgerWorker } from "#storage/embedded/ledger.ts";
import { DATASET_MIGRATIONS, MIGRATIONS } from "#storage/embedded/migrations.ts";
import { createPeople, LazyDatabase } from "#storage/embedded/people.ts";
import { createSpendStore } from "#storage/embedded/spend.ts";
import { diskSpaceOf, floorOf } from "#storage/embedded/disk.ts";
import { FolderProbe } from "#storage/embedded/folder-probe.ts";
import { reportAccounts } from "#storage/embedded/reported-accounts.ts";
import { closeToOthers, DATABASES, makePrivate } from "#storage/embedded/private-files.ts";
import { createReserve, type Reserve } from "#storage/embedded/reserve.ts";
import {
  createEmbeddedTransitStore,
  createTransitWorker,
  type EmbeddedTransitStore,
} from "#storage/embedded/transit.ts";
import { createTransitStore } from "#storage/embedded/transit-store.ts";
import { toLine } from "#storage/error-line.ts";
import {
  type Failing,
  type HealthEvent,
  type Reports,
  StoreHealth,
} from "#storage/store-health.ts";
import { folderFailure } from "#storage/store-reasons.ts";
import { NO_STORE, type NoteMigration } from "#storage/store-schema.ts";
import { timeOf } from "#storage/store-time.ts";
import { type Journal, JOURNAL_FILES, openJournal, readJournal } from "#storage/usage/journal.ts";
import type { Ledger } from "#storage/usage/usage-ledger.ts";
import { createUsageListing } from "#storage/usage/listing.ts";
import { createUsageWriter, type UsageWriter } from "#storage/usage/writer.ts";

export type Storage = {
  feeds: FeedStore;
  bridges: Bridges;
  transit: EmbeddedTransitStore;
  documents: DocumentStore;
  bases: BaseStore;
  spend: SpendStore;
  accounts: Accounts;
  usage: UsageWriter;
  datasets: EmbeddedDatasets;
  /** Files of the data folder that are open, and whether their names still lead to them. */
  files: FileNames;
  /** Of the data folder; absent: it is in a store elsewhere, or another thread's. */
  ledger?: Ledger;
  claims?: Claims;
  /** Of a store elsewhere, which replicas share; null: there is none. */
  fleet: {
    reservations: Reservations;
    claims: Claims;
    facts: ReplicaTexts;
    /** Resolves when the store has been reached for the first time. */
    joined: Promise<void>;
  } | null;
  /** Versions of the stores that have been opened by now, by their names: none of one that is away. */
  schemas(): Readonly<Record<string, number>>;
  /** Of the data folder, and of the store elsewhere where there is one. */
  health: readonly StoreHealth[];
  /** Free space on the volume of the data folder, and that below which no dataset is stored, bytes. */
  space(): { free: number; floor: number };
  /** Called after usage.close(), datasets.close() and transit.close(). */
  close(): MaybePromise<void>;
};

/** Storage that is wholly in the data folder, so that accounts answer without a wait. */
export type EmbeddedStorage = Omit<Storage, "accounts" | "close" | "ledger"> & {
  ledger: Ledger;
  accounts: AccountsAtHand;
  close(): void;
};

/**
 * Contents of the data folder. Usage is composed of its journal and a ledger, this one or another.
 */
export type Folder = Omit<EmbeddedStorage, "usage" | "fleet" | "health"> & {
  journal: Journal;
  own_health: StoreHealth;
};

/**
 * Stores that commands may write while a service runs, which notices (operation,
 * VICINITY_DATA_DIR).
 */
export type AdminStorage = {
  /** Of the data folder, wherever accounts are. */
  bases: BaseStore;
  accounts: Accounts;
  usage: { listUsage(filter: Parameters<Usage["listUsage"]>[0]): MaybePromise<UsageRow[]> };
  /** What is stored about an account. */
  people: People;
  close(): MaybePromise<void>;
};

/** Administrative storage that is wholly in the data folder. */
export type EmbeddedAdminStorage = Omit<AdminStorage, "accounts" | "usage" | "close"> & {
  transit: TransitStore;
  accounts: AccountsAtHand;
  usage: Pick<Usage, "listUsage">;
  close(): void;
};

/** A data folder and the mode, which has a subfolder of its own. */
export type DataPlace = { data_dir: string; mode: "sandbox" | "live" };

/** Callbacks for failures while a store runs. */
export type FolderEvents = {
  /** Writes to a store begin to fail, or succeed again. */
  onHealth: (event: HealthEvent) => void;
  /** A line about what is wrong with the folder. */
  warn: (line: string) => void;
  /** What ended a thread, or was thrown by a task that nothing waits for. */
  onDefect: NoteFault;
  /** A line about what was found and done when it was opened. */
  say: (line: string) => void;
  /** What the opening has migrated. */
  onMigrated: NoteMigration;
};

const IGNORED: FolderEvents = {
  onHealth: () => undefined,
  warn: () => undefined,
  onDefect: () => undefined,
  say: () => undefined,
  onMigrated: () => undefined,
};

/** Opens the data folder for the one service that may hold it. `problem` is one line. */
export function openStorage(
  place: DataPlace,
  events: FolderEvents = IGNORED,
): EmbeddedStorage | { problem: string } {
  const folder = openFolder(place, events);
  if ("problem" in folder) return folder;
  const { journal, ledger, own_health } = folder;
  using undo = new DisposableStack();
  undo.defer(() => folder.close());
  const time = timeOf(events.onDefect);
  const usage = createUsageWriter({ journal, ledger, time, diskFree: () => folder.space().free });
  undo.move();
  return { ...folder, usage, fleet: null, health: [own_health] };
}

/** Opens the parts of the data folder and takes its lock. `problem` is one line. */
export function openFolder(place: DataPlace, events: FolderEvents): Folder | { problem: string } {
  const result = findFolder(place, events);
  if ("problem" in result) return result;
  const { folder } = result;
  // Only what the file system and SQLite throw distinguishes a folder in use from a full disk.
  const opened = attempt(() => openParts(folder, events));
  if ("value" in opened) return opened.value;
  if (isDefect(opened.error)) events.onDefect("data folder", opened.error);
  return { problem: describeStore(folder, opened.error) };
}

/** Throws where a part cannot be opened, and then none of the others is left open. */
function openParts(folder: string, events: FolderEvents): Folder {
  const { onHealth, warn, onDefect, say, onMigrated } = events;
  using undo = new DisposableStack();
  const time = timeOf(onDefect);
  const own_health = new StoreHealth("folder", {
    time,
    onEvent: (event) =>
      onHealth(event.state === "back" ? event : { ...event, detail: `${folder}: ${event.detail}` }),
  });
  undo.defer(() => own_health.close());
  const reserve = createReserve(folder, time);
  const lock = prepare(folder, { reserve, warn, say });
  undo.defer(() => lock.close());
  const path = join(folder, DATABASES.main);
  const database = openDatabase(path, MIGRATIONS, { onMigrated });
  undo.defer(() => database.close());
  const datasets_path = join(folder, DATABASES.datasets);
  const datasets = openDatasets(datasets_path, { onDefect, onMigrated, health: own_health });
  undo.defer(() => datasets.close());
  const journal = openJournal(folder, {
    time,
    onFault: (error) => own_health.fail("journal", folderFailure(error) ?? toBroken(error)),
    onKept: () => own_health.succeed("journal"),
    onDefect,
  });
  // Its writer has closed it before; then this is nothing.
  undo.defer(() => journal.close());
  reserve.hold();
  undo.defer(() => reserve.close());
  const probe = new FolderProbe({ folder, database, health: own_health, time });
  undo.defer(() => probe.close());
  // As they were found or brought to: an opened database keeps its version.
  const schemas = {
    [DATABASES.main]: readVersion(database),
    [DATABASES.datasets]: datasets.schema,
  };
  const parts = {
    own_health,
    schemas: () => schemas,
    space: () => {
      const space = diskSpaceOf(folder);
      return { free: space.free, floor: floorOf(space) };
    },
    files: new FileNames({
      databases: [path, datasets_path],
      others: [join(folder, LOCK_FILE), ...pathsOfJournals(folder)],
    }),
    datasets: datasets.datasets,
    journal,
    ledger: createEmbeddedLedger(database, createLedgerWorker(path, onDefect), own_health),
    feeds: createFeedStore(database),
    bridges: createBridges(database, (error) => warn(`bridges of stations: ${toLine(error)}`)),
    transit: createEmbeddedTransitStore(database, createTransitWorker(path, onDefect)),
    documents: createDocumentStore(join(folder, "documents")),
    bases: createBaseStore(baseFolder(folder)),
    spend: createSpendStore(database),
    accounts: reportAccounts(createAccounts(database), own_health),
  };
  const opened = undo.move();
  return { ...parts, close: () => opened.dispose() };
}

function toBroken(error: unknown): Failing {
  return { reason: "broken", detail: toLine(error) };
}

/** What the file system and SQLite throw has a code. */
function isDefect(error: unknown): boolean {
  return !(error instanceof Error && ("code" in error || "errcode" in error));
}

/** A file of its own: its commits and those of the ledger do not wait for one another. */
function openDatasets(
  path: string,
  {
    onDefect,
    onMigrated,
    health,
  }: Pick<FolderEvents, "onDefect" | "onMigrated"> & { health: Reports },
): { datasets: EmbeddedDatasets; schema: number; close(): void } {
  using undo = new DisposableStack();
  const database = openDatabase(path, DATASET_MIGRATIONS, { onMigrated });
  undo.defer(() => database.close());
  const worker = createDatasetsWorker(path, onDefect);
  const datasets = createDatasets(database, worker, onDefect, health);
  const opened = undo.move();
  return { datasets, schema: readVersion(database), close: () => opened.dispose() };
}

/**
 * Opens the data folder without its lock, for commands alongside a service. They never migrate it,
 * and what only `read`s does not make one either.
 */
export function openAdminStorage(
  place: DataPlace,
  opening: Exclude<DatabaseOpening, "service"> = "command",
): EmbeddedAdminStorage | { problem: string } {
  if (opening === "read" && !hasFolder(place)) return noFolder(place);
  const result = findFolder(place, { say: () => undefined, isCommand: true });
  if ("problem" in result) return result;
  const { folder } = result;
  const opened = attempt(() => {
    makePrivate(folder);
    using undo = new DisposableStack();
    const database = openDatabase(join(folder, DATABASES.main), MIGRATIONS, { opening });
    undo.defer(() => database.close());
    const path = join(folder, DATABASES.datasets);
    // Made by the first start, with the journals; one that is gone since is a loss, and no empty one.
    const isMade = (): boolean =>
      [path, ...pathsOfJournals(folder)].some((each) => existsSync(each));
    const datasets = new LazyDatabase(
      () => openDatabase(path, DATASET_MIGRATIONS, { opening }),
      isMade,
    );
    undo.defer(() => datasets.close());
    return { database, datasets, ends: undo.move() };
  });
  if ("error" in opened) return { problem: describeStore(folder, opened.error) };
  const { database, datasets, ends } = opened.value;
  return {
    transit: createTransitStore(database),
    bases: createBaseStore(baseFolder(folder)),
    accounts: createAccounts(database),
    usage: { listUsage: createUsageListing(database, () => readJournal(folder)) },
    people: createPeople({ database, datasets, readJournal: () => readJournal(folder) }),
    close: () => ends.dispose(),
  };
}

/** The problem of a command about what is in a data folder that is not there, and whether the other is. */
export function noFolder({ data_dir, mode }: DataPlace): { problem: string } {
  const problem = describeStore(join(data_dir, mode), new Error(NO_STORE));
  const other = mode === "live" ? "sandbox" : "live";
  if (!hasFolder({ data_dir, mode: other })) return { problem };
  const todo = `${mode === "live" ? "name it with" : "leave out"} --sandbox`;
  return { problem: `${problem}; there is one in ${join(data_dir, other)}: ${todo}` };
}

/** Whether a data folder of this mode has been made. */
export function hasFolder({ data_dir, mode }: DataPlace): boolean {
  return statSync(join(data_dir, mode, DATABASES.main), { throwIfNoEntry: false }) !== undefined;
}

function pathsOfJournals(folder: string): string[] {
  return JOURNAL_FILES.map((name) => join(folder, name));
}

/** The folder of the mode, where only this user can write; both may be links. */
export function findFolder(
  { data_dir, mode }: DataPlace,
  deps: RootDeps,
): { folder: string } | { problem: string } {
  const root = attempt(() => secureFolder(data_dir, deps));
  if ("error" in root) return { problem: describeStore(data_dir, root.error) };
  const folder = join(root.value, mode);
  const own = attempt(() => secureFolder(folder, deps));
  return "error" in own ? { problem: describeStore(folder, own.error) } : { folder: own.value };
}

/** The folder for this user alone, held by this process, with room for what comes next. */
function prepare(
  folder: string,
  { reserve, warn, say }: { reserve: Reserve } & Pick<FolderEvents, "warn" | "say">,
): DatabaseSync {
  const open = makePrivate(folder);
  if (open.length > 0) say(`others can read ${open.join(", ")}, whose permissions are not ours`);
  const lock = takeLock(folder);
  if (reserve.release())
    warn(`the disk of ${folder} is full: free space, since nothing new is kept until then`);
  return lock;
}

export const LOCK_FILE = "lock.db";

/** Takes the lock until the connection is closed: nothing is ever written to it or next to it. */
function takeLock(folder: string): DatabaseSync {
  const path = join(folder, LOCK_FILE);
  const lock = new DatabaseSync(path, { timeout: 0 });
  closeToOthers(path);
  const stored = attempt(() => lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE"));
  if (!("error" in stored)) return lock;
  lock.close();
  throw stored.error;
}

type Attempt<T> = { value: T } | { error: unknown };

function attempt<T>(task: () => T): Attempt<T> {
  try {
    return { value: task() };
  } catch (error) {
    return { error };
  }
}

const SQLITE_BUSY = 5;

/** The problem of a data folder that cannot be used, in one line. */
export function describeStore(folder: string, error: unknown): string {
  const code = error instanceof Error && "errcode" in error ? error.errcode : null;
  if (code === SQLITE_BUSY) return `the data folder ${folder} is in use by another service`;
  const place = { name: "VICINITY_DATA_DIR", path: folder };
  return (
    pathProblem(error, place, "write") ??
    `the data folder ${folder} cannot be used: ${toLine(error)}`
  );
}
