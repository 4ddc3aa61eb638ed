/** Golden pairs of InPost. Names and values are invented. */
import { testGoldenPairs } from "../../../support/place-fixtures.ts";
import { read } from "./readers.ts";

const NAMES = [
  ...["whole", "names", "hours", "unknown-members", "dropped-rows", "empty", "malformed-items"],
  ...["malformed-html", "wrong-shape-rows", "refused-400", "refused-404", "refused-403"],
];

testGoldenPairs("inpost", NAMES, read);
