/** get_place over use cases that answer at once: texts of sources, room, and what is asked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { loadTimezones } from "#app/timezone.ts";
import { SHOWN } from "#api/agent-results.ts";
import { SERVICE_TYPES } from "#api/tokens.ts";
import { sizeOf } from "#mcp/brief.ts";
import { cleanAll, type PlaceRecord, toVehicleRecord } from "#mcp/tool-records.ts";
import { shorten } from "#mcp/shorten.ts";
import type { ToolCall, ToolDeps, ToolOutcome } from "#mcp/tool.ts";
import { createGetPlace } from "#mcp/tools/place-tool.ts";
import { walkToPlace } from "#mcp/tools/place-walk.ts";
import { walksOfBase } from "../../support/fake-walks.ts";
import { NOW_MS } from "../../support/server.ts";
import { tries } from "../../support/size.ts";
import { drawnWalks, UNMAPPED } from "../../support/walks.ts";

const PARIS = { lat: 48.8566, lon: 2.3522 };
const ID = "svc_place_aaaaaaaaaaaaaaaaaaaa";

type Reply = { status?: string; message?: string; results?: object[] };

/** Asks for a service; `replies`: of the rounds, in turn. */
async function askFor(
  replies: readonly Reply[],
  {
    walks = UNMAPPED,
    ...place
  }: { walks?: ToolDeps["walks"]; from?: string; profile?: string } = {},
): Promise<{ outcome: ToolOutcome; types: string[][] }> {
  const types: string[][] = [];
  const deps = {
    walks,
    clock: { now: () => NOW_MS },
    timezones: loadTimezones,
    statedZone: () => null,
    termsOf: (provider: string) => ({ provider, licence: null, attribution: null, store: "all" }),
    searches: {
      services: ({ question }: { question: { types: string[] } }) => {
        const { status = "success", results = [], ...more } = replies[types.length] ?? {};
        types.push(question.types);
        const body = { status, query_origin: PARIS, results, ...more };
        return Promise.resolve({ body, max_age_s: 30 });
      },
    },
  } as unknown as ToolDeps;
  const query = { caller: { kind: "anonymous" }, now_ms: NOW_MS } as unknown as ToolCall;
  const args = { id: ID, ...PARIS, near: undefined, profile: "foot", ...place } as never;
  return { outcome: await createGetPlace(deps)(args, query), types };
}

const aService = (attributes: object, name = "Locker") => ({
  id: ID,
  type: "service",
  service_type: "locker",
  name,
  external_id: "L1",
  location: PARIS,
  distance_meters: 0,
  source_id: "inpost",
  source_type: "partner_api",
  attributes,
});

test("what cannot be seen does not reach the model: not in names, nor in attributes, nor their names", async () => {
  const tag = String.fromCodePoint(0xe0041, 0xe0042);
  const hidden = `a\u200bb\u202e${tag}\u0007c`;
  const attributes = { code: hidden, [`note${tag}`]: { deep: [hidden] } };
  const { outcome } = await askFor([{ results: [aService(attributes, hidden)] }]);
  assert.ok(outcome.kind === "answered");
  const text = JSON.stringify(outcome.answer);
  assert.doesNotMatch(text, /[\u200b\u202e\u{e0000}-\u{e007f}]|\\u0007/u);
  const { place } = outcome.answer as { place: PlaceRecord };
  assert.deepEqual(place["attributes"], { code: "abc", note: { deep: ["abc"] } });
  assert.equal(place["name"], "abc");
});

