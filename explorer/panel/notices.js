/** Notices of what failed and what can be done about it. Failures are one banner, however many. */
import { byId, fill, h, line } from "../page/dom.js";
import { boundWords } from "../page/foot.js";
import { age, distance, kindTitle, withCommas } from "../page/format.js";
import { MOBILITY_REACH_M } from "../data/asks.js";
import { isNowhere, MINUTES, RADII, reachOf } from "../page/state.js";
import { hasText, language, t } from "../page/texts.js";
import { isolate } from "./names.js";

/**
 * @typedef {import("../data/session.js").Lane} Lane @typedef {import("../data/items.js").Item} Item
 * @typedef {import("../page/state.js").State} State @typedef {(bound: import("./summary.js").Bound) => void} Widen
 * @typedef {{ id: string, kind: "error" | "partial" | "note" | "empty", title?: string, lines: string[], action?: { label: string, run: () => void }, close?: () => void }} Notice
 */

const MARKS = {
  error: "M12 8v5m0 3.500v.01M12 3 2.500 20h19L12 3Z",
  partial: "M12 8v5m0 3.500v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z",
  note: "M12 11v5m0-8.500v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z",
  empty: "M12 11v5m0-8.500v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z",
};
/** Causes that stay until the operator acts or another point is chosen. */
const LASTING = new Set(["not configured", "does not cover this point"]);
/** Lines of sources in the banner; more are counted. */
const LINES = 3;

/** @param {{ retry: () => void, widen: Widen }} given */
export function createNotices({ retry, widen }) {
  /** @type {Map<string, Notice>} */
  const fixed = new Map();
  /** Closed by the user, until the page is loaded again. @type {Set<string>} */
  const closed = new Set();
  /** @type {Notice[]} */
  let current = [];
  let drawn = "";
  if (isNowhere(location.search))
    fixed.set("at", {
      ...{ id: "at", kind: "partial", lines: [t("notice.at")] },
      close: () => close("at"),
    });
  const draw = () => {
    const all = [...fixed.values(), ...current].filter(({ id }) => !closed.has(id));
    const signature = JSON.stringify(all);
    if (signature === drawn) return;
    drawn = signature;
    // What failed is said above the results, what is good to know below them.
    const isNote = (/** @type {Notice} */ { kind }) => kind === "note";
    fill(byId("notices"), all.filter((one) => !isNote(one)).map(toElement));
    fill(byId("notes"), all.filter(isNote).map(toElement));
  };
  const close = (/** @type {string} */ id) => {
    closed.add(id);
    draw();
  };
  return {
    /** @param {string} id @param {Omit<Notice, "id"> | null} notice */
    set(id, notice) {
      if (notice) fixed.set(id, { id, ...notice });
      else fixed.delete(id);
      draw();
    },
    /**
     * @param {{ lanes: Record<string, Lane>, others: import("../data/api.js").Call[], items: Item[], state: State, isLoading: boolean, sources: any[] }} now
     * `others`: answers around the results that failed, such as the weather
     */
    update({ lanes, others, items, state, isLoading, sources }) {
      const wanted = Object.values(lanes).filter(({ isWanted }) => isWanted);
      current = [
        ...ofFailures(wanted, others, retry),
        ...(state.at ? [] : ofSources(sources, retry)),
        ...ofCuts(wanted),
        ...ofTerms(items, sources, close),
        ...ofReach(state, close),
      ];
      const isRead = wanted.every(({ failed, pages }) => failed === null && pages.length > 0);
      if (state.at && !isLoading && items.length === 0 && isRead && wanted.length > 0)
        current.push(ofEmptiness(wanted, state, widen));
      draw();
    },
  };
}

