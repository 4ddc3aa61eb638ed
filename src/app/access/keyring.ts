/**
 * Finds the caller of a key (§5; decisions, "Authentication, plans, metering"): in memory where it
 * is known, else in the store. A write to the store by any process, for example a revocation, is
 * noticed within `NOTICE_MS`: then the keys it concerns, or all where it names none, are looked up
 * again as they come. While the store cannot be reached, known keys live on for `grace_ms`,
 * including those due for another look, and unknown ones get `store_unavailable`, never
 * `invalid_api_key`. A store elsewhere is asked once about a key, however many requests bring it at
 * once.
 */
import { detach } from "#kit/guard.ts";
import { LRUCache } from "lru-cache";
import { keyState } from "#core/keys/issue.ts";
import { type KeyPrefix, type ParsedKey, parseKey } from "#core/keys/key.ts";
import type { Plan } from "#core/plans.ts";
import type { Account, AccountChange, Accounts, Clock, KeyRecord, MaybePromise } from "#ports.ts";
import type { KeyedCaller } from "./request-caller.ts";

export type KeyRefusal = {
  ok: false;
  code: "invalid_api_key" | "expired_api_key" | "store_unavailable";
  /** It is well formed, and made for the sandbox where this is none, or the other way round. */
  is_of_other_mode?: true;
};
export type KeyVerdict = { ok: true; caller: KeyedCaller } | KeyRefusal;

export type Keyring = {
  /**
   * From memory alone, form and checksum included; a hash: the store must be asked. `parsed`: of this
   * key, by who has it already.
   */
  recall(key: string, parsed?: ParsedKey | null): KeyVerdict | Uint8Array;
  /** Reports whether this was a good key not long ago, to be looked up again: it is not made up. */
  isRemembered(hash: Uint8Array): boolean;
  /** Never rejects. A promise where the store is elsewhere. */
  lookUp(hash: Uint8Array): MaybePromise<KeyVerdict>;
  /** Writes down which keys were used since the last time; when they are many, that is done before. */
  flush(): void;
  /** Looks all keys up again as they come: their plans may be others now. */
  renew(): void;
};

export type KeyringDeps = {
  accounts: Pick<Accounts, "findKeyByHash" | "touchKeys" | "version" | "changesSince">;
  clock: Pick<Clock, "now">;
  /** Of the mode: the other mode's keys are no keys here. */
  prefix: KeyPrefix;
  /** An account whose plan is not configured is on the smallest, and that is said. */
  planOf: (name: string, account_id: string) => Plan;
  /** SHA-256. */
  hash: (key: string) => Uint8Array;
  onFault: (error: unknown) => void;
  /** The system's clock, by which keys expire (decision 24); absent: that of `clock`. */
  wall?: () => number;
  /** How long known keys are good while the store cannot be reached: no revocation arrives in it. */
  grace_ms?: number;
};

const NOTICE_MS = 200;
/** As shipped (config, keys.grace_s). */
const GRACE_MS = 3_600_000;
const KNOWN_MAX = 20_000;
/** Keys that were never issued: well-formed ones can be made up without end. */
const UNKNOWN_MAX = 10_000;
/** Used keys that are not written down yet: these take an embedded store a few milliseconds. */
const USED_MAX = 1_000;
/** Good keys by their text, which spares the hash; kept until the next `flush` and no longer. */
const RECENT_MAX = 2_000;

type KeyWithAccount = { key: KeyRecord; account: Account } | null;
type CachedKey = {
  record: KeyRecord;
  account: Account;
  good: { ok: true; caller: KeyedCaller };
  /** Era of the memory when it was looked up: one of an earlier era is to be looked up again. */
  era: number;
  /** Since when it has been looked up again in vain. */
  doubted_ms: number | null;
};

const INVALID: KeyRefusal = { ok: false, code: "invalid_api_key" };
const OF_OTHER_MODE: KeyRefusal = { ...INVALID, is_of_other_mode: true };
const EXPIRED: KeyRefusal = { ok: false, code: "expired_api_key" };
const UNREACHED: KeyRefusal = { ok: false, code: "store_unavailable" };

