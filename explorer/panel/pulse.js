/** How old what the map shows is, by its sources; tapped, it names them. */
import { byId, fill, h } from "../page/dom.js";
import { age } from "../page/format.js";
import { t } from "../page/texts.js";

/**
 * @typedef {{ name: string, state: "fresh" | "old" | "lost" | "waiting", age_s: number | null, isSeen: boolean }} Source
 * @typedef {{ kind: "none" | "open" | "broken" | "refused" | "numbers", message: string, age_s: number | null, sources: Source[] }} Reading
 * `age_s`: of the oldest source with things in view, seconds; null: not known, or none is in view
 */

const RANK = { lost: 0, old: 1, waiting: 2, fresh: 3 };

/** @param {{ read: () => Reading }} given */
export function createPulse({ read }) {
  const text = h("span", {});
  const opener = h("button", { type: "button", popovertarget: "pulse-list", hidden: true }, text);
  const list = byId("pulse-list");
  fill(byId("pulse"), opener);
  let drawn = "";
  const tick = () => {
    const reading = read();
    const words = wordsOf(reading);
    const isOld = reading.sources.some(({ state }) => state === "old" || state === "lost");
    opener.hidden = words === "";
    opener.className =
      reading.kind === "numbers" ? "still" : reading.kind === "open" && !isOld ? "" : "old";
    if (text.textContent !== words) text.textContent = words;
    if (!list.matches(":popover-open")) return;
    const lines = linesOf(reading);
    if (lines.join("\n") === drawn) return;
    drawn = lines.join("\n");
    fill(
      list,
      h("h2", {}, t("live.title")),
      h(
        "ul",
        {},
        lines.map((one) => h("li", { dir: "auto" }, one)),
      ),
    );
  };
  list.addEventListener("toggle", () => {
    drawn = "";
    tick();
  });
  const timer = setInterval(() => {
    if (!document.hidden) tick();
  }, 1_000);
  return { tick, close: () => clearInterval(timer) };
}

/** @param {Reading} reading */
function wordsOf({ kind, age_s }) {
  if (kind === "none") return "";
  if (kind === "numbers") return t("live.numbers");
  if (kind === "refused") return t("live.refused");
  if (age_s === null) return t(kind === "open" ? "live.on" : "live.broken");
  return t(kind === "open" ? "live.age" : "live.broken.age", { age: age(age_s) });
}

/** Several sources of one name and state are one: the oldest that is dated. @param {readonly Source[]} sources @returns {Source[]} */
function toLines(sources) {
  /** @type {Map<string, Source>} */
  const lines = new Map();
  for (const source of sources) {
    const key = JSON.stringify([source.name, source.state]);
    const known = lines.get(key);
    if (known === undefined || (source.age_s ?? -1) > (known.age_s ?? -1)) lines.set(key, source);
  }
  return [...lines.values()];
}

/** @param {Reading} reading @returns {string[]} */
function linesOf({ kind, message, sources }) {
  if (kind === "numbers") return [t("live.numbers.more")];
  if (kind === "refused") return [t("live.refused.more"), ...(message === "" ? [] : [message])];
  const sorted = toLines(sources).toSorted(
    (a, b) => RANK[a.state] - RANK[b.state] || (b.age_s ?? 0) - (a.age_s ?? 0),
  );
  return sorted.map(({ name, state, age_s }) => {
    const key = age_s === null ? "live.source.undated" : `live.source.${state}`;
    return `${name}: ${t(state === "waiting" ? "live.source.waiting" : key, { age: age(age_s) })}`;
  });
}
