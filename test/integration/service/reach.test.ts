/**
 * GET /v1/walk and GET /v1/reach over real sockets, by an imported town on both banks of a river: held
 * against the searches, which find the same things by another road.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { ReachBody, type ReachBodyValue, ReachGeoJson } from "#api/reach.ts";
import { WayBody, type WayBodyValue, WayGeoJson } from "#api/way.ts";
import { openAdminStorage } from "#storage/open-storage.ts";
import { importGtfs } from "#transit/index.ts";
import { aBasePack } from "../../support/bases.ts";
import { listRiverTown, riverTimetable, START } from "../../support/river-town.ts";
import { drawFrom, listStreets, pointIn } from "../../support/street-town.ts";
import { closeAll, createClient, createFolder, start, type Started } from "./support.ts";

/** Of two bases that cover a point the newer one answers. */
const NEWEST_S = Date.UTC(2027, 0, 1) / 1_000;
/** The middle of the simulated city, which has stations and vehicles. */
const CITY = { lat: 48.8566, lon: 2.3522 };
/** Only the town's base is asked for services. */
const ALONE = Object.fromEntries(
  ["openaedmap", "geodae", "refuge_restrooms", "inpost", "openchargemap", "ocpi"].map((id) => [
    id,
    { enabled: false },
  ]),
);
const SETTINGS = {
  sources: {
    ...{ openbase: { gazetteer: false }, maps: { adapter: "openstreetmap" }, gtfs: {}, ...ALONE },
    openstreetmap: { places: "embedded" },
  },
};

const client = createClient();
let started: Started;
let url: string;

before(async () => {
  const data_dir = await createFolder();
  const store = openAdminStorage({ data_dir, mode: "sandbox" });
  if ("problem" in store) return assert.fail(store.problem);
  await store.bases.put("river", await aBasePack("river", listRiverTown(), NEWEST_S));
  const draw = { ...pointIn(CITY, -500, -500), side: 14, random: drawFrom(3) };
  await store.bases.put("city", await aBasePack("city", listStreets(draw), NEWEST_S));
  const identity = { feed_id: "river", region: null, now_ms: Date.UTC(2026, 10, 24) };
  const feed = await importGtfs({ bytes: riverTimetable() }, identity);
  if (!feed.ok) return assert.fail(feed.problem);
  store.transit.putFeed("river", feed.pack, {
    ...{ imported_at_ms: identity.now_ms, etag: null, last_modified: null },
  });
  store.close();
  started = await start({ data_dir, settings: SETTINGS, cities: "paris", still: true });
  ({ url } = started.service);
});
after(() => closeAll(client, started));

const schemas = new Map<TSchema, ReturnType<typeof Compile>>();

async function ask<T>(path: string, query: object, schema: TSchema): Promise<T> {
  const parameters = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const reply = await client.call(`${url}${path}?${new URLSearchParams(parameters).toString()}`);
  assert.equal(reply.status, 200, reply.text);
  const body: unknown = JSON.parse(reply.text);
  const judge = schemas.get(schema) ?? Compile(schema);
  schemas.set(schema, judge);
  assert.ok(judge.Check(body), JSON.stringify([...judge.Errors(body)].slice(0, 2)));
  return body as T;
}

const HERE = { lat: START.lat, lon: START.lon };
const reach = async (query: object): Promise<ReachBodyValue> =>
  await ask("/v1/reach", { ...HERE, minutes: 10, ...query }, ReachBody);
const askWay = async (query: object): Promise<WayBodyValue> =>
  await ask("/v1/walk", query, WayBody);
const search = async (path: string, query: object) =>
  JSON.parse(
    (
      await client.call(
        `${url}${path}?${new URLSearchParams(Object.entries({ ...HERE, ...query }).map(([k, v]) => [k, String(v)])).toString()}`,
      )
    ).text,
  ) as { total: number; walking: { unknown: number; reached: number }; results: never };

type Found = { name: string; walk: { seconds: number } | null };

