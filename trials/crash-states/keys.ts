/**
 * Accounts and keys after a crash: the store is what it was after the last change that was
 * acknowledged, or after the one that was being made; so no revocation is ever undone.
 */
import type { AccountsAtHand, KeyRecord } from "#ports.ts";
import { createAccounts } from "#storage/embedded/accounts.ts";
import { openDatabase } from "#storage/embedded/database.ts";
import { MIGRATIONS } from "#storage/embedded/migrations.ts";
import { createDice } from "../dice.ts";
import type { Scenario } from "./scenario.ts";

type Change = (accounts: AccountsAtHand) => void;

/** The same changes for the writer and for the checks; each changes what is listed. */
export function sampleChanges(seed: number, count: number): Change[] {
  const dice = createDice(seed);
  const accounts = ["acc_0"];
  const keys = ["key_0"];
  const changes: Change[] = [
    (store) => store.createAccount(accountOf("acc_0")),
    (store) => store.createKey(keyOf("key_0", "acc_0", null)),
  ];
  while (changes.length < count) {
    const at_ms = changes.length;
    const account = dice.pick(accounts);
    const key = dice.pick(keys);
    const successor = keyOf(`key_${at_ms}`, account, key);
    const kind = dice.integer(0, 5);
    if (kind === 0) {
      accounts.push(`acc_${at_ms}`);
      changes.push((store) => store.createAccount(accountOf(`acc_${at_ms}`)));
    } else if (kind === 1)
      changes.push((store) => void store.setAccount(account, { plan: `plan ${at_ms}` }));
    else if (kind === 2)
      changes.push((store) => void store.setAccount(account, { standing: "suspended" }));
    else if (kind === 3) {
      keys.push(successor.id);
      changes.push((store) => store.createKey({ ...successor, rotated_from: null }));
    } else if (kind === 4) changes.push((store) => void store.rotateKey(key, successor, at_ms));
    else changes.push((store) => void store.revokeKey(key, at_ms));
  }
  return changes;
}

function accountOf(id: string): Parameters<AccountsAtHand["createAccount"]>[0] {
  return { id, name: id, plan: "developer", standing: "active", created_at_ms: 0 };
}

function keyOf(id: string, account_id: string, rotated_from: string | null): KeyRecord {
  const hash = Buffer.alloc(32);
  hash.write(id);
  return {
    id,
    account_id,
    name: null,
    scopes: ["data:read"],
    hash: new Uint8Array(hash),
    hint: "svc_live_abcd",
    created_at_ms: 0,
    expires_at_ms: null,
    revoked_at_ms: null,
    rotated_from,
    last_used_at_ms: null,
  };
}

export function keysScenario(seed: number, work: number): Scenario {
  const model = createAccounts(openDatabase(":memory:"));
  const expected = [listAll(model)];
  for (const change of sampleChanges(seed, work)) {
    change(model);
    expected.push(listAll(model));
  }
  return {
    name: "keys",
    work,
    stores: [{ file: "vicinity.db", migrations: MIGRATIONS }],
    writer: new URL("./keys-writer.ts", import.meta.url),
    check(at, { acked }) {
      const database = at("vicinity.db");
      const match = listAll(createAccounts(database));
      const fits = [acked.length, acked.length + 1].some((made) => expected[made] === match);
      return fits ? [] : [`not the store after ${acked.length} changes`];
    },
  };
}

function listAll(accounts: AccountsAtHand): string {
  const keys = accounts.listKeys().map((key) => ({ ...key, hash: [...key.hash] }));
  return JSON.stringify([accounts.listAccounts(), keys, accounts.version()]);
}
