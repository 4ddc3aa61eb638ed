// The simulated Overpass: what it finds, in which order, and the ways of mappers.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Sandbox } from "../../../sandbox/main.ts";
import { start } from "./reader.ts";
import { type At, cityOf, metres, namedBy, servicesAt, upstreamOf } from "./services-reader.ts";

type Element = {
  type: string;
  id: number;
  lat?: number;
  lon?: number;
  center?: At;
  tags: Record<string, string>;
};
type Document = { elements: Element[]; osm3s: Record<string, string>; remark?: string };

const AGENT = { "user-agent": "vicinity-test/1.0 (+https://example.org)" };
const SETTINGS = "[out:json][timeout:25][maxsize:33554432];";

const ask = (sandbox: Sandbox, data: string, headers: Record<string, string> = AGENT) =>
  fetch(`${upstreamOf(sandbox, "openstreetmap")["url"]}/interpreter`, {
    method: "POST",
    headers,
    body: new URLSearchParams({ data }),
  });

async function find(sandbox: Sandbox, filters: readonly string[], area: string): Promise<Document> {
  const union = filters.map((filter) => `  nwr${filter}${area};\n`).join("");
  const answer = await ask(sandbox, `${SETTINGS}\n(\n${union});\nout center tags qt;`);
  assert.equal(answer.status, 200, filters.join());
  return (await answer.json()) as Document;
}

const around = ({ lat, lon }: At, radius = 1500): string => `(around:${radius},${lat},${lon})`;
const placeOf = ({ lat, lon, center }: Element): At => center ?? { lat: lat!, lon: lon! };
const nameOf = ({ type, id }: Element): string => `${type}/${id}`;

/** places.md 3, word for word. */
const FILTERS: Record<string, string[]> = {
  aed: ["[emergency=defibrillator]"],
  toilets: ["[amenity=toilets]"],
  drinking_water: [
    "[amenity=drinking_water]",
    "[man_made=water_tap][drinking_water=yes]",
    "[natural=spring][drinking_water=yes]",
  ],
  fountain: ["[amenity=fountain]"],
  wifi: ['[internet_access~"(^|;) *(wlan|wifi|wi-fi) *(;|$)",i]'],
  parking: ["[amenity=parking]"],
  charging: ["[amenity=charging_station]"],
  locker: ["[amenity=parcel_locker]"],
};
const SHUT = new Set(["private", "no", "permit", "residents", "employees", "delivery"]);

function isShown(type: string, { tags }: Element): boolean {
  if (SHUT.has(tags["access"] ?? "") || tags["disused"] === "yes" || tags["abandoned"] === "yes")
    return false;
  if (tags["locked"] === "yes" || /closed|broken/.test(tags["operational_status"] ?? ""))
    return false;
  if (type === "drinking_water" && tags["drinking_water"] === "no") return false;
  return !(type === "charging" && tags["bicycle"] === "yes" && tags["motorcar"] === "no");
}

describe("Overpass", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await start();
  });
  after(() => sandbox.close());

  test("the rules of the reference find what is in the truth, and nothing else", async () => {
    for (const city of sandbox.cities()) {
      const truth = namedBy(await servicesAt(sandbox, city), "openstreetmap");
      for (const [type, filters] of Object.entries(FILTERS)) {
        const { elements } = await find(sandbox, filters, around(city, 6000));
        const listed = elements.filter((element) => isShown(type, element));
        const expected = [...truth].filter(([, thing]) => thing.service_type === type);
        assert.deepEqual(
          listed.map(nameOf).toSorted(),
          expected.map(([name]) => name).toSorted(),
          `${city.name} ${type}`,
        );
        assert.ok(elements.length - listed.length >= 9, `${city.name} ${type}: decoys`);
        for (const element of listed)
          assert.ok(metres(placeOf(element), truth.get(nameOf(element))!.location) <= 12);
      }
    }
  });

  test("each once, nodes before ways before relations, by id; only nodes have a place", async () => {
    const { elements, osm3s } = await find(
      sandbox,
      ["[amenity=parking]", "[amenity]", "[fee=yes]"],
      around(cityOf(sandbox, "London"), 4000),
    );
    const order = ["node", "way", "relation"];
    const sorted = elements.toSorted(
      (a, b) => order.indexOf(a.type) - order.indexOf(b.type) || a.id - b.id,
    );
    assert.deepEqual(elements, sorted);
    assert.equal(new Set(elements.map(nameOf)).size, elements.length);
    assert.deepEqual([...new Set(elements.map(({ type }) => type))], order);
    for (const { type, lat, center } of elements)
      assert.ok(
        (type === "node") === (lat !== undefined) && (type === "node") !== (center !== undefined),
      );
    assert.ok(elements.some(({ id }) => id > 2 ** 32));
    assert.match(osm3s["timestamp_osm_base"] ?? "", /^2026-11-21T\d\d:\d\d:\d\dZ$/);
    const limited = await ask(
      sandbox,
      `${SETTINGS}(nwr[amenity](51.4,-0.3,51.6,0.1););out center tags 7;`,
    );
    assert.equal(((await limited.json()) as Document).elements.length, 7);
  });

  test("the ways of mappers: lists, counts, kinds and numbers all occur", async () => {
    const values = new Map<string, Set<string>>();
    for (const city of sandbox.cities())
      for (const filter of Object.values(FILTERS).flat())
        for (const { tags } of (await find(sandbox, [filter], around(city, 6000))).elements)
          for (const [key, value] of Object.entries(tags))
            values.set(key, (values.get(key) ?? new Set()).add(value));
    const has = (key: string, form: RegExp): void =>
      assert.ok(
        [...(values.get(key) ?? [])].some((value) => form.test(value)),
        `${key} ${form}`,
      );
    has("internet_access", /^wlan;terminal$/);
    has("internet_access", /^terminal; wlan$/);
    has("internet_access", /^WLAN$/);
    has("internet_access:fee", /^customers$/);
    has("socket:type2", /^yes$/);
    has("socket:type2", /^\d$/);
    for (const form of [/^\d+ kW$/, /^\d+$/, /^\d+ kVA$/, /^\d+ kW;\d/, /^\d{4,}$/])
      has("socket:type2:output", form);
    has("socket:schuko", /./);
    has("socket:nacs", /./);
    for (const kind of ["multi-storey", "underground", "surface", "street_side", "lane"])
      has("parking", new RegExp(`^${kind}$`));
    has("fee", /^Mo-Sa/);
    has("fee", /^no$/);
    has("indoor", /^yes$/);
    has("ref:FR:GeoDAE", /^\d+$/);
    has("man_made", /^water_tap$/);
  });
});
