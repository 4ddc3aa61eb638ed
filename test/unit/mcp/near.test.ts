/** `near` of tools: two forms of one point, and what a name may be taken for (docs/agents.md). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Passage, Refusal } from "#app/access/request-caller.ts";
import type { GeocodeReply } from "#app/places/geocoding.ts";
import { AGENT_TOOLS, type AgentTool } from "#api/agent-tools.ts";
import type { GeocodeBodyValue } from "#api/geocoding.ts";
import { createCallTool } from "#mcp/call.ts";
import { createLookUp, readPlace } from "#mcp/near-argument.ts";
import { DEFAULT_DEADLINES_MS } from "../../support/deadlines.ts";
import { NOW_MS } from "../../support/server.ts";

type Candidate = GeocodeBodyValue["results"][number];
type Point = { lat: number; lon: number };

const PARIS = { lat: 48.8443, lon: 2.3735 };

function aCandidate(
  name: string,
  label: string,
  location: Point = PARIS,
  {
    type = "station",
    ...parts
  }: Partial<Candidate["address"]> & Partial<Pick<Candidate, "type">> = {},
): Candidate {
  const address = {
    ...{ formatted: null, street: null, street_number: null, city: null },
    ...{ postal_code: null, region: null, country: null },
    ...parts,
  };
  return {
    ...{ svc_id: null, name, label, type, location, address },
    ...{ source_id: "maps", source_place_id: null },
  };
}

type Script = {
  reply?: GeocodeReply;
  results?: Candidate[];
  refuse?: (id: string) => Refusal | null;
};

/** Tools that note their arguments, and what was permitted and charged. */
function open({ results = [], reply, refuse = () => null }: Script = {}) {
  const [ran, requested, charged, permitted]: [object[], object[], string[], string[]] = [
    [],
    [],
    [],
    [],
  ];
  const run = async (args: object) => {
    ran.push(args);
    const metered = { void: false, objects: 0, maps_categories: 0 };
    return { kind: "answered", answer: { total: 0 }, metered };
  };
  const tools = Object.fromEntries(Object.keys(AGENT_TOOLS).map((name) => [name, run]));
  const times = { clock: { now: () => NOW_MS }, deadlines_ms: DEFAULT_DEADLINES_MS };
  const meta = { source: "maps", cache: "miss" as const, total: results.length };
  const lookUp = createLookUp({
    ...times,
    geocode: async ({ question }) => {
      requested.push(question);
      return reply ?? { kind: "ok", body: { results, meta }, max_age_s: 1 };
    },
  });
  const passage = {
    caller: { kind: "anonymous" },
    permit(operation, free) {
      permitted.push(`${operation.id}${free ? " free" : ""}`);
      return refuse(operation.id);
    },
    remainingUnits: () => null,
    charge: async (operation, { void: isVoid }) => (
      charged.push(`${operation.id}${isVoid ? " void" : ""}`),
      null
    ),
    signal: new AbortController().signal,
  } as Passage;
  const call = createCallTool({ ...times, tools: tools as never, lookUp });
  const ask = async (args: object, name = "find_transit_stations") => {
    const { result } = (await call(name, args, passage))!;
    const [content] = result.content;
    const body = JSON.parse((content as { text: string }).text) as Answer;
    return { ...body, is_error: result.isError === true };
  };
  return { ask, ran, requested, charged, permitted };
}

type Answer = {
  near?: Point & { label: string };
  error?: { code: string; message: string; candidates?: unknown[]; retry_after_s?: number };
};

const LYON = aCandidate("Gare de Lyon", "Gare de Lyon, 75012 Paris, France");

test("every tool that takes lat and lon takes near in their place", () => {
  const placed = Object.entries(AGENT_TOOLS as Record<string, AgentTool>).filter(
    ([, { parameters }]) => "lat" in parameters,
  );
  assert.ok(placed.length >= 5);
  for (const [name, { parameters }] of placed) {
    assert.deepEqual(Object.keys(parameters).slice(0, 3), ["near", "lat", "lon"], name);
    for (const member of ["near", "lat", "lon"])
      assert.equal(parameters[member]!.required, false, `${name}.${member}`);
  }
  assert.ok(!("near" in AGENT_TOOLS.read_dataset.parameters));
});

