/** Parking (§2.4, places.md 3.1) and charging (§2.5, places.md 3.2) of the open map. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { powerOf } from "#providers/openstreetmap/osm-charging.ts";
import { placeOf, reasonOf, type TagList } from "./support.ts";

const parking = (tags: TagList) => placeOf("parking", { amenity: "parking", ...tags })!.attributes;
const charging = (tags: TagList) =>
  placeOf("charging", { amenity: "charging_station", ...tags })!.attributes["charging"];

const SORTS: readonly [parking: string[], kind: string, primary: string, features: string][] = [
  [
    ["multi-storey", "underground", "garage_boxes", "carports", "sheds"],
    ...(["garage", "parking_garage", "garage_parking"] as const),
  ],
  [["surface", "rooftop", "surface;street_side"], "lot", "parking_lot", "parking"],
  [
    ["street_side", "lane", "on_kerb", "half_on_kerb", "shoulder", "layby"],
    ...(["parking", "parking", "street_parking"] as const),
  ],
  [["depot", "nonsense"], "parking", "parking", "parking"],
];

for (const [values, kind, primary_type, features] of SORTS)
  for (const value of values)
    test(`parking=${value}`, () => {
      const types = [...new Set([primary_type, "parking"])];
      const fees = [
        [{}, [], {}],
        [{ fee: "no" }, [`free_${features}`], { fee: false }],
        [{ fee: "yes" }, [`paid_${features}`], { fee: true }],
        [{ fee: "Mo-Fr 09:00-18:00" }, [`paid_${features}`], { fee: true }],
        [{ fee: "interval" }, [`paid_${features}`], { fee: true }],
      ] as const;
      for (const [fee, expected, fact] of fees)
        assert.deepEqual(parking({ parking: value, ...fee }), {
          maps_place_id: "node/1",
          maps_uri: "https://www.openstreetmap.org/node/1",
          primary_type,
          types,
          open_status: "unknown",
          parking: { kind, features: expected },
          ...fact,
        });
    });

test("without a value it is parking of some kind", () => {
  assert.deepEqual(parking({})["parking"], { kind: "parking", features: [] });
  assert.deepEqual(parking({ fee: "no" })["parking"], {
    kind: "parking",
    features: ["free_parking"],
  });
});

test("open is only what never closes; the hours are reported as they are", () => {
  for (const [opening_hours, open_status] of [
    ["24/7", "open"],
    ["Mo-Fr 08:00-20:00", "unknown"],
    ["24/7; PH off", "unknown"],
    ["off", "unknown"],
  ] as const) {
    const match = parking({ opening_hours });
    assert.deepEqual(
      [match["open_status"], match["opening_hours"]],
      [open_status, [opening_hours]],
    );
  }
  assert.ok(!("opening_hours" in parking({})));
  assert.equal(parking({ "addr:street": "S" })["address"], "S");
});

const SOCKETS: Readonly<Record<string, readonly string[]>> = {
  J1772: ["type1", "type1_cable"],
  "Type 2": ["type2", "type2_cable"],
  CCS1: ["type1_combo"],
  CCS2: ["type2_combo", "tesla_supercharger_ccs"],
  CHAdeMO: ["chademo", "CHAdeMO"],
  NACS: ["nacs"],
  Tesla: ["tesla_supercharger", "tesla_standard", "tesla_destination", "tesla_roadster"],
  "GB/T": ["gb_t", "gb_dc", "gbt_ac", "gbt_dc"],
  Other: [
    ...["schuko", "typee", "cee_blue", "cee_red_16a", "bs1363", "nema_5_15", "sev1011_t13"],
    ...["as3112", "type3", "type3a", "type3c", "something_new"],
  ],
};

for (const [type, sockets] of Object.entries(SOCKETS))
  for (const socket of sockets)
    test(`socket:${socket} is ${type}`, () => {
      const output = { [`socket:${socket}:output`]: "11 kW" };
      assert.deepEqual(charging({ [`socket:${socket}`]: "2", ...output }), {
        connector_count: 2,
        connectors: [{ type, max_kw: 11, count: 2 }],
      });
    });

const COUNTS: readonly [TagList, count: number | undefined, connectors: object[]][] = [
  [{}, undefined, []],
  [{ capacity: "4" }, 4, []],
  [{ capacity: "0" }, undefined, []],
  [{ capacity: "many" }, undefined, []],
  [
    { "socket:type2": "2", "socket:chademo": "1", capacity: "9" },
    3,
    [
      { type: "CHAdeMO", count: 1 },
      { type: "Type 2", count: 2 },
    ],
  ],
  [{ "socket:type2": "yes" }, undefined, [{ type: "Type 2" }]],
  [
    { "socket:type2": "yes", "socket:chademo": "1", capacity: "9" },
    9,
    [{ type: "CHAdeMO", count: 1 }, { type: "Type 2" }],
  ],
  [
    { "socket:type2": "yes", "socket:chademo": "1" },
    undefined,
    [{ type: "CHAdeMO", count: 1 }, { type: "Type 2" }],
  ],
  [{ "socket:type2": "0", "socket:chademo": "no" }, undefined, []],
  [{ "socket:type2": "-2" }, undefined, [{ type: "Type 2" }]],
  [{ "socket:type2": "2;4" }, undefined, [{ type: "Type 2" }]],
  [
    { "socket:type2": "2", "socket:USB-A": "8", "socket:bosch_5pin": "2" },
    2,
    [{ type: "Type 2", count: 2 }],
  ],
  [{ "socket:output": "22", "socket:type2:voltage": "400" }, undefined, []],
];

for (const [tags, connector_count, connectors] of COUNTS)
  test(`connectors of ${JSON.stringify(tags)}`, () => {
    const counted = connector_count === undefined ? {} : { connector_count };
    assert.deepEqual(charging(tags), { ...counted, connectors });
  });

const POWERS: readonly [string | undefined, kw: number | null][] = [
  ["22 kW", 22],
  ["22kW", 22],
  ["22 KW", 22],
  ["11 kVA", 11],
  ["3,7 kW", 3.7],
  ["50", 50],
  ["999", 999],
  ["1000", 1],
  ["50000", 50],
  ["22 kW;11 kW", 22],
  ["11 kW; 43 kW", 43],
  ["strong;11 kW", 11],
  ["22 W", null],
  ["0 kW", null],
  ["1.2.3 kW", null],
  ["50000 kW", null],
  ["-5", null],
  ["400 V", null],
  ["", null],
  [undefined, null],
];

for (const [text, kw] of POWERS)
  test(`an output of ${text} is ${kw} kW`, () => assert.equal(powerOf(text), kw));

const CARS: readonly [TagList, forCars: boolean][] = [
  [{}, true],
  [{ bicycle: "yes" }, false],
  [{ bicycle: "designated", motorcar: "no", "socket:type2": "1" }, false],
  [{ bicycle: "yes", "socket:bosch_3pin": "2" }, false],
  [{ bicycle: "yes", "socket:type2": "1" }, true],
  [{ bicycle: "yes", motorcar: "yes" }, true],
  [{ bicycle: "no" }, true],
  [{ "socket:usb-a": "4" }, false],
  [{ "socket:usb-a": "4", "socket:type2": "1" }, true],
  [{ "socket:usb-a": "no" }, true],
];

for (const [tags, forCars] of CARS)
  test(`${JSON.stringify(tags)} charges ${forCars ? "cars" : "no cars"}`, () => {
    const reason = reasonOf("charging", { amenity: "charging_station", ...tags });
    assert.equal(reason, forCars ? undefined : "not_for_cars");
  });
