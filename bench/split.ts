/**
 * `npm run bench -- split FILE.osm.pbf [--page-mb 64] [--memory-mb 512]`: what it takes to split an
 * extract into runs of its pages: time, processor time, the most memory and disk, and how much the runs
 * are together.
 */
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { detach } from "#kit/guard.ts";
import { openBlobs, splitExtract } from "#osm/imports.ts";
import { createSections } from "#main/bases/sections.ts";
import { print } from "./children.ts";

const MB = 1e6;
const SAMPLE_MS = 500;

const { values: options, positionals } = parseArgs({
  options: {
    "page-mb": { type: "string", default: "64" },
    "memory-mb": { type: "string", default: "512" },
  },
  allowPositionals: true,
});
const [path] = positionals;
if (path === undefined) print("NO EXTRACT: name a file");
else await measure(path);

async function measure(of: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "split-"));
  let most_disk = 0;
  const timer = setInterval(() => {
    const note = sizeOf(folder).then((bytes) => (most_disk = Math.max(most_disk, bytes)));
    // The last one may find the folder gone.
    detach(note, () => undefined);
  }, SAMPLE_MS);
  try {
    const file = await openBlobs(of);
    const [begun_ms, begun] = [performance.now(), process.cpuUsage()];
    const { runs, summary } = await splitExtract(file, {
      folder,
      page_bytes: Number(options["page-mb"]) * MB,
      memory_bytes: Number(options["memory-mb"]) * MB,
      sections: createSections(),
    });
    const seconds = (performance.now() - begun_ms) / 1000;
    const { user, system } = process.cpuUsage(begun);
    const cpu_s = (user + system) / MB;
    const run_bytes = runs.reduce((sum, { bytes }) => sum + bytes, 0);
    const disk = Math.max(most_disk, await sizeOf(folder));
    await file.close();
    print(
      [
        `${(file.size / MB).toFixed(1)} MB, ${summary.counts.nodes} nodes, ${runs.length} runs`,
        `${seconds.toFixed(1)} s, ${(file.size / MB / seconds).toFixed(1)} MB/s`,
        `${cpu_s.toFixed(1)} s of processor, ${(file.size / MB / cpu_s).toFixed(1)} MB a second of it`,
        `${Math.round(process.resourceUsage().maxRSS / 1024)} MiB resident at most`,
        `runs ${(run_bytes / file.size).toFixed(2)} times the file, disk ${(disk / file.size).toFixed(2)}`,
      ].join("; "),
    );
  } finally {
    clearInterval(timer);
    await rm(folder, { recursive: true });
  }
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