/** A station, or a vehicle with what its source says of it. */
type Item = {
  id?: string;
  svc_id?: string;
  source_id?: string;
  name?: string;
  walk?: object;
  location?: object;
  source?: { name?: string; walk: object; location: object };
};
const idOf = ({ id, svc_id, source_id }: Item) => id ?? svc_id ?? source_id;
const nameOf = ({ name, source }: Item) => name ?? source?.name ?? null;
const walkOf = ({ walk, source }: Item) => walk ?? source?.walk;
const locationOf = ({ location, source }: Item) => location ?? source?.location;

describe("GET /v1/reach", () => {
  for (const minutes of [2, 10, 30])
    test(`within ${minutes} minutes it counts what the searches keep, and has the same nearest`, async () => {
      const wish = { within_minutes: minutes, sort: "walk", limit: 200, radius: 5_000 };
      const { reached, outline } = await reach({ minutes, families: "toilets,transit" });
      const services = await search("/v1/services/nearby", { ...wish, types: "toilets" });
      const { toilets, transit } = reached;
      assert.equal(toilets!.count, services.total - services.walking.unknown);
      const [first] = services.results as Found[];
      assert.equal(toilets!.nearest?.name, first?.walk ? first.name : undefined);
      assert.deepEqual(toilets!.nearest?.walk.seconds, first?.walk?.seconds);
      const stations = await search("/v1/transport/nearby", { ...wish, providers: "gtfs" });
      const [near] = (stations.results as { stations: Found[] }).stations;
      assert.equal(transit!.count, stations.total - stations.walking.unknown);
      assert.deepEqual(transit!.nearest?.walk.seconds, near?.walk?.seconds);
      assert.ok(outline!.coordinates.length > 0);
    });

  test("shared mobility is that of /v1/nearby, with its ids and names", async () => {
    const question = { ...CITY, minutes: 5, families: "stations,vehicles" };
    const asleep = await reach(question);
    const unread = Object.values(asleep.reached).filter((each) => each === null);
    assert.equal(unread.length > 0, asleep.status === "partial");
    // A question that waits for the systems: what is held is young then.
    await search("/v1/nearby", { ...CITY, radius: 400 });
    const { status, reached } = await reach(question);
    assert.equal(status, "success");
    for (const family of ["stations", "vehicles"] as const) {
      const wish = { ...CITY, radius: 400, within_minutes: 5, sort: "walk", include: family };
      const { total, walking, results } = await search("/v1/nearby", { ...wish, limit: 100 });
      const [first] = (results as Record<typeof family, Item[]>)[family];
      const { count, unknown, nearest } = reached[family]!;
      assert.deepEqual([count, unknown], [total - walking.unknown, walking.unknown], family);
      assert.ok(count > 0, family);
      assert.deepEqual(
        [nearest!.id, nearest!.name, nearest!.walk, nearest!.location],
        [idOf(first!), nameOf(first!), walkOf(first!), locationOf(first!)],
      );
    }
  });

  test("what this deployment does not hold is null and named", async () => {
    const body = await reach({ families: "locker,toilets" });
    assert.deepEqual(Object.keys(body.reached), ["toilets", "locker"]);
    const outside = await reach({ lat: 10, lon: 10 });
    assert.deepEqual([outside.status, outside.walking.reason], ["partial", "outside_bases"]);
    assert.ok(Object.values(outside.reached).every((each) => each === null));
    assert.equal(outside.outline, null);
  });

  test("the GeoJSON form is of its own type, and has the same in it", async () => {
    const query = { ...HERE, minutes: 10, families: "toilets", format: "geojson" };
    const shape = await ask<{ features: { id: string }[]; meta: object }>(
      "/v1/reach",
      query,
      ReachGeoJson,
    );
    const { outline: _, ...meta } = await reach({ families: "toilets" });
    assert.deepEqual(shape.meta, meta);
    assert.equal(shape.features[0]!.id, "outline");
    const path = `/v1/reach?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)])).toString()}`;
    const { headers } = await client.call(`${url}${path}`);
    assert.equal(headers["content-type"], "application/geo+json");
  });
});

