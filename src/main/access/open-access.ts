/** Composes keys, rates, quotas and metering of a deployment (§5). */
import { hash, randomUUIDv7 } from "node:crypto";
import type { Logger } from "pino";
import { createKeyring } from "#app/access/keyring.ts";
import { flushRegularly } from "#app/access/flush.ts";
import { forgetDaily, Meter } from "#app/access/meter.ts";
import { createProfile, Quotas, type Profile } from "#app/access/unit-quota.ts";
import type { Config } from "#config/load.ts";
import { KEY_PREFIXES } from "#core/keys/key.ts";
import { type ClientAddress, createClientAddress } from "#http/client-address.ts";
import { BAD_KEYS, BadKeyThrottle } from "#http/bad-keys.ts";
import { AccessGate, type Gate, type GateDeps } from "#http/gate.ts";
import { createPageGate, PAGE_ADDRESSES, type PageGate } from "#http/pages/page-gate.ts";
import { detach, type NoteFault } from "#kit/guard.ts";
import { SHEDS_NOTHING } from "#http/shedding.ts";
import type { RateLimiter } from "#ports.ts";
import type { UnitCounts } from "#ports/unit-counts.ts";
import { createMemoryLimiter, type MemoryLimiter } from "#storage/embedded/limiter.ts";
import type { Storage } from "#storage/open-storage.ts";
import { unlessUnavailable } from "#storage/unavailable.ts";
import type { AdjustableClock } from "#process/clock.ts";
import { throttled } from "#observe/throttle.ts";
import { PlanBook } from "#http/plan-book.ts";
import { PlanWatch } from "#http/plan-watch.ts";

export type OpenAccess = {
  gate: Gate;
  page_gate: PageGate;
  profile: Profile;
  /** Address whose limits a request counts against. */
  addressOf: ClientAddress;
  plans: Pick<PlanBook, "all" | "watch">;
  /** Serves by other plans from now on, known keys included. */
  replacePlans(plans: Config["plans"]): void;
  /** Writes what is still in memory. */
  close(): void;
};

type ThreadLimiter = Pick<MemoryLimiter, "admit" | "charge">;
/** Limits and units of all threads that serve. */
export type Together = {
  limiter: ThreadLimiter;
  /** Of credentials that fail, and of pages. */
  bad_keys: ThreadLimiter;
  pages: ThreadLimiter;
  units: UnitCounts;
};

export type AccessDeps = {
  config: Pick<Config, "mode" | "plans" | "keys" | "enforce_limits"> & {
    server: Pick<Config["server"], "trusted_proxies">;
  };
  storage: Pick<Storage, "accounts" | "usage" | "fleet">;
  clock: Pick<AdjustableClock, "now" | "schedule" | "sleep" | "wall">;
  log: Logger;
  onFault: NoteFault;
  shedder: GateDeps["shedder"];
  /** Limiter of a fleet; absent: this replica counts for itself. */
  limiter?: RateLimiter | undefined;
  /** What the threads that serve count together; null or absent: this one is alone. */
  together?: Together | null;
  /** Counters of the verdicts. */
  decisions?: GateDeps["decisions"];
};

export function openAccess(deps: AccessDeps): OpenAccess {
  const { config, storage, clock, log } = deps;
  const { accounts, usage } = storage;
  const { together = null } = deps;
  const plans = new PlanBook(config.plans, log);
  const onKeyFault = throttled((err, omitted) => log.error({ err, omitted }, "key store"));
  const keyring = createKeyring({
    accounts,
    clock,
    wall: clock.wall,
    grace_ms: config.keys.grace_s * 1000,
    prefix: KEY_PREFIXES[config.mode],
    planOf: (name, account_id) => plans.find(name, account_id),
    hash: (key) => hash("sha256", key, "buffer"),
    onFault: unlessUnavailable(onKeyFault),
  });
  const quotas = new Quotas(
    usage,
    unlessUnavailable(throttled((err, omitted) => log.error({ err, omitted }, "usage store"))),
    undefined,
    together?.units,
  );
  const meter = new Meter({ usage, newEventId: randomUUIDv7, defer: setImmediate });
  const flush = flushRegularly({ meter, keyring }, clock);
  const stopForgetting = forgetDaily((before_ms) => usage.forget(before_ms), clock);
  const planWatch = new PlanWatch({
    accounts,
    plans,
    clock,
    onFault: unlessUnavailable(onKeyFault),
  });
  detach(planWatch.start(), (error) => deps.onFault("plans", error));
  detach(usage.start(), (error) => deps.onFault("usage", error));
  const enforced = config.enforce_limits;
  const shedder = enforced ? deps.shedder : SHEDS_NOTHING;
  const addressOf = createClientAddress(config.server.trusted_proxies);
  return {
    gate: new AccessGate({
      clock,
      wall: clock.wall,
      keyring,
      quotas,
      meter,
      reservations: storage.fleet?.reservations ?? null,
      plan: () => plans.anonymous,
      limiter: deps.limiter ?? together?.limiter ?? createMemoryLimiter(),
      badKeys: new BadKeyThrottle(together?.bad_keys ?? createMemoryLimiter(BAD_KEYS)),
      shedder,
      addressOf,
      enforced,
      ...(deps.decisions ? { decisions: deps.decisions } : {}),
    }),
    page_gate: createPageGate({
      clock,
      shedder,
      addressOf,
      enforced,
      limiter: together?.pages ?? createMemoryLimiter(PAGE_ADDRESSES),
    }),
    profile: createProfile(quotas),
    addressOf,
    plans,
    replacePlans(next) {
      plans.replace(next);
      keyring.renew();
    },
    close() {
      planWatch.close();
      stopForgetting();
      flush();
    },
  };
}
