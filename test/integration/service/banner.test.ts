/** The banner printed at the start is true; banner-elsewhere.test.ts has another world. */
import { testBanner } from "./banner-tests.ts";

testBanner("1");
