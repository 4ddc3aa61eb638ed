/** The service says exactly what is there, in the world that is shipped. */
import { testTruth } from "./truth-tests.ts";

testTruth(1);
