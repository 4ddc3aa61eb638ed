/**
 * `Bahnhofstrasse, 9490` was answered with 9494 Schaan, and `Dorfstrasse 3, Malbun` with nothing: which
 * places a question names was the gazetteer's knowledge alone, so that postcodes, and villages of less
 * than a thousand people, which an imported base has, did not bind.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { askFor, COUNTRY, geocoderOf, shown } from "../support/geocoder.ts";

const geocoder = geocoderOf(COUNTRY);

/** Of Oberwil are 1001 and Moos, of Unterwil 2002. */
const REQUEST: readonly (readonly [q: string, first: string])[] = [
  ["Göttinger Straße 7a, 2002", "2002, Unterwil, Switzerland [approximate]"],
  ["Göttinger Straße, 2002", "2002, Unterwil, Switzerland [approximate]"],
  ["7a Göttinger Straße, 2002", "2002, Unterwil, Switzerland [approximate]"],
  ["Göttinger Straße 7a, CH-2002", "2002, Unterwil, Switzerland [approximate]"],
  ["Dorfstrasse 3, Moos", "Moos, Oberwil, Switzerland [approximate]"],
  ["Göttinger Straße 7a, 1001", "Göttinger Straße 7a, 1001 Oberwil, Switzerland [rooftop]"],
  ["Bahnhofstrasse 3, 2002", "Bahnhofstrasse 3, 2002 Unterwil, Switzerland [rooftop]"],
];

test("what a base alone knows is not overruled by a street or a number", () => {
  for (const [q, first] of REQUEST) {
    const match = shown(geocoder.geocode(askFor(q)));
    assert.equal(match[0], first, q);
    for (const each of match.slice(1)) assert.match(each, /approximate|geometric/, `${q}: ${each}`);
  }
});
