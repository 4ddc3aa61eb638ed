/** State of the page, and the same as an address that can be shared. */
import { KINDS, SHOWN_AT_FIRST } from "./kinds.js";

/**
 * @typedef {{ lat: number, lon: number }} Point
 * @typedef {{ at: Point | null, radius: number, kinds: Set<string>, selected: string | null, zoom: number | null }} State
 */

export const RADII = [150, 400, 800, 1500];
const RADIUS = 400;

/** @param {string} search @param {Point | null} start @returns {State} */
export function readState(search, start) {
  const query = new URLSearchParams(search);
  const known = new Set(KINDS.map(({ id }) => id));
  const show = query.get("show");
  const kinds = show === null ? SHOWN_AT_FIRST : show.split(",").filter((id) => known.has(id));
  const radius = Number(query.get("r"));
  const zoom = Number(query.get("z"));
  return {
    at: readPoint(query.get("at")) ?? start,
    radius: radius >= 1 && radius <= 5000 ? Math.round(radius) : RADIUS,
    kinds: new Set(kinds),
    selected: query.get("sel"),
    zoom: zoom > 0 && zoom <= 20 ? zoom : null,
  };
}

/** @param {string | null} text @returns {Point | null} */
export function readPoint(text) {
  const match = /^\s*(-?\d{1,2}(?:\.\d+)?)(?:\s*[,;]\s*|\s+)(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(
    text ?? "",
  );
  if (!match) return null;
  const [lat, lon] = [Number(match[1]), Number(match[2])];
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;
}

/** @param {State} state */
export function writeState({ at, radius, kinds, selected, zoom }) {
  /** @type {string[]} */
  const parts = [];
  if (at) parts.push(`at=${at.lat.toFixed(6)},${at.lon.toFixed(6)}`);
  if (radius !== RADIUS) parts.push(`r=${radius}`);
  const ids = KINDS.map(({ id }) => id).filter((id) => kinds.has(id));
  if (
    ids.join() !==
    KINDS.map(({ id }) => id)
      .filter((id) => SHOWN_AT_FIRST.includes(id))
      .join()
  )
    parts.push(`show=${ids.join(",")}`);
  if (selected) parts.push(`sel=${encodeURIComponent(selected)}`);
  if (zoom !== null) parts.push(`z=${zoom.toFixed(1)}`);
  return parts.length === 0 ? "/" : `/?${parts.join("&")}`;
}
