/**
 * The base of the simulated world: imported when the sandbox starts, and what it answers held against
 * GET /__sandbox/truth and against what the simulated Overpass server gives.
 */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { ServicesBodyValue } from "#api/services.ts";
import { createBaseStore } from "#storage/base-files.ts";
import {
  type Client,
  createFolder,
  removeFolder,
  start,
  type Started,
  serviceFor,
} from "./support.ts";

type Thing = {
  kind: string;
  service_type: string;
  location: { lat: number; lon: number };
  sources: { source: string; source_id: string }[];
};
type Item = ServicesBodyValue["results"][number];

const TYPES = "aed,toilets,drinking_water,fountain,wifi,parking,charging,locker";
const REACH_M = 5_000;
const STEP_M = 600;
/** Circles of this radius, a step apart, cover the plane. */
const RADIUS_M = 430;
/** Of parking and charging no more are answered (contract 4.7). */
const MOST_FACILITIES = 20;
const M_PER_DEGREE = 111_195;

/** Only the open map is asked, so that no other source stands in for it. */
const ALONE = Object.fromEntries(
  ["openaedmap", "geodae", "refuge_restrooms", "inpost", "openchargemap", "ocpi"].map((id) => [
    id,
    { enabled: false },
  ]),
);

type At = { lat: number; lon: number };

function offsetBy({ lat, lon }: At, east_m: number, north_m: number): At {
  const east = lon + east_m / (M_PER_DEGREE * Math.cos((lat * Math.PI) / 180));
  return { lat: lat + north_m / M_PER_DEGREE, lon: ((((east + 180) % 360) + 360) % 360) - 180 };
}

async function ask(client: Client, { service }: Started, at: At, radius_m = RADIUS_M) {
  const query = `lat=${at.lat.toFixed(7)}&lon=${at.lon.toFixed(7)}&radius=${radius_m}&limit=200`;
  return await client.json<ServicesBodyValue>(
    `${service.url}/v1/services/nearby?${query}&types=${TYPES}`,
  );
}

async function countCalls(client: Client, { service }: Started): Promise<number> {
  const { counts } = await client.json<{ counts: Record<string, number> }>(
    `${service.sandbox!.url}/__sandbox/requests`,
  );
  return counts["openstreetmap"]!;
}

describe("services of the simulated base", () => {
  const places = { openstreetmap: { places: "embedded" } };
  const settings = { sources: { maps: { adapter: "openstreetmap" }, ...ALONE, ...places } };
  const served = serviceFor({ base: true, cities: "paris,taveuni", settings });

  test("every service that the map has is found once, and nothing else, without a call", async (t) => {
    const { client, started: based } = served;
    const before_calls = await countCalls(client, based);
    let things = 0;
    for (const city of based.service.sandbox!.cities()) {
      const truth = await listTruth(client, based, city);
      const around = await listAround(client, based, city);
      const byId = new Map(
        truth.flatMap((thing) => thing.sources.map(({ source_id }) => [source_id, thing] as const)),
      );
      const seen = new Map<Thing, Item>();
      for (const item of around.values()) {
        const thing = byId.get(item.external_id!);
        assert.ok(thing, `${city.name}: extra: ${JSON.stringify(item)}`);
        assert.ok(!seen.has(thing), `${city.name}: twice: ${JSON.stringify([item, thing])}`);
        seen.set(thing, item);
      }
      const missing = truth.filter((thing) => !seen.has(thing));
      assert.deepEqual(missing, [], `${city.name}: missing`);
      things += truth.length;
    }
    assert.ok(things > 500, `${things} things`);
    assert.equal(await countCalls(client, based), before_calls, "the server was asked");
    t.diagnostic(`${things} services exact`);
  });
});

/** Nothing is a whole answer too. */
function assertWhole({ status, message }: ServicesBodyValue): void {
  assert.ok(status === "success" || status === "empty", `${status}: ${message}`);
}

/** Services in a city that mappers have drawn. */
async function listTruth(client: Client, { service }: Started, { lat, lon }: At): Promise<Thing[]> {
  const { things } = await client.json<{ things: Thing[] }>(
    `${service.sandbox!.url}/__sandbox/truth?lat=${lat}&lon=${lon}&radius=${REACH_M}`,
  );
  return things.flatMap((thing) => {
    const sources = thing.sources.filter(({ source }) => source === "openstreetmap");
    return thing.kind === "service" && sources.length > 0 ? [{ ...thing, sources }] : [];
  });
}

/** Everything that circles over the whole city find, by type and id. */
async function listAround(
  client: Client,
  started: Started,
  city: At,
): Promise<ReadonlyMap<string, Item>> {
  const matches = new Map<string, Item>();
  const steps = Math.ceil(3_600 / STEP_M);
  for (let east = -steps; east <= steps; east += 1)
    for (let north = -steps; north <= steps; north += 1) {
      const body = await ask(client, started, offsetBy(city, east * STEP_M, north * STEP_M));
      assertWhole(body);
      for (const type of ["parking", "charging"]) {
        const own_results = body.results.filter(({ service_type }) => service_type === type);
        assert.ok(
          own_results.length < MOST_FACILITIES,
          `${own_results.length} of ${type} may not be all`,
        );
      }
      for (const item of body.results)
        matches.set(`${item.service_type} ${item.external_id}`, item);
    }
  return matches;
}

test("a start with the same world finds its base; another world replaces it, and no other base", async (t) => {
  const data_dir = await createFolder();
  t.after(() => removeFolder(data_dir));
  const folder = join(data_dir, "sandbox", "bases");
  const store = createBaseStore(folder);
  const runWith = async (cities: string, seed: string): Promise<string[]> => {
    const variables = { SANDBOX_SEED: seed };
    const { service } = await start({ data_dir, base: true, cities, variables });
    await service.close({ delay_ms: 0 });
    return (await store.list()).map(({ id, version }) => `${id} ${version}`);
  };
  const [first, ...more] = await runWith("berlin", "7");
  assert.deepEqual(more, []);
  assert.match(first!, /^simulated-[0-9a-f]{16} /);
  assert.deepEqual(await runWith("berlin", "7"), [first], "imported again");
  const id = first!.split(" ")[0]!;
  await store.put("mine", (await store.read(id))!);
  const mine = (await store.list()).find((base) => base.id === "mine")!;
  const afterwards = [await runWith("berlin", "8"), await runWith("taveuni", "8")];
  for (const [n, ids] of afterwards.entries()) {
    assert.equal(ids.length, 2, `${n}: ${ids.join()}`);
    assert.ok(ids.includes(`mine ${mine.version}`), "the operator's own base is not the same");
    assert.ok(!ids.includes(first!), "the base of another world is still there");
  }
  assert.notDeepEqual(afterwards[0], afterwards[1]);
  assert.equal((await readdir(folder)).length, 2);
});
