/** Words and numbers as the view shows them. Pure. */

/** Of what is counted. @type {Readonly<Record<string, string>>} */
const NAMES = {
  bicycle: "bicycles",
  scooter: "scooters",
  moped: "mopeds",
  car: "cars",
  other: "other vehicles",
  aed: "defibrillators",
  charging: "EV charging",
  fountain: "fountains",
  locker: "parcel lockers",
  wifi: "wifi",
};
/** @type {Readonly<Record<string, string>>} */
const ONE = {
  bicycle: "Bicycle",
  scooter: "Scooter",
  moped: "Moped",
  car: "Car",
  aed: "Defibrillator",
};

/** Characters of a text of a source: a longer one is cut. */
const TEXT_MAX = 160;

/** A text of a source, cut; an empty one where it is none. @param {unknown} text */
export function cut(text) {
  if (typeof text !== "string") return "";
  const signs = Array.from(text.trim().slice(0, 4 * TEXT_MAX));
  return signs.length > TEXT_MAX ? `${signs.slice(0, TEXT_MAX).join("")} …` : signs.join("");
}

/** @param {string} text */
export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** A token of the API in plain words. @param {unknown} token */
export function plain(token) {
  return cut(token).replaceAll("_", " ");
}

/** Several of a kind. @param {string} of @param {boolean} isStation */
export function several(of, isStation) {
  if (isStation) return of === "other" ? "stations" : `${plain(of)} stations`;
  return NAMES[of] ?? plain(of);
}

/** One of a kind. @param {string} of */
export function oneOf(of) {
  return ONE[of] ?? capital(plain(of));
}

/** What a thing is. @param {{ of: string, layer: string }} thing */
export function kindName({ of, layer }) {
  return layer === "station" ? `${oneOf(of)} station` : oneOf(of);
}

/** @param {number} metres */
export function distance(metres) {
  if (metres < 995) return `${Math.round(metres)} m`;
  return `${(metres / 1000).toFixed(metres < 9_950 ? 1 : 0)} km`;
}

/** Minutes and metres on foot; null: not known. @param {{ meters: number, seconds: number } | null} walk */
export function onFoot(walk) {
  if (walk === null) return null;
  return `${Math.max(1, Math.ceil(walk.seconds / 60))} min · ${distance(walk.meters)}`;
}

/** A count that may not be known. @param {number | null} count */
export function counted(count) {
  return count === null ? "unknown" : String(count);
}

/** How long ago something was. @param {number} ms */
export function ago(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 100) return `${seconds} s ago`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 100) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`;
}

/** Whether it can be used, by what is known. @type {Readonly<Record<"yes" | "no" | "unknown", string>>} */
export const USABLE = {
  yes: "usable now",
  no: "not usable now",
  unknown: "not known to be usable",
};