test("a name with one match is used, stated, and paid as a geocoding", async () => {
  const town = open({ results: [LYON] });
  const answer = await town.ask({ near: " Gare de Lyon,  Paris ", language: "fr", radius: 300 });
  const near = { label: "Gare de Lyon, 75012 Paris, France", kind: "station", ...PARIS };
  assert.deepEqual(answer, { near, total: 0, is_error: false });
  assert.deepEqual(town.requested, [
    { q: "Gare de Lyon,  Paris", language: "fr", country: undefined },
  ]);
  const [args] = town.ran as Record<string, unknown>[];
  assert.deepEqual([args!["lat"], args!["lon"], args!["radius"]], [PARIS.lat, PARIS.lon, 300]);
  assert.ok(!("near" in args!));
  assert.deepEqual(town.permitted, ["geocode free", "getTransportNearby"]);
  assert.deepEqual(town.charged, ["geocode", "getTransportNearby"]);
});

test("coordinates as near are no geocoding, and are as lat and lon", async () => {
  for (const near of ["48.8443,2.3735", " 48.8443, 2.3735", "48.8443 ,2.3735"]) {
    const town = open();
    assert.equal((await town.ask({ near })).is_error, false);
    assert.deepEqual(town.charged, ["getTransportNearby"]);
    const other = open();
    assert.deepEqual(await town.ask({ near }), await other.ask(PARIS));
    assert.deepEqual(town.ran[0], other.ran[0]);
    assert.deepEqual(town.requested, []);
  }
});

test("exactly one of the two forms", async () => {
  const cases: [object, RegExp][] = [
    [{}, /^arguments must have near, or lat and lon, and not both$/],
    [{ near: null, lat: null }, /^arguments must have near, or lat and lon/],
    [{ near: "Paris", ...PARIS }, /not both$/],
    [{ near: "1,2", lat: 1 }, /not both$/],
    [{ lat: 1 }, /^arguments\.lon is required, together with the other one, or near/],
    [{ lon: 1 }, /^arguments\.lat is required/],
    [{ near: "91,2" }, /^arguments\.near must be lat,lon from -90 to 90/],
    [{ near: "2,-180.5" }, /^arguments\.near must be lat,lon/],
    [{ near: "" }, /^arguments\.near must be text of 1 to 200/],
    [{ near: 7 }, /^arguments\.near must be text/],
  ];
  for (const [args, message] of cases) {
    const town = open({ results: [LYON] });
    const { error } = await town.ask(args);
    assert.equal(error?.code, "invalid_request", JSON.stringify(args));
    assert.match(error.message, message);
    assert.deepEqual([town.ran, town.requested, town.permitted, town.charged], [[], [], [], []]);
  }
});

