/**
 * What a reply costs, as its caller and the journal see it: every operation over HTTP, with results
 * and without, whole and in part. A partial answer with nothing in it is free, and every other
 * answer costs what the table by hand says (decisions, "Authentication, plans, metering").
 */
import assert from "node:assert/strict";
import { randomUUIDv7 } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { describe, test } from "node:test";
import type { LegacyReply } from "#app/legacy/legacy-reply.ts";
import { Meter } from "#app/access/meter.ts";
import { listOperations, type OperationId } from "#api/operations.ts";
import { openAdminStorage } from "#storage/open-storage.ts";
import { CLASSES, UNITS } from "../../support/by-hand.ts";
import { call } from "../../support/call.ts";
import { keyedCaller, ringOf } from "../../support/gate.ts";
import { createMemoryUsage } from "../../support/memory-usage.ts";
import { NOW_MS, stubServer } from "../../support/server.ts";
import { toRead, toSearch } from "../service/capabilities.ts";
import { aBasePack } from "../../support/bases.ts";
import { drawFrom, listStreets, pointIn } from "../../support/street-town.ts";
import { createFolder, removeFolder } from "../service/support.ts";
import { bearer, createCaller, makeKey, openService, PARIS } from "./support.ts";

type State = "success" | "empty" | "partial" | "one answer";
type Row = {
  id: OperationId;
  /** What the answer says of itself. */
  state: State;
  /** null: not judged. */
  some: boolean | null;
  path: string;
  body?: object;
  status?: number;
  units: number;
};

const NONE = "radius=1";
const ALL_TYPES = "types=toilets,parking,charging";

/** `some`: whether there are results; the price is that of the table by hand where it says nothing else. */
const list = (id: OperationId, path: string, whole = UNITS[id], none = whole): Row[] => [
  { id, state: "success", some: true, path, units: whole },
  { id, state: "empty", some: false, path: `${path}&${NONE}`, units: none },
];
const inPart = (
  id: OperationId,
  path: string,
  some: boolean,
  units = some ? UNITS[id] : 0,
): Row => ({
  ...{ id, state: "partial", some, units },
  path: some ? path : `${path}&${NONE}`,
});
const one = (id: OperationId, path: string, of: Partial<Row> = {}): Row => ({
  ...{ id, state: "one answer", some: true, path, units: UNITS[id] },
  ...of,
});

const PATHS = {
  getNearby: `/v1/nearby?${PARIS}`,
  getServicesNearby: `/v1/services/nearby?${PARIS}&types=toilets`,
  getParkingNearby: `/v1/parking/nearby?${PARIS}`,
  getChargingNearby: `/v1/charging/nearby?${PARIS}`,
  getTransportNearby: `/v1/transport/nearby?${PARIS}`,
  getDeparturesNearby: `/v1/departures/nearby?${PARIS}`,
} as const;
const AT = "48.8566,2.3522";
const CAPABILITIES = "/v1/capabilities";
const search = (args: object = {}): object => toSearch({ lat: 48.8566, lon: 2.3522, ...args });

