/** A store with some of everything that a backup must hold, and all of it read again, to be compared. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { newAccount, newKey, successorOf } from "#core/keys/issue.ts";
import { openStores } from "#storage/store-deployment.ts";
import type { Storage } from "#storage/open-storage.ts";
import { sampleDataset } from "../conformance/datasets.ts";
import { createManualClock } from "./manual-clock.ts";

export const AT_MS = Date.UTC(2026, 10, 21, 12);
const ISSUE = { now_ms: AT_MS, draw: randomBytes, prefix: "svc_live_" as const };

export type Place = { data_dir: string; store_url: string | null };

export async function openStore({ data_dir, store_url }: Place): Promise<Storage> {
  const storage = await openStores(
    { data_dir, mode: "live", store_url },
    {
      clock: createManualClock(AT_MS),
      onFault: () => undefined,
      onHealth: () => undefined,
      onDefect: (_, error) => assert.ifError(error),
      onNote: () => undefined,
      onMade: () => undefined,
      onWaiting: ({ detail }) => assert.fail(detail),
      onJoined: () => undefined,
      onMigrated: (migration) => assert.fail(JSON.stringify(migration)),
    },
  );
  if ("problem" in storage) return assert.fail(storage.problem);
  return storage;
}

const closed = new WeakSet<Storage>();

/** Closes it, once. */
export async function closeStore(storage: Storage): Promise<void> {
  if (closed.has(storage)) return;
  closed.add(storage);
  await Promise.all([storage.usage.close(), storage.datasets.close(), storage.transit.close()]);
  await storage.close();
}

export type Filled = { accounts: readonly string[]; keys: readonly string[] };

/** Two accounts with keys, one of which replaces another; usage, searches, a timetable, a base, documents. */
export async function fillStore(storage: Storage): Promise<Filled> {
  const [first, second] = [1, 2].map((n) =>
    newAccount({ name: `N\u2028${n}`, plan: "business" }, ISSUE),
  );
  const terms = { name: null, scopes: ["data:read" as const], expires_at_ms: null };
  const keys = [first!, second!].map(({ id }) => newKey({ account_id: id, ...terms }, ISSUE));
  for (const account of [first!, second!]) await storage.accounts.createAccount(account);
  for (const { record } of keys) await storage.accounts.createKey(record);
  const successor = successorOf(keys[0]!.record, ISSUE);
  await storage.accounts.rotateKey(keys[0]!.record.id, successor.record, AT_MS + 3_600_000);
  const all = [...keys, successor].map(({ record }) => record);
  for (const [i, record] of all.entries()) record40(storage, record, i);
  assert.ok(storage.usage.record([event("anonymous", { account_id: null, key_id: null })]));
  for (const n of [0, 1, 2, 3]) {
    const owner = [first!, second!][n % 2]!.id;
    const dataset = sampleDataset(n, { owner, quota_key: owner });
    assert.equal(await storage.datasets.put(dataset), "stored");
  }
  assert.equal(await storage.datasets.put(sampleDataset(9, { owner: "public" })), "stored");
  const origin = { imported_at_ms: AT_MS, etag: null, last_modified: '"a"' };
  await storage.transit.putFeed("city", Uint8Array.of(1, 2, 3, 250), origin);
  await storage.bases.put("town", new Uint8Array(100_000).fill(5));
  const documents = { origin: "o", read_at_ms: AT_MS, etag: null, last_modified: null };
  const bodies = [new TextEncoder().encode("a catalogue")];
  assert.ok(await storage.documents.write("gbfs catalogue", { ...documents, bodies }));
  return {
    accounts: [first!.id, second!.id],
    keys: all.map(({ id }) => id),
  };
}

/** Forty events each, of different days. */
function record40(
  { usage }: Storage,
  { account_id, id }: { account_id: string; id: string },
  n: number,
): void {
  for (let i = 0; i < 40; i++) {
    const at_ms = AT_MS - (i % 3) * 86_400_000;
    const one = event(`${n}-${i}`, { account_id, key_id: id });
    assert.ok(usage.record([{ ...one, units: i % 4, at_ms }]));
  }
}

function event(name: string, of: { account_id: string | null; key_id: string | null }) {
  return {
    event_id: `event-${name}`,
    ...of,
    operation: "nearby",
    units: 3,
    requests: 1,
    at_ms: AT_MS,
  };
}

/** All that the ports say of a filled store. */
export async function readStore(storage: Storage, { accounts, keys }: Filled) {
  const { datasets, transit, bases, documents, usage } = storage;
  const ids = [0, 1, 2, 3, 9].map((n) => `nearby_${n}`);
  const contents = ids.map(async (id) => [
    await datasets.read(id, "observation"),
    await datasets.read(id, "body"),
  ]);
  const counts = accounts.map((id) => datasets.count(id, AT_MS));
  return {
    accounts: await storage.accounts.listAccounts(),
    keys: (await storage.accounts.listKeys()).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    found: await Promise.all(keys.map(async (id) => await storage.accounts.findKey(id))),
    usage: await usage.listUsage({ month: "2026-11" }),
    units: accounts.map((id) => usage.unitsOf(id, "2026-11")),
    datasets: await Promise.all(contents),
    counts: await Promise.all(counts),
    secret: datasets.secret,
    feeds: transit.listFeeds(),
    feed: await transit.readFeed("city"),
    bases: (await bases.list()).map(({ id, bytes }) => ({ id, bytes })),
    base: await bases.read("town"),
    documents: await documents.read("gbfs catalogue"),
  };
}
