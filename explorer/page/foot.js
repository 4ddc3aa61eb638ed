/** Ways on foot in words. What is not known is never made of the straight line. */
import { t } from "./texts.js";
import { distance, unit } from "./format.js";
import { PACE_MPS } from "./state.js";

/** Of an answer. @typedef {{ meters: number, seconds: number, step_free: boolean | null }} Walk */

/** Whole minutes, rounded up: who leaves in time comes in time. @param {number} seconds */
export function minutesOf(seconds) {
  return Math.max(1, Math.ceil(seconds / 60));
}

/** Minutes and metres on foot; null: they are not known. @param {Walk | null | undefined} walk */
export function walkWords(walk) {
  if (!walk) return null;
  return `${t("walk", { n: minutesOf(walk.seconds) })} · ${distance(walk.meters)}`;
}

/** How far a thing is, said in full. @param {{ walk?: Walk | null, distance: number }} item */
export function awayWords({ walk, distance: metres }) {
  const way = walkWords(walk);
  if (way === null) return t("foot.line", { distance: distance(metres) });
  return t("foot.way", { way });
}

/** Whether a way has steps: none, some, or not known. @param {Walk["step_free"]} step_free */
export function stepWords(step_free) {
  return t(
    step_free === null ? "foot.steps.unknown" : step_free ? "foot.steps.none" : "foot.steps",
  );
}

const REASONS = new Set([
  ...["outside_bases", "base_without_walking", "base_unreadable", "start_off_network"],
  ...["target_off_network", "not_reached", "different_bases"],
]);

/** Why there is no way, as a sentence. @param {string | null} reason of the answer @param {boolean} isStepFree */
export function reasonWords(reason, isStepFree) {
  if (reason === "not_reached" && isStepFree) return t("foot.none.step_free");
  return t(reason !== null && REASONS.has(reason) ? `foot.none.${reason}` : "foot.none");
}

/** The circle, or the time on foot, that is looked at. @param {{ radius: number, minutes: number | null }} state */
export function boundWords({ radius, minutes }) {
  return minutes === null ? distance(radius) : t("foot.minutes", { n: minutes });
}

/** How fast the ways are walked. */
export function paceWords() {
  return t("foot.pace", { speed: unit(PACE_MPS * 3.6, "kilometer-per-hour", 1) });
}

/**
 * When one must leave for something that goes at a time; null: not known.
 * @param {number} left_s seconds until it goes @param {Walk | null} walk
 * @returns {{ text: string, isMissed: boolean } | null}
 */
export function leaveWords(left_s, walk) {
  if (walk === null || !Number.isFinite(left_s)) return null;
  const spare_s = left_s - walk.seconds;
  if (spare_s < 0) return { text: t("foot.missed"), isMissed: true };
  const n = Math.floor(spare_s / 60);
  if (n === 0) return { text: t("foot.leave.now"), isMissed: false };
  const text = n < 60 ? t("foot.leave", { n }) : null;
  return text === null ? null : { text, isMissed: false };
}
