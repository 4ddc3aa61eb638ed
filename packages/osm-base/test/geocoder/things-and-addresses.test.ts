/**
 * The number of a thing is that of its own street (decisions, Named places bind): `12 avenue Princesse
 * Grace, Monaco` was the theatre of that name, at number 12 of another street, `rooftop`.
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

const street = (id: number, lat: number, name: string): Feature =>
  aStreet(id, lat, [7.4, 7.41], name);
const at = (addr_street: string, number: string) => ({
  "addr:street": addr_street,
  "addr:housenumber": number,
});

const TOWN: readonly Feature[] = [
  anArea(900, [43.7, 7.3, 43.8, 7.5], {
    ...{ boundary: "administrative", admin_level: "8", name: "Monte" },
  }),
  street(10, 43.74, "Avenue Princesse Grace"),
  street(11, 43.735, "Avenue d'Ostende"),
  street(12, 43.73, "Bahnhofstrasse"),
  street(13, 43.725, "Avenue Princesse Alice"),
  street(14, 43.72, "Rue du 11 Novembre"),
  // Others with words of these, so that the words are as common as elsewhere.
  ...["Avenue de la Costa", "Avenue Prince Pierre", "Avenue Saint-Michel", "Rue Grimaldi"].map(
    (name, i) => street(15 + i, 43.71 + i * 0.001, name),
  ),
  aHouse(30, [43.7401, 7.401], "Avenue Princesse Grace", "31"),
  aHouse(31, [43.7301, 7.401], "Bahnhofstrasse", "3"),
  aHouse(32, [43.7301, 7.402], "Bahnhofstrasse", "7"),
  aNode(40, [43.7351, 7.405], {
    ...{ amenity: "theatre", name: "Théâtre Princesse Grace", ...at("Avenue d'Ostende", "12") },
  }),
  aNode(41, [43.7251, 7.405], {
    ...{ amenity: "bar", name: "Grace Bar", ...at("Avenue Princesse Alice", "14") },
  }),
  aNode(42, [43.7302, 7.4021], { shop: "bakery", name: "Sonne", ...at("Bahnhofstrasse", "7") }),
  aNode(43, [43.7253, 7.406], {
    ...{ shop: "kiosk", name: "Bahnhof", ...at("Avenue Princesse Alice", "5") },
  }),
  aNode(44, [43.7201, 7.405], {
    ...{ shop: "books", name: "Princesse", ...at("Rue du 11 Novembre", "16") },
  }),
  aNode(45, [43.7403, 7.405], { tourism: "artwork", name: "Princesse Grace" }),
  aNode(46, [43.7402, 7.4012], {
    ...{ amenity: "restaurant", name: "Avenue 31", ...at("Avenue Princesse Grace", "31") },
  }),
];
const town = geocoderOf(TOWN);

const ask = (q: string): [first: string | undefined, quality: string | undefined] => {
  const [item] = town.geocode(askFor(q));
  return [item?.name, item?.match_quality];
};

/** The street goes first where the number is none of its, whatever things are called like it. */
const STREETS: readonly [q: string, name: string, quality: string][] = [
  ["12 avenue Princesse Grace, Monte", "Avenue Princesse Grace", "geometric_center"],
  ["Avenue Princesse Grace 12", "Avenue Princesse Grace", "geometric_center"],
  ["14 avenue Princesse Grace, Monte", "Avenue Princesse Grace", "geometric_center"],
  ["16 avenue Princesse Grace", "Avenue Princesse Grace", "geometric_center"],
  ["avenue Princesse Grace, Monte", "Avenue Princesse Grace", "geometric_center"],
  ["5 Bahnhofstrasse, Monte", "Bahnhofstrasse 5", "range_interpolated"],
  ["Bahnhofstrasse 7", "Bahnhofstrasse 7", "rooftop"],
  ["31 avenue Princesse Grace", "Avenue Princesse Grace 31", "rooftop"],
  ["12 avenue d'Ostende, Monte", "Avenue d'Ostende 12", "rooftop"],
];

test("an address is that of its street before a thing whose name has its words", () => {
  for (const [q, name, quality] of STREETS) assert.deepEqual(ask(q), [name, quality], q);
});

/** A thing that is asked for by what it is called, with or without where it is. */
const THINGS: readonly [q: string, name: string, quality: string][] = [
  ["Théâtre Princesse Grace", "Théâtre Princesse Grace", "rooftop"],
  ["Theatre Princesse Grace, 12 avenue d'Ostende", "Théâtre Princesse Grace", "rooftop"],
  ["Théâtre Princesse Grace 12", "Théâtre Princesse Grace", "rooftop"],
  ["Grace Bar, 14 avenue Princesse Alice, Monte", "Grace Bar", "rooftop"],
  ["Sonne Bahnhofstrasse 7", "Sonne", "rooftop"],
  ["Sonne, Bahnhofstr.", "Sonne", "rooftop"],
  ["Princesse Grace", "Princesse Grace", "rooftop"],
  // Its number is another one.
  ["Théâtre Princesse Grace 14", "Théâtre Princesse Grace", "approximate"],
  ["Grace Bar, 12 avenue Princesse Alice", "Grace Bar", "approximate"],
];

test("a thing is a rooftop where it is asked for, or its own address is", () => {
  for (const [q, name, quality] of THINGS) assert.deepEqual(ask(q), [name, quality], q);
});

test("a thing that merely has words of the question, or is on the street, is no rooftop", () => {
  for (const q of [
    ...["12 avenue Princesse Grace", "14 avenue Princesse Grace", "16 avenue Princesse Grace"],
    ...["avenue Princesse Grace", "avenue Princesse Grace, Monte", "16 rue Princesse Grace"],
    ...["Avenue Princesse Alice", "Bahnhofstrasse", "Avenue d'Ostende", "5 Bahnhofstrasse"],
  ])
    for (const limit of [1, 5, 10])
      for (const { name, match_quality } of town.geocode(askFor(q, { limit })))
        assert.notEqual(match_quality, "rooftop", `${q}: ${name}`);
});
