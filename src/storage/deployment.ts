/**
 * The stores of a deployment. Every replica has its data folder, whose lock keeps a second service
 * out: feed memos, timetables, and what is durable before it is handed on. With a store URL
 * (operation, VICINITY_STORE_URL) what a fleet shares is in PostgreSQL instead.
 */
import {
  type EmbeddedStorage,
  openBeside,
  openStorage,
  type Place,
  type Storage,
  type StorageBeside,
} from "#storage/open.ts";
import { openPostgres, type PostgresStore } from "#storage/postgres/open.ts";

export type Deployment = Place & {
  /** null: everything is in the data folder. */
  store_url: string | null;
};

type Problem = { problem: string };

/** A server that starts at the same time as its replicas is waited for. */
const PATIENCE_MS = 10_000;

/** For the service. `onFault` hears of connections that break; they are made again. */
export async function openStores(
  { store_url, ...place }: Deployment,
  { onFault }: { onFault: (error: unknown) => void },
): Promise<Storage | Problem> {
  const embedded = openStorage(place);
  if ("problem" in embedded || store_url === null) return embedded;
  const shared = await openPostgres({
    ...{ url: store_url, mode: place.mode, onFault, patience_ms: PATIENCE_MS },
  });
  if (!("problem" in shared)) return share(embedded, shared);
  await Promise.all([embedded.usage.close(), embedded.datasets.close()]);
  embedded.close();
  return shared;
}

/** What of the fleet's store stands in the place of the folder's. */
function share(embedded: EmbeddedStorage, { close, ...shared }: PostgresStore): Storage {
  return {
    ...embedded,
    ...shared,
    async close() {
      await close();
      embedded.close();
    },
  };
}

/** For commands beside running services, which notice what is written. */
export async function openStoresBeside({
  store_url,
  ...place
}: Deployment): Promise<StorageBeside | Problem> {
  const embedded = openBeside(place);
  if ("problem" in embedded || store_url === null) return embedded;
  const shared = await openPostgres({
    // Whatever breaks while a command runs is told by the command itself.
    ...{ url: store_url, mode: place.mode, onFault: () => undefined },
  });
  if ("problem" in shared) {
    embedded.close();
    return shared;
  }
  const { close, ...instead } = shared;
  return {
    ...embedded,
    ...instead,
    async close() {
      await close();
      embedded.close();
    },
  };
}
