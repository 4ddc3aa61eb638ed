/** Faults that publishers of every shape have: numbers with commas, texts encoded twice, coordinates swapped. */
import assert from "node:assert/strict";
import type { Place } from "#core/places/place.ts";
import { datex2Energy } from "#providers/datex2_energy/index.ts";
import { datex2Parking } from "#providers/datex2_parking/index.ts";
import { irve } from "#providers/irve/index.ts";
import { ocpiBulk } from "#providers/ocpi_bulk/index.ts";
import { oicp } from "#providers/oicp/index.ts";
import { parkapi } from "#providers/parkapi/index.ts";
import type { RegisterShape } from "#providers/register-shape.ts";
import type { Fault, Read } from "./fault-table.ts";

type Written = { lat: string; lon: string; name: string; street: string; power: string };

const GOOD: Written = { lat: "48.5", lon: "9.25", name: "Markt", street: "Gasse 1", power: "11" };

/** A document of one place in each shape, with these texts in it. */
const DOCUMENTS: readonly (readonly [shape: RegisterShape, write: (written: Written) => string])[] =
  [
    [
      parkapi,
      ({ lat, lon, name, street }) =>
        JSON.stringify({ items: [{ id: 1, lat, lon, name, address: street }] }),
    ],
    [
      datex2Parking,
      ({ lat, lon, name, street }) =>
        `<d2LogicalModel><payloadPublication type="x"><genericPublicationExtension><parkingTablePublication><parkingRecord id="P1"><parkingName><values><value>${name}</value></values></parkingName><parkingLocation><pointByCoordinates><pointCoordinates><latitude>${lat}</latitude><longitude>${lon}</longitude></pointCoordinates></pointByCoordinates></parkingLocation><parkingSiteAddress><contactDetailsStreet>${street}</contactDetailsStreet></parkingSiteAddress></parkingRecord></parkingTablePublication></genericPublicationExtension></payloadPublication></d2LogicalModel>`,
    ],
    [
      datex2Energy,
      ({ lat, lon, name, street, power }) =>
        `<payload type="egi:EnergyInfrastructureTablePublication"><energyInfrastructureTable><energyInfrastructureSite id="S1"><name><values><value>${name}</value></values></name><locationReference><coordinatesForDisplay><latitude>${lat}</latitude><longitude>${lon}</longitude></coordinatesForDisplay><address><addressLine><type>street</type><text><values><value>${street}</value></values></text></addressLine></address></locationReference><refillPoint id="DE*ABC*E1"><connector><connectorType>iec62196T2</connectorType><maxPowerAtSocket>${power}</maxPowerAtSocket></connector></refillPoint></energyInfrastructureSite></energyInfrastructureTable></payload>`,
    ],
    [
      ocpiBulk,
      ({ lat, lon, name, street, power }) =>
        JSON.stringify([
          {
            id: "L1",
            name,
            address: street,
            coordinates: { latitude: lat, longitude: lon },
            evses: [
              { uid: "1", connectors: [{ standard: "IEC_62196_T2", max_electric_power: power }] },
            ],
          },
        ]),
    ],
    [
      irve,
      ({ lat, lon, name, street, power }) =>
        `id_station_itinerance;id_pdc_itinerance;nom_station;adresse_station;consolidated_latitude;consolidated_longitude;puissance_nominale;prise_type_2\nFRA;FRAE1;${name};${street};${lat};${lon};${power};true\n`,
    ],
    [
      oicp,
      ({ lat, lon, name, street, power }) =>
        JSON.stringify({
          EvseData: {
            OperatorEvseData: [
              {
                EvseDataRecord: [
                  {
                    EvseID: "DE*ABC*E1",
                    ChargingStationNames: [{ lang: "de", value: name }],
                    Address: { Street: street },
                    GeoCoordinates: { DecimalDegree: { Latitude: lat, Longitude: lon } },
                    Plugs: ["Type 2 Outlet"],
                    ChargingFacilities: [{ power, powertype: "AC_3_PHASE" }],
                  },
                ],
              },
            ],
          },
        }),
    ],
  ];

