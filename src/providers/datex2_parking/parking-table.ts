/** A car park of a table of DATEX II, in either form. */
import { toBool, toCount, toName, toText } from "#kit/coerce.ts";
import type { Place } from "#core/places/place.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { type StatedCarPark, toCarPark } from "#providers/car-park.ts";
import { toLiveId } from "#providers/datex2_parking/parking-status.ts";
import { type Dropped, joinAddress, type RowNotes, toLocation } from "#providers/place-rows.ts";
import type { RegisterSettings } from "#providers/register-shape.ts";
import {
  childOf,
  childrenOf,
  descendantsOf,
  textOf,
  type XmlElement,
} from "#providers/xml-elements.ts";

/** The place of a record, or why it is dropped. */
export function toFacility(
  record: XmlElement,
  id: string,
  { settings, trail }: { settings: RegisterSettings; trail: TrailRecorder },
): Place | Dropped {
  const location = locationOf(record, { trail, id });
  if (typeof location === "string") return location;
  const capacity = capacityOf(record);
  const assigned = listAssigned(record, capacity);
  const vehicles = assigned.flatMap((each) => wordsIn(each, "vehicleType"));
  if (vehicles.length > 0 && vehicles.every((type) => TWO_WHEELED.has(type))) return "not_for_cars";
  const operator = childOf(record, "operator");
  const free = toBool(wordsIn(childOf(record, "tariffsAndPayment"), "freeOfCharge")[0]);
  const stated: StatedCarPark = {
    id,
    live_id: toLiveId(id),
    location,
    name: toName(
      phraseIn(childOf(record, "parkingName") ?? childOf(record, "parkingFacilityName")),
    ),
    layout: layoutOf(record),
    fee: free === null ? null : !free,
    charge: null,
    capacity,
    access: accessOf(assigned, vehicles),
    operator: toName(phraseOf(operator, "contactOrganisationName")),
    address: addressOf(childOf(record, "parkingSiteAddress")),
    hours: hoursOf(record),
  };
  return toCarPark(stated, settings);
}

/** Texts of all elements of that name in another. */
function wordsIn(element: XmlElement | null, name: string): string[] {
  return element ? Array.from(descendantsOf(element, name), ({ text }) => text) : [];
}

/** A text in any language, or a plain one. */
function phraseIn(element: XmlElement | null): string | null {
  return wordsIn(element, "value").find((text) => text !== "") ?? (element?.text || null);
}

function phraseOf(element: XmlElement | null, name: string): string | null {
  const [found = null] = element ? descendantsOf(element, name) : [];
  return phraseIn(found);
}

/** Members in which a site has its own point; elsewhere in a record are those of its entrances. */
const LOCATIONS = ["parkingLocation", "facilityLocation", "locationReference"];

function locationOf(record: XmlElement, notes: RowNotes): ReturnType<typeof toLocation> {
  const parts = LOCATIONS.flatMap((name) => childrenOf(record, name));
  const [latitude] = [...parts, record].flatMap((part) => wordsIn(part, "latitude"));
  const [longitude] = [...parts, record].flatMap((part) => wordsIn(part, "longitude"));
  return toLocation(latitude, longitude, notes);
}

/**
 * Of the site; else of its group that is the whole of it, which some publish as the one of index 0.
 * Groups are not added up: those for statistics overlap.
 */
function capacityOf(record: XmlElement): number | null {
  const own = textOf(record, "parkingNumberOfSpaces") ?? textOf(record, "totalParkingCapacity");
  const groups = childrenOf(record, "groupOfParkingSpaces");
  const whole =
    groups.find((group) => wordsIn(group, "parkingTypeOfGroup").includes("completeParkingSite")) ??
    groups.find(({ attributes }) => attributes.get("groupIndex") === "0") ??
    (groups.length === 1 ? groups[0]! : null);
  return toCount(own ?? wordsIn(whole, "parkingNumberOfSpaces")[0]);
}

const LAYOUTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    multiStorey: "multi-storey",
    multiLevel: "multi-storey",
    automatedParkingGarage: "multi-storey",
    covered: "multi-storey",
    underground: "underground",
    undergroundAndMultiStorey: "underground",
    singleLevel: "surface",
    openSpace: "surface",
  }),
);

function layoutOf(record: XmlElement): string | null {
  if (textOf(record, "urbanParkingSiteType") === "onStreetParking") return "street_side";
  const layout = textOf(record, "parkingLayout") ?? textOf(record, "parkingFacilityLayout");
  return LAYOUTS.get(layout ?? "") ?? null;
}

const TWO_WHEELED = new Set(["bicycle", "moped", "motorcycle", "motorscooter"]);
const CARS = new Set(["anyVehicle", "car", "carOrLightVehicle", "carWithTrailer", "van"]);
const CUSTOMERS = new Set(["customers", "shoppers"]);
const SOME_USERS = new Set([
  ...["disabled", "handicapped", "registeredDisabledUsers", "employees", "staff", "members"],
  ...["residents", "seasonTicketHolders", "subscribers", "students", "pupils", "hotelGuests"],
]);

/** Whom all of its spaces are for. A single bay that is assigned to some users is for no others. */
function listAssigned(record: XmlElement, capacity: number | null): XmlElement[] {
  const own = childrenOf(record, "onlyAssignedParking");
  if (capacity === 1) own.push(...childrenOf(record, "assignedParkingAmongOthers"));
  if (own.length > 0) return own;
  const groups = childrenOf(record, "groupOfParkingSpaces").map((group) => [
    ...descendantsOf(group, "onlyAssignedParking"),
  ]);
  return groups.every((group) => group.length > 0) ? groups.flat() : [];
}

function accessOf(
  assigned: readonly XmlElement[],
  vehicles: readonly string[],
): StatedCarPark["access"] {
  if (vehicles.length > 0 && !vehicles.some((type) => CARS.has(type))) return "restricted";
  const users = assigned.flatMap((each) => wordsIn(each, "applicableForUser"));
  if (users.length === 0) return null;
  if (users.every((user) => SOME_USERS.has(user))) return "restricted";
  return users.every((user) => SOME_USERS.has(user) || CUSTOMERS.has(user)) ? "customers" : null;
}

function addressOf(address: XmlElement | null): string | null {
  const of = (name: string): string | null => toText(phraseOf(address, `contactDetails${name}`));
  return joinAddress([of("Street"), of("HouseNumber")], [of("Postcode"), of("City")]);
}

const DAYS = new Map([
  ...["monday", "tuesday", "wednesday", "thursday"].map((day) => [day, toDay(day)] as const),
  ...["friday", "saturday", "sunday"].map((day) => [day, toDay(day)] as const),
]);
const CLOCK = /^(\d{2}:\d{2}):\d{2}/;
const MAX_PERIODS = 50;

function toDay(day: string): string {
  return day.slice(0, 1).toUpperCase() + day.slice(1, 2);
}

/** In the grammar of the open map; null: none are stated, or not all of them can be read. */
function hoursOf(record: XmlElement): string | null {
  const times = childOf(record, "openingTimes");
  if (times === null || [...descendantsOf(times, "exceptionPeriod")].length > 0) return null;
  const periods = [...descendantsOf(times, "validPeriod")].slice(0, MAX_PERIODS).map(toRule);
  if (periods.length === 0 || periods.includes(null)) return null;
  const text = periods.join("; ");
  return text === "00:00-24:00" ? "24/7" : text;
}

function toRule(period: XmlElement): string | null {
  const days = wordsIn(period, "applicableDay").map((day) => DAYS.get(day) ?? null);
  const [from] = wordsIn(period, "startTimeOfPeriod").map((text) => CLOCK.exec(text)?.[1] ?? null);
  const [to] = wordsIn(period, "endTimeOfPeriod").map((text) => CLOCK.exec(text)?.[1] ?? null);
  if (!from || !to || days.includes(null)) return null;
  const end = to === "00:00" || to === "23:59" ? "24:00" : to;
  return [days.join(","), `${from}-${end}`].filter((part) => part !== "").join(" ");
}
