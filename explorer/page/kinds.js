/** Kinds of things that can be switched on and off, with their names, pictograms and colours. */

/**
 * @typedef {{ id: string, group: "mode" | "service" | "transit", name: string, one: string, icon: string, color: string }} Kind
 */

/** @type {readonly Kind[]} */
export const KINDS = [
  {
    id: "bicycle",
    group: "mode",
    name: "Bicycles",
    one: "bicycle",
    icon: "bicycle",
    color: "#0f7b55",
  },
  {
    id: "scooter",
    group: "mode",
    name: "Scooters",
    one: "scooter",
    icon: "scooter",
    color: "#6d3fd1",
  },
  { id: "moped", group: "mode", name: "Mopeds", one: "moped", icon: "moped", color: "#b8460e" },
  { id: "car", group: "mode", name: "Cars", one: "car", icon: "car", color: "#1763b6" },
  {
    id: "transit",
    group: "transit",
    name: "Transit",
    one: "station",
    icon: "metro",
    color: "#28364a",
  },
  {
    id: "toilets",
    group: "service",
    name: "Toilets",
    one: "toilets",
    icon: "toilets",
    color: "#4b5a6b",
  },
  {
    id: "drinking_water",
    group: "service",
    name: "Water",
    one: "drinking water",
    icon: "drinking_water",
    color: "#0b7285",
  },
  {
    id: "fountain",
    group: "service",
    name: "Fountains",
    one: "fountain",
    icon: "fountain",
    color: "#0a6f9c",
  },
  {
    id: "charging",
    group: "service",
    name: "Charging",
    one: "charging station",
    icon: "charging",
    color: "#3f7d1c",
  },
  {
    id: "parking",
    group: "service",
    name: "Parking",
    one: "car park",
    icon: "parking",
    color: "#2c4fb0",
  },
  {
    id: "aed",
    group: "service",
    name: "AEDs",
    one: "defibrillator",
    icon: "aed",
    color: "#c02637",
  },
  { id: "wifi", group: "service", name: "Wifi", one: "wifi", icon: "wifi", color: "#7a4cb5" },
  {
    id: "locker",
    group: "service",
    name: "Lockers",
    one: "parcel locker",
    icon: "locker",
    color: "#8a5a12",
  },
];

const BY_ID = new Map(KINDS.map((kind) => [kind.id, kind]));

/** An unknown mode or type looks like one of its group. @param {string} id @returns {Kind} */
export function kindOf(id) {
  const unknown = {
    id,
    group: /** @type {const} */ ("service"),
    name: id,
    one: id,
    icon: "parking",
    color: "#4b5a6b",
  };
  return BY_ID.get(id) ?? unknown;
}

/** @param {"mode" | "service" | "transit"} group */
export function idsOf(group) {
  return KINDS.filter((kind) => kind.group === group).map(({ id }) => id);
}

/** Kinds that are shown at the first visit. */
export const SHOWN_AT_FIRST = [
  ...["bicycle", "scooter", "moped", "car", "transit"],
  ...["toilets", "drinking_water", "charging"],
];