test("the walk is from where it is asked from, and there is none where it is not asked", async () => {
  const match = [{ results: [aService({})] }];
  const walkOf = async (more: Parameters<typeof askFor>[1]) => {
    const { outcome } = await askFor(match, more);
    assert.ok(outcome.kind === "answered");
    const { walk, walking, place } = outcome.answer as { walk?: object } & Record<string, unknown>;
    assert.ok(!("walk_minutes" in (place as object)));
    return [walk, walking];
  };
  const walks = drawnWalks((a, b) => [a.lat === 48.85 && b.lat === PARIS.lat ? 401.2 : 1, null]);
  assert.deepEqual(await walkOf({ walks }), [undefined, undefined]);
  const from = { lat: 48.85, lon: 2.35 };
  assert.deepEqual(await walkOf({ walks, from: "48.85, 2.35", profile: "step_free" }), [
    { from, minutes: 5.1, meters: 401, step_free: null },
    "Minutes on foot along streets at 1.33 m/s, without a known step. Not certain to be without a step (step_free null): 1.",
  ]);
  const island = drawnWalks(() => "not_reached");
  const [none] = await walkOf({ walks: island, from: "48.85,2.35" });
  assert.deepEqual(none, { from, minutes: null, reason: "not_reached" });
  const [unmapped, why] = await walkOf({ from: "48.85,2.35" });
  assert.deepEqual(unmapped, { from, minutes: null, reason: "outside_bases" });
  assert.equal(why, "No imported base covers this point, so that ways on foot are not known.");
  const lost = { ...walksOfBase("base_unreadable"), lost: { id: "city", reason: "busy" } };
  const unread = { ...lost, pin: () => Promise.resolve(lost) };
  const [unknown, whose] = await walkOf({ walks: unread, from: "48.85,2.35" });
  assert.deepEqual(unknown, { from, minutes: null, reason: "base_unreadable" });
  assert.match(String(whose), /^The base city is .* not known; ask again in a moment\.$/);
  const { outcome } = await askFor(match, { from: "91,2" });
  assert.ok(outcome.kind === "refused" && outcome.code === "invalid_request");
  assert.match(outcome.message, /^arguments\.from must be lat,lon from -90 to 90/);
});

test("the streets to a station say nothing of steps within it", async () => {
  const wish = { start: { lat: 48.85, lon: 2.35 }, profile: "step_free", now_ms: NOW_MS } as const;
  const stepFreeOf = async (kind: string, known: boolean): Promise<unknown> => {
    const walks = drawnWalks(() => [400, known]);
    const record = { kind, location: PARIS } as unknown as PlaceRecord;
    const { members } = await walkToPlace({ walks }, record, wish);
    assert.equal(/step_free null/.test(members.walking!), kind === "transit_station" && known);
    return (members.walk as { step_free: unknown }).step_free;
  };
  const kinds = ["service", "station", "vehicle", "transit_station"];
  const known = await Promise.all(kinds.map((kind) => stepFreeOf(kind, true)));
  assert.deepEqual(known, [true, true, true, null]);
  assert.equal(await stepFreeOf("transit_station", false), false);
});

const ROUNDS: readonly Reply[] = [{}, {}];

test("types are asked in turn, those that cost more last, and what was asked is charged", async () => {
  const match = { results: [aService({})] };
  for (const round of [0, 1, 2]) {
    const { outcome, types } = await askFor([...ROUNDS.slice(0, round), match]);
    assert.ok(outcome.kind === "answered" && "requested" in outcome);
    assert.equal(types.length, round + 1);
    assert.deepEqual(
      outcome.requested.map(({ operation, metered }) => [operation, metered.maps_categories]),
      [["getServicesNearby", round]],
    );
  }
  const { types } = await askFor([]);
  assert.deepEqual(new Set(types.flat()), new Set(SERVICE_TYPES));
});

test("a result that is not there is gone only where every source answered", async () => {
  const { outcome: gone } = await askFor([]);
  assert.ok(gone.kind === "refused" && gone.requested);
  assert.deepEqual([gone.code, gone.requested[0]!.metered.void], ["result_not_found", false]);
  for (const at of [0, 1, 2]) {
    const replies = [0, 1, 2].map((round): Reply =>
      round === at ? { status: "partial", message: "InPost is too slow." } : {},
    );
    const { outcome } = await askFor(replies);
    assert.ok(outcome.kind === "refused" && outcome.requested);
    assert.deepEqual([outcome.code, outcome.requested[0]!.metered.void], ["result_unknown", true]);
    assert.match(outcome.message, /InPost is too slow\./);
  }
});

