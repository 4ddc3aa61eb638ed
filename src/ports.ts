/** Replaceable things, with those of src/ports: types only, each with a suite in test/conformance. */
import type { Box } from "#kit/geo.ts";
import type { DatasetFate } from "#core/datasets/fate.ts";
import type { FailureStatus, SourceStatus } from "#kit/outcome.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import type { StaticsRefusal } from "#stations/identity/group.ts";
import type { IdChanges } from "#stations/identity/id-texts.ts";
import type { Shard } from "#stations/shard/shard.ts";

/** Time and timers enter here only, so that tests and the sandbox can move them. */
export type Clock = {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `task` once at `at_ms` (or as soon as possible after); returns its cancellation. */
  schedule(at_ms: number, task: () => void | Promise<void>): () => void;
  /** Resolves after `ms`, rejects with the signal's reason when aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/** Uniform numbers in [0, 1): jitter. Injected so that tests are deterministic. */
export type Random = () => number;

/** Facts about a feed that the store keeps between restarts (architecture, Feeds). */
export type FeedMemo = {
  source_id: string;
  /** null: surveyed, and the system has no located entity. */
  box: Box | null;
  /** Boxes of its parts, the largest first, where it has distant ones. */
  areas?: readonly Box[];
  surveyed_at_ms: number;
  entity_count: number;
  /** URL of the discovery document the survey belongs to; another URL voids the memo. */
  url: string;
};

export type FeedStore = {
  listMemos(): FeedMemo[];
  putMemo(memo: FeedMemo): void;
  close(): void;
};

/**
 * Identity that outlives feeds and restarts (R11, §2.9): the `svc_station_` ids that are not those
 * of their own keys, and what each source last published. Synchronous: an implementation with a
 * server behind it holds what it needs, and writes behind.
 */
export type Bridges = {
  /**
   * Called before `meet` and all else about these sources, so that every replica of a fleet knows
   * them alike, whichever met them first and when. While the store cannot be reached it resolves
   * all the same, soon: then they are as if they were met now, until the store says otherwise.
   */
  prepare(source_ids: readonly string[], now_ms: number): Promise<void>;
  /** When this deployment first knew each source, epoch ms; `now_ms` is remembered for new ones. */
  meet(source_ids: readonly string[], now_ms: number): Map<string, number>;
  /** Station key → id, of the stations of one source whose id is not derived from that key. */
  listIds(source_id: string): Map<string, string>;
  /** Packed stations (StationCodec); null: never read here. */
  recall(source_id: string): Uint8Array | null;
  /** One transaction: ids set (null: removed), and what is published now (null: as it was). */
  save(source_id: string, change: { ids: IdChanges; seen: Uint8Array | null }): void;
};

/** State of one system as the world and `/v1/sources` show it. */
export type FeedHealth = {
  /** As people know the system; absent: it has no other name than its id. */
  name?: string;
  status: SourceStatus;
  /** Machine token of the last failure; null when ok. */
  reason: string | null;
  last_success_at_ms: number | null;
  last_attempt_at_ms: number | null;
};

/** One system as a replica has read it, for all of a fleet (architecture, Scale). */
export type PublishedFeed = {
  source_id: string;
  /**
   * Grows by every publication of the source, whichever replica makes it. None ever comes again,
   * not even when the store has lost all it had.
   */
  version: number;
  /** Everything known besides the packs, as text (upstream/feeds/handover). */
  state: string;
  /** Packs by content hash: those that `state` names and that the reader did not name as held. */
  packs: ReadonlyMap<string, Uint8Array>;
};

export type FeedLease = {
  /** Version that is published now; 0: none is. */
  version: number;
  /**
   * Ends the lease and notifies every replica. Returns the version; null: the lease had been lost,
   * or the store is away; nothing was published.
   */
  publish(state: string, packs: ReadonlyMap<string, Uint8Array>): Promise<number | null>;
  /** Ends the lease without anything new; replicas are notified too, so that waiting ones go on. */
  release(): Promise<void>;
};

/**
 * Exchange of feeds between replicas, which also decides which one reads next. No call rejects, and
 * each answers within its implementation's own short bound; `unreachable`: act alone.
 */
export type FeedExchange = {
  /**
   * Takes a lease, held until it is published, released, or its holder is dead for some seconds. A
   * store that was late may be asked once more within a second; not from when `hurry` is aborted.
   */
  lease(source_id: string, hurry?: AbortSignal): Promise<FeedLease | "held" | "unreachable">;
  /** Reads the latest, with the packs not in `held`; null: there is none later than `after`. */
  read(
    source_id: string,
    options: { after: number; stored: ReadonlySet<string> },
  ): Promise<PublishedFeed | null | "unreachable">;
  /** Lists all that is published, for a replica that joins. */
  list(): Promise<{ source_id: string; version: number }[] | "unreachable">;
  /** Calls the listener for each publication or release; some may be lost. Returns its end. */
  watch(listener: (notice: { source_id: string; version: number }) => void): () => void;
};

/** The right to ask a source for an answer that no replica has yet. */
export type AnswerClaim = {
  /** The answer that is kept by now: another replica may have been quicker. */
  kept: KeptAnswer | null;
  /** Ends the claim and wakes waiting replicas; null: there is no answer to keep. */
  end(answer: { text: string; life_ms: number } | null): Promise<void>;
};

/** `age_ms`: since it was put, by the store's own clock. */
export type KeptAnswer = { text: string; age_ms: number };

/**
 * Answers of lookups that a fleet shares, as text, with claims that decide which replica asks next.
 * No call rejects, and each answers within a short bound; `unreachable`: act alone.
 */
export type SharedAnswers = {
  read(key: string): Promise<KeptAnswer | null | "unreachable">;
  /** Claims the key for one replica at a time, for at most `life_ms`. */
  claim(key: string, life_ms: number): Promise<AnswerClaim | "held" | "unreachable">;
  /** Calls the listener when a claim of that key ends; some may be missed. Returns its end. */
  watch(key: string, listener: () => void): () => void;
};

/** Result of asking for newer live files of one system. */
export type RefreshResult =
  | { status: "ok"; cache: "miss" | "revalidated" }
  | { status: FailureStatus; reason: string };

/** The feed runtime as the use cases see it. It never rejects; a failure is a value. */
export type Feeds = {
  /** Notes a request near this system: it is polled until it has been idle. */
  wake(source_id: string): void;
  /**
   * Brings the system's shard up to date: joins a refresh begun after `begun_after_ms`, else starts
   * one (unless the system is backing off: then its last failure is returned at once).
   * Resolves when the world holds the new shard. The caller bounds the wait by its own deadline;
   * abandoning it does not stop the refresh.
   */
  refresh(source_id: string, options: { begun_after_ms: number }): Promise<RefreshResult>;
  health(source_id: string): FeedHealth;
  /** Puts the systems of this country first in the survey queue. */
  prioritise(country: string): void;
};

/** Where the feed runtime puts what it has read; `world/` implements it. */
export type ShardSink = {
  /**
   * Shows it; a new static pack once it is resolved, vehicles once they are compared. Where it is
   * refused the old one stays.
   */
  put(shard: Shard): StaticsRefusal | null | Promise<StaticsRefusal | null>;
  /** Resolves when the live parts that were put last are shown, their vehicles compared; null, or absent: they are. */
  shown?(source_id: string): Promise<unknown> | null;
  /** A system's box became known (survey or store) without its shard being loaded. */
  setBox(source_id: string, box: Box | null): void;
  /** A system that could not be surveyed may be there; once it is surveyed, that is forgotten. */
  suspect(source_id: string, whereabouts: Whereabouts): void;
};

/** Hint where a system is; `nowhere`: there is none, and no answer waits for it. */
export type Whereabouts = { box: Box } | { country: string } | "nowhere";

/** Counts calls of sources that cost money, by UTC day (`2026-11-21`). Never throws. */
export type SpendStore = {
  /** Adds this number of calls, which may be negative; returns the new count. */
  add(provider: string, day: string, calls: number): MaybePromise<number>;
};

/** Where tiles of open data are kept, by kind and tile (packages/kit/tiles); `world/` implements it. */
export type TileSink = {
  get(kind: PlaceKind, tile: number): { fetched_at_ms: number } | null;
  put(
    kinds: readonly PlaceKind[],
    tiles: readonly number[],
    places: readonly Place[],
    fetched_at_ms: number,
  ): void;
};

/** State of the account that a key belongs to (§5; decisions, Authentication). */
export type Standing = "active" | "past_due" | "suspended";
export type KeyScope = "data:read" | "geography:read" | "journey:read";

export type Account = {
  id: string;
  name: string;
  plan: string;
  standing: Standing;
  created_at_ms: number;
};

/** A key as it is stored: never the key itself. */
export type KeyRecord = {
  id: string;
  account_id: string;
  name: string | null;
  scopes: readonly KeyScope[];
  /** SHA-256 of the whole key. */
  hash: Uint8Array;
  /** Prefix and the first four characters of the secret, for people. */
  hint: string;
  created_at_ms: number;
  /** null: it never expires. */
  expires_at_ms: number | null;
  revoked_at_ms: number | null;
  /** The key it takes the place of; null: none. */
  rotated_from: string | null;
  /** Coarse: written once a minute at most, off the path of requests. */
  last_used_at_ms: number | null;
};

/** A value at once or later: a store in this process is not waited for. */
export type MaybePromise<T> = T | Promise<T>;

/** Accounts and keys. Throws or rejects: a refusal, or `code` "store_unavailable". */
export type Accounts = {
  createAccount(account: Account): MaybePromise<void>;
  listAccounts(): MaybePromise<Account[]>;
  /** Returns the plans that accounts are on, each once, with one of these accounts. */
  listPlans(): MaybePromise<{ plan: string; account_id: string }[]>;
  findAccount(id: string): MaybePromise<Account | null>;
  /** null: there is no such account. */
  setAccount(id: string, change: AccountTerms): MaybePromise<Account | null>;
  createKey(key: KeyRecord): MaybePromise<void>;
  listKeys(): MaybePromise<KeyRecord[]>;
  findKey(id: string): MaybePromise<KeyRecord | null>;
  findKeyByHash(hash: Uint8Array): MaybePromise<{ key: KeyRecord; account: Account } | null>;
  /**
   * One transaction: the successor is made, and the key expires at the end of the overlap, or when it
   * would have anyway. false: there is no such key, or it is revoked; nothing is written.
   */
  rotateKey(id: string, successor: KeyRecord, expires_at_ms: number): MaybePromise<boolean>;
  /** false: there is no such key. A revoked key stays revoked. */
  revokeKey(id: string, at_ms: number): MaybePromise<boolean>;
  /** Writes when keys were last used, in one transaction; an earlier time changes nothing. */
  touchKeys(used: readonly { id: string; at_ms: number }[]): MaybePromise<void>;
  /**
   * Returns a number that changes with every write to accounts or keys, by any process, for the
   * check of a cache. Never waits: a store elsewhere is followed, and this throws when it has been
   * silent.
   */
  version(): number;
  /** Returns the writes after that version, in order; null: anything may have been. Never waits. */
  changesSince(version: number): readonly AccountChange[] | null;
};

type AccountTerms = Partial<Pick<Account, "plan" | "standing">>;

/** A key or account that was made, changed or removed; the hash is of the key, as in its record. */
export type AccountChange = { what: "key"; hash: Uint8Array } | { what: "account"; id: string };

/** Accounts of a store in this process, which answers at once. */
export type AccountsAtHand = {
  [M in keyof Accounts]: (...args: Parameters<Accounts[M]>) => Awaited<ReturnType<Accounts[M]>>;
};

/** The cost of one reply. */
export type UsageEvent = {
  /** Unique for ever: an event that is recorded twice counts once. */
  event_id: string;
  /** null: anonymous. */
  account_id: string | null;
  key_id: string | null;
  operation: string;
  units: number;
  /** How many replies it is the sum of; absent: one. */
  requests?: number;
  at_ms: number;
};

export type UsageRow = {
  account_id: string | null;
  key_id: string | null;
  operation: string;
  /** UTC, `2026-11-21`. */
  day: string;
  units: number;
  requests: number;
};

export type Usage = {
  /**
   * Writes the events before it returns: the end of the process loses them no more, and a power
   * failure only within 50 ms (decisions, Usage). false: none was kept, and their requests must be shed.
   */
  record(events: readonly UsageEvent[]): boolean;
  /** Units of an account in a UTC month (`2026-11`) or day (`2026-11-21`), of all that was recorded. */
  unitsOf(account_id: string, period: string): number;
  listUsage(filter: { month: string; key_id?: string }): UsageRow[] | Promise<UsageRow[]>;
  close(): Promise<void>;
};

/** A stored dataset without its content (§4.8). */
export type DatasetRow = {
  id: string;
  /** An account's id, or `public`. */
  owner: string;
  /** Content hash of the canonical JSON (core/datasets/version). */
  version: string;
  created_at_ms: number;
  /** From this moment on it is gone, deleted or not; later than it was when put, where it is kept on. */
  expires_at_ms: number;
};

export type NewDataset = DatasetRow & {
  /** Opaque key of the quota that it counts in: of an account, or of an anonymous address. */
  quota_key: string;
  /** Living datasets that this key may have at most, this one included; null: no bound. */
  quota_max: number | null;
  /** The block around an anonymous address; `max` null: no bound; absent: there is no block. */
  block_quota?: { key: string; max: number | null };
  /** Bytes that all datasets of this owner may take in the store, this one included; absent: no bound. */
  owner_bytes_max?: number;
  /** The observation of §4.8 as it was answered. */
  observation: Uint8Array;
  /** The /v1/nearby body as GET /v1/datasets sends it. */
  body: Uint8Array;
  /** Digest of caller and question, by which a retry finds it; absent: it cannot be found so. */
  repeat_key?: Uint8Array;
};

/**
 * A longer life for a dataset. The bounds are of living datasets with a longer life, this one
 * included: of its quota key, and of its block; null: no bound.
 */
export type LongerLife = {
  until_ms: number;
  now_ms: number;
  quota_max: number | null;
  block_max: number | null;
};

export type Repeated = { id: string; made_at_ms: number };
export type DatasetRead =
  | { status: "ok"; row: DatasetRow; bytes: Uint8Array }
  /** Never stored, or forgotten. */
  | { status: "absent" }
  /** It cannot be read, or its content is not what was stored: `store_unavailable`, never served. */
  | { status: "unavailable"; reason: string };

/** Immutable answers (§4.8). No call rejects. Nothing is ever evicted before it expires. */
export type Datasets = {
  /** Secret of the tags of ids (core/datasets/id): made at the first start, shared, backed up. */
  readonly secret: Uint8Array;
  /** false: the secret of the store is not known yet, so that no id can be judged; absent: it is. */
  knowsSecret?(): boolean;
  /** Resolves when it is durable, with all of its bytes, or with why it was not stored. */
  put(dataset: NewDataset): Promise<DatasetFate>;
  /** Returns byte for byte what was put, expired datasets included until they are deleted. */
  read(id: string, part: "observation" | "body"): Promise<DatasetRead>;
  /**
   * Keeps a living dataset until `until_ms`, durably; its bytes and all else of it stay as they are.
   * False: it stays as it was, since it is gone, a bound is reached, or the store cannot do it now.
   */
  keepOn(id: string, life: LongerLife): Promise<boolean>;
  /** Finds the first dataset put with this key at `since_ms` or later; null: none, or unknown. */
  findRepeat(repeat_key: Uint8Array, since_ms: number): Promise<Repeated | null>;
  /** Counts living datasets of a key or block, without a scan; null: unknown. */
  count(quota_key: string, now_ms: number): Promise<number | null>;
  /** Deletes some of those that had expired by `now_ms`; `more`: there may be others. */
  forget(now_ms: number): Promise<"done" | "more" | "unavailable">;
  close(): Promise<void>;
};

export type Admission =
  | { admitted: true; remaining: number; reset_s: number }
  | { admitted: false; retry_after_s: number; remaining: 0; reset_s: number };

type Buckets = readonly { key: string; block?: string; rate_per_s: number; burst: number }[];

/** Burst limits by GCRA, in any number of buckets at once: all of them admit, or none is charged. */
export type RateLimiter = {
  admit(buckets: Buckets, now_ms: number): Admission | Promise<Admission>;
  /**
   * Charges every bucket what an admitted request took beyond itself, in requests. Refuses nothing,
   * and nothing waits for it: the next admission sees it (core/limits/gcra `charge`).
   */
  charge(buckets: Buckets, tokens: number, now_ms: number): void;
};