const FAR = { lat: 45.76, lon: 4.86 };
const CASES: [what: string, near: string, results: Candidate[], used: number | "ambiguous"][] = [
  [
    "the same name far apart",
    "Springfield",
    [
      aCandidate("Springfield", "Springfield, Illinois"),
      aCandidate("Springfield", "Springfield, Ohio", FAR),
    ],
    "ambiguous",
  ],
  [
    "the state decides",
    "Springfield, Ohio",
    [
      aCandidate("Springfield", "Springfield, Illinois"),
      aCandidate("Springfield", "Springfield, Ohio", FAR),
    ],
    1,
  ],
  [
    "the only match lacks a word",
    "Museum, Springfield",
    [aCandidate("Museum", "Museum, São Paulo")],
    "ambiguous",
  ],
  [
    "a longer name of another thing",
    "gare de lyon",
    [aCandidate("Hôtel Gare de Lyon", "Hôtel Gare de Lyon, Nice", FAR), LYON],
    1,
  ],
  [
    "parts of one place",
    "Gare de Lyon",
    [LYON, aCandidate("Gare de Lyon", "Gare de Lyon, Metro", { lat: 48.8451, lon: 2.3735 })],
    0,
  ],
  ["accents and case", "gare de l'ÉST", [aCandidate("Gare de l’Est", "Gare de l’Est, Paris")], 0],
  [
    "an abbreviation",
    "10 av Gambetta, Paris",
    [aCandidate("10 Avenue Gambetta", "10 Avenue Gambetta, Paris")],
    0,
  ],
  [
    "another script, and nothing else",
    "Tokyo Station",
    [aCandidate("東京駅", "東京駅, 東京都")],
    0,
  ],
  [
    "another script, the other way",
    "東京駅",
    [aCandidate("Tokyo Station", "Tokyo Station, Tokyo")],
    0,
  ],
  [
    "another script, of two",
    "東京駅",
    [aCandidate("Tokyo Station", "Tokyo Station"), aCandidate("Tokyo", "Tokyo", FAR)],
    "ambiguous",
  ],
  [
    "another script with a town that is written otherwise",
    "東京駅 Springfield",
    [aCandidate("Tokyo Station", "Tokyo Station, Tokyo")],
    "ambiguous",
  ],
  [
    "a name of which half is the street of another thing",
    "Rue des Cerisaies – Canal Neuf, Paris",
    [
      aCandidate("Canal Neuf Pharmacy", "Canal Neuf Pharmacy, 8 Rue des Cerisaies, Paris", PARIS, {
        ...{ street: "Rue des Cerisaies", city: "Paris" },
      }),
    ],
    "ambiguous",
  ],
  [
    "a name and its street",
    "Canal Neuf Pharmacy Rue des Cerisaies",
    [
      aCandidate("Canal Neuf Pharmacy", "Canal Neuf Pharmacy, 8 Rue des Cerisaies, Paris", PARIS, {
        ...{ street: "Rue des Cerisaies", city: "Paris" },
      }),
    ],
    0,
  ],
  [
    "a longer name in the town of the text",
    "Louvre Paris",
    [aCandidate("Musée du Louvre", "Musée du Louvre, Paris", PARIS, { city: "Paris" })],
    0,
  ],
  [
    "two longer names",
    "Station",
    [aCandidate("Station A", "Station A"), aCandidate("Station B", "Station B", FAR)],
    "ambiguous",
  ],
];

type Near = readonly [lat: number, lon: number];
const a = (
  type: Candidate["type"],
  name: string,
  [lat, lon]: Near,
  parts: Partial<Candidate["address"]> = {},
): Candidate => aCandidate(name, `${name}, ${type}`, { lat, lon }, { type, ...parts });

const GERMANY = { country: "Germany", region: "Berlin" };
const LI = { country: "Liechtenstein" };
CASES.push(
  [
    "a settlement, and the region that it lies in",
    "Berlin",
    [a("region", "Berlin", [52.5, 13.8], GERMANY), a("city", "Berlin", [52.52, 13.4], GERMANY)],
    1,
  ],
  [
    "a settlement, and a region whose region it does not name",
    "New York",
    [
      a("city", "New York", [40.71, -74], { country: "United States" }),
      a("region", "New York", [43, -75.5], { country: "United States" }),
    ],
    0,
  ],
  [
    "a settlement, and the country that it lies in",
    "Monaco",
    [
      a("country", "Monaco", [43.73, 7.41]),
      a("city", "Monaco", [43.738, 7.424], { country: "Monaco" }),
    ],
    1,
  ],
  [
    "a settlement, and a thing in it that is called so",
    "Vaduz",
    [
      a("city", "Vaduz", [47.139, 9.522], LI),
      a("poi", "Vaduz", [47.15, 9.51], { ...LI, city: "Vaduz" }),
      a("neighborhood", "Vaduz", [47.16, 9.51], { ...LI, city: "Vaduz" }),
    ],
    0,
  ],
  [
    "a settlement, and a thing elsewhere that is called so",
    "Vaduz",
    [
      a("city", "Vaduz", [47.139, 9.522], LI),
      a("poi", "Vaduz", [47.2, 9.5], { ...LI, city: "Gamprin" }),
    ],
    "ambiguous",
  ],
  [
    "a settlement, and a region of another country",
    "Luxembourg",
    [
      a("city", "Luxembourg", [49.61, 6.13], { country: "Luxembourg" }),
      a("country", "Luxembourg", [49.8, 6.1]),
      a("region", "Luxembourg", [50, 5.5], { country: "Belgium" }),
    ],
    "ambiguous",
  ],
  [
    "two settlements, one with its region",
    "Berlin",
    [
      a("city", "Berlin", [52.52, 13.4], GERMANY),
      a("region", "Berlin", [52.5, 13.8], GERMANY),
      a("city", "Berlin", [44.47, -71.18], { country: "United States", region: "New Hampshire" }),
    ],
    "ambiguous",
  ],
  [
    "a region and a thing, and no settlement",
    "Tyrol",
    [a("region", "Tyrol", [47.2, 11.4]), a("poi", "Tyrol", [47.3, 11.5])],
    "ambiguous",
  ],
);

