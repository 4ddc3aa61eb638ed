/** Why observations were taken for one station, as whole sentences. Pure. */
import { capital, distance, words } from "../page/format.js";
import { hasText, t } from "../page/texts.js";

/** Metres of a degree of latitude. */
const DEGREE_M = 111_195;

/** Straight-line metres between points that are near one another; null: one is not known. @param {any} a @param {any} b */
export function metresBetween(a, b) {
  if (typeof a?.lat !== "number" || typeof b?.lat !== "number") return null;
  const across = Math.abs(a.lon - b.lon);
  const turn = Math.min(across, 360 - across) * Math.cos(((a.lat + b.lat) / 2) * (Math.PI / 180));
  return Math.hypot(a.lat - b.lat, turn) * DEGREE_M;
}

/** Findings that another one says more exactly: `name_literal` comes in addition to `name_equal`. */
const WEAKER = /** @type {Readonly<Record<string, string>>} */ ({ name_literal: "name_equal" });

/**
 * Returns a sentence for each finding such as `name_equal +6`; `isFor` is whether it speaks for one
 * station. A finding that is not known here is shown in its own words.
 * @param {readonly string[]} reasons of an observation of the debug block
 * @param {number | null} metres from the position that is shown
 * @returns {{ text: string, isFor: boolean }[]}
 */
export function toReasons(reasons, metres) {
  const findings = reasons.map((one) => {
    const [token = "", weight = "0"] = one.split(" ", 2);
    return { token, isFor: !weight.startsWith("-") };
  });
  const tokens = new Set(findings.map(({ token }) => token));
  return findings
    .filter(({ token }) => !tokens.has(WEAKER[token] ?? ""))
    .map(({ token, isFor }) => ({ text: toSentence(token, metres), isFor }));
}

/** @param {string} token @param {number | null} metres */
function toSentence(token, metres) {
  if (token === "distance")
    return metres === null
      ? t("why.reason.place")
      : t("why.reason.distance", { distance: distance(metres) });
  const key = `why.reason.${token}`;
  return hasText(key) ? t(key) : `${capital(words(token))}.`;
}

/** How sure the service is that observations are one station, in words. @param {unknown} share 0 to 1 @returns {string | null} */
export function toCertainty(share) {
  if (typeof share !== "number") return null;
  if (share >= 0.99) return t("why.sure.certain");
  return t(share >= 0.9 ? "why.sure.likely" : share >= 0.6 ? "why.sure.fair" : "why.sure.open");
}
