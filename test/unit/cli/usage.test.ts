/** `vicinity usage`: what was metered, by key, operation and day, alongside a running service. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { newAccount, newKey } from "#core/keys/issue.ts";
import { displayWidth } from "#cli/print/wrap.ts";
import { createMemoryUsage } from "../../support/memory-usage.ts";
import { NOW, run, storeIn, terminal } from "./support.ts";

const MONTH = "2026-11";
const DAY_MS = 86_400_000;

type Io = Parameters<typeof run>[1] & { key_id: string };

/** A store with a key, the key's usage and usage without a key. */
async function metered(t: TestContext): Promise<Io> {
  const { openStore } = storeIn(t);
  const opened = openStore({ sandbox: false });
  assert.ok(!("problem" in opened));
  let drawn = 1;
  const draw = (size: number): Uint8Array => new Uint8Array(size).fill(drawn++);
  const account = newAccount({ name: "Étoile", plan: "developer" }, { now_ms: NOW, draw });
  const terms = { account_id: account.id, name: "my app", scopes: [], expires_at_ms: null };
  const { record } = newKey(terms, { now_ms: NOW, draw, prefix: "svc_live_" });
  opened.accounts.createAccount(account);
  opened.accounts.createKey(record);
  const usage = createMemoryUsage();
  const note = (
    of: { key: boolean; operation: string; units: number; at_ms: number },
    id: number,
  ) =>
    usage.record([
      {
        event_id: String(id),
        operation: of.operation,
        units: of.units,
        at_ms: of.at_ms,
        account_id: of.key ? account.id : null,
        key_id: of.key ? record.id : null,
      },
    ]);
  const nearby = { key: true, operation: "getNearby", units: 800, at_ms: NOW };
  const events = [
    { ...nearby, key: false, units: 1 },
    nearby,
    { ...nearby, units: 434 },
    { ...nearby, at_ms: NOW - DAY_MS, units: 0 },
    { ...nearby, operation: "geocode", units: 1 },
    { ...nearby, at_ms: NOW - 30 * DAY_MS, units: 5 },
  ];
  for (const [id, event] of events.entries()) note(event, id);
  return {
    openStore: (options) => ({ ...openAgain(openStore(options)), usage }),
    key_id: record.id,
  };
}

function openAgain<T extends object>(opened: T | { problem: string }): T {
  assert.ok(!("problem" in opened));
  return opened;
}

test("by key, operation and day, with the sums, anonymous use last", async (t) => {
  const { key_id, ...io } = await metered(t);
  const ran = await run(["usage"], io);
  assert.deepEqual([ran.code, ran.err], [0, ""]);
  assert.deepEqual(
    ran.out.split("\n").map((line) => line.replace(key_id, "KEY")),
    [
      `1 236 units in 5 requests in ${MONTH}`,
      "",
      `${"key".padEnd(key_id.length)}  name    account  operation  day         units  requests`,
      "KEY  my app  Étoile   geocode    2026-11-21      1         1",
      "KEY  my app  Étoile   getNearby  2026-11-20      0         1",
      "KEY  my app  Étoile   getNearby  2026-11-21  1 234         2",
      `${"anonymous".padEnd(key_id.length)}  –       –        getNearby  2026-11-21      1         1`,
      "",
    ],
  );
  const narrow = await run(["usage"], { ...io, out: terminal(80) });
  assert.ok(
    narrow.out.split("\n").every((line) => displayWidth(line) <= 80),
    narrow.out,
  );
});

test("usage of one key, of another month, and as JSON", async (t) => {
  const { key_id, ...io } = await metered(t);
  const ran = await run(["usage", "--key", key_id, "--month", "2026-10", "--json"], io);
  const { rows, ...sums } = JSON.parse(ran.out) as { rows: Record<string, unknown>[] };
  assert.deepEqual(sums, { month: "2026-10", units: 5, requests: 1 });
  const [row] = rows;
  assert.deepEqual(
    [row?.["key_id"], row?.["operation"], row?.["day"]],
    [key_id, "getNearby", "2026-10-22"],
  );
  const own = await run(["usage", "--key", key_id], io);
  assert.match(own.out, /^1 235 units in 4 requests/);
  assert.doesNotMatch(own.out, /anonymous/);
});

test("nothing metered is said, and so is a key that is not there", async (t) => {
  const store = storeIn(t);
  const nothing = await run(["usage", "--month", "2027-01"], store);
  assert.deepEqual([nothing.code, nothing.out], [0, "nothing metered in 2027-01\n"]);
  const none = await run(["usage", "--month", "2027-01", "--json"], store);
  assert.deepEqual(JSON.parse(none.out), { month: "2027-01", units: 0, requests: 0, rows: [] });
  const stranger = await run(["usage", "--key", "svc_live_secret"], store);
  assert.deepEqual([stranger.code, stranger.out], [1, ""]);
  assert.match(stranger.err, /^vicinity: there is no key with such an id/);
  for (const month of ["2026-13", "november", "2026-1", "2026-11-21"]) {
    const wrong = await run(["usage", "--month", month], store);
    assert.equal(wrong.code, 2, month);
    assert.match(wrong.err, /^vicinity: --month: expected a month such as 2026-11, got /);
  }
});
