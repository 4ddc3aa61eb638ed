/** The banner printed at the start is true of a world that is not the shipped one. */
import { testBanner } from "./banner-tests.ts";

testBanner("77");
