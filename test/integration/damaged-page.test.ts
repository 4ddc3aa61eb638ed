/**
 * A base of two pages, one of them damaged on the disk: answers about places in its cell name the base
 * and what to do, and all others are whole.
 */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { SourcesBody } from "#api/sources.ts";
import { openPagedHead } from "#osm/index.ts";
import { openAdminStorage } from "#storage/open-storage.ts";
import { fakeRanges, nodeAt, pageNodes } from "../support/paged-bases.ts";
import {
  createClient,
  createFolder,
  eventually,
  type LogLine,
  removeFolder,
  start,
  type Started,
} from "./service/support.ts";

/** The pages are the north-east and the north-west of the world. */
const CELLS = [
  { z: 1, x: 0, y: 0 },
  { z: 1, x: 1, y: 0 },
];
const [EAST, WEST] = [
  { lat: 48.855, lon: 2.355 },
  { lat: 48.855, lon: -2.355 },
];

/** Toilets around both places, and a street with a number. */
async function aDamagedFile(): Promise<Uint8Array> {
  const nodes = [EAST, WEST].flatMap(({ lat, lon }, side) => [
    nodeAt(10 * side + 1, lat - 0.01, lon - 0.01),
    nodeAt(10 * side + 2, lat + 0.01, lon + 0.01),
    nodeAt(10 * side + 3, lat, lon, { amenity: "toilets" }),
    nodeAt(10 * side + 4, lat + 0.001, lon, { amenity: "toilets", name: "Halle" }),
    nodeAt(10 * side + 5, lat, lon + 0.001, { "addr:street": "Weg", "addr:housenumber": "5" }),
  ]);
  const bytes = await pageNodes("two", nodes, CELLS);
  const head = await openPagedHead(fakeRanges(bytes));
  assert.ok("meta" in head);
  const row = head.meta.pages.find(({ cell }) => cell.x === 1)!;
  bytes[row.at + (row.bytes >> 1)]! ^= 4;
  return bytes;
}

describe("a base with a damaged page", () => {
  const client = createClient();
  const lines: LogLine[] = [];
  let started: Started | null = null;
  let data_dir = "";
  let url = "";
  const sourceOf = async () => {
    const { sources } = await client.json<SourcesBody>(`${url}/v1/sources`);
    return sources.find(({ id }) => id === "openbase:two") ?? null;
  };
  before(async () => {
    data_dir = await createFolder();
    const store = openAdminStorage({ data_dir, mode: "live" });
    if ("problem" in store) return assert.fail(store.problem);
    await store.bases.put("two", await aDamagedFile());
    store.close();
    const settings = {
      sources: {
        openbase: { gazetteer: false, photon_prefix: "/photon", memory_mb: 64 },
        maps: { adapter: "openstreetmap" },
      },
    };
    const onLine = (line: LogLine): void => void lines.push(line);
    started = await start({ mode: "live", data_dir, settings, onLine });
    ({ url } = started.service);
    return await eventually(sourceOf, { within_ms: 60_000, what: "the reading of the store" });
  });
  after(async () => {
    client.close();
    await started?.service.close({ delay_ms: 0 });
    await removeFolder(data_dir);
  });

  const ask = async (path: string): Promise<object> =>
    JSON.parse((await client.call(`${url}${path}`)).text) as object;

  const PATHS: readonly [what: string, path: (at: string) => string][] = [
    ["services", (at) => `/v1/services/nearby?${at}&types=toilets`],
    ["places of /v1/nearby", (at) => `/v1/nearby?${at}&include=places`],
    ["what can be reached", (at) => `/v1/reach?${at}&families=toilets&minutes=5`],
    ["services with ways on foot", (at) => `/v1/services/nearby?${at}&types=toilets&walk=true`],
    ["reverse geocoding", (at) => `/v1/reverse-geocode?${at}`],
    ["reverse geocoding of Photon", (at) => `/photon/reverse?${at}`],
  ];
  for (const [what, toPath] of PATHS)
    test(`${what}: the base is named there, and nowhere else`, async () => {
      const [east, west] = await Promise.all(
        [EAST, WEST].map(async ({ lat, lon }) =>
          JSON.stringify(await ask(toPath(`lat=${lat}&lon=${lon}`))),
        ),
      );
      assert.doesNotMatch(west!, /the base two/i);
      assert.match(east!, /the base two is unreadable/i);
      assert.doesNotMatch(east!, /"name":"Halle"/);
    });

  test("the whole page answers as ever", async () => {
    const path = "/v1/services/nearby?lat=48.855&lon=-2.355&types=toilets&radius=200";
    const services = JSON.stringify(await ask(path));
    assert.match(services, /"status":"success".*"name":"Halle"/);
    assert.match(JSON.stringify(await ask("/v1/reverse-geocode?lat=48.855&lon=-2.3541")), /Weg/);
  });

  test("the log names base, page and cause once, /v1/sources and /metrics count it", async () => {
    await ask("/v1/services/nearby?lat=48.855&lon=2.355&types=toilets");
    const warnings = lines.filter(({ msg }) => msg?.startsWith("base two, page "));
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!.msg!, /ground 1\/1\/0 at byte \d+: damaged: its checksum/);
    const source = await sourceOf();
    assert.deepEqual(source!.base!.pages, { total: 2, failed: 1 });
    assert.deepEqual([source!.state, source!.problem!.reason], ["error", "damaged"]);
  });

  test("one that is imported in its place is whole, without a restart", async () => {
    const path = join(data_dir, "live", "bases", "two.vbase");
    const bytes = await aDamagedFile();
    const head = await openPagedHead(fakeRanges(bytes));
    assert.ok("meta" in head);
    const row = head.meta.pages.find(({ cell }) => cell.x === 1)!;
    bytes[row.at + (row.bytes >> 1)]! ^= 4;
    await writeFile(path, bytes);
    await eventually(
      async () => {
        const answer = await ask("/v1/services/nearby?lat=48.855&lon=2.355&types=toilets");
        return /"name":"Halle"/.test(JSON.stringify(answer)) || null;
      },
      { within_ms: 30_000, what: "the new base" },
    );
    assert.deepEqual((await sourceOf())!.base!.pages, { total: 2, failed: 0 });
  });
});
