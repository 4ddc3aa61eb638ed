import assert from "node:assert/strict";
import type { PointState } from "#core/places/live-state.ts";
import { datex2Energy } from "#providers/datex2_energy/index.ts";
import type { Fault, Read } from "./fault-table.ts";

type Row = Record<string, unknown>;

const shape = datex2Energy;
const TIME = "2026-11-28T06:00:00Z";
const TIME_S = Date.UTC(2026, 10, 28, 6) / 1_000;

const at = (latitude: unknown, longitude: unknown): Row => ({
  locPointLocation: { coordinatesForDisplay: { latitude, longitude } },
});
const phrase = (value: string): Row => ({ values: [{ lang: "de", value }] });
const socket = (type: string, maxPowerAtSocket?: unknown): Row => ({
  connectorType: { value: type },
  maxPowerAtSocket,
});
const point = (members: Row = {}, idG: unknown = "A-1"): Row => ({
  aegiElectricChargingPoint: { idG, connector: [socket("iec62196T2", 22_000)], ...members },
});
const site = (members: Row = {}, points: unknown = [point()], idG: unknown = "S1"): Row => ({
  idG,
  locationReference: at(50.7, 6.1),
  energyInfrastructureStation: [{ idG: `${String(idG)}-1`, refillPoint: points }],
  ...members,
});
/** The time is the last member, as in no example. */
const publication = (kind: string, members: Row): Row => ({
  [`aegiEnergyInfrastructure${kind}Publication`]: { ...members, publicationTime: TIME },
});
const table = (...sites: unknown[]): Row =>
  publication("Table", { energyInfrastructureTable: [{ energyInfrastructureSite: sites }] });
const OTHER = site({}, [point({}, "B-1")], "S2");

type Check<Half> = Extract<Fault, { half: Half }>["check"];

const places = (fault: string, document: unknown, check: Check<"places">): Fault => ({
  fault,
  shape,
  half: "places",
  document: typeof document === "string" ? document : JSON.stringify({ payload: document }),
  check,
});
const ids = ({ values }: Read<{ external_id: string }>): string[] | undefined =>
  values?.map(({ external_id }) => external_id);
const dropped = (fault: string, row: unknown, reason: string): Fault =>
  places(fault, table(OTHER, row), (read) => {
    assert.deepEqual(ids(read), ["S2"]);
    assert.deepEqual(read.reasons, [reason]);
  });
/** Connectors of the one place that a site with one point makes. */
const connectors = (fault: string, members: Row, ...expected: Row[]): Fault =>
  places(fault, table(site({}, [point(members)])), ({ values }) => {
    const charging = values![0]!.attributes["charging"] as Row;
    assert.deepEqual(charging["connectors"], expected);
  });

const status = (members: Row, idG: unknown = "A-1"): Row => ({
  aegiElectricChargingPointStatus: {
    reference: { targetClass: "FacilityObject", idG, versionG: "9" },
    lastUpdated: TIME,
    status: { value: "available" },
    ...members,
  },
});
const statuses = (points: unknown, station: Row = {}): Row =>
  publication("Status", {
    energyInfrastructureSiteStatus: [
      { energyInfrastructureStationStatus: [{ refillPointStatus: points, ...station }] },
    ],
  });
const states = (fault: string, document: unknown, ...expected: Partial<PointState>[]): Fault => ({
  fault,
  shape,
  half: "states",
  document: typeof document === "string" ? document : JSON.stringify({ payload: document }),
  check: ({ values }) => {
    const usual = { kind: "point", id: "A-1", observed_s: TIME_S, state: "available" };
    const all = expected.map((members) => ({ ...usual, ...members }));
    assert.deepEqual(values, all);
  },
});

const XML_STATUS = `<?xml version="1.0"?><d2:payload xmlns:d2="d" xmlns:x="i" x:type="egi:EnergyInfrastructureStatusPublication"><com:publicationTime>${TIME}</com:publicationTime><egi:energyInfrastructureSiteStatus><fac:reference id="S1"/><egi:energyInfrastructureStationStatus><egi:refillPointStatus x:type="egi:ElectricChargingPointStatus"><fac:reference id="A-1"/><egi:status>charging</egi:status></egi:refillPointStatus></egi:energyInfrastructureStationStatus></egi:energyInfrastructureSiteStatus></d2:payload>`;

