// DATEX II 3, charging points of the European profile: the table in XML and the status in JSON, since
// publishers have either, with the slips of both.
import { datexSiteIdOf, evseIdOf, isInDatexEnergy } from "../listing.ts";
import { around } from "../geo.ts";
import type { Reply, SandboxRequest } from "../http.ts";
import {
  answerTagged,
  answerText,
  escaped,
  listAll,
  observe,
  once,
  type RegistryDeps,
  written,
} from "../registry.ts";
import { unit, uuid } from "../rng.ts";
import type { Source } from "../source.ts";
import { listPlugs } from "../world/chargers.ts";
import type { Plug, ServiceThing } from "../world/service-model.ts";

const ROOT = "/upstreams/datex2_energy";
const OFF_M = 9;

export function createDatexEnergy({ world, now, origin }: RegistryDeps): Source {
  const listed = once(() => listAll(world).filter(isInDatexEnergy));
  const table = once(() => toTable(listed()));
  return {
    id: "datex2_energy",
    description: "DATEX II charging points, table and status",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${ROOT}/table.xml`, live_url: `${origin}${ROOT}/status.json` },
    observe: (thing) =>
      thing.kind === "service" && isInDatexEnergy(thing)
        ? observe("datex2_energy", datexSiteIdOf(thing))
        : [],
    handle: (request) => answer(request, table, () => toStatus(listed(), now())),
  };
}

function answer(request: SandboxRequest, table: () => string, status: () => string): Reply {
  const file = request.pathname.slice(ROOT.length);
  if (file === "/table.xml")
    return answerTagged(request, table(), "application/xml; charset=utf-8");
  return file === "/status.json"
    ? answerTagged(request, status(), "application/json")
    : answerText(404, "Not Found");
}

/** Some name their points by the EVSE ids themselves. */
const pointIdOf = (thing: ServiceThing, n: number): string =>
  thing.key % 3 === 0 ? evseIdOf(thing, n) : uuid(thing.key, n, 117).toUpperCase();

const DAY = "2026-09-01T04:00:00+02:00";

function toTable(listed: readonly ServiceThing[]): string {
  // A site is listed twice, and one has no place.
  const sites = [...listed, listed[0]!].map(toSite).join("");
  return `<?xml version="1.0" encoding="UTF-8"?>
<d2:payload xmlns:d2="http://datex2.eu/schema/3/d2Payload" xmlns:com="http://datex2.eu/schema/3/common" xmlns:loc="http://datex2.eu/schema/3/locationReferencing" xmlns:fac="http://datex2.eu/schema/3/facilities" xmlns:egi="http://datex2.eu/schema/3/energyInfrastructure" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="egi:EnergyInfrastructureTablePublication" lang="en" modelBaseVersion="3"><com:publicationTime>${DAY}</com:publicationTime><egi:energyInfrastructureTable id="sandbox" version="1">${sites}<egi:energyInfrastructureSite id="placeless" version="1"/></egi:energyInfrastructureTable></d2:payload>
`;
}

const phrase = (name: string, text: string): string =>
  `<${name}><com:values><com:value lang="en">${escaped(text)}</com:value></com:values></${name}>`;

function toSite(thing: ServiceThing): string {
  const { key, operator, opening_hours, access } = thing;
  const id = datexSiteIdOf(thing);
  const name = written(thing);
  const hours = opening_hours === "24/7" ? '<fac:operatingHours xsi:type="fac:OpenAllHours"/>' : "";
  // Some have the position with the station alone.
  const [of_site, of_station] = key % 4 === 0 ? ["", toLocation(thing)] : [toLocation(thing), ""];
  const points = listPlugs(thing, 0).map((plug, n) => toPoint(thing, plug, n));
  return `<egi:energyInfrastructureSite id="${id}" version="1">${name === "" ? "" : phrase("fac:name", name)}${hours}${of_site}<fac:operator xsi:type="fac:AnOrganisation">${phrase("fac:name", operator)}</fac:operator><egi:exclusiveUsers>${access === "public" ? "allUsers" : "customers"}</egi:exclusiveUsers><egi:energyInfrastructureStation id="${id}-1" version="1">${of_station}<egi:numberOfRefillPoints>${points.length}</egi:numberOfRefillPoints>${points.join("")}</egi:energyInfrastructureStation></egi:energyInfrastructureSite>`;
}

function toLocation(thing: ServiceThing): string {
  const { key, city, street, street_number, post_code } = thing;
  const { lat, lon } = around(thing, unit(key, 300), OFF_M * unit(key, 301));
  const at = `<loc:latitude>${lat.toFixed(6)}</loc:latitude><loc:longitude>${lon.toFixed(6)}</loc:longitude>`;
  const position =
    key % 2 === 0
      ? `<loc:pointByCoordinates><loc:pointCoordinates>${at}</loc:pointCoordinates></loc:pointByCoordinates>`
      : `<loc:coordinatesForDisplay>${at}</loc:coordinatesForDisplay>`;
  const line = (order: number, type: string, text: string): string =>
    `<loc:addressLine order="${order}"><loc:type>${type}</loc:type>${phrase("loc:text", text)}</loc:addressLine>`;
  const address = `<loc:postcode>${post_code}</loc:postcode>${phrase("loc:city", city.name)}${line(1, "houseNumber", street_number)}${line(0, "street", street)}`;
  return `<fac:locationReference xsi:type="loc:PointLocation">${position}<loc:_locationReferenceExtension><loc:facilityLocation><loc:address>${address}</loc:address></loc:facilityLocation></loc:_locationReferenceExtension></fac:locationReference>`;
}

const CONNECTORS: Readonly<Record<string, string>> = {
  IEC_62196_T1: "iec62196T1",
  IEC_62196_T1_COMBO: "iec62196T1COMBO",
  IEC_62196_T2: "iec62196T2",
  IEC_62196_T2_COMBO: "iec62196T2COMBO",
  CHADEMO: "chademo",
  DOMESTIC_E: "domesticE",
  SAE_J3400: "teslaConnectorAmerica",
};

/** Power in watts, in kilowatts by mistake, or that of the point alone. */
function toPoint(thing: ServiceThing, { standard, power_kw }: Plug, n: number): string {
  const { key } = thing;
  const power = key % 6 === 1 ? power_kw : power_kw * 1000;
  const [of_point, of_socket] =
    key % 6 === 2
      ? [`<egi:availableChargingPower>${power}</egi:availableChargingPower>`, ""]
      : ["", `<egi:maxPowerAtSocket>${power}</egi:maxPowerAtSocket>`];
  const evse = `<fac:externalIdentifier><fac:identifier>${evseIdOf(thing, n)}</fac:identifier><fac:typeOfIdentifier _extendedValue="evseId">_extended</fac:typeOfIdentifier></fac:externalIdentifier>`;
  return `<egi:refillPoint xsi:type="egi:ElectricChargingPoint" id="${pointIdOf(thing, n)}" version="1">${key % 3 === 0 ? "" : evse}<egi:numberOfConnectors>1</egi:numberOfConnectors>${of_point}<egi:connector><egi:connectorType>${CONNECTORS[standard] ?? "other"}</egi:connectorType>${of_socket}</egi:connector></egi:refillPoint>`;
}

const reference = (idG: string): unknown => ({ targetClass: "FacilityObject", idG, versionG: "1" });

/** Points of a table that was replaced are still reported. */
const UNKNOWN_POINTS = ["OLD-1", "OLD-2", "OLD-3"];

function toStatus(listed: readonly ServiceThing[], now_ms: number): string {
  const publicationTime = new Date(now_ms).toISOString();
  const unknown = UNKNOWN_POINTS.map((id) => ({
    aegiElectricChargingPointStatus: { reference: reference(id), status: { value: "available" } },
  }));
  const payload = {
    modelBaseVersionG: "3",
    profileNameG: "AFIR Energy Infrastructure",
    aegiEnergyInfrastructureStatusPublication: {
      publicationTime,
      energyInfrastructureSiteStatus: [
        ...listed.map((thing) => toSiteStatus(thing, now_ms)),
        {
          reference: reference("OLD"),
          energyInfrastructureStationStatus: [{ refillPointStatus: unknown }],
        },
      ],
    },
  };
  return JSON.stringify({ messageContainer: { payload: [payload] } });
}

function toSiteStatus(thing: ServiceThing, now_ms: number): unknown {
  const id = datexSiteIdOf(thing);
  const plugs = listPlugs(thing, now_ms);
  const lastUpdated = new Date((plugs[0]?.since_s ?? 0) * 1000).toISOString();
  // The older name of the member, and the time of the station where a point has none.
  const member = thing.key % 5 === 0 ? "aegiRefillPointStatus" : "aegiElectricChargingPointStatus";
  const own = thing.key % 2 === 0 ? { lastUpdated } : {};
  return {
    reference: reference(id),
    energyInfrastructureStationStatus: [
      {
        reference: reference(`${id}-1`),
        lastUpdated,
        refillPointStatus: plugs.map((plug, n) => ({
          [member]: {
            ...{ reference: reference(pointIdOf(thing, n)), ...own },
            status: { value: stateOf(thing, plug, n) },
          },
        })),
      },
    ],
  };
}

const STATES = { AVAILABLE: "available", CHARGING: "charging", OUTOFORDER: "outOfOrder" } as const;

function stateOf({ key, charging }: ServiceThing, { status }: Plug, n: number): string {
  if (charging?.live !== true) return "unknown";
  const isOther = (key + n) % 5 === 0;
  if (status === "OUTOFORDER" && isOther) return "faulted";
  return status === "CHARGING" && isOther ? "occupied" : STATES[status];
}
