/**
 * What pages cost: the same extract of real towns as a base of one page and of many. The import of each,
 * and then the same circles and names of both services in alternating rounds, warm. Figures are
 * processor time, which a busy machine changes less, and ratios to the base of one page.
 */
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { createDice } from "../trials/dice.ts";
import { drawObjects, type DrawnObjects } from "../trials/planet/drawn-objects.ts";
import { temporaryFolder } from "../trials/planet/folders.ts";
import { listCopies, readTowns } from "../trials/planet/large-file.ts";
import { readProcess } from "../trials/planet/machine.ts";
import { writePlanet } from "../trials/planet/make-planet.ts";
import { readHead, WHOLE_BYTES } from "../trials/planet/paged-import.ts";
import { serveBases, type Served } from "../trials/planet/service.ts";
import { median, print, spread } from "./children.ts";

const MB = 1e6;
const IMPORT = new URL("../trials/planet/import-child.ts", import.meta.url).pathname;
const QUESTIONS = 400;
/** Bytes of a packed base for one of its extract. */
const PACKED = 3.5;

type Side = { name: string; data_dir: string; import_s: number[]; pages: number };

export async function measurePages({
  pages,
  rounds,
}: {
  pages: number;
  rounds: number;
}): Promise<void> {
  const folder = temporaryFolder();
  const extract = join(folder, "towns.osm.pbf");
  const towns = await readTowns();
  const size = towns.reduce((sum, { file_bytes }) => sum + file_bytes, 0);
  await writePlanet(extract, listCopies(towns, size));
  const bytes = statSync(extract).size;
  const sides: Side[] = ["one", "many"].map((name) => ({
    ...{ name, data_dir: join(folder, name), import_s: [], pages: 1 },
  }));
  for (let round = 0; round < rounds; round++)
    for (const side of sides) {
      const page_bytes = side.name === "one" ? WHOLE_BYTES : Math.ceil((PACKED * bytes) / pages);
      const argv = [IMPORT, extract, side.data_dir, String(page_bytes)];
      side.import_s.push(Number(execFileSync(process.execPath, argv, { encoding: "utf8" })));
      side.pages = (await readHead(side.data_dir)).meta.pages.length;
    }
  const [one, many] = sides as [Side, Side];
  print(`\nextract of ${(bytes / MB).toFixed(1)} MB, ${one.pages} page and ${many.pages}`);
  const ratios = many.import_s.map((seconds, i) => seconds / one.import_s[i]!);
  print(
    `  import, processor time: ${median(one.import_s).toFixed(1)} s, ${median(many.import_s).toFixed(1)} s, ratio ${spread(ratios)}`,
  );
  const services: Served[] = [];
  for (const { data_dir } of sides) services.push(await serveBases(data_dir));
  const objects = await drawObjects(extract);
  for (const [what, targets] of Object.entries(listTargets(objects))) {
    for (const service of services) await costOf(service, targets);
    const costs: number[][] = [[], []];
    for (let round = 0; round < rounds; round++)
      for (const [i, service] of services.entries()) costs[i]!.push(await costOf(service, targets));
    const [first, second] = costs as [number[], number[]];
    print(
      `  ${what}, processor time: ${median(first).toFixed(0)} µs, ${median(second).toFixed(0)} µs, ratio ${spread(second.map((cost, i) => cost / first[i]!))}`,
    );
  }
  for (const service of services) await service.close();
}

function listTargets({ points, addresses, streets }: DrawnObjects): Record<string, string[]> {
  const dice = createDice(3);
  const list = (make: () => string): string[] => Array.from({ length: QUESTIONS }, make);
  return {
    "a circle of services": list(() => {
      const { lat, lon } = dice.pick(points);
      return `/v1/services/nearby?lat=${lat}&lon=${lon}&radius=400&types=toilets,drinking_water,parking`;
    }),
    "an address": list(() => {
      const { tags } = dice.pick(addresses);
      return nameTarget(`${tags.get("addr:street") ?? ""} ${tags.get("addr:housenumber")}`);
    }),
    "a street": list(() => nameTarget(dice.pick(streets).tags.get("name")!)),
  };
}

const nameTarget = (text: string): string =>
  `/v1/place-search?q=${encodeURIComponent(text.trim().slice(0, 150))}`;

/** Microseconds of processor time that a question takes of the whole service. */
async function costOf({ pid, ready }: Served, targets: readonly string[]): Promise<number> {
  const before = readProcess(pid)!.cpu_s;
  for (const target of targets) await (await fetch(ready.url + target)).arrayBuffer();
  return ((readProcess(pid)!.cpu_s - before) / targets.length) * 1e6;
}
