/**
 * Loaded into the program before it starts (`--import`). The first SIGWINCH begins a measurement, the
 * next one ends it and writes the longest stretch of the serving thread to the file named by
 * DENSITY_PROBE.
 */
import { renameSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { Stretches } from "./stretches.ts";

const file = process.env["DENSITY_PROBE"];
if (file !== undefined && isMainThread) listen(file);

function listen(into: string): void {
  const stretches = new Stretches();
  process.on("SIGWINCH", () => {
    if (!stretches.isMeasuring) {
      stretches.begin();
      return;
    }
    writeFileSync(`${into}.new`, JSON.stringify(stretches.end()));
    renameSync(`${into}.new`, into);
  });
}
