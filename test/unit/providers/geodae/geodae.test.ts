/** Defibrillators of the French register (places.md 4.1): what is kept, where it is, what it says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createTrail } from "#kit/trail.ts";
import source, { geodaeRegister as reader } from "#providers/geodae/index.ts";
import { toRegistry } from "#providers/source.ts";
import { pairsOf, plain, readRegistry } from "../openstreetmap/pairs.ts";

const geodae = toRegistry(source, reader);

const SETTINGS = { url: "https://data.example/register.geojson", timeout_ms: 60_000 };
const PAIRS = pairsOf("geodae");
const GOOD = { c_gid: 1, c_etat_fonct: "En fonctionnement" };

type Row = Readonly<Record<string, unknown>>;

const featureOf = (row: Row, at: unknown = [1.44, 43.6]) => ({
  type: "Feature",
  geometry: at === null ? null : { type: "Point", coordinates: at },
  properties: { ...GOOD, ...row },
});

function read(features: unknown[]) {
  const body = new TextEncoder().encode(JSON.stringify({ features }));
  const { places, dropped } = readRegistry(geodae, body, SETTINGS);
  return { places: places!, reasons: dropped.map(({ reason, count }) => [reason, count]) };
}

const geodaeAttributes = (row: Row) => read([featureOf(row)]).places[0]!.attributes;

for (const { name, body, expected } of PAIRS)
  test(`golden ${name}`, () => {
    assert.deepEqual(plain(readRegistry(geodae, body, SETTINGS)), expected);
  });

test("the pairs are there, a malformed one among them", () => {
  assert.deepEqual(
    PAIRS.map(({ name }) => name),
    ["malformed", "register"],
  );
});

test("one request: the address is the file's own", () => {
  const [request, ...more] = geodae.requests(SETTINGS);
  assert.deepEqual(more, []);
  assert.equal(request!.url, "https://data.example/register.geojson");
  assert.equal(request!.max_bytes, 256 * 1_024 * 1_024);
});

const KEPT: readonly [Row, reason: string | null][] = [
  [{}, null],
  [{ c_etat: "Actif", c_doublon: "false", c_dae_mobile: "f" }, null],
  [{ c_etat: null, c_doublon: null, c_dae_mobile: null }, null],
  [{ c_etat_valid: "en attente de validation" }, null],
  [{ c_etat_fonct: "en fonctionnement" }, null],
  [{ c_etat_fonct: null }, "not_working"],
  [{ c_etat_fonct: "Hors service" }, "not_working"],
  [{ c_etat: "Supprimé" }, "not_active"],
  [{ c_doublon: true }, "duplicate"],
  [{ c_doublon: "true" }, "duplicate"],
  [{ c_doublon: "t" }, "duplicate"],
  [{ c_dae_mobile: "t" }, "mobile"],
  [{ c_gid: null }, "id_missing"],
];

for (const [row, reason] of KEPT)
  test(`${JSON.stringify(row)} is ${reason ?? "kept"}`, () => {
    const { places, reasons } = read([featureOf(row)]);
    assert.deepEqual(reasons, reason === null ? [] : [[reason, 1]]);
    assert.equal(places.length, reason === null ? 1 : 0);
  });

const WHERE: readonly [at: unknown, row: Row, place: [number, number] | string][] = [
  [[1.44, 43.6], {}, [43.6, 1.44]],
  [["1.44", "43.6"], {}, [43.6, 1.44]],
  [[1.44, 43.6], { c_lat_coor1: 48, c_long_coor1: 2 }, [43.6, 1.44]],
  [null, { c_lat_coor1: "48,5", c_long_coor1: "2.25" }, [48.5, 2.25]],
  [[43.6, 1.44], { c_lat_coor1: 48, c_long_coor1: 2 }, [48, 2]],
  [[43.6, 1.44], {}, "coordinates_swapped"],
  [[1.44, 4360000], {}, "coordinates_out_of_range"],
  [[1.44, 4.36], {}, "coordinates_elsewhere"],
  [[0, 0], {}, "coordinates_zero"],
  [null, {}, "coordinates_missing"],
  [null, { c_lat_coor1: 2, c_long_coor1: 48 }, "coordinates_swapped"],
  [[-61.55, 16.24], {}, [16.24, -61.55]],
  [[-52.33, 4.92], {}, [4.92, -52.33]],
  [[55.45, -20.88], {}, [-20.88, 55.45]],
  [[45.23, -12.78], {}, [-12.78, 45.23]],
  [[-56.18, 46.78], {}, [46.78, -56.18]],
  [[-149.57, -17.54], {}, [-17.54, -149.57]],
  [[166.44, -22.27], {}, [-22.27, 166.44]],
  [[-176.17, -13.28], {}, [-13.28, -176.17]],
  [[8.74, 41.92], {}, [41.92, 8.74]],
];

for (const [at, row, expected] of WHERE)
  test(`at ${JSON.stringify(at)} ${JSON.stringify(row)}`, () => {
    const { places, reasons } = read([featureOf(row, at)]);
    if (typeof expected === "string") assert.deepEqual(reasons, [[expected, 1]]);
    else
      assert.deepEqual(
        places.map(({ lat, lon }) => [lat, lon]),
        [expected],
      );
  });

const HOURS: readonly [days: unknown, hours: unknown, text: string | undefined][] = [
  ["{7j/7}", "{24h/24}", "24/7"],
  [["7j/7"], ["24h/24"], "24/7"],
  ["{7j/7}", "{heures ouvrables}", "7j/7; heures ouvrables"],
  [
    "{lundi,mardi}",
    '{"heures ouvrables","heures de nuit"}',
    "lundi, mardi; heures ouvrables, heures de nuit",
  ],
  ["{lundi}", "{non renseigné}", "lundi"],
  ["{non renseigné}", "{24h/24}", "24h/24"],
  ["{}", "", undefined],
  [null, null, undefined],
];

for (const [c_disp_j, c_disp_h, text] of HOURS)
  test(`open on ${JSON.stringify(c_disp_j)} at ${JSON.stringify(c_disp_h)}: ${text}`, () => {
    assert.equal(geodaeAttributes({ c_disp_j, c_disp_h })["opening_hours"], text);
  });

test("flags, whatever they are written as; unknown is absent", () => {
  for (const [value, flag] of [
    ["t", true],
    ["true", true],
    [true, true],
    ["f", false],
    [false, false],
  ])
    assert.equal(geodaeAttributes({ c_acc_lib: value })["access"], flag ? "yes" : "restricted");
  assert.equal(geodaeAttributes({ c_acc: "Inte\u0301rieur" })["indoor"], true);
  assert.equal(geodaeAttributes({ c_acc: "extérieur" })["indoor"], false);
  const silent = { c_acc_lib: null, c_acc: "", c_acc_etg: "non renseigné", c_maj_don: "hier" };
  assert.deepEqual(geodaeAttributes(silent), {});
});

test("its own name; the operator is no name", () => {
  const nameOf = (row: Row) => read([featureOf(row)]).places[0]!.name;
  assert.equal(nameOf({ c_nom: "N", c_expt_rais: "E" }), "N");
  assert.equal(nameOf({ c_nom: " ", c_expt_rais: "E" }), null);
  assert.equal(nameOf({ c_nom: "Non renseigné" }), null);
});

const crowd = (count: number, addressOf: (i: number) => string | null) =>
  Array.from({ length: count }, (_, i) =>
    featureOf({ c_gid: i, c_adr_voie: addressOf(i) }, [2.335965, 48.87718]),
  );

test("a point of ten addresses is a placeholder; nine, or one of many devices, does not", () => {
  assert.deepEqual(read(crowd(10, (i) => `Rue ${i}`)).reasons, [["placeholder_point", 10]]);
  assert.equal(read(crowd(9, (i) => `Rue ${i}`)).places.length, 9);
  assert.equal(read(crowd(30, () => "Rue du Test")).places.length, 30);
  assert.equal(read(crowd(30, () => null)).places.length, 30);
  // Devices without an address do not make the point more credible.
  assert.deepEqual(read(crowd(12, (i) => (i < 10 ? `Rue ${i}` : null))).reasons, [
    ["placeholder_point", 12],
  ]);
});

test("a number that came twice is there once", () => {
  const { places, reasons } = read([featureOf({ c_nom: "A" }), featureOf({ c_nom: "B" })]);
  assert.deepEqual(
    places.map(({ name }) => name),
    ["A"],
  );
  assert.deepEqual(reasons, [["id_duplicate", 1]]);
});

test("a reader may pause while the points are counted, too", () => {
  const body = new TextEncoder().encode(JSON.stringify({ features: crowd(5, () => null) }));
  const opened = geodae.open(body, { settings: SETTINGS, trail: createTrail() });
  assert.equal([...opened!].filter((place) => place === null).length, 5);
});

test("no row throws, and none is lost without a reason", () => {
  const members = ["c_gid", "c_nom", "c_acc", "c_disp_j", "c_disp_h", "c_lat_coor1", "c_maj_don"];
  const row = fc.dictionary(fc.constantFrom(...members), fc.jsonValue());
  const feature = fc.tuple(row, fc.oneof(fc.constant([2, 48]), fc.jsonValue()));
  const any = fc.oneof(
    feature.map(([row_of_it, at]) => featureOf(row_of_it, at)),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(fc.array(any), (features) => {
      const { places, reasons } = read(features);
      const lost = reasons.reduce((sum, [, count]) => sum + Number(count), 0);
      assert.equal(places.length + lost, features.length);
    }),
  );
});

/** Within each land, and beyond each of its sides. */
const LANDS: readonly [name: string, within: [number, number], beyond: [number, number][]][] = [
  [
    "Europe",
    [46, 2],
    [
      [40.9, 9],
      [51.4, 2],
      [46, -5.6],
      [46, 10],
    ],
  ],
  [
    "Antilles",
    [16.2, -61.5],
    [
      [14, -61],
      [18.5, -63],
      [16, -63.5],
      [16, -60.5],
    ],
  ],
  [
    "Guyane",
    [4.9, -52.3],
    [
      [1.8, -53],
      [6.2, -53],
      [4, -55],
      [4, -51.3],
    ],
  ],
  [
    "La Réunion",
    [-21.1, 55.5],
    [
      [-21.7, 55.5],
      [-20.6, 55.5],
      [-21, 54.9],
      [-21, 56.1],
    ],
  ],
  [
    "Mayotte",
    [-12.8, 45.2],
    [
      [-13.3, 45.2],
      [-12.3, 45.2],
      [-12.8, 44.7],
      [-12.8, 45.6],
    ],
  ],
  [
    "Saint-Pierre",
    [46.8, -56.2],
    [
      [46.4, -56.2],
      [47.4, -56.2],
      [46.8, -56.7],
      [46.8, -55.9],
    ],
  ],
  [
    "Polynésie",
    [-17.5, -149.5],
    [
      [-28.2, -150],
      [-7.5, -140],
      [-17, -155.2],
      [-17, -134.1],
    ],
  ],
  [
    "Nouvelle-Calédonie",
    [-22.3, 166.4],
    [
      [-23.2, 166],
      [-16.8, 166],
      [-22, 156.8],
      [-22, 173.2],
    ],
  ],
  [
    "Wallis",
    [-13.3, -176.2],
    [
      [-14.7, -177],
      [-12.9, -177],
      [-14, -178.5],
      [-14, -175.8],
    ],
  ],
];

for (const [name, within, beyond] of LANDS)
  test(`${name} is France, and ends on each side`, () => {
    const at = ([lat, lon]: readonly number[]) => read([featureOf({}, [lon, lat])]);
    assert.equal(at(within).places.length, 1);
    for (const point of beyond)
      assert.deepEqual(at(point).reasons, [["coordinates_elsewhere", 1]], point.join());
  });
