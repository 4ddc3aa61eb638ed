/**
 * What is known around the point: each lane is one operation, asked for with all of its pages. What
 * came last stays while newer answers fail, and what failed is asked for again by itself.
 */
import { ABORTED, call } from "./api.js";
import { askNearby, askServices, askTransport, MOST } from "./asks.js";
import { Calm, followUse } from "./calm.js";

/**
 * @typedef {import("./api.js").Call} Call @typedef {import("./api.js").Ask} Ask
 * @typedef {import("../page/state.js").State} State
 * @typedef {"nearby" | "services" | "transport"} LaneId
 * `pages`: the newest that came, in order; `failed`: the newest attempt, where it failed; `at_ms`: when
 * the pages came; `isLoading`: pages are on their way; `isWanted`: something of it is switched on; `isStale`: the
 * pages are of an earlier reading than the one that failed.
 * @typedef {{ id: LaneId, pages: Call[], failed: Call | null, at_ms: number | null, isLoading: boolean, isWanted: boolean, isStale: boolean }} Lane
 */

const REFRESH_MS = 15_000;
/** Sources that were woken by a question answer the next one. */
const SOON_MS = 2_500;
/** What stands still is asked for again after this time. */
const STILL_MS = 600_000;
/** So long answers about a new point wait for one another, so that the list does not jump. */
const HOLD_MS = 2_000;
const RETRY_MS = [4_000, 8_000, 15_000, 30_000, 60_000];

/** @type {Readonly<Record<LaneId, (state: State) => Ask | null>>} */
const ASKS = { nearby: askNearby, services: askServices, transport: askTransport };
const IDS = /** @type {const} */ (["nearby", "services", "transport"]);

/**
 * @param {{ state: State, changed: () => void, settled: () => void, last: import("../offline/last-answers.js").LastAnswers }} given
 * `settled`: all lanes have answered or failed; `last`: what earlier visits were answered
 */