describe("GET /v1/walk", () => {
  test("the way to the nearest on foot is the one that the search states, there and back", async () => {
    const { reached } = await reach({ families: "toilets" });
    const { location, walk: stated } = reached["toilets"]!.nearest!;
    const [from, to] = [HERE, location].map(({ lat, lon }) => `${lat},${lon}`);
    const way = await askWay({ from, to });
    assert.deepEqual(
      [way.status, way.meters, way.seconds],
      ["success", stated.meters, stated.seconds],
    );
    const back = await askWay({ from: to, to: from });
    assert.equal(back.meters, way.meters);
    const slow = await askWay({ from, to, speed: 0.5 });
    assert.ok(slow.seconds! >= 2 * way.seconds!);
    const feature = await ask<{ geometry: object }>(
      "/v1/walk",
      { from, to, format: "geojson" },
      WayGeoJson,
    );
    assert.deepEqual(feature.geometry, way.geometry);
  });

  test("where no base covers both ends the answer is free, and says why", async () => {
    const path = `/v1/walk?from=${HERE.lat},${HERE.lon}&to=10,10`;
    const { headers, text } = await client.call(`${url}${path}`);
    const body = JSON.parse(text) as WayBodyValue;
    assert.deepEqual([body.status, body.reason, body.meters], ["partial", "outside_bases", null]);
    assert.equal(headers["cache-control"], "no-store");
  });
});

const PLACE = `lat=${HERE.lat}&lon=${HERE.lon}`;
const POINT_RULE = "<lat>,<lon>, two numbers from -90 to 90 and from -180 to 180";
const REFUSALS: readonly [string, string][] = [
  ["/v1/walk?to=1,2", `from is required and must be ${POINT_RULE}`],
  ["/v1/walk?from=1,2", `to is required and must be ${POINT_RULE}`],
  ["/v1/walk?from=91,2&to=1,2", `from must be ${POINT_RULE}`],
  ["/v1/walk?from=1,2,3&to=1,2", `from must be ${POINT_RULE}`],
  ["/v1/walk?from=1;2&to=1,2", `from must be ${POINT_RULE}`],
  ["/v1/walk?from=1,2&to=NaN,2", `to must be ${POINT_RULE}`],
  ["/v1/walk?from=1,2&to=1,2&to=1,2", "to must be given once"],
  ["/v1/walk?from=1,2&to=1,2&speed=0", "speed must be a number from 0.3 to 2.5 (metres a second)"],
  [
    "/v1/walk?from=1,2&to=1,2&speed=300",
    "speed must be a number from 0.3 to 2.5 (metres a second)",
  ],
  [
    "/v1/walk?from=1,2&to=1,2&speed=Infinity",
    "speed must be a number from 0.3 to 2.5 (metres a second)",
  ],
  ["/v1/walk?from=1,2&to=1,2&profile=car", "profile must be one of foot, step_free"],
  ["/v1/walk?from=1,2&to=1,2&format=kml", "format must be one of json, geojson"],
  [`/v1/reach?${PLACE}`, "minutes is required and must be a number from 1 to 30 (minutes)"],
  [`/v1/reach?${PLACE}&minutes=0`, "minutes must be a number from 1 to 30 (minutes)"],
  [`/v1/reach?${PLACE}&minutes=-5`, "minutes must be a number from 1 to 30 (minutes)"],
  [`/v1/reach?${PLACE}&minutes=1e9`, "minutes must be a number from 1 to 30 (minutes)"],
  [`/v1/reach?${PLACE}&minutes=ten`, "minutes must be a number from 1 to 30 (minutes)"],
];

for (const [path, message] of REFUSALS)
  test(`refused by name: ${path}`, async () => {
    const { status, text } = await client.call(`${url}${path}`);
    assert.equal(status, 400);
    assert.deepEqual(JSON.parse(text), { error: { code: "invalid_request", message } });
  });

test("families that are none are refused, and all that there are named", async () => {
  const { status, text } = await client.call(
    `${url}/v1/reach?${PLACE}&minutes=5&families=toilets,bus`,
  );
  assert.equal(status, 400);
  assert.match(text, /families must be a comma-separated list of aed, .* transit/);
});
