/** `vicinity nearby`: what is asked, and the table that a person reads. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { displayWidth } from "#cli/print/wrap.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import { answering, nearbyBody, run, station, terminal, vehicle } from "./support.ts";

const PARIS = ["nearby", "48.8566,2.3522"];
const silent = { vehicles: null, docks: null, last_reported: null, observed_at: null };

function body(): NearbyBodyValue {
  const near = station({ distance_meters: 84.3 });
  const wide = station({
    distance_meters: 12,
    name: "東京駅 丸の内北口",
    network: { id: "d", name: "ドコモ" },
    service_status: { state: "unknown" },
  });
  wide.availability = { ...wide.availability, ...silent };
  return nearbyBody({
    status: "partial",
    message: "docomo did not answer in time.",
    total: 240,
    warnings: [{ code: "radius_capped", message: "Reduced.", requested: 900, applied: 400 }],
    results: {
      places: [],
      lines: [],
      stations: [near, wide],
      vehicles: [vehicle({ distance_meters: 51.2 }, "lime_paris:1")],
      alerts: [],
    },
  });
}

test("the table, nearest first, unknown as a dash", async () => {
  const ran = await run(PARIS, { fetch: answering([body()]) });
  assert.equal(ran.code, 0);
  assert.deepEqual(ran.out.split("\n"), [
    "partial · 240 within 400 m of 48.8566, 2.3522, showing 1 to 3",
    "docomo did not answer in time.",
    "radius_capped: Reduced.",
    "",
    "distance  kind     mode     name               network           available  state         age",
    "    12 m  station  bicycle  東京駅 丸の内北口  ドコモ                    –  –               –",
    "    51 m  vehicle  scooter  –                  lime_paris                –  operational     –",
    "    84 m  station  bicycle  Hôtel de Ville     Vélib' Métropole       5/12  operational  42 s",
    "",
  ]);
});

test("80 columns have the operator of a vehicle by its name, and a heading that fits what is under it", async () => {
  const provider = {
    ...{ kind: "provider", source: "gbfs", provider: "Lime" },
    network_id: "lime_paris",
  };
  const lime = vehicle(
    { distance_meters: 51.2, name: "Lime Gen4 trottinette électrique" },
    "lime_paris:1",
  );
  Object.assign(lime, { provenance: [provider] });
  const { results, ...answer } = body();
  const ask = async (found: object, room: number): Promise<string[]> => {
    const whole = { ...answer, results: { ...results, ...found } };
    const io = { fetch: answering([whole]), out: terminal(room), variables: { NO_COLOR: "1" } };
    const lines = (await run(PARIS, io)).out.split("\n").slice(4);
    assert.ok(
      lines.every((line) => displayWidth(line) <= room),
      lines.join("\n"),
    );
    return lines;
  };
  const both = await ask({ vehicles: [lime] }, 80);
  assert.match(both[0]!, / network .* available /);
  assert.ok(both.some((line) => line.includes("Lime Gen4 trott") && line.includes("  Lime ")));
  assert.match((await ask({ vehicles: [lime], stations: [] }, 80))[0]!, / network .* charge /);
  assert.match((await ask({ vehicles: [] }, 80))[0]!, / free\/docks /);
  const wide = await ask({ vehicles: [lime] }, 120);
  assert.ok(
    wide.some((line) => line.includes("Lime Gen4 trottinette électrique")),
    wide.join("\n"),
  );
});

test("data older than their pace have the age that the answer states, stations and vehicles alike", async () => {
  const none = nearbyBody({}).results;
  const old = { data_class: "semi_static" as const, distance_meters: 1 };
  const answer = nearbyBody({
    results: {
      ...none,
      stations: [station({ distance_meters: 5, data_class: "semi_static" })],
      vehicles: [
        vehicle({ ...old, brand: "Old" }, "a"),
        vehicle({ ...old, data_class: "realtime", brand: "Old" }, "b"),
      ],
    },
    notices: [station({ distance_meters: 5 }).network.name, "Old"].map((source) => ({
      ...{ source, cause: "answers with errors", age_s: 1_560, cut: null },
      message: `${source} answers with errors, its data are 26 minutes old`,
    })),
  });
  const ran = await run(PARIS, { fetch: answering([answer]) });
  const ages = ran.out
    .split("\n")
    .flatMap((line) =>
      / (?:station|vehicle) /.test(line) ? [/\S+(?: \S+)?$/.exec(line)![0]] : [],
    );
  assert.deepEqual(
    ages.map((text) => text.endsWith("26 min")),
    [true, false, true],
  );
});

test("a vehicle says what is left in it, a place whether it is open, by its own clocks", async () => {
  const at = { distance_meters: 51 };
  const place = (id: string, attributes: object): NearbyBodyValue["results"]["places"][number] => ({
    ...{ id, type: "service", service_type: "toilets", name: "Toilets" },
    ...{ location: { lat: 1, lon: 2 }, distance_meters: 60, external_id: id },
    ...{ source_id: "openstreetmap", source_type: "community", attributes },
  });
  const usable = { state: "open", rule: "x", holidays_known: true };
  const none = nearbyBody({}).results;
  const answer = nearbyBody({
    results: {
      ...none,
      vehicles: [
        vehicle({ ...at, battery: 0, range_m: 900 }, "a"),
        vehicle({ ...at, range_m: 12_300 }, "b"),
        vehicle(at, "c"),
      ],
      places: [
        place("p1", { usable: { ...usable, until: "2026-11-22T22:00:00+13:00" } }),
        place("p2", { usable: { ...usable, state: "closed", until: null } }),
        place("p3", { usable: { ...usable, state: "unknown", until: null } }),
      ],
    },
  });
  const ran = await run(PARIS, { fetch: answering([answer]) });
  const cells = ran.out.split("\n").map((line) => line.trim().split(/ {2,}/));
  const column = (kind: string, at_column: number) =>
    cells.filter((row) => row[1] === kind).map((row) => row[at_column]);
  assert.deepEqual(column("vehicle", 5), ["0 %", "12.3 km", "–"]);
  assert.deepEqual(column("place", 6), ["open until 22:00", "closed", "–"]);
});

test("a station says which kinds are there now, where its mode does not", async () => {
  const of = (
    name: string,
    by_type: { form_factor?: "bicycle" | "cargo_bicycle"; count: number }[],
  ) => station({ ...at, name, availability: { ...station(at).availability, by_type } });
  const at = { distance_meters: 84 };
  const bike = { form_factor: "bicycle" as const };
  const cargo = { form_factor: "cargo_bicycle" as const };
  const stations = [
    of("A", [
      { ...bike, count: 2 },
      { ...cargo, count: 3 },
    ]),
    of("B", [
      { ...bike, count: 2 },
      { ...cargo, count: 0 },
    ]),
    of("C", [{ ...bike, count: 2 }, { count: 1 }]),
  ];
  const answer = nearbyBody({ results: { ...nearbyBody({}).results, stations } });
  const { out } = await run([...PARIS, "--form_factors", "cargo_bicycle"], {
    fetch: answering([answer]),
  });
  const modes = /station  (.*?) {2,}([ABC]) /g;
  assert.deepEqual(
    [...out.matchAll(modes)].map(([, mode, name]) => [name, mode]),
    [
      ["A", "bicycle, 3 cargo bicycle"],
      ["B", "bicycle"],
      ["C", "bicycle, 1 –"],
    ],
  );
});

test("lines have a table of their own below the places", async () => {
  const line = {
    id: "navitia:paris:line-7",
    short_name: "M7",
    long_name: "Docks – Gare\u202E du Nord",
    mode: "rapid_transit",
    operators: [
      { id: "o1", name: "Rails" },
      { id: "o2", name: null },
    ],
    station_ids: ["a", "b"],
  };
  const bare = { ...line, short_name: null, long_name: null, operators: [], station_ids: [] };
  const alert = {
    ...{ id: "a", type: null, network_id: "metro", station_ids: [], summary: "Strike" },
    ...{ description: null, url: null, starts_at: null, ends_at: null },
  };
  const alerts = [alert] as unknown as NearbyBodyValue["results"]["alerts"];
  const results = { places: [], lines: [line, bare], stations: [], vehicles: [], alerts };
  const fetch = answering([nearbyBody({ total: 0, results })]);
  const ran = await run([...PARIS, "--include", "lines,alerts"], { fetch });
  assert.deepEqual(ran.out.split("\n"), [
    "success · 0 within 400 m of 48.8566, 2.3522",
    "",
    "line                  mode           name                  operator   stations",
    "M7                    rapid transit  Docks – Gare du Nord  Rails, o2         2",
    "navitia:paris:line-7  rapid transit  –                     –                 0",
    "",
    "alert metro: Strike",
    "",
  ]);
});

test("zones that were asked for are listed, and a vehicle has the name of its network", async () => {
  const zones = [
    {
      network: { id: "lime_paris", name: "Lime Paris" },
      rules: [{ scope: "zone" }],
      zones: [
        { name: "Old town", contains_point: true, distance_meters: 0, rules: [] },
        { contains_point: false, distance_meters: 120, rules: [] },
      ],
      total: 5,
    },
  ] as unknown as NearbyBodyValue["results"]["zones"];
  const scooter = vehicle({ distance_meters: 51.2 }, "lime_paris:1");
  const results = { ...nearbyBody({}).results, stations: [], vehicles: [scooter], zones: zones! };
  const fetch = answering([nearbyBody({ total: 1, results })]);
  const ran = await run([...PARIS, "--include", "vehicles,zones"], { fetch });
  assert.match(ran.out, /scooter +– +Lime Paris /);
  assert.deepEqual(ran.out.split("\n").slice(-4), [
    "zones of Lime Paris: 5, 2 of them shown; 1 rule holds at the point",
    "  Old town: the point is inside",
    "  a zone without a name: 120 m",
    "",
  ]);
});

test("exits with 3 when nothing was found while a source could not be asked", async () => {
  const nothing = { places: [], lines: [], stations: [], vehicles: [], alerts: [] };
  const codeFor = async (status: NearbyBodyValue["status"]): Promise<number> => {
    const answer = nearbyBody({ status, total: 0, results: nothing });
    return (await run(PARIS, { fetch: answering([answer]) })).code;
  };
  assert.deepEqual([await codeFor("partial"), await codeFor("empty")], [3, 0]);
  const help = await run(["nearby", "--help"]);
  assert.match(help.out, /Exits with 3 when nothing was found/);
});

test("every line fits a narrow terminal, wide letters included", async () => {
  for (const columns of [80, 90, 120]) {
    const ran = await run(PARIS, { fetch: answering([body()]), out: terminal(columns) });
    const widths = ran.out.split("\n").slice(4).map(displayWidth);
    assert.ok(Math.max(...widths) <= columns, `${Math.max(...widths)} > ${columns}\n${ran.out}`);
  }
});

test("colours only on a terminal, and never with NO_COLOR", async () => {
  const fetch = answering([body()]);
  const coloured = await run(PARIS, { fetch, out: terminal() });
  const plain = await run(PARIS, { fetch });
  const refused = await run(PARIS, { fetch, out: terminal(), variables: { NO_COLOR: "1" } });
  assert.ok(coloured.out.includes("\u001B["));
  assert.ok(!plain.out.includes("\u001B["));
  assert.ok(!refused.out.includes("\u001B["));
});

test("a publisher's text cannot drive the terminal", async () => {
  const evil = station({ distance_meters: 1, name: "a\u001B[2J\nb\u202Ec" });
  const answer = nearbyBody({ total: 1 });
  answer.results.stations = [evil];
  const ran = await run(PARIS, { fetch: answering([answer]) });
  assert.match(ran.out, / a \[2J b c /);
});

test("--json prints the answer as it came", async () => {
  const ran = await run([...PARIS, "--json"], { fetch: answering([body()]), out: terminal() });
  assert.deepEqual(JSON.parse(ran.out), body());
});

test("the options become parameters, the key a header", async () => {
  const requested: Request[] = [];
  const options = ["--modes", "bicycle", "--limit", "5", "--offset", "10", "--debug"];
  const ran = await run([...PARIS, ...options, "--url", "http://example.org:81/"], {
    fetch: answering([nearbyBody()], { requested }),
    variables: { VICINITY_API_KEY: "svc_live_x" },
  });
  assert.equal(ran.code, 0);
  assert.equal(
    requested[0]?.url,
    "http://example.org:81/v1/nearby?lat=48.8566&lon=2.3522&limit=5&offset=10&modes=bicycle&debug=true",
  );
  assert.equal(requested[0]?.headers.get("authorization"), "Bearer svc_live_x");
});

test("a refusal, a stranger and silence are one line each", async () => {
  const error = { error: { code: "invalid_request", message: "lat must be <= 90" } };
  const refused = await run(PARIS, { fetch: answering([error], { status: 400 }) });
  assert.equal(refused.err, "vicinity: 400 invalid_request: lat must be <= 90\n");
  const stranger = await run(PARIS, { fetch: answering(["<html>"], { type: "text/html" }) });
  assert.match(stranger.err, /answered 200 \(text\/html\), not as this service does\n$/);
  const silence = await run([...PARIS, "--url", "http://127.0.0.1:1"], {
    fetch: () => Promise.reject(new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } })),
  });
  assert.match(
    silence.err,
    /no answer from http:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\).*npm start.*\n$/,
  );
  assert.deepEqual([refused.code, stranger.code, silence.code], [1, 1, 1]);
});

test("an empty circle says where the nearest thing beyond it is", async () => {
  const results = { places: [], lines: [], stations: [], vehicles: [], alerts: [] };
  const [lat, lon] = [48.861, 2.357];
  const beyond = {
    kind: "station",
    id: "svc_station_a",
    distance_meters: 520.4,
    bearing: 40,
  } as const;
  const empty = nearbyBody({ status: "empty", total: 0, results, beyond: { ...beyond, lat, lon } });
  const ran = await run(PARIS, { fetch: answering([empty]) });
  assert.match(ran.out, /\nnearest beyond: a station, 520 m to the NE \(48.861, 2.357\)\n/);
  const unknown = await run(PARIS, { fetch: answering([{ ...empty, beyond: null }]) });
  assert.doesNotMatch(unknown.out, /beyond/);
});
