import assert from "node:assert/strict";
import type { LiveState } from "#core/places/live-state.ts";
import type { Place } from "#core/places/place.ts";
import { datex2Energy } from "#providers/datex2_energy/index.ts";
import type { Fault, Read } from "./fault-table.ts";

type Row = Record<string, unknown>;

const GUID = "73ABE928-707D-4A99-8043-4293EE685504";
const at = (latitude: unknown, longitude: unknown): Row => ({
  locPointLocation: { coordinatesForDisplay: { latitude, longitude } },
});
const POINT: Row = {
  idG: GUID,
  externalIdentifier: [
    {
      identifier: "DE*ABC*E123*1",
      typeOfIdentifier: { value: "extendedG", extendedValueG: "evseId" },
    },
  ],
  connector: [{ connectorType: { value: "iec62196T2" }, maxPowerAtSocket: 22_000 }],
};
const siteOf = (site: Row, ...points: readonly Row[]): Row => ({
  idG: "S1",
  name: {
    values: [
      { lang: "en", value: "Market" },
      { lang: "de", value: "Markt" },
    ],
  },
  locationReference: at(50.78, 6.1),
  energyInfrastructureStation: [
    {
      idG: "T1",
      refillPoint: (points.length > 0 ? points : [POINT]).map((point) => ({
        aegiElectricChargingPoint: point,
      })),
    },
  ],
  ...site,
});
const tableOf = (...sites: readonly unknown[]): string =>
  JSON.stringify({
    payload: {
      aegiEnergyInfrastructureTablePublication: {
        lang: "de",
        energyInfrastructureTable: [{ idG: "N", energyInfrastructureSite: sites }],
      },
    },
  });
const statusOf = (...points: readonly Row[]): string =>
  JSON.stringify({
    messageContainer: {
      payload: [
        {
          aegiEnergyInfrastructureStatusPublication: {
            publicationTime: "2026-11-28T07:00:00+01:00",
            energyInfrastructureSiteStatus: [
              { energyInfrastructureStationStatus: { refillPointStatus: points } },
            ],
          },
        },
      ],
    },
  });
const pointStatus = (status: unknown, more: Row = {}, idG = GUID): Row => ({
  aegiElectricChargingPointStatus: { reference: { idG }, status, ...more },
});

const places = (fault: string, document: string, check: (read: Read<Place>) => void): Fault => ({
  fault,
  shape: datex2Energy,
  half: "places",
  document,
  check,
});
const states = (
  fault: string,
  document: string,
  check: (read: Read<LiveState>) => void,
): Fault => ({ fault, shape: datex2Energy, half: "states", document, check });

const only = ({ values }: Read<Place>): Place => {
  assert.equal(values?.length, 1);
  return values[0]!;
};
const connectorsOf = (read: Read<Place>): unknown =>
  (only(read).attributes["charging"] as { connectors: unknown }).connectors;

const dropped = (fault: string, site: unknown, reason: string): Fault =>
  places(fault, tableOf(site, siteOf({ idG: "S2" })), (read) => {
    assert.equal(only(read).external_id, "S2");
    assert.deepEqual(read.reasons, [reason]);
  });

const state = (fault: string, row: Row, expected: unknown): Fault =>
  states(fault, statusOf(row), ({ values }) => {
    const value = values?.[0];
    assert.deepEqual(value?.kind === "point" && value.state, expected);
  });

const XML_TABLE = `<?xml version="1.0" encoding="UTF-8"?>
<d2:payload xmlns:d2="d" xmlns:xsi="x" xmlns:egi="e" xsi:type="egi:EnergyInfrastructureTablePublication" lang="de"><egi:energyInfrastructureTable id="N"><egi:energyInfrastructureSite id="S1"><name><values><value lang="en">Market</value><value lang="de">Markt</value></values></name><locationReference xsi:type="loc:PointLocation"><loc:coordinatesForDisplay><loc:latitude>50.78</loc:latitude><loc:longitude>6.1</loc:longitude></loc:coordinatesForDisplay></locationReference><egi:energyInfrastructureStation id="T1"><egi:refillPoint xsi:type="egi:ElectricChargingPoint" id="${GUID}"><externalIdentifier><identifier>DE*ABC*E123*1</identifier><typeOfIdentifier _extendedValue="evseId">_extended</typeOfIdentifier></externalIdentifier><egi:connector><egi:connectorType>iec62196T2</egi:connectorType><egi:maxPowerAtSocket>22000</egi:maxPowerAtSocket></egi:connector></egi:refillPoint></egi:energyInfrastructureStation></egi:energyInfrastructureSite></egi:energyInfrastructureTable></d2:payload>`;
const XML_STATUS = `<payload xsi:type="EnergyInfrastructureStatusPublication"><publicationTime>2026-11-28T07:00:00+01:00</publicationTime><energyInfrastructureSiteStatus><energyInfrastructureStationStatus><refillPointStatus xsi:type="ElectricChargingPointStatus"><reference id="${GUID.toLowerCase()}"/><status>charging</status></refillPointStatus></energyInfrastructureStationStatus></energyInfrastructureSiteStatus></payload>`;

