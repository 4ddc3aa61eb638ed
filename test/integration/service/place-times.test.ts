/**
 * Decisions, Times about a place: in additions, in answers of the tools and on the command line they have
 * the offset of the place; members of the contract are in UTC.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Client as Host } from "@modelcontextprotocol/client";
import { AGENT_TOOLS, type AgentToolName, STATION_RESOURCE } from "#api/agent-tools.ts";
import { run } from "../../unit/cli/support.ts";
import { connect, resultOf } from "../../support/mcp.ts";
import { serviceFor } from "./support.ts";

const BERLIN = { lat: 52.52, lon: 13.405 };
const AT = `lat=${BERLIN.lat}&lon=${BERLIN.lon}`;
/** In winter, when all tests begin. */
const OFFSET = "+01:00";
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

type Members = Record<string, unknown>;

/** Paths of times by their ends; members of lists have one path. */
function timesOf(value: unknown, path = "", match = new Map<string, string>()) {
  if (typeof value === "string" && TIME.test(value))
    match.set(path, value.endsWith("Z") ? "Z" : value.slice(-OFFSET.length));
  if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value))
      timesOf(member, Array.isArray(value) ? path : path === "" ? name : `${path}.${name}`, match);
  return match;
}

const pathsWith = (end: string, value: unknown): string[] =>
  [...timesOf(value)].flatMap(([path, each]) => (each === end ? [path] : [])).sort();

describe("times about a place", () => {
  const bench = serviceFor({});
  let host: Host;
  let url = "";
  before(async () => {
    ({ url } = bench.started.service);
    const { key } = bench.started.service.keys.find(({ plan }) => plan === "unlimited")!;
    host = await connect(url, { key });
  });
  after(() => host.close());

  async function call(
    name: AgentToolName,
    args: Members,
  ): Promise<Members & { results: Members[] }> {
    return resultOf(await host.callTool({ name, arguments: args }));
  }

  /** Times that are about no place: of an answer about several. */
  const EXCEPT: Partial<Record<AgentToolName, string[]>> = {
    compare_places: ["freshness.answered_at"],
  };

  test("every tool answers by one clock, that of the place", async () => {
    const search = await call("search_mobility_nearby", BERLIN);
    const { id, version } = search["dataset"] as { id: string; version: string };
    const departures = await call("find_departures", BERLIN);
    const station = departures.results[0]!["station_id"];
    const near = `${BERLIN.lat},${BERLIN.lon}`;
    const answers: Record<AgentToolName, Members> = {
      ask_here: await call("ask_here", { ...BERLIN, wishes: ["toilet:open", "tram:last", "bike"] }),
      search_mobility_nearby: search,
      find_departures: departures,
      find_urban_services: await call("find_urban_services", {
        ...BERLIN,
        types: ["charging", "toilets"],
      }),
      find_transit_stations: await call("find_transit_stations", BERLIN),
      find_places: await call("find_places", { ...BERLIN, classes: ["toilets"] }),
      geocode: await call("geocode", { q: "Berlin" }),
      reverse_geocode: await call("reverse_geocode", BERLIN),
      get_place: await call("get_place", { ...BERLIN, id: search.results[0]!["id"] }),
      get_weather: await call("get_weather", BERLIN),
      read_dataset: await call("read_dataset", { id, version }),
      plan_nearby: await call("plan_nearby", { from: near, to: "52.525,13.41" }),
      compare_places: await call("compare_places", { places: [near, "48.8566,2.3522"] }),
      changes_since: await call("changes_since", { id, version }),
      show_map: await call("show_map", { id, version }),
    };
    assert.deepEqual(Object.keys(answers).sort(), Object.keys(AGENT_TOOLS).sort());
    for (const [name, answer] of Object.entries(answers)) {
      assert.deepEqual(pathsWith("Z", answer), EXCEPT[name as AgentToolName] ?? [], name);
      assert.ok(pathsWith(OFFSET, answer).length > 0, `${name} has none`);
    }
    const last = await call("find_departures", { station_id: station, last: true });
    assert.deepEqual(pathsWith("Z", last), [], "the last ones of a station");
    assert.ok(pathsWith(OFFSET, last).includes("window.from"));
    const full = await call("get_place", { id: station });
    assert.deepEqual(pathsWith("Z", full), [], "a station of public transport");
    assert.ok(pathsWith(OFFSET, full).includes("place.departures.planned_at"));
    // The nearest result is often a vehicle: a docking station has times of its own.
    const docks = search.results.find(({ kind }) => kind === "station")!;
    const { contents } = await host.readResource({
      uri: STATION_RESOURCE.replace("{id}", String(docks["id"])),
    });
    const text = JSON.parse((contents[0] as { text: string }).text) as Members;
    assert.deepEqual(pathsWith("Z", text), [], "a station that can be watched");
    assert.ok(pathsWith(OFFSET, text).includes("station.availability.observed_at"));
  });

  /** Members of the contract that are times, by operation; all others have the offset. */
  const OPERATIONS: readonly [path: string, utc: RegExp | null, local: string[]][] = [
    [
      "/v1/departures/nearby",
      null,
      ["local_time", "results.departures.planned_at", "window.from", "window.to"],
    ],
    ["/v1/nearby", /^/, []],
    [
      "/v1/services/nearby",
      /^base\.|availability_updated_at$/,
      ["local_time", "results.attributes.usable.until"],
    ],
    [
      "/v1/charging/nearby",
      /^base\.|availability_updated_at$/,
      ["local_time", "results.attributes.usable.until"],
    ],
    ["/v1/parking/nearby", /^base\./, ["local_time", "results.attributes.usable.until"]],
    ["/v1/transport/nearby", /freshness\.fetched_at$/, []],
  ];

  for (const [path, utc, local] of OPERATIONS)
    test(`GET ${path}: additions have the offset, the contract's members are in UTC`, async () => {
      const types = path.includes("services") ? "&types=locker,toilets,aed,charging" : "";
      const body = await bench.client.json<Members>(`${url}${path}?${AT}${types}`);
      const wrong = pathsWith("Z", body).filter((each) => !utc?.test(each));
      assert.deepEqual(wrong, []);
      const here = pathsWith(OFFSET, body);
      for (const each of local) assert.ok(here.includes(each), `${each} of ${here.join()}`);
      assert.deepEqual(pathsWith("Z", body).length + here.length, timesOf(body).size);
    });

  for (const [command, ...more] of [
    ["departures"],
    ["services", "--types", "toilets"],
    ["charging"],
    ["parking"],
    ["weather"],
  ] as const)
    test(`vicinity ${command} says by which offset its times are`, async () => {
      const where = `${BERLIN.lat},${BERLIN.lon}`;
      const { out, err } = await run([command, where, ...more, "--url", url], { fetch });
      assert.match(out, /UTC\+01:00/, err);
    });
});
