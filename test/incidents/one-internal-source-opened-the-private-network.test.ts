/**
 * An operator had one feed in a private network, and the only way to read it was
 * `egress.allow_private`, which let every feed lead anywhere: one answered 302 to a metadata
 * service, another named private addresses in its discovery document, and both were followed. Now
 * the addresses that the configuration names may be private, and nothing that a third party writes
 * leads to others.
 */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createEgress } from "#upstream/egress.ts";
import { createHttpClient } from "#upstream/http.ts";
import { createFolder, removeFolder, start } from "../integration/service/support.ts";
import { listenHttp } from "../unit/upstream/local-server.ts";

const AT = { lat: 48.8566, lon: 2.3522 };

function toFeed(name: string, origin: string, elsewhere: string): Record<string, unknown> {
  const wrap = (data: object) => ({ last_updated: 1_700_000_000, ttl: 60, version: "2.3", data });
  const feeds = [
    { name: "system_information", url: `${origin}/moved` },
    { name: "station_information", url: `${origin}/station_information.json` },
    { name: "station_status", url: `${origin}/station_status.json` },
    { name: "system_alerts", url: `${elsewhere}/latest/meta-data/iam` },
  ];
  const station = { station_id: "1", name, ...AT, capacity: 10 };
  return {
    "/gbfs.json": wrap({ en: { feeds } }),
    "/station_information.json": wrap({ stations: [station] }),
    "/station_status.json": wrap({ stations: [{ station_id: "1", num_bikes_available: 3 }] }),
  };
}

test("one internal feed is read; redirects, discovery and catalogue rows reach nothing private", async (t) => {
  await using canary = await listenHttp((_, response) => response.end("{}"));
  const files = new Map<string, unknown>();
  await using internal = await listenHttp((request, response) => {
    const path = request.url ?? "";
    if (path === "/moved")
      return void response.writeHead(302, { location: `${canary.origin}/latest` }).end();
    const file = files.get(path);
    response.writeHead(file === undefined ? 404 : 200).end(JSON.stringify(file ?? {}));
  });
  for (const [path, file] of Object.entries(toFeed("Depot", internal.origin, canary.origin)))
    files.set(path, file);
  const data_dir = await createFolder();
  const catalogue = join(data_dir, "systems.csv");
  await writeFile(
    catalogue,
    [
      "Country Code,Name,Location,System ID,URL,Auto-Discovery URL",
      `FR,Stranger,Paris,stranger,,${canary.origin}/gbfs.json`,
      `FR,Guest,Paris,guest,,${internal.origin}/guest/gbfs.json`,
    ].join("\n"),
  );
  const system = { id: "depot", url: `${internal.origin}/gbfs.json`, country: "FR" };
  const settings = { sources: { gbfs: { systems: [system], catalogue } } };
  const { service } = await start({ mode: "live", data_dir, settings });
  t.after(async () => {
    await service.close({ delay_ms: 0 });
    await removeFolder(data_dir);
  });
  await service.feeds.surveyed();
  const result = await service.feeds.refresh("depot", { begun_after_ms: 0 });
  assert.equal(service.world.find("depot")?.shard?.statics.count, 1, JSON.stringify(result));
  const states = service.feeds.snapshot().map(({ id, state }) => [id, state]);
  assert.deepEqual(states.slice(1), [
    ["stranger", "unavailable"],
    ["guest", "unavailable"],
  ]);
  assert.equal(canary.accepted(), 0);
});

test("a public feed that redirects to a configured internal host is not followed there", async () => {
  await using internal = await listenHttp((_, response) => response.end("{}"));
  await using stranger = await listenHttp(
    (_, response) => response.writeHead(302, { location: internal.origin }).end(),
    "127.0.0.9",
  );
  const egress = createEgress({
    allow_private: false,
    allow_hosts: [new URL(internal.origin).host],
    http_hosts: [new URL(stranger.origin).host, new URL(internal.origin).host],
    is_public: (ip) => ip === "127.0.0.9",
  });
  const client = createHttpClient({ egress, user_agent: "test" });
  const ask = async (url: string, strict: boolean): Promise<string> => {
    const signal = AbortSignal.timeout(60_000);
    const request = { url, strict, timeout_ms: 60_000, signal };
    const [result] = await Promise.allSettled([client.fetch(request)]);
    return result.status === "fulfilled" ? "reached" : (result.reason as { code: string }).code;
  };
  assert.equal(await ask(internal.origin, false), "reached");
  const before = internal.accepted();
  // The second one while a connection that was opened for the operator's own source is kept.
  assert.equal(await ask(stranger.origin, false), "EGRESS_DENIED");
  assert.equal(await ask(internal.origin, true), "EGRESS_DENIED");
  assert.equal(internal.accepted(), before);
  await egress.close();
});
