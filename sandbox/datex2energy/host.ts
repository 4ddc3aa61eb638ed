// The AFIR profile of DATEX II: the table of charging sites as JSON and their status as XML, as one
// access point publishes both.
import { datexEnergyIdOf, evseIdOf, isInDatexEnergy } from "../listing.ts";
import { around } from "../geo.ts";
import { answerFile, listAll, observe, once, type RegistryDeps, written } from "../registry.ts";
import { hex, unit } from "../rng.ts";
import type { Source } from "../source.ts";
import { listPlugs } from "../world/chargers.ts";
import type { ServiceThing } from "../world/service-model.ts";

const ROOT = "/upstreams/datex2_energy";
const OFF_M = 8;

export function createDatexEnergy({ world, now, origin }: RegistryDeps): Source {
  const listed = once(() => listAll(world).filter(isInDatexEnergy));
  const table = once(() => toTable(listed(), now()));
  const files = new Map([
    ["/table.json", { type: "application/json", text: table }],
    [
      "/status.xml",
      { type: "application/xml; charset=utf-8", text: () => toStatus(listed(), now()) },
    ],
  ]);
  return {
    id: "datex2_energy",
    description: "DATEX II charging points, table and status",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${ROOT}/table.json`, live_url: `${origin}${ROOT}/status.xml` },
    observe: (thing) =>
      thing.kind === "service" && isInDatexEnergy(thing)
        ? observe("datex2_energy", datexEnergyIdOf(thing))
        : [],
    handle: (request) => answerFile(request, ROOT, files),
  };
}

const spoken = (value: string): unknown => ({ values: [{ lang: "en", value }] });
const pointIdOf = (thing: ServiceThing, n: number): string =>
  `CP-${hex(8, thing.key, 116)}-${n + 1}`;

function toTable(listed: readonly ServiceThing[], now_ms: number): string {
  const sites = listed.map((thing) => toSite(thing, now_ms));
  // A site is listed twice, and one has no place.
  const energyInfrastructureSite = [
    ...sites,
    sites[0],
    { ...sites[0], idG: "placeless", ...NOWHERE },
  ];
  const aegiEnergyInfrastructureTablePublication = {
    lang: "en",
    publicationTime: "2026-09-01T00:00:00Z",
    energyInfrastructureTable: [{ idG: "sandbox", versionG: "1", energyInfrastructureSite }],
  };
  return JSON.stringify({
    payload: { modelBaseVersionG: "3", aegiEnergyInfrastructureTablePublication },
  });
}

const NOWHERE = { locationReference: null };

const PLUGS: Readonly<Record<string, string>> = {
  IEC_62196_T2: "iec62196T2",
  IEC_62196_T2_COMBO: "iec62196T2COMBO",
  IEC_62196_T1: "iec62196T1",
  IEC_62196_T1_COMBO: "iec62196T1COMBO",
  CHADEMO: "chademo",
  SAE_J3400: "teslaConnectorAmerica",
  DOMESTIC_E: "domesticE",
};

function toSite(thing: ServiceThing, now_ms: number): Record<string, unknown> {
  const { key, operator, opening_hours, city, post_code, street, street_number } = thing;
  const { lat, lon } = around(thing, unit(key, 297), OFF_M * unit(key, 298));
  const name = written(thing);
  const address = {
    postcode: post_code,
    city: spoken(city.name),
    addressLine: [
      { order: 0, type: { value: "street" }, text: spoken(street) },
      { order: 1, type: { value: "houseNumber" }, text: spoken(street_number) },
    ],
  };
  return {
    idG: datexEnergyIdOf(thing),
    versionG: "1",
    ...(name === "" ? {} : { name: spoken(name) }),
    operator: { afacAnOrganisation: { name: spoken(operator) } },
    ...(opening_hours === "24/7" ? { operatingHours: { afacOpenAllHours: {} } } : {}),
    locationReference: {
      locPointLocation: {
        coordinatesForDisplay: { latitude: lat, longitude: lon },
        locLocationExtensionG: { FacilityLocation: { address } },
      },
    },
    energyInfrastructureStation: [
      {
        idG: `${datexEnergyIdOf(thing)}-1`,
        refillPoint: listPlugs(thing, now_ms).map(({ standard, power_kw }, n) => ({
          aegiElectricChargingPoint: {
            idG: pointIdOf(thing, n),
            externalIdentifier: [
              {
                identifier: evseIdOf(thing, n),
                typeOfIdentifier: { value: "extendedG", extendedValueG: "evseId" },
              },
            ],
            connector: [
              { connectorType: { value: PLUGS[standard] }, maxPowerAtSocket: power_kw * 1000 },
            ],
          },
        })),
      },
    ],
  };
}

const STATES = { AVAILABLE: "available", CHARGING: "charging", OUTOFORDER: "outOfOrder" } as const;

function toStatus(listed: readonly ServiceThing[], now_ms: number): string {
  const sites = listed.map((thing) => {
    const points = listPlugs(thing, now_ms).map(({ status, since_s }, n) => {
      // Some leave the offset out of times of UTC.
      const time = new Date(since_s * 1000).toISOString();
      const updated = thing.key % 4 === 0 ? time.replace("Z", "") : time;
      return pointOf(pointIdOf(thing, n), updated, STATES[status]);
    });
    return siteOf(datexEnergyIdOf(thing), points.join(""));
  });
  const unknown = siteOf("gone", pointOf("CP-gone-1", new Date(now_ms).toISOString(), "available"));
  return `<?xml version="1.0" encoding="UTF-8"?>
<d2:payload xmlns:d2="http://datex2.eu/schema/3/d2Payload" xmlns:egi="http://datex2.eu/schema/3/energyInfrastructure" xmlns:fac="http://datex2.eu/schema/3/facilities" xmlns:com="http://datex2.eu/schema/3/common" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="egi:EnergyInfrastructureStatusPublication" lang="en" modelBaseVersion="3"><com:publicationTime>${new Date(now_ms).toISOString()}</com:publicationTime>${[...sites, unknown].join("")}</d2:payload>
`;
}

const siteOf = (id: string, points: string): string =>
  `<egi:energyInfrastructureSiteStatus><fac:reference targetClass="fac:FacilityObject" id="${id}" version="1"/><egi:energyInfrastructureStationStatus><fac:reference targetClass="fac:FacilityObject" id="${id}-1" version="1"/>${points}</egi:energyInfrastructureStationStatus></egi:energyInfrastructureSiteStatus>`;

const pointOf = (id: string, time: string, status: string): string =>
  `<egi:refillPointStatus xsi:type="egi:ElectricChargingPointStatus"><fac:reference targetClass="fac:FacilityObject" id="${id}" version="1"/><fac:lastUpdated>${time}</fac:lastUpdated><egi:status>${status}</egi:status></egi:refillPointStatus>`;
