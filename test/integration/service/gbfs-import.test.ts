/**
 * What a service publishes in GBFS, read by another service: equal answers, and nothing twice. Both run here,
 * over real sockets; the first reads the simulated world.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { NearbyBodyValue } from "#api/nearby.ts";
import { sized } from "../../support/size.ts";
import { listedIn, NO_SCHEMAS, openSchemas, type GbfsDocument } from "../../support/gbfs-out.ts";
import {
  createClient,
  createFolder,
  eventually,
  removeFolder,
  SMALL_WORLD,
  start,
  type Started,
} from "./support.ts";

type Manifest = {
  data: { datasets: { system_id: string; versions: { version: string; url: string }[] }[] };
  _vicinity: { left_out: { system_id: string; reason: string }[] };
};

const WITHIN_MS = 60_000;
const client = createClient();
const started: Started[] = [];
let manifest: Manifest;

/** Points in the two cities of the simulated world, 700 m apart. */
const POINTS = [
  { lat: 48.8566, lon: 2.3522 },
  { lat: 52.52, lon: 13.405 },
].flatMap(({ lat, lon }) =>
  [-2, -1, 0, 1, 2].flatMap((north) =>
    [-1, 0, 1].map((east) => ({ lat: lat + north * 0.0063, lon: lon + east * 0.0096 })),
  ),
);
/** A page has a hundred items; vehicles lie closer together. */
const RADIUS_M = { stations: 400, vehicles: 150 };

before(async () => {
  const first = await start({
    data_dir: await createFolder(),
    timetables: false,
    still: true,
    cities: sized(SMALL_WORLD, "all"),
    settings: {
      sources: { gbfs: { licence: "CC0-1.0" } },
    },
  });
  started.push(first);
  manifest = await eventually(
    async () => {
      const listed = await client.json<Manifest>(`${first.service.url}/gbfs/v3/manifest.json`);
      return listed["_vicinity"].left_out.some(({ reason }) => reason === "not_read")
        ? null
        : listed;
    },
    { what: "all systems are known", within_ms: WITHIN_MS },
  );
  const systems = manifest.data.datasets.map(({ system_id, versions }) => ({
    id: system_id,
    url: versions.find(({ version }) => version === "3.0")!.url,
  }));
  started.push(
    await start({
      data_dir: await createFolder(),
      mode: "live",
      timetables: false,
      still: true,
      settings: {
        egress: { allow_private: true },
        sources: { gbfs: { systems }, maps: { adapter: "openstreetmap" } },
      },
    }),
  );
});
after(async () => {
  client.close();
  for (const { service, data_dir } of started.toReversed()) {
    await service.close({ delay_ms: 0 });
    await removeFolder(data_dir);
  }
});

test("everything of the simulated world is published, and valid where the schemas are", async (context) => {
  assert.ok(manifest.data.datasets.length >= 8, JSON.stringify(manifest));
  const validate = NO_SCHEMAS === false ? openSchemas() : null;
  if (NO_SCHEMAS !== false) context.diagnostic(NO_SCHEMAS);
  const errors = validate?.("3.0", "manifest", manifest) ?? [];
  let files = 1;
  for (const { system_id, versions } of manifest.data.datasets)
    for (const { version, url } of versions)
      for (const name of listedIn(await client.json<GbfsDocument>(url))) {
        const file = await client.json<GbfsDocument>(url.replace("/gbfs.json", `/${name}.json`));
        files++;
        for (const each of validate?.(version as "3.0" | "2.3", name, file) ?? [])
          errors.push(`${system_id} ${each}`);
      }
  context.diagnostic(`${files} files of ${manifest.data.datasets.length} systems`);
  assert.deepEqual(errors, []);
  assert.ok(files > 80, String(files));
});

test("another service that reads them gives the same answers, and nothing twice", async (context) => {
  let [stations, vehicles, unknown] = [0, 0, 0];
  for (const point of POINTS) {
    const at = JSON.stringify(point);
    const [here, there] = await askBoth(point, "stations");
    const known = here.stations.filter((each) => each.service_status?.state !== "unknown");
    unknown += here.stations.length - known.length;
    stations += known.length;
    assert.deepEqual(there.stations.map(toFacts).toSorted(), known.map(toFacts).toSorted(), at);
    for (const { resolution_status } of there.stations)
      assert.notEqual(resolution_status, "merged");
    const [mine, theirs] = await askBoth(point, "vehicles");
    vehicles += mine.vehicles.length;
    const [one, other] = [mine, theirs].map((each) => each.vehicles.map(toVehicleFacts).toSorted());
    assert.deepEqual(other, one, at);
  }
  context.diagnostic(`${stations} stations, ${vehicles} vehicles, ${unknown} of unknown state`);
  assert.ok(
    stations > 100 && vehicles > 150 && unknown > 0,
    `${stations}, ${vehicles}, ${unknown}`,
  );
});

type Point = { lat: number; lon: number };

async function askBoth(point: Point, family: keyof typeof RADIUS_M): Promise<[Results, Results]> {
  const [here, there] = await Promise.all(started.map((each) => ask(each, point, family)));
  return [here!.results, there!.results];
}

async function ask(
  { service }: Started,
  { lat, lon }: Point,
  family: keyof typeof RADIUS_M,
): Promise<NearbyBodyValue> {
  const radius = RADIUS_M[family];
  const query = `lat=${lat}&lon=${lon}&radius=${radius}&limit=100&include=${family}`;
  return await eventually(
    async () => {
      const body = await client.json<NearbyBodyValue>(`${service.url}/v1/nearby?${query}`);
      assert.ok(body.total <= 100, `${query}: ${body.total}`);
      return body.status === "partial" ? null : body;
    },
    { what: query, within_ms: WITHIN_MS },
  );
}

type Results = NearbyBodyValue["results"];

/** All but ids and sources, and what the format has no room for: reservations, and texts of apps that it does not name. */
function toFacts(station: Results["stations"][number]): string {
  const { name, location, capacity, availability, service_status, mode, entity_type } = station;
  const { distance_meters, network } = station;
  const by_type = availability?.by_type && withoutOldWord(availability.by_type);
  return JSON.stringify({
    ...{ name, location, capacity, availability: { ...availability, by_type } },
    ...{ service_status, mode, entity_type },
    ...{ distance_meters, network: network.name },
  });
}

type Counted = { form_factor?: string; propulsion?: string; count: number };

/** 3.0 has no word for scooters of either form, and 2.1 said that it means `scooter_standing`. */
function withoutOldWord(by_type: readonly Counted[]): Counted[] {
  const counts = new Map<string, Counted>();
  for (const { form_factor: word, propulsion, count } of by_type) {
    const form_factor = word === "scooter" ? "scooter_standing" : word;
    const key = `${form_factor} ${propulsion}`;
    const sum = count + (counts.get(key)?.count ?? 0);
    counts.set(key, JSON.parse(JSON.stringify({ form_factor, propulsion, count: sum })) as Counted);
  }
  return [...counts.values()];
}

function toVehicleFacts({ source }: Results["vehicles"][number]): string {
  const facts = Object.entries(source).filter(([name]) => !NOT_COMPARED.has(name));
  const text = JSON.stringify(facts.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  // 3.0 has no such word, and 2.1 said that it is this one.
  return text.replace(`"form_factor":"scooter"`, `"form_factor":"scooter_standing"`);
}

const NOT_COMPARED: ReadonlySet<string> = new Set([
  ...["id", "station_id", "rental_uris", "pricing_plan_id", "context_actions", "action_state"],
  ...["capabilities", "network", "brand"],
]);
