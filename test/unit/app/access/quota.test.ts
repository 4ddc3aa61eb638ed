/** Units of a period: whose, until when, and what is under way. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { AnonymousCaller, Caller } from "#app/access/request-caller.ts";
import { createProfile, Quotas } from "#app/access/unit-quota.ts";
import type { Reservation } from "#app/access/reservation.ts";
import { keyedCaller, PAID } from "../../../support/gate.ts";
import { createMemoryUsage } from "../../../support/memory-usage.ts";
import { FREE } from "../../../support/server.ts";
import { readAddressKeys } from "../../../support/address.ts";

const NOON_MS = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;

function addressed(address: string): AnonymousCaller {
  return { kind: "anonymous", plan: FREE, address: readAddressKeys(address)! };
}

const HOME = addressed("192.0.2.1");

/** An answer that costs these units. */
function use(quotas: Quotas, caller: Caller, units: number, at_ms: number): void {
  reserve(quotas, caller, units).book(units, at_ms);
}

function reserve(quotas: Quotas, caller: Caller, units: number): Reservation {
  return quotas.reserve(caller, { operation: "geocode", units, next: null });
}

test("the day of an address ends at midnight UTC, and with it what was used", () => {
  const quotas = new Quotas(createMemoryUsage(), assert.ifError);
  const midnight_ms = Date.UTC(2026, 10, 22);
  use(quotas, HOME, 30, NOON_MS);
  use(quotas, HOME, 12, midnight_ms - 1);
  const last = quotas.of(HOME, midnight_ms - 1);
  assert.deepEqual(last, {
    used: 42,
    remaining: 4_958,
    block_remaining: 39_958,
    ends_at_ms: midnight_ms,
  });
  assert.deepEqual(quotas.of(HOME, midnight_ms), {
    used: 0,
    remaining: 5_000,
    block_remaining: 40_000,
    ends_at_ms: midnight_ms + DAY_MS,
  });
  use(quotas, HOME, 1, midnight_ms);
  assert.equal(quotas.of(HOME, midnight_ms)?.used, 1);
});

test("the month of an account ends where the calendar's does, in leap years too", async () => {
  const usage = createMemoryUsage();
  const quotas = new Quotas(usage, assert.ifError);
  const profile = createProfile(quotas);
  const caller = keyedCaller();
  const months: [at_ms: number, period: string, ends_at_ms: number][] = [
    [Date.UTC(2026, 11, 31, 23, 59, 59, 999), "2026-12", Date.UTC(2027, 0, 1)],
    [Date.UTC(2027, 0, 1), "2027-01", Date.UTC(2027, 1, 1)],
    [Date.UTC(2028, 1, 29, 23), "2028-02", Date.UTC(2028, 2, 1)],
    [Date.UTC(2027, 1, 28, 23), "2027-02", Date.UTC(2027, 2, 1)],
    [Date.UTC(2026, 11, 1), "2026-12", Date.UTC(2027, 0, 1)],
  ];
  for (const [at_ms, period, ends_at_ms] of months) {
    assert.equal(quotas.of(caller, at_ms)?.ends_at_ms, ends_at_ms);
    assert.equal(profile(caller, at_ms)?.usage.period, period);
  }
  const event = { account_id: "acc_1", key_id: "key_1", operation: "getNearby" };
  const last_ms = Date.UTC(2026, 11, 1) - 1;
  usage.record([{ ...event, event_id: "1", units: 7, at_ms: last_ms }]);
  usage.record([{ ...event, event_id: "2", units: 5, at_ms: last_ms + 1 }]);
  assert.equal(quotas.of(caller, last_ms)?.used, 7);
  assert.equal(quotas.of(caller, last_ms + 1)?.used, 5);
});

test("units belong to the account, of which all keys partake; and to the /64 or address", async () => {
  const usage = createMemoryUsage();
  const quotas = new Quotas(usage, assert.ifError);
  const event = { event_id: "1", account_id: "acc_1", key_id: "key_1", operation: "geocode" };
  usage.record([{ ...event, units: 400, at_ms: NOON_MS }]);
  assert.equal(quotas.of(keyedCaller({ key_id: "key_2" }), NOON_MS)?.remaining, 600);
  assert.equal(quotas.of(keyedCaller({ account_id: "acc_2" }), NOON_MS)?.remaining, 1_000);
  use(quotas, addressed("2001:db8::1"), 10, NOON_MS);
  assert.equal(quotas.of(addressed("2001:db8::ffff"), NOON_MS)?.used, 10);
  assert.equal(quotas.of(addressed("2001:db8:0:1::1"), NOON_MS)?.used, 0);
  assert.equal(quotas.of(HOME, NOON_MS)?.used, 0);
});

test("used up is nothing left, never less; a plan without units has any number left", async () => {
  const usage = createMemoryUsage();
  const quotas = new Quotas(usage, assert.ifError);
  const event = { event_id: "1", account_id: "acc_1", key_id: "key_1", operation: "geocode" };
  usage.record([{ ...event, units: 1_200, at_ms: NOON_MS }]);
  const { used, remaining } = quotas.of(keyedCaller(), NOON_MS)!;
  assert.deepEqual([used, remaining], [1_200, 0]);
  const plan = { ...PAID, units: null, period: null };
  assert.deepEqual(quotas.of(keyedCaller({ plan }), NOON_MS)?.remaining, null);
});

