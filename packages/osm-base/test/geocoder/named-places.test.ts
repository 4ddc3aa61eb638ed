/**
 * Decisions, "Named places bind": a town, postcode, region or country that is named is not overruled
 * by a number or a street; only the number itself, letter included, is a rooftop; words that nothing
 * explains bound the quality.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  aHouse,
  anArea,
  aNode,
  askFor,
  aStreet,
  aWay,
  type Feature,
  geocoderOf,
  shown,
} from "../../../../test/support/geocoder.ts";

const admin = (name: string) => ({ boundary: "administrative", admin_level: "8", name });
const MUSTERHEIM = { "addr:city": "Musterheim", "addr:postcode": "31555" };
const NEBENDORF = { "addr:city": "Nebendorf", "addr:postcode": "31556" };
const along = (id: number, lat: number, name: string): Feature =>
  aStreet(id, lat, [9.997, 10.003], name);

/** Two towns side by side, each of which reaches the other. */
const TOWNS: readonly Feature[] = [
  anArea(900, [49, 5, 54.5, 15], {
    ...{ boundary: "administrative", admin_level: "2", name: "Deutschland" },
    "ISO3166-1:alpha2": "DE",
  }),
  anArea(901, [52.19, 9.98, 52.23, 10.04], admin("Musterheim")),
  anArea(902, [52.23, 9.98, 52.27, 10.04], admin("Nebendorf")),
  aNode(1, [52.21, 10.01], { place: "town", name: "Musterheim", population: "12000" }),
  aNode(2, [52.25, 10.01], { place: "village", name: "Nebendorf" }),
  along(10, 52.207, "Hauptstraße"),
  along(11, 52.25, "Hauptstraße"),
  along(12, 52.209, "Mühlweg"),
  along(13, 52.252, "Mühlweg"),
  along(14, 52.254, "Prenzlauer Allee"),
  along(15, 52.211, "Lindenallee"),
  along(16, 52.215, "Lindenaller"),
  aHouse(100, [52.2072, 9.9992], "Hauptstraße", "2", MUSTERHEIM),
  aHouse(101, [52.2502, 9.9992], "Hauptstraße", "22", NEBENDORF),
  aHouse(102, [52.2502, 9.9994], "Hauptstraße", "24", NEBENDORF),
  aHouse(110, [52.2092, 9.9991], "Mühlweg", "10", MUSTERHEIM),
  aHouse(111, [52.2092, 9.9995], "Mühlweg", "24", MUSTERHEIM),
  aHouse(112, [52.2112, 9.999], "Lindenallee", "5", MUSTERHEIM),
  aHouse(113, [52.2152, 9.999], "Lindenaller", "63", MUSTERHEIM),
  aHouse(114, [52.2542, 9.999], "Prenzlauer Allee", "22", NEBENDORF),
];

const towns = geocoderOf(TOWNS);
const first = (q: string): string => shown(towns.geocode(askFor(q)))[0] ?? "nothing";

test("the street in the town that is named goes before the number in another", () => {
  const inMusterheim = "Hauptstraße, 31555 Musterheim, Germany [geometric_center]";
  for (const q of [
    "Hauptstraße 24 Musterheim",
    "Hauptstraße 24, Musterheim",
    "24 Hauptstrasse Musterheim",
    "Musterheim, Hauptstraße 24",
    "Hauptstraße 24, 31555 Musterheim",
    "Hauptstraße 24, 31555",
    "Hauptstr. 24, Musterheim, Deutschland",
    "Haupstraße 24 Musterheim",
  ])
    assert.equal(first(q), inMusterheim, q);
  assert.match(first("Hauptstraße 24 Nebendorf"), /24, 31556 Nebendorf.*rooftop/);
  assert.match(first("Hauptstraße 24"), /24, 31556 Nebendorf.*rooftop/);
  const near = { lat: 52.21, lon: 10.01 };
  const [other] = towns.geocode(askFor("Hauptstraße 24 Musterheim", { near }));
  assert.equal(other!.address.city, "Musterheim");
});

test("a street that only the next town has is an answer, and no rooftop", () => {
  assert.match(first("Prenzlauer Allee 22, Musterheim"), /^Prenzlauer Allee 22.*approximate/);
});

test("the exact street goes before one like it that has the number", () => {
  for (const q of ["Lindenallee 63", "Lindenallee 63, Musterheim", "63 Lindenallee, 31555"])
    assert.match(first(q), /^Lindenallee, .*geometric_center/, q);
  assert.match(first("Lindenaller 63"), /^Lindenaller 63, .*rooftop/);
});

