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
