/** Records of the water route (§2.11, §4.10; mobility.md 6.4): what is known of a place, and no more. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { LegacyWaterRecord } from "#api/legacy-water.ts";
import type { Place } from "#core/places/place.ts";
import { byStatedDist, toWaterRecord } from "#core/legacy/water-kinds.ts";
import { toNumberId } from "#core/legacy/vehicle.ts";
import { anyPoint } from "../../../support/domain.ts";
import { aPlace } from "../../../support/places.ts";

const ajv = addFormats.default(new Ajv2020({ strict: true }));
const isRecord = ajv.compile(LegacyWaterRecord);
const sha1 = (text: string): string => createHash("sha1").update(text).digest("hex");
const READ_AT_MS = Date.UTC(2026, 10, 21, 3, 12, 45, 999);

function recordOf(place: Place, distance_m = 82.4, read_at_ms: number | null = READ_AT_MS) {
  const record = toWaterRecord({ place, distance_m, read_at_ms });
  assert.ok(isRecord(record), JSON.stringify(isRecord.errors));
  return record;
}

const AT = { lat: 48.831938, lon: 2.355781 };
const POINT = { type: "Point", coordinates: [2.355781, 48.831938] };
const FOUNTAIN = aPlace("5021", {
  kind: "water",
  source_id: "paris_opendata",
  source_type: "partner_api",
  ...AT,
  attributes: { opening_hours: "24 h / 24", drinking_water: "yes" },
  record: { dataset: "fontaines-a-boire", identifier: "5021" },
  address: { street: "RUE DES TILLEULS", number: "12", post_code: "75013" },
});

test("golden: a fountain of the city, of which all is known", () => {
  assert.deepEqual(recordOf(FOUNTAIN), {
    datasetid: "fontaines-a-boire",
    recordid: sha1("fontaines-a-boire:5021"),
    fields: {
      dist: "82",
      objectid: 5021,
      arrondissement: 13,
      nom_voie: "RUE DES TILLEULS",
      numero_voie: "12",
      identifiant: "5021",
      horaires_ouverture: "24 h / 24",
      geom_x_y: [48.831938, 2.355781],
      geom: POINT,
      x: 652_709.4,
      y: 6_859_290.9,
    },
    geometry: POINT,
    record_timestamp: "2026-11-21T03:12:45Z",
  });
});

test("golden: a toilet of the city without a key, of which little is known", () => {
  const place = aPlace("RUE X 48.83,2.35", {
    source_id: "paris_opendata",
    record: { dataset: "sanisettesparis" },
    address: {},
    ...AT,
  });
  const { fields, ...rest } = recordOf(place, 0.5, null);
  const recordid = sha1("sanisettesparis:RUE X 48.83,2.35");
  assert.deepEqual(rest, { datasetid: "sanisettesparis", recordid, geometry: POINT });
  assert.deepEqual(fields, {
    dist: "1",
    objectid: toNumberId(recordid),
    geom_x_y: [AT.lat, AT.lon],
    geom: POINT,
    x: 652_709.4,
    y: 6_859_290.9,
  });
});

test("golden: an element of the open map, on another continent", () => {
  const place = aPlace("node/11000120014", {
    kind: "water",
    lat: 35.68,
    lon: 139.76,
    name: "水飲み場",
    attributes: { drinking_water: "yes", opening_hours: "24/7" },
    address: { post_code: "100-0001" },
  });
  const { fields, datasetid, recordid } = recordOf(place, 1234.5);
  const geom = { type: "Point", coordinates: [139.76, 35.68] };
  assert.deepEqual(
    [datasetid, recordid],
    ["openstreetmap", sha1("openstreetmap:node/11000120014")],
  );
  assert.deepEqual(fields, {
    dist: "1235",
    objectid: 11_000_120_014 % 2 ** 31,
    nom_voie: "水飲み場",
    identifiant: "node/11000120014",
    horaires_ouverture: "24/7",
    geom_x_y: [35.68, 139.76],
    geom,
  });
});

test("the operator's name is not the street", () => {
  const named = (attributes: object, street?: string) =>
    recordOf(
      aPlace("node/1", {
        name: "Ville",
        attributes: { ...attributes },
        ...(street ? { address: { street } } : {}),
      }),
    ).fields.nom_voie;
  assert.equal(named({ operator: "Ville" }), undefined);
  assert.equal(named({ brand: "Ville" }), undefined);
  assert.equal(named({ operator: "Other" }), "Ville");
  assert.equal(named({}, "Rue X"), "Rue X");
});

const CODES: readonly [code: string, district: number | undefined][] = [
  ["75001", 1],
  [" 75020 ", 20],
  ["75116", 16],
  ["75000", undefined],
  ["75021", undefined],
  ["7500", undefined],
  ["E1 6AN", undefined],
];

test("only a post code of Paris has a district", () => {
  for (const [post_code, district] of CODES) {
    const { fields } = recordOf({ ...FOUNTAIN, address: { post_code } });
    assert.equal(fields.arrondissement, district, post_code);
  }
});

const NUMBERS: readonly [id: string, objectid: number | null][] = [
  ["77", 77],
  ["A-9", 9],
  ["1-2", null],
  ["x", null],
  ["99999999999999999999", null],
];

test("the number of a key is its number, when it has one; else one of its own", () => {
  for (const [id, objectid] of NUMBERS) {
    const { fields, recordid } = recordOf({ ...FOUNTAIN, external_id: id });
    assert.equal(fields.objectid, objectid ?? toNumberId(recordid), id);
  }
});

test("whatever a place holds, its record fits the schema, and nothing in it is made up", () => {
  const text = fc.option(fc.string(), { nil: undefined });
  const place = fc
    .record({
      at: anyPoint,
      id: fc.string({ minLength: 1 }),
      dataset: text,
      hours: text,
      street: text,
    })
    .map(({ at, id, dataset, hours, street }) =>
      aPlace(id, {
        ...at,
        attributes: { dataset, opening_hours: hours },
        ...(street ? { address: { street } } : {}),
      }),
    );
  fc.assert(
    fc.property(place, fc.double({ min: 0, max: 5000, noNaN: true }), (one, distance_m) => {
      const { fields, geometry, recordid } = recordOf(one, distance_m);
      assert.deepEqual(fields.geom_x_y, [...geometry.coordinates].toReversed());
      assert.equal(fields.horaires_ouverture, one.attributes["opening_hours"] || undefined);
      assert.equal(fields.nom_voie, one.address?.street);
      assert.ok(Math.abs(Number(fields.dist) - distance_m) <= 0.5);
      assert.deepEqual(recordOf(one, 0).recordid, recordid, "wherever it is asked from");
    }),
  );
});

test("they are ordered by the distance they state, then by their ids", () => {
  const records = ["1", "2", "3", "4"].map((id, i) =>
    recordOf({ ...FOUNTAIN, external_id: id }, [100.4, 99.6, 7, 1000][i]),
  );
  const order = records.toSorted(byStatedDist).map(({ fields }) => fields.dist);
  assert.deepEqual(order, ["7", "100", "100", "1000"]);
  const equal = records.filter(({ fields }) => fields.dist === "100").toSorted(byStatedDist);
  assert.ok(equal[0]!.recordid < equal[1]!.recordid);
});
