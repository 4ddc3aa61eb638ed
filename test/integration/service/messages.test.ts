/**
 * What callers read when a source of the simulator fails, or when there is none: the source, the
 * cause in a word, the age of what is shown instead, and what to do (decisions, Messages).
 */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { NearbyBodyValue } from "#api/nearby.ts";
import type { ServicesBodyValue } from "#api/services.ts";
import type { TransportBodyValue } from "#api/transit.ts";
import { advance, type Client, serviceFor, serve } from "./support.ts";

const PARIS = { lat: 48.8566, lon: 2.3522 };

/** Fault of the simulator → the word for its cause. */
const WORDS: readonly (readonly [fault: string, words: RegExp])[] = [
  ["http_401", /^refused our key$/],
  ["http_429", /^is over its allowance$/],
  ["http_500", /^answers with errors$/],
  ["garbage", /^is unreadable$/],
  ["truncated", /^is unreadable$/],
  ["reset", /^is (unreadable|unreachable)$/],
  ["timeout", /^is too slow$/],
];

type Body = ServicesBodyValue | TransportBodyValue | NearbyBodyValue;
type Search = {
  /** In `PUT /__sandbox/faults/SOURCE`. */
  source: string;
  name: string;
  path: string;
  query: Record<string, string>;
};

const SEARCHES: readonly Search[] = [
  { source: "google_maps", name: "Sandbox Maps", path: "/v1/parking/nearby", query: {} },
  { source: "google_maps", name: "Sandbox Maps", path: "/v1/charging/nearby", query: {} },
  {
    source: "refuge_restrooms",
    name: "Refuge Restrooms",
    path: "/v1/services/nearby",
    query: { types: "toilets" },
  },
  {
    source: "openstreetmap",
    name: "OpenStreetMap",
    path: "/v1/services/nearby",
    query: { types: "fountain" },
  },
  {
    source: "inpost",
    name: "InPost",
    path: "/v1/services/nearby",
    query: { types: "locker", country: "FR" },
  },
  {
    source: "navitia",
    name: "Navitia",
    path: "/v1/transport/nearby",
    query: { providers: "navitia" },
  },
  {
    source: "transitland",
    name: "Transitland",
    path: "/v1/transport/nearby",
    query: { providers: "transitland" },
  },
];

function addressOf(url: string, path: string, query: Record<string, string | number>): string {
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return `${url}${path}?${new URLSearchParams(pairs).toString()}`;
}

/** What is said of the source in a message: "… Navitia is too slow; …". */
function wordsOf(message: string, name: string): string {
  const at = message.indexOf(`${name} `);
  assert.ok(at >= 0, `${name} is not named: ${message}`);
  return message.slice(at + name.length + 1).split(/[;,.]/)[0]!;
}

