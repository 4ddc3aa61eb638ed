/**
 * The stores of a deployment. Every replica has its data folder, whose lock keeps a second service
 * out: feed memos, timetables, and what is durable before it is handed on. With a store URL
 * (operation, VICINITY_STORE_URL) the data that a fleet shares is in PostgreSQL instead.
 */
import { join } from "node:path";
import type { NoteFault } from "#kit/guard.ts";
import { baseFolder, createBaseStore } from "#storage/base-files.ts";
import type { HealthEvent } from "#storage/store-health.ts";
import {
  type Folder,
  type FolderEvents,
  type AdminStorage,
  hasFolder,
  noFolder,
  openAdminStorage,
  openFolder,
  openStorage,
  type DataPlace,
  type Storage,
} from "#storage/open-storage.ts";
import { migrateFolder } from "#storage/migrate-folder.ts";
import { migratePostgres, openPostgresForCommand } from "#storage/postgres/postgres-command.ts";
import {
  type JoinEvent,
  openPostgres,
  type PostgresStore,
  type StoreClock,
  type WaitEvent,
} from "#storage/postgres/open-postgres.ts";
import { createPostgresPeople } from "#storage/postgres/people.ts";
import type { NoteMigration } from "#storage/store-schema.ts";
import { timeOf } from "#storage/store-time.ts";
import { readJournal } from "#storage/usage/journal.ts";
import { createUsageWriter } from "#storage/usage/writer.ts";

export type StoreDeployment = DataPlace & {
  /** null: everything is in the data folder. */
  store_url: string | null;
};

type Problem = { problem: string };

/** How long a start waits for a server that starts at the same time; then it begins without it. */
const CONNECT_WAIT_MS = 3_000;

/** The dependencies that a service passes to its stores. */
export type StoreDeps = {
  clock: StoreClock;
  /** A store does something that its health does not know; it is tried again. */
  onFault: (error: unknown) => void;
  /** Writes to a store begin to fail, or succeed again. */
  onHealth: (event: HealthEvent) => void;
  /** Receives what ends a thread of theirs, or is thrown by a task that nothing waits for. */
  onDefect: NoteFault;
  /** Called with each line about the data folder when it is opened. */
  onNote: (line: string) => void;
  /** Called with what the opening has migrated. */
  onMigrated: NoteMigration;
  /** Called when the tables were made in a database that had none. */
  onMade: () => void;
  /** The service begins without the store of the fleet, and waits for it. */
  onWaiting: (event: WaitEvent) => void;
  onJoined: (event: JoinEvent) => void;
};

/** Opens the stores of a service. `problem` is one line. */
export async function openStores(
  { store_url, ...place }: StoreDeployment,
  deps: StoreDeps,
): Promise<Storage | Problem> {
  const events: FolderEvents = {
    onHealth: deps.onHealth,
    warn: (line) => deps.onFault(new Error(line)),
    onDefect: deps.onDefect,
    say: deps.onNote,
    onMigrated: deps.onMigrated,
  };
  if (store_url === null) return openStorage(place, events);
  const folder = openFolder(place, events);
  if ("problem" in folder) return folder;
  const shared = await openPostgres({
    url: store_url,
    mode: place.mode,
    absent: { wait_ms: CONNECT_WAIT_MS },
    ...deps,
  });
  if (!("problem" in shared)) return await share(folder, shared, events);
  await folder.datasets.close();
  folder.close();
  return shared;
}

/** Replaces the folder's stores by those of the fleet where it has them. */
async function share(
  { journal, own_health, ...folder }: Folder,
  { accounts, ledger, datasets, bridges, health, schemas, close, ...shared }: PostgresStore,
  { warn, onDefect }: FolderEvents,
): Promise<Storage> {
  // Until it answers the usage is unknown; it is asked again.
  await ledger.start();
  const time = timeOf(onDefect);
  const usage = createUsageWriter({ journal, ledger, time, diskFree: () => folder.space().free });
  return {
    ...folder,
    health: [own_health, health],
    accounts,
    bridges,
    usage,
    fleet: shared,
    schemas: () => ({ ...folder.schemas(), ...schemas() }),
    datasets: { ...datasets, start: () => undefined },
    async close() {
      if (!(await bridges.close())) warn("the store of bridges did not answer");
      await close();
      folder.close();
    },
  };
}

/**
 * Opens the stores for a command, also while services run, which notice what it writes. `read`: of a
 * store that is not there it makes none. A machine that only runs commands on the store of a fleet has
 * no data folder, and gets none: `uses_folder` says that the command is about what is in it.
 */
export async function openAdminStores(
  { store_url, ...place }: StoreDeployment,
  {
    clock,
    opening,
    uses_folder = false,
  }: { clock: StoreClock; opening: "command" | "read"; uses_folder?: boolean },
): Promise<AdminStorage | Problem> {
  if (store_url === null) return openAdminStorage(place, opening);
  if (uses_folder && !hasFolder(place)) return noFolder(place);
  const address = { url: store_url, mode: place.mode };
  const shared = await openPostgresForCommand(address, { clock, opening });
  if ("problem" in shared) return shared;
  const { pool, accounts, ledger, close } = shared;
  const folder = join(place.data_dir, place.mode);
  return {
    bases: createBaseStore(baseFolder(folder)),
    accounts,
    usage: ledger,
    people: createPostgresPeople({
      pool,
      accounts,
      readJournal: () => readJournal(folder),
    }),
    close,
  };
}

/** Brings the stores of a deployment to this version. null: they are. */
export async function migrateStores(
  { store_url, ...place }: StoreDeployment,
  onMigrated: NoteMigration,
): Promise<Problem | null> {
  if (store_url === null) return migrateFolder(place, onMigrated);
  const problem = hasFolder(place) ? migrateFolder(place, onMigrated) : null;
  if (problem !== null) return problem;
  return await migratePostgres({ url: store_url, mode: place.mode }, onMigrated);
}

/** Closes stores with threads first: what they have accepted must be kept. */
export async function closeStores(storage: Storage): Promise<void> {
  const { usage, datasets, transit } = storage;
  await Promise.all([usage.close(), datasets.close(), transit.close()]);
  await storage.close();
}