export function createKeyring(deps: KeyringDeps): Keyring {
  const { accounts, clock, prefix, hash, planOf, wall = clock.now, grace_ms = GRACE_MS } = deps;
  const memory = new Memory();
  const { known, unknown, recent } = memory;
  const watch = new Watch({ ...deps, grace_ms }, memory);
  const uses = new Uses((used) => {
    const touched = Promise.try(() => watch.ask(() => accounts.touchKeys(used)));
    detach(touched, deps.onFault);
  });

  function judge(match: CachedKey): KeyVerdict {
    const now_ms = wall();
    const state = keyState(match.record, now_ms);
    if (state !== "active") return state === "expired" ? EXPIRED : INVALID;
    uses.note(match.record.id, now_ms);
    return match.good;
  }
  /** `before`: what was known, which goes for a while if the store says nothing. */
  function settle(match: CachedKey | null | undefined, before: CachedKey | undefined): KeyVerdict {
    if (match === null) return INVALID;
    if (match) return judge(match);
    if (!before) return UNREACHED;
    const now_ms = clock.now();
    before.doubted_ms ??= now_ms;
    return now_ms - before.doubted_ms < grace_ms ? judge(before) : UNREACHED;
  }

  return {
    recall(key, parsed = parseKey(key)) {
      // First, so that nothing that has seen keys is asked about a malformed one: timing would reveal it.
      if (parsed?.prefix !== prefix) return parsed ? OF_OTHER_MODE : INVALID;
      watch.look(clock.now());
      const met = recent.get(key);
      if (met) return judge(met);
      const digest = hash(key);
      const name = toName(digest);
      const match = known.get(name);
      if (match && memory.isCurrent(match)) {
        if (recent.size >= RECENT_MAX) recent.clear();
        recent.set(key, match);
        return judge(match);
      }
      if (match && watch.isLost) return judge(match);
      return unknown.has(name) ? INVALID : digest;
    },
    isRemembered: (digest) => known.has(toName(digest)),
    lookUp(digest) {
      const name = toName(digest);
      const before = known.get(name);
      const match = memory.fill(name, () => {
        const read = watch.ask(() => accounts.findKeyByHash(digest));
        const keep = (row: KeyWithAccount | undefined) => toCachedKey(row, planOf);
        return read instanceof Promise ? read.then(keep) : keep(read);
      });
      if (match instanceof Promise) return match.then((stored) => settle(stored, before));
      return settle(match, before);
    },
    flush() {
      recent.clear();
      uses.flush();
    },
    renew: () => memory.outdate(null),
  };
}

class Uses {
  readonly #used = new Map<string, number>();
  readonly #writeDown: (used: { id: string; at_ms: number }[]) => void;

  constructor(writeDown: (used: { id: string; at_ms: number }[]) => void) {
    this.#writeDown = writeDown;
  }

