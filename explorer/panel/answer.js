/** The answer as a whole: who was asked, how long each took, and from where it came. */
import { ABORTED, call } from "../data/api.js";
import { askNearby, askServices, askTransport } from "../data/asks.js";
import { byId, fill, h } from "../page/dom.js";
import { age, count, UNKNOWN, words } from "../page/format.js";

/** @param {{ state: import("../page/state.js").State }} given */
export function createAnswer({ state }) {
  const box = byId("answer");
  let pending = new AbortController();
  let stale = true;

  const read = async () => {
    if (!stale || box.hidden) return;
    stale = false;
    pending.abort();
    pending = new AbortController();
    const more = { debug: true };
    const asks = [
      askNearby(state, more),
      askServices(state, more),
      askTransport(state, more),
    ].filter((one) => one !== null);
    fill(box, h("p", { class: "quiet" }, "Asking the same once more, with reasons …"));
    const done = await Promise.all(asks.map((one) => call(one, pending.signal)));
    if (done.some(({ problem }) => problem === ABORTED)) return;
    fill(
      box,
      done.map(toPart),
      done.length === 0 ? h("p", { class: "quiet" }, "Nothing is asked yet.") : null,
    );
  };
  box.addEventListener("opened", () => void read());
  return {
    changed() {
      stale = true;
      void read();
    },
  };
}

/** @param {import("../data/api.js").Call} done */
function toPart({ title, path, problem, body, ms }) {
  const head = h(
    "div",
    { class: "head" },
    h("h3", {}, title),
    h("span", { class: "quiet" }, `${ms} ms`),
  );
  if (problem !== null)
    return h("section", { class: "part" }, head, h("p", { class: "bad" }, capitalised(problem)));
  const { debug } = body;
  return h(
    "section",
    { class: "part" },
    head,
    h(
      "p",
      {},
      h("span", { class: `pill ${body.status}` }, body.status),
      ` ${body.total ?? 0} found. `,
      body.message ?? "",
    ),
    debug?.resolution
      ? h(
          "p",
          { class: "quiet" },
          Object.entries(debug.resolution)
            .map(([name, n]) => `${n} ${words(name)}`)
            .join(" · "),
        )
      : null,
    debug?.realtime?.fresh === undefined
      ? null
      : h(
          "p",
          { class: "quiet" },
          `${debug.realtime.fresh} fresh · ${debug.realtime.stale} stale · ${debug.realtime.unknown} of unknown age`,
        ),
    toTable(path, debug ?? {}),
  );
}

/** @param {string} text */
const capitalised = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

/** @param {string} path @param {any} debug */
function toTable(path, debug) {
  const rows = debug.providers
    ? Object.entries(debug.providers).map(([id, one]) => [
        id,
        one.status,
        one.raw_count,
        one.returned_count,
        debug.cache ?? null,
        null,
        one.reason ?? null,
      ])
    : (debug.sources ?? []).map((/** @type {any} */ one) => {
        const details = debug.orchestration?.sources.find(
          (/** @type {any} */ other) => other.source_id === one.source_id,
        );
        return [
          one.source_id,
          one.status,
          one.raw_count,
          one.matched_count,
          details?.cache ?? null,
          details ?? null,
          one.reason,
        ];
      });
  if (rows.length === 0) return null;
  const names = ["Source", "Status", "Time", "Cache", "Age", "Seen", "Used"];
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": `Sources of ${path}` },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          names.map((name) => h("th", { scope: "col" }, name)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((/** @type {any[]} */ [id, status, seen, used, cache, details, reason]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, id),
            h(
              "td",
              {},
              h("span", { class: `pill ${status}`, title: reason ?? "" }, status),
              reason ? ` ${words(reason)}` : null,
            ),
            h(
              "td",
              {},
              typeof details?.elapsed_ms === "number" ? `${details.elapsed_ms} ms` : UNKNOWN,
            ),
            h("td", {}, cache ?? UNKNOWN),
            h("td", {}, age(details?.age_s)),
            h("td", {}, count(seen)),
            h("td", {}, count(used)),
          ),
        ),
      ),
    ),
  );
}
