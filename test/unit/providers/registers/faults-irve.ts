import assert from "node:assert/strict";
import type { LiveState, PointState } from "#core/places/live-state.ts";
import type { Place } from "#core/places/place.ts";
import { irve } from "#providers/irve/index.ts";
import type { Fault, Read } from "./fault-table.ts";

const ROW: Readonly<Record<string, string | null>> = {
  nom_operateur: "Bornes de l’Ouest",
  id_station_itinerance: "FRTSTP1",
  nom_station: "Gare, côté nord",
  adresse_station: "1 Rue de la Gare",
  coordonneesXY: "[-1.68, 48.11]",
  nbre_pdc: "1",
  id_pdc_itinerance: "FRTSTE11",
  puissance_nominale: "22.0",
  prise_type_ef: "False",
  prise_type_2: "True",
  gratuit: "False",
  condition_acces: "Accès libre",
  horaires: "24/7",
  accessibilite_pmr: "Accessibilité inconnue",
  date_maj: "2026-03-28",
};
type Row = Record<string, unknown>;

const lines = (...rows: Row[]): string =>
  rows.map((row) => JSON.stringify({ ...ROW, ...row })).join("\n");
/** Two rows at least: one object alone is no table of lines. */
const withOther = (row: Row): string =>
  lines(row, { id_station_itinerance: "FRTSTP9", id_pdc_itinerance: "FRTSTE99" });
const csv = (separator: string, quote: string, ...rows: Row[]): string => {
  const all = rows.map((row): Row => ({ ...ROW, ...row }));
  const cells = [Object.keys(all[0]!), ...all.map((row) => Object.values(row))];
  const written = cells.map((line) => line.map((cell) => `${quote}${cell as string}${quote}`));
  return written.map((line) => line.join(separator)).join("\r\n");
};
const first = ({ values }: Read<Place>): Place => values![0]!;
const connectors = (read: Read<Place>): unknown =>
  (first(read).attributes["charging"] as Row)["connectors"];
const states = (read: Read<LiveState>): [string, PointState["state"]][] =>
  read.values!.map((one) => [one.id, (one as PointState).state]);

/** A row in which `row` is wrong. */
const place = (fault: string, row: Row, check: (read: Read<Place>) => void): Fault => ({
  ...{ fault, shape: irve, half: "places", document: withOther(row), check },
});

const HEADER = "id_pdc_itinerance,etat_pdc,occupation_pdc,horodatage";
const NOW = "2026-11-28T06:00:00+00:00";

