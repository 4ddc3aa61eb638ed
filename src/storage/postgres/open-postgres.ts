/**
 * PostgreSQL behind the ports (operation, VICINITY_STORE_URL): connected, brought to this version,
 * and followed. A problem is one line, which never holds the URL: it may hold a password.
 */
import { randomUUID } from "node:crypto";
import type { NoteFault } from "#kit/guard.ts";
import type { Accounts, Clock, Datasets } from "#ports.ts";
import type { Claims } from "#ports/claims.ts";
import type { ReplicaTexts } from "#ports/replica-texts.ts";
import type { Reservations } from "#ports/reservations.ts";
import { createPostgresAccounts } from "./accounts.ts";
import { AccountVersion } from "./account-version.ts";
import { createPostgresBridges, type PostgresBridges } from "./bridges.ts";
import { createPostgresClaims } from "./postgres-claims.ts";
import { createPostgresDatasets, DatasetSecret } from "./datasets.ts";
import { loadDriver, type StoreAddress } from "./driver.ts";
import { PostgresLedger } from "./ledger.ts";
import {
  createEntrance,
  joinStore,
  type Joined,
  type JoinOutcome,
  tryToJoin,
} from "./join-postgres.ts";
import { StoreNotices } from "./postgres-notices.ts";
import { createPool } from "./pool.ts";
import { PostgresReplicaFacts } from "./replica-facts.ts";
import { WriteProbe } from "./write-probe.ts";
import { createPostgresReservations } from "./reservations.ts";
import { type HealthEvent, type Reason, StoreHealth } from "#storage/store-health.ts";
import type { NoteMigration } from "#storage/store-schema.ts";
import { type Time, timeOf } from "#storage/store-time.ts";

/** The ports over one server; the user of a port closes it before the whole store is closed. */
export type PostgresStore = {
  accounts: Accounts;
  ledger: PostgresLedger;
  datasets: Datasets;
  bridges: PostgresBridges;
  reservations: Reservations;
  claims: Claims;
  facts: ReplicaTexts;
  health: StoreHealth;
  /** Versions of its modules as they were when it was joined; none before. */
  schemas(): Readonly<Record<string, number>>;
  /** Resolves when it has been joined. */
  joined: Promise<void>;
  close(): Promise<void>;
};

/** The service begins without the store, and waits for it. */
export type WaitEvent = { store: "postgresql"; reason: Reason; detail: string; since: string };
/** It has come. */
export type JoinEvent = { store: "postgresql"; waited_s: number };

export type PostgresOptions = StoreAddress & {
  clock: StoreClock;
  /** Called for each connection that breaks while it runs; it is made again. */
  onFault: (error: unknown) => void;
  /** Writes begin to fail, or succeed again; absent: it is not reported. */
  onHealth?: (event: HealthEvent) => void;
  /** Receives what our own code throws, with its stack. */
  onDefect: NoteFault;
  /** Called with what the opening has migrated. */
  onMigrated?: NoteMigration;
  /** Called when the tables were made in a database that had none. */
  onMade?: () => void;
  onWaiting?: (event: WaitEvent) => void;
  /** Called when a store that was waited for has been joined. */
  onJoined?: (event: JoinEvent) => void;
  time?: Time;
  /**
   * A server that cannot be reached may come later; it is waited for so long. Absent: it is a problem
   * at once.
   */
  absent?: { wait_ms: number };
};

/** The service's clock; `wall`: the system's, by which months end (decision 24). */
export type StoreClock = Pick<Clock, "now"> & { wall?(): number };

/** How often a store that is away is tried again, ms. */
const RETRY_MS = 1_000;

