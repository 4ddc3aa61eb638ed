/** Composes keys, rates, quotas and metering of a deployment (§5). */
import { hash, randomUUIDv7 } from "node:crypto";
import type { Logger } from "pino";
import { createKeyring } from "#app/access/keyring.ts";
import { Meter, forgetDaily } from "#app/access/meter.ts";
import { createProfile, Quotas, type Profile } from "#app/access/quota.ts";
import type { Env } from "#config/env.ts";
import type { Config } from "#config/load.ts";
import { KEY_PREFIXES } from "#core/keys/key.ts";
import { type ClientAddress, createClientAddress } from "#http/address.ts";
import { BadKeyThrottle } from "#http/bad-keys.ts";
import { AccessGate, type Gate, type GateDeps } from "#http/gate.ts";
import { createPageGate, type PageGate } from "#http/pages/gate.ts";
import { detach, type NoteFault } from "#kit/guard.ts";
import type { Clock, RateLimiter } from "#ports.ts";
import { createMemoryLimiter } from "#storage/embedded/limiter.ts";
import type { Storage } from "#storage/open.ts";
import { isUnavailable } from "#storage/unavailable.ts";
import type { AdjustableClock } from "../clock.ts";
import { throttled } from "../log.ts";
import { PlanBook } from "./plan-book.ts";
import { PlanWatch } from "./plan-watch.ts";

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

export type AccessDeps = {
  config: Pick<Config, "mode" | "plans" | "keys"> & {
    server: Pick<Config["server"], "trusted_proxies">;
  };
  env: Pick<Env, "enforce_limits">;
  storage: Pick<Storage, "accounts" | "usage" | "fleet">;
  clock: Pick<AdjustableClock, "now" | "schedule" | "sleep" | "wall">;
  log: Logger;
  onFault: NoteFault;
  shedder: GateDeps["shedder"];
  /** Limiter of a fleet; absent: this replica counts for itself. */
  limiter?: RateLimiter | undefined;
  /** Counters of the verdicts. */
  decisions?: GateDeps["decisions"];
};

/** Addresses and keys whose rates are remembered; about 200 bytes each. */
const BUCKETS_MAX = 200_000;
const BAD_KEY_BUCKETS_MAX = 50_000;
const PAGE_BUCKETS_MAX = 50_000;
const METER_FLUSH_MS = 1_000;
const KEYRING_FLUSH_MS = 60_000;

export function openAccess(deps: AccessDeps): OpenAccess {
  const { config, storage, clock, log } = deps;
  const { accounts, usage } = storage;
  const plans = new PlanBook(config.plans, log);
  const onKeyFault = throttled((err, unsaid) => log.error({ err, unsaid }, "key store"));
  const keyring = createKeyring({
    accounts,
    clock,
    wall: clock.wall,
    grace_ms: config.keys.grace_s * 1000,
    prefix: KEY_PREFIXES[config.mode],
    planOf: (name, account_id) => plans.find(name, account_id),
    hash: (key) => hash("sha256", key, "buffer"),
    onFault: unlessLost(onKeyFault),
  });
  const quotas = new Quotas(
    usage,
    unlessLost(throttled((err, unsaid) => log.error({ err, unsaid }, "usage store"))),
  );
  const meter = new Meter({ usage, newEventId: randomUUIDv7, defer: setImmediate });
  const cancels = [
    every(clock, METER_FLUSH_MS, () => meter.flush()),
    every(clock, KEYRING_FLUSH_MS, keyring.flush),
    forgetDaily(usage.forget, clock),
  ];
  const planWatch = new PlanWatch({ accounts, plans, clock, onFault: unlessLost(onKeyFault) });
  detach(planWatch.start(), (error) => deps.onFault("plans", error));
  detach(usage.start(), (error) => deps.onFault("usage", error));
  const enforced = isEnforced(deps);
  const shedder = enforced ? deps.shedder : NEVER;
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
      limiter: deps.limiter ?? createMemoryLimiter({ max_buckets: BUCKETS_MAX }),
      badKeys: new BadKeyThrottle(createMemoryLimiter({ max_buckets: BAD_KEY_BUCKETS_MAX })),
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
      limiter: createMemoryLimiter({ max_buckets: PAGE_BUCKETS_MAX }),
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
      for (const cancel of cancels) cancel();
      meter.flush();
      keyring.flush();
    },
  };
}

/** A store that is lost has one line when it goes and one when it comes back (storage/health.ts). */
function unlessLost(report: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    if (!isUnavailable(error)) report(error);
  };
}

/** Sheds no load where limits are not enforced, however slow the machine. */
const NEVER: GateDeps["shedder"] = { admits: () => true, hold: () => null };

/** Operation, VICINITY_ENFORCE_LIMITS: the sandbox only measures, unless configured otherwise. */
function isEnforced({ config, env }: AccessDeps): boolean {
  return env.enforce_limits ?? config.mode === "live";
}

function every(clock: Clock, after_ms: number, task: () => void): () => void {
  let cancel = (): void => undefined;
  const next = (): void => {
    cancel = clock.schedule(clock.now() + after_ms, () => {
      // Before it: what it throws ends this turn alone.
      next();
      task();
    });
  };
  next();
  return () => cancel();
}
