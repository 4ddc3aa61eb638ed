/**
 * Which caller a key stands for (§5; decisions, "Authentication, plans, metering"): from memory
 * where it is known, else from the store. What was written to the store by anybody, a revocation for
 * one, is noticed within `NOTICE_MS`. While the store cannot be reached, known keys live on for
 * `SURVIVAL_MS` and unknown ones are told that nobody knows: never that they are bad.
 */
import { LRUCache } from "lru-cache";
import { keyState } from "#core/keys/issue.ts";
import { type KeyPrefix, parseKey } from "#core/keys/key.ts";
import type { Plan } from "#core/plans.ts";
import type { Account, Accounts, Clock, KeyRecord } from "#ports.ts";
import type { KeyedCaller } from "./caller.ts";

export type KeyRefusal = {
  ok: false;
  code: "invalid_api_key" | "expired_api_key" | "store_unavailable";
};
export type KeyVerdict = { ok: true; caller: KeyedCaller } | KeyRefusal;

export type Keyring = {
  /** From memory alone, form and checksum included; a hash: the store must be asked. */
  recall(key: string): KeyVerdict | Uint8Array;
  lookUp(hash: Uint8Array): KeyVerdict;
  /** Writes down which keys were used since the last time. */
  flush(): void;
};

export type KeyringDeps = {
  accounts: Pick<Accounts, "findKeyByHash" | "touchKeys" | "version">;
  clock: Pick<Clock, "now">;
  /** Of the mode: the other mode's keys are no keys here. */
  prefix: KeyPrefix;
  /** An account whose plan is no longer configured is on the smallest. */
  planOf: (name: string) => Plan;
  /** SHA-256. */
  hash: (key: string) => Uint8Array;
  onFault: (error: unknown) => void;
};

const NOTICE_MS = 200;
const SURVIVAL_MS = 60_000;
const KNOWN_MAX = 20_000;
/** Keys that nobody has: well-formed ones can be made up without end. */
const UNKNOWN_MAX = 10_000;
/** Good keys by their text, which spares the hash; kept until the next `flush` and no longer. */
const RECENT_MAX = 2_000;

type Known = { record: KeyRecord; account: Account; good: { ok: true; caller: KeyedCaller } };

const INVALID: KeyRefusal = { ok: false, code: "invalid_api_key" };
const EXPIRED: KeyRefusal = { ok: false, code: "expired_api_key" };
const UNREACHED: KeyRefusal = { ok: false, code: "store_unavailable" };

export function createKeyring(deps: KeyringDeps): Keyring {
  const { accounts, clock, prefix, hash } = deps;
  const known = new LRUCache<string, Known>({ max: KNOWN_MAX });
  const unknown = new LRUCache<string, true>({ max: UNKNOWN_MAX });
  const recent = new Map<string, Known>();
  const used = new Map<string, number>();
  const watch = createWatch(deps, () => {
    recent.clear();
    known.clear();
    unknown.clear();
  });

  function judge(found: Known, now_ms: number): KeyVerdict {
    const state = keyState(found.record, now_ms);
    if (state !== "active") return state === "expired" ? EXPIRED : INVALID;
    used.set(found.record.id, now_ms);
    return found.good;
  }

  return {
    recall(key) {
      // First, so that nothing that has seen keys is asked about what is none: it would tell by time.
      if (parseKey(key)?.prefix !== prefix) return INVALID;
      const now_ms = clock.now();
      watch.look(now_ms);
      const met = recent.get(key);
      if (met) return judge(met, now_ms);
      const digest = hash(key);
      const name = toName(digest);
      const found = known.get(name);
      if (found) {
        if (recent.size >= RECENT_MAX) recent.clear();
        recent.set(key, found);
        return judge(found, now_ms);
      }
      return unknown.has(name) ? INVALID : digest;
    },
    lookUp(digest) {
      const now_ms = clock.now();
      const found = watch.ask(() => accounts.findKeyByHash(digest), now_ms);
      if (found === undefined) return UNREACHED;
      if (found === null) {
        unknown.set(toName(digest), true);
        return INVALID;
      }
      const made = toKnown(found, deps.planOf(found.account.plan));
      known.set(toName(digest), made);
      return judge(made, now_ms);
    },
    flush() {
      recent.clear();
      if (used.size === 0) return;
      const touched = [...used].map(([id, at_ms]) => ({ id, at_ms }));
      used.clear();
      watch.ask(() => accounts.touchKeys(touched), clock.now());
    },
  };
}

/** Bytes as a text of as many characters: a key of maps. */
function toName(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString("latin1");
}

function toKnown({ key, account }: { key: KeyRecord; account: Account }, plan: Plan): Known {
  const { scopes } = key;
  const { standing } = account;
  const caller: KeyedCaller = {
    ...{ kind: "keyed", plan, key_id: key.id, account_id: account.id, scopes, standing },
  };
  return { record: key, account, good: { ok: true, caller } };
}

type Watch = {
  /** Has anything been written since? */
  look(now_ms: number): void;
  /** undefined: the store cannot be reached. */
  ask<T>(question: () => T, now_ms: number): T | undefined;
};

function createWatch(
  { accounts, onFault }: Pick<KeyringDeps, "accounts" | "onFault">,
  forget: () => void,
): Watch {
  let version: number | undefined;
  let looked_ms = Number.NEGATIVE_INFINITY;
  let lost_ms: number | null = null;

  function ask<T>(question: () => T, now_ms: number): T | undefined {
    try {
      const answer = question();
      lost_ms = null;
      return answer;
    } catch (error) {
      lost_ms ??= now_ms;
      onFault(error);
      return undefined;
    }
  }
  return {
    ask,
    look(now_ms) {
      // A clock that was set back is no reason to wait for it.
      if (Math.abs(now_ms - looked_ms) < NOTICE_MS) return;
      looked_ms = now_ms;
      const current = ask(() => accounts.version(), now_ms);
      if (current === undefined) {
        if (now_ms - (lost_ms ?? now_ms) >= SURVIVAL_MS) forget();
      } else if (current !== version) {
        version = current;
        forget();
      }
    },
  };
}