const isMarket = (read: Read<Place>): void => {
  const place = only(read);
  assert.deepEqual([place.name, place.lat, place.lon], ["Markt", 50.78, 6.1]);
  assert.deepEqual(place.keys, ["register_test:S1", "evse:DEABCE1231"]);
  assert.deepEqual(place.live, {
    kind: "points",
    points: [{ id: GUID, connectors: [{ type: "Type 2", max_kw: 22 }] }],
  });
};

export const DATEX2_ENERGY_FAULTS: readonly Fault[] = [
  places("none, as JSON", tableOf(siteOf({})), isMarket),
  places("none, as XML", XML_TABLE, isMarket),
  places(
    "lists and objects for one another",
    tableOf(siteOf({ name: { values: { lang: "de", value: "Markt" } } })).replace(
      /"energyInfrastructureSite":\[(.*)\]\}\]/,
      '"energyInfrastructureSite":$1}]',
    ),
    isMarket,
  ),
  places(
    "coordinates at a station alone, with decimal commas",
    tableOf({
      ...siteOf({}),
      locationReference: null,
      energyInfrastructureStation: [
        {
          locationReference: at("50,78", "6,1"),
          refillPoint: { aegiElectricChargingPoint: POINT },
        },
      ],
    }),
    isMarket,
  ),
  dropped("coordinates empty", siteOf({ locationReference: at("", "") }), "coordinates_missing"),
  dropped(
    "metres for degrees",
    siteOf({ locationReference: at(5_628_000, 295_000) }),
    "coordinates_out_of_range",
  ),
  dropped("coordinates 0, 0", siteOf({ locationReference: at(0, 0) }), "coordinates_zero"),
  dropped("no id", siteOf({ idG: null }), "id_missing"),
  places("a site listed twice", tableOf(siteOf({}), siteOf({})), (read) => {
    isMarket(read);
    assert.deepEqual(read.reasons, ["id_duplicate"]);
  }),
  places(
    "power in kilowatts, 0, −1, as text, and above all bounds",
    tableOf(
      siteOf(
        {},
        {
          ...POINT,
          connector: [22, 0, -1, "11000", 9e9].map((maxPowerAtSocket, n) => ({
            connectorType: { value: ["iec62196T1", "iec62196T2", "chademo", "teslaS", "other"][n] },
            maxPowerAtSocket,
          })),
        },
      ),
    ),
    (read) =>
      assert.deepEqual(connectorsOf(read), [
        { type: "J1772", max_kw: 22, count: 1 },
        { type: "Type 2", count: 1 },
        { type: "CHAdeMO", count: 1 },
        { type: "Tesla", max_kw: 11, count: 1 },
        { type: "Other", count: 1 },
      ]),
  ),
  places(
    "the EVSE id as id of the point, or at its connectors",
    tableOf(
      siteOf(
        {},
        { idG: "DE*ABC*E7", connector: [{ connectorType: "chademo" }] },
        {
          idG: GUID,
          connector: [
            { externalIdentifier: { identifier: "DE-ABC-E8", typeOfIdentifier: "evseId" } },
          ],
        },
      ),
    ),
    (read) => assert.deepEqual(only(read).keys.slice(1), ["evse:DEABCE7", "evse:DEABCE8"]),
  ),
  places(
    "a clock with an offset is none of the place",
    tableOf(
      siteOf({
        operatingHours: {
          afacOperatingHoursSpecification: {
            overallPeriod: {
              validPeriod: {
                recurringTimePeriodOfDay: {
                  startTimeOfPeriod: "09:00:00Z",
                  endTimeOfPeriod: "17:00:00Z",
                },
              },
            },
          },
        },
      }),
    ),
    (read) => assert.deepEqual(only(read).opening, {}),
  ),
  places("a point listed twice is counted once", tableOf(siteOf({}, POINT, POINT)), (read) => {
    isMarket(read);
    assert.deepEqual(read.repairs, ["point_duplicate"]);
  }),
  dropped(
    "points for ships and bicycles alone",
    siteOf({}, { ...POINT, usageType: [{ value: "electricBoat" }, { value: "electricBike" }] }),
    "not_for_cars",
  ),
  places(
    "whom it is for, and wheelchairs, where a point alone says so",
    tableOf(
      siteOf(
        { accessibility: [{ value: "unknown" }], exclusiveUsers: [{ value: "employees" }] },
        { ...POINT, accessibility: [{ value: "none" }, { value: "wheelChairAccessible" }] },
      ),
    ),
    (read) => {
      const { access, wheelchair } = only(read).attributes;
      assert.deepEqual([access, wheelchair], ["restricted", "yes"]);
    },
  ),
  places("users in no known word", tableOf(siteOf({ exclusiveUsers: ["pilots"] })), (read) =>
    assert.equal("access" in only(read).attributes, false),
  ),
  places(
    "a price, and members of no profile",
    tableOf(
      siteOf(
        { odd: [[1], null, { value: {} }], values: 3 },
        { ...POINT, electricEnergy: [{ energyRate: [{ energyPrice: [{ value: 0.35 }] }] }] },
      ),
    ),
    (read) => {
      isMarket(read);
      assert.equal(JSON.stringify(read.values).includes("0.35"), false);
    },
  ),
  places(
    "power of a point with two types of plug is that of neither",
    tableOf(
      siteOf(
        {},
        {
          ...POINT,
          availableChargingPower: [50_000],
          connector: [{ connectorType: "iec62196T2" }, { connectorType: "chademo" }],
        },
      ),
    ),
    (read) =>
      assert.deepEqual(connectorsOf(read), [
        { type: "Type 2", count: 1 },
        { type: "CHAdeMO", count: 1 },
      ]),
  ),
  places("a list of documents, one of them none", `[null,${tableOf(siteOf({}))}]`, isMarket),
  places(
    "a container of parking",
    '<c:messageContainer xmlns:c="c"><c:payload xmlns:x="x" x:type="prk:ParkingTablePublication"><parkingTable/></c:payload></c:messageContainer>',
    ({ values }) => assert.equal(values, null),
  ),
  states(
    "the time of the station where a point has none, and a planned state",
    JSON.stringify({
      payload: {
        aegiEnergyInfrastructureStatusPublication: {
          energyInfrastructureSiteStatus: {
            lastUpdated: "2026-11-28T04:00:00Z",
            energyInfrastructureStationStatus: {
              refillPointStatus: [
                pointStatus(null, {
                  plannedRefillPointStatus: [{ status: { value: "reserved" } }],
                }),
              ],
              lastUpdated: "2026-11-28T05:00:00Z",
            },
          },
          publicationTime: "2026-11-28T06:00:00Z",
        },
      },
    }),
    ({ values }) =>
      assert.deepEqual(values, [
        { kind: "point", id: GUID, observed_s: 1_795_842_000, state: null },
      ]),
  ),
  state("a state of no word", pointStatus({ value: "perhaps" }), null),
  state("no state at all", pointStatus(null), null),
  state("a state that says unknown", pointStatus({ value: "unknown" }), null),
  state("a state without its wrapper", pointStatus("OutOfOrder"), "out_of_service"),
  states(
    "the other name of a point's status, dated by its publication",
    statusOf({
      aegiRefillPointStatus: { reference: { idG: GUID }, status: { value: "available" } },
    }),
    ({ values }) =>
      assert.deepEqual(values, [
        { kind: "point", id: GUID, observed_s: 1_795_845_600, state: "available" },
      ]),
  ),
  states("none, as XML, the id in other case", XML_STATUS, ({ values }) =>
    assert.deepEqual(values, [
      { kind: "point", id: GUID, observed_s: 1_795_845_600, state: "occupied" },
    ]),
  ),
  states(
    "a time that is none, a point that is gone, and a doubled one",
    statusOf(
      pointStatus("available", { lastUpdated: "yesterday" }, "A"),
      pointStatus("removed", {}, "B"),
      pointStatus("charging", {}, "C"),
      pointStatus("available", {}, "C"),
      pointStatus("available", { lastUpdated: "2026-11-28T06:00:00" }, "D"),
    ),
    ({ values, reasons }) => {
      assert.deepEqual(
        values?.map(({ id, observed_s }) => [id, observed_s]),
        [
          ["C", 1_795_845_600],
          ["D", 1_795_845_600],
        ],
      );
      assert.deepEqual(reasons, ["evse_gone", "id_duplicate", "time_unusable"]);
    },
  ),
  places("a status where a table is meant", statusOf(pointStatus("charging")), ({ values }) =>
    assert.equal(values, null),
  ),
  places("XML that breaks off", XML_TABLE.slice(0, -20), ({ values, reasons }) => {
    assert.equal(values?.length, 1);
    assert.deepEqual(reasons, ["xml_broken"]);
  }),
];
