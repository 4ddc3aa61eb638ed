/**
 * The measured process of bench/base-services.ts: the production service over one imported base, and
 * in the same process the floor, a bare node:http server that sends the same bytes.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnv } from "#config/env.ts";
import { loadConfig } from "#config/load.ts";
import { Budget } from "#kit/budget.ts";
import { createBaseStore } from "#storage/base-files.ts";
import { importBase } from "#osm/index.ts";
import { openBase } from "#upstream/bases/open-bases.ts";
import { createSections } from "../src/main/bases/sections.ts";
import { startService } from "../src/main/service.ts";
import { Stretches } from "../trials/density/stretches.ts";
import { displayNameOf } from "#core/places/place-naming.ts";
import type { Place } from "#core/places/place.ts";
import { placeId } from "#core/places/place-results.ts";
import type { Item } from "./peers/nearby-items.ts";
import { createRng } from "./world.ts";

export type BaseCommand =
  | { kind: "points"; count: number }
  | { kind: "items" }
  | { kind: "floor"; paths: string[] }
  | { kind: "reset" }
  | { kind: "read" }
  | { kind: "begin" }
  | { kind: "end" };
export type BasePorts = { port: number; floor_port: number };

const TYPES = "toilets,drinking_water,fountain,aed,wifi,parking,charging";
const RADIUS_M = 400;
/** As far as this from a service, so that most circles hold some. */
const REACH_DEGREES = 0.004;

const [extract = "", register = ""] = process.argv.slice(2);
const data_dir = mkdtempSync(join(tmpdir(), "vicinity-bench-"));
const sections = createSections();
const made = await importBase(extract, { id: "bench", region: null, now_ms: Date.now(), sections });
if (!made.ok) throw new Error(made.problem);
await createBaseStore(join(data_dir, "live", "bases")).put("bench", made.pack);
const base = openBase(made.pack)!;

const settings = {
  egress: { allow_private: true },
  sources: {
    maps: { adapter: "openstreetmap" },
    openbase: { gazetteer: false },
    ...(register !== "" && {
      registers: [{ id: "register", shape: "parkapi", name: "Register", url: register }],
    }),
  },
  explorer: { enabled: false },
};
const file = join(data_dir, "vicinity.json");
writeFileSync(file, JSON.stringify(settings));
const env = readEnv({
  ...{ PORT: "0", ADMIN_PORT: "0", LOG_LEVEL: "silent", VICINITY_DATA_DIR: data_dir },
  ...{ VICINITY_CONTACT: "bench@example.org", VICINITY_ENFORCE_LIMITS: "0" },
});
if (!env.ok) throw new Error(env.message);
const config = loadConfig({ mode: "live", env: env.value, file });
if (!config.ok) throw new Error(config.message);
const service = await startService({ config: config.value, env: env.value, version: "bench" });
if ("problem" in service) throw new Error(service.problem);
const { url } = service;
await service.tried();

let head: string[] = [];
let body: Buffer = Buffer.alloc(0);
const floor = createServer((_request, response) => {
  response.writeHead(200, head);
  response.end(body);
});
await new Promise<void>((resolve) => void floor.listen(0, "127.0.0.1", resolve));
let thread = process.threadCpuUsage();
const stretches = new Stretches();

process.on("message", (command: BaseCommand) => {
  void handle(command).then((answer) => process.send!(answer));
});
const { port: floor_port } = floor.address() as AddressInfo;
process.send!({ port: Number(new URL(url).port), floor_port } satisfies BasePorts);

async function handle(command: BaseCommand): Promise<unknown> {
  switch (command.kind) {
    case "points":
      return pointsOf(command.count);
    case "items":
      return listServices().map(toItem);
    case "floor":
      return await prepareFloor(command.paths);
    case "reset":
      thread = process.threadCpuUsage();
      return null;
    case "read": {
      const { user, system } = process.threadCpuUsage(thread);
      return (user + system) / 1e6;
    }
    case "begin":
      stretches.begin();
      return null;
    case "end":
      return stretches.end();
  }
}

/** Different points every one, near services and inside the base. */
function pointsOf(count: number): string[] {
  const rng = createRng(7);
  const places = listServices();
  if (places.length === 0) throw new Error("the extract has no services");
  const paths: string[] = [];
  for (let tries = 0; paths.length < count && tries < 100 * count; tries++) {
    const near = places[Math.floor(rng() * places.length)]!;
    const lat = near.lat + (rng() - 0.5) * 2 * REACH_DEGREES;
    const lon = near.lon + (rng() - 0.5) * 2 * REACH_DEGREES;
    if (!base.coversCircle({ lat, lon, radius_m: RADIUS_M })) continue;
    const at = `lat=${lat.toFixed(6)}&lon=${lon.toFixed(6)}`;
    paths.push(`/v1/services/nearby?${at}&radius=${RADIUS_M}&types=${TYPES}`);
  }
  return paths;
}

function listServices(): Place[] {
  const kinds = ["toilets", "water", "parking", "charging", "wifi", "aed"] as const;
  const whole = { lat: 0, lon: 0, radius_m: 2e7 };
  const budget = new Budget({ looks: Infinity, keeps: Infinity });
  return Array.from(base.search(kinds, whole, { budget }), ({ place }) => place);
}

/** A service as the text that a database would keep of it: without what the hour makes of it. */
function toItem(place: Place, id: number): Item {
  const { kind, external_id, lat, lon, attributes, source_id, source_type } = place;
  const text = JSON.stringify({
    ...{ id: placeId(place), type: "service", service_type: kind, external_id },
    ...{ name: displayNameOf(place, null), location: { lat, lon }, source_id, source_type },
    attributes,
  });
  return { id, key: external_id, lat, lon, text: text.slice(0, -1) };
}

/** The floor sends what the service sends for the question of median size: same head, same body. */
async function prepareFloor(paths: string[]): Promise<{ bytes: number; results: number }> {
  const answers: { response: Response; bytes: Buffer }[] = [];
  for (const path of paths) {
    const response = await fetch(url + path);
    if (response.status !== 200) throw new Error(await response.text());
    answers.push({ response, bytes: Buffer.from(await response.arrayBuffer()) });
  }
  answers.sort((a, b) => a.bytes.length - b.bytes.length);
  const { response, bytes } = answers[answers.length >> 1]!;
  body = bytes;
  const own = new Set(["date", "connection", "keep-alive", "content-length"]);
  head = [...response.headers].filter(([name]) => !own.has(name)).flat();
  head.push("content-length", String(body.length));
  const { results, status } = JSON.parse(body.toString()) as { results: unknown[]; status: string };
  if (status !== "success") throw new Error(body.toString().slice(0, 300));
  return { bytes: body.length, results: results.length };
}