export const DATEX2_ENERGY_FAULTS: readonly Fault[] = [
  dropped(
    "longitude and latitude swapped",
    site({ locationReference: at(121.47, 31.2) }),
    "coordinates_out_of_range",
  ),
  dropped(
    "both coordinates in one text",
    site({ locationReference: at("50.7 6.1", null) }),
    "coordinates_missing",
  ),
  dropped("decimal commas", site({ locationReference: at("50,7", "6,1") }), "coordinates_unusable"),
  dropped(
    "metres of a projection",
    site({ locationReference: at(5_620_000, 295_000) }),
    "coordinates_out_of_range",
  ),
  dropped("a site without a position", site({ locationReference: null }), "coordinates_missing"),
  dropped("a doubled site", site({}, [], "S2"), "id_duplicate"),
  dropped("a site without an id", site({}, [point()], null), "id_missing"),
  dropped(
    "ships alone",
    site({}, [point({ usageType: [{ value: "electricBoat" }] })]),
    "not_for_cars",
  ),
  places(
    "a position of the site that cannot be read, and one of its point that can",
    table(
      site({ locationReference: at("50,7", "6,1") }, [point({ locationReference: at(50.1, 6.2) })]),
    ),
    ({ values }) => assert.deepEqual([values![0]!.lat, values![0]!.lon], [50.1, 6.2]),
  ),
  places(
    "a point that is listed twice",
    table(site({}, [point(), point()])),
    ({ values, repairs }) => {
      assert.equal((values![0]!.attributes["charging"] as Row)["connector_count"], 1);
      assert.deepEqual(repairs, ["point_duplicate"]);
    },
  ),
  places(
    "a name that was encoded twice",
    table(site({ name: phrase("LadesÃ¤ule Nord") })),
    ({ values }) => assert.equal(values?.[0]?.name, "Ladesäule Nord"),
  ),
  places(
    "an EVSE id that is declared as another kind, and one that is none",
    table(
      site({}, [
        point({ externalIdentifier: [{ identifier: "[EVSE]" }, { identifier: "DE*ABC*E1" }] }),
      ]),
    ),
    ({ values }) => assert.deepEqual(values?.[0]?.keys, ["register_test:S1", "evse:DEABCE1"]),
  ),
  places(
    "an id of 32 digits that begins as an EVSE id does",
    table(site({}, [point({}, "DEABCE12-0e5d-48f9-a908-f185dd4177a2")])),
    ({ values }) => assert.deepEqual(values?.[0]?.keys, ["register_test:S1"]),
  ),
  places(
    "lists that are one object, and an object that is a list",
    {
      aegiEnergyInfrastructureTablePublication: [
        {
          energyInfrastructureTable: {
            energyInfrastructureSite: site({}, point({ connector: socket("chademo", "50") })),
          },
        },
      ],
    },
    ({ values }) =>
      assert.deepEqual(values?.[0]?.attributes["charging"], {
        connector_count: 1,
        connectors: [{ type: "CHAdeMO", max_kw: 50, count: 1 }],
      }),
  ),
  places(
    "prices and fields of no profile",
    table(
      site({ new: [[1], null, { value: {} }], values: 3 }, [
        point({
          electricEnergy: [
            {
              energyRate: [{ energyPrice: [{ priceType: { value: "pricePerKWh" }, value: 0.35 }] }],
            },
          ],
        }),
      ]),
    ),
    ({ values }) => assert.equal(JSON.stringify(values).includes("0.35"), false),
  ),
  places("a list of publications", JSON.stringify([{ payload: table(OTHER) }, null]), (read) =>
    assert.deepEqual(ids(read), ["S2"]),
  ),
  places("a table in which a site has no end", JSON.stringify(table(OTHER)).slice(0, -3), (read) =>
    assert.equal(read.values, null),
  ),
  connectors(
    "power in kilowatts",
    { connector: [socket("iec62196T2COMBO", 150)] },
    { type: "CCS2", max_kw: 150, count: 1 },
  ),
  connectors(
    "power as a number with a comma",
    { connector: [socket("iec62196T2", "22,0")] },
    { type: "Type 2", count: 1 },
  ),
  connectors(
    "power of 0, and a plug of no vocabulary",
    { connector: [socket("type9", 0)] },
    { type: "Other", count: 1 },
  ),
  connectors(
    "power of the point alone, which two types of plug do not share",
    { availableChargingPower: [50_000], connector: [socket("iec62196T2"), socket("chademo")] },
    { type: "Type 2", count: 1 },
    { type: "CHAdeMO", count: 1 },
  ),
  connectors("a point without connectors", { connector: null }),
  states("a status in no word", statuses([status({ status: { value: "partying" } })]), {
    state: null,
  }),
  states("a status that says unknown", statuses([status({ status: { value: "unknown" } })]), {
    state: null,
  }),
  states("no status", statuses([status({ status: null })]), { state: null }),
  states("a status that is text", statuses([status({ status: "outOfOrder" })]), {
    state: "out_of_service",
  }),
  states("time without a zone", statuses([status({ lastUpdated: "2026-11-28T06:00:00" })]), {}),
  states(
    "the time of the station alone",
    statuses([status({ lastUpdated: null })], { lastUpdated: "2026-11-28T05:00:00Z" }),
    { observed_s: TIME_S - 3_600 },
  ),
  states("the time of the publication alone", statuses([status({ lastUpdated: null })]), {}),
  states(
    "doubled states that differ",
    statuses([status({}), status({ status: { value: "charging" } })]),
    {},
  ),
  states(
    "a state of a point in the older name",
    statuses({
      aegiRefillPointStatus: { reference: { idG: "DE*ABC*E7" }, status: { value: "faulted" } },
    }),
    { id: "DEABCE7", state: "out_of_service" },
  ),
  states(
    "a planned state is none of now",
    statuses([
      status({ status: null, plannedRefillPointStatus: [{ status: { value: "reserved" } }] }),
    ]),
    { state: null },
  ),
  states("a state of no point", statuses([status({}, null), null, 3, status({})]), {}),
  {
    fault: "a time that cannot be read",
    shape,
    half: "states",
    document: JSON.stringify(statuses([status({ lastUpdated: "yesterday" })])),
    check: ({ values, reasons }) => assert.deepEqual([values, reasons], [[], ["time_unusable"]]),
  },
  states("XML that states times of the publication alone", XML_STATUS, { state: "occupied" }),
];
