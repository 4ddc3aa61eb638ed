/** Golden pairs of Transitland. Names and values are invented. */
import { testGoldenPairs } from "../../../support/place-fixtures.ts";
import { read, readBoards } from "./readers.ts";

const NAMES = [
  ...["whole", "platforms", "dropped-rows", "empty", "bad-parameter", "refused-500"],
  ...["refused-401", "refused-404", "refused-429"],
  ...["malformed-text", "malformed-shape", "malformed-rows"],
];
const DEPARTURES = [
  ...["departures", "departures-dropped-rows", "departures-empty", "departures-unknown-stop"],
  ...["departures-shape", "departures-refused"],
];

testGoldenPairs("transitland", [...NAMES, ...DEPARTURES], (wire, trail, _fixture, name) =>
  DEPARTURES.includes(name) ? readBoards(wire, trail) : read(wire, trail),
);
