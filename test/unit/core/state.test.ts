/** What an item says about itself (R3, R7 to R10), row by row, and for every integer there is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Mode } from "#stations/entities.ts";
import {
  CLASS,
  COUNT,
  countClass,
  type Field,
  getField,
  modeMask,
  modesOf,
  TRI,
  tri,
  withField,
} from "#stations/shard/bits.ts";
import {
  type ActionValue,
  type Capability,
  describeState,
  type ServiceState,
} from "#core/nearby/action-state.ts";
import { CAPABILITIES, INTENTS } from "#api/nearby-items.ts";
import { forAll } from "../../support/domain.ts";

type Fields = Partial<Record<Field, number>>;

function stateOf(fields: Fields): number {
  let state = 0;
  for (const [field, value] of Object.entries(fields))
    state = withField(state, field as Field, value);
  return state;
}

const BICYCLE = modeMask(["bicycle"]);

/** A station where everything is well: each row of a table changes what it is about. */
const STATION: Fields = {
  modes: BICYCLE,
  matched: BICYCLE,
  park: 1,
  charge: 1,
  reserve: 1,
  vehicles: COUNT.some,
  docks: COUNT.some,
  installed: TRI.yes,
  renting: TRI.yes,
  returning: TRI.yes,
  data_class: CLASS.realtime,
};
const station = (change: Fields) => describeState(stateOf({ ...STATION, ...change }));

/** A vehicle ready to go: `renting` says reserved, `returning` says disabled. */
const VEHICLE: Fields = {
  vehicle: 1,
  modes: BICYCLE,
  matched: BICYCLE,
  reserve: 1,
  renting: TRI.no,
  returning: TRI.no,
  data_class: CLASS.realtime,
};
const vehicle = (change: Fields) => describeState(stateOf({ ...VEHICLE, ...change }));
const RESERVED = { renting: TRI.yes };
const DISABLED = { returning: TRI.yes };

test("R3: entity_type", () => {
  const mask = (...modes: Mode[]) => modeMask(modes);
  const table: [string, string | null, string | null][] = [
    ["a bicycle station", station({}).entity_type, "bicycle_station"],
    [
      "bicycles among others, though scooters were asked for",
      station({ modes: mask("bicycle", "scooter"), matched: mask("scooter") }).entity_type,
      "bicycle_station",
    ],
    ["no bicycles", station({ modes: mask("car"), matched: mask("car") }).entity_type, null],
    ["a drop-off zone", station({ parking: 1 }).entity_type, "parking"],
    ["a bicycle", vehicle({}).entity_type, "bicycle_vehicle"],
    ["a scooter", vehicle({ matched: mask("scooter") }).entity_type, "scooter_vehicle"],
    ["a moped", vehicle({ matched: mask("moped") }).entity_type, "motorscooter_vehicle"],
    ["a car", vehicle({ matched: mask("car") }).entity_type, "car_vehicle"],
  ];
  for (const [name, match, expected] of table) assert.equal(match, expected, name);
});

test("R3: whatever a station or vehicle is, its type is none of transit", () => {
  forAll(
    fc.property(anyState, (state) => {
      assert.doesNotMatch(describeState(state).entity_type ?? "", /^transit/);
    }),
    3000,
  );
});

test("R2: a station reports the first of its modes that was requested", () => {
  const all: Mode[] = ["bicycle", "scooter", "moped", "car"];
  for (let mask = 1; mask < 16; mask++) {
    const matched = all.filter((_, n) => mask & (1 << n));
    const { mode } = station({ modes: modeMask(all), matched: modeMask(matched.toReversed()) });
    assert.equal(mode, matched[0]);
  }
});

