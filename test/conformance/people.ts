/** What a store has about one account: handed over whole, erased down to anonymous totals (docs/data.md). */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { writeRecords } from "#app/admin/admin-records.ts";
import { openAdminStores } from "#storage/store-deployment.ts";
import type { AdminStorage } from "#storage/open-storage.ts";
import { JOURNAL_FILES } from "#storage/usage/journal.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { AT_MS, closeStore, openStore, type Place } from "../support/filled-store.ts";
import { type BackupSuite, begin } from "./backup.ts";

async function openAdmin(t: TestContext, { data_dir, store_url }: Place): Promise<AdminStorage> {
  const deployment = { data_dir, store_url, mode: "live" as const };
  const opened = await openAdminStores(deployment, {
    clock: createManualClock(AT_MS),
    opening: "read",
  });
  if ("problem" in opened) return assert.fail(opened.problem);
  t.after(() => opened.close());
  return opened;
}

type Exported = {
  account: { id: string } | null;
  keys: { id: string }[];
  usage: { units: number }[];
  events: { units: number; at: string }[];
  datasets: { id: string; observation: unknown; body: unknown }[];
};

async function exportOf({ people }: AdminStorage, id: string): Promise<Exported | null> {
  const records = await people.read(id);
  if (records === null) return null;
  const texts = await Array.fromAsync(writeRecords(records, AT_MS));
  return JSON.parse(texts.join("")) as Exported;
}

const sum = (rows: readonly { units: number }[]): number =>
  rows.reduce((total, { units }) => total + units, 0);

export function peopleSuite(name: string, { newDatabase, skip = false }: BackupSuite): void {
  test(
    `${name}: the export of an account has all of it, and nothing of others`,
    { skip },
    async (t) => {
      const begun = await begin(t, newDatabase);
      await begun.storage.usage.listUsage({ month: "2026-11" });
      const admin = await openAdmin(t, begun);
      const [first = "", second = ""] = begun.filled.accounts;
      const exported = (await exportOf(admin, first))!;
      assert.equal(exported.account?.id, first);
      assert.equal(exported.keys.length, 2);
      assert.equal(sum(exported.usage), 120);
      assert.equal(exported.events.length, 80);
      assert.equal(sum(exported.events), 120);
      assert.deepEqual(
        exported.datasets.map(({ id, observation }) => [id, observation]),
        [
          ["nearby_0", { observation: 0 }],
          ["nearby_2", { observation: 2 }],
        ],
      );
      const text = JSON.stringify(exported);
      assert.ok(
        !text.includes(second) && !text.includes("hash"),
        "of others, or a digest of a key",
      );
      assert.equal(await exportOf(admin, "acc_unknown"), null);
    },
  );

  test(
    `${name}: an erased account is gone but for anonymous totals, and others are untouched`,
    { skip },
    async (t) => {
      const begun = await begin(t, newDatabase);
      const { storage, filled } = begun;
      const before = await storage.usage.listUsage({ month: "2026-11" });
      const admin = await openAdmin(t, begun);
      const [first = "", second = ""] = filled.accounts;
      const other = await exportOf(admin, second);
      assert.equal(await admin.people.end(first), 2);
      const erased = await admin.people.forget(first);
      assert.deepEqual(erased, { events: 80, units: 120, datasets: 2, waiting: 0 });

      assert.equal(await exportOf(admin, first), null);
      assert.deepEqual(await exportOf(admin, second), other);
      assert.equal(await storage.accounts.findAccount(first), null);
      assert.equal((await storage.accounts.listKeys()).length, 1);
      const after = await storage.usage.listUsage({ month: "2026-11" });
      assert.equal(sum(after), sum(before), "no unit is lost");
      assert.equal(sum(after.filter(({ account_id }) => account_id === null)), 123);
      assert.ok(!JSON.stringify(after).includes(first));
      assert.deepEqual(await storage.datasets.read("nearby_0", "body"), { status: "absent" });
      assert.equal((await storage.datasets.read("nearby_1", "body")).status, "ok");
      assert.equal(await storage.datasets.count(first, AT_MS), 0);
      assert.deepEqual(await admin.people.forget(first), {
        events: 0,
        units: 0,
        datasets: 0,
        waiting: 0,
      });

      // The ledger goes on, also for what comes late of the account, which is forgotten by another run.
      const late = {
        account_id: first,
        key_id: filled.keys[0]!,
        operation: "nearby",
        at_ms: AT_MS,
      };
      assert.ok(storage.usage.record([{ event_id: "late", ...late, units: 5, requests: 1 }]));
      assert.equal(sum(await storage.usage.listUsage({ month: "2026-11" })), sum(before) + 5);
      const again = await admin.people.forget(first);
      assert.deepEqual(again, { events: 1, units: 5, datasets: 0, waiting: 0 });
      assert.equal(await exportOf(admin, first), null);
    },
  );

  test(
    `${name}: what waits in the journal is not forgotten before it is counted`,
    { skip },
    async (t) => {
      const begun = await begin(t, newDatabase);
      const [first = ""] = begun.filled.accounts;
      const admin = await openAdmin(t, begun);
      // Nothing has been moved to the ledger since the last event.
      const { usage } = begun.storage;
      const late = { account_id: first, key_id: null, operation: "nearby", at_ms: AT_MS };
      assert.ok(usage.record([{ event_id: "late", ...late, units: 5, requests: 1 }]));
      await admin.people.end(first);
      const erased = await admin.people.forget(first);
      assert.ok(erased.waiting > 0);
      assert.equal(sum(await usage.listUsage({ month: "2026-11" })), 188);
      const rest = await admin.people.forget(first);
      assert.equal(rest.waiting, 0);
      assert.equal(sum(await usage.listUsage({ month: "2026-11" })), 188);
      assert.equal(await exportOf(admin, first), null);
    },
  );

  test(
    `${name}: what a kill left in the journal after it was counted is not counted again`,
    { skip },
    async (t) => {
      const begun = await begin(t, newDatabase);
      const { storage } = begun;
      const [first = ""] = begun.filled.accounts;
      await storage.usage.listUsage({ month: "2026-11" });
      const late = { account_id: first, key_id: null, operation: "nearby", at_ms: AT_MS };
      assert.ok(storage.usage.record([{ event_id: "late", ...late, units: 5, requests: 1 }]));
      const journals = JOURNAL_FILES.map((file) => join(begun.data_dir, "live", file));
      const written = journals.map((path) => readFileSync(path));
      assert.equal(sum(await storage.usage.listUsage({ month: "2026-11" })), 188);
      await closeStore(storage);
      for (const [i, path] of journals.entries()) writeFileSync(path, written[i]!);

      const admin = await openAdmin(t, begun);
      await admin.people.end(first);
      const erased = await admin.people.forget(first);
      assert.ok(erased.waiting > 0);
      const again = await openStore(begun);
      t.after(() => closeStore(again));
      assert.equal(sum(await again.usage.listUsage({ month: "2026-11" })), 188, "each once");
      assert.equal((await admin.people.forget(first)).waiting, 0);
      assert.equal(sum(await again.usage.listUsage({ month: "2026-11" })), 188);
      assert.equal(await exportOf(admin, first), null);
    },
  );
}