for (const [what, near, results, used] of CASES)
  test(`what a name is taken for: ${what}`, async () => {
    const town = open({ results });
    const { error, near: stated } = await town.ask({ near });
    if (used === "ambiguous") {
      assert.equal(error?.code, "ambiguous_place");
      assert.match(error.message, /nothing was searched.*again with its "lat,lon" as near/);
      const listed = results.map(({ label, type, location }) => ({
        label,
        kind: type,
        ...location,
      }));
      assert.deepEqual(error.candidates, listed);
      assert.deepEqual([town.ran.length, town.charged], [0, ["geocode"]]);
    } else assert.equal(stated?.label, results[used]!.label);
  });

test("no match is said as such, and a geocoder that fails is a failure", async () => {
  const none = open();
  const { error } = await none.ask({ near: "nowhere at all 7731" });
  assert.equal(error?.code, "place_not_found");
  assert.match(error.message, /knows no place "nowhere at all 7731"; nothing was searched/);
  assert.deepEqual([none.ran.length, none.charged], [0, ["geocode"]]);
  const reply = {
    kind: "failed",
    code: "provider_timeout",
    message: "the maps did not answer in time",
    retry_after_s: 3,
  } as const;
  const failing = open({ reply });
  const failed = (await failing.ask({ near: "Paris" })).error;
  const { kind: _, ...expected } = reply;
  assert.deepEqual(failed, expected);
  assert.deepEqual([failing.ran.length, failing.charged], [0, []]);
});

test("a caller without the scope of geocoding, or without quota, looks nothing up", async () => {
  for (const denied of ["geocode", "getTransportNearby"]) {
    const refuse = (id: string): Refusal | null =>
      id === denied ? { code: "insufficient_scope", message: denied } : null;
    const town = open({ results: [LYON], refuse });
    assert.equal((await town.ask({ near: "Gare de Lyon" })).error?.message, denied);
    assert.deepEqual([town.requested, town.charged], [[], []]);
  }
});

test("whatever is given, one form is read, and a point is on Earth", () => {
  const any = fc.record(
    {
      near: fc.oneof(fc.string(), fc.constantFrom("1,2", "90,180", "-91,0", "1,2,3", "1e3,2")),
      lat: fc.double({ min: -90, max: 90, noNaN: true }),
      lon: fc.double({ min: -180, max: 180, noNaN: true }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(any, (input) => {
      const args = { near: undefined, lat: undefined, lon: undefined, ...input };
      const read = readPlace(args);
      if (!read.ok) return;
      const { lat, lon } = read.args as Partial<Point>;
      assert.ok(!("near" in read.args));
      if (read.text !== null)
        assert.deepEqual([lat, lon, read.text], [undefined, undefined, input.near]);
      else assert.ok(Math.abs(lat!) <= 90 && Math.abs(lon!) <= 180);
    }),
  );
});

test("a tool whose point is optional may be asked without one, and not with half of one", () => {
  const id = "svc_transport_station_a";
  const none = readPlace({ id, near: undefined, lat: undefined, lon: undefined }, "optional");
  assert.deepEqual(none.ok && none.text, null);
  assert.equal(readPlace({ id, near: undefined }).ok, false);
  const half = readPlace({ id, near: undefined, lat: 1, lon: undefined }, "optional");
  assert.match(half.ok ? "" : half.message, /arguments\.lon is required/);
});
