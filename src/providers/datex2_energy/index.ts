/**
 * DATEX II 3 energy infrastructure, as the European profile for recharging points has it: a publication
 * of the table of sites, stations and points, and one of their status, each in XML or JSON. Reference:
 * DATEX II 3, EnergyInfrastructure, and the profile for Regulation (EU) 2023/1804, article 20.
 */
import type { UnitState } from "#core/places/charging-facts.ts";
import type { PointState } from "#core/places/live-state.ts";
import type { Place } from "#core/places/place.ts";
import { toId } from "#kit/coerce.ts";
import { parseJsonBytes } from "#kit/json.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { keepEach, type ReadRow } from "#providers/car-park.ts";
import { toPointId, toSite } from "#providers/datex2_energy/energy-site.ts";
import { findMembers, readJsonElements } from "#providers/datex2_energy/json-elements.ts";
import { type Dropped, toUtcTime_s } from "#providers/place-rows.ts";
import type { RegisterShape } from "#providers/register-shape.ts";
import {
  childOf,
  childrenOf,
  readElements,
  readHead,
  textOf,
  type XmlElement,
} from "#providers/xml-elements.ts";

export const datex2Energy: RegisterShape = {
  id: "datex2_energy",
  name: "DATEX II charging points",
  kind: "charging",
  renew_s: 86_400,
  refresh_s: 120,
  readPlaces(body, options) {
    const sites = openElements(body, TABLE, options.trail);
    return sites && keepEach(readSites(sites, options), options.trail);
  },
  readStates(body, { trail }) {
    const elements = openElements(body, STATUS, trail);
    return elements && keepEach(readPoints(elements), trail);
  },
};

const PUBLISHED = "publicationTime";
const TABLE: ReadonlySet<string> = new Set(["energyInfrastructureSite"]);
const STATUS: ReadonlySet<string> = new Set([PUBLISHED, "energyInfrastructureSiteStatus"]);
const PUBLICATION = /^energyInfrastructure(?:table|status)publication$/i;

type Elements = Iterable<XmlElement | null>;

/** null: the document is no publication of charging points. */
function openElements(
  body: Uint8Array,
  wanted: ReadonlySet<string>,
  trail: TrailRecorder,
): Elements | null {
  const isXml = readHead(body).some(({ name, attributes }) => {
    const type = attributes.get("type") ?? "";
    return PUBLICATION.test(name) || PUBLICATION.test(type.slice(type.indexOf(":") + 1));
  });
  if (isXml) return readElements(body, wanted, trail);
  const document = parseJsonBytes(body);
  const publications = [...findMembers(document, (name) => PUBLICATION.test(name))];
  const found = publications.map(([, publication]) => publication);
  return found.length > 0 ? readJsonElements(found, wanted, trail) : null;
}

type Options = Parameters<RegisterShape["readPlaces"]>[1];

function* readSites(sites: Elements, options: Options): Generator<ReadRow<Place> | null, void> {
  for (const site of sites) {
    const id = site && toId(site.attributes.get("id"));
    yield site && { id, value: id === null ? "id_missing" : toSite(site, id, options) };
  }
}

/** `published` is the time of the publication, which goes before what is in it. */
function* readPoints(elements: Elements): Generator<ReadRow<PointState> | null, void> {
  let published: string | null = null;
  for (const element of elements) {
    if (element === null) yield null;
    else if (element.name === PUBLISHED) published = element.text || null;
    else yield* readSiteStatus(element, published);
  }
}

function* readSiteStatus(
  site: XmlElement,
  published: string | null,
): Generator<ReadRow<PointState>, void> {
  const site_time = textOf(site, "lastUpdated") ?? published;
  for (const station of childrenOf(site, "energyInfrastructureStationStatus")) {
    const time = textOf(station, "lastUpdated") ?? site_time;
    for (const point of childrenOf(station, "refillPointStatus")) {
      const id = toPointId(childOf(point, "reference")?.attributes.get("id"));
      yield { id, value: id === null ? "id_missing" : toState(point, id, time) };
    }
  }
}

function toState(point: XmlElement, id: string, time: string | null): PointState | Dropped {
  const stated = textOf(point, "lastUpdated") ?? time;
  const observed_s = toUtcTime_s(stated);
  if (stated !== null && observed_s === null) return "time_unusable";
  const word = textOf(point, "status")?.toLowerCase() ?? "";
  return { kind: "point", id, observed_s, state: STATES.get(word) ?? null };
}

/** Planned, removed and unknown are no state. */
const STATES: ReadonlyMap<string, UnitState> = new Map([
  ["available", "available"],
  ["blocked", "occupied"],
  ["charging", "occupied"],
  ["occupied", "occupied"],
  ["reserved", "occupied"],
  ["faulted", "out_of_service"],
  ["inoperative", "out_of_service"],
  ["outoforder", "out_of_service"],
  ["outofstock", "out_of_service"],
  ["unavailable", "out_of_service"],
]);