test("R7: service_status of a station, first hit wins", () => {
  const table: [string, Fields, ServiceState][] = [
    ["all true", {}, "operational"],
    ["closed beats unknown", { closed: 1, unknown: 1 }, "unavailable"],
    ["closed beats no status at all", { closed: 1, data_class: CLASS.static }, "unavailable"],
    ["no status", { data_class: CLASS.static }, "unknown"],
    ["too old beats not installed", { unknown: 1, installed: TRI.no }, "unknown"],
    ["not installed", { installed: TRI.no }, "unavailable"],
    ["neither renting nor returning", { renting: TRI.no, returning: TRI.no }, "unavailable"],
    ["not renting", { renting: TRI.no }, "degraded"],
    ["not returning", { returning: TRI.no }, "degraded"],
    ["not renting, returning unknown", { renting: TRI.no, returning: TRI.unknown }, "degraded"],
    ["installed unknown", { installed: TRI.unknown }, "unknown"],
    ["renting unknown", { renting: TRI.unknown }, "unknown"],
    ["returning unknown", { returning: TRI.unknown }, "unknown"],
    ["semi-static but young enough", { data_class: CLASS.semi_static }, "operational"],
  ];
  for (const [name, change, state] of table)
    assert.equal(station(change).service_status.state, state, name);
});

test("R7: service_status of a vehicle", () => {
  const table: [string, Fields, ServiceState][] = [
    ["neither reserved nor disabled", {}, "operational"],
    ["disabled", DISABLED, "maintenance"],
    ["reserved", RESERVED, "unavailable"],
    ["disabled and reserved", { ...DISABLED, ...RESERVED }, "maintenance"],
    ["older than 15 minutes", { unknown: 1 }, "unknown"],
    ["old and disabled", { unknown: 1, ...DISABLED }, "unknown"],
    ["flags null", { renting: TRI.unknown }, "unknown"],
    ["system closed", { closed: 1 }, "unavailable"],
  ];
  for (const [name, change, state] of table)
    assert.equal(vehicle(change).service_status.state, state, name);
});

test("R8: capabilities of a station are what it is for", () => {
  const all = { pickup: true, return: true, park: true, charge: true, reserve: true };
  assert.deepEqual(station({}).capabilities, { ...all, navigate: true });
  assert.equal(station({ parking: 1 }).capabilities.pickup, false);
  assert.equal(station({ park: 0 }).capabilities.park, false);
  assert.equal(station({ charge: 0 }).capabilities.charge, false);
  assert.equal(station({ reserve: 0 }).capabilities.reserve, false);
});

test("R8: capabilities of a vehicle", () => {
  const only = { return: false, park: false, charge: false, navigate: true };
  assert.deepEqual(vehicle({}).capabilities, { pickup: true, reserve: true, ...only });
  assert.deepEqual(vehicle({ reserve: 0, park: 1, charge: 1 }).capabilities, {
    pickup: true,
    reserve: false,
    ...only,
  });
});

test("R8: capabilities do not depend on the hour", () => {
  const timely: Fields[] = [{ unknown: 1 }, { closed: 1 }, { data_class: CLASS.static }];
  for (const change of timely)
    assert.deepEqual(station(change).capabilities, station({}).capabilities);
});

type Row = [string, Fields, ActionValue];

const NOW: ActionValue = "available_now";
const NOT: ActionValue = "unavailable_now";
const MAYBE: ActionValue = "unknown";

test("R9: pickup at a station", () => {
  const rows: Row[] = [
    ["installed, renting, some there", {}, NOW],
    ["not installed", { installed: TRI.no }, NOT],
    ["not renting", { renting: TRI.no }, NOT],
    ["none there", { vehicles: COUNT.none }, NOT],
    ["none there, flags unknown", { vehicles: COUNT.none, renting: TRI.unknown }, NOT],
    ["count null", { vehicles: COUNT.unknown }, MAYBE],
    ["installed null", { installed: TRI.unknown }, MAYBE],
    ["renting null", { renting: TRI.unknown }, MAYBE],
    ["too old to know", { unknown: 1 }, MAYBE],
    ["too old to know, none there then", { unknown: 1, vehicles: COUNT.none }, MAYBE],
    ["no status", { data_class: CLASS.static }, MAYBE],
    ["closed", { closed: 1 }, NOT],
    ["returning does not matter", { returning: TRI.no }, NOW],
  ];
  for (const [name, change, value] of rows)
    assert.equal(station(change).action_state.pickup, value, name);
});

