/**
 * Units of a request (docs/decisions/0031-reserve-before-the-work.md): reserved before the work, and booked with
 * the answer. For plans that are `exact` the reservation is made in the store of the fleet as well.
 */
import type { Caller, KeyedCaller } from "#app/access/request-caller.ts";
import type { Meter } from "#app/access/meter.ts";
import type { Quotas, UnitQuota } from "#app/access/unit-quota.ts";
import type { Reservation, Short } from "#app/access/reservation.ts";
import type { Operation } from "#api/operation.ts";
import { BLOCK_FACTOR } from "#core/limits/address-block.ts";
import { type Allowance, toQuotaAllowance } from "#core/limits/limit-headers.ts";
import { type Metered, unitsOfReply, unitsToReserve } from "#core/metering/metered-units.ts";
import type { Plan } from "#core/plans.ts";
import type { Clock } from "#ports.ts";
import type { Reservations } from "#ports/reservations.ts";
import type { Problem } from "./error-replies.ts";
import type { Exchange } from "./http-exchange.ts";
import { type Decisions, passes, refuseLost } from "./limit-verdict.ts";

export type QuotaDeps = {
  clock: Pick<Clock, "now">;
  /** The system's clock, by which periods turn over (decision 24); absent: that of `clock`. */
  wall?: () => number;
  quotas: Quotas;
  meter: Pick<Meter, "record">;
  /** Of the fleet, for plans that are `exact`; absent: this process is alone. */
  reservations?: Reservations | null;
  enforced: boolean;
  decisions: Decisions;
};

export type Priced = {
  operation: Operation;
  caller: Caller;
  metered: Omit<Metered, "status">;
};

/** A request that wants units. */
type QuotaCheck = { exchange: Exchange; operation: Operation; caller: Caller; units: number };

/** Reads the clock that periods follow. */
export function wallOf({ clock, wall }: Pick<QuotaDeps, "clock" | "wall">): number {
  return wall === undefined ? clock.now() : wall();
}

/** Returns the units that the operation takes of a quota before it runs; 0: it is free. */
export function unitsOfQuestion(
  exchange: Exchange,
  { charge }: Operation,
  value: Readonly<Record<string, unknown>>,
): number {
  return exchange.free ? 0 : unitsToReserve(charge, value["types"]);
}

/**
 * Checks the quota and reserves the units of the request; null: go on. One that may ask several
 * operations reserves what the dearest of them needs: at least one is asked.
 */
export function checkQuota(
  query: QuotaCheck,
  deps: QuotaDeps,
): Problem | null | Promise<Problem | null> {
  const { exchange, operation } = query;
  const open_units = exchange.reservation?.open_units ?? 0;
  const units = query.units - open_units;
  if (units <= 0 && exchange.reservation !== null) {
    exchange.reservation.admit(operation.id);
    return null;
  }
  return deps.quotas.inOneStep(() => reserveUnits(query, units, deps));
}

/** In one step, since other threads may serve the same caller. */
function reserveUnits(
  query: QuotaCheck,
  units: number,
  deps: QuotaDeps,
): Problem | null | Promise<Problem | null> {
  const { exchange, operation, caller } = query;
  const { quotas, decisions, enforced } = deps;
  const now_ms = wallOf(deps);
  const quota = quotas.of(caller, now_ms);
  if (quota === null) return refuseLost(decisions, "units");
  noteQuota(exchange, caller.plan, quota, now_ms);
  const owner = quotas.ownerOf(caller);
  const short = caller.plan.hard ? owner.findShort(quota, units) : null;
  if (short !== null && enforced) {
    passes(decisions.quota, false, enforced);
    return refuse(query, { short, quota, now_ms });
  }
  const next = exchange.reservation;
  const reservation = quotas.reserve(caller, { operation: operation.id, units, next, owner });
  exchange.reservation = reservation;
  if (isShared(caller, deps)) return reserveShared(query, { ...deps, reservation, quota, units });
  passes(decisions.quota, short === null, enforced);
  return null;
}

function isShared(caller: Caller, { reservations, enforced }: QuotaDeps): caller is KeyedCaller {
  return caller.plan.exact === true && caller.kind === "keyed" && enforced && !!reservations;
}

type Sharing = QuotaDeps & { reservation: Reservation; quota: UnitQuota; units: number };

