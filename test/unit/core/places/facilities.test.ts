/** Charging stations and car parks that several sources see are one result (docs/identity.md). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toEnd } from "#kit/steps.ts";
import fc from "fast-check";
import { evseKey, listChargingKeys, stationKey, toEvseId } from "#core/places/evse-id.ts";
import { type MergedPlace, mergePlaces } from "#core/places/merge-places.ts";
import type { Place } from "#core/places/place.ts";
import { createChargingWorld } from "../../../support/charging-world.ts";
import { forAll, HERE, moved } from "../../../support/domain.ts";
import { compareWithTruth, precisionOf, recallOf } from "../../../support/facility-truth.ts";
import { createParkingWorld } from "../../../support/parking-world.ts";
import { aPlace, mergeAll, travelled } from "../../../support/places.ts";
import { sized } from "../../../support/size.ts";

const idOf = ({ source_id, external_id }: Place): string => `${source_id} ${external_id}`;
/** Who is one with whom, in any order. */
const groupsOf = (merged: readonly MergedPlace[]): string[] =>
  merged.map(({ lead, others }) => [lead, ...others].map(idOf).sort().join(" + ")).sort();

type Sketch = Partial<Place> & {
  at_m?: number;
  operator?: string;
  count?: number;
  plugs?: readonly object[];
  evse?: readonly string[];
  capacity?: number;
  facts?: object;
};

/** A charging station north of HERE. */
function charger(source_id: string, id: string, sketch: Sketch = {}): Place {
  const { at_m = 0, operator, count, plugs = [], evse = [], facts, keys = [], ...rest } = sketch;
  return aPlace(id, {
    kind: "charging",
    source_id,
    ...moved(HERE, at_m),
    attributes: {
      ...(operator === undefined ? {} : { operator }),
      charging: { ...(count === undefined ? {} : { connector_count: count }), connectors: plugs },
      ...facts,
    },
    keys: [...keys, ...evse.map((each) => evseKey(toEvseId(each)!))],
    ...rest,
  });
}

/** A car park north of HERE. */
function carPark(source_id: string, id: string, name: string | null, sketch: Sketch = {}): Place {
  const { at_m = 0, capacity, facts, ...rest } = sketch;
  return aPlace(id, {
    kind: "parking",
    source_id,
    name,
    ...moved(HERE, at_m),
    attributes: { ...(capacity === undefined ? {} : { capacity }), ...facts },
    ...rest,
  });
}

const countOf = (...places: Place[]): number => mergeAll(places.map((place) => [place])).length;

test("stations of a made town: precision and recall over a map, a register and operators' lists", () => {
  for (const seed of sized([1], [1, 2, 3, 4])) {
    const world = createChargingWorld(seed, sized(2_000, 4_000));
    const agreement = compareWithTruth(world, mergeAll(world.sources));
    assert.ok(agreement.wanted > 1_500);
    assert.ok(precisionOf(agreement) >= 0.995, `precision ${precisionOf(agreement)}`);
    assert.ok(recallOf(agreement) >= 0.97, `recall ${recallOf(agreement)}`);
  }
});

test("car parks of a made town: precision and recall over a map, a city and a maps provider", () => {
  for (const seed of sized([1], [1, 2, 3, 4])) {
    const world = createParkingWorld(seed, sized(1_200, 2_000));
    const agreement = compareWithTruth(world, mergeAll(world.sources));
    assert.ok(agreement.wanted > 1_000);
    assert.ok(precisionOf(agreement) >= 0.995, `precision ${precisionOf(agreement)}`);
    assert.ok(recallOf(agreement) >= 0.97, `recall ${recallOf(agreement)}`);
  }
});

test("ids of points and stations: separators say nothing, what is no id is no key", () => {
  assert.deepEqual(listChargingKeys("DE*EBW*E914082*2; de-ebw-e914082-2;FR*S63*P63001; 17;"), [
    "evse:DEEBWE9140822",
    "pool:FRS63P63001",
  ]);
  assert.deepEqual(listChargingKeys(null), []);
  assert.equal(listChargingKeys("DE*EBW*E1;".repeat(500)).length, 1);
  const long = Array.from({ length: 500 }, (_, i) => `DE*EBW*E${i}`).join(";");
  assert.ok(listChargingKeys(long).length <= 64);
  assert.equal(stationKey("DE*EBW", "17"), "station:DEEBW:17");
  assert.equal(stationKey("DE-EBW", " 17 "), "station:DEEBW:17");
  for (const operator of [null, "", "EnBW", "DEEBWX"])
    assert.equal(stationKey(operator, "17"), null);
  assert.equal(stationKey("DEEBW", null), null);
});

