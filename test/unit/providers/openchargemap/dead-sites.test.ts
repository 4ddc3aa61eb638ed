/** Sites of Open Charge Map at which no car can be charged are not offered (places.md 7.1). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTrail } from "#kit/trail.ts";
import { toWire } from "../../../support/place-fixtures.ts";
import { read } from "./readers.ts";

const readSite = (members: object) => {
  const trail = createTrail();
  const row = { ID: 1, AddressInfo: { Latitude: 48.1, Longitude: 2.1 }, ...members };
  const match = read(toWire(JSON.stringify([row])), trail);
  assert.ok(match.ok);
  return { shown: match.value.length, reason: trail.toTrail().dropped[0]?.reason };
};

test("a dead site is dropped with its reason, by its number or by the record of its status", () => {
  for (const [members, reason] of [
    [{ StatusTypeID: 100 }, "not_operational"],
    [{ StatusTypeID: 150 }, "planned"],
    [{ StatusTypeID: 200 }, "removed"],
    [{ StatusTypeID: 210 }, "duplicate"],
    [{ StatusType: { ID: 100, IsOperational: false } }, "not_operational"],
    [{ StatusType: { ID: 900, IsOperational: false } }, "not_operational"],
    [{ StatusTypeID: 200, StatusType: { ID: 200, IsOperational: false } }, "removed"],
  ] as const)
    assert.deepEqual(readSite(members), { shown: 0, reason }, JSON.stringify(members));
});

test("a site of which nothing is said, or that works in part, is shown", () => {
  for (const members of [
    {},
    { StatusTypeID: 0 },
    { StatusTypeID: null, StatusType: null },
    { StatusTypeID: 75, StatusType: { ID: 75, IsOperational: true } },
    { StatusType: { ID: 0, IsOperational: null } },
  ])
    assert.deepEqual(readSite(members), { shown: 1, reason: undefined }, JSON.stringify(members));
});
