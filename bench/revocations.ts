/**
 * How long a key works on at one replica after its revocation at another has returned, over a private
 * PostgreSQL: by notices, and with notices cut. Two stores with their own connections in one process,
 * and a keyring asked every millisecond, as by a busy caller. `--count 300`, `--cut 40`.
 */
import { hash, randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { readArguments } from "../trials/arguments.ts";
import { createKeyring } from "#app/access/keyring.ts";
import { createClock } from "#process/clock.ts";
import { SHIPPED_PLANS } from "#config/plan-settings.ts";
import { newAccount, newKey } from "#core/keys/issue.ts";
import { KEY_PREFIXES } from "#core/keys/key.ts";
import { DEFAULT_SCOPES } from "#core/keys/scopes.ts";
import type { Accounts } from "#ports.ts";
import { openPostgres } from "#storage/postgres/open-postgres.ts";
import { cutNotices } from "../test/support/cut-notices.ts";
import { NO_POSTGRES, startPostgres } from "../test/support/engines.ts";

const values = readArguments(process.argv.slice(2), { count: 300, cut: 40 });
const prefix = KEY_PREFIXES.live;
const issue = { now_ms: Date.now(), draw: randomBytes, prefix };

const engine = await startPostgres({ durable: true });
if (!engine) throw new Error(String(NO_POSTGRES));
const url = await engine.createDatabase();
const [here, other] = [await open(), await open()];
const account = newAccount({ name: "bench", plan: "developer" }, issue);
await here.accounts.createAccount(account);
report("by notice", await measure(values.count));
await cutNotices(url, "vicinity_live");
report("notices cut", await measure(values.cut));
await Promise.all([here.close(), other.close()]);
await engine.stop();

async function open() {
  const store = await openPostgres({
    url,
    mode: "live",
    clock: createClock(),
    onFault: console.error,
    onDefect: console.error,
  });
  if ("problem" in store) throw new Error(store.problem);
  return store;
}

async function measure(count: number): Promise<number[]> {
  const delays_ms: number[] = [];
  for (let i = 0; i < count; i++) delays_ms.push(await revokeOne(other.accounts));
  return delays_ms.sort((a, b) => a - b);
}

async function revokeOne(accounts: Accounts): Promise<number> {
  const keyring = createKeyring({
    accounts,
    prefix,
    clock: { now: Date.now },
    planOf: () => SHIPPED_PLANS[0]!,
    hash: (key) => hash("sha256", key, "buffer"),
    onFault: console.error,
  });
  const terms = { account_id: account.id, name: null, expires_at_ms: null };
  const { key, record } = newKey({ ...terms, scopes: DEFAULT_SCOPES }, issue);
  await here.accounts.createKey(record);
  const isGood = async (): Promise<boolean> => {
    const recalled = keyring.recall(key);
    return (recalled instanceof Uint8Array ? await keyring.lookUp(recalled) : recalled).ok;
  };
  while (!(await isGood())) await pause(1);
  // At any moment between two looks of the keyring, and between two questions to the store.
  await pause(Math.random() * 250);
  await here.accounts.revokeKey(record.id, Date.now());
  const begun = performance.now();
  while (await isGood()) await pause(1);
  return performance.now() - begun;
}

function report(what: string, delays_ms: readonly number[]): void {
  const at = (share: number): string =>
    (
      delays_ms[Math.min(delays_ms.length - 1, Math.floor(share * delays_ms.length))] ?? NaN
    ).toFixed(0);
  console.log(
    `${what}: ${delays_ms.length} revocations, median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`,
  );
}
