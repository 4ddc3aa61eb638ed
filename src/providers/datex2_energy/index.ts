/**
 * DATEX II for charging points, version 3, in the profile of AFIR: a publication of the table of sites
 * and one of their status, in XML or in JSON. Reference: DATEX II 3, EnergyInfrastructure, and the
 * German profile 01-00-00.
 */
import type { UnitState } from "#core/places/charging-facts.ts";
import type { PointState } from "#core/places/live-state.ts";
import { toId, toText } from "#kit/coerce.ts";
import {
  beginOfJson,
  isList,
  isObject,
  type JsonSpan,
  jsonStep,
  openJsonElements,
  parseJsonSpan,
  walkJson,
} from "#kit/json-elements.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { keepEach, keepStates, type ReadRow } from "#providers/car-park.ts";
import { toLiveId, toSite } from "#providers/datex2_energy/charging-site.ts";
import { toElement } from "#providers/datex2_energy/datex-json.ts";
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
  readPlaces(body, { settings, trail }) {
    const document = openDocument(body, "Table", trail);
    if (!document) return null;
    const { language } = document;
    const rows = readSites(document.elements, (site, id) =>
      toSite(site, id, { settings, language, trail }),
    );
    return keepEach(rows, trail);
  },
  readStates(body, { trail }) {
    const document = openDocument(body, "Status", trail);
    return document && keepStates(readStatuses(document.elements), trail);
  },
};

type Kind = "Table" | "Status";

/** `elements`: sites, or time of the publication and statuses of sites; null: one that was dropped. */
type Document = { language: string | null; elements: Iterable<XmlElement | null> };

const TIME = "publicationTime";
const NAMES: Readonly<Record<Kind, readonly string[]>> = {
  Table: ["energyInfrastructureSite"],
  Status: [TIME, "energyInfrastructureSiteStatus", "energyInfrastructureStationStatus"],
};

/** Null: it is no publication of charging points. A status has no sites, and the other way round. */
function openDocument(body: Uint8Array, kind: Kind, trail: TrailRecorder): Document | null {
  const begin = beginOfJson(body);
  if (isObject(body, begin) || isList(body, begin)) return openJson(body, kind, trail);
  const head = readHead(body);
  const publication = head.find((element) =>
    namesOf(element).some((name) => isPublication(name, kind)),
  );
  // The other payloads of a container begin beyond what is looked at.
  const others = head.flatMap(namesOf).filter((name) => name.endsWith("Publication"));
  const isContainer =
    head.some(({ name }) => name === "messageContainer") &&
    (others.length === 0 ||
      others.some((name) => isPublication(name, "Table") || isPublication(name, "Status")));
  if (!publication && !isContainer) return null;
  const language = publication?.attributes.get("lang") ?? null;
  return { language, elements: readElements(body, new Set(NAMES[kind]), trail) };
}

/** An element and its type. */
function namesOf({ name, attributes }: XmlElement): string[] {
  const type = attributes.get("type") ?? "";
  return [name, type.slice(type.indexOf(":") + 1)];
}

const PUBLICATIONS: Readonly<Record<Kind, RegExp>> = {
  Table: /energyInfrastructureTablePublication$/i,
  Status: /energyInfrastructureStatusPublication$/i,
};

function isPublication(name: string, kind: Kind): boolean {
  return PUBLICATIONS[kind].test(name);
}

/** Publications are in payloads: of a container, of the document or of each of a list; or are the document. */
function openJson(body: Uint8Array, kind: Kind, trail: TrailRecorder): Document | null {
  const publication = { is: (name: string) => isPublication(name, kind) };
  const payload = jsonStep(["payload"], true);
  const path = [jsonStep(["messageContainer"], true), payload, publication];
  const spans = openJsonElements(body, path)?.spans() ?? [];
  const publications = Iterator.from(spans).take(MAX_PUBLICATIONS).toArray();
  if (publications.length === 0) return null;
  const [lang] = walkJson(body, publications[0]![0], [jsonStep(["lang"])]);
  const language = lang ? toText(parseJsonSpan(body, lang)) : null;
  return { language, elements: convertAll(body, publications, kind, trail) };
}
const MAX_PUBLICATIONS = 1_000;

/** The time of a publication before what it has, whatever their order. */
function* convertAll(
  body: Uint8Array,
  publications: readonly JsonSpan[],
  kind: Kind,
  trail: TrailRecorder,
): Generator<XmlElement | null, void> {
  const table = kind === "Table" ? [jsonStep(["energyInfrastructureTable"])] : [];
  for (const [from] of publications)
    for (const name of NAMES[kind])
      for (const span of walkJson(body, from, [...table, jsonStep([name])])) {
        const wire = parseJsonSpan(body, span);
        const element = wire === undefined ? null : toElement(name, wire);
        if (element === null)
          trail.drop(wire === undefined ? "row_malformed" : "element_too_large", name);
        yield element;
      }
}

function* readSites<T extends object>(
  elements: Iterable<XmlElement | null>,
  read: (site: XmlElement, id: string) => T | Dropped,
): Generator<ReadRow<T> | null, void> {
  for (const site of elements) {
    const id = site && toId(site.attributes.get("id"));
    if (site === null) yield null;
    else yield { id, value: id === null ? "id_missing" : read(site, id) };
  }
}

function* readStatuses(
  elements: Iterable<XmlElement | null>,
): Generator<ReadRow<PointState> | null, void> {
  let published: string | null = null;
  for (const element of elements) {
    if (element === null) yield null;
    else if (element.name === TIME) published = element.text || null;
    else {
      const inner = childrenOf(element, "energyInfrastructureStationStatus");
      // The last time that is stated, from the publication to the point.
      for (const station of element.name === "energyInfrastructureStationStatus"
        ? [element]
        : inner) {
        const times = [textOf(station, UPDATED), textOf(element, UPDATED), published];
        for (const point of childrenOf(station, "refillPointStatus")) yield toStatus(point, times);
      }
    }
  }
}
const UPDATED = "lastUpdated";

/** `times`: those of what it is in, nearest first. */
function toStatus(point: XmlElement, times: readonly (string | null)[]): ReadRow<PointState> {
  const id = toLiveId(toId(childOf(point, "reference")?.attributes.get("id")));
  if (id === null) return { id, value: "id_missing" };
  const time = [textOf(point, UPDATED), ...times].find((one) => one !== null) ?? null;
  const observed_s = toUtcTime_s(time);
  if (time !== null && observed_s === null) return { id, value: "time_unusable" };
  const word = textOf(point, "status")?.toLowerCase() ?? "";
  if (GONE.has(word)) return { id, value: "evse_gone" };
  return { id, value: { kind: "point", id, observed_s, state: STATES.get(word) ?? null } };
}

const GONE: ReadonlySet<string> = new Set(["planned", "removed"]);
/** `unknown`, and what is no word of the profile, is no state. */
const STATES: ReadonlyMap<string, UnitState> = new Map([
  ["available", "available"],
  ...["blocked", "charging", "occupied", "reserved"].map((word) => [word, "occupied"] as const),
  ...["faulted", "inoperative", "outoforder", "outofstock", "unavailable"].map(
    (word) => [word, "out_of_service"] as const,
  ),
]);