const WELL: readonly Row[] = [
  // Blocks of what is returned: none of nothing.
  ...list("getNearby", PATHS.getNearby, 1, 0),
  one("getNearby", `${PATHS.getNearby}&limit=200&radius=3000`, { state: "success", units: 2 }),
  ...list("getServicesNearby", PATHS.getServicesNearby),
  ...list("getServicesNearby", `/v1/services/nearby?${PARIS}&${ALL_TYPES}`, 3),
  ...list("getParkingNearby", PATHS.getParkingNearby),
  ...list("getChargingNearby", PATHS.getChargingNearby),
  ...list("getPlacesNearby", `/v1/places/nearby?${PARIS}&classes=toilets`),
  one("getPlacesNearby", `/v1/places/nearby?${PARIS}&classes=toilets,parking`, { units: 2 }),
  one("getPlacesNearby", `/v1/places/nearby?${PARIS}&classes=toilet`, { status: 400, units: 0 }),
  ...list("getTransportNearby", PATHS.getTransportNearby),
  ...list("getDeparturesNearby", PATHS.getDeparturesNearby),
  one("getStationDepartures", "/v1/departures/{station}", { state: "success" }),
  one("getStationDepartures", "/v1/departures/svc_transport_station_none", {
    status: 404,
    units: 0,
  }),
  one("getWalk", "/v1/walk?from=48.8566,2.3522&to=48.8574,2.3531", { state: "success" }),
  one("getWalk", "/v1/walk?from=48.8566,2.3522&to=10,10", { state: "partial", units: 0 }),
  one("getReach", `/v1/reach?${PARIS}&minutes=5&families=stations`, { state: "success" }),
  one("getReach", "/v1/reach?lat=10&lon=10&minutes=5", { state: "partial", units: 0 }),
  one("streamNearby", "/v1/nearby/stream?bbox=2.345,48.852,2.36,48.862&once=true"),
  one("streamNearby", "/v1/nearby/stream?bbox=2,48,3,49&once=true", { status: 400, units: 0 }),
  one("getLiveTile", "/v1/tiles/14/8299/5636.mvt"),
  one("getLiveTile", "/v1/tiles/14/0/0.mvt", { some: false, units: 0 }),
  one("getPlace", "/v1/places/{dock}", { state: "success" }),
  one("getPlace", "/v1/places/svc_station_none", { status: 404, units: 0 }),
  one("getPlaceHistory", "/v1/places/{dock}/history", { state: "success" }),
  one("getPlaceHistory", "/v1/places/svc_place_none/history", { some: false, units: 0 }),
  one("getPlaceHistory", "/v1/places/svc_station_none/history", { status: 404, units: 0 }),
  one("getGbfsManifest", "/gbfs/v3/manifest.json", { state: "one answer" }),
  one("getGbfsFile", "/gbfs/v3/paris-velo-seine/station_status.json", { state: "one answer" }),
  one("getGbfsFile", "/gbfs/v3/nowhere/gbfs.json", { status: 404, units: 0 }),
  one("getGbfs2File", "/gbfs/v2/paris-velo-seine/gbfs.json", { state: "one answer" }),
  one("geocode", "/v1/geocode?q=Paris"),
  one("geocode", "/v1/geocode?q=xqzjvkwy", { some: false }),
  one("geocode", "/v1/geocode?q=", { status: 400, units: 0 }),
  one("searchPlaces", "/v1/place-search?q=Paris"),
  one("reverseGeocode", `/v1/reverse-geocode?${PARIS}`),
  one("getWeather", `/realtime/${AT}/weather/en`),
  one("getForecast", `/realtime/${AT}/forecast/en`),
  one("getLegacyWater", `/realtime/paris/${AT}/water`),
  one("getLegacyWater", "/realtime/paris/48.9566,2.3522/water", { some: false }),
  one("getLegacyScooters", `/api/realtime/${AT}/freefloat/scooter`),
  one("getLegacyScooters", "/api/realtime/48.9066,2.3522/freefloat/scooter", { some: false }),
  one("getLegacyVehicles", `/api/realtime/${AT}/zigzag-paris`),
  one("getLegacyVehicles", "/api/realtime/48.9066,2.3522/zigzag-paris", { some: false }),
  one("getLegacyVehicles", `/api/realtime/${AT}/unheard`, { status: 404, units: 0 }),
  one("executeCapability", CAPABILITIES, { body: search() }),
  one("executeCapability", CAPABILITIES, { body: search({ radius: 1 }), some: false }),
  one("executeCapability", CAPABILITIES, {
    body: toRead({ id: "nearby_x", version: "1-x" }),
    some: false,
    status: 404,
    units: 0,
  }),
  one("readDataset", "/v1/datasets/nearby_x/1-x", { status: 404 }),
  one("getHealth", "/health"),
  one("getOpenApi", "/openapi.json"),
  one("getChangelog", "/changelog.json", { status: 404 }),
  one("getMe", "/v1/me"),
  one("listSources", "/v1/sources"),
  one("getSourceQuality", "/v1/sources/paris-velo-seine/quality"),
  one("getSourceQuality", "/v1/sources/nothing/quality", { status: 404 }),
];

/** Sources of each list but one; parking and charging have one alone, and are then empty. */
const FAILING = [
  ...["gbfs:paris-zigzag", "google_maps", "openstreetmap", "refuge_restrooms", "inpost"],
  ...["navitia", "openchargemap"],
];
/** Of whose stations nothing has been read before. */
const ELSEWHERE = "lat=48.87&lon=2.33";
const IN_PART: readonly Row[] = [
  inPart("getNearby", PATHS.getNearby, true),
  inPart("getNearby", PATHS.getNearby, false),
  inPart("getServicesNearby", PATHS.getServicesNearby, true),
  inPart("getServicesNearby", PATHS.getServicesNearby, false),
  inPart("getServicesNearby", `/v1/services/nearby?${PARIS}&${ALL_TYPES}`, true, 3),
  inPart("getServicesNearby", `/v1/services/nearby?${PARIS}&${ALL_TYPES}`, false),
  inPart("getParkingNearby", PATHS.getParkingNearby, false),
  inPart("getChargingNearby", PATHS.getChargingNearby, false),
  inPart("getPlacesNearby", `/v1/places/nearby?${PARIS}&classes=toilets`, true),
  inPart("getPlacesNearby", `/v1/places/nearby?${PARIS}&classes=toilets`, false),
  inPart("getTransportNearby", `/v1/transport/nearby?${ELSEWHERE}`, true),
  inPart("getTransportNearby", `/v1/transport/nearby?${ELSEWHERE}`, false),
  inPart("getDeparturesNearby", PATHS.getDeparturesNearby, true),
  inPart("getDeparturesNearby", `/v1/departures/nearby?${ELSEWHERE}`, false),
  one("getLegacyScooters", `/api/realtime/${AT}/freefloat/scooter`, { state: "partial" }),
  one("getLegacyVehicles", `/api/realtime/${AT}/zigzag-paris`, { state: "partial" }),
  one("executeCapability", CAPABILITIES, { body: search({ limit: 3 }) }),
  one("executeCapability", CAPABILITIES, {
    body: search({ radius: 2 }),
    some: false,
    units: 0,
  }),
];

