/** The checker of feeds: one request per time to live, one more per fault that explains it, no fewer. */
import { test } from "node:test";
import { checkFeeds, type FeedFile, type FeedTerms } from "../check/feeds.ts";
import { assertFound, assertKept, fault } from "./support.ts";

const TERMS: FeedTerms = {
  replicas: 4,
  whole: { from_ms: 0, to_ms: 300_000 },
  faults: [],
  recovery_ms: 2_000,
};
const EVERY_MINUTE = [1_000, 61_000, 122_000, 182_000, 243_000];

function file(asked_ms: number[], how: Partial<FeedFile> = {}): FeedFile[] {
  const sorted = asked_ms.toSorted((a, b) => a - b);
  return [{ path: "/status", ttl_s: 60, wanted: true, asked_ms: sorted, ...how }];
}

test("once a minute, and once more by the successor of a killed holder", () => {
  assertKept(checkFeeds(file(EVERY_MINUTE), TERMS));
  const killed = { ...TERMS, faults: [fault("kill_replica", 61_050, 62_000, 2)] };
  assertKept(checkFeeds(file([...EVERY_MINUTE, 65_000]), killed));
});

test("four replicas alone ask four times, while the store is away", () => {
  const away = { ...TERMS, faults: [fault("freeze_shared", 60_000, 64_000)] };
  const alone = [61_100, 61_200, 61_300];
  assertKept(checkFeeds(file([...EVERY_MINUTE, ...alone]), away));
  assertFound(checkFeeds(file([...EVERY_MINUTE, ...alone, 61_400]), away), /asked for again/);
});

test("found: twice in a time to live", () => {
  assertFound(checkFeeds(file([...EVERY_MINUTE, 61_300]), TERMS), /again after 300 ms of 60 s/);
  assertFound(checkFeeds(file([...EVERY_MINUTE, 90_000]), TERMS), /asked for again/);
});

test("found: every replica fetches for itself", () => {
  const four = EVERY_MINUTE.flatMap((at) => [at, at + 10, at + 20, at + 30]);
  assertFound(checkFeeds(file(four), TERMS), /asked for again/);
});

test("found: one killed holder does not explain two, nor what was before or after it", () => {
  const killed = { ...TERMS, faults: [fault("kill_replica", 61_050, 62_000, 2)] };
  assertFound(checkFeeds(file([...EVERY_MINUTE, 65_000, 66_000]), killed), /asked for again/);
  assertFound(checkFeeds(file([...EVERY_MINUTE, 122_500]), killed), /asked for again/);
  const store = { ...TERMS, faults: [fault("kill_store", 61_050, 62_000)] };
  assertFound(checkFeeds(file([...EVERY_MINUTE, 65_000]), store), /asked for again/);
});

test("found: a file that is wanted and forgotten, from the beginning, between, or at the end", () => {
  for (const request of [
    [],
    EVERY_MINUTE.slice(3),
    EVERY_MINUTE.slice(0, 3),
    [1_000, 61_000, 243_000],
  ])
    assertFound(checkFeeds(file(request), TERMS), /not asked for during/);
});

test("a feed without demand is not missed; a fault explains a delay as long as it lasts", () => {
  assertKept(checkFeeds(file([1_000], { wanted: false }), TERMS));
  const frozen = { ...TERMS, faults: [fault("freeze_shared", 60_000, 120_000)] };
  assertKept(checkFeeds(file([1_000, 122_000, 182_000, 243_000]), frozen));
});