test("R9: return and park at a station", () => {
  const rows: Row[] = [
    ["installed, returning, docks free (or unlimited)", {}, NOW],
    ["not installed", { installed: TRI.no }, NOT],
    ["not returning", { returning: TRI.no }, NOT],
    ["no dock free", { docks: COUNT.none }, NOT],
    ["docks null in 1.x", { docks: COUNT.unknown }, MAYBE],
    ["returning null", { returning: TRI.unknown }, MAYBE],
    ["installed null", { installed: TRI.unknown }, MAYBE],
    ["too old to know", { unknown: 1 }, MAYBE],
    ["no status", { data_class: CLASS.static }, MAYBE],
    ["closed", { closed: 1 }, NOT],
    ["renting does not matter", { renting: TRI.no }, NOW],
  ];
  for (const [name, change, value] of rows) {
    assert.equal(station(change).action_state.return, value, name);
    assert.equal(station(change).action_state.park, value, name);
  }
});

test("R9: charge at a station", () => {
  const rows: Row[] = [
    ["charging station, installed, returning", {}, NOW],
    ["not installed", { installed: TRI.no }, NOT],
    ["not returning", { returning: TRI.no }, MAYBE],
    ["returning null", { returning: TRI.unknown }, MAYBE],
    ["too old to know", { unknown: 1 }, MAYBE],
    ["closed", { closed: 1 }, NOT],
  ];
  for (const [name, change, value] of rows)
    assert.equal(station(change).action_state.charge, value, name);
});

test("R9: pickup of a vehicle", () => {
  const rows: Row[] = [
    ["neither reserved nor disabled", {}, NOW],
    ["reserved", RESERVED, NOT],
    ["disabled", DISABLED, NOT],
    ["available_until passed", { expired: 1 }, NOT],
    ["reserved null", { renting: TRI.unknown }, MAYBE],
    ["disabled null", { returning: TRI.unknown }, MAYBE],
    ["disabled, reserved null", { ...DISABLED, renting: TRI.unknown }, NOT],
    ["older than 15 minutes", { unknown: 1 }, MAYBE],
  ];
  for (const [name, change, value] of rows) {
    assert.equal(vehicle(change).action_state.pickup, value, name);
    assert.equal(vehicle(change).action_state.reserve, value, `reserve: ${name}`);
  }
});

const anyState = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
);

test("R9: all six keys always; a capability that is false is unavailable_now; navigate always", () => {
  forAll(
    fc.property(anyState, (state) => {
      const { capabilities, action_state } = describeState(state);
      assert.deepEqual(Object.keys(action_state), [...CAPABILITIES]);
      assert.deepEqual(Object.keys(capabilities), [...CAPABILITIES]);
      for (const key of CAPABILITIES) {
        assert.ok([NOW, NOT, MAYBE].includes(action_state[key]));
        if (!capabilities[key]) assert.equal(action_state[key], NOT);
      }
      assert.equal(action_state.navigate, NOW);
    }),
    3000,
  );
});

test("R9: reserve of a vehicle follows pickup", () => {
  forAll(
    fc.property(anyState, (state) => {
      const { capabilities, action_state } = describeState(withField(state, "vehicle", 1));
      assert.equal(action_state.reserve, capabilities.reserve ? action_state.pickup : NOT);
    }),
    1000,
  );
});

test("R9: reserve at a station follows pickup", () => {
  forAll(
    fc.property(anyState, (state) => {
      const { capabilities, action_state } = describeState(withField(state, "vehicle", 0));
      if (capabilities.reserve && capabilities.pickup)
        assert.equal(action_state.reserve, action_state.pickup);
    }),
  );
});

test("R7 with R9: where the service is unknown, nothing but navigating is available now", () => {
  forAll(
    fc.property(anyState, (state) => {
      const item = describeState(withField(state, "vehicle", 0));
      if (getField(state, "unknown") && !getField(state, "closed")) {
        assert.equal(item.service_status.state, "unknown");
        for (const key of CAPABILITIES)
          if (key !== "navigate") assert.notEqual(item.action_state[key], NOW);
      }
    }),
    1000,
  );
});

