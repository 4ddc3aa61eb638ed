/**
 * npm run bench -- pictures: processor time and size of the picture of a link, with the tiles of a
 * simulated city and on the plain ground, the first of the process and the ones after it.
 */
import { drawCard, tilesAround, TILE_ZOOM, type CardTile } from "#core/picture/share-card.ts";
import { toPng } from "#http/pages/png.ts";
import { createFolder, removeFolder, start } from "../test/integration/service/support.ts";
import { median } from "./children.ts";

const AT = { lat: 48.8566, lon: 2.3522 };
const LATER = 20;
const TEXTS = {
  names: ["Rue de l'Étoile-Filante"],
  counts: ["10 bikes", "3 docks"],
  time: "2026-11-28 14:05",
};

const tiles = await readTiles();
await measure(`with ${tiles.length} tiles`, tiles);
await measure("on the plain ground", []);

/** Tiles of the simulated base; the service ends before anything is measured. */
async function readTiles(): Promise<CardTile[]> {
  const data_dir = await createFolder();
  const { service } = await start({ data_dir, base: true, cities: "paris" });
  const read: CardTile[] = [];
  for (const { x, y, corner } of tilesAround(AT.lat, AT.lon)) {
    const reply = await fetch(`${service.url}/tiles/${TILE_ZOOM}/${x}/${y}.mvt`);
    const bytes = new Uint8Array(await reply.arrayBuffer());
    if (reply.status === 200 && bytes.length > 0) read.push({ bytes, corner });
  }
  await service.close({ delay_ms: 0 });
  await removeFolder(data_dir);
  return read;
}

async function measure(what: string, of: readonly CardTile[]): Promise<void> {
  const attribution = of.length > 0 ? "© OpenStreetMap contributors" : null;
  const costs_ms: number[] = [];
  let bytes = 0;
  for (let n = 0; n <= LATER; n += 1) {
    const before = process.cpuUsage();
    const png = await toPng(finish({ ...TEXTS, attribution }, of));
    const { user, system } = process.cpuUsage(before);
    costs_ms.push((user + system) / 1_000);
    bytes = png.length;
  }
  const [first = 0, ...later] = costs_ms.map((ms) => Math.round(ms));
  const size = Math.round(bytes / 1_000);
  console.log(`${what}: first ${first} ms, later ${median(later)} ms (processor), ${size} kB`);
}

function finish(...given: Parameters<typeof drawCard>) {
  const steps = drawCard(...given);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