describe("one source fails", () => {
  const brief = { timeout_ms: 2_500 };
  const names = ["google_maps", "refuge_restrooms", "inpost", "navitia", "transitland"];
  const sources = {
    ...Object.fromEntries([...names, "openweathermap"].map((name) => [name, brief])),
    openstreetmap: { services_timeout_ms: brief.timeout_ms },
  };
  const at = serviceFor({ settings: { sources } });
  const { client } = at;
  let sandbox_url = "";
  before(() => {
    sandbox_url = at.started.service.sandbox!.url;
  });

  let moves = 0;
  for (const { source, name, path, query } of SEARCHES)
    test(`${path} ${JSON.stringify(query)}: each fault of ${source} is named with its cause`, async () => {
      for (const [fault, words] of WORDS) {
        // Nothing is held of a point that was not asked before; what the last fault did is over.
        const lat = PARIS.lat + ++moves * 0.02;
        await heal(client, sandbox_url);
        const put = { method: "PUT", body: { fault } };
        await client.json(`${sandbox_url}/__sandbox/faults/${source}`, put);
        const address = addressOf(at.started.service.url, path, { ...PARIS, lat, ...query });
        const body = await client.json<Body>(address);
        const what = `${fault}: ${JSON.stringify(body).slice(0, 400)}`;
        assert.equal(body.status, "partial", what);
        assert.match(wordsOf(body.message!, name), words, what);
        const notice = body.notices!.find((each) => each.source === name);
        assert.ok(notice, what);
        assert.match(
          `${/^(refused|answers)/.test(notice.cause!) ? "" : "is "}${notice.cause}`,
          words,
        );
        const advice = fault === "http_401" ? /until the operator acts\.$/ : /again in a moment\.$/;
        assert.match(body.message!, advice, what);
      }
      await heal(client, sandbox_url);
    });

  test("geocoding and weather: the failure of their one source is named, whatever the status", async () => {
    for (const [source, name, path] of [
      ["google_maps", "Sandbox Maps", "/v1/geocode?q=ABC"],
      ["openweathermap", "OpenWeatherMap", "/realtime/48.8566,2.3522/weather/en"],
    ] as const)
      for (const [fault, words] of WORDS) {
        await heal(client, sandbox_url);
        const put = { method: "PUT", body: { fault } };
        await client.json(`${sandbox_url}/__sandbox/faults/${source}`, put);
        const lat = (PARIS.lat + ++moves * 0.02).toFixed(4);
        const reply = await client.call(
          `${at.started.service.url}${path.replace("ABC", `q${moves}`).replace("48.8566", lat)}`,
        );
        const { error } = JSON.parse(reply.text) as { error: { message: string } };
        const what = `${path} ${fault}: ${reply.status} ${reply.text}`;
        assert.ok([502, 503, 504].includes(reply.status), what);
        assert.match(wordsOf(`${error.message}.`, name).split(":")[0]!, words, what);
      }
    await heal(client, sandbox_url);
  });

  test("old data in place of newer ones are said to be old, and how old", async () => {
    const path = "/v1/nearby";
    const ask = (): Promise<NearbyBodyValue> =>
      client.json(addressOf(at.started.service.url, path, PARIS));
    await ask();
    const put = { method: "PUT", body: { fault: "http_500" } };
    for (const source of ["gbfs", "citybikes"])
      await client.json(`${sandbox_url}/__sandbox/faults/${source}`, put);
    await advance(client, sandbox_url, 8 * 60);
    const { status, message, notices } = await ask();
    assert.equal(status, "partial");
    assert.match(message!, / answers with errors, its data are 8 minutes old/);
    assert.ok(
      notices!.some(({ age_s }) => age_s !== null && age_s >= 480 && age_s < 600),
      `${message}`,
    );
    await heal(client, sandbox_url);
  });

  test("a source that names no more than its nearest is said to, with where its list ends", async () => {
    const body = await client.json<ServicesBodyValue>(
      addressOf(at.started.service.url, "/v1/parking/nearby", { ...PARIS, radius: 5000 }),
    );
    assert.equal(body.status, "success", `${body.message}`);
    const [notice] = body.notices!;
    assert.match(notice!.message, /^Sandbox Maps names at most 20 places of parking, so that some/);
    assert.equal(notice!.cut!.within_m, body.results.at(-1)!.distance_meters);
  });

  test("GeoJSON: places are features and are what is billed; lines and debug are in meta", async () => {
    const query = { ...PARIS, include: "places,lines", debug: "true" };
    await client.call(
      addressOf(at.started.service.url, "/v1/services/nearby", { ...PARIS, types: "toilets,aed" }),
    );
    const json = await client.json<NearbyBodyValue>(
      addressOf(at.started.service.url, "/v1/nearby", query),
    );
    assert.ok(json.results.places.length > 0, "places are held");
    type Geo = {
      features: { id: string }[];
      meta: { lines: object[]; debug: { usage: { units: number } } };
    };
    const geo = await client.json<Geo>(
      addressOf(at.started.service.url, "/v1/nearby", { ...query, format: "geojson" }),
    );
    assert.deepEqual(
      geo.features.map(({ id }) => id),
      json.results.places.map(({ id }) => id),
    );
    assert.deepEqual(geo.meta.lines, json.results.lines);
    assert.equal(geo.meta.debug.usage.units, 1);
    const none = await client.json<Geo>(
      addressOf(at.started.service.url, "/v1/nearby", {
        ...PARIS,
        include: "lines",
        format: "geojson",
        debug: "true",
      }),
    );
    assert.deepEqual([none.features.length, none.meta.debug.usage.units], [0, 0]);
  });
});

async function heal(client: Client, sandbox_url: string): Promise<void> {
  await client.json(`${sandbox_url}/__sandbox/faults`, { method: "DELETE" });
  // Circuits and waits that a fault has left are over by then.
  await advance(client, sandbox_url, 400);
}

test("nothing is configured: said as that, and never to be tried again", async (t) => {
  const off = { enabled: false };
  const names = ["gbfs", "citybikes", "openstreetmap", "refuge_restrooms", "openaedmap", "geodae"];
  const others = ["inpost", "gtfs", "navitia", "transitland", "met_norway", "openweathermap"];
  const maps = ["google_maps", "photon", "nominatim", "pelias"];
  const sources = Object.fromEntries([...names, ...others, ...maps].map((id) => [id, off]));
  const { client, service } = await serve(t, { settings: { sources } });
  const ask = async (path: string, query: Record<string, string> = {}) => {
    const reply = await client.call(addressOf(service.url, path, { ...PARIS, ...query }));
    const body = JSON.parse(reply.text) as { message?: string; error?: { message: string } };
    assert.ok(body.message ?? body.error, reply.text);
    return { reply, message: body.error?.message ?? body.message ?? "" };
  };
  for (const [path, query, words] of [
    ["/v1/nearby", {}, /^No source of shared mobility is configured;/],
    ["/v1/services/nearby", { types: "wifi" }, /no source of wifi is configured;/],
    ["/v1/parking/nearby", {}, /no source of parking is configured;/],
    ["/v1/transport/nearby", {}, /no source of public transport is configured;/],
    ["/v1/geocode", { q: "Paris" }, /is not configured:/],
    ["/realtime/48.8566,2.3522/weather/en", {}, /^The source of weather is not configured:/],
  ] as const) {
    const { reply, message } = await ask(path, query);
    assert.match(message, words, path);
    assert.match(message, /asking again changes nothing until the operator acts\.?$/, path);
    assert.doesNotMatch(message, /again (in|later)/, path);
    assert.equal(reply.headers["retry-after"], undefined, path);
  }
});
