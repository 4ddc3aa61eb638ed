// CityBikes, the open map and MOTIS as the simulator speaks them.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import type { Sandbox } from "../../../sandbox/main.ts";
import { startSandbox } from "../../../sandbox/main.ts";

const NOW_MS = Date.UTC(2026, 8, 21, 12, 0, 30);

type Station = {
  id: string;
  name: string;
  latitude: number;
  longitude: number;
  timestamp: string;
  free_bikes: number | null;
  empty_slots: number | null;
  extra: Record<string, unknown>;
};
type Network = {
  id: string;
  company: string | string[];
  gbfs_href?: string;
  href: string;
  location: { latitude: number; city: string; country: string };
  stations: Station[];
};

const start = (seed = 1): Promise<Sandbox> => startSandbox({ seed, port: 0, now: () => NOW_MS });

async function read<T>(url: string): Promise<T> {
  const response = await fetch(url);
  assert.equal(response.status, 200, url);
  return (await response.json()) as T;
}

const networksOf = async ({ url }: Sandbox): Promise<Network[]> =>
  (await read<{ networks: Network[] }>(`${url}/upstreams/citybikes/v2/networks`)).networks;

const networkOf = async ({ url }: Sandbox, id: string): Promise<Network> =>
  (await read<{ network: Network }>(`${url}/upstreams/citybikes/v2/networks/${id}`)).network;

describe("CityBikes", () => {
  let sandbox: Sandbox;
  before(async () => (sandbox = await start()));
  after(() => sandbox.close());

  test("every city has a network, most of them read from GBFS", async () => {
    const networks = await networksOf(sandbox);
    assert.equal(networks.length, sandbox.cities().length);
    const backed = networks.filter(({ gbfs_href }) => gbfs_href !== undefined);
    assert.ok(backed.length > networks.length / 2 && backed.length < networks.length);
    const known = new Set(sandbox.gbfsSystems().map(({ url }) => url));
    assert.ok(backed.every(({ gbfs_href }) => known.has(gbfs_href!)));
    assert.ok(networks.some(({ company }) => Array.isArray(company)));
    assert.ok(networks.some(({ company }) => typeof company === "string"));
    const countries = new Set(networks.map(({ location }) => location.country.length));
    assert.deepEqual(countries, new Set([2, 3]));
    assert.ok(networks.every(({ id, href }) => href === `/v2/networks/${id}`));
  });

  test("a station's key is the MD5 of its own coordinates, cut to millionths", async () => {
    let checked = 0;
    for (const { id } of await networksOf(sandbox))
      for (const station of (await networkOf(sandbox, id)).stations) {
        const cut = [station.latitude, station.longitude].map((x) => Math.trunc(x * 1e6));
        assert.equal(station.id, createHash("md5").update(cut.join(",")).digest("hex"));
        checked++;
      }
    assert.ok(checked > 1_000, String(checked));
  });

  test("members are of the types that are served, malformed times and nulls among them", async () => {
    const all: Station[] = [];
    for (const { id } of await networksOf(sandbox))
      all.push(...(await networkOf(sandbox, id)).stations);
    const some = (holds: (station: Station) => boolean): boolean => all.some(holds);
    assert.ok(some(({ empty_slots }) => empty_slots === null));
    assert.ok(some(({ timestamp }) => Number.isNaN(Date.parse(timestamp))));
    assert.ok(some(({ timestamp }) => !Number.isNaN(Date.parse(timestamp))));
    assert.ok(some(({ extra }) => extra["renting"] === 1));
    assert.ok(some(({ extra }) => extra["renting"] === true));
    assert.ok(
      some(({ extra }) => extra["uid"] === undefined),
      "stale ones",
    );
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  });

  test("fields narrow, unknown networks are 404, only GET is spoken", async () => {
    const base = `${sandbox.url}/upstreams/citybikes/v2/networks`;
    const { networks } = await read<{ networks: object[] }>(`${base}?fields=id,href`);
    assert.deepEqual(Object.keys(networks[0]!), ["id", "href"]);
    assert.equal((await fetch(`${base}/nowhere`)).status, 404);
    assert.equal((await fetch(base, { method: "POST" })).status, 405);
  });
});

test("CityBikes counts 300 requests an hour, and says how many are left", async (t) => {
  const sandbox = await start();
  t.after(() => sandbox.close());
  const url = `${sandbox.url}/upstreams/citybikes/v2/networks/parisveloseine?fields=id`;
  const first = await fetch(url);
  assert.equal(first.headers.get("x-ratelimit-remaining-hour"), "299");
  assert.equal(first.headers.get("ratelimit-reset"), "3570");
  for (let i = 1; i < 300; i++) assert.equal((await fetch(url)).status, 200);
  const refused = await fetch(url);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get("retry-after"), "3570");
  await fetch(`${sandbox.url}/__sandbox/clock`, { method: "POST", body: '{"advance_s":3600}' });
  assert.equal((await fetch(url)).status, 200);
});

test("the open map and MOTIS answer for the documents they name", async (t) => {
  const sandbox = await start();
  t.after(() => sandbox.close());
  for (const { url } of sandbox.openMapStations()) {
    const { elements } = await read<{ elements: { tags: Record<string, string> }[] }>(url);
    assert.ok(elements.length > 60);
    const numbered = elements.filter(({ tags }) => tags["ref"] !== undefined).length;
    assert.ok(numbered > elements.length / 4 && numbered < elements.length);
  }
  for (const { id, url } of sandbox.motisStations()) {
    const { stations } = await read<{ stations: { providerId: string }[] }>(url);
    assert.ok(stations.filter(({ providerId }) => providerId === id).length > 60, id);
  }
  const bare = `${sandbox.url}/upstreams/motis/api/v1/rentals`;
  assert.equal((await fetch(bare)).status, 400);
});

test("renumbering gives every station a new key, and most of them state the old one", async (t) => {
  const sandbox = await start();
  t.after(() => sandbox.close());
  const system = "berlin-spreerad";
  const stations = async () => {
    const base = `${sandbox.url}/upstreams/gbfs/${system}`;
    const discovery = await read<{
      data: Record<string, { feeds: { name: string; url: string }[] }>;
    }>(`${base}/2.3/gbfs.json`);
    const feeds = Object.values(discovery.data)[0]!.feeds;
    const { url } = feeds.find(({ name }) => name === "station_information")!;
    const { data } = await read<{
      data: { stations: { station_id: string; legacy_id?: string }[] };
    }>(url);
    return data.stations;
  };
  const former = await stations();
  const act = (body: string) =>
    fetch(`${sandbox.url}/__sandbox/renumber`, { method: "POST", body });
  assert.equal((await act(JSON.stringify({ system }))).status, 200);
  const now = await stations();
  assert.equal(now.length, former.length);
  const old = new Set(former.map(({ station_id }) => station_id));
  assert.ok(now.every(({ station_id }) => !old.has(station_id)));
  const traced = now.filter(({ legacy_id }) => legacy_id !== undefined && old.has(legacy_id));
  assert.ok(traced.length > now.length * 0.75 && traced.length < now.length);
  assert.equal((await act('{"system":"none"}')).status, 400);
  assert.equal((await act("{}")).status, 400);
});

test("same seed, same other sources", async (t) => {
  const [one, two] = [await start(7), await start(7)];
  t.after(() => Promise.all([one.close(), two.close()]));
  const plain = (sandbox: Sandbox, value: unknown): string =>
    JSON.stringify(value).replaceAll(sandbox.url, "");
  for (const { id } of await networksOf(one))
    assert.equal(plain(one, await networkOf(one, id)), plain(two, await networkOf(two, id)));
});
