/** A search of a dense crowd lets others have the serving thread: no step of it makes or judges many. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toEnd } from "#kit/steps.ts";
import { findById } from "#core/places/find-by-id.ts";
import { groupFacilities } from "#core/places/facility-groups.ts";
import { displayNameOf } from "#core/places/place-naming.ts";
import { hitsOf, type PlaceHits } from "#core/places/place-hits.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import { placeId } from "#core/places/place-results.ts";
import { createPlaceBudget, type Selecting, selectPlaces } from "#core/places/select.ts";
import { distance_m } from "#kit/geo.ts";
import { HERE } from "../../../support/domain.ts";
import { aPlace, travelled } from "../../../support/places.ts";

/** Places made, and verdicts and features read, since the last step. */
class Work {
  #now = 0;
  #most = 0;
  #steps = 0;

  add(): void {
    this.#now++;
  }

  run<T>(steps: Generator<void, T>): { value: T; most: number; steps: number } {
    for (;;) {
      const step = steps.next();
      this.#most = Math.max(this.#most, this.#now);
      this.#now = 0;
      this.#steps++;
      if (step.done === true) return { value: step.value, most: this.#most, steps: this.#steps };
    }
  }
}

const CROWD = 700;

function crowd(kind: PlaceKind, source_id: string, work: Work): PlaceHits {
  const places = Array.from({ length: CROWD }, (_, n) =>
    aPlace(`${source_id}${n}`, {
      kind,
      source_id,
      ...travelled(HERE, n * 5, n * (source_id === "a" ? 1 : 1.3)),
    }),
  );
  const of = (place: Place): number => distance_m(HERE.lat, HERE.lon, place.lat, place.lon);
  const hits = hitsOf(places.map((place) => ({ place, distance_m: of(place) })));
  return hits.publishedAs((place) => {
    work.add();
    return place;
  });
}

/** What fits is judged once more where it is counted and where it is shown, by what is known then. */
function selecting(work: Work, more: Partial<Selecting>): Selecting {
  const judged = new Set<unknown>();
  const fits = (item: object): null => {
    if (!judged.has(item)) work.add();
    judged.add(item);
    return null;
  };
  return {
    ...{ tokens: ["parking", "toilets"], radius_m: 4_000, limit: 200, language: null },
    wishes: [{ count: "hours", filter: "usable", fits }],
    ...{ budget: createPlaceBudget(), toId: placeId, toName: displayNameOf },
    ...more,
  };
}

/** Much less than what there is of it. */
const MOST_IN_A_STEP = 60;

for (const kind of ["parking", "toilets"] as const)
  for (const more of [{}, { facilities_max: 20 }])
    test(`of ${kind} of two sources, ${JSON.stringify(more)}`, () => {
      const work = new Work();
      const sources = ["a", "b"].map((source_id) => crowd(kind, source_id, work));
      const { value, most, steps } = work.run(selectPlaces(sources, selecting(work, more)));
      assert.ok(value.total >= 20, `${value.total} found`);
      assert.ok(most <= MOST_IN_A_STEP, `${most} in a step`);
      assert.ok(steps > 20, `${steps} steps`);
    });

test("of an id that is not there", () => {
  const work = new Work();
  const sources = ["a", "b"].map((source_id) => crowd("toilets", source_id, work));
  const { value, most } = work.run(findById(sources, "svc_place_none", 4_000, placeId));
  assert.equal(value.hit, null);
  assert.ok(most <= MOST_IN_A_STEP, `${most} in a step`);
});

test("of car parks that are prepared and weighed", () => {
  const work = new Work();
  const places = (source_id: string): Place[] =>
    Array.from({ length: 100 }, (_, n) =>
      aPlace(`${source_id}${n}`, { kind: "parking", source_id, ...travelled(HERE, n, n) }),
    );
  const count = (): number => {
    work.add();
    return 0;
  };
  const identity = {
    ...{ reach_m: 150, keysOf: () => [], isOfPart: () => false, featuresOf: count, weigh: count },
    ...{ areAlike: () => false, mayBeParts: () => false },
  };
  const { value, most } = work.run(groupFacilities([places("a"), places("b")], identity, 1e6));
  assert.ok(value !== null);
  // A place is weighed against all that lie near it at once.
  assert.ok(most <= 500, `${most} in a step`);
  assert.ok(toEnd(groupFacilities([places("a"), places("b")], identity, 10)) === null);
});
