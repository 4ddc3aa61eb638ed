/** Where a system lets its vehicles ride and stop: what holds at the point, and its zones around it. */
import { h } from "../page/dom.js";
import { distance } from "../page/format.js";

/** Zones that are listed; the rest is counted. */
const SHOWN = 5;

/** @param {any} zones those of the system of the vehicle; null: none are known */
export function toZones(zones) {
  if (zones === null) return null;
  const rest = zones.total - Math.min(SHOWN, zones.zones.length);
  return [
    h("h3", {}, "Zones"),
    h(
      "ul",
      { class: "zones" },
      zones.rules.map((/** @type {any} */ rule) => h("li", {}, `At the point: ${toRule(rule)}`)),
      zones.zones.slice(0, SHOWN).map((/** @type {any} */ zone) => h("li", {}, toZone(zone))),
      rest > 0 ? h("li", {}, `${rest} more in the circle`) : null,
    ),
  ];
}

/** @param {any} zone */
function toZone({ name, contains_point, distance_meters, rules }) {
  const where = contains_point ? "around the point" : `${distance(distance_meters)} away`;
  return `${name ?? "A zone"}, ${where}: ${[...new Set(rules.map(toRule))].join("; ")}`;
}

/** @param {any} rule */
function toRule(rule) {
  const { ride_start_allowed, ride_end_allowed, ride_through_allowed } = rule;
  const parts = [
    say(ride_start_allowed, "rides may begin", "no ride begins"),
    rule.station_parking === true
      ? "rides end at stations"
      : say(ride_end_allowed, "rides may end", "no ride ends"),
    say(ride_through_allowed, null, "no riding through"),
    typeof rule.maximum_speed_kph === "number" ? `at most ${rule.maximum_speed_kph} km/h` : null,
  ];
  const said = parts.filter((part) => part !== null).join(", ") || "nothing is stated";
  const kinds = (rule.vehicle_types ?? []).flatMap((/** @type {any} */ type) => type.name ?? []);
  return kinds.length > 0 ? `${said} (${kinds.join(", ")})` : said;
}

/** @param {boolean | undefined} value @param {string | null} yes @param {string} no */
function say(value, yes, no) {
  return value === undefined ? null : value ? yes : no;
}
