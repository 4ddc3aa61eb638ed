/** Lines about the whole search: what was found, how much of it is drawn, and whose data it is. */
import { fill, h, icon } from "../page/dom.js";
import { cut, plain, several } from "./words.js";

/** @typedef {import("./things.js").Thing} Thing */

/** How many there are of each kind, and how many of them can be used now. @param {HTMLElement} list @param {readonly Thing[]} things @param {unknown} intent what for */
export function showKinds(list, things, intent) {
  const kinds = Map.groupBy(things, ({ of, layer }) => `${layer === "station"} ${of}`);
  const sorted = [...kinds.values()].toSorted((a, b) => b.length - a.length);
  const aim = typeof intent === "string" ? ` (${plain(intent)})` : "";
  fill(
    list,
    things.length === 0 ? null : h("li", { class: "caption" }, `Usable now${aim}:`),
    sorted.map((own) => {
      const [{ of, layer, icon: name, color }] = /** @type {[Thing]} */ (own);
      const words = `${countUsable(own)} ${several(of, layer === "station")}`;
      return h("li", { style: { "--own": color } }, icon(name, 14), h("span", {}, words));
    }),
  );
}

/** What is not known is no part of what can be used. @param {readonly Thing[]} things */
function countUsable(things) {
  const usable = things.filter((one) => one.usable === "yes").length;
  const unknown = things.filter((one) => one.usable === "unknown").length;
  if (unknown === things.length) return `unknown of ${unknown}`;
  return `${usable} of ${things.length}${unknown === 0 ? "" : ` (${unknown} unknown)`}`;
}

/**
 * `total`: what was found; `kept`: what the dataset has; `read`: of which things the view knows;
 * `whole`: whether that is the dataset.
 * @param {{ total: number, kept: number, read: number, drawn: number, radius_m: number,
 *   whole: "yes" | "reading" | "no" | "failed" }} counts
 */
export function toState({ total, kept, read, drawn, radius_m, whole }) {
  const around = `within ${radius_m} m`;
  const isAll = whole === "yes" || read >= total;
  const said = {
    yes:
      kept < total
        ? `The nearest ${kept} of ${total} found ${around}.`
        : `${kept} found ${around}.`,
    reading: `The nearest ${read} of ${total} found ${around}; reading the rest …`,
    no: `The nearest ${read} of ${total} found ${around}: this host does not pass on the rest.`,
    failed: `The nearest ${read} of ${total} found ${around}: the rest cannot be read any more.`,
  }[isAll ? "yes" : whole];
  const hidden = read - drawn;
  return hidden > 0 ? `${said} ${hidden} without a position.` : said;
}

/** @param {any} attribution @returns {ReadonlyMap<string, string>} names of sources by their ids */
export function readCredits(attribution) {
  const rows = Array.isArray(attribution) ? attribution : [];
  return new Map(
    rows.flatMap((row) => {
      if (typeof row?.source_id !== "string") return [];
      const licence = cut(row.licence);
      const name = cut(row.attribution) || cut(row.source_id);
      return [[row.source_id, licence === "" ? name : `${name} (${licence})`]];
    }),
  );
}

/** Of what is drawn, and of nothing else. @param {HTMLElement} line @param {ReadonlyMap<string, string>} credits @param {readonly Thing[]} things */
export function showCredits(line, credits, things) {
  const used = new Set(things.flatMap(({ sources }) => sources));
  const names = new Set([...used].map((id) => credits.get(id) ?? cut(id)));
  const all = [...names].sort().map((name, n) => [n === 0 ? "" : " · ", h("bdi", {}, name)]);
  fill(line, names.size === 0 ? null : ["Data: ", ...all.flat()]);
}
