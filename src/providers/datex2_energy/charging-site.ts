/** A site of charging points in DATEX II (EnergyInfrastructureSite) as a place. */
import { type ConnectorType, toKw } from "#core/places/charging-facts.ts";
import { evseKey, toEvseId } from "#core/places/evse-id.ts";
import type { Place } from "#core/places/place.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { toId, toName, toText } from "#kit/coerce.ts";
import type { Location } from "#kit/geo.ts";
import {
  alwaysOpen,
  toChargingStation,
  toHours,
  type StatedHours,
  type StatedStation,
  toStatedEvse,
} from "#providers/charging-station.ts";
import { type Dropped, type RowNotes, toDecimal, toLocation } from "#providers/place-rows.ts";
import type { RegisterSettings } from "#providers/register-shape.ts";
import {
  childOf,
  childrenOf,
  descendantsOf,
  textOf,
  type XmlElement,
} from "#providers/xml-elements.ts";

const MAX_POINTS = 2_000;
const MAX_KEYS = 500;
const MAX_CONNECTORS = 32;
/** Watts, by the profile; below this watts are not meant, since a household socket gives more. */
const MIN_W = 1_000;

export type ReadSite = {
  settings: RegisterSettings;
  /** Of the publication. */
  language: string | null;
  trail: TrailRecorder;
};

/** The place, or why it is dropped. */
export function toSite(
  site: XmlElement,
  id: string,
  { settings, language, trail }: ReadSite,
): Place | Dropped {
  const stations = childrenOf(site, "energyInfrastructureStation");
  const own = stations.length > 0 ? stations : [site];
  const listed = own.flatMap((one) => childrenOf(one, "refillPoint"));
  const suitable = listed.filter(isForCars).slice(0, MAX_POINTS);
  if (listed.length > 0 && suitable.length === 0) return "not_for_cars";
  const points = pointsOnce(suitable);
  if (points.length < suitable.length) trail.repair("point_duplicate", id);
  const location = positionOf([site, ...stations, ...points], { trail, id });
  if (typeof location === "string") return location;
  const address = firstOf([site, ...stations], (one) => addressOf(one, language));
  const operator = firstOf([site, ...stations], (one) =>
    spoken(childOf(one, "operator", "name") ?? childOf(one, "operator", "legalName"), language),
  );
  const hours = firstOf([site, ...stations], hoursOf);
  const stated: StatedStation = {
    id,
    location,
    name: firstOf([site, ...stations], (one) => spoken(childOf(one, "name"), language)),
    operator,
    ...(address ?? { street: null, post_code: null, city: null }),
    ...(hours ?? alwaysOpen(null)),
    facts: {
      wheelchair: firstOf([site, ...stations, ...points], wheelchairOf),
      access: accessOf(childrenOf(site, "exclusiveUsers").map(({ text }) => text)),
    },
    evses: points.map((point) =>
      toStatedEvse(
        { id: liveIdOf(point), evse_id: evseIds(point)[0] ?? null },
        plugsOf(point, { trail, id }),
      ),
    ),
  };
  const place = toChargingStation(stated, settings);
  const keys = [...place.keys, ...points.flatMap(evseIds).map(evseKey)];
  return { ...place, keys: [...new Set(keys)].slice(0, MAX_KEYS) };
}

/** Ships, bicycles and caravans are no question here, nor is what is no current. */
const USES = new Set(["electricVehicle", "electricMotorcycle", "other", "extendedG", "_extended"]);

function isForCars(point: XmlElement): boolean {
  const type = point.attributes.get("type") ?? "";
  const uses = childrenOf(point, "usageType").map(({ text }) => text);
  const isElectric = type === "" || type.endsWith("ElectricChargingPoint");
  return isElectric && (uses.length === 0 || uses.some((use) => USES.has(use)));
}

/** The first of each id: a point that is listed twice would be counted twice. */
function pointsOnce(points: readonly XmlElement[]): XmlElement[] {
  const seen = new Set<string>();
  return points.filter((point) => {
    const id = liveIdOf(point);
    const isNew = id === null || !seen.has(id);
    if (id !== null) seen.add(id);
    return isNew;
  });
}

const ACCESSIBLE = new Set([
  "barrierFreeAccessible",
  "disabilityAccessible",
  "wheelChairAccessible",
]);

function wheelchairOf(element: XmlElement): "yes" | "no" | null {
  const words = childrenOf(element, "accessibility").map(({ text }) => text);
  if (words.some((word) => ACCESSIBLE.has(word))) return "yes";
  return words.includes("none") ? "no" : null;
}

const CUSTOMERS = new Set(["customers", "shoppers", "hotelGuests", "visitors"]);
const SOME_USERS = new Set([
  ...["employees", "staff", "members", "residents", "seasonTicketHolders", "subscribers"],
  ...["students", "registeredDisabledUsers", "personsWithDisabilities", "wheelchairUsers"],
]);

/** Whom a site is for; null: it does not say, or in other words. */
function accessOf(users: readonly string[]): "yes" | "customers" | "restricted" | null {
  if (users.includes("allUsers")) return "yes";
  if (users.length === 0) return null;
  if (users.every((user) => SOME_USERS.has(user))) return "restricted";
  return users.every((user) => SOME_USERS.has(user) || CUSTOMERS.has(user)) ? "customers" : null;
}

