/** Where a system lets its vehicles ride and stop: what holds at the point, and its zones around it. */
import { h } from "../page/dom.js";
import { distance, withCommas, unit } from "../page/format.js";
import { t } from "../page/texts.js";

/** Zones that are listed; the rest is counted. */
const SHOWN = 5;

/** @param {any} zones those of the system of the vehicle; null: none are known */
export function toZones(zones) {
  if (zones === null) return null;
  const rest = zones.total - Math.min(SHOWN, zones.zones.length);
  return [
    h("h3", {}, t("zones.title")),
    h(
      "ul",
      { class: "zones" },
      zones.rules.map((/** @type {any} */ rule) => toZone(t("zones.here"), null, [rule])),
      zones.zones.slice(0, SHOWN).map((/** @type {any} */ zone) => {
        const { name, contains_point, distance_meters: away } = zone;
        const where = contains_point
          ? t("zones.around")
          : t("zones.away", { distance: distance(away) });
        return toZone(name ?? t("zones.unnamed"), where, zone.rules);
      }),
      rest > 0 ? h("li", { class: "quiet" }, t("zones.more", { n: rest })) : null,
    ),
  ];
}

/** @param {string} name @param {string | null} where @param {any[]} rules */
function toZone(name, where, rules) {
  const texts = [...new Set(rules.flatMap(toRules))];
  return h(
    "li",
    {},
    h("strong", {}, h("bdi", {}, name)),
    where === null ? null : h("span", { class: "quiet" }, ` · ${where}`),
    h(
      "ul",
      {},
      (texts.length === 0 ? [t("zones.unstated")] : texts).map((one) => h("li", {}, one)),
    ),
  );
}

/** A sentence for each thing that a rule states. @param {any} rule @returns {string[]} */
export function toRules(rule) {
  const { ride_start_allowed, ride_end_allowed, ride_through_allowed, maximum_speed_kph } = rule;
  const texts = [
    say(ride_start_allowed, "zones.start", "zones.start.no"),
    rule.station_parking === true
      ? t("zones.end.station")
      : say(ride_end_allowed, "zones.end", "zones.end.no"),
    say(ride_through_allowed, null, "zones.through.no"),
    typeof maximum_speed_kph === "number"
      ? t("zones.speed", { speed: unit(maximum_speed_kph, "kilometer-per-hour", 0) })
      : null,
  ].flatMap((one) => one ?? []);
  const kinds = (rule.vehicle_types ?? []).flatMap((/** @type {any} */ type) => type.name ?? []);
  if (kinds.length === 0) return texts;
  return texts.map((rule_text) => t("zones.only", { rule: rule_text, kinds: withCommas(kinds) }));
}

/** @param {boolean | undefined} value @param {string | null} yes @param {string} no */
function say(value, yes, no) {
  const key = value === undefined ? null : value ? yes : no;
  return key === null ? null : t(key);
}
