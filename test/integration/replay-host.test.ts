/** The replay host over invented captures, as a client sees it. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { readEnv } from "#config/env.ts";
import { loadConfig } from "#config/load.ts";
import { readDiscovery, readVersions } from "#stations/gbfs/discovery.ts";
import { configurationFor } from "../../trials/replay/configuration.ts";
import { startReplayHost } from "../../trials/replay/host.ts";
import type { ReplayHost } from "../../trials/replay/host.ts";

const NOW_MS = 1_900_000_000_000;
const root = mkdtempSync(join(tmpdir(), "vicinity-host-"));
let host: ReplayHost;

const stations = Array.from({ length: 100 }, (_, i) => ({
  station_id: `${i}`,
  name: `Station ${i}`,
  lat: 48 + i / 1000,
  lon: 2,
}));
const FILES: Record<string, unknown> = {
  "old/gbfs.json": {
    last_updated: "1465056042",
    ttl: 60,
    data: {
      nb: { feeds: [{ name: "gbfs", url: "https://x.test/gbfs.json" }] },
      en: {
        feeds: [
          { name: "station_information", url: "file:src/info.json" },
          { url: "https://x.test/status?key=1", name: "station_status" },
          { name: "system_information", url: "https://x.test/not-captured.json" },
        ],
      },
    },
  },
  "old/station_information.json": { last_updated: 1_465_056_000, data: { stations } },
  "new/gbfs_versions.json": {
    last_updated: "2024-03-21T09:00:00Z",
    version: "3.0",
    data: {
      versions: [
        { version: "2.3", url: "https://x.test/2.3/gbfs.json" },
        { version: "3.0", url: "https://x.test/3.0/gbfs.json" },
      ],
    },
  },
  "new/vehicle_status.json": {
    last_updated: "2024-03-21T10:00:00+01:00",
    version: "3.0",
    data: { vehicles: [] },
  },
  "ünï cödé/station_information.json": { version: "2.3", data: { stations: [] } },
};

before(async () => {
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    const bytes = Buffer.from(JSON.stringify(content));
    if (path.endsWith("station_information.json"))
      writeFileSync(join(root, `${path}.gz`), gzipSync(bytes));
    else writeFileSync(join(root, path), bytes);
  }
  host = await startReplayHost({ dir: root, now_ms: NOW_MS });
});
after(async () => {
  await host.close();
  rmSync(root, { recursive: true, force: true });
});

function urlOf(id: string): string {
  return host.systems.find((system) => system.id === id)!.url;
}

async function read(url: string): Promise<any> {
  const response = await fetch(url);
  assert.equal(response.status, 200, url);
  return await response.json();
}

test("discovery keeps its shape and leads back to the host", async () => {
  const document = await read(urlOf("old"));
  assert.deepEqual(Object.keys(document.data), ["nb", "en"]);
  for (const { url } of document.data.en.feeds) assert.ok(url.startsWith(`${host.url}/old/`), url);
  const { feeds } = readDiscovery(document, { base_url: urlOf("old") })!;
  const answer = await read(feeds.get("station_information")!);
  assert.equal(answer.data.stations.length, 100);
  assert.equal((await fetch(feeds.get("system_information")!)).status, 404);
});

test("a set without discovery gets one in the shape of its version", async () => {
  const modern = await read(urlOf("new"));
  assert.equal(modern.version, "3.0");
  assert.deepEqual(
    modern.data.feeds.map(({ name }: { name: string }) => name),
    ["gbfs_versions", "vehicle_status"],
  );
  assert.equal(modern.last_updated.slice(-1), "Z");
  const older = await read(urlOf("ünï cödé"));
  assert.deepEqual(Object.keys(older.data), ["en"]);
  const { feeds } = readDiscovery(older, { base_url: urlOf("ünï cödé") })!;
  assert.deepEqual((await read(feeds.get("station_information")!)).data.stations, []);
});

test("only the captured version leads to the captured set", async () => {
  const { feeds } = readDiscovery(await read(urlOf("new")), { base_url: urlOf("new") })!;
  const versions = readVersions(await read(feeds.get("gbfs_versions")!));
  assert.equal(versions[1]!.url, urlOf("new"));
  assert.equal((await fetch(versions[0]!.url)).status, 404);
});

test("every set is dated now", async () => {
  const discovery = await read(urlOf("old"));
  assert.equal(discovery.last_updated, String(NOW_MS / 1000));
  const vehicles = await read(urlOf("new").replace("gbfs.json", "vehicle_status.json"));
  assert.equal(vehicles.last_updated, "2030-03-17T18:46:40+01:00");
  const still = await startReplayHost({ dir: root, shift: false });
  assert.equal((await read(`${still.url}/old/gbfs.json`)).last_updated, "1465056042");
  await still.close();
});

test("validators, compression, methods", async () => {
  const url = urlOf("old").replace("gbfs.json", "station_information.json");
  const first = await fetch(url, { headers: { "accept-encoding": "gzip" } });
  assert.equal(first.headers.get("content-encoding"), "gzip");
  const etag = first.headers.get("etag")!;
  const again = await fetch(url, { headers: { "if-none-match": `"x", W/${etag}` } });
  assert.equal(again.status, 304);
  const plain = await fetch(url, { headers: { "accept-encoding": "identity" } });
  assert.equal(plain.headers.get("content-encoding"), null);
  assert.deepEqual(await plain.json(), await first.json());
  const head = await fetch(url, { method: "HEAD" });
  assert.equal(await head.text(), "");
  assert.equal((await fetch(url, { method: "POST" })).status, 405);
  assert.equal((await fetch(`${host.url}/old/nothing.json`)).status, 404);
});

test("the configuration it writes is one that the service accepts", () => {
  const file = join(root, "vicinity.json");
  writeFileSync(file, JSON.stringify(configurationFor(host.systems)));
  const env = readEnv({ VICINITY_CONTACT: "replay@example.org" });
  assert.ok(env.ok);
  const config = loadConfig({ file, mode: "live", env: env.value });
  assert.ok(config.ok, config.ok ? "" : config.message);
  assert.equal(config.value.egress.allow_private, true);
  const { systems, catalogue, enabled } = config.value.sources.gbfs;
  assert.deepEqual({ enabled, catalogue }, { enabled: true, catalogue: null });
  assert.deepEqual(
    systems.map(({ id, url }) => ({ id, url })),
    host.systems.map(({ id, url }) => ({ id, url })),
  );
});