/** One banner for everything that failed: which, why, and how old what is shown is. @param {Lane[]} lanes @param {import("../data/api.js").Call[]} others @param {() => void} retry @returns {Notice[]} */
function ofFailures(lanes, others, retry) {
  const failed = lanes.filter((lane) => lane.failed !== null);
  const partial = lanes.filter(
    (lane) => lane.failed === null && lane.pages[0]?.body.status === "partial",
  );
  const action = { label: t("notice.retry"), run: retry };
  const oldest = Math.min(...failed.flatMap(({ at_ms }) => at_ms ?? []));
  const kept = Number.isFinite(oldest) ? [t("notice.kept", { age: minutesOf(oldest) })] : [];
  if (!navigator.onLine) {
    const lines = [t("notice.offline.kept"), ...kept];
    return [{ id: "line", kind: "error", title: t("notice.offline"), lines, action }];
  }
  const reasons = new Set(failed.map(({ failed: one }) => one?.problem));
  const lines = [
    // One cause for all is said once.
    ...(failed.length > 1 && reasons.size === 1
      ? [t("notice.all", { problem: [...reasons][0] ?? "" })]
      : failed.map(({ failed: one }) =>
          t("notice.lane", { lane: one?.title ?? "", problem: one?.problem ?? "" }),
        )),
    ...others.map(({ title, problem }) =>
      t("notice.lane", { lane: title, problem: problem ?? "" }),
    ),
    ...partial.flatMap(({ pages }) => linesOf(pages[0])),
  ];
  if (lines.length === 0) return [];
  const waits = Math.max(0, ...failed.map(({ failed: one }) => one?.retry_s ?? 0));
  lines.push(...kept);
  if (waits > 0) lines.push(t("notice.later", { seconds: waits }));
  const title = t(failed.length > 0 ? "notice.failed" : "notice.partial");
  if (failed.length === 0 && others.length === 0 && partial.every(isLasting))
    return [{ id: "failures", kind: "note", title, lines }];
  return [{ id: "failures", kind: failed.length > 0 ? "error" : "partial", title, lines, action }];
}

/** Without a point: what is known of the world lacks what these would have named, catalogues first. @param {any[]} sources @param {() => void} retry @returns {Notice[]} */
function ofSources(sources, retry) {
  const failing = sources
    .filter(({ state, problem }) => problem && FAILING.has(state))
    .toSorted((a, b) => Number(isCatalogue(b)) - Number(isCatalogue(a)));
  if (failing.length === 0) return [];
  const lines = failing.slice(0, LINES).map(({ id, name, problem: { word, message } }) =>
    sayNotice({
      source: name ?? id,
      cause: word,
      age_s: null,
      message: `${name ?? id}: ${message}`,
    }),
  );
  if (failing.length > LINES) lines.push(t("notice.others", { n: failing.length - LINES }));
  const action = { label: t("notice.retry"), run: retry };
  return [{ id: "sources", kind: "partial", title: t("notice.partial"), lines, action }];
}

const FAILING = new Set(["error", "unauthorized", "timeout", "unavailable"]);

/** @param {{ id: string }} source */
function isCatalogue({ id }) {
  return /(?:_catalogue|_networks)$/.test(id);
}

/** Asking again would change nothing. @param {Lane} lane */
function isLasting({ pages }) {
  const said = (pages[0]?.body.notices ?? []).filter((/** @type {any} */ one) => one.cut === null);
  return said.length > 0 && said.every((/** @type {any} */ { cause }) => LASTING.has(cause));
}

/** By whole minutes, so that the banner is not drawn again every second. @param {number} at_ms */
function minutesOf(at_ms) {
  return age(60 * Math.max(1, Math.round((Date.now() - at_ms) / 60_000)));
}

/** What an answer says of the sources that it lacks. @param {import("../data/api.js").Call | undefined} call */
function linesOf(call) {
  const { title = "", body } = call ?? {};
  const named = (body?.notices ?? []).filter(
    (/** @type {any} */ one) => one.cut === null && one.source !== null,
  );
  const messages = [...new Set(named.map(sayNotice))];
  const lines = messages
    .slice(0, LINES)
    .map((message) => t("notice.lane", { lane: title, problem: bare(message) }));
  if (messages.length > LINES) lines.push(t("notice.others", { n: messages.length - LINES }));
  if (lines.length > 0) return lines;
  return [
    t("notice.lane", { lane: title, problem: bare(body?.message ?? t("notice.incomplete")) }),
  ];
}

/**
 * A notice in the words of the page, where it has some for the cause, and as the service says it where it
 * has none. @param {{ source: string, cause: string | null, age_s: number | null, message: string }} notice
 */
export function sayNotice({ source, cause, age_s, message }) {
  const key = `problem.${cause?.replaceAll(" ", "_")}`;
  if (language() === "en" || !hasText(key)) return message;
  const old = age_s === null ? "" : ` · ${t("list.old", { age: age(age_s) })}`;
  return `${isolate(source)}: ${t(key)}${old}`;
}

/** Without its full stop, which the line adds. @param {unknown} text */
function bare(text) {
  return String(text).replace(/\.\s*$/, "");
}

