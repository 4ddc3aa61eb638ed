/** Rings of slots against a plain list of what happened, and their bounds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { SourceState } from "#api/sources.ts";
import { packHistory, unpackHistory } from "#core/history/history-pack.ts";
import { HistoryRings, MAX_SOURCES, type RingSlot } from "#core/history/history-rings.ts";
import { QUARTERS } from "#core/history/ring-shape.ts";

const { slot_ms: SLOT_MS, slots: SLOTS } = QUARTERS;

const START_MS = 1_000 * 96 * SLOT_MS;
const WORST: SourceState[] = [
  "unauthorized",
  "unavailable",
  "error",
  "timeout",
  "ok",
  "not_surveyed",
  "disabled",
  "idle",
];

type Event = {
  after_ms: number;
  source: number;
  state: SourceState;
  age_s: number | null | "attempt";
};
type Happened = Omit<Event, "after_ms"> & { at_ms: number };

const events: fc.Arbitrary<Event[]> = fc.array(
  fc.record({
    // Mostly within a slot, at times beyond a whole ring.
    after_ms: fc.oneof(fc.nat(SLOT_MS / 2), fc.nat(SLOT_MS * 200)),
    source: fc.nat(2),
    state: fc.constantFrom(...WORST),
    age_s: fc.oneof(fc.constant("attempt" as const), fc.constant(null), fc.nat(1e6)),
  }),
  { maxLength: 60 },
);

function play(input: readonly Event[]): {
  rings: HistoryRings;
  happened: Happened[];
  now_ms: number;
} {
  const rings = new HistoryRings();
  const happened: Happened[] = [];
  let now_ms = START_MS;
  for (const { after_ms, ...event } of input) {
    now_ms += after_ms;
    happened.push({ ...event, at_ms: now_ms });
    const { source, state, age_s } = event;
    if (age_s === "attempt") rings.count(`s${source}`, state, now_ms);
    else rings.observe(`s${source}`, { state, age_s }, now_ms);
  }
  return { rings, happened, now_ms };
}

/** The same by looking through everything. */
function expectSlot(happened: readonly Happened[], source: number, slot: number): RingSlot | null {
  const within = happened.filter(
    (each) => each.source === source && Math.floor(each.at_ms / SLOT_MS) === slot,
  );
  if (within.length === 0) return null;
  const attempts = within.filter(({ age_s }) => age_s === "attempt");
  const ages = within.map(({ age_s }) => age_s).filter((age_s) => typeof age_s === "number");
  return {
    attempts: attempts.length,
    failures: attempts.filter(({ state }) => state !== "ok").length,
    state: WORST.find((state) => within.some((each) => each.state === state))!,
    age_s: ages.length === 0 ? null : Math.max(...ages),
  };
}

test("each slot holds what happened in its quarter of an hour, and is null where nothing did", () => {
  fc.assert(
    fc.property(events, fc.nat(SLOT_MS * 3), (input, later_ms) => {
      const { rings, happened, now_ms } = play(input);
      const last = Math.floor((now_ms + later_ms) / SLOT_MS);
      for (const source of [0, 1, 2]) {
        const slots = rings.read(`s${source}`, now_ms + later_ms);
        if (!happened.some((each) => each.source === source)) {
          assert.equal(slots, null);
          continue;
        }
        const expected = Array.from({ length: SLOTS }, (_, i) =>
          expectSlot(happened, source, last - SLOTS + 1 + i),
        );
        assert.deepEqual(slots, expected);
      }
    }),
  );
});

test("packed and unpacked it reads the same; what is quiet, older than 24 hours or of the future is left out", () => {
  fc.assert(
    fc.property(events, (input) => {
      const { rings, now_ms } = play(input);
      const unpacked = unpackHistory(packHistory(rings.export(now_ms)));
      assert.ok(unpacked);
      const again = new HistoryRings();
      again.import(unpacked, now_ms);
      for (const id of ["s0", "s1", "s2"]) {
        const slots = rings.read(id, now_ms);
        const isQuiet = rings.countAttempts(id, now_ms) === null;
        const recalled = again.read(id, now_ms);
        assert.ok(isQuiet || recalled !== null);
        assert.deepEqual(recalled, recalled && slots);
        assert.equal(again.countAttempts(id, now_ms), rings.countAttempts(id, now_ms));
      }
      // As if the clock had been ahead until now.
      const early_ms = START_MS + SLOT_MS * 2;
      const early = new HistoryRings();
      early.import(unpacked, early_ms);
      for (const id of ["s0", "s1", "s2"]) {
        const slots = rings.read(id, early_ms) ?? [];
        const recalled = early.read(id, early_ms) ?? [];
        for (const [i, slot] of recalled.entries())
          assert.deepEqual(slot, slot === null ? null : slots[i]);
        const later = early.read(id, early_ms + SLOT_MS * 60) ?? [];
        assert.ok(later.slice(-60).every((slot) => slot === null));
      }
    }),
  );
});

test("what is damaged is null: cut, lengthened, another shape, too many", () => {
  const rings = new HistoryRings();
  rings.count("a", "ok", START_MS);
  const [list, ...columns] = packHistory(rings.export(START_MS));
  const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
  assert.ok(unpackHistory([list!, ...columns]));
  const broken: Uint8Array[][] = [
    [],
    [list!],
    [list!, ...columns.slice(1)],
    [list!, columns[0]!.subarray(1), ...columns.slice(1)],
    [list!.subarray(1), ...columns],
    [encode({}), ...columns],
    [encode([{ source_id: 1, newest: 2 }]), ...columns],
    [encode([{ source_id: "a", newest: "2" }]), ...columns],
    [encode([null]), ...columns],
    [encode(Array.from({ length: MAX_SOURCES + 1 }, () => 0)), ...columns],
  ];
  for (const bodies of broken) assert.equal(unpackHistory(bodies), null);
});

test("a source beyond the bound has no history, and the others keep theirs", () => {
  const rings = new HistoryRings();
  for (let i = 0; i <= MAX_SOURCES; i++) rings.count(`s${i}`, i % 2 ? "ok" : "error", START_MS);
  assert.equal(rings.read(`s${MAX_SOURCES}`, START_MS), null);
  assert.equal(rings.read("s0", START_MS)?.at(-1)?.failures, 1);
  assert.deepEqual(rings.read(`s${MAX_SOURCES - 1}`, START_MS)?.at(-1), {
    attempts: 1,
    failures: 0,
    state: "ok",
    age_s: null,
  });
});

test("attempts are added up; a source that was only seen idle was not asked", () => {
  const rings = new HistoryRings();
  rings.observe("quiet", { state: "idle", age_s: null }, START_MS);
  rings.observe("shelf", { state: "ok", age_s: 9 }, START_MS);
  for (let i = 0; i < 5; i++) rings.count("asked", "ok", START_MS + i * SLOT_MS * 20);
  const now_ms = START_MS + 4 * SLOT_MS * 20;
  assert.deepEqual(
    ["quiet", "shelf", "asked", "absent"].map((id) => rings.countAttempts(id, now_ms)),
    [null, 0, 5, null],
  );
  assert.equal(rings.countAttempts("asked", START_MS + SLOT_MS * 100), 4);
});
