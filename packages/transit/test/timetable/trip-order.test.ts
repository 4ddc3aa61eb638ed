/** Orders of trips are those of a sort by comparison. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { rankAll, toBlob } from "#kit/bytes.ts";
import { orderTexts, sortTrips } from "../../timetable/trip-order.ts";
import { Sequences } from "../../timetable/sequences.ts";
import type { TimetableDraft } from "../../timetable/timetable-draft.ts";

const arbId = fc.oneof(
  fc.string({ unit: "binary", maxLength: 9 }),
  fc.string({ unit: fc.constantFrom("a", "b", "\0", "é", "𝕏"), maxLength: 12 }),
  fc.nat(999_999).map((value) => `de:0:${value}`),
);

test("texts in the order of their bytes", () => {
  fc.assert(
    fc.property(fc.array(arbId, { maxLength: 60 }), fc.string({ maxLength: 3 }), (ids, prefix) => {
      const texts = ids.map((id) => `${prefix}${id}`);
      const { bytes, offsets } = toBlob(texts);
      const order = orderTexts(bytes, offsets);
      const ranks = new Uint32Array(texts.length);
      order.forEach((row, rank) => (ranks[row] = rank));
      assert.deepEqual(ranks, rankAll(texts));
    }),
  );
});

test("trips by pattern, profile, time, service and as they came; what does not run is left out", () => {
  const arbTrip = fc.record({
    profile: fc.integer({ min: -1, max: 7 }),
    start: fc.constantFrom(0, 60, 61, 86_400, -30),
    service: fc.integer({ min: -1, max: 3 }),
  });
  fc.assert(
    fc.property(fc.array(arbTrip, { maxLength: 60 }), (rows) => {
      const [patterns, profiles] = [new Sequences(1), new Sequences(1)];
      for (const route of [2, 0, 1]) patterns.intern(Int32Array.of(route, 5), 2);
      for (let i = 0; i < 8; i++) profiles.intern(Int32Array.of((i * 5) % 3, i), 2);
      // Service 2 never runs, and no station has route 1.
      const draft = {
        patterns,
        profiles,
        routePlace: (route: number) => (route === 1 ? -1 : route),
        services: {
          service_weekdays: Uint8Array.of(127, 1, 0, 64),
          service_from: Int32Array.of(1, 1, 1, 1),
          service_to: Int32Array.of(9, 9, 9, 9),
          exception_starts: new Uint32Array(5),
          exceptions: new Int32Array(0),
        },
        trips: {
          count: rows.length,
          profile: Int32Array.from(rows, ({ profile }) => profile),
          start_s: Int32Array.from(rows, ({ start }) => start),
          service: Int32Array.from(rows, ({ service }) => service),
        },
      } as unknown as TimetableDraft;
      const patternOf = (trip: number): number => (rows[trip]!.profile * 5) % 3;
      const expected = [...rows.keys()]
        .filter((trip) => rows[trip]!.profile >= 0 && rows[trip]!.service !== 2)
        .filter((trip) => rows[trip]!.service >= 0 && patternOf(trip) !== 2)
        .sort(
          (a, b) =>
            patternOf(a) - patternOf(b) ||
            rows[a]!.profile - rows[b]!.profile ||
            rows[a]!.start - rows[b]!.start ||
            rows[a]!.service - rows[b]!.service ||
            a - b,
        );
      assert.deepEqual([...sortTrips(draft)], expected);
    }),
  );
});
