// The simulated Overpass: what it finds, what it refuses, and that only services are to be found.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Sandbox } from "../../../sandbox/main.ts";
import { control, start } from "./reader.ts";
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
        const shown = elements.filter((element) => isShown(type, element));
        const expected = [...truth].filter(([, thing]) => thing.service_type === type);
        assert.deepEqual(
          shown.map(nameOf).toSorted(),
          expected.map(([name]) => name).toSorted(),
          `${city.name} ${type}`,
        );
        assert.ok(elements.length - shown.length >= 9, `${city.name} ${type}: decoys`);
        for (const element of shown)
          assert.ok(metres(placeOf(element), truth.get(nameOf(element))!.location) <= 12);
      }
    }
  });

  test("a circle and a box cut by where a thing is drawn", async () => {
    const paris = cityOf(sandbox, "Paris");
    const all = (await find(sandbox, ["[amenity]"], around(paris, 9000))).elements;
    const circle = (await find(sandbox, ["[amenity]"], around(paris, 800))).elements;
    const within = all.filter((element) => metres(paris, placeOf(element)) <= 800);
    assert.deepEqual(circle.map(nameOf), within.map(nameOf));
    const box = (await find(sandbox, ["[amenity]"], "(48.85,2.34,48.86,2.36)")).elements;
    const boxed = all.map((element) => [element, placeOf(element)] as const);
    assert.deepEqual(
      box.map(nameOf),
      boxed
        .filter(([, { lat, lon }]) => lat >= 48.85 && lat <= 48.86 && lon >= 2.34 && lon <= 2.36)
        .map(([element]) => nameOf(element)),
    );
    assert.ok(circle.length > 20 && box.length > 20);
  });

  test("filters: equal, absent, unequal, present, matching; quotes or not", async () => {
    const area = around(cityOf(sandbox, "Berlin"), 5000);
    const all = (await find(sandbox, ["[amenity]"], area)).elements;
    const cases: [string, (tags: Record<string, string>) => boolean][] = [
      ["[amenity=toilets]", (t) => t["amenity"] === "toilets"],
      ['["amenity"="toilets"]', (t) => t["amenity"] === "toilets"],
      ["[amenity=parking][!fee]", (t) => t["amenity"] === "parking" && t["fee"] === undefined],
      ["[amenity=parking][fee!=no]", (t) => t["amenity"] === "parking" && t["fee"] !== "no"],
      ['[amenity]["addr:street"]', (t) => t["addr:street"] !== undefined],
      ['[amenity~"^(toilets|fountain)$"]', (t) => /^(toilets|fountain)$/.test(t["amenity"] ?? "")],
      ['[amenity~"TOILETS"]', () => false],
      ['[amenity~"TOILETS",i]', (t) => t["amenity"] === "toilets"],
    ];
    for (const [filter, expected] of cases) {
      const found = (await find(sandbox, [filter], area)).elements;
      assert.deepEqual(
        found.map(nameOf),
        all.filter(({ tags }) => expected(tags)).map(nameOf),
        filter,
      );
      assert.ok(found.length > 0 || filter === '[amenity~"TOILETS"]', filter);
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

  test("anything but the template is a parse error that names its line", async () => {
    const good = `${SETTINGS}\n(\n  nwr[amenity=toilets](around:9,1,2);\n);\nout center tags;`;
    assert.equal((await ask(sandbox, good)).status, 200);
    const cases: [string, string, number][] = [
      ["[out:json]", "[out:xml]", 1],
      ["[timeout:25]", "", 1],
      ["[maxsize:33554432]", "", 1],
      ["nwr[", "node[", 3],
      ["[amenity=toilets]", "", 3],
      ["[amenity=toilets]", "[addr:city=Paris]", 3],
      ["[amenity=toilets]", "[amenity=]", 3],
      ["[amenity=toilets]", '[amenity~"("]', 3],
      ["around:9,1,2", "around:9,1", 3],
      ["around:9,1,2", "around:9,91,2", 3],
      ["around:9,1,2", "3,1,2,2", 3],
      ["around:9,1,2", "around:1e3,1,2", 3],
      ["\n);", "\n)", 4],
      ["out center tags;", "out body;", 5],
      ["out center tags;", "out center tags; out;", 5],
    ];
    for (const [from, to, line] of cases) {
      const answer = await ask(sandbox, good.replace(from, to));
      assert.equal(answer.status, 400, `${from} -> ${to}`);
      assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
      assert.match(await answer.text(), new RegExp(`</strong>: line ${line}: parse error: `), to);
    }
    assert.equal((await ask(sandbox, "")).status, 400);
  });

  test("GET with data is the same; stock agents are refused", async () => {
    const data = `${SETTINGS}(nwr[amenity=toilets](around:900,48.8566,2.3522););out center tags;`;
    const address = `${upstreamOf(sandbox, "openstreetmap")["url"]}/interpreter?${new URLSearchParams({ data }).toString()}`;
    const got = (await (await fetch(address, { headers: AGENT })).json()) as Document;
    assert.deepEqual(got, await (await ask(sandbox, data)).json());
    for (const agent of ["node", "undici", ""])
      assert.equal((await ask(sandbox, data, { "user-agent": agent })).status, 406, agent);
  });

  test("too much work ends in a remark with half of it, too little memory in none", async () => {
    const wide = `(nwr[amenity=toilets](around:300000,48.8,2.3););out center tags;`;
    const late = (await (
      await ask(sandbox, `[out:json][timeout:5][maxsize:1000000];${wide}`)
    ).json()) as Document;
    assert.match(
      late.remark ?? "",
      /^runtime error: Query timed out in "query" at line 4 after 5 s/,
    );
    const whole = (await (
      await ask(sandbox, `[out:json][timeout:900][maxsize:1000000];${wide}`)
    ).json()) as Document;
    assert.ok(whole.remark === undefined && late.elements.length < whole.elements.length);
    const full = (await (
      await ask(sandbox, `[out:json][timeout:900][maxsize:900];${wide}`)
    ).json()) as Document;
    assert.match(full.remark ?? "", /^runtime error: Query ran out of memory/);
    assert.equal(full.elements.length, 0);
  });

  test("two at once, never the same twice, and a client that leaves makes room", async () => {
    const query = (n: number): string =>
      `${SETTINGS}(nwr[amenity=toilets](around:${n},48.8,2.3););out center tags;`;
    const status = async (): Promise<string> =>
      (await fetch(`${upstreamOf(sandbox, "openstreetmap")["url"]}/status`)).text();
    await control(sandbox, "PUT", "faults/openstreetmap", {
      fault: "slow",
      delay_ms: 400,
      path: "interpreter",
    });
    const left = new AbortController();
    const url = `${upstreamOf(sandbox, "openstreetmap")["url"]}/interpreter`;
    const leaving = fetch(url, {
      method: "POST",
      headers: AGENT,
      signal: left.signal,
      body: new URLSearchParams({ data: query(1) }),
    }).catch(() => "left");
    const staying = ask(sandbox, query(2));
    await until(
      async () => /^Rate limit: 2$/m.test(await status()) && !/available now/.test(await status()),
    );
    const same = await ask(sandbox, query(2));
    assert.equal(same.status, 429);
    assert.match(await same.text(), /duplicate_query/);
    const third = await ask(sandbox, query(3));
    assert.equal(third.status, 429);
    assert.match(await third.text(), /rate_limited/);
    left.abort();
    assert.equal(await leaving, "left");
    await until(async () => /1 slots available now/.test(await status()));
    assert.equal((await ask(sandbox, query(4))).status, 200);
    assert.equal((await staying).status, 200);
    await until(async () => /2 slots available now/.test(await status()));
    await control(sandbox, "DELETE", "faults");
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 200; round += 1) if (await holds()) return;
  assert.fail("it never came true");
}
