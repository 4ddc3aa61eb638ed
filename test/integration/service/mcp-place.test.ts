/** get_place and get_weather against a running service: the simulator's truth, prices and failures. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Client as McpClient } from "@modelcontextprotocol/client";
import { PLACE_DEPARTURES } from "#api/agent-place.ts";
import { SHOWN } from "#api/agent-results.ts";
import type { ForecastBodyValue, WeatherBodyValue } from "#api/weather.ts";
import { listZones } from "../../../sandbox/gbfs/notices.ts";
import { fallIn, HOUR_MS } from "../../../sandbox/world/weather.ts";
import { createWorld } from "../../../sandbox/world/world.ts";
import { sizeOf } from "#mcp/brief.ts";
import { withPlaceTimes } from "#mcp/local.ts";
import { UNITS } from "../../support/by-hand.ts";
import { connect, errorOf, resultOf } from "../../support/mcp.ts";
import { alignToMinute, eventually, serviceFor } from "./support.ts";

const PARIS = { lat: 48.8566, lon: 2.3522 };
/** Of the simulated world. */
const SEED = 1;
const BERLIN = { lat: 52.52, lon: 13.405 };

type Point = { lat: number; lon: number };
type Result = { id: string; kind?: string; service_type?: string; location: Point };
type Members = Record<string, unknown>;
type Full = {
  status: string;
  message?: string;
  notices?: string[];
  omitted?: string[];
  place: Members & { kind: string; id: string; location: Point; distance_meters: number };
  provenance: { source_id: string; observed_at: string | null; fetched_at: string | null }[];
  sources: string[];
  attribution: { source_id: string }[];
  weekday: string;
  untrusted_text: boolean;
};
type Step = Members & { from: string; until: string };
type Sky = Members & { at: string; basis: string; temperature_c: number };
type Weather = {
  status: string;
  message?: string;
  now: Sky | null;
  forecast: Step[] | null;
  sunrise: string | null;
  sunset: string | null;
  time_zone: string;
  sources: string[];
  attribution: { source_id: string }[];
};
type True = Members & {
  kind: string;
  service_type?: string;
  distance_m: number;
  sources: { source_id: string }[];
};

