/** What 24 hours of a source say: its availability, and when it failed. */

/**
 * @typedef {{ attempts: number, failures: number, state: string, age_s: number | null }} Slot
 * @typedef {{ step_s: number, from: string, slots: (Slot | null)[] }} History
 * @typedef {"unknown" | "quiet" | "good" | "poor" | "bad"} SlotHealth
 */

const AT_REST = new Set(["idle", "disabled", "not_surveyed"]);

/** @param {Slot | null} slot @returns {SlotHealth} */
export function slotHealth(slot) {
  if (slot === null) return "unknown";
  const { attempts, failures, state } = slot;
  if (attempts > 0) return failures === 0 ? "good" : failures < attempts ? "poor" : "bad";
  if (AT_REST.has(state)) return "quiet";
  return state === "ok" ? "good" : "bad";
}

/** Share of attempts that succeeded; null: none was made. @param {History | null} history */
export function availability(history) {
  let attempts = 0;
  let failures = 0;
  for (const slot of history?.slots ?? []) {
    attempts += slot?.attempts ?? 0;
    failures += slot?.failures ?? 0;
  }
  return attempts === 0 ? null : (attempts - failures) / attempts;
}

/** When a slot begins and ends, epoch ms. @param {History} history @param {number} index */
export function timesOf({ from, step_s }, index) {
  const begin_ms = Date.parse(from) + index * step_s * 1000;
  return { begin_ms, end_ms: begin_ms + step_s * 1000 };
}

/**
 * Stretches of slots in which something failed, the latest first.
 * @param {History} history @returns {{ begin_ms: number, end_ms: number, attempts: number, failures: number }[]}
 */
export function listFailures(history) {
  /** @type {ReturnType<typeof listFailures>} */
  const found = [];
  for (const [index, slot] of history.slots.entries()) {
    const health = slotHealth(slot);
    if (slot === null || (health !== "poor" && health !== "bad")) continue;
    const { begin_ms, end_ms } = timesOf(history, index);
    const last = found.at(-1);
    if (last?.end_ms === begin_ms) {
      last.end_ms = end_ms;
      last.attempts += slot.attempts;
      last.failures += slot.failures;
    } else found.push({ begin_ms, end_ms, attempts: slot.attempts, failures: slot.failures });
  }
  return found.toReversed();
}