test("a town, postcode, country or word that nothing explains leaves no precise answer", () => {
  for (const tail of [
    ...["80331 München, Germany", "München", "80331", "Wien", "FR", "France"],
    ...["75001 Paris", "Springfield Illinois", "3. Bezirk Entenhausen"],
  ])
    for (const item of towns.geocode(askFor(`Mühlweg 24, ${tail}`))) {
      assert.equal(item.match_quality, "approximate", `${tail}: ${item.label}`);
      assert.ok(item.explained < 1);
      assert.ok(item.unexplained.length > 0, tail);
    }
  for (const q of ["Mühlweg, 80331", "Mühlweg, 80331 München", "Mühlweg München"])
    assert.match(first(q), /approximate/, q);
  const [own] = towns.geocode(askFor("Mühlweg 24, 31555 Musterheim, Deutschland"));
  assert.equal(own!.match_quality, "rooftop");
  assert.deepEqual(own!.unexplained, []);
  assert.equal(own!.in_named_place, true);
  for (const q of ["Mühlweg 24 in Musterheim", "Mühlweg 24 Apt 3, Musterheim", "Mühlweg 24, DE"])
    assert.match(first(q), /rooftop/, q);
});

test("a postcode does not lead because some address in it has its street for a town", () => {
  const town = { "addr:postcode": "31555" };
  const geocoder = geocoderOf([
    ...TOWNS,
    along(17, 52.217, "Lange Rheinberger Straße"),
    ...[1, 2, 3].map((number) =>
      aHouse(
        120 + number,
        [52.2171, 9.997 + number / 1000],
        "Lange Rheinberger Straße",
        `${number}`,
        {
          ...town,
          "addr:city": number === 1 ? "Lange Rheinberger Straße" : "Musterheim",
        },
      ),
    ),
  ]);
  const firstOf = (q: string): string => shown(geocoder.geocode(askFor(q)))[0] ?? "nothing";
  for (const q of [
    "Lange Rheinberger Straße, 31555 Lange Rheinberger Straße",
    "Lange Rheinberger Straße, 31555 Musterheim",
    "31555, Lange Rheinberger Straße",
  ])
    assert.match(firstOf(q), /^Lange Rheinberger Straße, /, q);
  assert.match(firstOf("31555"), /^31555, /);
});

/** Both sides of a street with letters: what is known, what is asked for, and what it is. */
const LETTERS: readonly (readonly [known: readonly string[], asked: string, answer: RegExp])[] = [
  [["13a"], "13b", /^Weg 13a.*geometric_center/],
  [["10"], "10g", /^Weg 10\b.*geometric_center/],
  [["10a"], "10", /^Weg 10a.*geometric_center/],
  [["13a", "13c"], "13b", /^Weg 13b.*range_interpolated/],
  [["13", "15"], "13b", /^Weg 13b.*range_interpolated/],
  [["13b"], "13b", /^Weg 13b.*rooftop/],
  [["13 B"], "13b", /^Weg 13 B.*rooftop/],
  [["13a-f"], "13d", /^Weg 13a-f.*rooftop/],
  [["13a/b"], "13b", /^Weg 13a\/b.*rooftop/],
  [["12-16"], "14", /^Weg 12-16.*rooftop/],
  [["12", "16"], "14", /^Weg 14.*range_interpolated/],
  [["12", "15"], "14", /^Weg[^0-9]*geometric_center/],
  [["12"], "14", /^Weg[^0-9]*geometric_center/],
  [["7bis"], "7", /^Weg 7bis.*geometric_center/],
  [["7"], "7 bis", /^Weg 7\b.*geometric_center/],
];

test("only the number itself, letter included, is a rooftop", () => {
  for (const [entry, request, answer] of LETTERS) {
    const geocoder = geocoderOf([
      along(10, 52.2, "Weg"),
      ...entry.map((number, i) => aHouse(100 + i, [52.2001, 9.998 + i / 2000], "Weg", number)),
    ]);
    const [item] = shown(geocoder.geocode(askFor(`Weg ${request}`)));
    assert.match(item ?? "nothing", answer, `${entry.join()}: ${request}`);
  }
});

test("letters along a line that says so lie at their part of it", () => {
  const geocoder = geocoderOf([
    aHouse(1, [47, 9], "Weg", "13a"),
    aHouse(2, [47, 9.01], "Weg", "13f"),
    aWay(
      10,
      [
        [47, 9],
        [47, 9.01],
      ],
      { "addr:interpolation": "alphabetic" },
    ),
  ]);
  const [item] = geocoder.geocode(askFor("Weg 13c"));
  assert.deepEqual(
    [item!.address.street_number, item!.match_quality, item!.source_place_id],
    ["13c", "range_interpolated", "W10"],
  );
  assert.ok(Math.abs(item!.location.lon - 9.004) < 1e-6, String(item!.location.lon));
});
