import assert from "node:assert/strict";
import { test } from "node:test";
import type { RelationFeature } from "../../base/base-features.ts";
import { createGeocoderSection } from "../../geocoder/geocoder-section.ts";
import {
  aHouse,
  anArea,
  aNode,
  aStreet,
  aWay,
  askFor,
  COUNTRY,
  geocoderOf,
  openSection,
  shown,
} from "../../../../test/support/geocoder.ts";

const geocoder = geocoderOf(COUNTRY);
const first = (q: string, change = {}): string =>
  shown(geocoder.geocode(askFor(q, change)))[0] ?? "nothing";

const IN_OBERWIL = "1001 Oberwil, Switzerland";
const ANSWERS: readonly (readonly [q: string, answer: string])[] = [
  ["Bahnhofstrasse 6, 1001 Oberwil", `Bahnhofstrasse 6, ${IN_OBERWIL} [rooftop]`],
  ["6 Bahnhofstrasse Oberwil", `Bahnhofstrasse 6, ${IN_OBERWIL} [rooftop]`],
  ["Bahnhofstrasse 3, Unterwil", "Bahnhofstrasse 3, 2002 Unterwil, Switzerland [rooftop]"],
  ["Bahnhofstr. 3, Unterwil", "Bahnhofstrasse 3, 2002 Unterwil, Switzerland [rooftop]"],
  ["Bahnhof Str 3 Unterwil", "Bahnhofstrasse 3, 2002 Unterwil, Switzerland [rooftop]"],
  ["Banhofstrasse 3 2002 Unterwil", "Bahnhofstrasse 3, 2002 Unterwil, Switzerland [rooftop]"],
  ["Bahnhofstrsse 3 2002 Unterwil", "Bahnhofstrasse 3, 2002 Unterwil, Switzerland [rooftop]"],
  ["bahnhofstrasse 3 untrewil", "Bahnhofstrasse 3, 2002 Unterwil, Switzerland [rooftop]"],
  ["Bahnhofstrasse, Oberwil", `Bahnhofstrasse, ${IN_OBERWIL} [geometric_center]`],
  ["Bahnhofstrasse 8, Oberwil", `Bahnhofstrasse 8, ${IN_OBERWIL} [range_interpolated]`],
  ["Bahnhofstrasse 999, Oberwil", `Bahnhofstrasse, ${IN_OBERWIL} [geometric_center]`],
  ["Goettinger Strasse 7a", `Göttinger Straße 7a, ${IN_OBERWIL} [rooftop]`],
  ["gottingerstr 7 a", `Göttinger Straße 7a, ${IN_OBERWIL} [rooftop]`],
  ["Göttinger Straße 14", `Göttinger Straße 12-16, ${IN_OBERWIL} [rooftop]`],
  ["Göttinger Straße 5", `Göttinger Straße 3;5, ${IN_OBERWIL} [rooftop]`],
  ["215-12 91st Ave", "91st Avenue 215-12, 1001 Oberwil, Switzerland [rooftop]"],
  ["215-14 91 Avenue", "91st Avenue 215-14, 1001 Oberwil, Switzerland [range_interpolated]"],
  ["Rue St Jean", "Rue Saint-Jean, 1001 Oberwil, Switzerland [geometric_center]"],
  ["Moos 4", "Moos 4, Oberwil, Switzerland [rooftop]"],
  ["Unterwil", "Unterwil, 2002, Switzerland [approximate]"],
  ["Hauteville", `Oberwil, 1001, Switzerland [approximate]`],
  ["1001", `1001, Oberwil, Switzerland [approximate]`],
  ["cafe de l etoile", `Café de l'Étoile, Bahnhofstrasse 6, ${IN_OBERWIL} [rooftop]`],
  ["東京", "東京食堂, Oberwil, Switzerland [rooftop]"],
  ["qqqqqqqq", "nothing"],
];

test("addresses, streets, places and things are found as they are written", () => {
  for (const [q, answer] of ANSWERS) assert.equal(first(q), answer, q);
});

test("an answer has the object, its kind and its parts", () => {
  const [item] = geocoder.geocode(askFor("Bahnhofstrasse 6, Oberwil"));
  assert.equal(item!.type, "address");
  assert.equal(item!.source_place_id, "N102");
  assert.deepEqual(item!.location, { lat: 47.1501, lon: 9.052 });
  assert.deepEqual(item!.address, {
    formatted: item!.label,
    ...{ street: "Bahnhofstrasse", street_number: "6", city: "Oberwil", postal_code: "1001" },
    ...{ region: null, country: "Switzerland" },
  });
  const [station] = geocoder.geocode(askFor("Oberwil Bahnhof"));
  assert.deepEqual(
    [station!.type, station!.osm_key, station!.osm_value],
    ["railway_station", "railway", "station"],
  );
});

