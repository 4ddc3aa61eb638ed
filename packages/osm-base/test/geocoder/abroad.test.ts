/**
 * What an extract has beyond the border of its country is in none of that country's towns (decisions,
 * Clocks and holidays): `Feldkirch` was "Stadt Feldkirch, Schellenberg, Liechtenstein", at a place in
 * Liechtenstein, and a hotel of Beausoleil was in Monaco.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  aHouse,
  anArea,
  aNode,
  askFor,
  aStreet,
  type Feature,
  geocoderOf,
} from "../../../../test/support/geocoder.ts";

const admin = (admin_level: string, name: string) => ({
  ...{ boundary: "administrative", admin_level, name },
});
const cut = (area: ReturnType<typeof anArea>): Feature => ({ ...area, whole: false, rings: [] });
const OSTHEIM = { "addr:city": "Ostheim", "addr:postcode": "6800" };
const WESTDORF = { "addr:city": "Westdorf", "addr:postcode": "9490" };

/** Liechtenstein in the west up to 9.1, whole, with one municipality, Westdorf, north of 47.02. */
const HERE: readonly Feature[] = [
  anArea(900, [47, 9, 47.2, 9.1], { ...admin("2", "Liechtenstein"), "ISO3166-1": "LI" }),
  anArea(901, [47.02, 9, 47.2, 9.1], { ...admin("8", "Westdorf"), postal_code: "9490" }),
  aNode(1, [47.1, 9.05], { place: "village", name: "Westdorf" }),
  // No area of its own: it reaches over the border.
  aNode(2, [47.1, 9.098], { place: "village", name: "Grenzdorf" }),
  aNode(3, [47.1, 9.05], { amenity: "cafe", name: "Café Mitte" }),
  aNode(4, [47.15, 9.0999], { amenity: "cafe", name: "Café Schranke" }),
  aStreet(20, 47.15, [9.0975, 9.1025], "Zollstrasse"),
  aHouse(30, [47.1501, 9.098], "Zollstrasse", "1", WESTDORF),
  aHouse(31, [47.1501, 9.0985], "Zollstrasse", "3", WESTDORF),
  aHouse(32, [47.1501, 9.0988], "Zollstrasse", "5", WESTDORF),
  aHouse(33, [47.1501, 9.1015], "Zollstrasse", "20", OSTHEIM),
];
/** Beyond it, where the map of countries says Liechtenstein up to 9.13. */
const BEYOND: readonly Feature[] = [
  aNode(5, [47.1, 9.104], { tourism: "hotel", name: "Hotel Drüben" }),
  aNode(6, [47.1, 9.12], { tourism: "hotel", name: "Gasthof Fern" }),
  aStreet(21, 47.11, [9.103, 9.109], "Nebelgasse"),
  aStreet(22, 47.16, [9.12, 9.125], "Laternenweg"),
  aHouse(34, [47.1601, 9.121], "Laternenweg", "4", OSTHEIM),
  aNode(7, [47.12, 9.122], { place: "hamlet", name: "Weiler" }),
  // An Austrian village of which no area is drawn reaches into the south of Liechtenstein.
  aNode(8, [47.01, 9.102], { place: "village", name: "Südheim" }),
  aNode(9, [47.01, 9.099], { amenity: "cafe", name: "Café Eck" }),
  // The edge has left pieces of these, and the middle of those is somewhere.
  cut(anArea(910, [47.08, 9.07, 47.12, 9.11], admin("8", "Stadt Ostheim"))),
  cut(anArea(911, [47.08, 9.11, 47.12, 9.15], admin("8", "Marktdorf"))),
  cut(anArea(912, [47.05, 9.02, 47.07, 9.04], admin("10", "Unterort"))),
];
const map = (_: number, lon: number): string => (lon < 9.13 ? "LI" : "AT");
const border = geocoderOf([...HERE, ...BEYOND], map);

