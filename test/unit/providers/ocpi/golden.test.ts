/** Golden pairs of OCPI, with the traps of real feeds (places.md 7.2). Names and values are invented. */
import { testGoldenPairs } from "../../../support/place-fixtures.ts";
import { openAll } from "./readers.ts";

const NAMES = [
  ...["whole", "alternatives", "unknown-status", "removed-evses", "without-connectors", "powers"],
  ...["version-2-1-1", "nulls", "hours", "dropped-rows", "bare-array-with-bom"],
  ...["without-status-code", "empty", "malformed-cut-off", "failed-2001", "failed-3000"],
  ...["without-data", "another-module"],
];

testGoldenPairs("ocpi", NAMES, ({ body }, trail) => openAll(body, trail));
