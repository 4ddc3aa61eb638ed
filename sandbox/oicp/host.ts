// OICP as a country publishes it: one record a plug, each with a station id of its own, and a document
// of their states, which has ids that the data lack.
import { evseIdOf, isInOicp, oicpIdOf } from "../listing.ts";
import { around } from "../geo.ts";
import { answerFile, listAll, observe, once, type RegistryDeps, written } from "../registry.ts";
import { unit } from "../rng.ts";
import type { Source } from "../source.ts";
import { listPlugs } from "../world/chargers.ts";
import { countryOf } from "../world/countries.ts";
import type { Plug, ServiceThing } from "../world/service-model.ts";

const ROOT = "/upstreams/oicp";
const JSON_TYPE = "application/json";
const OFF_M = 6;

export function createOicp({ world, now, origin }: RegistryDeps): Source {
  const listed = once(() => listAll(world).filter(isInOicp));
  const data = once(() => toData(listed(), now()));
  const files = new Map([
    ["/data.json", { type: JSON_TYPE, text: data }],
    ["/status.json", { type: JSON_TYPE, text: () => toStatuses(listed(), now()) }],
  ]);
  return {
    id: "oicp",
    description: "OICP, charging points and their states",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${ROOT}/data.json`, live_url: `${origin}${ROOT}/status.json` },
    observe: (thing) =>
      thing.kind === "service" && isInOicp(thing) ? observe("oicp", oicpIdOf(thing)) : [],
    handle: (request) => answerFile(request, ROOT, files),
  };
}

const byOperator = (listed: readonly ServiceThing[]): [string, ServiceThing[]][] => [
  ...Map.groupBy(listed, ({ operator }) => operator),
];

function toData(listed: readonly ServiceThing[], now_ms: number): string {
  const operators = byOperator(listed).map(([OperatorName, things]) => ({
    OperatorID: OperatorName,
    OperatorName,
    EVSEDataRecord: things.flatMap((thing) =>
      listPlugs(thing, now_ms).map((plug, n) => toRecord(thing, plug, n)),
    ),
  }));
  const first = operators[0]!.EVSEDataRecord[0]!;
  const placeless = { ...first, EvseID: "XX*ODD*E1", GeoCoordinates: { Google: "None None" } };
  operators[0]!.EVSEDataRecord.push(placeless, first);
  return JSON.stringify({ EVSEData: operators });
}

const PLUGS: Readonly<Record<string, string>> = {
  IEC_62196_T2: "Type 2 Outlet",
  IEC_62196_T2_COMBO: "CCS Combo 2 Plug (Cable Attached)",
  IEC_62196_T1: "Type 1 Connector (Cable Attached)",
  IEC_62196_T1_COMBO: "CCS Combo 1 Plug (Cable Attached)",
  CHADEMO: "CHAdeMO",
  SAE_J3400: "NACS",
  DOMESTIC_E: "Type E French Standard",
};

const DIRECT = /COMBO|CHADEMO|J3400/;

function toRecord(thing: ServiceThing, { standard, power_kw }: Plug, n: number) {
  const { key, city, street, street_number, post_code, opening_hours } = thing;
  const { lat, lon } = around(thing, unit(key, 295), OFF_M * unit(key, 296));
  const EvseID = evseIdOf(thing, n);
  const name = written(thing);
  return {
    // Some leave the separators out.
    EvseID: key % 3 === 0 ? EvseID.replaceAll("*", "") : EvseID,
    ChargingStationId: EvseID,
    ChargingStationNames: name === "" ? null : [{ lang: "en", value: encodedTwice(name, key) }],
    Address: {
      Street: `${street} ${street_number}`,
      City: city.name,
      PostalCode: post_code,
      Country: countryOf(city.country).alpha_3,
    },
    GeoCoordinates: { Google: `${lat.toFixed(6)} ${lon.toFixed(6)}` },
    GeoChargingPointEntrance: { Google: "None None" },
    Plugs: [PLUGS[standard]],
    ChargingFacilities: [
      {
        power: key % 2 === 0 ? power_kw.toFixed(1) : power_kw,
        powertype: DIRECT.test(standard) ? "DC" : power_kw > 8 ? "AC_3_PHASE" : "AC_1_PHASE",
      },
    ],
    Accessibility: "Paying publicly accessible",
    DynamicInfoAvailable: "true",
    IsOpen24Hours: opening_hours === "24/7" ? (key % 2 === 0 ? "true" : true) : false,
    OpeningTimes: null,
  };
}

/** UTF-8 that was read as Latin-1 and written as UTF-8 again. */
const encodedTwice = (text: string, key: number): string =>
  key % 7 === 0 ? Buffer.from(text, "utf8").toString("latin1") : text;

const STATES = {
  AVAILABLE: "Available",
  CHARGING: "Occupied",
  OUTOFORDER: "OutOfService",
} as const;

function toStatuses(listed: readonly ServiceThing[], now_ms: number): string {
  const operators = byOperator(listed).map(([OperatorName, things]) => ({
    OperatorID: OperatorName,
    OperatorName,
    EVSEStatusRecord: things.flatMap((thing) =>
      listPlugs(thing, now_ms).map(({ status }, n) => ({
        EvseID: evseIdOf(thing, n),
        EVSEStatus: STATES[status] as string,
      })),
    ),
  }));
  operators[0]!.EVSEStatusRecord.push(
    { EvseID: "XX*ODD*E404", EVSEStatus: "EvseNotFound" },
    { EvseID: "XX*ODD*E405", EVSEStatus: "Available" },
  );
  return JSON.stringify({ EVSEStatuses: operators });
}
