/**
 * SIGTERM with 177 systems took seconds beyond the drain delay, in silence: every feed that had come
 * and waited for the parsing thread was parsed to the last before the service ended.
 */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { createFolder, removeFolder, start } from "../integration/service/support.ts";

const SYSTEMS = 8;
/** Enough to be parsed in the thread, and for some time. */
const STATIONS = 20_000;

/** Publishes one system; its stations wait until `opened`. */
async function publish(opened: Promise<void>, reached: () => void): Promise<Server> {
  const stations = Array.from({ length: STATIONS }, (_, i) => ({
    station_id: `s${i}`,
    name: `Station ${i}`,
    lat: 48 + i / 50_000,
    lon: 2.35,
    capacity: 20,
  }));
  const files: Record<string, unknown> = {
    system_information: { system_id: "a", language: "en", name: "City", timezone: "UTC" },
    station_information: { stations },
  };
  const server = createServer(async ({ url, headers }, response) => {
    const name = /(\w+)\.json$/.exec(url!)![1]!;
    const feeds = Object.keys(files).map((file) => ({
      name: file,
      url: `http://${headers.host}/${file}.json`,
    }));
    if (name === "station_information") {
      reached();
      await opened;
    }
    const data = name === "gbfs" ? { en: { feeds } } : files[name];
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ last_updated: 1_790_000_000, ttl: 60, version: "2.3", data }));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return server;
}

test("a service that ends does not parse the feeds that wait for the parser", async () => {
  const opened = Promise.withResolvers<void>();
  const request = Promise.withResolvers<void>();
  let reached = 0;
  const reach = (): void => {
    if (++reached === SYSTEMS) request.resolve();
  };
  const hosts = await Promise.all(
    Array.from({ length: SYSTEMS }, () => publish(opened.promise, reach)),
  );
  const data_dir = await createFolder();
  after(async () => {
    for (const host of hosts) host.close().closeAllConnections();
    await removeFolder(data_dir);
  });
  const systems = hosts.map((host, i) => {
    const { port } = host.address() as AddressInfo;
    return { id: `s${i}`, url: `http://127.0.0.1:${port}/gbfs.json`, name: `System ${i}` };
  });
  const settings = {
    egress: { allow_private: true },
    sources: { gbfs: { enabled: true, catalogue: null, systems } },
  };
  const { service } = await start({ mode: "live", data_dir, settings });
  const countRead = () =>
    service.feeds.snapshot().filter(({ entity_count }) => entity_count !== null).length;
  // The survey asks all of them at once; what they answer then comes at once.
  await request.promise;
  opened.resolve();
  while (countRead() === 0) await new Promise((resolve) => void setImmediate(resolve));
  const before = countRead();
  await service.close({ delay_ms: 0 });
  assert.ok(countRead() <= before + 1, `${countRead() - before} more were read while it ended`);
});