test("units of requests under way are reserved by owner, and each is released or booked once", () => {
  const owners = [keyedCaller(), keyedCaller({ account_id: "acc_2" }), HOME];
  const step = fc.tuple(fc.nat(2), fc.nat(3), fc.constantFrom("begin", "book", "end"));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const quotas = SHARED;
      const open: Reservation[][] = [[], [], []];
      const model = [0, 0, 0];
      const reserved = () => owners.map((owner) => quotas.ownerOf(owner).reserved);
      const units = new Map<Reservation, number>();
      for (const [at, wanted, what] of steps) {
        if (what === "begin") {
          const made = reserve(quotas, owners[at]!, wanted);
          open[at]!.push(made);
          units.set(made, wanted);
          model[at]! += wanted;
        }
        const first = what === "begin" ? undefined : open[at]!.shift();
        if (first === undefined) continue;
        if (what === "book") {
          first.book(wanted, NOON_MS);
          first.noteRecorded();
        }
        first.endAll();
        first.book(7, NOON_MS);
        first.endAll();
        model[at]! -= units.get(first)!;
        assert.deepEqual(reserved(), model);
      }
      for (const each of open.flat()) each.endAll();
      assert.deepEqual(reserved(), [0, 0, 0]);
    }),
  );
});

/** Made once: its table of addresses is large. */
const SHARED = new Quotas(createMemoryUsage(), assert.ifError);

test("GET /v1/me reports the same figures, and the end as a time", () => {
  const quotas = new Quotas(createMemoryUsage(), assert.ifError);
  use(quotas, HOME, 3, NOON_MS);
  const profile = createProfile(quotas);
  assert.deepEqual(profile(HOME, NOON_MS)?.usage, {
    period: "2026-11-21",
    used: 3,
    remaining: 4_997,
    ends_at: "2026-11-22T00:00:00.000Z",
  });
  const keyed = profile(keyedCaller({ standing: "past_due" }), NOON_MS)!;
  assert.deepEqual(
    [keyed.account, keyed.key?.scopes],
    [{ id: "acc_1", standing: "past_due" }, ["data:read", "geography:read"]],
  );
});

test("owners of whom nothing is under way are forgotten, others never", () => {
  const quotas = new Quotas(createMemoryUsage(), assert.ifError);
  reserve(quotas, HOME, 1);
  reserve(quotas, HOME, 1);
  const first = quotas.ownerOf(keyedCaller({ account_id: "acc_0" }));
  for (let i = 1; i <= 10_000; i++) quotas.ownerOf(keyedCaller({ account_id: `acc_${i}` }));
  assert.equal(quotas.ownerOf(HOME).reserved, 2);
  assert.notEqual(quotas.ownerOf(keyedCaller({ account_id: "acc_0" })), first, "created again");
});

/** One of the 65,536 networks of a /48. */
function networkOf(n: number): AnonymousCaller {
  return addressed(`2001:db8:1:${n.toString(16)}::1`);
}

test("a block of addresses has eight times the units of one, however many addresses ask", () => {
  const quotas = new Quotas(createMemoryUsage(), assert.ifError);
  const spent = FREE.units!;
  for (let n = 0; n < 8; n++) {
    assert.equal(quotas.of(networkOf(n), NOON_MS)!.remaining, spent, `network ${n}`);
    use(quotas, networkOf(n), spent, NOON_MS);
  }
  const fresh = quotas.of(networkOf(8), NOON_MS)!;
  assert.deepEqual([fresh.used, fresh.remaining, fresh.block_remaining], [0, 0, 0]);
  const short = quotas.ownerOf(networkOf(8)).findShort(fresh, 1);
  assert.deepEqual(short, { bound: "block", left: 0 });
  const elsewhere = quotas.of(addressed("2001:db8:2::1"), NOON_MS)!;
  assert.equal(elsewhere.remaining, spent, "the next /48");
  assert.equal(quotas.of(networkOf(9), NOON_MS + DAY_MS)!.remaining, spent, "the next day");
  use(quotas, addressed("192.0.2.1"), 8 * spent, NOON_MS);
  assert.equal(quotas.of(addressed("192.0.2.255"), NOON_MS)!.remaining, 0, "the same /24");
  assert.equal(quotas.of(addressed("192.0.3.1"), NOON_MS)!.remaining, spent, "the next /24");
});

test("requests under way of a whole block count against what it has left", () => {
  const quotas = new Quotas(createMemoryUsage(), assert.ifError);
  use(quotas, networkOf(0), 8 * FREE.units! - 3, NOON_MS);
  const stored = new Map<number, Reservation>();
  const admit = (n: number): string | null => {
    const left = quotas.of(networkOf(n), NOON_MS)!;
    const short = quotas.ownerOf(networkOf(n)).findShort(left, 1);
    if (short === null) stored.set(n, reserve(quotas, networkOf(n), 1));
    return short && short.bound;
  };
  assert.deepEqual([1, 2, 3, 4, 5].map(admit), [null, null, null, "block", "block"]);
  stored.get(2)!.endAll();
  assert.deepEqual([4, 5].map(admit), [null, "block"]);
});

test("a crowd of blocks is remembered up to a bound, and no crowd of addresses drives its block out", () => {
  const quotas = new Quotas(createMemoryUsage(), assert.ifError);
  use(quotas, networkOf(0), 40_000, NOON_MS);
  for (let n = 0; n < 200_001; n++)
    use(quotas, addressed(`2001:db8:${(n >> 16) + 2}:${(n & 0xffff).toString(16)}::1`), 1, NOON_MS);
  assert.equal(quotas.of(networkOf(0), NOON_MS)!.used, 0, "the address was forgotten");
  assert.equal(quotas.of(networkOf(0), NOON_MS)!.remaining, 0, "its block was not");
});