export function createSession({ state, changed, settled, last }) {
  const lanes = {
    nearby: toLane("nearby"),
    services: toLane("services"),
    transport: toLane("transport"),
  };
  /** @type {Map<string, Call>} */
  const calls = new Map();
  let pending = new AbortController();
  let place = "";
  let failures = 0;
  let timer = 0;
  let hold = 0;
  let isHeld = false;
  /** Sources that were woken have been asked again soon after. */
  let soon = false;
  const calm = new Calm();
  followUse(() => {
    // What failed has a pace of its own.
    if (!calm.end() || failures > 0 || state.at === null || isLoading()) return;
    const old_ms = Date.now() - (lanes.nearby.at_ms ?? 0);
    if (lanes.nearby.at_ms !== null && old_ms < REFRESH_MS) plan();
    else void refresh();
  });

  /** Reads all pages of a lane; those of before stay until the new ones are whole. @param {Lane} lane @param {AbortSignal} signal */
  async function read(lane, signal) {
    const first = ASKS[lane.id](state);
    lane.isWanted = first !== null;
    if (first === null) return void Object.assign(lane, toLane(lane.id));
    const isFirst = lane.pages.length === 0;
    lane.isLoading = true;
    /** @type {Call[]} */
    const pages = [];
    for (let ask = /** @type {Ask | null} */ (first); ask !== null;) {
      const done = await call(ask, signal);
      if (done.problem === ABORTED) return;
      calls.set(done.id, done);
      if (done.problem !== null) {
        lane.failed = done;
        lane.isStale = lane.pages.length > 0 && !(isFirst && pages.length > 0);
        if (lane.pages.length === 0) await recall(lane, first, done);
        if (signal.aborted) return;
        break;
      }
      pages.push(done);
      if (pages.length === 1) lane.failed = null;
      if (isFirst) keep(lane, pages);
      ask = nextOf(lane, pages);
      if (isFirst && ask !== null) changed();
    }
    if (lane.failed === null) {
      keep(lane, pages);
      void last.keep(first, pages);
    }
    lane.isLoading = false;
    changed();
  }

  /** What was answered at an earlier visit, where nothing comes. @param {Lane} lane @param {Ask} first @param {Call} failed */
  async function recall(lane, first, failed) {
    const kept = await last.find(first, failed);
    if (kept === null || lane.failed !== failed) return;
    Object.assign(lane, { ...kept, isStale: true });
  }

  /** @param {Lane} lane @param {Call[]} pages @returns {Ask | null} */
  function nextOf(lane, pages) {
    const total = pages[0]?.body.total ?? 0;
    // The caller's plan may allow less than was asked for: `limit` is what the service applied.
    const offset = pages.reduce((sum, { body }) => sum + body.limit, 0);
    return lane.id === "nearby" && offset < Math.min(total, MOST)
      ? askNearby(state, { offset })
      : null;
  }

  /** @param {readonly Lane[]} which */
  async function readAll(which) {
    const { signal } = pending;
    clearTimeout(timer);
    await Promise.all(which.map((lane) => read(lane, signal)));
    if (signal.aborted) return;
    isHeld = false;
    settled();
    plan();
  }

  /** When something is asked for again by itself. */
  function plan() {
    clearTimeout(timer);
    const failed = IDS.map((id) => lanes[id].failed).filter((one) => one !== null);
    failures = failed.length === 0 ? 0 : failures + 1;
    const isPartial = lanes.nearby.pages[0]?.body.status === "partial";
    // Each page costs units, so that many of them are asked for more rarely.
    const calm_ms =
      isPartial && failures === 0 && !soon
        ? SOON_MS
        : calm.next(REFRESH_MS * Math.max(1, lanes.nearby.pages.length / 3));
    soon = isPartial;
    const retry_ms = RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] ?? 60_000;
    const wished_ms = Math.max(0, ...failed.map((one) => (one.retry_s ?? 0) * 1_000));
    timer = setTimeout(
      () => void refresh(),
      failures === 0 ? calm_ms : Math.max(retry_ms, wished_ms),
    );
  }

  /** Asks for what moves, what failed and what is old; nothing while the page is out of sight or offline. */
  async function refresh() {
    if (document.hidden || !navigator.onLine || !state.at || isLoading()) return plan();
    const now = Date.now();
    const due = IDS.map((id) => lanes[id]).filter(
      ({ id, failed, at_ms }) =>
        id === "nearby" || failed !== null || now - (at_ms ?? 0) > STILL_MS,
    );
    await readAll(due);
  }

  function isLoading() {
    return IDS.some((id) => lanes[id].isLoading);
  }

  return {
    lanes,
    /** Every call by its id, the newest of each. */
    calls,
    isLoading,
    /** All that is wanted has come, and nothing of it failed. */
    isWhole: () =>
      IDS.map((id) => lanes[id]).every(
        ({ failed, pages, isWanted }) => !isWanted || (failed === null && pages.length > 0),
      ),
    /** Answers about a new point are still expected, so that a list of them would jump. */
    isHeld: () => isHeld && isLoading(),
    /** The signal that ends when another point is chosen. */
    signal: () => pending.signal,
    /** Asks for everything about the point. What was known of another point is forgotten. */
    ask() {
      pending.abort();
      pending = new AbortController();
      failures = 0;
      soon = false;
      calm.end();
      const next = JSON.stringify(state.at);
      for (const id of IDS) {
        if (next !== place) Object.assign(lanes[id], toLane(id));
        lanes[id].isWanted = state.at !== null && ASKS[id](state) !== null;
        lanes[id].isLoading = lanes[id].isWanted;
        if (!lanes[id].isWanted) Object.assign(lanes[id], toLane(id));
      }
      if (next !== place) {
        isHeld = true;
        clearTimeout(hold);
        hold = setTimeout(() => {
          if (!isHeld) return;
          isHeld = false;
          changed();
        }, HOLD_MS);
      }
      place = next;
      changed();
      return state.at === null ? Promise.resolve() : readAll(IDS.map((id) => lanes[id]));
    },
    refresh,
    /** Asks now for what failed, or for everything that was asked once the line is back. */
    retry() {
      failures = 0;
      if (state.at && !isLoading()) return readAll(IDS.map((id) => lanes[id]));
      return Promise.resolve();
    },
  };
}

/** @param {Lane} lane @param {Call[]} pages */
function keep(lane, pages) {
  lane.pages = [...pages];
  lane.at_ms = Date.now();
  lane.isStale = false;
}

/** @param {LaneId} id @returns {Lane} */
function toLane(id) {
  return {
    id,
    pages: [],
    failed: null,
    at_ms: null,
    isLoading: false,
    isWanted: false,
    isStale: false,
  };
}
