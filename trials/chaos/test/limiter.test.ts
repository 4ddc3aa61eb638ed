/** The checker of limits is as sharp as its bounds: 2 % of the ideal bucket, 1.2 × in an outage. */
import { test } from "node:test";
import { checkLimiter, type Demand, type LimiterTerms } from "../check/limiter.ts";
import { assertFound, assertKept, fault } from "./support.ts";

const TERMS: LimiterTerms = {
  rate_per_s: 50,
  burst: 10,
  whole: { from_ms: 0, to_ms: 20_000 },
  faults: [],
  recovery_ms: 1_000,
  tolerance: 0.02,
};
const OUTAGE = { ...TERMS, faults: [fault("kill_shared", 8_000, 12_000)] };

/** Asks 200 times a second; the given number of each second's requests is admitted, evenly. */
function demand(admitted_of: (second: number) => number): Demand[] {
  const all: Demand[] = [];
  let owed = 0;
  for (let second = 0; second < 20; second++) {
    for (let i = 0; i < 200; i++) {
      owed += admitted_of(second) / 200;
      const from_ms = second * 1000 + i * 5;
      const admitted = owed >= 1 - 1e-9;
      if (admitted) owed -= 1;
      all.push({ from_ms, to_ms: from_ms + 1, outcome: admitted ? "admitted" : "refused" });
    }
  }
  return all;
}

const ideal = (second: number): number => (second === 0 ? 60 : 50);
const inOutage = (second: number): boolean => second >= 8 && second < 13;

test("the ideal bucket, and the bucket of an outage at its bound", () => {
  assertKept(checkLimiter(demand(ideal), TERMS), 900);
  assertKept(
    checkLimiter(
      demand((s) => (inOutage(s) ? 60 : ideal(s))),
      OUTAGE,
    ),
    700,
  );
});

test("both edges of the bound are kept", () => {
  assertKept(
    checkLimiter(
      demand((s) => ideal(s) * 1.018),
      TERMS,
    ),
  );
  assertKept(
    checkLimiter(
      demand((s) => ideal(s) * 0.982),
      TERMS,
    ),
  );
});

test("found: 3 % too many, 3 % too few, and twice the rate by two that do not share", () => {
  assertFound(
    checkLimiter(
      demand((s) => ideal(s) * 1.03),
      TERMS,
    ),
    /calm: \d+ admitted, ideal/,
  );
  assertFound(
    checkLimiter(
      demand((s) => ideal(s) * 0.97),
      TERMS,
    ),
    /calm: at most \d+ admitted/,
  );
  assertFound(
    checkLimiter(
      demand((s) => ideal(s) * 2),
      TERMS,
    ),
    /calm: \d+ admitted, ideal/,
  );
});

test("found: an outage in which each of two gives the whole rate; what is calm is not blamed", () => {
  const twice = demand((s) => (inOutage(s) ? 100 : ideal(s)));
  assertFound(checkLimiter(twice, OUTAGE), /outage: \d+ admitted/);
  assertFound(
    checkLimiter(
      demand((s) => (inOutage(s) ? 64 : ideal(s))),
      OUTAGE,
    ),
    /outage/,
  );
});

test("found: an outage that goes on after the store is back", () => {
  const late = demand((s) => (s >= 8 && s < 16 ? 60 : ideal(s)));
  assertFound(checkLimiter(late, OUTAGE), /calm/);
});

test("a history that shows nothing is reported as such", () => {
  assertFound(
    checkLimiter(
      demand(ideal).filter((_, i) => i % 4 === 0),
      TERMS,
    ),
    /no pressure/,
  );
  assertFound(
    checkLimiter([], { ...TERMS, whole: { from_ms: 0, to_ms: 1_000 } }),
    /too few to judge/,
  );
});

test("what a killed replica may have admitted counts for the lower bound alone", () => {
  const lost = demand(ideal).map((each, i): Demand =>
    each.outcome === "admitted" && i % 10 === 3 ? { ...each, outcome: "unknown" } : each,
  );
  assertKept(checkLimiter(lost, TERMS));
});
