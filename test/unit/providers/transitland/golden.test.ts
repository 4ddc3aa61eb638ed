/** Golden pairs of Transitland. Names and values are invented. */
import { testGoldenPairs } from "../../../support/place-fixtures.ts";
import { read } from "./readers.ts";

const NAMES = [
  ...["whole", "platforms", "dropped-rows", "empty", "bad-parameter", "refused-500"],
  ...["refused-401", "refused-404", "refused-429"],
  ...["malformed-text", "malformed-shape", "malformed-rows"],
];

testGoldenPairs("transitland", NAMES, (wire, trail) => read(wire, trail));
