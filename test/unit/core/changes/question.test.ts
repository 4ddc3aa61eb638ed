/** Two stored searches are comparable where they asked for the same objects. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { listDifferent, listFilters } from "#core/changes/change-question.ts";

const REQUEST = {
  ...{ lat: 0, lon: 2.3522, radius: 400, modes: ["bicycle", "car"], include: ["stations"] },
  ...{ min_vehicles: 0, min_docks: 0, propulsion: null, operators: null },
  ...{ intent: null, limit: 200, language: null },
};

test("the order of lists, a filter of 0, and what finds no other objects make no difference", () => {
  const other = {
    ...REQUEST,
    modes: ["car", "bicycle"],
    intent: "pickup",
    limit: 5,
    language: "fr",
  };
  assert.deepEqual(listDifferent(REQUEST, other), []);
  const { min_vehicles: _, propulsion: __, ...older } = REQUEST;
  assert.deepEqual(listDifferent(older, REQUEST), []);
  assert.deepEqual(listFilters(REQUEST), []);
});

test("another circle, other modes, families or filters are named", () => {
  for (const [name, value] of Object.entries({
    lat: 0.000001,
    lon: -2.3522,
    radius: 399,
    modes: ["bicycle"],
    include: ["stations", "vehicles"],
    min_vehicles: 1,
    min_docks: 2,
    propulsion: ["electric"],
    operators: "lime",
  }))
    assert.deepEqual(listDifferent(REQUEST, { ...REQUEST, [name]: value }), [name]);
  assert.deepEqual(listFilters({ ...REQUEST, min_docks: 1, operators: "lime" }), [
    "min_docks",
    "operators",
  ]);
});
