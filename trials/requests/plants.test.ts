/**
 * Planted bugs: good replies of the running program, each with one thing made wrong, are all caught by
 * the laws of the generated requests (docs/lab/requests.md).
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Program, startProgram } from "../program.ts";
import { listOperations } from "./description.ts";
import type { Context } from "./laws/context.ts";
import { checkReply } from "./laws/reply.ts";
import type { ApiRequest } from "./requests.ts";
import { createOracle, type Oracle } from "./verdict.ts";
import { openConnection, readText, type Reply, toWire } from "./wire.ts";
import { openContext, plainRequest } from "./run.ts";
import { untilWalked } from "./base.ts";
import { PLANTS_ON_FOOT } from "./plants-on-foot.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- bodies are bent at will
type Body = any;
type Bend = (body: Body) => void;

const PARIS = "lat=48.8566&lon=2.3522";
const SWAP = (list: unknown[]): void => void list.push(list.shift());

/** By request: what is planted into its answer. */
const PLANTS: Readonly<Record<string, Readonly<Record<string, Bend>>>> = {
  ...PLANTS_ON_FOOT,
  [`/v1/nearby?${PARIS}&include=stations,lines&limit=20&debug=true`]: {
    "a page one short": (body) => body.results.stations.pop(),
    "not sorted": (body) => SWAP(body.results.stations),
    "another Earth radius": (body) => (body.results.stations[3].distance_meters *= 1.01),
    "a station twice": (body) => (body.results.stations[1] = body.results.stations[0]),
    "an unknown number of docks as 0": (body) => {
      const station = body.results.stations.find((one: Body) => one.availability?.docks > 0);
      station.availability.docks = 0;
    },
    "counted, though not observed": (body) =>
      (body.results.stations[0].availability.observed_at = null),
    "modes that do not add up": (body) =>
      (body.results.stations[0].availability.by_mode.bicycle += 1),
    "actions of some only": (body) => body.available_actions.pop(),
    "a mode that was not asked for": (body) => (body.results.stations[0].mode = "spaceship"),
    "a line out of order": (body) => SWAP(body.results.lines),
    "a line without stations": (body) => (body.results.lines[0].station_ids = []),
    "a message with success": (body) => {
      body.status = "success";
      body.message = "well";
    },
    "empty with results": (body) => {
      body.status = "empty";
      body.message = "nothing";
    },
    "success though a source failed": (body) => {
      body.status = "success";
      delete body.message;
      body.debug.sources[0].status = "failed";
    },
    "units for nothing": (body) => (body.debug.usage.units += 1),
    "another point": (body) => (body.query_origin.lat += 0.001),
    "a member missing": (body) => delete body.radius,
    "alerts not asked for": (body) => body.results.alerts.push(...body.results.lines),
  },
  [`/v1/nearby?${PARIS}&limit=1000&radius=5000`]: {
    "no warning for a capped limit": (body) => body.warnings.pop(),
    "the limit not capped": (body) => (body.limit = 1000),
    "debug that was not asked for": (body) => (body.debug = {}),
  },
  [`/v1/nearby?${PARIS}&format=geojson&limit=5`]: {
    "a feature too few": (body) => body.features.pop(),
    "longitude before latitude": (body) => SWAP(body.features[0].geometry.coordinates),
  },
  [`/v1/services/nearby?${PARIS}&types=toilets,parking,charging,drinking_water,fountain&limit=200&debug=true`]:
    {
      "the summary after the cut": (body) => (body.summary.toilets += 1),
      "a total of its own": (body) => (body.total += 1),
      "a type that was not asked for": (body) => (body.summary.wifi = 0),
      "the farthest shown": (body) => body.results.shift(),
      "distances rounded down": (body) => (body.results[2].distance_meters -= 1),
      "order by id alone": (body) => SWAP(body.results),
      "a place twice": (body) => (body.results[1] = body.results[0]),
      "a source of the wrong type": (body) => (body.results[0].source_type = "gossip"),
      "attribution of another": (body) => body.attributions.push(body.attributions[0]),
      "no attribution": (body) => delete body.attributions,
      "a blank name": (body) => (body.results[0].name = " "),
      "unknown plugs as 0": (body) => {
        const isOpen = (one: Body): boolean =>
          one.service_type === "charging" && one.attributes.charging.available_count === undefined;
        body.results.find(isOpen).attributes.charging.available_count = 0;
      },
      "types of water mixed up": (body) => {
        const water = body.results.find((one: Body) => one.service_type === "drinking_water");
        water.attributes.drinking_water = "no";
      },
      "debug of another limit": (body) => (body.debug.applied_limit = 50),
      "a failing source hidden": (body) =>
        (Object.values<Body>(body.debug.providers)[0].status = "timeout"),
      "unknown shown as empty": (body) => (body.results[0].attributes.operator = ""),
    },
  [`/v1/parking/nearby?${PARIS}&limit=5`]: {
    "more than asked for": (body) => body.results.push({ ...body.results[0], id: "other" }),
    "another radius": (body) => (body.radius = 500),
  },
  [`/v1/transport/nearby?${PARIS}&radius=2000&limit=200&providers=gtfs,navitia&debug=true`]: {
    "a station missing": (body) => {
      body.results.stations.splice(0, 4);
      body.total -= 4;
    },
    "total after the cut": (body) => (body.total += 1),
    "a provider that was not named": (body) => {
      body.results.stations[0].sources[0].provider = "transitland";
    },
    "a source twice": (body) => {
      const { sources } = body.results.stations[0];
      sources.push(sources[0]);
    },
    "flags that say queried": (body) => (body.results.stations[0].realtime.queried = true),
    "a route of another mode": (body) => {
      const station = body.results.stations.find((one: Body) => one.routes.length > 0);
      station.routes[0].mode = "taxi";
    },
    "a route of an unknown operator": (body) => {
      const station = body.results.stations.find((one: Body) => one.routes.length > 0);
      station.routes[0].operator_id = "none";
    },
    "fetched in the future": (body) =>
      (body.results.stations[0].freshness.fetched_at = "2099-01-01T00:00:00Z"),
    "debug that counts what was not shown": (body) =>
      (Object.values<Body>(body.debug.providers)[0].returned_count += 1),
  },
  "/v1/geocode?q=Paris&country=FR": {
    "a query invented": (body) => (body.meta.query = "Berlin"),
    "a total of its own": (body) => (body.meta.total += 1),
    "a country not passed on": (body) => {
      body.results[0].location = { lat: 52.52, lon: 13.405 };
    },
  },
  [`/v1/place-search?q=Tour&${PARIS}`]: {
    "an origin forgotten": (body) => delete body.meta.origin,
  },
  "/realtime/paris/48.8566,2.3522/water": {
    "a record too few": (body) => body.records.pop(),
    "order of distance": (body) => SWAP(body.records),
  },
  "/realtime/48.8566,2.3522/weather/fr": {
    kelvin: (body) => (body.main.temp += 273.15),
  },
};

