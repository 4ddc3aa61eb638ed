/** The next departure of each stop of the circle: one request for all of them, now and then. */
import { ABORTED, call, toTarget } from "./api.js";
import { askNextDepartures } from "./asks.js";

/**
 * A departure of a stop. `at_ms`: by the clock of this device; `time`: as the service has it, with the
 * offset of the stop; `isLive`: a live feed speaks of it.
 * @typedef {{ at_ms: number, time: string, isLive: boolean }} Departure
 */

const EVERY_MS = 60_000;
/** What could not be read again for this long is not known any more. */
const KEPT_MS = 180_000;

/**
 * @param {{ state: import("../page/state.js").State, session: ReturnType<typeof import("./session.js").createSession>, changed: () => void }} given
 */
export function createNextDepartures({ state, session, changed }) {
  /** By id of the stop, the earliest first. @type {ReadonlyMap<string, readonly Departure[]>} */
  let known = new Map();
  let target = "";
  let read_ms = 0;
  let asked_ms = 0;

  return {
    /** Asks where the circle is another one or what is known has become old. */
    async look() {
      const question = askNextDepartures(state);
      const next = question === null ? "" : toTarget(question);
      if (next !== target) {
        known = new Map();
        asked_ms = 0;
      }
      target = next;
      if (question === null || session.lanes.transport.pages[0]?.body.results.stations.length === 0)
        return;
      if (Date.now() - asked_ms < EVERY_MS) return;
      asked_ms = Date.now();
      const done = await call(question, session.signal());
      if (done.problem === ABORTED || next !== target) return;
      session.calls.set(done.id, done);
      if (done.problem !== null) return;
      read_ms = Date.now();
      known = readDepartures(done.body, read_ms);
      changed();
    },
    /** The next one of a stop; null: none is known. @param {string} id @returns {Departure | null} */
    of(id) {
      const now_ms = Date.now();
      if (now_ms - read_ms > KEPT_MS) return null;
      return known.get(id)?.find(({ at_ms }) => at_ms >= now_ms) ?? null;
    },
  };
}

/**
 * Departures that take place at a known time, by stop. Where only an interval is promised, the time is
 * not known. @param {any} body of an answer @param {number} now_ms when it came
 */
export function readDepartures(body, now_ms) {
  const ahead_ms = (Date.parse(body.local_time) || now_ms) - now_ms;
  /** @type {Map<string, Departure[]>} */
  const stops = new Map();
  for (const { station, planned_at, expected_at, status, headway_seconds } of body.results
    .departures) {
    const time = expected_at ?? (headway_seconds === undefined ? planned_at : null);
    const at_ms = Date.parse(time) - ahead_ms;
    if (status === "cancelled" || status === "skipped" || Number.isNaN(at_ms)) continue;
    const of = stops.get(station.id) ?? [];
    of.push({ at_ms, time, isLive: expected_at !== null });
    stops.set(station.id, of);
  }
  for (const of of stops.values()) of.sort((a, b) => a.at_ms - b.at_ms);
  return stops;
}
