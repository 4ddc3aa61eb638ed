/**
 * The federation engine over real sockets: identical queries share one call, neighbours share what
 * was fetched, a call that no caller waits for any more ends, and what may not be stored is not.
 */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { Agent, createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { GeocodeBodyValue } from "#api/geocoding.ts";
import type { ServicesBodyValue } from "#api/services.ts";
import {
  advance,
  createClient,
  createFolder,
  eventually,
  removeFolder,
  start,
  type Started,
  serviceFor,
} from "./support.ts";
import { HANG_MS, within } from "../../support/size.ts";

const PARIS = "lat=48.8566&lon=2.3522";

type Entry = { source: string; path: string };

describe("calls are shared", () => {
  const served = serviceFor({ timetables: false });
  const { client } = served;

  /** Requests a source has received since the last time, while `act` ran. */
  async function counted(source: string, act: () => Promise<unknown>): Promise<number> {
    const { url } = served.started.service.sandbox!;
    await client.call(`${url}/__sandbox/requests`, { method: "DELETE" });
    await act();
    const { last } = await client.json<{ last: Entry[] }>(`${url}/__sandbox/requests`);
    // The open map's stations are a feed, which a question near them wakes: those are GETs.
    return last.filter((entry) => entry.source === source && !/[?&]network=/.test(entry.path))
      .length;
  }
  const ask = <T>(path: string): Promise<T> => client.json<T>(served.started.service.url + path);
  const many = (path: string, count: number): Promise<unknown[]> =>
    Promise.all(Array.from({ length: count }, () => ask(path)));

  test("100 identical queries at once are one call, whatever the source", async () => {
    const q = encodeURIComponent("Rue du Moulin-Bleu");
    assert.equal(await counted("google_maps", () => many(`/v1/geocode?q=${q}`, 100)), 1);
    assert.equal(await counted("google_maps", () => many(`/v1/parking/nearby?${PARIS}`, 100)), 1);
    const types = "toilets,wifi,fountain";
    const services = `/v1/services/nearby?${PARIS}&types=${types}`;
    assert.equal(await counted("openstreetmap", () => many(services, 100)), 1);
  });

  test("a neighbour in the same tiles makes no call at all, and gets its own distances", async () => {
    // 300 m to the north-east.
    const path = "/v1/services/nearby?lat=48.8586&lon=2.3550&types=toilets,wifi,fountain";
    let body: ServicesBodyValue | undefined;
    const calls = async (): Promise<void> => void (body = await ask<ServicesBodyValue>(path));
    assert.equal(await counted("openstreetmap", calls), 0);
    assert.equal(body!.status, "success");
    assert.ok(body!.total > 10);
    assert.deepEqual(body!.query_origin, { lat: 48.8586, lon: 2.355 });
  });

  test("places come from what is held, without a call, and the answer says what is not held", async () => {
    let body: { status: string; message?: string; results: { places: object[] } } | undefined;
    let point = PARIS;
    const calls = async (): Promise<void> =>
      void (body = await ask(`/v1/nearby?${point}&include=places`));
    for (const source of ["openstreetmap", "google_maps", "refuge_restrooms", "inpost"])
      assert.equal(await counted(source, calls), 0, source);
    assert.ok(body!.results.places.length > 3);
    // Lockers come from another source here, and are never held.
    assert.deepEqual([body!.status, body!.message], ["success", undefined]);
    point = "lat=35.6812&lon=139.7671";
    assert.equal(await counted("openstreetmap", calls), 0);
    assert.equal(body!.status, "partial");
    assert.match(body!.message!, /not yet known here: toilets, .*wifi, locker/);
  });

  test("answers that may not be stored are requested again after half a minute, and are in no file", async () => {
    const q = encodeURIComponent("Théâtre du Levant");
    const path = `/v1/place-search?q=${q}&${PARIS}`;
    let body: GeocodeBodyValue | undefined;
    const queryOf = async (): Promise<void> => void (body = await ask<GeocodeBodyValue>(path));
    assert.equal(await counted("google_maps", queryOf), 1);
    const planted = [body!.results[0]!.source_place_id!, body!.results[0]!.name];
    assert.equal(await counted("google_maps", queryOf), 0);
    await advance(client, served.started.service.sandbox!.url, 31);
    assert.equal(await counted("google_maps", queryOf), 1);
    const files = await listFiles(served.started.data_dir);
    assert.ok(files.length > 0);
    for (const file of files) {
      const bytes = await readFile(file);
      for (const text of ["ChIJsandbox", ...planted])
        assert.equal(bytes.indexOf(text), -1, `${text} in ${file}`);
    }
  });
});

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
}

