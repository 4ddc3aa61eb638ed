/**
 * Access control and pricing (decisions, Errors: the order of checks; "Authentication, plans,
 * metering"). The runner calls the three steps in that order: `enter` before the parameters are
 * judged, `permit` after them, `release` when the reply is ready.
 */
import type { Caller } from "#app/access/request-caller.ts";
import type { KeyRefusal, Keyring, KeyVerdict } from "#app/access/keyring.ts";
import { errorRow } from "#api/errors.ts";
import type { Operation } from "#api/operation.ts";
import { statusOf } from "#api/operations.ts";
import { type AddressKeys, type Bucket, toAddressBuckets } from "#core/limits/address-block.ts";
import { toBurstAllowance } from "#core/limits/limit-headers.ts";
import { TOKEN_MS } from "#core/limits/cost-tokens.ts";
import { type Plan, refuseOffset } from "#core/plans.ts";
import type { Admission, Clock, RateLimiter } from "#ports.ts";
import type { BadKeyThrottle } from "./bad-keys.ts";
import { Bill } from "./bill.ts";
import { createCredentialReader, type PresentedKey, refuseKey } from "./credentials.ts";
import { exampleOf, type Problem, sendProblem } from "./error-replies.ts";
import { Exchange, type Incoming, resume } from "./http-exchange.ts";
import type { Slot } from "./query-decoder.ts";
import {
  bookAnswer,
  checkQuota,
  endsIn_s,
  type Priced,
  type QuotaDeps,
  unitsOfQuestion,
  wallOf,
} from "./quota-check.ts";
import type { Shedder } from "./shedding.ts";
import { BUSY, type Decisions, passes, refuseLost, uncounted } from "./limit-verdict.ts";

export type Entry = { ok: true; caller: Caller } | ({ ok: false } & Problem);

/** What handlers and the runner use of it. */
export type Gate = Pick<AccessGate, "enter" | "permit" | "charge" | "release" | "review" | "renew">;

export type GateDeps = Omit<QuotaDeps, "decisions"> & {
  clock: Pick<Clock, "now">;
  keyring: Keyring;
  limiter: RateLimiter;
  badKeys: Pick<BadKeyThrottle, "strike" | "beginLookUp" | "endLookUp">;
  shedder: Pick<Shedder, "admits" | "hold">;
  addressOf: (request: Incoming["raw"]) => AddressKeys;
  /** Returns the anonymous row of `plans`. */
  plan: () => Plan;
  /**
   * Whether limits are enforced, not only measured and reported (operation,
   * VICINITY_ENFORCE_LIMITS).
   */
  enforced: boolean;
  /** Counters of the verdicts; absent: they are not counted. */
  decisions?: Decisions;
};

type Deps = GateDeps & { decisions: Decisions };
type Refused = Extract<Admission, { admitted: false }>;
/** How a caller on a plan with a rate pays. */
type Account = { plan: Plan; rate: { rate_per_s: number; burst: number }; bill: Bill };

export class AccessGate {
  readonly #deps: Deps;
  readonly #readCredential = createCredentialReader();
  /** Made once: addresses are kept by their sockets, callers by their keys. */
  readonly #accounts = new WeakMap<AddressKeys | Caller, Account>();

  constructor(deps: GateDeps) {
    this.#deps = { decisions: uncounted(), ...deps };
  }

  /** Checks credential, load shedding, look-up and burst. */
  enter(exchange: Exchange, operation: Operation, token: Slot): Entry | Promise<Entry> {
    const { shedder, addressOf, plan } = this.#deps;
    const presented = this.#readCredential(exchange.request.raw, token);
    if (!presented.ok)
      return presented.code === "invalid_api_key"
        ? this.#refuse(exchange, { ok: false, code: presented.code })
        : presented;
    if (presented.key !== null) return this.#enterKeyed(exchange, presented.key);
    if (operation.auth === "required") return TOKEN_MISSING;
    if (!shedder.admits("anonymous", exchange.started_ms)) return this.#shed();
    const address = addressOf(exchange.request.raw);
    return this.#checkBurst(exchange, { kind: "anonymous", plan: plan(), address });
  }

