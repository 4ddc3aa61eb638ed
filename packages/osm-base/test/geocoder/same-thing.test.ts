/**
 * A thing that is on the map as a point, an outline and a relation is one result, as are the pieces of a
 * street and the poles of a stop (decisions, Several bases and indexes): a village was shown with the
 * houses that are drawn around it, and a road with each of its bridges.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  aHouse,
  anArea,
  aNode,
  askFor,
  aWay,
  type Feature,
  geocoderOf,
} from "../../../../test/support/geocoder.ts";

type At = readonly [lat: number, lon: number];
const area = (id: number, [lat, lon]: At, size: number, tags: Record<string, string>): Feature =>
  aWay(
    id,
    [
      [lat - size, lon - size],
      [lat - size, lon + size],
      [lat + size, lon + size],
      [lat + size, lon - size],
      [lat - size, lon - size],
    ],
    tags,
  );
const road = (id: number, [lat, lon]: At, length: number, tags: Record<string, string>): Feature =>
  aWay(
    id,
    [
      [lat, lon],
      [lat, lon + length],
    ],
    tags,
  );
const admin = (name: string) => ({ boundary: "administrative", admin_level: "8", name });

/** Oberdorf in the north, Unterdorf in the south. */
const TOWNS: readonly Feature[] = [
  anArea(900, [47.1, 9, 47.2, 9.2], admin("Oberdorf")),
  anArea(901, [47, 9, 47.1, 9.2], admin("Unterdorf")),
];
const HERE: At = [47.15, 9.1];

/** What is drawn, the question, and how many results it has. */
const CASES: readonly [what: string, features: readonly Feature[], q: string, count: number][] = [
  [
    "a hotel as a point and as an outline with an address",
    [
      aNode(1, HERE, { tourism: "hotel", name: "Adler" }),
      area(2, [47.1503, 9.1002], 0.0003, {
        ...{ tourism: "hotel", name: "Adler" },
        ...{ "addr:street": "Marktgasse", "addr:housenumber": "3" },
      }),
    ],
    "Adler",
    1,
  ],
  [
    "a townhall in the building of its name",
    [
      aNode(1, HERE, { amenity: "townhall", name: "Rathaus" }),
      area(2, HERE, 0.0003, { building: "yes", name: "Rathaus", "addr:street": "Marktgasse" }),
    ],
    "Rathaus",
    1,
  ],
  [
    "a park as a way and as a relation",
    [
      area(2, HERE, 0.001, { leisure: "park", name: "Stadtpark" }),
      anArea(3, [47.1485, 9.0985, 47.1515, 9.1015], { leisure: "park", name: "Stadtpark" }),
    ],
    "Stadtpark",
    1,
  ],
  [
    "a village and the houses that are drawn as its area",
    [
      aNode(1, HERE, { place: "village", name: "Waldhof" }),
      area(2, [47.152, 9.102], 0.004, { landuse: "residential", name: "Waldhof" }),
    ],
    "Waldhof",
    1,
  ],
  [
    "a hamlet as a point and as an area of another size",
    [
      aNode(1, HERE, { place: "hamlet", name: "Moos" }),
      area(2, [47.155, 9.1], 0.001, { place: "isolated_dwelling", name: "Moos" }),
    ],
    "Moos",
    1,
  ],
  [
    "a road and its bridge",
    [
      road(2, HERE, 0.01, { highway: "primary", name: "Landstrasse" }),
      road(3, [47.15, 9.11], 0.001, { highway: "primary", bridge: "yes", name: "Landstrasse" }),
    ],
    "Landstrasse",
    1,
  ],
  [
    "the poles of a stop on both sides of a street",
    [
      aNode(1, HERE, { highway: "bus_stop", name: "Post" }),
      aNode(2, [47.1502, 9.1008], { highway: "bus_stop", name: "Post" }),
      area(3, [47.1501, 9.1], 0.0001, { public_transport: "platform", name: "Post" }),
    ],
    "Post",
    1,
  ],
  [
    "a café that is at the address which is asked for",
    [
      road(4, HERE, 0.01, { highway: "residential", name: "Marktgasse" }),
      aNode(1, HERE, {
        ...{ amenity: "cafe", name: "Krone" },
        ...{ "addr:street": "Marktgasse", "addr:housenumber": "3" },
      }),
    ],
    "Marktgasse 3",
    1,
  ],
  // What is two remains two.
  [
    "two pharmacies of a chain, 400 metres apart",
    [
      aNode(1, HERE, { amenity: "pharmacy", name: "Apotheke" }),
      aNode(2, [47.1536, 9.1], { amenity: "pharmacy", name: "Apotheke" }),
    ],
    "Apotheke",
    2,
  ],
  [
    "a townhall and the car park of its name",
    [
      aNode(1, HERE, { amenity: "townhall", name: "Rathaus", "addr:street": "Marktgasse" }),
      area(2, HERE, 0.0003, { amenity: "parking", name: "Rathaus" }),
    ],
    "Rathaus",
    2,
  ],
  [
    "hamlets of one name on either side of a municipal border",
    [
      aNode(1, [47.102, 9.1], { place: "locality", name: "Riet" }),
      aNode(2, [47.098, 9.1], { place: "locality", name: "Riet" }),
    ],
    "Riet",
    2,
  ],
  [
    "a station and the stop in front of it",
    [
      aNode(1, HERE, { railway: "station", name: "Nendeln" }),
      aNode(2, [47.1503, 9.1], { highway: "bus_stop", name: "Nendeln" }),
    ],
    "Nendeln",
    2,
  ],
  [
    "numbers of one street",
    [
      road(4, HERE, 0.01, { highway: "residential", name: "Marktgasse" }),
      aHouse(1, HERE, "Marktgasse", "3"),
      aHouse(2, [47.15, 9.1002], "Marktgasse", "5"),
    ],
    "Marktgasse 5",
    1,
  ],
];

test("each thing is listed once, by name and by kind", () => {
  for (const [what, features, q, count] of CASES) {
    const geocoder = geocoderOf([...TOWNS, ...features]);
    for (const operation of ["geocode", "search"] as const) {
      const items = geocoder[operation](askFor(q, { limit: 10 }));
      assert.equal(
        items.length,
        count,
        `${what}, ${operation}: ${items.map((i) => i.label).join()}`,
      );
    }
  }
});

test("things without a name are as many as they are", () => {
  const geocoder = geocoderOf([
    ...TOWNS,
    ...[0, 1, 2, 3].map((i) => aNode(i + 1, [47.15 + i * 0.0004, 9.1], { amenity: "toilets" })),
    // The house that one of them is in.
    area(8, [47.1512, 9.10005], 0.0001, { amenity: "toilets", building: "yes" }),
    aNode(9, [47.15, 9.1003], { amenity: "toilets", name: "WC Markt" }),
    area(10, [47.15, 9.1003], 0.0001, { amenity: "toilets", name: "WC Markt" }),
  ]);
  for (const q of ["toilets", "toilets Oberdorf", "WC"]) {
    const items = geocoder.search(askFor(q, { limit: 10 }));
    const toilets = items.filter(({ osm_value }) => osm_value === "toilets");
    assert.equal(toilets.length, 5, q);
  }
});
