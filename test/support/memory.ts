/** Stores that last as long as the test: those of the embedded database, in memory. */
import { createAccounts } from "#storage/embedded/accounts.ts";
import { createBridges } from "#storage/embedded/bridges.ts";
import { type DatabaseSync, openDatabase } from "#storage/embedded/database.ts";
import { createFeedStore } from "#storage/embedded/feed-store.ts";
import { MIGRATIONS } from "#storage/embedded/migrations.ts";
import { createTransitStore } from "#storage/embedded/transit-store.ts";
import { stationCodec } from "#storage/station-ids-store.ts";
import { type GroupResolver, resolveGroup } from "#stations/resolution.ts";

const open = (): DatabaseSync => openDatabase(":memory:", MIGRATIONS);

export const createMemoryAccounts = () => createAccounts(open());
export const createMemoryBridges = () => createBridges(open());
export const createMemoryFeedStore = () => createFeedStore(open());
export const createMemoryTransitStore = () => createTransitStore(open());

/** Resolves identity where it is called, at once: what the service leaves to a thread. */
export const resolveHere: GroupResolver = (job) => resolveGroup(job, stationCodec);