/** Without the store's word none of the units is given out. */
async function reserveShared(query: QuotaCheck, sharing: Sharing): Promise<Problem | null> {
  const { exchange } = query;
  const { reservations, reservation, units, quotas, decisions, enforced, quota } = sharing;
  const caller = query.caller as KeyedCaller;
  const now_ms = wallOf(sharing);
  const verdict = await reservations!.reserve({
    account_id: caller.account_id,
    period: quotas.periodOf(caller, now_ms),
    units,
    most: caller.plan.units!,
  });
  if (verdict === null) return refuseLost(decisions, "units");
  passes(decisions.quota, verdict.granted, enforced);
  exchange.remaining_units = verdict.left;
  const allowance = findAllowance(exchange);
  if (allowance) allowance.remaining = verdict.left;
  if (!verdict.granted) {
    const short: Short = { bound: "own", left: verdict.left };
    return refuse(query, { short, quota, now_ms });
  }
  reservation.share(verdict.reservation);
  return null;
}

/** What is left, for the reply's fields and for those that report it. */
function noteQuota(exchange: Exchange, plan: Plan, quota: UnitQuota, now_ms: number): void {
  const { used, remaining, ends_at_ms } = quota;
  exchange.remaining_units = remaining;
  // A request that asks several operations has one quota.
  if (plan.units === null || plan.period === null || exchange.reservation !== null) return;
  const limit = { units: plan.units, period: plan.period };
  // What is left is what the block around an address leaves, where that is less.
  const spent = remaining === null ? used : plan.units - remaining;
  const ends_in_s = endsIn_s(ends_at_ms, now_ms);
  exchange.allowances.push(toQuotaAllowance(limit, { used: spent, ends_in_s }));
}

function findAllowance({ allowances }: Exchange): Allowance | undefined {
  return allowances.find(({ name }) => name !== "burst");
}

type Refused = { short: Short; quota: UnitQuota; now_ms: number };

/** Until requests under way have released what they do not need. */
const RETURNED_S = 1;

function refuse({ caller, units }: QuotaCheck, { short, quota, now_ms }: Refused): Problem {
  const booked = short.bound === "block" ? quota.block_remaining! : quota.remaining!;
  // What is reserved may come back, and what is used up does not before the period ends.
  const isReserved = booked >= units && booked > short.left;
  const retry_after_s = isReserved ? RETURNED_S : endsIn_s(quota.ends_at_ms, now_ms);
  const message = toMessage(caller.plan, units, { ...short, isReserved });
  // 402 is for paying accounts (decisions, Errors), not for the allowance of an address.
  const status = caller.kind === "anonymous" ? { status: 429 } : {};
  return { code: "quota_exhausted", message, retry_after_s, ...status };
}

function toMessage(
  { units, period, name }: Plan,
  needed: number,
  { bound, left, isReserved }: Short & { isReserved: boolean },
): string {
  const all =
    bound === "block"
      ? `the ${units! * BLOCK_FACTOR} units of this ${period} that a block of addresses (IPv4 /24, IPv6 /48) has on the plan ${name}`
      : `the ${units} units of this ${period} on the plan ${name}`;
  if (left === 0 && !isReserved) return `${all} are used up`;
  const needs = `this needs ${needed} ${needed === 1 ? "unit" : "units"}`;
  const of_them = `${left === 0 ? "none" : left} of ${all} ${left > 1 ? "are" : "is"} left`;
  return isReserved
    ? `${needs}, and ${of_them} beyond those that requests under way have reserved`
    : `${needs}, and ${of_them}`;
}

export function endsIn_s(ends_at_ms: number, now_ms: number): number {
  return Math.max(1, Math.ceil((ends_at_ms - now_ms) / 1000));
}

/** Books what the answer costs. false: it could not be recorded, and must not leave. */
export function bookAnswer(
  deps: QuotaDeps,
  exchange: Exchange,
  { operation, caller, metered }: Priced,
): Promise<boolean> {
  const { quotas, meter } = deps;
  const units = unitsOfReply(operation.charge, { ...metered, status: 200 });
  const now_ms = wallOf(deps);
  const reservation =
    exchange.reservation?.findOpen(operation.id) ?? addFree(exchange, operation, caller, quotas);
  reservation.book(units, now_ms);
  const allowance = findAllowance(exchange);
  if (allowance) allowance.remaining -= units;
  return meter.record(caller, operation.id, units, now_ms, reservation);
}

/** An answer that nothing was reserved for. */
function addFree(
  exchange: Exchange,
  { id }: Operation,
  caller: Caller,
  quotas: Quotas,
): Reservation {
  const wanted = { operation: id, units: 0, next: exchange.reservation };
  return (exchange.reservation = quotas.reserve(caller, wanted));
}