const RESULT = { kind: "service", id: ID, location: PARIS, distance_meters: 0 } as const;

test("a record of any size fits, keeps what names it, and says what is left out", () => {
  const value = fc.oneof(
    fc.string({ maxLength: 3_000 }),
    fc.array(fc.record({ name: fc.string({ maxLength: 60 }), kw: fc.nat() }), { maxLength: 200 }),
    fc.record({ connectors: fc.array(fc.nat(), { maxLength: 2_000 }), count: fc.nat() }),
  );
  const members = fc.dictionary(fc.stringMatching(/^[a-z]{1,12}$/), value, { maxKeys: 12 });
  fc.assert(
    fc.property(members, members, (own, attributes) => {
      const id = { ...RESULT, name: "Name" };
      const record: PlaceRecord = { ...own, ...id, attributes };
      const before = JSON.stringify(record);
      const answer = shorten(record, (place, omitted) => ({ place, omitted }));
      assert.equal(JSON.stringify(record), before);
      assert.ok(sizeOf(answer) <= SHOWN.bytes_max, String(sizeOf(answer)));
      const { place, omitted } = answer;
      for (const [name, member] of Object.entries(id))
        assert.deepEqual((place as Record<string, unknown>)[name], member);
      const stored = { ...place, ...(place["attributes"] as object) } as Record<string, unknown>;
      for (const [name, member] of Object.entries({ ...record, ...attributes })) {
        if (name === "attributes" || name in own) continue;
        const isWhole = JSON.stringify(stored[name]) === JSON.stringify(member);
        assert.ok(isWhole || omitted.some((path) => path.startsWith(name)), name);
      }
    }),
    { seed: 7, numRuns: 150 },
  );
});

test("of a charger with very many connectors some stay, and the list is named", () => {
  const connectors = Array.from({ length: 300 }, (_, n) => ({ type: "CCS2", max_kw: n, count: 1 }));
  const attributes = { charging: { connector_count: 300, connectors } };
  const input = { ...RESULT, attributes };
  const { place, omitted } = shorten(input, (listed, left) => ({ place: listed, omitted: left }));
  const { charging } = place["attributes"] as typeof attributes;
  assert.equal(charging.connector_count, 300);
  assert.ok(charging.connectors.length > 50 && charging.connectors.length < 300);
  assert.deepEqual(omitted, ["charging.connectors"]);
});

test("of the rules of a network a vehicle has those of its own kind, and of a network without any null", () => {
  const scooter = { form_factor: "scooter", propulsion: "electric" } as const;
  const bicycle = { form_factor: "bicycle", propulsion: "human" } as const;
  const scope = "global" as const;
  const vehicle = {
    source: { mode: "scooter", vehicle_type: scooter, action_state: {}, context_actions: [] },
    source_id: "zig:1",
    network_id: "zig",
  } as unknown as Parameters<typeof toVehicleRecord>[0];
  const zones = {
    network: { id: "zig", name: "Zig" },
    rules: [
      { scope, ride_end_allowed: false, vehicle_types: [scooter, bicycle] },
      { scope, ride_end_allowed: true, vehicle_types: [bicycle] },
      { scope, maximum_speed_kph: 20 },
    ],
    zones: [],
    total: 0,
  };
  const rules = toVehicleRecord(vehicle, { zones, price: null }, [])["zone_rules"];
  assert.deepEqual(rules, [zones.rules[0], zones.rules[2]]);
  assert.equal(toVehicleRecord(vehicle, { zones: null, price: null }, [])["zone_rules"], null);
});

test("texts are cleaned wherever they are, and nothing else changes", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const cleaned = cleanAll(value);
      assert.doesNotMatch(JSON.stringify(cleaned), /[\u200b\ufeff\u{e0000}-\u{e007f}]/u);
      assert.equal(Array.isArray(cleaned), Array.isArray(value));
      assert.deepEqual(cleanAll(cleaned), cleaned);
    }),
    { seed: 3, numRuns: tries(200) },
  );
});
