// OICP: charging points and their states as a country publishes them openly, a record a point, with the
// slips of such files.
import { evseIdOf, isInOicp, partyOf } from "../listing.ts";
import { around } from "../geo.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import { answerTagged, listAll, observe, once, type RegistryDeps, written } from "../registry.ts";
import { unit } from "../rng.ts";
import type { Source } from "../source.ts";
import { listPlugs } from "../world/chargers.ts";
import { countryOf } from "../world/countries.ts";
import type { Plug, ServiceThing } from "../world/service-model.ts";

const ROOT = "/upstreams/oicp";
const OFF_M = 7;

export function createOicp({ world, now, origin }: RegistryDeps): Source {
  const listed = once(() => listAll(world).filter(isInOicp));
  const data = once(() => toData(listed()));
  return {
    id: "oicp",
    description: "OICP, data and status of charging points",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${ROOT}/data.json`, live_url: `${origin}${ROOT}/status.json` },
    // Points alone have ids: a station is known by its first.
    observe: (thing) =>
      thing.kind === "service" && isInOicp(thing)
        ? observe("oicp", evseIdOf(thing, 0).replaceAll("*", ""))
        : [],
    handle: (request) => answer(request, data, () => toStatuses(listed(), now())),
  };
}

function answer(request: SandboxRequest, data: () => string, statuses: () => string): Reply {
  const file = request.pathname.slice(ROOT.length);
  if (file === "/data.json") return answerTagged(request, data(), "application/json");
  return file === "/status.json"
    ? answerTagged(request, statuses(), "application/json")
    : answerJson(404, { message: "Not Found" });
}

type Row = Record<string, unknown>;

/** By operator, as both files have it. */
function listOperators(
  listed: readonly ServiceThing[],
  toRows: (thing: ServiceThing) => readonly Row[],
): { name: string; id: string; rows: Row[] }[] {
  const operators = Map.groupBy(listed, ({ operator, city }) => `${city.country} ${operator}`);
  return [...operators.values()].map((things) => {
    const { country, party } = partyOf(things[0]!);
    return {
      ...{ name: things[0]!.operator, id: `${country}*${party.padEnd(3, "X")}` },
      rows: things.flatMap(toRows),
    };
  });
}

function toData(listed: readonly ServiceThing[]): string {
  const operators = listOperators(listed, toRecords).map(({ name, id, rows }, index) => ({
    // Somewhere a point is listed twice, and one has no place.
    EVSEDataRecord:
      index === 0
        ? [...rows, rows[0], { ...rows[0], EvseID: `${id}*E0`, GeoCoordinates: NOWHERE }]
        : rows,
    OperatorID: id,
    OperatorName: name,
  }));
  return JSON.stringify({ EVSEData: operators });
}
const NOWHERE = { Google: "None None" };

const PLUGS: Readonly<Record<string, string>> = {
  IEC_62196_T1: "Type 1 Connector (Cable Attached)",
  IEC_62196_T1_COMBO: "CCS Combo 1 Plug (Cable Attached)",
  IEC_62196_T2: "Type 2 Outlet",
  IEC_62196_T2_COMBO: "CCS Combo 2 Plug (Cable Attached)",
  CHADEMO: "CHAdeMO",
  DOMESTIC_E: "Type E French Standard",
  SAE_J3400: "NACS",
};
const DIRECT = /COMBO|CHADEMO|J3400/;

/** Each point has a station of its own, at the position of all. */
function toRecords(thing: ServiceThing): Row[] {
  const { key, city, street, street_number, post_code, opening_hours, access } = thing;
  const { lat, lon } = around(thing, unit(key, 297), OFF_M * unit(key, 298));
  const name = written(thing);
  return listPlugs(thing, 0).map(({ standard, power_kw }, n) => ({
    EvseID: evseIdOf(thing, n),
    ChargingStationId: evseIdOf(thing, n),
    ChargingPoolID: null,
    Accessibility: access === "public" ? "Paying publicly accessible" : "Unspecified",
    Address: {
      Street: `${street} ${street_number}`,
      PostalCode: post_code,
      City: city.name,
      Country: countryOf(city.country).alpha_3,
    },
    ChargingFacilities: [
      {
        power: key % 2 === 0 ? power_kw : power_kw.toFixed(1),
        powertype: DIRECT.test(standard) ? "DC" : power_kw > 8 ? "AC_3_PHASE" : "AC_1_PHASE",
      },
    ],
    ChargingStationNames: name === "" ? null : [{ lang: "en", value: name }],
    DynamicInfoAvailable: String(thing.charging?.live === true),
    GeoCoordinates: { Google: `${lat.toFixed(6)} ${lon.toFixed(6)}` },
    GeoChargingPointEntrance: NOWHERE,
    IsOpen24Hours: key % 3 === 0 ? String(opening_hours === "24/7") : opening_hours === "24/7",
    Plugs: [PLUGS[standard] ?? standard],
  }));
}

const STATES = {
  AVAILABLE: "Available",
  CHARGING: "Occupied",
  OUTOFORDER: "OutOfService",
} as const;

function toStatuses(listed: readonly ServiceThing[], now_ms: number): string {
  const toRows = (thing: ServiceThing): Row[] =>
    listPlugs(thing, now_ms).map((plug, n) => ({
      // Some write the ids without separators in one of the two files.
      EvseID: thing.key % 4 === 0 ? evseIdOf(thing, n).replaceAll("*", "") : evseIdOf(thing, n),
      EVSEStatus: stateOf(thing, plug, n),
    }));
  const operators = listOperators(listed, toRows).map(({ name, id, rows }, index) => ({
    // Points that the data lacks.
    EVSEStatusRecord:
      index === 0 ? [...rows, { EvseID: `${id}*E999*1`, EVSEStatus: "Available" }] : rows,
    OperatorID: id,
    OperatorName: name,
  }));
  return JSON.stringify({ EVSEStatuses: operators });
}

/** The states of a station that does not report are not known, and some of its points neither. */
function stateOf({ key, charging }: ServiceThing, { status }: Plug, n: number): string {
  if (charging?.live !== true) return unit(key, n, 299) < 0.3 ? "EvseNotFound" : "Unknown";
  return status === "CHARGING" && (key + n) % 5 === 0 ? "Reserved" : STATES[status];
}