type Stored = { entity_count?: number; dataset_id?: string; version?: string; href?: string };
type Body = {
  status?: string;
  results?: object;
  records?: unknown[];
  stations?: { id: string }[];
  observation?: { provenance?: Stored[] };
};

/** Results of any shape; null: the answer is no list. */
function countOf(body: Body | unknown[]): number | null {
  if (Array.isArray(body)) return body.length;
  if (body.records !== undefined) return body.records.length;
  if (body.results !== undefined) return Object.values(body.results).flat().length;
  if (body.observation !== undefined) return body.observation.provenance?.[0]?.entity_count ?? 0;
  return null;
}

/** Operations that need no row of their own are asked once, as the table by hand has them. */
const BY_HAND: readonly Row[] = Object.values(CLASSES)
  .flatMap((paths) => Object.entries(paths) as [OperationId, string][])
  .filter(([id]) => WELL.every((row) => row.id !== id))
  .map(([id, path]) => one(id, path.replace("{place}", PARIS), { some: null }));

test("every operation is asked, and every list with results and without", () => {
  const rows = [...WELL, ...BY_HAND];
  for (const operation of listOperations()) {
    const own_rows = rows.filter(({ id }) => id === operation.id);
    assert.ok(own_rows.length > 0, operation.id);
    if (operation.charge.per === "block" || operation.charge.per === "category")
      for (const state of ["success", "empty", "partial"])
        assert.ok(
          [...own_rows, ...IN_PART].some((row) => row.id === operation.id && row.state === state),
          `${operation.id}: ${state}`,
        );
  }
});

/** Around the middle of the simulated city. */
async function createFolderWithStreets(): Promise<string> {
  const data_dir = await createFolder();
  const store = openAdminStorage({ data_dir, mode: "sandbox" });
  assert.ok(!("problem" in store));
  const corner = pointIn({ lat: 48.8566, lon: 2.3522 }, -400, -400);
  const streets = listStreets({ ...corner, side: 11, random: drawFrom(3) });
  await store.bases.put(
    "streets",
    await aBasePack("streets", streets, Date.UTC(2027, 0, 1) / 1_000),
  );
  store.close();
  return data_dir;
}

