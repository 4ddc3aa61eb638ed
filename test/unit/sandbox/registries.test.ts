// The simulated registries of defibrillators and toilets: OpenAEDMap, GéoDAE, Refuge Restrooms.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Sandbox } from "../../../sandbox/main.ts";
import { type Row, start } from "./reader.ts";
import { type At, cityOf, metres, namedBy, servicesAt, upstreamOf } from "./services-reader.ts";

type Feature = { geometry: { coordinates: [number, number] } | null; properties: Row };
type Collection = { type: string; features: Feature[] };

const placeOf = ({ geometry }: Feature): At => ({
  lat: geometry!.coordinates[1],
  lon: geometry!.coordinates[0],
});

const open = (sandbox: Sandbox, id: string, path = "", init: RequestInit = {}) =>
  fetch(`${upstreamOf(sandbox, id)["url"]}${path}`, init);

async function mapNodes(sandbox: Sandbox, at: At, filter: string) {
  const data = `[out:json][timeout:25][maxsize:33554432];(nwr${filter}(around:6000,${at.lat},${at.lon}););out center tags;`;
  const answer = await open(sandbox, "openstreetmap", "/interpreter", {
    method: "POST",
    headers: { "user-agent": "vicinity-test" },
    body: new URLSearchParams({ data }),
  });
  const { elements } = (await answer.json()) as { elements: Row[] };
  return new Map(elements.map((each) => [`${String(each["type"])}/${String(each["id"])}`, each]));
}

describe("OpenAEDMap", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await start();
  });
  after(() => sandbox.close());

  test("its objects are the map's own, tag for tag, nineteen of twenty", async () => {
    let [listed, drawn] = [0, 0];
    for (const city of sandbox.cities()) {
      const nodes = await mapNodes(sandbox, city, "[emergency=defibrillator]");
      const truth = namedBy(await servicesAt(sandbox, city), "openaedmap");
      const { features } = (await (
        await open(sandbox, "openaedmap", `/api/v1/countries/${city.country}.geojson`)
      ).json()) as Collection;
      const here = features.filter((feature) => metres(city, placeOf(feature)) < 6000);
      for (const feature of here) {
        const { "@osm_type": type, "@osm_id": id, "@osm_version": _, ...tags } = feature.properties;
        const node = nodes.get(`${String(type)}/${String(id)}`);
        assert.ok(node, `${String(type)}/${String(id)}`);
        assert.deepEqual(tags, node["tags"]);
        assert.deepEqual(placeOf(feature), { lat: node["lat"], lon: node["lon"] });
      }
      for (const id of truth.keys()) assert.ok(nodes.has(id));
      listed += truth.size;
      drawn += namedBy(
        (await servicesAt(sandbox, city)).filter((each) => each.service_type === "aed"),
        "openstreetmap",
      ).size;
    }
    assert.ok(listed / drawn > 0.9 && listed < drawn, `${listed} of ${drawn}`);
  });
});

describe("GéoDAE", () => {
  let sandbox: Sandbox;
  let features: Feature[];
  before(async () => {
    sandbox = await start();
    features = ((await (await open(sandbox, "geodae")).json()) as Collection).features;
  });
  after(() => sandbox.close());

  test("the file is behind a redirect, and has no etag", async () => {
    const first = await open(sandbox, "geodae", "", { redirect: "manual" });
    assert.equal(first.status, 302);
    const second = await fetch(first.headers.get("location")!);
    assert.equal(second.status, 200);
    assert.equal(second.headers.get("etag"), null);
    assert.equal((await fetch(`${sandbox.url}/upstreams/geodae/other`)).status, 404);
  });

  /** places.md 4.1: what a reader keeps. */
  const isKept = (feature: Feature, sharing: ReadonlyMap<string, number>): boolean => {
    const { properties: row, geometry } = feature;
    const isTrue = (value: unknown): boolean => [true, "t", "true"].includes(value as never);
    if (geometry === null || row["c_etat_fonct"] !== "En fonctionnement") return false;
    if (![null, "Actif"].includes(row["c_etat"] as never)) return false;
    if (isTrue(row["c_doublon"]) || isTrue(row["c_dae_mobile"])) return false;
    return (sharing.get(geometry.coordinates.join()) ?? 0) < 10;
  };

  test("the rules of the reference leave what is in the truth, within metres of it", async () => {
    const paris = cityOf(sandbox, "Paris");
    const truth = namedBy(await servicesAt(sandbox, paris), "geodae");
    const places = features.map(({ geometry }) => geometry?.coordinates.join() ?? "");
    const sharing = new Map(
      [...Map.groupBy(places, (place) => place)].map(([place, { length }]) => [place, length]),
    );
    const remaining = features.filter((feature) => isKept(feature, sharing));
    const near = remaining.filter((feature) => metres(paris, placeOf(feature)) < 6000);
    assert.deepEqual(
      near.map(({ properties }) => String(properties["c_gid"])).toSorted(),
      [...truth.keys()].toSorted(),
    );
    for (const feature of near)
      assert.ok(
        metres(placeOf(feature), truth.get(String(feature.properties["c_gid"]))!.location) <= 20.1,
      );
  });
});

const plain = (text: unknown): string =>
  (typeof text === "string" ? text : "")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .trim()
    .toUpperCase();

describe("Refuge Restrooms", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await start();
  });
  after(() => sandbox.close());

  const restroomsAt = async ({ lat, lon }: At, more = "") => {
    const path = `/api/v1/restrooms/by_location?lat=${lat}&lng=${lon}${more}`;
    const answer = await open(sandbox, "refuge_restrooms", path);
    return { answer, rows: (await answer.json()) as Row[] };
  };

  test("approved rows with a place are those of the truth, at most 20 m from the map's", async () => {
    const counts = { all: 0, alone: 0 };
    for (const city of sandbox.cities()) {
      const { rows } = await restroomsAt(city, "&per_page=100");
      const things = await servicesAt(sandbox, city);
      const truth = namedBy(things, "refuge_restrooms");
      const remaining = rows.filter((row) => row["approved"] === true && row["latitude"] !== null);
      assert.deepEqual(
        remaining.map(({ id }) => String(id)).toSorted(),
        [...truth.keys()].toSorted(),
      );
      const nodes = await mapNodes(sandbox, city, "[amenity=toilets]");
      for (const row of remaining) {
        const thing = truth.get(String(row["id"]))!;
        const at = { lat: Number(row["latitude"]), lon: Number(row["longitude"]) };
        const drawn = thing.sources.find(({ source }) => source === "openstreetmap");
        counts.all += 1;
        counts.alone += drawn === undefined ? 1 : 0;
        if (drawn === undefined) continue;
        const node = nodes.get(drawn.source_id)! as unknown as At & { center?: At; tags: Row };
        assert.ok(metres(node.center ?? node, at) <= 20.1);
        assert.equal(plain(row["name"]), plain(node.tags["name"] ?? ""));
      }
    }
    assert.ok(
      counts.alone / counts.all > 0.2 && counts.alone / counts.all < 0.45,
      JSON.stringify(counts),
    );
  });
});
