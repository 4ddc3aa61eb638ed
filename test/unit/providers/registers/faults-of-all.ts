/** Faults that a document of any shape may have. */
import assert from "node:assert/strict";
import { datex2Energy } from "#providers/datex2_energy/index.ts";
import { datex2Parking } from "#providers/datex2_parking/index.ts";
import { irve } from "#providers/irve/index.ts";
import { ocpiBulk } from "#providers/ocpi_bulk/index.ts";
import { oicp } from "#providers/oicp/index.ts";
import { parkapi } from "#providers/parkapi/index.ts";
import type { RegisterShape } from "#providers/register-shape.ts";
import type { Fault } from "./fault-table.ts";

const [OLD, NEW] = ["2026-11-28T05:00:00Z", "2026-11-28T06:00:00Z"];

/** An old state and behind it a newer one of the same id, whose numbers `shown` has. */
const doubled = (shape: RegisterShape, document: string, shown: object): Fault => ({
  fault: "a state twice: the one that was observed last counts, wherever it is",
  shape,
  half: "states",
  document,
  check({ values, reasons }) {
    assert.equal(values?.length, 1);
    assert.partialDeepStrictEqual(values[0], { ...shown, observed_s: Date.parse(NEW) / 1_000 });
    assert.deepEqual(reasons, ["id_duplicate"]);
  },
});

const site = (free: number, time: string, members: object = {}): object => ({
  ...{ source_id: 3, original_uid: "P7", lat: 48.7, lon: 9.1, has_realtime_data: true },
  ...{ realtime_free_capacity: free, realtime_data_updated_at: time, ...members },
});
const record = (free: number, time: string, trend = "stable"): string =>
  `<parkingRecordStatus><parkingRecordReference id="P1"/><parkingStatusOriginTime>${time}</parkingStatusOriginTime><parkingOccupancy><parkingNumberOfVacantSpaces>${free}</parkingNumberOfVacantSpaces><parkingOccupancyTrend>${trend}</parkingOccupancyTrend></parkingOccupancy></parkingRecordStatus>`;
const publication = (kind: string, records: string): string =>
  `<d2LogicalModel><payloadPublication><${kind}>${records}</${kind}></payloadPublication></d2LogicalModel>`;
const point = (status: string, time: string): string =>
  `<refillPointStatus><reference id="A"/><status>${status}</status><lastUpdated>${time}</lastUpdated></refillPointStatus>`;
const energy = (points: string): string =>
  `<payload type="EnergyInfrastructureStatusPublication"><energyInfrastructureStationStatus>${points}</energyInfrastructureStationStatus></payload>`;

/** A word that every object has a member of is no word of the format. */
const WORDS = ["constructor", "__proto__", "toString"];

export const FAULTS_OF_ALL: readonly Fault[] = [
  doubled(parkapi, JSON.stringify({ items: [site(1, OLD), site(77, NEW)] }), { free: 77 }),
  doubled(
    datex2Parking,
    publication("parkingStatusPublication", record(1, OLD) + record(77, NEW)),
    { free: 77 },
  ),
  doubled(datex2Energy, energy(point("available", OLD) + point("charging", NEW)), {
    state: "occupied",
  }),
  doubled(
    ocpiBulk,
    JSON.stringify([
      { evse_id: "DE*EXA*E1*1", status: "AVAILABLE", last_updated: OLD },
      { evse_id: "DEEXAE11", status: "CHARGING", last_updated: NEW },
    ]),
    { state: "occupied" },
  ),
  doubled(
    irve,
    [
      "id_pdc_itinerance,etat_pdc,occupation_pdc,horodatage",
      `FRTSTE11,en_service,libre,${OLD}`,
      `FRTSTE11,en_service,occupe,${NEW}`,
    ].join("\n"),
    { state: "occupied" },
  ),
  doubled(
    oicp,
    JSON.stringify({
      EVSEStatuses: [
        {
          EVSEStatusRecord: [
            { EvseID: "CHCCIE11", EVSEStatus: "Available", lastUpdate: OLD },
            { EvseID: "CH*CCI*E1*1", EVSEStatus: "Occupied", lastUpdate: NEW },
          ],
        },
      ],
    }),
    { state: "occupied" },
  ),
  ...WORDS.flatMap((word): Fault[] => [
    {
      fault: `a type of car park that is called ${word}`,
      shape: parkapi,
      half: "places",
      document: JSON.stringify({ items: [site(1, NEW, { type: word })] }),
      check: ({ values }) => assert.deepEqual(parkingOf(values), "parking"),
    },
    {
      fault: `a layout that is called ${word}`,
      shape: datex2Parking,
      half: "places",
      document: publication(
        "parkingTablePublication",
        `<parkingRecord id="P1"><parkingLayout>${word}</parkingLayout><parkingLocation><latitude>49</latitude><longitude>8</longitude></parkingLocation></parkingRecord>`,
      ),
      check: ({ values }) => assert.deepEqual(parkingOf(values), "parking"),
    },
    {
      fault: `a trend that is called ${word}`,
      shape: datex2Parking,
      half: "states",
      document: publication("parkingStatusPublication", record(4, NEW, word)),
      check: ({ values }) => assert.partialDeepStrictEqual(values![0], { free: 4, trend: null }),
    },
  ]),
];

/** As it crosses to a thread, which no function does. */
function parkingOf(values: readonly object[] | null): unknown {
  const [place] = structuredClone(values) as { attributes: { parking: { kind: string } } }[];
  return place?.attributes.parking.kind;
}
