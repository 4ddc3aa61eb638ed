/** What is shown next to the results: the sources, the name of the place, the weather. */
import { reachOf } from "../page/state.js";
import { ABORTED, call, toTarget } from "./api.js";
import { listBases } from "./bases.js";
import { askAddress, askReach, askSources, askWeather, askWorld } from "./asks.js";

/** @typedef {import("./api.js").Ask} Ask @typedef {import("./api.js").Call} Call */

/**
 * @param {{ state: import("../page/state.js").State, settings: import("../page/settings.js").Settings,
 *   session: ReturnType<typeof import("./session.js").createSession>, weather: (done: Call) => void, changed: () => void,
 *   begin: (point: { lat: number, lon: number }) => void, last: import("../offline/last-answers.js").LastAnswers }} given
 * `weather`: called with each answer of the weather, also where it failed; `begin`: with the point where the
 * page begins that has none; `last`: what earlier visits were answered
 */
export function createAround({ state, settings, session, weather, changed, begin, last }) {
  /** `failed`: the newest attempts that failed, by id of the question. @type {{ sources: any[], address: string | null, failed: Map<string, Call> }} */
  const known = { sources: [], address: null, failed: new Map() };
  /** What can be reached on foot, and by which question. @type {{ target: string, outline: any }} */
  let reach = { target: "", outline: null };

  /** @param {Ask} question @param {(done: Call) => void} keep @param {(done: Call) => void} [fail] */
  async function read(question, keep, fail) {
    const done = await call(question, session.signal());
    if (done.problem === ABORTED) return;
    session.calls.set(done.id, done);
    if (done.problem === null) {
      known.failed.delete(done.id);
      keep(done);
    } else {
      known.failed.set(done.id, done);
      fail?.(done);
    }
    changed();
  }

  /** Asks for what lasts for a while: while none comes, the last answer is shown. @param {Ask} question @param {(done: Call) => void} keep */
  async function readLasting(question, keep) {
    await read(
      question,
      (done) => {
        keep(done);
        void last.keep(question, [done]);
      },
      (failed) => void recall(question, failed, keep),
    );
  }

  /** @param {Ask} question @param {Call} failed @param {(done: Call) => void} keep */
  async function recall(question, failed, keep) {
    const [page] = (await last.find(question, failed))?.pages ?? [];
    if (!page || known.failed.get(question.id) !== failed) return;
    keep(page);
    changed();
  }

  const targetOf = (/** @type {Ask | null} */ question) =>
    question === null ? "" : toTarget(question);

  /** The outline is kept as long as the question is the same. */
  async function readReach() {
    const question = askReach(state);
    const target = targetOf(question);
    known.failed.delete("reach");
    if (target === reach.target && reach.outline !== null) return;
    reach = { target, outline: null };
    if (question === null) return;
    await read(question, ({ body }) => {
      if (reach.target === target) reach = { target, outline: body };
    });
  }

  return {
    known,
    /** The outline of what can be reached on foot, as GeoJSON; null: a circle is looked at, or it is not known. */
    outline: () => (targetOf(askReach(state)) === reach.target ? reach.outline : null),
    /** @param {{ lat: number, lon: number }} at */
    async ask(at) {
      await Promise.all([
        readReach(),
        readLasting(askSources(at, reachOf(state)), ({ body }) => (known.sources = body.sources)),
        known.address
          ? null
          : readLasting(askAddress(at), ({ body }) => (known.address = nameOf(body.results ?? []))),
        settings.weather === null
          ? null
          : read(askWeather(settings.weather.now, at), weather, weather),
      ]);
    },
    /** Without a point: what there is in the world. */
    async askWorld() {
      changed();
      await read(askWorld(), ({ body }) => (known.sources = body.sources));
      // The only base that is imported is where there is something to see.
      const [base, ...others] = listBases(known.sources);
      if (base && others.length === 0 && !state.at) {
        state.at = { lat: base.lat, lon: base.lon };
        begin(state.at);
      }
      performance.mark("vicinity-answer");
    },
  };
}

/** What a person would call the spot: rather a street than a code. @param {any[]} candidates */
export function nameOf(candidates) {
  const best = candidates.find(({ type }) => type !== "unknown") ?? candidates[0];
  return best?.name || best?.label || "";
}

/** The newest call of each question that the view is made of. @param {ReturnType<typeof import("./session.js").createSession>} session @param {import("../page/state.js").State} state */
export function listCalls({ lanes, calls }, { minutes }) {
  const wanted = new Set(
    Object.values(lanes).flatMap(({ pages, failed }) => [...pages, ...(failed ? [failed] : [])]),
  );
  const around_ids = minutes === null ? ["sources"] : ["sources", "reach"];
  return [...calls.values()].filter((one) => wanted.has(one) || around_ids.includes(one.id));
}