let program: Program;
let context: Context;
let oracle: Oracle;

before(async () => {
  program = await startProgram();
  const { url, sandbox_url } = program.ready;
  const port = Number(new URL(url).port);
  await untilWalked(port);
  const opened = await openContext({
    port,
    sandbox_url: sandbox_url!,
    keys: program.keys.map(({ key }) => key),
  });
  context = opened.context;
  oracle = createOracle(listOperations(opened.description), context.callers);
});
after(() => program.close());

async function send(request: ApiRequest): Promise<Reply> {
  const connection = await openConnection(Number(new URL(program.ready.url).port));
  const [reply] = await connection.exchange(toWire(request), [request.method]);
  connection.close();
  return reply!;
}

function problemOf(request: ApiRequest, reply: Reply): string | null {
  return checkReply(context, request, reply, oracle.judge(request)).problem;
}

/** The good reply, which the laws accept; feeds and sources may be late at first. */
async function askGood(request: ApiRequest): Promise<Reply> {
  for (let attempt = 0; ; attempt++) {
    const reply = await send(request);
    // Of no other base, nothing is ever known.
    const isWhole = !/"status":"partial"(?!.*"(outside_bases|different_bases)")/.test(
      readText(reply) ?? "",
    );
    if (!isWhole && attempt < 100) {
      await new Promise((resolve) => void setTimeout(resolve, 100));
      continue;
    }
    assert.equal(problemOf(request, reply), null);
    return reply;
  }
}

function withBody(reply: Reply, bend: Bend): Reply {
  const body = JSON.parse(readText(reply)!);
  bend(body);
  return { ...reply, body: Buffer.from(JSON.stringify(body)) };
}

const get = (target: string, headers: Record<string, string> = {}): ApiRequest =>
  plainRequest("GET", target, headers, null);

describe("caught: a wrong meaning", () => {
  for (const [target, plants] of Object.entries(PLANTS))
    test(target, async () => {
      const request = get(target);
      const reply = await askGood(request);
      for (const [name, bend] of Object.entries(plants)) {
        const problem = problemOf(request, withBody(reply, bend));
        assert.notEqual(problem, null, `${name} was not caught`);
      }
    });
});

test("caught: headers that are wrong, or not there", async () => {
  const nearby = get(`/v1/nearby?${PARIS}&limit=3`, { "x-request-id": "plant-1" });
  const good = await askGood(nearby);
  const wrong: Readonly<Record<string, [name: string, value: string | null]>> = {
    "another id": ["x-request-id", "plant-2"],
    "no link to the licences": ["link", null],
    "kept for too long": ["cache-control", "public, max-age=31"],
    "private to an anonymous caller": ["cache-control", "private, max-age=10"],
    "a coding that was not asked for": ["content-encoding", "br"],
    "another type": ["content-type", "text/html"],
    "no CORS": ["access-control-allow-origin", null],
    "deprecated without a token": ["deprecation", "@1767225600"],
    "a header reflected": ["x-host", "evil.example"],
  };
  for (const [what, [name, value]] of Object.entries(wrong))
    assert.notEqual(problemOf(nearby, withHeader(good, name, value)), null, what);
  const debug = get(`/v1/nearby?${PARIS}&debug=true`);
  const cached = withHeader(await askGood(debug), "cache-control", "public, max-age=10");
  assert.notEqual(problemOf(debug, cached), null, "diagnostics that may be cached");
  const bad = get("/v1/me", { authorization: "Bearer x" });
  const refused = await send(bad);
  assert.equal(problemOf(bad, refused), null);
  assert.notEqual(problemOf(bad, withHeader(refused, "www-authenticate", null)), null);
  const put = plainRequest("PUT", "/health", {}, null);
  const answer = await send(put);
  assert.equal(problemOf(put, answer), null);
  assert.notEqual(problemOf(put, withHeader(answer, "allow", null)), null);
});