describe("a call ends when its last caller leaves", () => {
  const client = createClient();
  let upstream: Upstream;
  let started: Started;
  before(async () => {
    upstream = await createUpstream();
    started = await start({
      data_dir: await createFolder(),
      mode: "live",
      settings: {
        egress: { allow_private: true },
        sources: {
          maps: { adapter: "google_maps" },
          google_maps: { url: upstream.url, places_url: upstream.url, api_key: "k" },
          inpost: { url: upstream.url },
        },
      },
    });
  });
  after(async () => {
    client.close();
    upstream.close();
    await started.service.close({ delay_ms: 0 });
    await removeFolder(started.data_dir);
  });

  const path = (n: number): string =>
    `/v1/services/nearby?lat=48.85&lon=2.35${n}&country=FR&types=parking,locker`;

  test("a disconnect cancels every call within 50 ms", async (t) => {
    const times: number[] = [];
    for (let n = 0; n < 5; n++) {
      const caller = leave(started.service.url + path(n));
      await eventually(async () => (upstream.open.size === 2 ? true : null), {
        within_ms: HANG_MS,
        what: "two calls",
      });
      const gone = Promise.all([...upstream.open].map((call) => call.closed));
      const from = performance.now();
      caller.destroy();
      const until = await gone;
      times.push(Math.max(...until) - from);
    }
    const median = times.toSorted((a, b) => a - b)[2]!;
    t.diagnostic(`called off after ${times.map((ms) => ms.toFixed(1)).join(", ")} ms`);
    assert.ok(median <= within(50), `${median} ms`);
  });

  test("with 99 of 100 gone the last one still gets its answer", async () => {
    const url = started.service.url + path(9);
    const others = Array.from({ length: 99 }, () => leave(url));
    const last = client.json<ServicesBodyValue>(url);
    await eventually(async () => (upstream.open.size === 2 ? true : null), {
      within_ms: HANG_MS,
      what: "two calls for a hundred callers",
    });
    for (const other of others) other.destroy();
    await new Promise((resolve) => void setTimeout(resolve, 50));
    assert.equal(upstream.open.size, 2, "the calls go on");
    for (const call of upstream.open) call.answer();
    const body = await last;
    assert.equal(body.status, "success");
    assert.deepEqual(body.summary, { parking: 1, locker: 1 });
  });
});

/** A caller that does not wait for the answer, on a connection of its own. */
function leave(url: string): { destroy(): void } {
  const agent = new Agent();
  const request = httpRequest(url, { agent });
  request.on("error", () => undefined);
  request.end();
  return request;
}

type OpenCall = { answer(): void; closed: Promise<number> };
type Upstream = { url: string; open: Set<OpenCall>; close(): void };

/** Takes requests and answers them when the test says so. */
async function createUpstream(): Promise<Upstream> {
  const open = new Set<OpenCall>();
  const server: Server = createServer((request, response) => {
    request.resume();
    const body = JSON.stringify(request.url!.startsWith("/v1/points") ? LOCKERS : PARKING);
    const closed = new Promise<number>((resolve) => {
      response.once("close", () => {
        open.delete(call);
        resolve(performance.now());
      });
    });
    const call: OpenCall = {
      closed,
      answer: () => response.writeHead(200, { "content-type": "application/json" }).end(body),
    };
    open.add(call);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open, close };
}

const PARKING = {
  places: [
    {
      id: "ChIJtest1",
      types: ["parking"],
      primaryType: "parking",
      displayName: { text: "Car park" },
      location: { latitude: 48.851, longitude: 2.359 },
    },
  ],
};
const LOCKERS = {
  count: 1,
  page: 1,
  per_page: 100,
  total_pages: 1,
  items: [
    {
      name: "FR001",
      country: "FR",
      type: ["parcel_locker"],
      status: "Operating",
      location: { latitude: 48.851, longitude: 2.358 },
      functions: ["parcel_collect"],
      address: { line1: "1 Test Street", line2: "75001 Paris" },
    },
  ],
};