/** Question, and the parts of its first answer. */
const PARTS: readonly [q: string, city: string | null, code: string | null, label: string][] = [
  ["Hotel Drüben", null, "AT", "Hotel Drüben, Austria"],
  ["Gasthof Fern", null, "AT", "Gasthof Fern, Austria"],
  ["Nebelgasse", null, "AT", "Nebelgasse, Austria"],
  ["Laternenweg", "Ostheim", "AT", "Laternenweg, 6800 Ostheim, Austria"],
  ["Laternenweg 4", "Ostheim", "AT", "Laternenweg 4, 6800 Ostheim, Austria"],
  ["Weiler", "Weiler", "AT", "Weiler, Austria"],
  ["Marktdorf", "Marktdorf", "AT", "Marktdorf, Austria"],
  ["6800", "Ostheim", "AT", "6800, Ostheim, Austria"],
  ["Südheim", "Südheim", "AT", "Südheim, Austria"],
  ["Café Eck", null, "LI", "Café Eck, Liechtenstein"],
  // A street that goes on over the border: the boundary says where a house is not.
  ["Zollstrasse 20", "Ostheim", null, "Zollstrasse 20, 6800 Ostheim"],
  ["Zollstrasse 3", "Westdorf", "LI", "Zollstrasse 3, 9490 Westdorf, Liechtenstein"],
  ["Zollstrasse", "Westdorf", "LI", "Zollstrasse, 9490 Westdorf, Liechtenstein"],
  ["Café Mitte", "Westdorf", "LI", "Café Mitte, 9490 Westdorf, Liechtenstein"],
  ["Café Schranke", "Westdorf", "LI", "Café Schranke, 9490 Westdorf, Liechtenstein"],
  ["Grenzdorf", "Westdorf", "LI", "Grenzdorf, 9490 Westdorf, Liechtenstein"],
];

test("what lies over the border has the country that it is in, and no town of the other one", () => {
  for (const [q, city, code, label] of PARTS) {
    const [item] = border.geocode(askFor(q));
    assert.deepEqual([item?.address.city, item?.country_code, item?.label], [city, code, label], q);
  }
});

test("a place that the edge has cut is none at a point within another one", () => {
  for (const q of ["Stadt Ostheim", "Unterort"])
    assert.ok(!border.geocode(askFor(q)).some(({ name }) => name === q), q);
});

test("a filter of country goes by the boundary, too", () => {
  for (const [q, code, is] of [
    ["Hotel Drüben", "AT", true],
    ["Hotel Drüben", "LI", false],
    ["Nebelgasse", "AT", true],
    ["Nebelgasse", "LI", false],
    ["Café Mitte", "LI", true],
  ] as const)
    assert.equal(border.geocode(askFor(q, { country: code })).length > 0, is, `${q} in ${code}`);
});

test("a point over the border is in no town of the other country", () => {
  for (const [lat, lon] of [
    [47.1501, 9.1015],
    [47.1, 9.104],
    [47.11, 9.105],
    [47.1602, 9.1211],
    [47.12, 9.122],
  ] as const) {
    const items = border.reverse({ lat, lon, language: null, limit: 5 });
    for (const { label, country_code, address } of items) {
      assert.notEqual(country_code, "LI", label);
      assert.ok(!["Westdorf", "Grenzdorf"].includes(address.city ?? ""), label);
      assert.notEqual(address.postal_code, "9490", label);
    }
  }
  const [inside] = border.reverse({ lat: 47.1501, lon: 9.098, language: null, limit: 1 });
  assert.equal(inside?.label, "Zollstrasse 1, 9490 Westdorf, Liechtenstein");
});

test("where no country is drawn as a whole, the map of countries decides", () => {
  const open = HERE.map((each) =>
    each.id === 900 ? { ...each, whole: false } : each,
  ) as Feature[];
  const [item] = geocoderOf([...open, ...BEYOND], map).geocode(askFor("Gasthof Fern"));
  assert.equal(item?.country_code, "LI");
});
