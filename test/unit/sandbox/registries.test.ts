// The simulated registries of defibrillators and toilets: OpenAEDMap, GéoDAE, Refuge Restrooms.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Sandbox } from "../../../sandbox/main.ts";
import { control, type Row, start } from "./reader.ts";
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

  test("names lead to files with as many features; the world is all of them", async () => {
    const names = (await (
      await open(sandbox, "openaedmap", "/api/v1/countries/names?language=EN")
    ).json()) as { country_code: string; feature_count: number; data_path: string }[];
    let sum = 0;
    for (const { country_code, feature_count, data_path } of names) {
      const answer = await open(sandbox, "openaedmap", data_path);
      assert.match(answer.headers.get("content-type") ?? "", /^application\/geo\+json/);
      assert.equal(answer.headers.get("etag"), null);
      const { features } = (await answer.json()) as Collection;
      assert.equal(features.length, feature_count, country_code);
      sum += country_code === "WORLD" ? -feature_count : feature_count;
    }
    assert.equal(sum, 0);
    const countries = upstreamOf(sandbox, "openaedmap")["countries"]!.split(",");
    assert.deepEqual(
      countries.toSorted(),
      [...new Set(sandbox.cities().map(({ country }) => country))].toSorted(),
    );
    assert.equal((await open(sandbox, "openaedmap", "/api/v1/countries/fr.geojson")).status, 404);
  });

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
    const kept = features.filter((feature) => isKept(feature, sharing));
    const near = kept.filter((feature) => metres(paris, placeOf(feature)) < 6000);
    assert.deepEqual(
      near.map(({ properties }) => String(properties["c_gid"])).toSorted(),
      [...truth.keys()].toSorted(),
    );
    for (const feature of near)
      assert.ok(
        metres(placeOf(feature), truth.get(String(feature.properties["c_gid"]))!.location) <= 20.1,
      );
  });

  test("each defect occurs", () => {
    const values = (name: string): unknown[] => features.map(({ properties }) => properties[name]);
    for (const value of ["t", "true", true]) assert.ok(values("c_doublon").includes(value));
    for (const value of ["f", "false", false]) assert.ok(values("c_doublon").includes(value));
    assert.ok(values("c_dae_mobile").includes("t") && values("c_etat").includes(null));
    assert.ok(values("c_etat_fonct").includes("Hors service"));
    assert.ok(values("c_etat_valid").includes("en attente de validation"));
    assert.ok(features.some(({ geometry }) => geometry === null));
    assert.ok(
      features.some((f) => f.geometry !== null && placeOf(f).lat > 90),
      "no point",
    );
    assert.ok(
      features.some((f) => f.geometry !== null && placeOf(f).lat < 10),
      "swapped",
    );
    const at = features.filter((f) => f.geometry?.coordinates.join() === "2.335965,48.87718");
    assert.ok(new Set(at.map(({ properties }) => properties["c_adr_num"])).size >= 10);
  });

  test("half of what the map has too is joined by number, the rest by place and name", async () => {
    const paris = cityOf(sandbox, "Paris");
    const nodes = await mapNodes(sandbox, paris, "[emergency=defibrillator]");
    const byGid = new Map(features.map((f) => [String(f.properties["c_gid"]), f]));
    const counts = { joined: 0, near: 0 };
    for (const thing of await servicesAt(sandbox, paris)) {
      const name = (source: string) => thing.sources.find((s) => s.source === source)?.source_id;
      const [gid, node] = [name("geodae"), nodes.get(name("openstreetmap") ?? "")];
      if (thing.service_type !== "aed" || gid === undefined || node === undefined) continue;
      const { "ref:FR:GeoDAE": ref, name: sign } = node["tags"] as Record<string, string>;
      if (ref !== undefined) {
        assert.equal(ref, gid);
        counts.joined += 1;
        continue;
      }
      const feature = byGid.get(gid)!;
      const off_m = metres(placeOf(feature), {
        lat: Number(node["lat"]),
        lon: Number(node["lon"]),
      });
      assert.ok(off_m <= 15.1, `${gid}: ${off_m}`);
      assert.equal(plain(feature.properties["c_nom"]), plain(sign ?? null), gid);
      counts.near += 1;
    }
    assert.ok(counts.joined >= 6 && counts.near >= 6, JSON.stringify(counts));
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
      const kept = rows.filter((row) => row["approved"] === true && row["latitude"] !== null);
      assert.deepEqual(kept.map(({ id }) => String(id)).toSorted(), [...truth.keys()].toSorted());
      const nodes = await mapNodes(sandbox, city, "[amenity=toilets]");
      for (const row of kept) {
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

  test("twenty miles whatever is asked, nearest first, in miles, ten a page", async () => {
    const warsaw = cityOf(sandbox, "Warszawa");
    const usual = await restroomsAt(warsaw);
    assert.equal(usual.rows.length, 10);
    const all = await restroomsAt({ lat: warsaw.lat + 0.27, lon: warsaw.lon }, "&per_page=1000");
    const header = (name: string) => all.answer.headers.get(name);
    assert.equal(header("x-per-page"), "100");
    assert.equal(header("x-total"), String(all.rows.length));
    assert.deepEqual([header("x-page"), header("x-total-pages")], ["1", "1"]);
    const miles = all.rows.map(({ distance }) => Number(distance));
    assert.ok(
      all.rows.length >= 10 && miles.every((each, i) => each <= 20 && each >= (miles[i - 1] ?? 0)),
    );
    assert.ok(all.rows.some((row) => row["latitude"] === null));
    assert.ok(all.rows.some((row) => row["approved"] === false));
    assert.ok(all.rows.some((row) => typeof row["distance"] === "string"));
    const second = await restroomsAt(warsaw, "&per_page=4&page=2");
    const first = await restroomsAt(warsaw, "&per_page=8");
    assert.deepEqual(second.rows, first.rows.slice(4));
    assert.deepEqual((await restroomsAt({ lat: 0, lon: -30 })).rows, []);
  });

  test("ada and unisex filter as soon as they are there; bad questions are refused", async () => {
    const nyc = cityOf(sandbox, "New York");
    const ada = (await restroomsAt(nyc, "&ada=true&per_page=100")).rows;
    assert.ok(ada.length > 3 && ada.every((row) => row["accessible"] === true));
    assert.deepEqual((await restroomsAt(nyc, "&ada=false&per_page=100")).rows, ada);
    for (const [query, error] of [
      ["lng=1", "lat is missing"],
      ["", "lat is missing, lng is missing"],
      ["lat=x&lng=1", "lat is invalid"],
    ]) {
      const answer = await open(
        sandbox,
        "refuge_restrooms",
        `/api/v1/restrooms/by_location?${query}`,
      );
      assert.equal(answer.status, 400);
      assert.deepEqual(await answer.json(), { error });
    }
  });

  test("faults reach each of them", async () => {
    for (const id of ["refuge_restrooms", "openaedmap", "geodae"]) {
      const path = {
        refuge_restrooms: "/api/v1/restrooms/by_location?lat=52.52&lng=13.405",
        openaedmap: "/api/v1/countries/FR.geojson",
        geodae: "",
      }[id]!;
      await control(sandbox, "PUT", `faults/${id}`, { fault: "truncated" });
      await assert.rejects(async () => (await open(sandbox, id, path)).text(), id);
      await control(sandbox, "PUT", `faults/${id}`, { fault: "garbage" });
      const garbage = (await (await open(sandbox, id, path)).json()) as Row;
      assert.ok(!Array.isArray(garbage) && garbage["features"] === undefined);
      await control(sandbox, "DELETE", "faults");
      assert.equal((await open(sandbox, id, path)).status, 200);
    }
  });
});