  note(key_id: string, at_ms: number): void {
    this.#used.set(key_id, at_ms);
    if (this.#used.size >= USED_MAX) this.flush();
  }

  flush(): void {
    if (this.#used.size === 0) return;
    const all = [...this.#used].map(([id, at_ms]) => ({ id, at_ms }));
    this.#used.clear();
    this.#writeDown(all);
  }
}

function toCachedKey(
  match: KeyWithAccount | undefined,
  planOf: KeyringDeps["planOf"],
): CachedKey | null | undefined {
  if (!match) return match;
  const { key, account } = match;
  const { id: key_id, account_id, scopes } = key;
  const whose = { key_id, account_id, scopes, standing: account.standing };
  const caller: KeyedCaller = { kind: "keyed", plan: planOf(account.plan, account_id), ...whose };
  return { record: key, account, good: { ok: true, caller }, era: 0, doubted_ms: null };
}

class Memory {
  // With `max` instead, room for all would be taken at once.
  readonly known = new LRUCache<string, CachedKey>({
    maxSize: KNOWN_MAX,
    sizeCalculation: () => 1,
  });
  readonly unknown = new LRUCache<string, true>({ maxSize: UNKNOWN_MAX, sizeCalculation: () => 1 });
  readonly recent = new Map<string, CachedKey>();
  readonly #requested = new Map<string, Promise<CachedKey | null | undefined>>();
  #era = 0;
  /** How often anything was outdated: what was asked for before is returned, but not kept. */
  #turn = 0;

  /** Keeps what the store says; undefined: it says nothing. Lookups meanwhile wait for the same. */
  fill(
    name: string,
    read: () => MaybePromise<CachedKey | null | undefined>,
  ): MaybePromise<CachedKey | null | undefined> {
    const waiting = this.#requested.get(name);
    if (waiting) return waiting;
    const asked_in = this.#turn;
    const match = read();
    if (!(match instanceof Promise)) {
      this.#keep(name, match, asked_in);
      return match;
    }
    const retained = match.then((stored) => {
      this.#keep(name, stored, asked_in);
      return stored;
    });
    this.#requested.set(name, retained);
    return retained;
  }

  /** Nothing was written since it was read. */
  isCurrent({ era }: CachedKey): boolean {
    return era === this.#era;
  }

  /** Forgets what was written; null: anything was, and all keys are to be looked up again. */
  outdate(changes: readonly AccountChange[] | null): void {
    this.#turn += 1;
    this.recent.clear();
    this.#requested.clear();
    if (changes) return this.#forgetNamed(changes);
    this.#era += 1;
    this.unknown.clear();
  }

  forget(): void {
    this.outdate(null);
    this.known.clear();
  }

  #keep(name: string, match: CachedKey | null | undefined, asked_in: number): void {
    if (asked_in !== this.#turn) return;
    this.#requested.delete(name);
    if (match) {
      match.era = this.#era;
      this.known.set(name, match);
    } else if (match === null) {
      this.known.delete(name);
      this.unknown.set(name, true);
    }
  }

  /** What is known to be wrong does not live on without its store: it may be a revocation. */
  #forgetNamed(changes: readonly AccountChange[]): void {
    const accounts = new Set<string>();
    for (const change of changes) {
      if (change.what === "account") {
        accounts.add(change.id);
        continue;
      }
      const name = toName(change.hash);
      this.unknown.delete(name);
      this.known.delete(name);
    }
    // Gone through once, however many accounts are written at a time.
    if (accounts.size === 0) return;
    const theirs = [...this.known.entries()].filter(([, { account }]) => accounts.has(account.id));
    for (const [name] of theirs) this.known.delete(name);
  }
}

/** Bytes as a text of as many characters: a key of maps. */
function toName(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString("latin1");
}

/** Whether anything was written to the store, and whether it can be reached. */
class Watch {
  readonly #deps: Pick<KeyringDeps, "accounts" | "onFault"> & { grace_ms: number };
  readonly #memory: Pick<Memory, "outdate" | "forget">;
  #version: number | undefined;
  #looked_ms = Number.NEGATIVE_INFINITY;
  #lost_ms: number | null = null;

  constructor(
    deps: Pick<KeyringDeps, "accounts" | "onFault"> & { grace_ms: number },
    memory: Pick<Memory, "outdate" | "forget">,
  ) {
    this.#deps = deps;
    this.#memory = memory;
  }

  /** The version cannot be read. */
  get isLost(): boolean {
    return this.#lost_ms !== null;
  }

  /** Has anything been written since? */
  look(now_ms: number): void {
    // A clock that was set back is no reason to wait for it.
    if (Math.abs(now_ms - this.#looked_ms) < NOTICE_MS) return;
    this.#looked_ms = now_ms;
    const { accounts, grace_ms } = this.#deps;
    const current = this.#readVersion();
    if (current === undefined) {
      this.#lost_ms ??= now_ms;
      if (now_ms - this.#lost_ms >= grace_ms) this.#memory.forget();
      return;
    }
    // By the version alone: it is what says that nothing was written to those that are known.
    this.#lost_ms = null;
    if (current === this.#version) return;
    const since = this.#version;
    this.#memory.outdate(since === undefined ? null : accounts.changesSince(since));
    this.#version = current;
  }

  /** undefined: the store cannot be reached. */
  ask<T>(question: () => MaybePromise<T>): MaybePromise<T | undefined> {
    const fail = (error: unknown): undefined => {
      this.#deps.onFault(error);
      return undefined;
    };
    try {
      const answer = question();
      return answer instanceof Promise ? answer.catch(fail) : answer;
    } catch (error) {
      return fail(error);
    }
  }

  #readVersion(): number | undefined {
    try {
      return this.#deps.accounts.version();
    } catch (error) {
      this.#deps.onFault(error);
      return undefined;
    }
  }
}