test("a point in common makes one, however it is spelled and whatever the operator is called", () => {
  const map = charger("osm", "1", { operator: "Stadtwerke", evse: ["DE*EBW*E914082*2"] });
  const register = charger("irve", "1", {
    ...{ at_m: 400, operator: "EnBW", evse: ["DEEBWE9140821", "DE-EBW-E914082-2"] },
  });
  assert.equal(countOf(map, register), 1);
  // An id that was copied to another town is none.
  assert.equal(countOf(map, { ...register, ...moved(HERE, 1_100) }), 2);
});

test("an id that is the beginning of the other's is the station's, near it", () => {
  const map = charger("osm", "1", { evse: ["DE*EBW*E914082"] });
  const points = ["DE*EBW*E914082*1", "DE*EBW*E914082*2"];
  assert.equal(countOf(map, charger("irve", "1", { at_m: 80, evse: points })), 1);
  assert.equal(countOf(map, charger("irve", "1", { at_m: 200, evse: points })), 2);
});

test("a pool's id is the key of the station, of the register by its id alone", () => {
  const map = charger("osm", "1", { keys: listChargingKeys("FR*S63*P63001") });
  assert.equal(countOf(map, charger("irve", "FRS63P63001", { at_m: 140, operator: "SDE" })), 1);
  assert.equal(countOf(map, charger("irve", "FRS63P63002", { at_m: 140, operator: "SDE" })), 2);
});

test("stations of two operators at one post stay two", () => {
  const plugs = [{ type: "Type 2", max_kw: 22 }];
  const one = charger("a", "1", { plugs, evse: ["DE*EBW*E1*1"] });
  assert.equal(countOf(one, charger("b", "1", { plugs, evse: ["DE*ALL*E1*1"] })), 2);
  const named = charger("a", "1", { plugs, operator: "EnBW mobility+ AG & Co. KG" });
  assert.equal(countOf(named, charger("b", "1", { plugs, operator: "Allego GmbH" })), 2);
  assert.equal(countOf(named, charger("b", "1", { plugs, operator: "ENBW" })), 1);
});

test("no chain joins two operators over a station of none", () => {
  const plugs = [{ type: "Type 2", max_kw: 22 }];
  const merged = mergeAll([
    [charger("osm", "1", { plugs })],
    [charger("irve", "1", { plugs, at_m: 4, operator: "EnBW" })],
    [charger("ocpi", "1", { plugs, at_m: 8, operator: "Allego" })],
  ]);
  for (const { lead, others } of merged) {
    const operators = [lead, ...others].flatMap(({ attributes }) => attributes["operator"] ?? []);
    assert.ok(operators.length <= 1, groupsOf(merged).join(", "));
  }
});

test("between two stations that are as likely, none is taken", () => {
  const far = [charger("irve", "1", { at_m: 12 }), charger("irve", "2", { at_m: -12 })];
  assert.equal(mergeAll([[charger("osm", "1")], far]).length, 3);
  assert.equal(mergeAll([[charger("osm", "1")], far.slice(1)]).length, 1);
});

test("a register's pin 80 m away is the station where operator and plugs agree, else not", () => {
  const plugs = [{ type: "CCS2", max_kw: 300 }];
  const map = charger("osm", "1", { operator: "Ionity", plugs });
  const at_m = 80;
  assert.equal(countOf(map, charger("r", "1", { at_m, operator: "IONITY GmbH", plugs })), 1);
  assert.equal(countOf(map, charger("r", "1", { at_m, plugs })), 2);
  const others = [{ type: "Type 2", max_kw: 22 }];
  assert.equal(countOf(map, charger("r", "1", { at_m, operator: "Ionity", plugs: others })), 2);
});

