/** Golden pairs of Navitia. Names and values are invented. */
import { testGoldenPairs } from "../../../support/place-fixtures.ts";
import type { BoardQuery } from "#providers/transit-departures.ts";
import { read, readBoards } from "./readers.ts";

const NAMES = [
  ...["whole", "depths", "dropped-rows", "empty", "no-region", "refused-404"],
  ...["refused-400", "refused-401", "refused-403", "refused-429", "refused-503"],
  ...["malformed-html", "malformed-shape", "malformed-rows"],
];
const DEPARTURES = [
  ...["departures-whole", "departures-arrivals", "departures-dropped-rows"],
  ...["departures-time-zones", "departures-empty", "departures-no-stops", "departures-no-region"],
  ...["departures-gone", "departures-shape", "departures-other-rows"],
];

testGoldenPairs("navitia", [...NAMES, ...DEPARTURES], (wire, trail, fixture, name) => {
  const region = typeof fixture["region"] === "string" ? fixture["region"] : null;
  if (!DEPARTURES.includes(name)) return read(wire, trail, region);
  const query = fixture["query"] as Partial<BoardQuery> | undefined;
  return readBoards(wire, trail, { ...query, region });
});