describe("one result, and the weather, of a sandbox service", () => {
  const bench = serviceFor({});
  let client: McpClient;
  let url = "";
  let sandbox = "";
  let key = "";
  before(async () => {
    ({ url } = bench.started.service);
    sandbox = bench.started.service.sandbox!.url;
    ({ key } = bench.started.service.keys.find(({ plan }) => plan === "unlimited")!);
    client = await connect(url, { key });
    // Answers are held to the published schemas.
    await client.listTools();
    await alignToMinute(bench.client, sandbox);
  });
  after(() => client.close());

  const call = (name: string, args: Members) => client.callTool({ name, arguments: args });
  const find = async (name: string, args: Members): Promise<Result[]> =>
    resultOf(await call(name, args)).results as unknown as Result[];
  const get = async ({ id, location }: Result): Promise<Full> => {
    const called = await call("get_place", { id, ...location });
    const full = resultOf(called) as unknown as Full;
    assert.ok(sizeOf(full) <= SHOWN.bytes_max, id);
    assert.equal(full.untrusted_text, true);
    assert.match(full.weekday, /day$/);
    const credited = full.attribution.map(({ source_id }) => source_id);
    assert.deepEqual(credited, full.sources.toSorted());
    assert.ok(full.sources.length > 0 && full.provenance.length > 0, id);
    return full;
  };
  const weatherAt = async (at: Point, hours?: number): Promise<Weather> =>
    resultOf(await call("get_weather", { ...at, ...(hours && { hours }) })) as unknown as Weather;
  const truthAt = async ({ lat, lon }: Point, radius: number): Promise<True[]> => {
    const query = `lat=${lat}&lon=${lon}&radius=${radius}`;
    const truth = `${sandbox}/__sandbox/truth?${query}`;
    return (await bench.client.json<{ things: True[] }>(truth)).things;
  };
  const put = (source: string, body: object) =>
    bench.client.json(`${sandbox}/__sandbox/faults/${source}`, { method: "PUT", body });
  const used = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${key}` };
    const me = await bench.client.json<{ usage: { used: number } }>(`${url}/v1/me`, { headers });
    return me.usage.used;
  };
  const cost = async (name: string, args: Members): Promise<number> => {
    const earlier = await used();
    await call(name, args);
    return (await used()) - earlier;
  };

  test("a vehicle has its link, range, battery and type as its operator has them", async () => {
    const searched = await Promise.all(
      ["scooter", "car"].map((mode) => find("search_mobility_nearby", { ...PARIS, modes: [mode] })),
    );
    const truth = await truthAt(PARIS, 450);
    let [ranges, batteries, links] = [0, 0, 0];
    for (const result of searched.flat().filter(({ kind }) => kind === "vehicle")) {
      const { place, provenance, sources } = await get(result);
      assert.deepEqual([place.kind, place.id], ["vehicle", result.id]);
      assert.equal(place.distance_meters, 0);
      const own = truth.find(({ sources: named_sources }) =>
        named_sources.some(({ source_id }) => source_id === result.id),
      );
      assert.ok(own, result.id);
      const { action_state } = place as unknown as { action_state: { pickup: string } };
      assert.equal(action_state.pickup === "available_now", own["available"] === 1, result.id);
      assert.equal("return" in action_state, false);
      if (place["range_m"] !== undefined && ++ranges)
        assert.equal(place["range_m"], own["range_m"]);
      if (place["battery"] !== undefined && ++batteries)
        assert.ok(Math.abs((place["battery"] as number) - (own["charge"] as number) * 100) <= 1);
      const uris = (place["rental_uris"] ?? {}) as Record<string, string>;
      const bare = result.id.slice(result.id.indexOf(":") + 1);
      if (uris["web"] && ++links) assert.ok(uris["web"].includes(bare), uris["web"]);
      assert.equal(provenance[0]!.source_id, sources[0]);
      assert.match(provenance[0]!.fetched_at ?? "", /\+01:00$/);
    }
    assert.ok(ranges > 3 && links > 3 && batteries > 0, `${ranges} ${links} ${batteries}`);
  });

  test("the rules of riding and parking are those of the vehicle's own place and network", async () => {
    const zonesAt = async (at: Point, place: Members): Promise<object[] | null> => {
      const mode = String(place["mode"]);
      const query = { lat: at.lat, lon: at.lon, radius: 1, modes: mode, include: "zones" };
      const { zones = [] } = (await bench.client.nearby(bench.started.service, query)).results;
      return zones.find(({ network }) => network.id === place["network_id"])?.rules ?? null;
    };
    const operator = createWorld(SEED).operators.find(({ id }) => id === "paris-zigzag")!;
    const corners = listZones(operator).flatMap(({ ring }) =>
      ring.slice(1).map(([lon, lat]) => ({ lat, lon })),
    );
    const what = "its zones, which are read after the first answer that needs them";
    const scooter = { mode: "scooter", network_id: operator.id };
    await eventually(() => zonesAt(corners[0]!, scooter), { within_ms: 30_000, what });
    let [none, other] = [0, 0];
    // At a corner of a zone the rules are not those of every vehicle around it. Vehicles move, so
    // that some corners may have none.
    for (const at of [BERLIN, ...corners]) {
      if (none > 0 && other > 0) break;
      const match = await find("search_mobility_nearby", { ...at, modes: ["scooter", "moped"] });
      for (const result of match.filter(({ kind }) => kind === "vehicle")) {
        const called = await call("get_place", { id: result.id, lat: at.lat, lon: at.lon });
        const { place } = resultOf(called) as unknown as Full;
        const own = await zonesAt(result.location, place);
        const listed = place["zone_rules"] as object[] | null;
        assert.equal(listed === null, own === null, result.id);
        // Of kinds of vehicles the one that it is.
        const all = new Set(own?.map((rule) => JSON.stringify(rule)));
        for (const rule of listed ?? []) assert.ok(all.has(JSON.stringify(rule)), result.id);
        if (own === null) none++;
        else if (JSON.stringify(await zonesAt(at, place)) !== JSON.stringify(own)) other++;
      }
    }
    assert.ok(none > 0 && other > 0, `${none} ${other} of ${corners.length} corners`);
  });

  test("a docking station has what GET /v1/nearby says of it, and of when each source is", async () => {
    const match = await find("search_mobility_nearby", { ...PARIS, modes: ["bicycle"] });
    const result = match.find(({ kind }) => kind === "station")!;
    const { place, provenance, status } = await get(result);
    const { results } = await bench.client.nearby(bench.started.service, result.location);
    const published = results.stations.find(({ id }) => id === result.id)!;
    const own = withPlaceTimes({ ...published, time_zone: "Europe/Paris" });
    assert.equal(status, "success");
    for (const name of ["name", "availability", "capacity", "rental_uris", "address"] as const)
      assert.deepEqual(place[name], own[name], name);
    assert.equal(provenance.length, own.provenance!.length);
    assert.ok(provenance.every(({ observed_at }) => observed_at !== null));
  });

  test("services have every attribute: codes of lockers, connectors of chargers", async () => {
    const match = await find("find_urban_services", {
      ...PARIS,
      types: ["locker", "charging", "toilets", "parking"],
    });
    const truth = await truthAt(PARIS, 1_600);
    const seen = { locker: 0, charging: 0, toilets: 0, parking: 0 };
    for (const result of match) {
      const type = result.service_type as keyof typeof seen;
      if (seen[type]++ > 2) continue;
      const { place, omitted } = await get(result);
      assert.deepEqual([place.id, omitted], [result.id, undefined]);
      const attributes = place["attributes"] as Members;
      const own = truth.find(({ sources }) =>
        sources.some(({ source_id }) => source_id === place["external_id"]),
      );
      if (type === "locker") {
        assert.equal(attributes["code"], place["external_id"]);
        assert.equal(own?.service_type, "locker");
      }
      if (type !== "charging") continue;
      const charging = attributes["charging"] as { connectors: object[]; connector_count: number };
      const { connector_count } = own!["charging"] as { connector_count: number };
      assert.equal(charging.connector_count, connector_count);
      assert.ok(charging.connectors.length > 0);
    }
    assert.ok(seen.locker > 0 && seen.charging > 0 && seen.toilets > 0, JSON.stringify(seen));
  });

  test("a transit station is found by its id alone, whichever tool named it, with lines and departures", async () => {
    const [station] = await find("find_transit_stations", PARIS);
    const [departure] = resultOf(await call("find_departures", PARIS)).results;
    for (const id of [station!.id, departure!["station_id"]]) {
      const full = resultOf(await call("get_place", { id })) as unknown as Full;
      const { lines, lines_total, departures } = full.place as unknown as {
        lines: object[];
        lines_total: number;
        departures: object[];
      };
      assert.equal(full.place.kind, "transit_station");
      assert.ok(lines_total > 0 && lines.length === lines_total);
      assert.ok(departures.length > 0 && departures.length <= PLACE_DEPARTURES.shown_max);
    }
  });

  test("departures of another time, of one station and to a place say what was looked at", async () => {
    type Board = Members & {
      window: { from: string; to: string };
      warnings?: Members[];
      unknown?: { toward: number };
      radius?: number;
      results: (Members & { station_id: string; toward?: { name: string } | null })[];
    };
    const ask = async (args: Members): Promise<Board> =>
      resultOf(await call("find_departures", args)) as unknown as Board;
    const wide = await ask({ ...PARIS, within: 1_200 });
    assert.deepEqual(wide.warnings, [{ argument: "within", requested: 1_200, applied: 360 }]);
    const minutes = (Date.parse(wide.window.to) - Date.parse(wide.window.from)) / 60_000;
    assert.ok(minutes >= 360 && minutes <= 361, `${minutes}`);
    assert.equal((await ask(PARIS)).warnings, undefined);
    const { station_id } = wide.results[0]!;
    const last = await ask({ station_id, last: true });
    assert.match(last.window.from, /T04:00:00\+01:00$/);
    assert.ok(last.results.length > 0 && last.radius === undefined);
    assert.deepEqual([...new Set(last.results.map((each) => each.station_id))], [station_id]);
    const headsign = String(last.results[0]!["headsign"]);
    const toward = await ask({ ...PARIS, toward: headsign, within: 360 });
    assert.ok(
      toward.results.length > 0 && toward.results.every((each) => each.toward !== undefined),
    );
    const unknown = toward.results.filter((each) => each.toward === null).length;
    assert.ok(toward.unknown!.toward >= unknown && unknown < toward.results.length);
    const evening = await ask({ ...PARIS, at: "22:00" });
    assert.match(evening.window.from, /T22:00:00\+01:00$/);
    for (const [args, message] of [
      [{}, /station_id, and one of these alone/],
      [{ ...PARIS, station_id }, /station_id, and one of these alone/],
      [{ ...PARIS, at: "soon" }, /at must be/],
      [{ ...PARIS, at: "2029-01-01T10:00" }, /at must be an RFC 3339 time/],
      [{ ...PARIS, first: true, last: true }, /first and last/],
    ] as const)
      assert.match(errorOf(await call("find_departures", args)).message, message);
    const gone = errorOf(await call("find_departures", { station_id: `${station_id}x` }));
    assert.equal(gone.code, "unknown_station");
  });

  test("an id that needs a point, is none, or is not there is refused by a message that says so", async () => {
    const refused = async (args: Members) => errorOf(await call("get_place", args));
    const station = "svc_station_aaaaaaaaaaaaaaaaaaaa";
    const missing = await refused({ id: station });
    assert.equal(missing.code, "invalid_request");
    assert.match(missing.message, /arguments\.lat and arguments\.lon/);
    assert.match((await refused({ id: "nonsense", ...PARIS })).message, /arguments\.id/);
    assert.match((await refused({ ...PARIS })).message, /arguments\.id/);
    const forgotten = await refused({ id: "svc_transport_station_aaaaaaaaaaaaaaaaaaaa" });
    assert.equal(forgotten.code, "invalid_request");
    assert.equal((await refused({ id: station, ...PARIS })).code, "result_not_found");
    const elsewhere = await refused({ id: "nowhere:1", ...PARIS });
    assert.match(elsewhere.message, /own lat and lon/);
  });

  test("a docking station is found by its id alone, as by its id and point", async () => {
    const [station] = (await find("search_mobility_nearby", { ...PARIS })).filter(
      ({ kind }) => kind === "station",
    );
    const alone = resultOf(await call("get_place", { id: station!.id })) as unknown as Full;
    assert.equal(alone.place["id"], station!.id);
    const placed = await get(station!);
    assert.deepEqual(alone.place["location"], placed.place["location"]);
    assert.deepEqual(alone.sources, placed.sources);
  });

  test("what a source that failed may know is not called gone", async () => {
    const far = { lat: 48.86, lon: 2.36 };
    const cases = [
      { source: "gbfs:paris-trotti-lune", at: PARIS, id: "paris-trotti-lune:none" },
      { source: "inpost", at: far, id: "svc_place_aaaaaaaaaaaaaaaaaaaa" },
      { source: "navitia", at: far, id: "svc_transport_station_aaaaaaaaaaaaaaaaaaaa" },
    ];
    for (const { source, at, id } of cases) {
      await put(source, { fault: "http_500" });
      // What is held becomes too old to be used without asking.
      await alignToMinute(bench.client, sandbox, 600);
      const unknown = errorOf(await call("get_place", { id, ...at }));
      assert.equal(unknown.code, "result_unknown", `${source}: ${unknown.message}`);
      assert.equal(await cost("get_place", { id, ...at }), 0, source);
      await put(source, { fault: "none" });
      await alignToMinute(bench.client, sandbox, 600);
      const gone = errorOf(await call("get_place", { id, ...at }));
      assert.equal(gone.code, "result_not_found", `${source}: ${gone.message}`);
    }
  });

  test("each costs what it asks: a search, maps categories, lines and departures, both halves of the weather", async () => {
    const mobility = await find("search_mobility_nearby", PARIS);
    const types = ["toilets", "charging", "parking"];
    const services = await find("find_urban_services", { ...PARIS, types });
    const [station] = await find("find_transit_stations", PARIS);
    const priceOf = ({ id, location }: Result) => cost("get_place", { id, ...location });
    assert.equal(await priceOf(mobility[0]!), UNITS.getNearby);
    for (const [index, type] of types.entries())
      assert.equal(
        await priceOf(services.find((each) => each.service_type === type)!),
        UNITS.getServicesNearby + index,
      );
    assert.equal(await priceOf(station!), UNITS.getTransportNearby + UNITS.getStationDepartures);
    assert.equal(await cost("get_place", { id: "svc_station_a", ...PARIS }), 0);
    assert.equal(
      await cost("get_place", { id: "svc_place_a", ...PARIS }),
      UNITS.getServicesNearby + 2,
    );
    assert.equal(await cost("get_weather", PARIS), UNITS.getWeather + UNITS.getForecast);
  });

  test("the weather is that of the legacy routes, in stated units, for the hours asked", async () => {
    const at = `${PARIS.lat},${PARIS.lon}`;
    const current = await bench.client.json<WeatherBodyValue>(`${url}/realtime/${at}/weather/en`);
    const coming = await bench.client.json<ForecastBodyValue>(`${url}/realtime/${at}/forecast/en`);
    const { now, forecast, sunrise, sunset, ...weather } = await weatherAt(PARIS, 24);
    assert.deepEqual([weather.status, weather.time_zone], ["success", "Europe/Paris"]);
    assert.equal(Date.parse(now!.at), current.dt * 1_000);
    assert.equal(now!.basis, "observed");
    assert.deepEqual(
      [now!.temperature_c, now!["wind_ms"], now!["condition"], now!["description"]],
      [
        current.main.temp,
        current.wind.speed,
        current.weather[0]!.main,
        current.weather[0]!.description,
      ],
    );
    const steps = forecast!.map(({ until }) => Date.parse(until) / 1_000);
    const listed = coming.list.filter(({ dt }) => steps.includes(dt));
    assert.deepEqual(
      steps,
      listed.map(({ dt }) => dt),
    );
    for (const [index, step] of forecast!.entries()) {
      const { pop, rain, snow } = listed[index]!;
      assert.equal(Date.parse(step.until) - Date.parse(step.from), 3 * HOUR_MS);
      assert.equal(step["precipitation_probability_percent"], Math.round(pop! * 100));
      const fell = rain || snow ? (rain?.["3h"] ?? 0) + (snow?.["3h"] ?? 0) : null;
      assert.equal(step["precipitation_mm"] || null, fell);
    }
    const until = Date.parse(forecast!.at(-1)!.until) - bench.started.service.clock.now();
    assert.ok(until >= 24 * HOUR_MS && until < 27 * HOUR_MS, String(until));
    assert.ok((await weatherAt(PARIS, 1)).forecast!.length <= 2);
    assert.match(`${sunrise} ${sunset}`, /^\S+T0[5-9]\S+ \S+T(1[5-9]|2[0-2])\S+$/);
    assert.deepEqual(weather.sources, ["openweathermap"]);
    assert.equal(weather.attribution[0]!.source_id, "openweathermap");
    const refused = errorOf(await call("get_weather", { ...PARIS, hours: 25 }));
    assert.match(refused.message, /arguments\.hours.*1 to 24/);
  });

  test("it rains where and when it does in the simulated world", async () => {
    const seen = { wet: 0, dry: 0 };
    for (const lat of [-30, 10, 35, 48, 60])
      for (const lon of [-100, -20, 2, 70, 140]) {
        const { forecast } = await weatherAt({ lat, lon }, 24);
        for (const { from, until, precipitation_mm } of forecast!) {
          const begin_ms = Date.parse(from);
          assert.equal(Date.parse(until) - begin_ms, 3 * HOUR_MS);
          const hours = [0, 1, 2].map((n) => fallIn(SEED, { lat, lon }, begin_ms + n * HOUR_MS));
          const fell = hours.reduce((sum, { mm }) => sum + mm, 0);
          // A source may leave out what did not fall: that is not known, and never rain.
          assert.ok(Math.abs(((precipitation_mm as number | null) ?? 0) - fell) < 0.01, from);
          seen[fell > 0 ? "wet" : "dry"]++;
        }
      }
    assert.ok(seen.wet > 3 && seen.dry > 20, JSON.stringify(seen));
  });

  test("half of the weather is partial and costs half; without either there is an error, never a fine day", async () => {
    const at = { lat: 48.9, lon: 2.4 };
    await put("openweathermap", { fault: "http_500", path: "/data/2.5/forecast" });
    const half = await weatherAt(at);
    assert.deepEqual([half.status, half.forecast], ["partial", null]);
    assert.ok(half.now);
    assert.match(half.message!, /OpenWeatherMap/);
    assert.equal(await cost("get_weather", at), UNITS.getWeather);
    await put("openweathermap", { fault: "none" });
    await put("openweathermap", { fault: "http_500" });
    const args = { lat: 48.7, lon: 2.2 };
    const none = errorOf(await call("get_weather", args));
    assert.match(none.code, /^provider_/);
    assert.match(none.message, /OpenWeatherMap/);
    assert.equal(await cost("get_weather", args), 0);
    await put("openweathermap", { fault: "none" });
  });
});