const inEach = (
  fault: string,
  members: Partial<Written>,
  check: (read: Read<Place>, shape: RegisterShape) => void,
): Fault[] =>
  DOCUMENTS.map(([shape, write]) => ({
    ...{ fault, shape, half: "places" as const, document: write({ ...GOOD, ...members }) },
    check: (read: Read<Place>) => check(read, shape),
  }));

const only = ({ values, reasons }: Read<Place>): Place => {
  assert.deepEqual(reasons, []);
  assert.equal(values?.length, 1);
  return values[0]!;
};
const at = (read: Read<Place>): number[] => [only(read).lat, only(read).lon];
const dropped = (reason: string) => (read: Read<Place>) =>
  assert.deepEqual([read.values, read.reasons], [[], [reason]]);
/** null: unknown. Car parks have no power. */
const powerOf = (read: Read<Place>): number | null => {
  const { connectors } = only(read).attributes["charging"] as {
    connectors: readonly { max_kw?: number }[];
  };
  assert.equal(connectors.length, 1);
  return connectors[0]!.max_kw ?? null;
};
const power = (fault: string, text: string, max_kw: number | null, repairs: string[]): Fault[] =>
  inEach(fault, { power: text }, (read, { kind }) => {
    if (kind === "parking") return;
    assert.equal(powerOf(read), max_kw);
    const own = new Set(["envelope_missing", "point_count_differs"]);
    assert.deepEqual(
      read.repairs.filter((reason) => !own.has(reason)),
      repairs,
    );
  });
const repaired = (read: Read<Place>, reason: string): void =>
  assert.ok(read.repairs.includes(reason), read.repairs.join());

export const SHARED_FAULTS: readonly Fault[] = [
  ...inEach("coordinates with decimal commas", { lat: "48,5", lon: "-9,25" }, (read) => {
    assert.deepEqual(at(read), [48.5, -9.25]);
    repaired(read, "decimal_comma");
  }),
  ...inEach(
    "three digits behind the comma of a coordinate are no thousands: no place is that far",
    { lat: "48,775", lon: "9,182" },
    (read) => assert.deepEqual(at(read), [48.775, 9.182]),
  ),
  ...inEach("two commas", { lat: "48,7,5" }, dropped("coordinates_unusable")),
  ...inEach("a comma and a point", { lat: "1,048.5" }, dropped("coordinates_unusable")),
  ...inEach("a comma without digits behind it", { lon: "9," }, dropped("coordinates_unusable")),
  ...inEach(
    "a longitude as latitude, beyond the pole",
    { lat: "139.7", lon: "35.6" },
    dropped("coordinates_swapped"),
  ),
  ...inEach(
    "metres in place of degrees",
    { lat: "5424000", lon: "513000" },
    dropped("coordinates_out_of_range"),
  ),
  ...power("a power with a decimal comma", "7,4", 7.4, ["decimal_comma"]),
  ...power("a power that may be thousands", "22,000", null, ["decimal_comma_unclear"]),
  ...power("a power of two commas", "1,000,000", null, []),
  ...inEach(
    "name and address that were encoded twice",
    { name: "BahnhofstraÃŸe", street: "MÃ¼hlenweg 1" },
    (read) => {
      const { name, attributes, address } = only(read);
      assert.equal(name, "Bahnhofstraße");
      assert.equal(attributes["address"], "Mühlenweg 1");
      if (address?.street !== undefined) assert.equal(address.street, "Mühlenweg 1");
    },
  ),
  ...inEach(
    "letters that are correct as they are",
    { name: "CAFÉ», AMANHÃ…", street: "Rue de l’Église" },
    (read) => {
      assert.equal(only(read).name, "CAFÉ», AMANHÃ…");
      assert.equal(only(read).attributes["address"], "Rue de l’Église");
    },
  ),
];
