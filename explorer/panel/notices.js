/** Notices of what failed and what can be done about it. */
import { byId, fill, h, line } from "../page/dom.js";
import { distance, words } from "../page/format.js";
import { MOBILITY_REACH_M } from "../data/asks.js";
import { RADII } from "../page/state.js";

/** @typedef {{ kind: "error" | "partial" | "note" | "empty", text: string, action?: { label: string, run: () => void } }} Notice */

const MARKS = {
  error: "M12 8v5m0 3.500v.01M12 3 2.500 20h19L12 3Z",
  partial: "M12 8v5m0 3.500v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z",
  note: "M12 11v5m0-8.500v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z",
  empty: "M12 11v5m0-8.500v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z",
};

/** @param {{ retry: () => void, widen: (metres: number) => void }} given */
export function createNotices({ retry, widen }) {
  /** @type {Map<string, Notice>} */
  const fixed = new Map();
  /** @type {Notice[]} */
  let current = [];
  let drawn = "";
  const draw = () => {
    const all = [...fixed.values(), ...current];
    const signature = JSON.stringify(all);
    if (signature === drawn) return;
    drawn = signature;
    fill(byId("notices"), all.map(toElement));
  };
  return {
    /** @param {string} id @param {Notice | null} notice */
    set(id, notice) {
      if (notice) fixed.set(id, notice);
      else fixed.delete(id);
      draw();
    },
    /** @param {{ calls: any[], items: any[], state: any, waiting: number, sources: any[] }} now */
    update({ calls, items, state, waiting, sources }) {
      current = [...ofCalls(calls, retry), ...ofTerms(items, sources), ...ofReach(state)];
      if (
        state.at &&
        waiting === 0 &&
        items.length === 0 &&
        calls.every(({ problem }) => problem === null)
      ) {
        const wider = RADII.find((metres) => metres > state.radius);
        const text = calls.length === 0 ? "Everything is switched off." : emptyWords(calls);
        const action =
          wider && calls.length > 0
            ? { action: { label: `Look within ${distance(wider)}`, run: () => widen(wider) } }
            : {};
        current.push({ kind: "empty", text, ...action });
      }
      draw();
    },
  };
}

/** @param {any[]} calls @param {() => void} retry @returns {Notice[]} */
function ofCalls(calls, retry) {
  const first = new Map(calls.map((one) => [one.title, one]));
  const noticesOf = (/** @type {any} */ { title, problem, retry_s, body }) => {
    if (problem !== null) {
      const later = retry_s === null ? "" : ` Again in ${retry_s} s.`;
      return [
        {
          kind: /** @type {const} */ ("error"),
          text: `${title}: ${problem}.${later}`,
          action: { label: "Try again", run: retry },
        },
      ];
    }
    const partial =
      body?.status === "partial"
        ? [
            {
              kind: /** @type {const} */ ("partial"),
              text: `${title}: ${body.message ?? "the answer may be incomplete."}`,
            },
          ]
        : [];
    return [...partial, ...ofCuts(title, body?.notices ?? [])];
  };
  return [...first.values()].flatMap((one) => /** @type {Notice[]} */ (noticesOf(one)));
}

/** What the answers say of their emptiness, each once. @param {any[]} calls */
function emptyWords(calls) {
  const said = calls.flatMap(({ body }) => (body?.status === "empty" ? [body.message] : []));
  const text = [...new Set(said)].join(" ");
  return text || "Nothing here. That is an answer of all that were asked, not a failure.";
}

/** Where a list was cut; the message does not say it. @param {string} title @param {any[]} notices */
function ofCuts(title, notices) {
  return notices
    .filter(({ cut }) => cut !== null)
    .map(({ message }) => ({ kind: /** @type {const} */ ("note"), text: `${title}: ${message}` }));
}

/** @param {any[]} items @param {any[]} sources @returns {Notice[]} */
function ofTerms(items, sources) {
  const kept = items.filter(({ onMap }) => !onMap);
  if (kept.length === 0) return [];
  const named = new Map(sources.map(({ id, name }) => [id, name]));
  const who = [...new Set(kept.map(({ source }) => named.get(source) ?? source))].join(", ");
  const what = [...new Set(kept.map(({ kind }) => words(kind)))].join(" and ");
  return [
    {
      kind: "note",
      text: `${what} from ${who}: in the list only, since its terms allow its results on no other map than its own.`,
    },
  ];
}

/** @param {any} state @returns {Notice[]} */
function ofReach({ at, radius, kinds }) {
  const modes = ["bicycle", "scooter", "moped", "car"].some((id) => kinds.has(id));
  if (!at || radius <= MOBILITY_REACH_M || !modes) return [];
  return [
    {
      kind: "note",
      text: `Shared mobility is shown within ${MOBILITY_REACH_M} m, the inner circle.`,
    },
  ];
}

/** @param {Notice} notice */
function toElement({ kind, text, action }) {
  const button = action ? h("button", { type: "button", onclick: action.run }, action.label) : null;
  return h(
    "div",
    { class: `notice ${kind}`, role: kind === "error" ? "alert" : null },
    line(MARKS[kind], 16),
    h("p", {}, text),
    button,
  );
}
