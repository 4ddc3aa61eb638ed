/**
 * `Bahnhofstrasse 10, 80331 München, Germany`, asked of a base of Liechtenstein, was answered
 * `Bahnhofstrasse 10, Schaan`, `rooftop`: 98 of 100 streets and numbers with a town that is elsewhere.
 * A candidate had to explain two fifths of the question only, and nothing looked at the rest.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { askFor, COUNTRY, geocoderOf } from "../support/geocoder.ts";

const geocoder = geocoderOf(COUNTRY);
const STREETS = ["Bahnhofstrasse 4", "6 Bahnhofstrasse", "Göttinger Straße 7a", "Moos 4"];
const TOWNS = [
  ...["80331 München, Germany", "München", "80331", "Wien", "Unterhausen", "75001 Paris, France"],
  ...["Oxford OX1 2JD", "Springfield, Illinois", "Kraków, Polska"],
];

test("a house is no rooftop where the question names another town, postcode or country", () => {
  for (const street of STREETS)
    for (const town of TOWNS)
      for (const item of geocoder.geocode(askFor(`${street}, ${town}`)))
        assert.equal(item.match_quality, "approximate", `${street}, ${town}: ${item.label}`);
});
