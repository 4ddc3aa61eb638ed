// The simulated open data of Paris: exports as the portal sends them, with their validators.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Sandbox } from "../../../sandbox/main.ts";
import { type Row, start } from "./reader.ts";
import { cityOf, metres, namedBy, servicesAt, upstreamOf } from "./services-reader.ts";

const pathOf = (dataset: string): string =>
  `/api/explore/v2.1/catalog/datasets/${dataset}/exports/json?limit=-1`;
const SETS = ["fontaines-a-boire", "sanisettesparis"] as const;
type Point = { lon: unknown; lat: unknown } | null;

describe("open data of Paris", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await start();
  });
  after(() => sandbox.close());

  const open = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${upstreamOf(sandbox, "paris_opendata")["url"]}${path}`, { headers });
  const rowsOf = async (dataset: string) =>
    (await (await open(pathOf(dataset))).json()) as (Row | null)[];

  const isNear = (row: Row | null): boolean => {
    const point = (row?.["geo_point_2d"] ?? null) as Point;
    if (point === null) return false;
    const at = { lat: Number(point.lat), lon: Number(point.lon) };
    return metres(cityOf(sandbox, "Paris"), at) < 6000;
  };

  test("the fountains are those of truth, where it puts them, one of them twice", async () => {
    const paris = cityOf(sandbox, "Paris");
    const truth = namedBy(
      (await servicesAt(sandbox, paris)).filter(({ service_type }) => service_type !== "toilets"),
      "paris_opendata",
    );
    const near = (await rowsOf("fontaines-a-boire")).filter(isNear);
    assert.equal(near.length, truth.size + 1);
    assert.ok(truth.size > 36);
    for (const row of near) {
      const thing = truth.get(String(row!["gid"]))!;
      const { lat, lon } = row!["geo_point_2d"] as { lat: unknown; lon: unknown };
      assert.deepEqual({ lat: Number(lat), lon: Number(lon) }, thing.location);
      assert.match(row!["commune"] as string, /^PARIS \d{1,2}(ER|EME) ARRONDISSEMENT$/);
      assert.ok(row!["dispo"] === "OUI" || row!["dispo"] === "NON");
    }
  });

  test("a client that has a set already gets 304, by its tag or else by its date", async () => {
    for (const dataset of SETS) {
      const path = pathOf(dataset);
      const first = await open(path);
      const etag = first.headers.get("etag")!;
      const modified = first.headers.get("last-modified")!;
      const requests: [Record<string, string>, number][] = [
        [{ "if-none-match": etag }, 304],
        [{ "if-none-match": `"x", W/${etag}` }, 304],
        [{ "if-none-match": '"x"', "if-modified-since": modified }, 200],
        [{ "if-modified-since": modified }, 304],
        [{ "if-modified-since": new Date(Date.parse(modified) - 1000).toUTCString() }, 200],
      ];
      for (const [headers, status] of requests) {
        const reply = await open(path, headers);
        assert.equal(reply.status, status, JSON.stringify(headers));
        assert.equal((await reply.arrayBuffer()).byteLength === 0, status === 304);
      }
    }
    const tags = await Promise.all(
      SETS.map(async (id) => (await open(pathOf(id))).headers.get("etag")),
    );
    assert.notEqual(tags[0], tags[1]);
  });
});
