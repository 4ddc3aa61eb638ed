/** A site of a table of charging points in DATEX II as a place. */
import type { ConnectorType } from "#core/places/charging-facts.ts";
import { toEvseId } from "#core/places/evse-id.ts";
import type { Place } from "#core/places/place.ts";
import { toId, toName, toNumber, toText } from "#kit/coerce.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import {
  type StatedStation,
  toChargingStation,
  toStatedEvse,
} from "#providers/charging-station.ts";
import { wattsToKw } from "#providers/ocpi/connector.ts";
import { type Dropped, toLocation } from "#providers/place-rows.ts";
import type { RegisterSettings } from "#providers/register-shape.ts";
import {
  childOf,
  childrenOf,
  descendantsOf,
  phraseIn,
  textOf,
  wordsIn,
  type XmlElement,
} from "#providers/xml-elements.ts";

/** Of one site, and of one point. */
const MAX_POINTS = 2_000;
const MAX_CONNECTORS = 32;

/** The id under which table and status meet, which some write with separators in one of the two. */
export function toPointId(wire: string | null | undefined): string | null {
  return toEvseId(wire ?? null) ?? toId(wire);
}

/** The place of a site, or why it is dropped. */
export function toSite(
  site: XmlElement,
  id: string,
  { settings, trail }: { settings: RegisterSettings; trail: TrailRecorder },
): Place | Dropped {
  const stations = childrenOf(site, "energyInfrastructureStation");
  const listed = stations.flatMap((station) =>
    childrenOf(station, "refillPoint").map((point) => ({ station, point })),
  );
  const points = listed.filter(({ point }) => isForCars(point)).slice(0, MAX_POINTS);
  if (listed.length > 0 && points.length === 0) return "not_for_cars";
  const parts = [site, ...stations, ...points.map(({ point }) => point)];
  const location = locationOf(parts);
  if (typeof location === "string") return location;
  const stated: StatedStation = {
    id,
    location,
    name: toName(phraseIn(childOf(site, "name"))),
    operator: operatorOf(parts) ?? toName(phraseIn(childOf(site, "brand"))),
    ...addressOf(parts),
    is_always_open: isAlwaysOpen(site, stations),
    wheelchair: wheelchairOf(parts),
    access: accessOf(wordsIn(site, "exclusiveUsers")),
    evses: [...eachOnce(points, { id, trail })].map(([, each]) => toEvse(each)),
  };
  return toChargingStation(stated, settings);
}

type Listed = { station: XmlElement; point: XmlElement };

/** Ships, bicycles and fuels are no question here. */
const FOR_CARS = new Set([
  "electricVehicle",
  "electricMotorcycle",
  "other",
  "extendedG",
  "_extended",
]);

function isForCars(point: XmlElement): boolean {
  const type = point.attributes.get("type") ?? "";
  const uses = childrenOf(point, "usageType").map(({ text }) => text);
  const isElectric = type === "" || type.endsWith("ElectricChargingPoint");
  return isElectric && (uses.length === 0 || uses.some((use) => FOR_CARS.has(use)));
}

function eachOnce(
  points: readonly Listed[],
  { id, trail }: { id: string; trail: TrailRecorder },
): Map<string, Listed> {
  const found = new Map<string, Listed>();
  for (const [index, listed] of points.entries()) {
    const key = toPointId(listed.point.attributes.get("id")) ?? `#${index}`;
    if (found.has(key)) trail.repair("point_duplicate", id);
    else found.set(key, listed);
  }
  return found;
}

function toEvse({ station, point }: Listed): StatedStation["evses"][number] {
  const id = toPointId(point.attributes.get("id"));
  const connectors = childrenOf(point, "connector").slice(0, MAX_CONNECTORS);
  const types = new Set(connectors.map(typeOf));
  // What a point gives at most is what its connectors give only where they are all of one type.
  const shared_kw = types.size === 1 ? powerOfPoint({ station, point }) : null;
  return toStatedEvse(
    {
      id,
      evse_id: evseIdOf([point, ...connectors]) ?? (UUID.test(id ?? "") ? null : toEvseId(id)),
    },
    connectors.map((connector) => ({
      type: typeOf(connector),
      max_kw: wattsToKw(toNumber(textOf(connector, "maxPowerAtSocket"))) ?? shared_kw,
    })),
  );
}

/** One in a hundred of these would be an EVSE id, too. */
const UUID = /^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i;

/** What it can give, else what the station can, which may have others to share that with. */
function powerOfPoint({ station, point }: Listed): number | null {
  const powers = childrenOf(point, "availableChargingPower")
    .map(({ text }) => wattsToKw(toNumber(text)))
    .filter((power) => power !== null);
  if (powers.length > 0) return Math.max(...powers);
  const isAlone = childrenOf(station, "refillPoint").length === 1;
  return isAlone ? wattsToKw(toNumber(textOf(station, "totalMaximumPower"))) : null;
}

