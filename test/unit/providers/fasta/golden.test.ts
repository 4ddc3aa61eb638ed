/** What the register of lifts answers, whole and broken, and what is made of it. Values are invented. */
import { testGoldenPairs } from "../../../support/place-fixtures.ts";
import { read } from "./readers.ts";

const NAMES = [
  ...["whole", "dirty", "empty", "other-rows", "wrong-shape", "cut-off"],
  ...["refused-401", "refused-429"],
];

testGoldenPairs("fasta", NAMES, read);