export const IRVE_FAULTS: readonly Fault[] = [
  place("coordinates swapped in one text", { coordonneesXY: "[48.11, -1.68]" }, (read) => {
    assert.deepEqual([first(read).lat, first(read).lon], [48.11, -1.68]);
    assert.deepEqual(read.repairs, ["coordinates_swapped"]);
  }),
  place(
    "no text of coordinates, and columns of their own with commas",
    { coordonneesXY: null, consolidated_latitude: "48,11", consolidated_longitude: "-1,68" },
    (read) => assert.deepEqual([first(read).lat, first(read).lon], [48.11, -1.68]),
  ),
  place("metres of a projection", { coordonneesXY: "[351500.2, 6788900.5]" }, (read) => {
    assert.equal(read.values!.length, 1);
    assert.deepEqual(read.reasons, ["coordinates_out_of_range"]);
  }),
  place("power in watts", { puissance_nominale: "22000" }, (read) => {
    assert.deepEqual(connectors(read), [{ type: "Type 2", max_kw: 22, count: 1 }]);
    assert.deepEqual(read.repairs, ["power_in_watts"]);
  }),
  place("no power, written as 0", { puissance_nominale: "0,0" }, (read) =>
    assert.deepEqual(connectors(read), [{ type: "Type 2", count: 1 }]),
  ),
  place(
    "a household socket next to a strong plug has not its power",
    {
      prise_type_ef: "VRAI",
      prise_type_2: "0",
      prise_type_combo_ccs: "oui",
      puissance_nominale: "150 kW",
    },
    (read) =>
      assert.deepEqual(connectors(read), [
        { type: "Other", count: 1 },
        { type: "CCS2", max_kw: 150, count: 1 },
      ]),
  ),
  place("hours of one minute a week", { horaires: "Mo 00:00-00:01" }, (read) => {
    assert.equal(first(read).opening, undefined);
    assert.equal(first(read).attributes["open_status"], "unknown");
  }),
  place("what is free of charge is not stated", { gratuit: null }, (read) =>
    assert.ok(!("fee" in first(read).attributes)),
  ),
  place("more points than there are rows", { nbre_pdc: "4" }, (read) => {
    assert.equal((first(read).attributes["charging"] as Row)["connector_count"], 1);
    assert.deepEqual(read.repairs, ["point_count_differs"]);
  }),
  place("a text that was encoded twice", { nom_station: "Gare, cÃ´tÃ© nord" }, (read) =>
    assert.equal(first(read).name, "Gare, côté nord"),
  ),
  place("a point that names no plug", { prise_type_2: "False" }, (read) => {
    assert.deepEqual(connectors(read), []);
    assert.deepEqual(first(read).attributes["charging"], { connectors: [] });
  }),
  place(
    "the schema before 2022 among rows of today",
    {
      ...{ coordonneesXY: undefined, id_pdc_itinerance: undefined, puissance_nominale: undefined },
      ...{ prise_type_ef: undefined, prise_type_2: undefined, id_pdc: "FR*TST*E1*1" },
      ...{ Xlongitude: -1.68, Ylatitude: 48.11, puiss_max: 50, type_prise: "CHADEMO+T2" },
    },
    (read) => {
      assert.deepEqual(connectors(read), [
        { type: "Type 2", count: 1 },
        { type: "CHAdeMO", max_kw: 50, count: 1 },
      ]);
      assert.ok(first(read).keys.includes("evse:FRTSTE11"));
    },
  ),
  {
    fault: "a point twice: the row of the newest date counts, however the date is written",
    shape: irve,
    half: "places",
    document: lines(
      { puissance_nominale: "50", date_maj: "30/03/2026" },
      { puissance_nominale: "22", date_maj: "2026-03-29" },
    ),
    check(read) {
      assert.deepEqual(connectors(read), [{ type: "Type 2", count: 1, max_kw: 50 }]);
      assert.deepEqual(read.reasons, ["id_duplicate"]);
    },
  },
  {
    fault: "semicolons, quotes, a byte order mark, and a row whose quotes are broken",
    shape: irve,
    half: "places",
    document: `\ufeff${csv(
      ";",
      '"',
      {},
      { nom_station: 'Aire "du" Nord', id_pdc_itinerance: "FRTSTE12" },
      { id_pdc_itinerance: "FRTSTE13" },
    )}`,
    check(read) {
      assert.equal(first(read).name, "Gare, côté nord");
      const { live } = first(read);
      assert.deepEqual(live?.kind === "points" && live.points.map(({ id }) => id), [
        ...["FRTSTE11", "FRTSTE13"],
      ]);
      assert.deepEqual(read.reasons, ["row_malformed"]);
    },
  },
  {
    fault: "GeoJSON instead of a table",
    shape: irve,
    half: "places",
    document: JSON.stringify({
      type: "FeatureCollection",
      features: [
        {
          type: "Feature",
          geometry: { type: "Point", coordinates: [-1.68, 48.11] },
          properties: { ...ROW, coordonneesXY: null },
        },
        { type: "Feature", geometry: null, properties: null },
      ],
    }),
    check(read) {
      assert.deepEqual([first(read).lat, first(read).lon], [48.11, -1.68]);
      assert.deepEqual(read.reasons, ["id_missing"]);
    },
  },
  {
    fault: "states with accents, of what is unknown, and of what is free and perhaps broken",
    shape: irve,
    half: "states",
    document: [
      HEADER,
      `FRTSTE11,en_service,occupé,${NOW}`,
      `FR*TST*E1*2,en_service,inconnu,${NOW}`,
      `FRTSTE13,inconnu,libre,${NOW}`,
      `FRTSTE14,Hors service,libre,${NOW}`,
      `FRTSTE15,en_service,libre,`,
    ].join("\n"),
    check: (read) =>
      assert.deepEqual(states(read), [
        ["FRTSTE11", "occupied"],
        ["FRTSTE12", null],
        ["FRTSTE13", null],
        ["FRTSTE14", "out_of_service"],
        ["FRTSTE15", "available"],
      ]),
  },
  {
    fault: "a state twice: the newest counts; and times that say no moment",
    shape: irve,
    half: "states",
    document: [
      HEADER,
      "FRTSTE11,en_service,libre,2026-11-28T06:00:00+00:00",
      "FRTSTE11,en_service,occupe,2026-11-28T05:00:00+00:00",
      "FRTSTE12,en_service,libre,2026-11-28T06:00:00",
      "FRTSTE13,en_service,libre,hier",
      ",en_service,libre,2026-11-28T06:00:00+00:00",
    ].join("\n"),
    check(read) {
      assert.deepEqual(states(read), [["FRTSTE11", "available"]]);
      assert.deepEqual(read.reasons, ["id_duplicate", "id_missing", "time_unusable"]);
    },
  },
];
