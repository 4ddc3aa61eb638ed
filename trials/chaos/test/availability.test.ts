/** The checker of availability: errors that no fault explains, and a store that slows down others. */
import { test } from "node:test";
import { checkAvailability, type Probe } from "../check/availability.ts";
import { assertFound, assertKept, fault } from "./support.ts";

const FAULTS = [fault("freeze_shared", 5_000, 8_000), fault("kill_replica", 20_000, 22_000, 1)];
const TERMS = { faults: FAULTS, recovery_ms: 2_000, added_ms: 50 };

/** Each of two replicas is asked every 10 ms, and takes so long. */
function probes(slow_ms: (at_ms: number) => number): Probe[] {
  return Array.from({ length: 6_000 }, (_, i) => {
    const from_ms = Math.floor(i / 2) * 10;
    const to_ms = from_ms + slow_ms(from_ms);
    return one({ replica: i % 2, from_ms, to_ms });
  });
}
const isAway = (at_ms: number): boolean => at_ms >= 5_000 && at_ms < 8_000;
const healthy = (): Probe[] => probes((at_ms) => (isAway(at_ms) ? 52 : 2));
const one = (how: Partial<Probe>): Probe => ({
  replica: 0,
  from_ms: 15_000,
  to_ms: 15_005,
  status: 200,
  retry_after: false,
  shed: false,
  unreached: false,
  ...how,
});

test("50 ms more while the store is frozen; no reply of a killed replica; 503 in trouble", () => {
  const busy = one({ status: 503, retry_after: true, from_ms: 9_000, to_ms: 9_001 });
  const dead = one({ status: null, replica: 1, from_ms: 21_000, to_ms: 21_001 });
  assertKept(checkAvailability([...healthy(), busy, dead, one({ status: 429 })], TERMS), 5_000);
});

const PLANTED: [name: string, probe: Probe, RegExp][] = [
  ["a 500 in an outage", one({ status: 500, from_ms: 6_000, to_ms: 6_001 }), /status 500/],
  ["a 502", one({ status: 502 }), /status 502/],
  ["503 with nothing amiss", one({ status: 503, retry_after: true }), /nothing is amiss/],
  ["503 that does not say when", one({ status: 503, from_ms: 6_000, to_ms: 6_001 }), /Retry-After/],
  ["silence of a replica in health", one({ status: null }), /no reply/],
  [
    "silence of the other one",
    one({ status: null, from_ms: 21_000, to_ms: 21_001 }),
    /0: no reply/,
  ],
  [
    "a known key that is turned away",
    one({ status: 429, unreached: true }),
    /0: a known key was turned away, at 15000 ms/,
  ],
];

test("a replica that has just restarted knows no callers yet", () => {
  const unknown = { status: 429, unreached: true, replica: 1 };
  const others = healthy().filter(({ replica, to_ms }) => replica === 0 || to_ms < 20_000);
  const strange = one({ ...unknown, from_ms: 22_500, to_ms: 22_501 });
  assertKept(checkAvailability([...others, strange], TERMS));
  const greeted = one({ replica: 1, from_ms: 22_600, to_ms: 22_601 });
  const later = one({ ...unknown, from_ms: 22_700, to_ms: 22_701 });
  assertFound(
    checkAvailability([...others, strange, greeted, later], TERMS),
    /1: a known .* 22700/,
  );
});

for (const [name, probe, pattern] of PLANTED)
  test(`found: ${name}`, () =>
    assertFound(checkAvailability([...healthy(), probe], TERMS), pattern));

test("found: a frozen store that is waited for", () => {
  assertFound(
    checkAvailability(
      probes((at) => (isAway(at) ? 60 : 2)),
      TERMS,
    ),
    /p99 is 60 ms, 2 with/,
  );
  // A little of many, or much of a few.
  assertFound(
    checkAvailability(
      probes((at) => (isAway(at) && at % 500 === 0 ? 500 : 2)),
      TERMS,
    ),
    /without the shared store/,
  );
});

test("the recovery time of a killed replica is not counted as a cost of the store", () => {
  const faults = [...FAULTS, fault("kill_replica", 3_000, 4_500, 1)];
  const slow = (who: number): Probe[] =>
    healthy().map((probe) =>
      probe.replica === who && probe.from_ms >= 5_000 && probe.from_ms < 5_600
        ? { ...probe, to_ms: 5_600 }
        : probe,
    );
  assertKept(checkAvailability(slow(1), { ...TERMS, faults }));
  assertFound(checkAvailability(slow(0), { ...TERMS, faults }), /without the shared store/);
});