test("posts that one source has each for itself are parts of the station that has all their points", () => {
  const posts = [1, 2, 3].map((n) =>
    charger("oicp", `${n}`, {
      evse: [`CH*SWI*E5*${n}`],
      count: 1,
      facts: {
        charging: {
          connector_count: 1,
          available_count: n === 1 ? 0 : 1,
          out_of_service_count: 0,
          availability_updated_at: `2026-11-28T06:0${n}:00Z`,
          connectors: [{ type: "Type 2", max_kw: 22, count: 1 }],
        },
      },
    }),
  );
  const ids = posts.map((_, i) => `CH*SWI*E5*${i + 1}`);
  const map = charger("osm", "1", { at_m: 20, evse: ids, count: 3, plugs: [{ type: "Type 2" }] });
  const [merged, ...more] = mergeAll([[map], posts]);
  assert.equal(more.length, 0);
  assert.equal(merged!.place.external_id, "1");
  assert.equal((merged!.place.attributes["sources"] as unknown[]).length, 4);
  // A sum of the parts of one source.
  assert.deepEqual(merged!.place.attributes["charging"], {
    connector_count: 3,
    available_count: 2,
    out_of_service_count: 0,
    availability_updated_at: "2026-11-28T06:03:00Z",
    connectors: [{ type: "Type 2", max_kw: 22, count: 3 }],
    source: "oicp",
  });
  // Without ids they are parts where the whole counts as many, and never of a smaller one.
  const alone = posts.map((post) => ({
    ...post,
    keys: [],
    attributes: { ...post.attributes, operator: "Swisscharge" },
  }));
  const whole = charger("osm", "1", { at_m: 20, operator: "SwissCharge AG", count: 3 });
  assert.equal(mergeAll([[whole], alone]).length, 1);
  const two = charger("osm", "1", { at_m: 20, operator: "SwissCharge AG", count: 2 });
  assert.equal(mergeAll([[two], alone]).length, 2);
});

test("a part of which the state is unknown leaves no sum of the others", () => {
  const part = (id: string, charging: object): Place =>
    charger("oicp", id, { evse: [`CH*SWI*E5*${id}`], facts: { charging } });
  const known = { connector_count: 1, available_count: 1, connectors: [] };
  const map = charger("osm", "1", { evse: ["CH*SWI*E5*1", "CH*SWI*E5*2"] });
  const [merged] = mergeAll([[map], [part("1", known), part("2", { connectors: [] })]]);
  const charging = merged!.place.attributes["charging"] as Record<string, unknown>;
  assert.deepEqual(
    [charging["available_count"], charging["connector_count"]],
    [undefined, undefined],
  );
});

test("one id at two stations of a source names one of them", () => {
  const register = charger("irve", "1", { evse: ["FR*S63*E1*1", "FR*S63*E1*2"] });
  const copies = [0, 60].map((at_m, i) => charger("osm", `${i}`, { at_m, evse: ["FR*S63*E1*1"] }));
  assert.deepEqual(groupsOf(mergeAll([copies, [register]])), ["irve 1 + osm 0", "osm 1"]);
});

test("what can be charged at comes whole from the source that knows the state, else from who knows most", () => {
  const plain = charger("osm", "1", { count: 4, plugs: [{ type: "Type 2" }, { type: "CCS2" }] });
  const rich = charger("irve", "1", {
    count: 4,
    plugs: [{ type: "Type 2", max_kw: 22, count: 4 }],
  });
  const live = charger("ocpi", "1", {
    facts: {
      charging: { available_count: 0, connectors: [{ type: "Type 2", available_count: 0 }] },
    },
  });
  const chargingOf = (...places: Place[]): unknown =>
    mergeAll(places.map((place) => [place]))[0]!.place.attributes["charging"];
  assert.deepEqual(chargingOf(plain, rich), {
    ...(rich.attributes["charging"] as object),
    source: "irve",
  });
  assert.deepEqual(chargingOf(plain, rich, live), {
    available_count: 0,
    connectors: [{ type: "Type 2", available_count: 0 }],
    source: "ocpi",
  });
  // Equal knowledge: the leading one.
  assert.equal(
    (chargingOf(rich, { ...rich, source_id: "b" }) as { source: string }).source,
    "irve",
  );
});

test("the source behind the maps provider's name is that of the observation", () => {
  const published = { source_id: "maps", observed_by: "register_a" };
  const a = { ...charger("x", "1", { operator: "EnBW" }), ...published };
  const b = { ...charger("x", "2", { operator: "EnBW" }), source_id: "maps" };
  const [{ place } = assert.fail()] = mergeAll([[b], [a]]);
  assert.equal(place.source_id, "maps");
  assert.deepEqual(place.attributes["sources"], [
    { source_id: "maps", external_id: "2" },
    { source_id: "register_a", external_id: "1" },
  ]);
});

