// DATEX II parking: the table of the simulated car parks in version 2 and their status in version 3, as
// one road authority publishes both.
import { datexParkingIdOf, isInDatexParking } from "../listing.ts";
import { around } from "../geo.ts";
import { answerFile, listAll, observe, once, type RegistryDeps, written } from "../registry.ts";
import { unit } from "../rng.ts";
import type { Source } from "../source.ts";
import { publishedFree, publishedTime, spacesOf } from "../world/car-parks.ts";
import type { ServiceThing, Spaces } from "../world/service-model.ts";

const ROOT = "/upstreams/datex2_parking";
const OFF_M = 12;
const XML = "application/xml; charset=utf-8";

export function createDatexParking({ world, now, origin }: RegistryDeps): Source {
  const listed = once(() => listAll(world).filter(isInDatexParking));
  const table = once(() => toTable(listed()));
  const files = new Map([
    ["/table.xml", { type: XML, text: table }],
    ["/status.xml", { type: XML, text: () => toStatus(listed(), now()) }],
  ]);
  return {
    id: "datex2_parking",
    description: "DATEX II parking, table and status",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${ROOT}/table.xml`, live_url: `${origin}${ROOT}/status.xml` },
    observe: (thing) =>
      thing.kind === "service" && isInDatexParking(thing)
        ? observe("datex2_parking", datexParkingIdOf(thing))
        : [],
    handle: (request) => answerFile(request, ROOT, files),
  };
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

function toTable(listed: readonly ServiceThing[]): string {
  // A site is listed twice, and one has no place.
  const records = [...listed, listed[0]!].map(toRecord).join("");
  return `<?xml version="1.0" encoding="UTF-8"?>
<ns2:d2LogicalModel xmlns:ns2="http://datex2.eu/schema/2/2_0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" modelBaseVersion="2"><ns2:payloadPublication lang="en" xsi:type="ns2:GenericPublication"><ns2:publicationTime>2026-09-01T00:00:00.263Z</ns2:publicationTime><ns2:genericPublicationName>ParkingTablePublication</ns2:genericPublicationName><ns2:genericPublicationExtension><ns2:parkingTablePublication><ns2:parkingTable id="sandbox" version="1">${records}<ns2:parkingRecord id="placeless" version="1" xsi:type="ns2:UrbanParkingSite"/></ns2:parkingTable></ns2:parkingTablePublication></ns2:genericPublicationExtension></ns2:payloadPublication></ns2:d2LogicalModel>
`;
}

const LAYOUTS = { garage: "multiStorey", lot: "openSpace", street: "openSpace" } as const;

function toRecord(thing: ServiceThing): string {
  const { key, city, parking, street, street_number, post_code, operator } = thing;
  const { lat, lon } = around(thing, unit(key, 293), OFF_M * unit(key, 294));
  const capacity = String(parking?.capacity);
  const name = escaped(written(thing) || `P ${thing.index + 1}`);
  const text = (member: string, value: string): string =>
    `<ns2:${member}><ns2:values><ns2:value lang="${city.languages[0] ?? "en"}">${value}</ns2:value></ns2:values></ns2:${member}>`;
  const total =
    key % 3 === 0
      ? `<ns2:groupOfParkingSpaces groupIndex="0"><ns2:parkingSpaceBasics xsi:type="ns2:GroupOfParkingSpaces"><ns2:parkingNumberOfSpaces>${capacity}</ns2:parkingNumberOfSpaces><ns2:parkingTypeOfGroup>statisticsOnly</ns2:parkingTypeOfGroup></ns2:parkingSpaceBasics></ns2:groupOfParkingSpaces>`
      : `<ns2:parkingNumberOfSpaces>${capacity}</ns2:parkingNumberOfSpaces>`;
  const free =
    parking?.fee == null
      ? ""
      : `<ns2:tariffsAndPayment><ns2:freeOfCharge>${String(!parking.fee)}</ns2:freeOfCharge></ns2:tariffsAndPayment>`;
  return `<ns2:parkingRecord id="${datexParkingIdOf(thing)}" version="1" xsi:type="ns2:UrbanParkingSite">${text("parkingName", name)}<ns2:operator>${text("contactOrganisationName", escaped(operator))}</ns2:operator><ns2:parkingLocation xsi:type="ns2:Point"><ns2:pointByCoordinates><ns2:pointCoordinates><ns2:latitude>${lat.toFixed(6)}</ns2:latitude><ns2:longitude>${lon.toFixed(6)}</ns2:longitude></ns2:pointCoordinates></ns2:pointByCoordinates></ns2:parkingLocation>${total}${free}<ns2:parkingSiteAddress>${text("contactDetailsStreet", escaped(`${street} ${street_number}`))}${text("contactDetailsPostcode", post_code)}${text("contactDetailsCity", escaped(city.name))}</ns2:parkingSiteAddress><ns2:parkingLayout>${LAYOUTS[parking?.kind ?? "lot"]}</ns2:parkingLayout></ns2:parkingRecord>`;
}

/** Sites of a table that was replaced are still counted. */
const UNKNOWN_SITES = ["old_P1", "old_P2", "old_P3"];

function toStatus(listed: readonly ServiceThing[], now_ms: number): string {
  const now = new Date(now_ms).toISOString().replace("Z", "519030Z");
  const records = listed.map((thing) => statusOf(thing, spacesOf(thing, now_ms)!));
  const unknown = UNKNOWN_SITES.map((id) => toState(id, now, count("VacantSpaces", 7)));
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<ns3:payload xsi:type="ns2:ParkingStatusPublication" lang="en" modelBaseVersion="3" xmlns="http://datex2.eu/schema/3/common" xmlns:ns2="http://datex2.eu/schema/3/parking" xmlns:ns3="http://datex2.eu/schema/3/d2Payload" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><publicationTime>${now}</publicationTime><ns2:parkingTableReference targetClass="par:ParkingTable" id="sandbox" version="1"/>${[...records, ...unknown].join("")}</ns3:payload>
`;
}

const count = (name: string, value: string | number): string =>
  `<ns2:parkingNumberOf${name}>${value}</ns2:parkingNumberOf${name}>`;

const TRENDS = { filling: "increasing", steady: "stable", emptying: "decreasing" } as const;

function statusOf(thing: ServiceThing, spaces: Spaces): string {
  const { capacity, free, slip, trend } = spaces;
  const time = new Date(publishedTime(spaces) * 1000).toISOString().replace("Z", "4619Z");
  // Some write the name behind the id; some count what is taken, not what is free.
  const id = datexParkingIdOf(thing);
  const named = thing.key % 5 === 0 ? `${id}[${escaped(thing.name)}]` : id;
  const isTaken = slip === null && thing.key % 4 === 0;
  const counts = [
    count("SpacesOverride", capacity),
    ...(slip === "unknown"
      ? []
      : isTaken
        ? [count("OccupiedSpaces", capacity - free)]
        : [count("VacantSpaces", publishedFree(spaces))]),
    `<ns2:parkingOccupancyTrend>${TRENDS[trend]}</ns2:parkingOccupancyTrend>`,
  ];
  return toState(named, time, counts.join(""), slip === "unknown" ? "unknown" : "open");
}

const toState = (id: string, time: string, counts: string, opening = "open"): string =>
  `<ns2:parkingRecordStatus xsi:type="ns2:ParkingSiteStatus"><ns2:parkingRecordReference targetClass="par:ParkingRecord" id="${id}"/><ns2:parkingStatusOriginTime>${time}</ns2:parkingStatusOriginTime><ns2:parkingOccupancy>${counts}</ns2:parkingOccupancy><ns2:parkingSiteOpeningStatus>${opening}</ns2:parkingSiteOpeningStatus></ns2:parkingRecordStatus>`;
