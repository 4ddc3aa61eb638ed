/** Golden pairs of Navitia. Names and values are invented. */
import { testGoldenPairs } from "../../../support/place-fixtures.ts";
import { read } from "./readers.ts";

const NAMES = [
  ...["whole", "modes", "depths", "dropped-rows", "empty", "no-region", "refused-404"],
  ...["refused-400", "refused-401", "refused-403", "refused-429", "refused-503"],
  ...["malformed-html", "malformed-shape", "malformed-rows"],
];

testGoldenPairs("navitia", NAMES, (wire, trail, { region }) =>
  read(wire, trail, typeof region === "string" ? region : null),
);
