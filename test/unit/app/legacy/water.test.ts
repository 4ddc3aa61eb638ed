/** Who is asked for water, what counts, and what becomes of failures (§4.10; decisions, Legacy routes). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import {
  createLegacyWater,
  type WaterDeps,
  type WaterQuestion,
  type WaterSource,
} from "#app/legacy/water-search.ts";
import type { Finding } from "#app/places/place-finder.ts";
import { createManualClock } from "../../../support/manual-clock.ts";
import { LegacyWater } from "#api/legacy-water.ts";
import { hitsOf } from "#core/places/place-hits.ts";
import type { Place } from "#core/places/place.ts";
import { HERE, moved, NOW_MS } from "../../../support/domain.ts";
import { aPlace } from "../../../support/places.ts";

const isBody = addFormats.default(new Ajv2020({ strict: true })).compile<LegacyWater>(LegacyWater);
const READ_AT_MS = NOW_MS - 3_600_000;

const water = (id: string, change: Partial<Place> = {}): Place =>
  aPlace(id, { kind: "water", attributes: { drinking_water: "yes" }, ...change });

type Stub = WaterSource & { requested: { radius_m: number; kinds: readonly string[] }[] };

/** A source whose places lie the given metres to the north. */
function source(dataset: string, places: [Place, metres: number][], change: Partial<Finding> = {}) {
  const requested: Stub["requested"] = [];
  const stub: Stub = {
    dataset,
    requested,
    readAt: () => READ_AT_MS,
    finder: {
      key: dataset,
      kindsFor: ({ kinds }) => kinds,
      find: ({ circle, kinds }) => {
        requested.push({ radius_m: circle.radius_m, kinds });
        const matches = places
          .filter(([, distance_m]) => distance_m <= circle.radius_m + 30)
          .map(([place, distance_m]) => ({
            place: { ...place, ...moved(HERE, distance_m) },
            distance_m,
          }));
        return Promise.resolve({
          key: dataset,
          status: "ok",
          reason: null,
          places: hitsOf(matches),
          raw: matches.length,
          calls: 0,
          cache: "hit",
          good_until_ms: NOW_MS + 60_000,
          ...change,
        });
      },
    },
  };
  return stub;
}

const FAILED = { status: "error", reason: "http_400", cache: "miss", good_until_ms: null } as const;
const LATE = { ...FAILED, status: "timeout", reason: "deadline" } as const;
const ABSENT = { ...FAILED, status: "unavailable", reason: "not_loaded" } as const;
const OLD = { ...FAILED, cache: "hit" } as const;

const FULL: [Place, number][] = [
  [water("5"), 400],
  [water("7"), 600],
];

function ask(deps: Partial<WaterDeps>, question: Partial<WaterQuestion> = {}) {
  const search = createLegacyWater({
    clock: createManualClock(NOW_MS),
    isInParis: () => true,
    sets: [],
    map: null,
    fallback: true,
    ...deps,
  });
  const times = { now_ms: NOW_MS, deadline_ms: NOW_MS + 3000 };
  return search({ coords: HERE, ...times, distance: 500, rows: 10, ...question });
}

async function answer(deps: Partial<WaterDeps>, question: Partial<WaterQuestion> = {}) {
  const reply = await ask(deps, question);
  assert.ok(reply.kind === "ok", JSON.stringify(reply));
  assert.ok(isBody(reply.body), JSON.stringify(isBody.errors));
  const { nhits, parameters, records } = reply.body;
  const ids = records.map(({ fields }) => fields.objectid);
  return { ...reply, nhits, parameters, ids, records };
}

test("in Paris the sets answer and no other source is asked; all are counted, the first few shown, in order", async () => {
  const fountains = source("fontaines-a-boire", FULL);
  const toilets = source("sanisettesparis", [[aPlace("9"), 20]]);
  const map = source("openstreetmap", [[water("node/1"), 10]]);
  const near = await answer({ sets: [fountains, toilets], map });
  assert.deepEqual([near.nhits, near.ids, near.partial, near.max_age_s], [2, [9, 5], false, 30]);
  assert.deepEqual(near.parameters, {
    dataset: ["fontaines-a-boire", "sanisettesparis"],
    timezone: "UTC",
    rows: 10,
    format: "json",
    "geofilter.distance": [`${HERE.lat},${HERE.lon},500`],
    facet: ["arrondissement", "horaires_ouverture"],
  });
  const wide = await answer({ sets: [fountains, toilets], map }, { distance: 5000, rows: 1 });
  assert.deepEqual([wide.nhits, wide.ids], [3, [9]]);
  assert.deepEqual(
    near.records[0]!.record_timestamp,
    new Date(READ_AT_MS).toISOString().replace(".000", ""),
  );
  assert.deepEqual(map.requested, []);
  assert.equal((await answer({ sets: [fountains], map }, { distance: 1 })).nhits, 0);
  assert.deepEqual(map.requested, [], "they know the neighbourhood, and that nothing is so near");
});

