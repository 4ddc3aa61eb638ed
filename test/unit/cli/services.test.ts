/** `vicinity services`: what is asked, the table, and what attributes say in a few words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { detailsOf } from "#cli/print/details.ts";
import { displayWidth } from "#cli/print/wrap.ts";
import { SERVICES_EXAMPLE, SERVICES_PARTIAL_EXAMPLE } from "#api/services-examples.ts";
import type { ServicesBodyValue } from "#api/services.ts";
import { answering, run, terminal } from "./support.ts";

const PARIS = ["services", "48.8566,2.3522", "--types", "toilets,parking,aed"];
const [TOILETS_THERE, PARKING] = SERVICES_EXAMPLE.results as [Service, Service];
const TOILETS: Service = { ...TOILETS_THERE, name: "Public toilets" };
type Service = ServicesBodyValue["results"][number];
const { display_name } = SERVICES_EXAMPLE.attributions![0]!;

test("the outcome, the count of each type, the places, the attributions", async () => {
  const { provider: _, ...anonymous } = TOILETS;
  const silent: Service = { ...anonymous, distance_meters: 1240, attributes: {} };
  const third = { attributions: [{ provider: "Q-Bay" }, { provider: 1 }, null] };
  const provider = { id: "maps", name: "Maps" };
  const lot = { ...PARKING, provider, attributes: { ...PARKING.attributes, ...third } };
  const body = { ...SERVICES_EXAMPLE, total: 70, results: [TOILETS, lot, silent] };
  const ran = await run(PARIS, { fetch: answering([body]) });
  assert.equal(ran.code, 0);
  assert.deepEqual(ran.out.split("\n"), [
    "success · 70 within 1 500 m of 48.8566, 2.3522, showing 1 to 3",
    "Times are those of the place: UTC+01:00",
    "toilets 1 · parking 1 · aed 0",
    "",
    "distance  type     name                   provider       details",
    "    49 m  toilets  Public toilets         OpenStreetMap  open until 22:00, free, wheelchair",
    "   297 m  parking  Parking des Bateliers  Maps           garage, paid garage, open",
    "  1.2 km  toilets  Public toilets         openstreetmap  –",
    "",
    `Attribution: ${display_name}, Q-Bay`,
    "",
  ]);
});

test("with a filter a row says what is not known of it, and a line how far the nearest known one is", async () => {
  const { location, id } = TOILETS;
  const body = {
    ...SERVICES_EXAMPLE,
    ...{ unknown: { wheelchair: 1, left_out: 2 } },
    nearest_known: { id, location, distance_meters: 297 },
    results: [
      { ...TOILETS, match: "unknown", unknown: ["wheelchair", "usable"] },
      { ...PARKING, match: "known", unknown: [] },
    ],
  };
  const lines = async (more: object) => {
    const answer = { ...body, ...more };
    return (await run(PARIS, { fetch: answering([answer]) })).out.split("\n");
  };
  const shown = await lines({});
  assert.ok(shown.some((line) => /^ *49 m .*  \? wheelchair, usable$/.test(line)));
  assert.ok(shown.some((line) => /^ *297 m .*  yes$/.test(line)));
  assert.ok(
    shown.includes("? not known to fit: 1; the nearest that is known to fit is 297 m away"),
  );
  assert.ok(
    shown.some((line) => line.endsWith(" · unknown wheelchair 1 · left out as not known 2")),
  );
  const none = await lines({ nearest_known: null });
  assert.ok(none.includes("? not known to fit: 1; none is known to fit"));
  const plain = await lines({ results: [TOILETS], nearest_known: undefined });
  assert.ok(!plain.some((line) => /fits|known to fit/.test(line)));
});

test("water that is known not to be potable is counted next to the types", async () => {
  const water = { ...SERVICES_EXAMPLE, summary: { drinking_water: 15 }, results: [] };
  const line = async (not_potable: number) =>
    (await run(PARIS, { fetch: answering([{ ...water, not_potable }]) })).out.split("\n");
  assert.ok((await line(4)).includes("drinking water 15 · not potable 4"));
  assert.ok(!(await line(0)).some((each) => /potable/.test(each)));
});

test("a partial answer says so, and --debug how the sources did", async () => {
  const ran = await run([...PARIS, "--debug"], { fetch: answering([SERVICES_PARTIAL_EXAMPLE]) });
  const lines = ran.out.split("\n");
  assert.deepEqual(lines.slice(0, 4), [
    "partial · 1 within 1 500 m of 48.8566, 2.3522",
    SERVICES_PARTIAL_EXAMPLE.message,
    "Times are those of the place: UTC+01:00",
    "",
  ]);
  assert.deepEqual(lines.slice(7), [
    "source            status   read  returned  reason",
    "refuge_restrooms  timeout     0         0  deadline",
    "openstreetmap     ok         41         1",
    "provider calls: 1, cache: partial",
    "",
  ]);
});

test("an empty answer is two lines", async () => {
  const message = "Nothing was found within 1500 metres.";
  const body = { ...SERVICES_EXAMPLE, status: "empty", message, total: 0, results: [] };
  const bare = { ...body, summary: { aed: 0 }, attributions: undefined };
  const ran = await run(PARIS, { fetch: answering([bare]) });
  assert.equal(ran.out, `empty · 0 within 1 500 m of 48.8566, 2.3522\n${message}\n`);
});

test("every line fits its terminal; what is piped is whole", async () => {
  const wide = { ...TOILETS, name: "東京駅公衆便所".repeat(5) };
  wide.attributes = { description: "x", opening_hours: "Mo-Su 06:00-22:00; ".repeat(9) };
  const body = { ...SERVICES_EXAMPLE, results: [TOILETS, wide] };
  const piped = await run(PARIS, { fetch: answering([body]) });
  assert.ok(piped.out.includes(wide.name) && !piped.out.includes("…"), piped.out);
  for (const room of [80, 160]) {
    const ran = await run(PARIS, { fetch: answering([body]), out: terminal(room) });
    const [name, details] = [
      /東京駅公衆便所?\S*…/,
      room === 80 ? /Mo-Su 06.*…$/m : /(Mo-Su 06[^]*){9}/,
    ];
    const widest = Math.max(...ran.out.split("\n").map(displayWidth));
    assert.ok(widest <= room && widest > room - 9, ran.out);
    assert.match(ran.out, name);
    assert.match(ran.out, details);
  }
});

const DETAILS: readonly [
  type: Service["service_type"],
  attributes: Record<string, unknown>,
  words: string,
][] = [
  ["toilets", {}, "–"],
  ["toilets", { fee: true }, "fee"],
  ["toilets", { fee: true, charge: "0.50 EUR" }, "0.50 EUR"],
  ["toilets", { wheelchair: "no", changing_table: false }, "no wheelchair"],
  ["toilets", { wheelchair: "yes", changing_table: true }, "wheelchair, changing table"],
  ["toilets", { wheelchair: "limited", access: "customers" }, "customers only, wheelchair limited"],
  ["toilets", { wheelchair: "unknown", access: "unknown" }, "–"],
  ["toilets", { access: "key\u001B[2J\n", fee: 1, opening_hours: ["a"] }, "key [2J"],
  ["toilets", { access: "constructor" }, "constructor"],
  ["drinking_water", { drinking_water: "yes", bottle: true }, "drinkable, for bottles"],
  [
    "fountain",
    { drinking_water: "no", seasonal: true, season: "summer" },
    "not drinkable, in summer",
  ],
  ["fountain", { drinking_water: "yes", seasonal: true }, "drinkable, seasonal"],
  ["fountain", { drinking_water: "unknown", seasonal: false }, "not known if drinkable"],
  ["fountain", {}, "not known if drinkable"],
  ["wifi", { access: "customers" }, "customers only"],
  ["wifi", { fee: false, ssid: "a b" }, "free, “a b”"],
  ["aed", { indoor: true, level: "-1", access: "permissive" }, "public, indoor, floor -1"],
  ["aed", { access: "restricted", location_note: "By the lift" }, "restricted, By the lift"],
  [
    "locker",
    { opening_hours: "24/7", indoor: false, payment_available: true },
    "24/7, outdoor, payment",
  ],
  ["parking", { parking: { kind: "lot", features: [] }, open_status: "unknown" }, "lot"],
  ["parking", {}, "–"],
  ["charging", { charging: { connectors: [] } }, "–"],
  ["charging", { charging: { connector_count: 4, connectors: [] } }, "–/4 free"],
  [
    "charging",
    {
      charging: {
        connector_count: 2,
        available_count: 0,
        connectors: [{ type: "CCS2", max_kw: 150 }],
      },
    },
    "0/2 free, 150 kW, CCS2",
  ],
];
for (const [service_type, attributes, words] of DETAILS) {
  test(`${service_type} ${JSON.stringify(attributes)}`, () => {
    assert.equal(detailsOf({ ...TOILETS, service_type, attributes }), words);
  });
}

test("a fact that is in the name is not repeated", () => {
  const attributes = { opening_hours: "24/7", location_note: "By the door" };
  const locker: Service = { ...TOILETS, service_type: "locker", name: "By the door", attributes };
  assert.equal(detailsOf(locker), "24/7");
  assert.equal(detailsOf({ ...locker, name: "WAW01" }), "24/7, By the door");
});

test("a type that is not known here has the details of any place", () => {
  const attributes = { phone: "+33 1", fee: true, seasonal: true };
  assert.equal(detailsOf({ ...TOILETS, service_type: "bench", attributes }), "+33 1");
  assert.equal(detailsOf({ ...TOILETS, service_type: "toString", attributes: {} }), "–");
});

test("the options become parameters", async () => {
  const requested: Request[] = [];
  const options = ["--radius", "500", "--limit", "5", "--country", "FR", "--debug"];
  const ran = await run([...PARIS, ...options], {
    fetch: answering([SERVICES_EXAMPLE], { requested }),
  });
  assert.equal(ran.code, 0, ran.err);
  const query = "lat=48.8566&lon=2.3522&types=toilets%2Cparking%2Caed";
  const rest = "radius=500&limit=5&country=FR&debug=true";
  assert.equal(
    requested[0]?.url.replace(/^http:..[^/]+/, ""),
    `/v1/services/nearby?${query}&${rest}`,
  );
});

test("types are required, and the refusal names them", async () => {
  const ran = await run(["services", "1,2"]);
  const all = "aed, toilets, drinking_water, fountain, wifi, parking, charging, locker";
  const err = `vicinity: services needs --types, a comma-separated list of ${all}\n`;
  assert.deepEqual(ran, { code: 2, out: "", err });
  const help = await run(["services", "--help"]);
  assert.match(help.out, /^Usage: vicinity services LAT,LON --types A,B \[options\]$/m);
});

test("--json prints the answer as it came", async () => {
  const ran = await run([...PARIS, "--json"], { fetch: answering([SERVICES_EXAMPLE]) });
  assert.deepEqual(JSON.parse(ran.out), SERVICES_EXAMPLE);
});
