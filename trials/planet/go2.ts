import { copyFileSync, mkdirSync } from "node:fs";
import { withIds, writePlanet } from "./make-planet.ts";
import { readTowns } from "./large-file.ts";
import { importPaged, readHead, basesOf } from "./paged-import.ts";
import { serveBases } from "./service.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { ask } from "./compare-answers.ts";
const d = "/tmp/hp-dbg"; mkdirSync(d, { recursive: true });
const sources = (await readTowns()).filter((s) => s.file_bytes < 1_200_000).slice(0, 1);
await writePlanet(d + "/t.osm.pbf", withIds(sources.map((source) => ({ source, names: 0, to: source.focus }))));
console.log(await importPaged(d + "/t.osm.pbf", d + "/data", 1_500_000));
const head = await readHead(d + "/data");
const { lat, lon } = sources[0]!.focus;
console.log(lat, lon, head.meta.pages.map((p) => JSON.stringify([p.level, p.cell, p.bytes])).join("\n"));
const T = [`/v1/services/nearby?lat=${lat}&lon=${lon}&radius=300&types=toilets,drinking_water,parking,charging`, `/v1/services/nearby?lat=${lat}&lon=${lon}&radius=1000&types=toilets`, `/v1/nearby?lat=${lat}&lon=${lon}&include=places`, `/v1/walk?from=${lat},${lon}&to=${lat + 0.005},${lon}`, `/v1/reverse-geocode?lat=${lat}&lon=${lon}`,`/v1/reach?lat=${lat}&lon=${lon}&minutes=5&families=toilets`, `/v1/geocode?q=Mannerheimintie`, `/tiles/12/2331/1185.mvt`,`/photon/reverse?lat=${lat}&lon=${lon}`,`/v1/parking/nearby?lat=${lat}&lon=${lon}`];
for (const damaged of [false, true]) {
  if (damaged) {
    const f = basesOf(d + "/data") + "/planet.vbase"; const b = readFileSync(f);
    const n = head.tables.ground.at(Math.round(lat * 1e7), Math.round(lon * 1e7))!; const p = head.meta.pages[n]!;
    b[p.at + (p.bytes >> 1)]! ^= 16; writeFileSync(f, b);
  }
  const s = await serveBases(d + "/data");
  for (const t of T) { const a = await ask(s.ready.url, t); console.log(damaged, t, a.status, a.body.length, a.body.toString().slice(0, 700)); }
  console.log(s.output()); await s.close();
}
