/** Ids of charging points on the open map, and sites that are none (docs/identity.md). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTrail } from "#kit/trail.ts";
import type { Element } from "#providers/openstreetmap/element.ts";
import { placesOf } from "#providers/openstreetmap/tags.ts";
import { HERE, moved } from "../../../support/domain.ts";

const element = (id: string, tags: Record<string, string>, at = HERE): Element => ({
  id,
  ...at,
  tags: new Map(Object.entries(tags)),
});
const STATION = { amenity: "charging_station" };

test("a list of EVSE ids gives each its key; what is none gives none", () => {
  const tags = { ...STATION, "ref:EU:EVSE": "DE*EBW*E914082*1; de-ebw-e914082-2;FR*S63*P1; 7" };
  const [place] = placesOf([element("node/1", tags)], ["charging"], createTrail());
  assert.deepEqual(place?.keys, [
    "osm:node/1",
    "evse:DEEBWE9140821",
    "evse:DEEBWE9140822",
    "pool:FRS63P1",
  ]);
  const parking = element("node/2", { ...tags, amenity: "parking" });
  assert.deepEqual(placesOf([parking], ["parking"], createTrail())[0]?.keys, ["osm:node/2"]);
});

test("ids of the posts of a station are the station's", () => {
  const posts = [1, 2].map((n) =>
    element(
      `node/${n + 1}`,
      { man_made: "charge_point", "ref:EU:EVSE": `DE*EBW*E1*${n}` },
      moved(HERE, n * 5),
    ),
  );
  const places = placesOf([element("node/1", STATION), ...posts], ["charging"], createTrail());
  assert.deepEqual(
    places.map(({ keys }) => keys),
    [["osm:node/1", "evse:DEEBWE11", "evse:DEEBWE12"]],
  );
});

test("a site that is dead, or not built yet, is left out with its reason", () => {
  for (const [tags, reason] of [
    [{ operational_status: "closed" }, "out_of_order"],
    [{ operational_status: "non_operational" }, "out_of_order"],
    [{ operational_status: "under_construction" }, "out_of_order"],
    [{ disused: "yes" }, "not_in_use"],
    [{ abandoned: "yes" }, "not_in_use"],
    [{ construction: "yes" }, "not_in_use"],
    [{ proposed: "yes" }, "not_in_use"],
  ] as const) {
    const trail = createTrail();
    assert.deepEqual(
      placesOf([element("node/1", { ...STATION, ...tags })], ["charging"], trail),
      [],
    );
    assert.equal(trail.toTrail().dropped[0]?.reason, reason);
  }
  const working = element("node/1", { ...STATION, operational_status: "operational" });
  assert.equal(placesOf([working], ["charging"], createTrail()).length, 1);
});
