/** Places that a search found, as its box offers them: what each is and where, so that no two read alike. */
import { toPlain } from "../data/class-words.js";
import { metresBetween } from "../map/geometry.js";
import { coordinates, distance, openWords } from "../page/format.js";
import { walkWords } from "../page/foot.js";
import { hasText, t } from "../page/texts.js";

/** @typedef {{ lat: number, lon: number }} Point @typedef {{ name: string, label: string, location: Point }} PlaceOption */

/** @param {readonly any[]} places candidates of an answer @param {Point | null} at @returns {PlaceOption[]} */
export function toNamed(places, at) {
  const options = places.map(({ name, label, type, location }) => ({
    name: name || label,
    label: [typeWords(type), regionOf(name, label)].filter(Boolean).join(" · "),
    location,
  }));
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const option of options) counts.set(keyOf(option), (counts.get(keyOf(option)) ?? 0) + 1);
  return options.map((option) => {
    if (counts.get(keyOf(option)) === 1) return option;
    const where =
      at === null ? coordinates(option.location) : distance(metresBetween(at, option.location));
    return { ...option, label: [option.label, where].filter(Boolean).join(" · ") };
  });
}

/** @param {PlaceOption} option */
function keyOf({ name, label }) {
  return JSON.stringify([name, label]);
}

/** What kind of place it is; "": it has no word. @param {unknown} type */
function typeWords(type) {
  const key = `place.${String(type)}`;
  return hasText(key) ? t(key) : "";
}

/** What a label has beyond the name with which it begins. @param {string} name @param {string} label */
function regionOf(name, label) {
  const rest = name !== "" && label.startsWith(name) ? label.slice(name.length) : label;
  return rest.replace(/^[\s,،、]{1,10}/u, "");
}

/** Places of a class, with how far each is and whether it is open. @param {readonly any[]} places @returns {PlaceOption[]} */
export function toNear(places) {
  return places.map(({ name, location, walk, distance_meters, attributes }) => {
    const away = walkWords(walk) ?? distance(distance_meters);
    return {
      name,
      label: [away, openWords(attributes)].filter(Boolean).join(" · "),
      location,
    };
  });
}

/** Whether one of the candidates has every word of a text in its name or address. @param {string} text @param {readonly any[]} places */
export function isNamed(text, places) {
  const words = toPlain(text).split(" ");
  return places.some(({ name, label, address }) => {
    const all = toPlain([name, label, address?.formatted ?? ""].join(" "));
    return words.every((word) => all.includes(word));
  });
}
