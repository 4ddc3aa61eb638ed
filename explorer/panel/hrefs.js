/** Addresses that a detail leads to: directions and rental, chosen by the platform. Pure. */
import { toSafeHref } from "../page/dom.js";

/** @typedef {"android" | "apple" | "other"} Platform */

/**
 * The platform of a browser, by `userAgentData` where it exists, else by the user agent. An iPad that
 * asks for desktop pages calls itself a Mac, which is `apple` as well.
 * @param {{ userAgentData?: { platform?: string }, userAgent?: string }} navigator
 * @returns {Platform}
 */
export function platformOf({ userAgentData, userAgent = "" }) {
  const name = userAgentData?.platform || userAgent;
  if (/android/i.test(name)) return "android";
  return /macOS|iOS|Macintosh|iPhone|iPad/i.test(name) ? "apple" : "other";
}

/**
 * Returns where the way to a thing is shown: on Android `geo:`, by which the user chooses the app; on
 * Apple's platforms its maps, which open as an app; elsewhere OpenStreetMap in the browser. A thing
 * that may be on no map but its source's own (`onMap` false) is shown on that one, wherever it is.
 * @param {{ lat: number, lon: number, name: string, onMap: boolean, raw: any }} item
 * @param {Platform} platform
 */
export function toDirections({ lat, lon, name, onMap, raw }, platform) {
  const point = `${lat.toFixed(6)},${lon.toFixed(6)}`;
  if (!onMap) return toOwnMap(point, raw?.attributes?.maps_place_id);
  // Half of a character, which a feed may have, cannot be encoded.
  const label = encodeURIComponent(name.toWellFormed());
  if (platform === "android") return `geo:${point}?q=${point}(${label})`;
  const to = encodeURIComponent(point);
  return platform === "apple"
    ? `https://maps.apple.com/?daddr=${to}`
    : `https://www.openstreetmap.org/directions?to=${to}`;
}

/** The only source whose terms require its own map is Google Maps. @param {string} point @param {unknown} place_id */
function toOwnMap(point, place_id) {
  const query = new URLSearchParams({ api: "1", destination: point });
  if (typeof place_id === "string") query.set("destination_place_id", place_id);
  return `https://www.google.com/maps/dir/?${query}`;
}

const APP_LINK = /^([a-z][a-z0-9+.-]{1,63}):\/\/./i;
/** Schemes that run or read something, or that no app registers. */
const REFUSED = new Set(
  ["javascript", "data", "vbscript", "file", "blob", "about", "filesystem", "view-source"].concat([
    ...["intent", "content", "chrome", "http", "https", "ws", "wss", "ftp"],
  ]),
);
const MOST = 2_048;

/**
 * Returns where a thing is rented: the link of the platform's app where it has one, else the page.
 * null: nothing that may be followed.
 * @param {any} uris `rental_uris` of an answer @param {Platform} platform
 * @returns {{ href: string, isApp: boolean } | null}
 */
export function toRent(uris, platform) {
  const app = { android: uris?.android, apple: uris?.ios, other: undefined }[platform];
  const href = toSafeHref(app) ?? toAppHref(app);
  if (href !== null) return { href, isApp: true };
  const page = toSafeHref(uris?.web);
  return page === null ? null : { href: page, isApp: false };
}

/** @param {unknown} link */
function toAppHref(link) {
  if (typeof link !== "string" || link.length > MOST) return null;
  const scheme = APP_LINK.exec(link)?.[1]?.toLowerCase();
  if (scheme === undefined || REFUSED.has(scheme) || !URL.canParse(link)) return null;
  const { href, protocol } = new URL(link);
  return protocol === `${scheme}:` ? href : null;
}