test("elsewhere the map answers, with what is drinkable and toilets", async () => {
  const sets = [source("fontaines-a-boire", FULL)];
  const drinkable = (drinking_water: string): Partial<Place> => ({
    attributes: { drinking_water },
  });
  const map = source("openstreetmap", [
    [water("node/1"), 10],
    [water("node/2", drinkable("no")), 20],
    [water("node/3", drinkable("unknown")), 30],
    [aPlace("node/4"), 40],
    [aPlace("node/5"), 510],
  ]);
  const reply = await answer({ sets, map, isInParis: () => false });
  assert.deepEqual([reply.ids, reply.parameters.dataset], [[1, 4], ["openstreetmap"]]);
  assert.deepEqual(map.requested, [{ radius_m: 500, kinds: ["water", "toilets"] }]);
  assert.deepEqual(sets[0]!.requested, []);
  // Within the box of Paris, beyond its border.
  const beyond = await answer({ sets: [source("fontaines-a-boire", [[water("1"), 1100]])], map });
  assert.deepEqual([beyond.ids, beyond.partial], [[1, 4], false]);
});

test("with the fallback switched off no other source is asked: nothing is known there", async () => {
  const map = source("openstreetmap", [[water("node/1"), 10]]);
  const sets = [source("fontaines-a-boire", FULL)];
  const reply = await answer({ sets, map, isInParis: () => false, fallback: false });
  assert.deepEqual([reply.nhits, reply.partial], [0, false]);
  assert.deepEqual(reply.parameters.dataset, ["fontaines-a-boire"]);
  const within = await answer({ sets: [source("fontaines-a-boire", [])], map, fallback: false });
  assert.equal(within.nhits, 0);
  assert.deepEqual(map.requested, []);
});

test("one that failed makes it partial; a set that is held beats its failure", async () => {
  const some = [source("fontaines-a-boire", FULL), source("sanisettesparis", [], FAILED)];
  const partial = await answer({ sets: some });
  assert.deepEqual([partial.ids, partial.partial, partial.max_age_s], [[5], true, null]);
  const old = await answer({ sets: [source("fontaines-a-boire", FULL, OLD)] });
  assert.deepEqual([old.ids, old.partial], [[5], true]);
  // What the map holds of before, though it cannot be asked.
  const map = source("openstreetmap", [[water("node/1"), 10]], LATE);
  assert.deepEqual((await answer({ map, isInParis: () => false })).partial, true);
});

test("while no set has been read the map is used instead, and the answer says that it is not whole", async () => {
  const sets = [source("fontaines-a-boire", [], ABSENT), source("sanisettesparis", [], ABSENT)];
  const map = source("openstreetmap", [[water("node/1"), 10]]);
  const reply = await answer({ sets, map });
  assert.deepEqual([reply.ids, reply.partial], [[1], true]);
});

const NONE: readonly [deps: Partial<WaterDeps>, code: string, retry_after_s: number | null][] = [
  [{ sets: [source("a", [], FAILED), source("b", [], LATE)] }, "provider_bad_response", 1],
  [{ sets: [source("a", [], LATE), source("b", [], LATE)] }, "provider_timeout", null],
  [{ sets: [source("a", [], ABSENT)] }, "provider_unavailable", 1],
  [{ sets: [] }, "provider_unavailable", null],
  [{ isInParis: () => false, map: source("m", [], LATE) }, "provider_timeout", null],
  [{ isInParis: () => false, map: source("m", [], FAILED) }, "provider_bad_response", 1],
  [{ isInParis: () => false }, "provider_unavailable", null],
  // The sets say nothing of a place beyond them: theirs is no answer.
  [{ sets: [source("a", [])], map: source("m", [], FAILED) }, "provider_bad_response", 1],
];

test("where no source answered the failure is reported", async () => {
  for (const [index, [deps, code, retry_after_s]] of NONE.entries()) {
    const reply = await ask(deps);
    assert.ok(reply.kind === "failed");
    assert.deepEqual([reply.code, reply.retry_after_s], [code, retry_after_s], `row ${index}`);
    assert.match(reply.message, /^(a|m|the source of drinking water) (is|refused|answers) /);
  }
});