/** Connects and migrates; `problem` is one line. */
export async function openPostgres(
  options: PostgresOptions,
): Promise<PostgresStore | { problem: string }> {
  const { onFault, onHealth = () => undefined, clock, absent, ...address } = options;
  const { onMigrated, onMade, onWaiting, onJoined } = options;
  const onDefect = (error: unknown): void => options.onDefect("store", error);
  const time = options.time ?? timeOf((_, error) => onFault(error));
  const driver = await loadDriver();
  if ("problem" in driver) return driver;
  const health = new StoreHealth("postgresql", { time, onEvent: onHealth });
  const own_pool = createPool(driver, address, { onFault, onDefect, health });
  const how = {
    mode: address.mode,
    ...(onMigrated && { onMigrated }),
    ...(onMade && { onMade }),
  };
  const begun_ms = time.now();
  const since = new Date(clock.wall?.() ?? clock.now()).toISOString();
  const joined = await joinStore(own_pool, how, { time, wait_ms: absent?.wait_ms ?? 0 });
  if (joined.kind === "problem" || (joined.kind === "away" && !absent)) {
    health.close();
    await own_pool.close();
    return { problem: `the store of VICINITY_STORE_URL cannot be used: ${joined.problem}` };
  }
  const { pool, open } = createEntrance(own_pool);
  const secret = new DatasetSecret();
  // What the other ports need as well: statements, and what other replicas write.
  const notices = new StoreNotices(driver, address, { time, onFault });
  const version = new AccountVersion(pool, { time, onFault });
  notices.listen("accounts", (payload) => version.onNotice(payload));
  const bridges = createPostgresBridges(pool, { notices, time, clock });
  const facts = new PostgresReplicaFacts({
    ...{ pool, notices, mode: address.mode, time },
    id: randomUUID(),
  });
  const probe = new WriteProbe({ pool, health, time });
  let schemas: Readonly<Record<string, number>> = {};
  const whole = Promise.withResolvers<void>();
  async function enter({ secret: known_secret, versions }: Joined): Promise<void> {
    secret.learn(known_secret);
    schemas = Object.fromEntries(
      [...versions].map(([module, number]) => [`postgres.${module}`, number]),
    );
    open();
    whole.resolve();
    await version.look();
    version.start();
    notices.start();
    probe.start();
  }
  const enterLate = async (match: Joined): Promise<void> => {
    onJoined?.({ store: "postgresql", waited_s: Math.round((time.now() - begun_ms) / 1000) });
    await enter(match);
  };
  const tryOnce = (): Promise<JoinOutcome> => tryToJoin(own_pool, how);
  const follow = new Follower({ time, tryOnce, enter: enterLate, health });
  if (joined.kind === "joined") await enter(joined);
  else {
    const { reason, problem: detail } = joined;
    onWaiting?.({ store: "postgresql", reason, detail, since });
    follow.start();
  }
  const months = { now: clock.wall ?? clock.now };
  return {
    accounts: createPostgresAccounts(pool, version),
    ledger: new PostgresLedger(pool, { clock: months, time }),
    datasets: createPostgresDatasets(pool, secret, onFault),
    bridges,
    reservations: createPostgresReservations(pool, { newEventId: randomUUID }),
    claims: createPostgresClaims(pool),
    facts,
    health,
    schemas: () => schemas,
    joined: whole.promise,
    async close() {
      follow.close();
      await facts.withdraw();
      probe.close();
      version.close();
      notices.close();
      health.close();
      await pool.close();
    },
  };
}

type FollowerDeps = {
  time: Time;
  tryOnce: () => Promise<JoinOutcome>;
  enter: (joined: Joined) => Promise<void>;
  health: StoreHealth;
};

/** Tries to join a store that was away at the start, until it is there. */
class Follower {
  readonly #deps: FollowerDeps;
  #cancel: () => void = () => undefined;
  #closed = false;

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { time } = this.#deps;
    if (!this.#closed) this.#cancel = time.schedule(time.now() + RETRY_MS, () => this.#try());
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  async #try(): Promise<void> {
    const { tryOnce, enter, health } = this.#deps;
    const outcome = await tryOnce();
    if (this.#closed) return;
    if (outcome.kind === "joined") {
      health.succeed("schema");
      return await enter(outcome);
    }
    // At the start it would have been refused: now it waits until the operator has mended it.
    if (outcome.kind === "problem")
      health.fail("schema", { reason: "refused", detail: outcome.problem });
    this.start();
  }
}