test("R9 with R10: no unknown input yields available_now", () => {
  const inputs: [Field, number, Capability[]][] = [
    ["installed", TRI.unknown, ["pickup", "return", "park", "charge", "reserve"]],
    ["renting", TRI.unknown, ["pickup", "reserve"]],
    ["returning", TRI.unknown, ["return", "park", "charge"]],
    ["vehicles", COUNT.unknown, ["pickup", "reserve"]],
    ["docks", COUNT.unknown, ["return", "park"]],
  ];
  forAll(
    fc.property(anyState, fc.constantFrom(...inputs), (state, [field, unknown, keys]) => {
      const item = describeState(withField(withField(state, "vehicle", 0), field, unknown));
      for (const key of keys) assert.notEqual(item.action_state[key], NOW);
    }),
    1000,
  );
});

test("R10: explore always, then pickup, return, park, charge, reserve; never navigate", () => {
  const order = ["explore", "pickup", "return", "park", "charge", "reserve"];
  forAll(
    fc.property(anyState, (state) => {
      const item = describeState(state);
      const intents = item.context_actions.map(({ intent }) => intent);
      assert.deepEqual(
        [...new Set(intents)],
        order.filter((intent) => intents.includes(intent as never)),
      );
      assert.equal(intents[0], "explore");
      for (const { id, intent, mode } of item.context_actions) {
        assert.equal(id, `${intent}:${mode}`);
        assert.ok((INTENTS as readonly string[]).includes(intent));
        if (intent === "explore") continue;
        assert.ok(item.capabilities[intent as Capability]);
        assert.notEqual(item.action_state[intent as Capability], NOT);
      }
      assert.equal(new Set(item.context_actions.map(({ id }) => id)).size, intents.length);
    }),
    3000,
  );
});

test("R10: a station of several modes offers pickup once for each that matches", () => {
  const modes = modeMask(["car", "bicycle", "scooter"]);
  const ids = station({ modes, matched: modeMask(["car", "bicycle"]) }).context_actions.map(
    ({ id }) => id,
  );
  assert.deepEqual(ids, [
    "explore:bicycle",
    "pickup:bicycle",
    "pickup:car",
    "return:bicycle",
    "park:bicycle",
    "charge:bicycle",
    "reserve:bicycle",
  ]);
});

test("R10: an action that is impossible now is not offered, one that may be possible is", () => {
  const intents = (change: Fields) =>
    station(change).context_actions.map(({ intent }) => intent as string);
  assert.deepEqual(intents({ vehicles: COUNT.none }), ["explore", "return", "park", "charge"]);
  assert.deepEqual(intents({ docks: COUNT.none, charge: 0 }), ["explore", "pickup", "reserve"]);
  assert.ok(intents({ docks: COUNT.unknown }).includes("return"));
  assert.deepEqual(intents({ closed: 1 }), ["explore"]);
});

test("a field holds its value and leaves the others alone", () => {
  const fields = Object.keys({ ...STATION, ...VEHICLE }) as Field[];
  const pair = fc.tuple(fc.constantFrom(...fields), fc.constantFrom(...fields));
  forAll(
    fc.property(anyState, anyState, pair, (state, donor, [one, other]) => {
      const value = getField(donor, one);
      const next = withField(state, one, value);
      assert.equal(getField(next, one), value);
      if (one !== other) assert.equal(getField(next, other), getField(state, other));
    }),
    1000,
  );
});

test("unknown is a value of its own: null is neither no nor none", () => {
  assert.deepEqual([tri(null), tri(false), tri(true)], [TRI.unknown, TRI.no, TRI.yes]);
  assert.deepEqual(
    [countClass(null), countClass(0), countClass(3)],
    [COUNT.unknown, COUNT.none, COUNT.some],
  );
});

test("modes come out in reporting order; other has no bit", () => {
  assert.deepEqual(modesOf(modeMask(["car", "other", "bicycle"])), ["bicycle", "car"]);
  assert.equal(modeMask(["other"]), 0);
});