describe("units over HTTP, as the caller's usage and the journal have them", () => {
  test("whole answers, and those of which a part fails", async (t) => {
    const sources = { openbase: { gazetteer: false } };
    const data_dir = await createFolderWithStreets();
    t.after(() => removeFolder(data_dir));
    const opened = await openService(t, { still: true, data_dir, sources });
    const { url, service, accounts } = opened;
    const ask = createCaller(t);
    const control = async (path: string, method: string, body: object): Promise<void> => {
      const { status, text } = await ask(`${service.sandbox!.url}/__sandbox/${path}`, {
        method,
        body,
      });
      assert.ok(status < 300, `${path}: ${text}`);
    };
    const expected = new Map<string, number>();
    const first = async (path: string): Promise<string> => {
      const { results } = JSON.parse((await ask(url + path)).text) as {
        results: { stations: { id: string }[] };
      };
      return results.stations[0]!.id;
    };
    const [station, dock] = [await first(PATHS.getTransportNearby), await first(PATHS.getNearby)];
    async function check(row: Row): Promise<void> {
      const { key } = makeKey(accounts);
      const path = row.path.replace("{station}", station).replace("{dock}", dock);
      const what = `${row.id} ${path}, ${row.state}, ${row.some ? "some" : "none"}`;
      const headers = bearer(key);
      const { body } = row;
      const reply = await ask(url + path, {
        headers,
        ...(body === undefined ? {} : { method: "POST", body }),
      });
      assert.equal(reply.status, row.status ?? 200, `${what}: ${reply.text.slice(0, 300)}`);
      if (reply.status === 200 && row.id !== "getLiveTile") {
        const answer = JSON.parse(reply.text) as Body;
        const state = answer.status ?? reply.headers["x-coverage"];
        if (row.state !== "one answer") assert.equal(state, row.state, what);
        const count = countOf(answer);
        if (count !== null && row.some !== null)
          assert.equal(count > 0, row.some, `${what}: ${count} results`);
      }
      const me = await ask(`${url}/v1/me`, { headers });
      const { usage } = JSON.parse(me.text) as { usage: { used: number } };
      assert.equal(usage.used, row.units, what);
      if (row.units > 0) expected.set(row.id, (expected.get(row.id) ?? 0) + row.units);
    }
    /** What was found once is read for nothing, as often as one likes. */
    async function readAgain(): Promise<void> {
      const { key } = makeKey(accounts);
      const headers = bearer(key);
      const execute = async (body: object): Promise<Body> => {
        const reply = await ask(url + CAPABILITIES, { method: "POST", headers, body });
        assert.equal(reply.status, 200, reply.text);
        return JSON.parse(reply.text) as Body;
      };
      const match = (await execute(search({ radius: 300 }))).observation!.provenance![0]!;
      const { dataset_id: id, version, href } = match;
      await execute(toRead({ id, version }));
      assert.equal((await ask(url + href!, { headers })).status, 200);
      const me = await ask(`${url}/v1/me`, { headers });
      assert.equal((JSON.parse(me.text) as { usage: { used: number } }).usage.used, 2);
      expected.set("executeCapability", expected.get("executeCapability")! + 2);
    }
    for (const row of [...WELL, ...BY_HAND]) await check(row);
    await readAgain();
    for (const source of FAILING) await control(`faults/${source}`, "PUT", { fault: "http_500" });
    // Longer than anything that was read may be shown.
    await control("clock", "POST", { advance_s: 86_400 });
    for (const row of IN_PART) await check(row);

    await opened.stop();
    const store = openAdminStorage({ data_dir, mode: "sandbox" });
    assert.ok(!("problem" in store));
    const stored = new Map<string, number>();
    for (const { operation, units, key_id } of await store.usage.listUsage({ month: "2026-11" }))
      if (key_id !== null && units > 0) stored.set(operation, (stored.get(operation) ?? 0) + units);
    store.close();
    assert.deepEqual(Object.fromEntries(stored), Object.fromEntries(expected));
  });

  type Legacy = "getLegacyWater" | "getLegacyVehicles" | "getLegacyScooters";
  const LEGACY: Readonly<Record<Legacy, string>> = {
    getLegacyWater: `/realtime/paris/${AT}/water`,
    getLegacyVehicles: `/api/realtime/${AT}/lime`,
    getLegacyScooters: `/api/realtime/${AT}/freefloat/scooter`,
  };
  const CELLS = [
    { partial: false, count: 0, units: 1 },
    { partial: false, count: 3, units: 1 },
    { partial: true, count: 0, units: 0 },
    { partial: true, count: 3, units: 1 },
  ];

  for (const [id, path] of Object.entries(LEGACY))
    for (const { partial, count, units } of CELLS)
      test(`${id}, ${partial ? "partial" : "whole"} with ${count} results: ${units}`, async (t) => {
        const answer = (): Promise<LegacyReply<never>> =>
          Promise.resolve({
            ...{ kind: "ok", partial, max_age_s: 5, shown: count },
            body: Array.from({ length: count }, (_, n) => ({ id: n })) as never,
          });
        const usage = createMemoryUsage();
        const meter = new Meter({ usage, newEventId: randomUUIDv7, defer: setImmediate });
        const { app } = stubServer({
          gate: { meter, keyring: ringOf({ ok: true, caller: keyedCaller() }) },
          legacy: { water: answer, vehicles: { ofBrand: answer, scooters: answer } },
        });
        t.after(() => app.close());
        const headers = { authorization: "Bearer vc_test" };
        const { statusCode, headers: sent } = await call(app, { url: path, headers });
        assert.equal(statusCode, 200);
        assert.equal(sent["x-coverage"], partial ? "partial" : undefined);
        await turn();
        const month = new Date(NOW_MS).toISOString().slice(0, 7);
        const rows = await usage.listUsage({ month });
        const sum = rows.reduce((total, row) => total + row.units, 0);
        assert.equal(sum, units);
        assert.deepEqual(
          rows.map(({ operation }) => operation),
          units === 0 ? rows.map(({ operation }) => operation) : [id],
        );
      });
});
