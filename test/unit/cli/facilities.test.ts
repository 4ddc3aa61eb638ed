/** `vicinity parking` and `vicinity charging`: what is asked, and two tables without a made-up 0. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openWords } from "#cli/print/print-open.ts";
import { displayWidth } from "#cli/print/wrap.ts";
import { CHARGING_EXAMPLE, PARKING_EXAMPLE } from "#api/services-examples.ts";
import type { ChargingBodyValue, ParkingBodyValue } from "#api/services.ts";
import { answering, NOW, run, terminal } from "./support.ts";

type Parking = ParkingBodyValue["results"][number];
type Charging = ChargingBodyValue["results"][number];
const GARAGE = PARKING_EXAMPLE.results[0]!;
const STATION = CHARGING_EXAMPLE.results[0]!;
const PARIS = "48.8566,2.3522";
const { display_name } = PARKING_EXAMPLE.attribution;

function parked(members: Partial<Parking>, attributes: Partial<Parking["attributes"]>): Parking {
  return { ...GARAGE, ...members, attributes: { ...GARAGE.attributes, ...attributes } };
}

function charger(name: string, charging: Charging["attributes"]["charging"]): Charging {
  return { ...STATION, name, attributes: { ...STATION.attributes, charging } };
}

test("car parks: kind, features, whether open, where", async () => {
  const { address: _, ...placeless } = GARAGE.attributes;
  const lot: Parking = {
    ...parked({ name: "Q-Bay" }, {}),
    attributes: {
      ...placeless,
      open_status: "unknown",
      usable: { state: "unknown", until: null, rule: null, holidays_known: true },
      parking: { kind: "lot", features: ["free_parking", "valet_parking", "free_street_parking"] },
    },
  };
  const address = "日本、東京都桜見台46";
  const unnamed = parked(
    { name: "駐車場" },
    {
      ...{ address, open_status: "closed", parking: { kind: "parking", features: [] } },
      usable: {
        ...{ state: "closed", until: "2026-11-16T08:00:00+01:00" },
        ...{ rule: null, holidays_known: true },
      },
    },
  );
  const body = { ...PARKING_EXAMPLE, total: 20, results: [GARAGE, lot, unnamed] };
  const ran = await run(["parking", PARIS], { fetch: answering([body]) });
  assert.equal(ran.code, 0);
  assert.deepEqual(ran.out.split("\n"), [
    "success · 20 within 1 500 m of 48.8566, 2.3522, showing 1 to 3",
    "Times are those of the place: UTC+01:00",
    "",
    "distance  name                   free/total  kind     features                  open                    age  address",
    "   297 m  Parking des Bateliers           –  garage   paid garage               open                      –  4 Quai des Bateliers, 75004 Paris, France",
    "   297 m  Q-Bay                           –  lot      free, valet, free street  –                         –  –",
    "   297 m  駐車場                          –  parking  –                         closed until Mon 08:00    –  日本、東京都桜見台46",
    "",
    `Attribution: ${display_name}`,
    "",
  ]);
});

test("chargers: free of how many, the best power, plugs, age; unknown is never 0", async () => {
  const connectors: Charging["attributes"]["charging"]["connectors"] = [
    { type: "Type 2", max_kw: 7.4, count: 2 },
    { type: "CCS2", max_kw: 150, count: 3 },
    { type: "Type 2", max_kw: 22, count: 4 },
    { type: "Other" },
  ];
  const at = new Date(NOW - 90_000).toISOString();
  const body = {
    ...CHARGING_EXAMPLE,
    results: [
      charger("Full", { ...STATION.attributes.charging, availability_updated_at: at }),
      charger("Unsaid", { connector_count: 10, connectors }),
      charger("Mute", { connectors: [] }),
      charger("Half", { available_count: 2, connectors: [{ type: "NACS", max_kw: 0 }] }),
    ],
  };
  const ran = await run(["charging", PARIS], { fetch: answering([body]) });
  assert.deepEqual(ran.out.split("\n").slice(3), [
    "distance  name    free/total  best kW  plugs                    open   age",
    "   111 m  Full           0/4      150  4 CCS2                   –     90 s",
    "   111 m  Unsaid        –/10      150  6 Type 2, 3 CCS2, Other  –        –",
    "   111 m  Mute             –        –  –                        –        –",
    "   111 m  Half           2/–        0  NACS                     –        –",
    "",
    `Attribution: ${display_name}`,
    "",
  ]);
});

test("nothing found still names whom to name", async () => {
  const message = "Nothing was found within 1500 metres.";
  const body = { ...CHARGING_EXAMPLE, status: "empty", message, total: 0, results: [] };
  const ran = await run(["charging", PARIS], { fetch: answering([body]) });
  assert.deepEqual(ran.out.split("\n"), [
    "empty · 0 within 1 500 m of 48.8566, 2.3522",
    message,
    "",
    `Attribution: ${display_name}`,
    "",
  ]);
});

for (const [command, body] of [
  ["parking", PARKING_EXAMPLE],
  ["charging", CHARGING_EXAMPLE],
] as const) {
  test(`${command}: the options become parameters, --json prints what came`, async () => {
    const requested: Request[] = [];
    const options = ["--radius", "900", "--limit", "3", "--language", "de", "--debug", "--json"];
    const fetch = answering([body], { requested });
    const ran = await run([command, "-33.9,18.4", ...options], { fetch });
    assert.deepEqual(JSON.parse(ran.out), body);
    const query = "lat=-33.9&lon=18.4&radius=900&limit=3&language=de&debug=true";
    assert.equal(requested[0]?.url.replace(/^http:..[^/]+/, ""), `/v1/${command}/nearby?${query}`);
  });

  test(`${command}: every line fits its terminal, wide letters included`, async () => {
    const names = ["駐車場".repeat(20), "x".repeat(200)];
    const results = names.map((name) => ({ ...body.results[0]!, name }));
    for (const columns of [80, 100, 140]) {
      const ran = await run([command, PARIS], {
        fetch: answering([{ ...body, results }]),
        out: terminal(columns),
      });
      const widths = ran.out.split("\n").map(displayWidth);
      assert.ok(Math.max(...widths) <= columns, ran.out);
      assert.match(ran.out, /駐…|車…|場…/);
    }
  });

  test(`${command}: a refusal is one line`, async () => {
    const error = { error: { code: "overloaded", message: "busy; try again later" } };
    const ran = await run([command, PARIS], { fetch: answering([error], { status: 503 }) });
    const err = "vicinity: 503 overloaded: busy; try again later\n";
    assert.deepEqual(ran, { code: 1, out: "", err });
  });
}

test("whether a place is open: the time of the same day, the day of the same week, else the date", () => {
  const local_time = "2026-11-14T10:31:00+01:00";
  const words = (state: string, until: string | null) =>
    openWords({ open_status: state, usable: { state, until } }, local_time);
  for (const [until, reported] of [
    [null, "open"],
    ["2026-11-14T22:00:00+01:00", "open until 22:00"],
    ["2026-11-15T00:00:00+01:00", "open until Sun 00:00"],
    ["2026-11-20T08:00:00+01:00", "open until Fri 08:00"],
    ["2026-11-21T08:00:00+01:00", "open until 2026-11-21"],
    ["soon", "open"],
  ] as const)
    assert.equal(words("open", until), reported);
  assert.equal(words("closed", null), "closed");
  assert.equal(words("unknown", "2026-11-14T22:00:00+01:00"), null);
  assert.equal(openWords({ open_status: "closed" }, undefined), "closed", "an older server");
  assert.equal(openWords({ usable: { state: "\u001b[2J", until: 5 } }, "x"), null);
});