/** Under which a status has the point: ids that are EVSE ids are written differently in both halves. */
export function toLiveId(id: string | null): string | null {
  return id === null || GUID.test(id) ? (id?.toUpperCase() ?? null) : (toEvseId(id) ?? id);
}
const GUID = /^[\dA-F]{8}-[\dA-F]{4}-[\dA-F]{4}-[\dA-F]{4}-[\dA-F]{12}$/i;

function liveIdOf(point: XmlElement): string | null {
  return toLiveId(toId(point.attributes.get("id"))) ?? evseIds(point)[0] ?? null;
}

/** Its own, else those of its connectors, else its id where that is one. */
function evseIds(point: XmlElement): string[] {
  const holders = [point, ...childrenOf(point, "connector").slice(0, MAX_CONNECTORS)];
  const stated = holders.flatMap((holder) => childrenOf(holder, "externalIdentifier"));
  const ids = stated.flatMap((one) => {
    const type = childOf(one, "typeOfIdentifier");
    const words = [type?.text, ...(type?.attributes.values() ?? [])];
    return words.includes("evseId") ? (toEvseId(textOf(one, "identifier")) ?? []) : [];
  });
  const id = point.attributes.get("id") ?? "";
  return ids.length > 0 || GUID.test(id) ? ids : [toEvseId(id)].filter((one) => one !== null);
}

/** A point that lists none has some all the same: nothing is known of them. */
function plugsOf(
  point: XmlElement,
  notes: RowNotes,
): { type: ConnectorType; max_kw: number | null }[] {
  const connectors = childrenOf(point, "connector").slice(0, MAX_CONNECTORS);
  const powers = childrenOf(point, "availableChargingPower").map(({ text }) =>
    toPower(text, notes),
  );
  const most = Math.max(0, ...powers.map((kw) => kw ?? 0)) || null;
  return connectors.map((connector) => ({
    type: PLUGS.get(textOf(connector, "connectorType")?.toLowerCase() ?? "") ?? "Other",
    max_kw:
      toPower(textOf(connector, "maxPowerAtSocket"), notes) ??
      (connectors.length === 1 ? most : null),
  }));
}

function toPower(text: string | null, notes: RowNotes): number | null {
  const watts = toDecimal(text, notes);
  return watts === null ? null : toKw(watts < MIN_W ? watts : watts / 1_000);
}

const PLUGS: ReadonlyMap<string, ConnectorType> = new Map([
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

/** The first that is usable; else why the first stated one is not. */
function positionOf(elements: readonly XmlElement[], notes: RowNotes): Location | Dropped {
  const positions = elements.map((element) => toPosition(element, notes));
  const usable = positions.find((position) => typeof position !== "string");
  const reason = positions.find((position) => position !== "coordinates_missing");
  return usable ?? reason ?? "coordinates_missing";
}

function toPosition(element: XmlElement, notes: RowNotes): Location | Dropped {
  const reference = childOf(element, "locationReference");
  if (!reference) return "coordinates_missing";
  const [point] = [
    ...descendantsOf(reference, "coordinatesForDisplay"),
    ...descendantsOf(reference, "pointCoordinates"),
  ];
  const degrees = (name: string): string | null => textOf(point ?? null, name);
  return toLocation(degrees("latitude"), degrees("longitude"), notes);
}

type Address = Pick<StatedStation, "street" | "post_code" | "city">;

function addressOf(element: XmlElement, language: string | null): Address | null {
  const reference = childOf(element, "locationReference");
  const [address] = reference ? [...descendantsOf(reference, "address")] : [];
  if (!address) return null;
  const lines = childrenOf(address, "addressLine").slice(0, 10);
  const line = (type: string): string | null => {
    const found = lines.find((one) => textOf(one, "type") === type);
    return spoken(childOf(found ?? null, "text"), language);
  };
  const street = [line("street"), line("houseNumber")].filter((text) => text !== null).join(" ");
  return {
    street: street || null,
    post_code: toText(textOf(address, "postcode")),
    city: spoken(childOf(address, "city"), language),
  };
}

/** A text in the language of the publication, else the first. */
function spoken(element: XmlElement | null, language: string | null): string | null {
  const values = childrenOf(element, "values").flatMap((one) => [one, ...childrenOf(one, "value")]);
  const texts = values.filter(({ text }) => text !== "");
  const own = texts.find(({ attributes }) => attributes.get("lang") === language) ?? texts[0];
  return toName(own?.text ?? element?.text ?? null);
}

const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** Null: nothing is stated. */
function hoursOf(element: XmlElement): StatedHours | null {
  const hours = childOf(element, "operatingHours");
  if (!hours) return null;
  const type = hours.attributes.get("type") ?? "";
  if (type.endsWith("OpenAllHours")) return alwaysOpen(true);
  const valid = childrenOf(childOf(hours, "overallPeriod"), "validPeriod").slice(0, 100);
  if (valid.length === 0) return null;
  const periods = valid.flatMap((period) => {
    const named = [...descendantsOf(period, "applicableDay")].map(({ text }) => text);
    const days = named.length > 0 ? named.map((day) => DAYS.indexOf(day)) : DAYS.map((_, n) => n);
    return childrenOf(period, "recurringTimePeriodOfDay").map((one) => ({
      days,
      from: textOf(one, "startTimeOfPeriod"),
      until: textOf(one, "endTimeOfPeriod"),
    }));
  });
  return toHours(periods);
}

function firstOf<T>(
  elements: readonly XmlElement[],
  read: (element: XmlElement) => T | null,
): T | null {
  for (const element of elements) {
    const value = read(element);
    if (value !== null) return value;
  }
  return null;
}
