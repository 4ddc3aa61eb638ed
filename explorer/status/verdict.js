/** The headline: how all of it is, in words and in colour, and how old what is shown is. */
import { byId, fill, h } from "../page/dom.js";
import { age, count, withCommas, UNKNOWN } from "../page/format.js";
import { t } from "../page/texts.js";
import { sortOf } from "./columns.js";
import { healthOf, together } from "./health.js";
import { availability } from "./history.js";
import { findName, toMapAddress } from "./places.js";
import { toShare } from "./strip.js";

/** @typedef {import("./places.js").Spot} Spot @typedef {import("./health.js").Health} Health */

const MOST_NAMED = 3;
/** Of the sources that are asked; more than these make the headline red. */
const MANY = 0.5;

/**
 * @param {readonly any[]} sources @param {readonly Spot[]} spots
 * @param {readonly { name: string, lat: number, lon: number }[]} cities
 */
export function showVerdict(sources, spots, cities) {
  const bad = sources.filter((source) => healthOf(source) === "bad");
  const poor = sources.filter((source) => healthOf(source) === "poor");
  // A place with a single source has no other that could help out, but is no city either.
  const lost = spots.filter((spot) => spot.health === "bad" && countAsked(spot) > 1);
  const health = judge(sources, bad.length, lost.length);
  const verdict = byId("verdict");
  verdict.className = health;
  const named = bad.slice(0, MOST_NAMED).map(({ name }) => name);
  const others = bad.length - named.length;
  fill(
    verdict,
    h("strong", {}, t(`status.verdict.${health}`)),
    h(
      "span",
      {},
      toSentence({ bad: bad.length, poor: poor.length, all: sources.length }),
      named.length > 0 && ` ${withCommas(named)}`,
      others > 0 && ` ${t("status.verdict.others", { n: others })}`,
    ),
    lost
      .slice(0, MOST_NAMED)
      .map((spot) =>
        h(
          "span",
          { class: "lost" },
          t("status.verdict.lost", { n: countAsked(spot), place: nameOf(spot, cities) }),
          " ",
          h("a", { href: toMapAddress(spot) }, t("status.map.link")),
        ),
      ),
  );
}

/** @param {readonly any[]} sources @param {number} bad @param {number} lost @returns {Health} */
function judge(sources, bad, lost) {
  const health = together(sources.map(healthOf));
  const asked = sources.filter((source) => healthOf(source) !== "quiet").length;
  return lost > 0 || (bad > 0 && bad >= asked * MANY) ? "bad" : health;
}

/** @param {{ bad: number, poor: number, all: number }} counts */
function toSentence({ bad, poor, all }) {
  if (bad > 0) return t("status.verdict.count", { n: bad, all: count(all) });
  return poor > 0 ? t("status.verdict.poor.count", { n: poor }) : "";
}

/** @param {Spot} spot */
function countAsked({ sources }) {
  return sources.filter((source) => healthOf(source) !== "quiet").length;
}

/** @param {Spot} spot @param {readonly { name: string, lat: number, lon: number }[]} cities */
function nameOf(spot, cities) {
  return findName(spot, cities) ?? spot.sources[0].name;
}

/** @param {readonly any[]} sources @param {readonly Spot[]} spots */
export function showFigures(sources, spots) {
  // Those of a catalogue are sources.
  const things = sources
    .filter((source) => sortOf(source) !== "catalogue")
    .flatMap(({ entity_count }) => entity_count ?? []);
  const shares = sources
    .map(({ history }) => availability(history ?? null))
    .filter((share) => share !== null);
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  /** @type {[string, string][]} */
  const figures = [
    [count(sources.length), "sources"],
    [count(spots.length), "places"],
    [things.length === 0 ? UNKNOWN : count(things.reduce((sum, n) => sum + n, 0)), "things"],
    [shares.length === 0 ? UNKNOWN : toShare(mean), "available"],
    [count(sources.filter((source) => healthOf(source) === "bad").length), "failing"],
  ];
  fill(
    byId("figures"),
    figures.map(([value, name]) =>
      h("div", {}, h("dt", {}, t(`status.figure.${name}`)), h("dd", {}, value)),
    ),
  );
}

/** What is shown is of an earlier reading. @param {string} problem @param {number | null} read_at_ms null: there was none */
export function showUnread(problem, read_at_ms) {
  const notice = byId("unread");
  notice.hidden = false;
  fill(
    notice,
    h("strong", {}, t("status.unread")),
    h(
      "span",
      {},
      read_at_ms === null
        ? t("status.unread.none", { problem })
        : t("status.unread.kept", { problem, age: age((Date.now() - read_at_ms) / 1000) }),
    ),
  );
  document.querySelector("main")?.classList.toggle("stale", read_at_ms !== null);
}

export function hideUnread() {
  byId("unread").hidden = true;
  document.querySelector("main")?.classList.remove("stale");
}