  /**
   * Checks scope, standing and bounds of the plan, and reserves units; null: go on. `value`:
   * parameters. A promise only where the store of the fleet is asked.
   */
  permit(
    exchange: Exchange,
    operation: Operation,
    caller: Caller,
    value: Readonly<Record<string, unknown>>,
  ): Problem | null | Promise<Problem | null> {
    const { offset } = value;
    const units = unitsOfQuestion(exchange, operation, value);
    return (
      checkScope(exchange, operation, caller) ??
      checkStanding(operation, caller, units > 0, this.#deps) ??
      (typeof offset === "number" ? refuseOffset(caller.plan, offset) : null) ??
      (units > 0 ? checkQuota({ exchange, operation, caller, units }, this.#deps) : null)
    );
  }

  /** Records the cost of a reply that this exchange carries; else it must not leave. null: it may. */
  async charge(exchange: Exchange, priced: Priced): Promise<Problem | null> {
    const isBooked = await bookAnswer(this.#deps, exchange, priced);
    return isBooked ? null : refuseLost(this.#deps.decisions, "journal");
  }

  /** Records the units of a 200 and sends it; refuses the request where they cannot be recorded. */
  async release(exchange: Exchange, priced: Priced, { send }: { send(): void }): Promise<void> {
    const booked = bookAnswer(this.#deps, exchange, priced);
    // Known to wait for its batch, which spares following it through microtasks to find that out.
    exchange.wire.serving.pause(exchange.work);
    const isBooked = await booked;
    resume(exchange);
    if (isBooked) return send();
    sendProblem(exchange, priced.operation, refuseLost(this.#deps.decisions, "journal"));
  }

  /**
   * Judges the caller of an answer that goes on, as they are by now: the key may have been revoked or
   * have expired, the account be suspended, the plan be another.
   */
  review(exchange: Exchange, operation: Operation): Entry | Promise<Entry> {
    const { keyring, plan } = this.#deps;
    const { caller, presented } = exchange;
    if (caller?.kind === "anonymous") return { ok: true, caller: { ...caller, plan: plan() } };
    if (presented === null) return TOKEN_MISSING;
    const judge = (verdict: KeyVerdict): Entry => {
      if (!verdict.ok) return this.#explain(verdict);
      const refusal =
        checkScope(exchange, operation, verdict.caller) ??
        checkStanding(operation, verdict.caller, !exchange.free, this.#deps);
      return refusal === null ? verdict : { ok: false, ...refusal };
    };
    const recalled = keyring.recall(presented.text, presented.parsed);
    if ("ok" in recalled) return judge(recalled);
    const match = keyring.lookUp(recalled);
    return match instanceof Promise ? match.then(judge) : judge(match);
  }

  /**
   * Charges one reply more of an answer that goes on, to the caller that `review` found; a refusal: it
   * has to end. `isOver`: whether it has ended meanwhile, and then nothing is charged.
   */
  async renew(
    { wire, route, request, response }: Exchange,
    priced: Priced,
    isOver: () => boolean,
  ): Promise<Problem | null> {
    // Reservations and limits of one reply, as those of a request.
    const exchange = new Exchange(wire, route, request, response);
    const { operation, caller } = priced;
    try {
      const problem = await this.permit(exchange, operation, caller, {});
      return problem !== null || isOver() ? problem : await this.charge(exchange, priced);
    } finally {
      exchange.reservation?.endAll();
    }
  }

  #explain({ code }: KeyRefusal): Entry {
    if (code !== "store_unavailable") return refuseKey(code);
    return { ok: false, ...refuseLost(this.#deps.decisions, "keys") };
  }

  #enterKeyed(exchange: Exchange, key: PresentedKey): Entry | Promise<Entry> {
    const { keyring, shedder } = this.#deps;
    exchange.presented = key;
    const recalled = keyring.recall(key.text, key.parsed);
    const isKnown = "ok" in recalled && recalled.ok;
    if (!shedder.admits(isKnown ? "keyed" : "anonymous", exchange.started_ms)) return this.#shed();
    const judge = (key_verdict: KeyVerdict): Entry | Promise<Entry> =>
      key_verdict.ok
        ? this.#checkBurst(exchange, key_verdict.caller)
        : this.#refuse(exchange, key_verdict);
    if ("ok" in recalled) return judge(recalled);
    const verdict = keyring.isRemembered(recalled)
      ? keyring.lookUp(recalled)
      : this.#lookUpUnknown(exchange, recalled);
    if (verdict instanceof Promise) return verdict.then(judge);
    return "retry_after_s" in verdict ? verdict : judge(verdict);
  }

  #checkBurst(exchange: Exchange, caller: Caller): Entry | Promise<Entry> {
    const { limiter, clock } = this.#deps;
    exchange.caller = caller;
    if (caller.kind === "keyed") {
      exchange.keyed = true;
      exchange.wire.inflight.keyed++;
      exchange.wire.connections.identify(exchange.request.raw.socket);
    }
    const account = this.#accountOf(caller);
    if (account === null) return { ok: true, caller };
    const admission = limiter.admit(account.bill.buckets, clock.now());
    return admission instanceof Promise
      ? admission.then((late) => this.#judgeBurst(exchange, account, late))
      : this.#judgeBurst(exchange, account, admission);
  }

  #judgeBurst(exchange: Exchange, { plan, rate, bill }: Account, verdict: Admission): Entry {
    exchange.allowances.push(toBurstAllowance(rate, verdict));
    if (passes(this.#deps.decisions.burst, verdict.admitted, this.#deps.enforced)) {
      exchange.bill = bill;
      return { ok: true, caller: exchange.caller! };
    }
    const message = `more than ${rate.rate_per_s} requests a second on the plan ${plan.name}, after a burst of ${rate.burst}${COUNTS}`;
    const { retry_after_s } = verdict as Refused;
    return { ok: false, code: "rate_limited", message, retry_after_s };
  }

  /** null: the plan has no rate. */
  #accountOf(caller: Caller): Account | null {
    const { plan } = caller;
    const { rate_per_s, burst } = plan;
    if (rate_per_s === null || burst === null) return null;
    const subject = caller.kind === "keyed" ? caller : caller.address;
    const known_account = this.#accounts.get(subject);
    if (known_account?.plan === plan) return known_account;
    const rate = { rate_per_s, burst };
    const buckets: readonly Bucket[] =
      caller.kind === "keyed"
        ? [{ key: `key:${caller.key_id}`, ...rate }]
        : toAddressBuckets(caller.address, rate, "free");
    const account = { plan, rate, bill: new Bill(buckets, this.#deps) };
    this.#accounts.set(subject, account);
    return account;
  }

  /** Looks up a key that may be made up, or refuses to: an address gets few once it has failed. */
  #lookUpUnknown(exchange: Exchange, digest: Uint8Array) {
    const { badKeys, keyring, addressOf, clock, decisions, enforced } = this.#deps;
    const address = addressOf(exchange.request.raw);
    const verdict = badKeys.beginLookUp(address, clock.now());
    if (!verdict.admitted && !passes(decisions.bad_keys, false, enforced))
      return refuseFailing(verdict);
    // Its place comes back however the look-up ends: with the promise, or with this scope.
    using place = new DisposableStack();
    place.defer(() => {
      if (verdict.admitted) badKeys.endLookUp(address);
    });
    const match = keyring.lookUp(digest);
    if (!(match instanceof Promise)) return match;
    const owner = place.move();
    return match.finally(() => owner.dispose());
  }

  #shed(): Entry | Promise<Entry> {
    const entry: Entry = { ok: false, code: "overloaded", message: BUSY };
    return this.#deps.shedder.hold()?.then(() => entry) ?? entry;
  }

  /** Failing credentials are counted by address; beyond 20 a minute they are 429 (decisions, Errors). */
  #refuse(exchange: Exchange, { code, is_of_other_mode }: KeyRefusal): Entry {
    const { addressOf, badKeys, clock, decisions, enforced } = this.#deps;
    if (code === "store_unavailable") return { ok: false, ...refuseLost(decisions, "keys") };
    const struck = badKeys.strike(addressOf(exchange.request.raw), clock.now());
    if (passes(decisions.bad_keys, struck.admitted, enforced))
      return refuseKey(code, is_of_other_mode && exchange.presented?.parsed?.prefix);
    return refuseFailing(struck as Refused);
  }
}

const TOKEN_MISSING: Entry = {
  ok: false,
  code: "missing_token",
  message: errorRow("missing_token").example,
};

function refuseFailing({ retry_after_s }: Refused) {
  const message = "more than 20 credentials a minute from this address failed";
  return { ok: false, code: "rate_limited", message, retry_after_s } as const;
}

/** Why fewer than that may have been sent. */
const COUNTS = `; an answer that takes long counts as one request for every ${TOKEN_MS} ms of work`;

function checkScope(exchange: Exchange, { scope }: Operation, caller: Caller): Problem | null {
  if (caller.kind === "anonymous" || scope.length === 0) return null;
  if (scope.some((each) => caller.scopes.includes(each))) return null;
  exchange.missing_scope = scope.join(" ");
  const message = `the API key lacks the scope ${scope.join(" or ")}`;
  return { code: "insufficient_scope", message };
}

/**
 * A suspended account reads no data; one that is past due gets none that costs: 402 where that is
 * documented, else the plan does not allow it.
 */
function checkStanding(
  operation: Operation,
  caller: Caller,
  billable: boolean,
  deps: GateDeps,
): Problem | null {
  if (caller.kind === "anonymous" || caller.standing === "active") return null;
  if (caller.standing === "suspended")
    return operation.scope.length === 0 ? null : exampleOf("account_suspended");
  if (!billable) return null;
  return {
    code: statusOf(operation, "subscription_inactive")
      ? "subscription_inactive"
      : "plan_not_allowed",
    message: errorRow("subscription_inactive").example,
    retry_after_s: endsIn_s(deps.quotas.endOf(caller, wallOf(deps)), wallOf(deps)),
  };
}