test("names are shown in the language that is asked for", () => {
  assert.equal(first("Oberwil", { language: "fr-CH" }), "Hauteville, 1001, Suisse [approximate]");
});

test("a country is a filter, and a point is none", () => {
  assert.equal(first("Bahnhofstrasse", { country: "CH" }).length > 0, true);
  assert.equal(first("Bahnhofstrasse", { country: "FR" }), "nothing");
  const near = { lat: 47.05, lon: 9.05 };
  assert.match(first("Bahnhofstrasse", { near }), /Unterwil/);
  assert.match(first("Bahnhofstrasse", { near: { lat: 47.15, lon: 9.05 } }), /Oberwil/);
  assert.match(first("Bahnhofstrasse Oberwil", { near }), /Oberwil/);
});

test("numbers between two numbered ends of a line lie at their part of its length", () => {
  const street = "Langgasse";
  const own_geocoder = geocoderOf([
    aHouse(1, [47, 9], street, "2"),
    aHouse(2, [47, 9.01], street, "12"),
    aWay(
      10,
      [
        [47, 9],
        [47, 9.002],
        [47, 9.01],
      ],
      { "addr:interpolation": "even" },
    ),
    aStreet(11, 47.0001, [9, 9.01], street),
  ]);
  const [item] = own_geocoder.geocode(askFor("Langgasse 8"));
  assert.equal(item!.match_quality, "range_interpolated");
  assert.equal(item!.source_place_id, "W10");
  assert.ok(Math.abs(item!.location.lon - 9.006) < 1e-6, String(item!.location.lon));
});

test("rows of addresses and of places are searched like a map", () => {
  const section = createGeocoderSection({ countryAt: () => "FR" });
  section.addAddresses([
    {
      lat: 43.6,
      lon: 1.44,
      street: "AV DU GENERAL DE GAULLE",
      number: "12",
      city: "Toulouse",
      postcode: "31000",
    },
    {
      lat: 43.601,
      lon: 1.44,
      street: "AV DU GENERAL DE GAULLE",
      number: "14",
      city: "Toulouse",
      postcode: "31000",
    },
  ]);
  section.addPlaces([
    {
      id: 7,
      lat: 45.76,
      lon: 4.84,
      name: "Lyon",
      names: { it: "Lione" },
      country: "FR",
      region: "Rhône",
      population: 500_000,
      kind: "city",
    },
    {
      id: 8,
      lat: 40,
      lon: -90,
      name: "Lyon",
      country: "US",
      region: "Ohio",
      population: 500,
      kind: "village",
    },
  ]);
  const own_section = openSection(section);
  const [house] = own_section.geocode(askFor("12 avenue du Gal de Gaulle Toulouse"));
  assert.equal(house!.label, "AV DU GENERAL DE GAULLE 12, 31000 Toulouse, France");
  assert.equal(house!.source_place_id, null);
  assert.deepEqual(shown(own_section.geocode(askFor("Lyon"))), [
    "Lyon, Rhône, France [approximate]",
    "Lyon, Ohio, United States [approximate]",
  ]);
  assert.equal(own_section.geocode(askFor("Lyon, Ohio"))[0]!.address.country, "United States");
  assert.equal(own_section.geocode(askFor("Lione"))[0]!.address.region, "Rhône");
});

test("houses of a street relation are on that street, and shapes that are not closed are no areas", () => {
  const relation: RelationFeature = {
    ...{ type: "relation", id: 50, rings: [], whole: true, box: null },
    tags: new Map([
      ["type", "associatedStreet"],
      ["name", "Via Roma"],
    ]),
    members: [{ type: "node", id: 1, role: "house" }],
  };
  const cut: RelationFeature = {
    ...anArea(51, [46, 8, 48, 10], { boundary: "administrative", admin_level: "8", name: "Weit" }),
    rings: [],
    whole: false,
  };
  const own_geocoder = geocoderOf([
    aNode(1, [47, 9], { "addr:housenumber": "5" }),
    aNode(2, [47.001, 9], { place: "village", name: "Borgo" }),
    aStreet(10, 47.0001, [9, 9.01], "Via Roma"),
    relation,
    cut,
  ]);
  assert.equal(own_geocoder.geocode(askFor("via roma 5"))[0]!.label, "Via Roma 5, Borgo");
});

test("texts of the map are shown without what cannot be seen", () => {
  const hidden = "\u{e0041}\u{e0042}";
  const hostile = geocoderOf([
    aNode(1, [47.1, 9.1], { amenity: "cafe", name: `Trinity  \u200bCocktail${hidden} Club\u202e` }),
    aHouse(2, [47.1001, 9.1001], `Rue\u0000 du Puits${hidden}`, "4"),
  ]);
  const ask = (q: string) => hostile.search(askFor(q));
  assert.equal(ask("Trinity Cocktail Club")[0]?.name, "Trinity Cocktail Club");
  assert.equal(ask("4 rue du puits")[0]?.address.street, "Rue du Puits");
});
