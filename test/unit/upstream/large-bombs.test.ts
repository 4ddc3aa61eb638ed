/** The bombs of bombs.test.ts that are met late: by a bound of many megabytes, or of a million parts. */
import { gzipSync } from "node:zlib";
import { frame, toPbf } from "../../../sandbox/pbf/encode.ts";
import { RATIO, repeat, ROW, testBombs } from "./bombs.ts";

testBombs({
  "many parts, each below the bounds": [
    ["addresses", () => repeat(gzipSync(ROW.repeat(32)), 50), RATIO, "x.csv.gz"],
    [
      "extract",
      () =>
        Buffer.concat([
          toPbf([]),
          repeat(Buffer.concat([...frame("OSMData", new Uint8Array(0))]), 1_000_000),
        ]),
      /: more than 1000000 blocks/,
    ],
  ],
});
