/**
 * `12 avenue Princesse Grace, Monaco` was Théâtre Princesse Grace at Avenue d'Ostende 12, `rooftop`: its
 * name had three words of the question, and its number counted for whatever street was asked for.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anArea, aNode, askFor, aWay, geocoderOf } from "../support/geocoder.ts";

const street = (id: number, lat: number, name: string) =>
  aWay(
    id,
    [
      [lat, 7.42],
      [lat, 7.43],
    ],
    { highway: "tertiary", name },
  );
const monaco = geocoderOf([
  anArea(900, [43.7, 7.4, 43.76, 7.45], {
    ...{ boundary: "administrative", admin_level: "8", name: "Monaco" },
  }),
  street(1, 43.7456, "Avenue Princesse Grace"),
  street(2, 43.7377, "Avenue d'Ostende"),
  aNode(3, [43.7377, 7.426], {
    ...{ amenity: "theatre", name: "Théâtre Princesse Grace" },
    ...{ "addr:street": "Avenue d'Ostende", "addr:housenumber": "12" },
  }),
]);

test("a number that a street does not have is that street, and no thing that has it elsewhere", () => {
  for (const q of [
    "12 avenue Princesse Grace, Monaco",
    "Avenue Princesse Grace 12",
    "12, av. Princesse Grace",
    "12 avenue Pcesse Grace, Monaco",
  ])
    for (const operation of ["geocode", "search"] as const) {
      const [item] = monaco[operation](askFor(q));
      assert.deepEqual(
        [item?.name, item?.match_quality],
        ["Avenue Princesse Grace", "geometric_center"],
        `${q}, ${operation}`,
      );
    }
});
