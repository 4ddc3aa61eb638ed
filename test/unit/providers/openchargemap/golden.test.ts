/** Golden pairs of Open Charge Map. Names and values are invented. */
import { testGoldenPairs } from "../../../support/place-fixtures.ts";
import { read } from "./readers.ts";

const NAMES = [
  ...["whole", "live", "live-in-part", "live-without-quantity", "all-out-of-service", "powers"],
  ...["nulls", "gone-connections", "licences", "dropped-rows", "empty", "malformed-text"],
  ...["wrong-shape-object", "refused-403", "failed-502"],
];

testGoldenPairs("openchargemap", NAMES, read);
