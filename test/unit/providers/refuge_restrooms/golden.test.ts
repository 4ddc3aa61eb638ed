/** Golden pairs of Refuge Restrooms. Names and values are invented. */
import { testGoldenPairs } from "../../../support/place-fixtures.ts";
import { read } from "./readers.ts";

const NAMES = [
  ...["whole", "unknown-members", "zero-votes-and-texts", "dropped-rows", "empty"],
  ...["malformed-cut-off", "wrong-shape-object", "wrong-shape-rows", "refused-400", "failed-503"],
];

testGoldenPairs("refuge_restrooms", NAMES, read);
