/** The checker of datasets: other bytes, a dataset that is gone, a 503 with nothing amiss. */
import { test } from "node:test";
import { checkDatasets, type DatasetRead } from "../check/datasets.ts";
import { assertFound, assertKept, fault } from "./support.ts";

const WRITES = [{ dataset_id: "d", acked_ms: 0, expires_ms: 100_000 }];
const TERMS = { faults: [fault("kill_store", 10_000, 12_000)], recovery_ms: 2_000 };

function read(at_ms: number, how: Partial<DatasetRead> = {}): DatasetRead {
  const usual = { dataset_id: "d", replica: 0, status: 200, digest: "x", shed: false };
  return { from_ms: at_ms, to_ms: at_ms + 10, ...usual, ...how };
}
const refused = (at_ms: number, status: number | null): DatasetRead =>
  read(at_ms, { status, digest: null });

test("the same everywhere; 503 while the store is away, 410 once expired, and silence", () => {
  const reads = [
    ...[read(0), read(10, { replica: 1 }), read(11_000, { replica: 2 }), refused(11_000, 503)],
    ...[refused(13_900, 503), refused(200_000, 410), refused(20, null)],
  ];
  assertKept(checkDatasets(WRITES, reads, TERMS), 3);
});

const PLANTED: [name: string, reads: DatasetRead[], RegExp][] = [
  [
    "other bytes at another replica",
    [read(0), read(10, { replica: 1, digest: "y" })],
    /other bytes/,
  ],
  ["other bytes later", [read(0), read(90_000, { digest: "y" })], /other bytes/],
  ["a dataset that another replica does not know", [read(0), refused(10, 404)], /404 before/],
  ["one that expires early", [read(0), refused(99_000, 410)], /410 before/],
  ["unknown while the store is away", [read(0), refused(11_000, 404)], /404 before/],
  ["503 with nothing amiss", [read(0), refused(50_000, 503)], /503 before/],
  ["500 while the store is away", [read(0), refused(11_000, 500)], /500 before/],
];

for (const [name, reads, pattern] of PLANTED)
  test(`found: ${name}`, () => assertFound(checkDatasets(WRITES, reads, TERMS), pattern));
