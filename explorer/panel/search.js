/** The search box: places of the service by name or by what they are, or coordinates as they are. */
import { call, ABORTED } from "../data/api.js";
import { askClasses, askPlaces } from "../data/asks.js";
import { classesOf } from "../data/class-words.js";
import { byId, fill, h, line } from "../page/dom.js";
import { coordinates, distance, openWords, words } from "../page/format.js";
import { walkWords } from "../page/foot.js";
import { readPoint } from "../page/state.js";
import { t } from "../page/texts.js";

/** @typedef {{ lat: number, lon: number }} Point */

const PAUSE_MS = 160;

/** @param {{ assets: string, at: () => Point | null, chosen: (point: Point, label: string | null) => void }} handlers */
export function createSearch({ assets, at, chosen }) {
  const input = byId("q");
  const box = byId("found");
  /** @type {{ name: string, label: string, type: string, location: Point }[]} */
  let found = [];
  let marked = -1;
  let timer = 0;
  let pending = new AbortController();

  const close = () => {
    box.hidden = true;
    marked = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const mark = (/** @type {number} */ n) => {
    marked = n;
    [...box.children].forEach((element, at_) =>
      element.setAttribute("aria-selected", String(at_ === n)),
    );
    if (n >= 0) input.setAttribute("aria-activedescendant", `found-${n}`);
  };
  const choose = (/** @type {number} */ n) => {
    const place = found[n];
    if (!place) return;
    input.value = place.name;
    close();
    chosen(place.location, place.name);
  };
  const open = (/** @type {any[]} */ children) => {
    fill(box, children);
    box.hidden = false;
    input.setAttribute("aria-expanded", "true");
  };
  const toNote = (/** @type {string} */ text) =>
    h(
      "li",
      { class: "none", role: "option", "aria-disabled": "true", "aria-selected": "false" },
      text,
    );
  const note = (/** @type {string} */ text) => open([toNote(text)]);

  /** @param {string} text @param {boolean} isFinal that nothing was found is said once the text is final */
  const search = async (text, isFinal) => {
    pending.abort();
    const { signal } = (pending = new AbortController());
    const point = at();
    const [done, near] = await Promise.all([
      call(askPlaces(text, point), signal),
      point === null ? null : askNear(text, point, signal),
    ]);
    if (done.problem === ABORTED || signal.aborted) return;
    found = [];
    const problem = near?.problem ?? done.problem;
    const results = [...(near?.body?.results ?? []).map(toOffer), ...(done.body?.results ?? [])];
    const failed = problem === null ? null : t("search.failed", { problem });
    if (results.length > 0) return offer(results, failed);
    if (failed !== null) return note(failed);
    // Why nothing is known of what is near is more than that no place has this name.
    const message = near?.body?.message;
    if (message) return note(message);
    return isFinal ? note(t("search.none")) : close();
  };

  /** What is near of the class that a text names; null: it names none. @param {string} text @param {Point} point @param {AbortSignal} signal */
  const askNear = async (text, point, signal) => {
    const classes = await classesOf(assets, text);
    return classes === "" || signal.aborted ? null : call(askClasses(classes, point), signal);
  };

  /** `more`: what is said below them. @param {typeof found} places @param {string | null} [more] */
  const offer = (places, more = null) => {
    found = places;
    open([
      ...found.map((place, n) =>
        h(
          "li",
          {
            id: `found-${n}`,
            role: "option",
            "aria-selected": "false",
            onmousedown: (/** @type {Event} */ event) => event.preventDefault(),
            onclick: () => choose(n),
          },
          h("span", { dir: "auto" }, place.name),
          h("small", { dir: "auto" }, place.label === place.name ? words(place.type) : place.label),
        ),
      ),
      ...(more === null ? [] : [toNote(more)]),
    ]);
    mark(0);
  };

  input.addEventListener("input", () => {
    clearTimeout(timer);
    const text = input.value.trim();
    const point = readPoint(text);
    if (point)
      return offer([
        { name: coordinates(point), label: t("search.point"), type: "", location: point },
      ]);
    // What was offered for another text is chosen no more.
    mark(-1);
    if (text.length < 2) return close();
    timer = setTimeout(() => void search(text, false), PAUSE_MS);
  });
  input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (box.hidden || found.length === 0) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      mark((marked + step + found.length) % found.length);
    }
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
    }
  });
  input.addEventListener("blur", () => setTimeout(close, 120));
  byId("search").addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    clearTimeout(timer);
    const text = input.value.trim();
    const point = readPoint(text);
    if (point) {
      close();
      return chosen(point, null);
    }
    if (!box.hidden && marked >= 0) return choose(marked);
    if (text !== "") await search(text, true);
  });

  const here = byId("here");
  here.append(line("M12 2v3m0 14v3M2 12h3m14 0h3M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10Z"));
  here.addEventListener("click", () => {
    navigator.geolocation?.getCurrentPosition(
      ({ coords }) => chosen({ lat: coords.latitude, lon: coords.longitude }, null),
      () => note(t("search.nowhere")),
    );
  });
}

/** A place of a class, with how far it is and whether it is open. @param {any} place */
function toOffer({ name, place_class, location, walk, distance_meters, attributes }) {
  const away = walkWords(walk) ?? distance(distance_meters);
  const label = [away, openWords(attributes)].filter(Boolean).join(" · ");
  return { name, label, type: place_class, location };
}