/** The next larger circle or time; null: there is none. @param {State} state */
function widerThan({ radius, minutes }) {
  if (minutes === null) {
    const next = RADII.find((metres) => metres > radius);
    return next === undefined ? null : { radius: next, minutes: null };
  }
  const next = MINUTES.find((one) => one > minutes);
  return next === undefined ? null : { radius, minutes: next };
}

/** Where nothing was found: whether nothing is there is known only if no answer lacks a source. @param {Lane[]} lanes @param {State} state @param {Widen} widen @returns {Notice} */
function ofEmptiness(lanes, state, widen) {
  const said = lanes.flatMap(({ pages }) =>
    pages[0]?.body.status === "empty" ? [pages[0].body.message] : [],
  );
  const isPartial = lanes.some(({ pages }) => pages[0]?.body.status === "partial");
  const lines = isPartial ? [t("notice.empty.partial")] : [...new Set(said.filter(Boolean))];
  const wider = widerThan(state);
  return {
    id: "empty",
    kind: "empty",
    lines: [...(lines.length > 0 ? lines : [t("notice.empty")]), ...beyondLines(lanes)],
    ...(wider
      ? {
          action: {
            label: t("notice.widen", { radius: boundWords(wider) }),
            run: () => widen(wider),
          },
        }
      : {}),
  };
}

/** Clockwise from north. */
const ARROWS = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"];

/** How far the next vehicle or station is, and where: the direction in words of no language. @param {Lane[]} lanes */
function beyondLines(lanes) {
  const beyond = lanes.flatMap(({ pages }) => pages[0]?.body.beyond ?? [])[0];
  if (!beyond) return [];
  const arrow = ARROWS[Math.round(beyond.bearing / (360 / ARROWS.length)) % ARROWS.length];
  return [t("notice.beyond", { distance: `${distance(beyond.distance_meters)} ${arrow}` })];
}

/** Where a list was cut; further pages of shared mobility come by themselves. @param {Lane[]} lanes @returns {Notice[]} */
function ofCuts(lanes) {
  return lanes
    .filter(({ id }) => id !== "nearby")
    .flatMap(({ pages }) => pages)
    .flatMap(({ title, body }) =>
      (body.notices ?? [])
        .filter((/** @type {any} */ { cut }) => cut !== null)
        .map((/** @type {any} */ { message }) => ({
          id: `cut-${title}`,
          kind: /** @type {const} */ ("note"),
          lines: [t("notice.lane", { lane: title, problem: bare(message) })],
        })),
    );
}

/** @param {Item[]} items @param {any[]} sources @param {(id: string) => void} close @returns {Notice[]} */
function ofTerms(items, sources, close) {
  const kept = items.filter(({ onMap }) => !onMap);
  if (kept.length === 0) return [];
  const named = new Map(sources.map(({ id, name }) => [id, name]));
  const source = withCommas([
    ...new Set(kept.map((item) => named.get(item.source) ?? item.source)),
  ]);
  const kinds = withCommas([...new Set(kept.map(({ kind }) => kindTitle(kind)))]);
  return [
    {
      id: "terms",
      kind: "note",
      lines: [t("notice.terms", { kinds, source })],
      close: () => close("terms"),
    },
  ];
}

/** @param {State} state @param {(id: string) => void} close @returns {Notice[]} */
function ofReach(state, close) {
  const { at, kinds } = state;
  const modes = ["bicycle", "scooter", "moped", "car"].some((id) => kinds.has(id));
  if (!at || reachOf(state) <= MOBILITY_REACH_M || !modes) return [];
  const text = t("notice.reach", { radius: distance(MOBILITY_REACH_M) });
  return [{ id: "reach", kind: "note", lines: [text], close: () => close("reach") }];
}

/** @param {Notice} notice */
function toElement({ kind, title, lines, action, close }) {
  return h(
    "div",
    { class: `notice ${kind}`, role: kind === "error" ? "alert" : null },
    line(MARKS[kind], 16),
    h(
      "div",
      {},
      title ? h("strong", {}, title) : null,
      lines.map((text) => h("p", {}, text)),
    ),
    action ? h("button", { type: "button", onclick: action.run }, action.label) : null,
    close
      ? h(
          "button",
          { type: "button", class: "close", "aria-label": t("notice.close"), onclick: close },
          line("M6 6l12 12M18 6 6 18", 14),
        )
      : null,
  );
}