function withHeader(reply: Reply, name: string, value: string | null): Reply {
  const others = reply.headers.filter(([each]) => each !== name);
  return { ...reply, headers: value === null ? others : [...others, [name, value]] };
}

test("caught: an invalid request accepted, and a refusal that does not say why", async () => {
  const valid = await askGood(get(`/v1/nearby?${PARIS}`));
  for (const query of [
    "lat=0x10&lon=2",
    `${PARIS}&limit=1e1`,
    `${PARIS}&lng=3`,
    `${PARIS}&modes=car,`,
  ]) {
    const request = get(`/v1/nearby?${query}`);
    const refused = await send(request);
    assert.equal(problemOf(request, refused), null);
    assert.notEqual(problemOf(request, { ...valid }), null, `${query} accepted`);
    const bends: Bend[] = [
      (body) => (body.error.code = "not_found"),
      (body) => (body.error.message = "that is wrong"),
      (body) => (body.error.stack = "at"),
    ];
    for (const bend of bends) assert.notEqual(problemOf(request, withBody(refused, bend)), null);
  }
  const far = get(`/v1/nearby?${PARIS}&offset=1001`);
  assert.notEqual(problemOf(far, valid), null, "an offset above the plan");
  assert.notEqual(problemOf(get(`/v1/nearby?${PARIS}`), { ...valid, status: 503 }), null);
});

test("caught: an observation of another request, and datasets that have changed", async () => {
  const key = program.keys.find(({ plan }) => plan === "developer")!.key;
  const args = { lat: 48.8566, lon: 2.3522, radius: 900, modes: ["bicycle", "car"] };
  const correlation = {
    conversation_id: "c",
    interaction_id: "i",
    request_id: "r",
    parent_request_id: null,
    turn_id: 4,
  };
  const body = {
    contract_version: "1.0.0",
    correlation,
    freshness_policy: null,
    request: { capability: "search_mobility", args },
  };
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const bytes = Buffer.from(JSON.stringify(body));
  const search = plainRequest("POST", "/v1/capabilities", headers, bytes);
  const reply = await send(search);
  assert.equal(problemOf(search, reply), null);
  const bends: Bend[] = [
    (json) => (json.correlation.turn_id = "4"),
    (json) => (json.contract_version = "1.0.1"),
    (json) => (json.observation.query_parameters.radius = 900),
    (json) => json.observation.query_parameters.modes.pop(),
    (json) => (json.observation.freshness.fresh += 1),
    (json) => (json.observation.provenance[0].href += "x"),
  ];
  for (const bend of bends)
    assert.notEqual(problemOf(search, withBody(reply, bend)), null, String(bend));
  const { href } = [...context.kept.values()].at(-1)!;
  const read = get(href, { authorization: `Bearer ${key}` });
  const dataset = await send(read);
  assert.equal(problemOf(read, dataset), null);
  assert.notEqual(
    problemOf(
      read,
      withBody(dataset, (json) => (json.total += 1)),
    ),
    null,
  );
  const lost = await send(get(href));
  assert.equal(lost.status, 404);
  assert.equal(problemOf(get(href), lost), null);
  assert.notEqual(problemOf(read, lost), null, "a dataset of its own that is lost");
  assert.notEqual(
    problemOf(get(href), withHeader(dataset, "cache-control", "public, max-age=9")),
    null,
  );
});

test("caught: a tool that accepts an invalid argument or contradicts itself", async () => {
  const call = (args: object): ApiRequest => {
    const params = { name: "geocode", arguments: args };
    const bytes = Buffer.from(
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    );
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    return { ...plainRequest("POST", "/mcp", headers, bytes), operation: "tool geocode" };
  };
  const good = call({ q: "Paris" });
  const reply = await send(good);
  assert.equal(problemOf(good, reply), null);
  const bends: Bend[] = [
    (json) => (json.id = 2),
    (json) => (json.result.structuredContent.total += 1),
    (json) => delete json.result.structuredContent.results,
    (json) => (json.result.content[0].text = "{}"),
  ];
  for (const bend of bends)
    assert.notEqual(problemOf(good, withBody(reply, bend)), null, String(bend));
  const wrong = { ...call({ q: 5 }), refused: { code: "invalid_request", names: ["arguments.q"] } };
  assert.equal(problemOf(wrong, await send(wrong)), null);
  assert.notEqual(problemOf(wrong, reply), null, "q of 5 accepted");
});