test("everybody who must be named is: the leading attribution, and the others with the third parties", () => {
  const of = (provider: string) => ({ provider, required: true });
  const facts = (name: string) => ({ facts: { attribution: of(name), attributions: [of("X")] } });
  const [{ place } = assert.fail()] = mergeAll([
    [charger("a", "1")],
    [charger("b", "1", facts("B"))],
    [charger("c", "1", facts("C"))],
  ]);
  assert.deepEqual(place.attributes["attribution"], of("B"));
  assert.deepEqual(place.attributes["attributions"], [of("X"), of("C")]);
});

test("car parks: the name decides over the words for car parks, and numbers over the name", () => {
  for (const [one, other, at_m, count] of [
    ["Parkhaus Kornmarkt", "PH Kornmarkt", 100, 1],
    ["Tiefgarage Rathaus", "Parking Rathaus", 60, 1],
    ["Parkhaus Kaiserstraße", "Parkgarage Kaiserstr.", 90, 1],
    ["P1 Messe", "Messe P1", 120, 1],
    ["P1 Messe", "P2 Messe", 5, 2],
    ["P 01", "P1", 20, 1],
    ["Parkplatz A", "Parkplatz B", 5, 2],
    ["Messe Nord", "Messe Süd", 10, 2],
    ["Parkhaus Kornmarkt", "Parkhaus Rathaus", 10, 2],
    ["Parkhaus Kornmarkt", "PH Kornmarkt", 160, 2],
    ["Parkhaus Kornmarkt", null, 60, 2],
  ] as const)
    assert.equal(
      countOf(carPark("a", "1", one), carPark("b", "1", other, { at_m })),
      count,
      `${one} / ${other}`,
    );
});

test("car parks: capacity speaks for one without a name, and against one that is far larger", () => {
  const named = carPark("city", "1", "Parkhaus Rathaus", { capacity: 412 });
  assert.equal(countOf(named, carPark("osm", "1", null, { at_m: 40, capacity: 410 })), 1);
  assert.equal(countOf(named, carPark("osm", "1", null, { at_m: 10, capacity: 12 })), 2);
  const garage = { parking: { kind: "garage", features: [] } };
  const lot = { parking: { kind: "lot", features: [] } };
  const of = (facts: object): Place => carPark("b", "1", null, { at_m: 10, facts });
  assert.equal(countOf(carPark("a", "1", "Rathaus", { facts: garage }), of(lot)), 2);
  assert.equal(countOf(carPark("a", "1", "Rathaus", { facts: garage }), of(garage)), 1);
});

test("car parks: a key in common makes one, and two of one source are never one", () => {
  const keys = ["osm:way/1"];
  const map = carPark("osm", "way/1", "Messe P1", { keys });
  const rows = [10, 20].map((at_m, i) => carPark("city", `${i}`, "Messe P2", { at_m, keys }));
  assert.deepEqual(groupsOf(mergeAll([[map], rows])), ["city 0 + osm way/1", "city 1"]);
});

test("what is free is the record of one source, the latest, next to the capacity of the leading one", () => {
  const availability = (source: string, free: number, observed_at: string) => ({
    facts: { availability: { free, capacity: 400, observed_at, source } },
  });
  const [{ place } = assert.fail()] = mergeAll([
    [carPark("osm", "1", "Rathaus", { capacity: 412 })],
    [carPark("old", "1", "Rathaus", availability("old", 7, "2026-11-28T05:00:00Z"))],
    [carPark("new", "1", "Rathaus", availability("new", 0, "2026-11-28T06:00:00Z"))],
  ]);
  assert.equal(place.attributes["capacity"], 412);
  assert.deepEqual(place.attributes["availability"], {
    ...{ free: 0, capacity: 400, observed_at: "2026-11-28T06:00:00Z", source: "new" },
  });
  assert.equal(place.attributes["conflicts"], undefined);
});

const OPERATORS = [undefined, undefined, "EnBW", "ENBW AG", "Allego"];
const IDS = ["DEEBWE11", "DEEBWE12", "DEEBWE21", "DEALLE11", "DEALLE12"];
const TYPES = [[], [{ type: "Type 2", max_kw: 22 }], [{ type: "CCS2", max_kw: 150 }]];
const NAMES = [null, null, "P1 Messe", "Messe P2", "Parkhaus Messe", "Rathaus"];

