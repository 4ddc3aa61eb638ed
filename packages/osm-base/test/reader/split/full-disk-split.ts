/** A split into a folder on a disk that has no room for its runs: what is said, and what stays open. */
import { readdirSync, readlinkSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { attempt, guard } from "#kit/guard.ts";
import { toProblem } from "#kit/run/run-problem.ts";
import { createGeocoderSection } from "../../../geocoder/geocoder-section.ts";
import { openBlobs } from "../../../reader/extract-file.ts";
import { splitExtract } from "../../../reader/split/split-extract.ts";
import { createMapSection } from "../../../tiles/tiles-section.ts";
import { toPbf } from "../../../../../sandbox/pbf/encode.ts";
import { listCountry } from "../../../../../sandbox/pbf/country.ts";

export type FullDiskSplit = { problem: string | null; open: number };

async function play(place: string): Promise<FullDiskSplit> {
  const path = join(place, "country.osm.pbf");
  const folder = join(place, "runs");
  writeFileSync(path, toPbf(listCountry({ quarters: 400 }), { sorted: true }));
  const file = await openBlobs(path);
  const sections = [createGeocoderSection(), createMapSection()];
  const problem = await guard<string | null, string>(
    async () => {
      await splitExtract(file, { folder, page_bytes: 100_000, memory_bytes: 10_000, sections });
      return null;
    },
    (error) => toProblem(error, "extract").problem,
  );
  await file.close();
  const open = readdirSync("/proc/self/fd").filter((fd) =>
    attempt(
      () => readlinkSync(`/proc/self/fd/${fd}`, { encoding: "utf8" }).startsWith(folder),
      () => false,
    ),
  );
  return { problem, open: open.length };
}

if (process.argv[1] === import.meta.filename)
  writeSync(1, JSON.stringify(await play(process.argv[2]!)));
