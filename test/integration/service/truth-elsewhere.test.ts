/** The service says exactly what is there, in the world of the last seed and of three that were never used before. */
import { randomInt } from "node:crypto";
import { sized } from "../../support/size.ts";
import { testTruth } from "./truth-tests.ts";

const DRAWN = Array.from({ length: sized(0, 3) }, () => randomInt(2 ** 32));
for (const seed of [4_294_967_295, ...DRAWN]) testTruth(seed);