/** A crowd within reach of each other, so that everything happens. */
function crowd(kind: "charging" | "parking", source_id: string): fc.Arbitrary<Place[]> {
  const row = fc.record({
    metres: fc.integer({ min: 0, max: 120 }),
    bearing: fc.integer({ min: 0, max: 6 }),
    operator: fc.constantFrom(...OPERATORS),
    evse: fc.uniqueArray(fc.constantFrom(...IDS), { maxLength: 2 }),
    plugs: fc.constantFrom(...TYPES),
    count: fc.constantFrom(undefined, 1, 2, 4),
    name: fc.constantFrom(...NAMES),
    capacity: fc.constantFrom(undefined, 100, 102, 400),
  });
  return fc.array(row, { maxLength: 6 }).map((rows) =>
    rows.map(({ metres, bearing, operator, count, capacity, name, ...rest }, i) => {
      const at = travelled(HERE, metres, bearing);
      const facts = { ...(operator && { operator }), ...(count && { count }), ...rest };
      return kind === "charging"
        ? charger(source_id, `${i}`, { ...facts, ...at })
        : carPark(source_id, `${i}`, name, { ...at, ...(capacity && { capacity }) });
    }),
  );
}

const scene = fc
  .constantFrom("charging" as const, "parking" as const)
  .chain((kind) => fc.tuple(crowd(kind, "a"), crowd(kind, "b"), crowd(kind, "c")));

test("the order of sources, and that within a source, decide who leads and nothing else", () => {
  forAll(
    fc.property(scene, ([a, b, c]) => {
      const expected = groupsOf(mergeAll([a, b, c]));
      for (const sources of [
        [b, a, c],
        [c, b, a],
        [a.toReversed(), c.toReversed(), b],
      ])
        assert.deepEqual(groupsOf(mergeAll(sources)), expected);
    }),
    400,
  );
});

test("every place is in one group; two of one source only as parts of what another has", () => {
  let parts = 0;
  forAll(
    fc.property(scene, (sources) => {
      const merged = mergeAll(sources);
      const all = merged.flatMap(({ lead, others }) => [lead, ...others].map(idOf));
      assert.deepEqual(all.sort(), sources.flat().map(idOf).sort());
      for (const { lead, others } of merged) {
        const group = [lead, ...others];
        for (const places of Map.groupBy(group, ({ source_id }) => source_id).values()) {
          if (places.length < 2) continue;
          parts++;
          assert.equal(lead.kind, "charging");
          assert.ok(group.length > places.length, "no other source");
          assert.equal(
            new Set(places.flatMap(({ keys }) => keys)).size,
            places.flatMap(({ keys }) => keys).length,
          );
        }
      }
    }),
    400,
  );
  assert.ok(parts > 0);
});

test("points of two operators are in one group only by an id in common", () => {
  forAll(
    fc.property(crowd("charging", "a"), crowd("charging", "b"), (a, b) => {
      for (const { lead, others } of mergeAll([a, b])) {
        const group = [lead, ...others];
        const isShared = group.some((x, i) =>
          group.slice(i + 1).some((y) => x.keys.some((key) => y.keys.includes(key))),
        );
        const parties = group.map(({ keys }) => new Set(keys.map((key) => key.slice(5, 10))));
        const [first, second] = parties.filter(({ size }) => size > 0);
        if (isShared || !first || !second) continue;
        assert.ok(
          [...first].some((party) => second.has(party)),
          group.map(idOf).join(" + "),
        );
      }
    }),
    400,
  );
});

test("the bound on pairs is that of the caller, and a heap within it ends", () => {
  const heap = (source_id: string, most: number): Place[] =>
    Array.from({ length: most }, (_, i) => charger(source_id, `${i}`, { at_m: i % 5 }));
  assert.equal(toEnd(mergePlaces([heap("a", 200), heap("b", 200)], 30_000)), null);
  assert.ok(toEnd(mergePlaces([heap("a", 60), heap("b", 60), heap("c", 60)], 30_000)) !== null);
  const keyed = (source_id: string): Place[] =>
    Array.from({ length: 2_000 }, (_, i) =>
      charger(source_id, `${i}`, { at_m: i * 400, evse: ["DEEBWE11"] }),
    );
  // A key that thousands have names none of them.
  assert.equal(toEnd(mergePlaces([keyed("a"), keyed("b")], 30_000))?.length, 2_000);
});
