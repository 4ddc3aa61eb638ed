/** Kinds of things that can be switched on and off, with their pictograms and colours; their names are texts. */

/**
 * @typedef {{ id: string, group: "mode" | "service" | "transit", icon: string, color: string }} Kind
 */

/** @type {readonly Kind[]} */
export const KINDS = [
  {
    id: "bicycle",
    group: "mode",
    icon: "bicycle",
    color: "#0f7b55",
  },
  {
    id: "scooter",
    group: "mode",
    icon: "scooter",
    color: "#6d3fd1",
  },
  { id: "moped", group: "mode", icon: "moped", color: "#b8460e" },
  { id: "car", group: "mode", icon: "car", color: "#1763b6" },
  {
    id: "transit",
    group: "transit",
    icon: "metro",
    color: "#28364a",
  },
  {
    id: "toilets",
    group: "service",
    icon: "toilets",
    color: "#4b5a6b",
  },
  {
    id: "drinking_water",
    group: "service",
    icon: "drinking_water",
    color: "#0b7285",
  },
  {
    id: "fountain",
    group: "service",
    icon: "fountain",
    color: "#0a6f9c",
  },
  {
    id: "charging",
    group: "service",
    icon: "charging",
    color: "#3f7d1c",
  },
  {
    id: "parking",
    group: "service",
    icon: "parking",
    color: "#2c4fb0",
  },
  {
    id: "aed",
    group: "service",
    icon: "aed",
    color: "#c02637",
  },
  { id: "wifi", group: "service", icon: "wifi", color: "#7a4cb5" },
  {
    id: "locker",
    group: "service",
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
