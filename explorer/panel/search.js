/** The search box: places of the service, or coordinates as they are. */
import { call, ABORTED } from "../data/api.js";
import { askPlaces } from "../data/asks.js";
import { byId, fill, h, line } from "../page/dom.js";
import { coordinates, words } from "../page/format.js";
import { readPoint } from "../page/state.js";
import { t } from "../page/texts.js";

/** @typedef {{ lat: number, lon: number }} Point */

const PAUSE_MS = 160;

/** @param {{ at: () => Point | null, chosen: (point: Point, label: string | null) => void }} handlers */
export function createSearch({ at, chosen }) {
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
  const note = (/** @type {string} */ text) =>
    open([
      h(
        "li",
        { class: "none", role: "option", "aria-disabled": "true", "aria-selected": "false" },
        text,
      ),
    ]);

  /** @param {string} text @param {boolean} isFinal that nothing was found is said once the text is final */
  const search = async (text, isFinal) => {
    pending.abort();
    pending = new AbortController();
    const done = await call(askPlaces(text, at()), pending.signal);
    if (done.problem === ABORTED) return;
    found = [];
    if (done.problem !== null) return note(t("search.failed", { problem: done.problem }));
    const results = done.body?.results ?? [];
    if (results.length === 0) return isFinal ? note(t("search.none")) : close();
    offer(results);
  };

  const offer = (/** @type {typeof found} */ places) => {
    found = places;
    open(
      found.map((place, n) =>
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
    );
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