/** Some give the id to the connectors, not to the point. */
function evseIdOf(parts: readonly XmlElement[]): string | null {
  const ids = parts.flatMap((part) =>
    childrenOf(part, "externalIdentifier").map((each) => toEvseId(textOf(each, "identifier"))),
  );
  return ids.find((id) => id !== null) ?? null;
}

const CONNECTORS: ReadonlyMap<string, ConnectorType> = new Map([
  ["iec62196t1", "J1772"],
  ["iec62196t1combo", "CCS1"],
  ["iec62196t2", "Type 2"],
  ["iec62196t2combo", "CCS2"],
  ["chademo", "CHAdeMO"],
  ["teslaconnectoreurope", "Tesla"],
  ["teslaconnectoramerica", "NACS"],
  ["teslar", "Tesla"],
  ["teslas", "Tesla"],
]);

function typeOf(connector: XmlElement): ConnectorType {
  return CONNECTORS.get(textOf(connector, "connectorType")?.toLowerCase() ?? "") ?? "Other";
}

/** Of the first part that has a usable one; else what is wrong with the first. */
function locationOf(parts: readonly XmlElement[]): ReturnType<typeof toLocation> {
  const found = parts.flatMap((part) => {
    const reference = childOf(part, "locationReference");
    const at =
      childOf(reference, "coordinatesForDisplay") ??
      childOf(reference, "pointByCoordinates", "pointCoordinates");
    return at ? [toLocation(textOf(at, "latitude"), textOf(at, "longitude"))] : [];
  });
  return found.find((each) => typeof each !== "string") ?? found[0] ?? "coordinates_missing";
}

function operatorOf(parts: readonly XmlElement[]): string | null {
  const names = parts.map((part) => toName(phraseIn(childOf(part, "operator", "name"))));
  return names.find((name) => name !== null) ?? null;
}

function addressOf(
  parts: readonly XmlElement[],
): Pick<StatedStation, "street" | "post_code" | "city"> {
  const [address = null] = parts.flatMap((part) => {
    const reference = childOf(part, "locationReference");
    return reference ? [...descendantsOf(reference, "address")].slice(0, 1) : [];
  });
  const lines = childrenOf(address, "addressLine").sort((a, b) => orderOf(a) - orderOf(b));
  const inStreet = lines.filter((line) => STREET.has(textOf(line, "type") ?? ""));
  const texts = inStreet.flatMap((line) => toText(phraseIn(childOf(line, "text"))) ?? []);
  return {
    street: [...new Set(texts)].join(" ") || null,
    post_code: toText(textOf(address, "postcode")),
    city: toText(phraseIn(childOf(address, "city"))),
  };
}
const STREET = new Set(["street", "houseNumber"]);

/** An attribute in XML. */
function orderOf(line: XmlElement): number {
  return toNumber(line.attributes.get("order") ?? textOf(line, "order")) ?? 0;
}

/** Hours of other kinds are not read; null: not known. */
function isAlwaysOpen(site: XmlElement, stations: readonly XmlElement[]): boolean | null {
  const isOpen = (part: XmlElement): boolean | null => {
    const hours = childOf(part, "operatingHours") ?? childOf(part, "newOperatingHours");
    return hours && (hours.attributes.get("type") ?? "").endsWith("OpenAllHours");
  };
  const own = isOpen(site);
  const isEach = stations.length > 0 && stations.every((station) => isOpen(station) === true);
  return (own === null ? isEach : own) || null;
}

const ACCESSIBLE = new Set([
  "barrierFreeAccessible",
  "disabilityAccessible",
  "wheelChairAccessible",
]);

/** Of the first part that says it. */
function wheelchairOf(parts: readonly XmlElement[]): StatedStation["wheelchair"] {
  for (const part of parts) {
    const words = childrenOf(part, "accessibility").map(({ text }) => text);
    if (words.some((word) => ACCESSIBLE.has(word))) return "yes";
    if (words.includes("none")) return "no";
  }
  return null;
}

const CUSTOMERS = new Set(["customers", "shoppers", "hotelGuests", "visitors"]);
const SOME_USERS = new Set([
  ...["employees", "staff", "members", "residents", "seasonTicketHolders", "subscribers"],
  ...["students", "registeredDisabledUsers", "personsWithDisabilities", "wheelchairUsers"],
]);

function accessOf(users: readonly string[]): StatedStation["access"] {
  if (users.includes("allUsers")) return "yes";
  if (users.length === 0) return null;
  if (users.every((user) => SOME_USERS.has(user))) return "restricted";
  return users.every((user) => SOME_USERS.has(user) || CUSTOMERS.has(user)) ? "customers" : null;
}
