/** The search box: kinds, classes and places as they are typed, or coordinates as they are. */
import { readWords } from "../data/class-words.js";
import { readCoordinates } from "../data/coordinates.js";
import { createFinder } from "../data/finder.js";
import { byId, line } from "../page/dom.js";
import { capital, coordinates, kindTitle } from "../page/format.js";
import { kindOf } from "../page/kinds.js";
import { language, t } from "../page/texts.js";
import { isNamed, toNamed, toNear } from "./place-options.js";
import { createSuggestions } from "./suggestions.js";

/** @typedef {{ lat: number, lon: number }} Point @typedef {import("./suggestions.js").Suggestion} Suggestion */

/** So long someone who types is waited for. */
const PAUSE_MS = 160;
const SHORTEST = 2;

/**
 * @param {{ assets: string, at: () => Point | null, chosen: (point: Point, label: string | null) => void, only: (kind: string) => void, say: (text: string) => void }} handlers
 * `only`: a kind alone is wanted; `say`: announces to a screen reader
 */
export function createSearch({ assets, at, chosen, only, say }) {
  const input = byId("q");
  const box = createSuggestions(input, say);
  const find = createFinder();
  let timer = 0;
  let pending = new AbortController();

  const stop = () => {
    clearTimeout(timer);
    pending.abort();
    input.removeAttribute("aria-busy");
  };
  const close = () => {
    stop();
    box.close();
  };
  const toPlace = (/** @type {import("./place-options.js").PlaceOption} */ option) => ({
    ...option,
    key: JSON.stringify([option.name, option.location.lat, option.location.lon]),
    run() {
      input.value = option.name;
      close();
      chosen(option.location, option.name);
    },
  });

  /** What a text means here: kinds to show alone, and classes that it begins. @param {Awaited<ReturnType<typeof readWords>>} words @param {string} text @returns {Suggestion[]} */
  const toMeanings = (words, text) =>
    (at() === null || words === null ? [] : words.meaningsOf(text, language()))
      // The nearest of a class that is named whole come by themselves.
      .filter(({ isKind, isExact }) => isKind || !isExact)
      .map(({ id, isKind }) => {
        if (isKind) return toKind(id);
        const name = capital(words?.nameOf(id, language()) ?? id);
        const run = () => {
          input.value = name;
          void search(name);
        };
        return { key: `class ${id}`, name, label: t("search.class"), run };
      });

  /** @param {string} id @returns {Suggestion} */
  const toKind = (id) => {
    const { icon } = kindOf(id);
    return {
      ...{ key: `kind ${id}`, name: kindTitle(id), label: t("search.only"), icon },
      run() {
        input.value = "";
        close();
        only(id);
      },
    };
  };

  /** Shows what is known of a text at once, and the rest as it comes. @param {string} text @param {number} [pause_ms] */
  async function search(text, pause_ms = 0) {
    stop();
    const { signal } = (pending = new AbortController());
    input.setAttribute("aria-busy", "true");
    const looking = { text: t("search.looking") };
    const words = await readWords(assets);
    if (signal.aborted) return;
    const meanings = toMeanings(words, text);
    box.show(meanings, looking);
    const classes = words?.classesOf(text) ?? "";
    timer = setTimeout(
      () => void find(text, { point: at(), classes, signal, report }).catch(fail),
      pause_ms,
    );

    /** @param {import("../data/finder.js").Found} found */
    function report({ near, places, isWhole, problem, message }) {
      const options = [...toNear(near), ...toNamed(places, at())].map(toPlace);
      const all = [...meanings, ...options];
      if (!isWhole) return box.show(all, looking);
      input.removeAttribute("aria-busy");
      const isClosest = all.length > 0 && all.length === places.length && !isNamed(text, places);
      // Why nothing is known of what is near is more than that no place has this name.
      const note =
        problem !== null
          ? t("search.failed", { problem })
          : options.length === 0
            ? (message ?? (meanings.length > 0 ? null : t("search.none")))
            : isClosest
              ? t("search.closest")
              : null;
      box.show(all, { text: note, isAbove: isClosest && problem === null });
      const counted = all.length === 0 ? null : t("search.count", { n: all.length });
      box.announce([note, counted].filter(Boolean).join(". "));
    }
    /** @param {unknown} error */
    function fail(error) {
      input.removeAttribute("aria-busy");
      const problem = error instanceof Error ? error.message : String(error);
      box.show(meanings, { text: t("search.failed", { problem }) });
    }
  }

  /** Offers the point that a text gives; whether it gives one. @param {string} text */
  const offerPoint = (text) => {
    const point = readCoordinates(text, language());
    if (point === null) return null;
    stop();
    if (point === "nowhere") {
      box.show([], { text: t("notice.at") });
      box.announce(t("notice.at"));
      return "nowhere";
    }
    const name = coordinates(point);
    const run = () => {
      input.value = name;
      close();
      chosen(point, null);
    };
    box.show([{ key: name, name, label: t("search.point"), run }]);
    return point;
  };

  input.addEventListener("input", () => {
    const text = input.value.trim();
    if (offerPoint(text) !== null) return;
    if (isTooShort(text)) return close();
    void search(text, PAUSE_MS);
  });
  input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const text = input.value.trim();
      if (box.isOpen()) box.move(step);
      else if (!isTooShort(text) && offerPoint(text) === null) void search(text);
    }
    if (event.key === "Escape" && box.isOpen()) {
      event.stopPropagation();
      close();
    }
  });
  // A press on a suggestion takes the focus on some devices.
  input.addEventListener("blur", () => setTimeout(close, 120));
  byId("search").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (box.isOpen() && box.take()) return;
    const point = readCoordinates(text, language());
    if (point !== null && point !== "nowhere") {
      close();
      return chosen(point, null);
    }
    if (point === null && text !== "") void search(text);
  });

  const here = byId("here");
  here.append(line("M12 2v3m0 14v3M2 12h3m14 0h3M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10Z"));
  here.addEventListener("click", () => {
    navigator.geolocation?.getCurrentPosition(
      ({ coords }) => chosen({ lat: coords.latitude, lon: coords.longitude }, null),
      () => box.show([], { text: t("search.nowhere") }),
    );
  });
}

/** A letter of a script without blanks is a word of its own. @param {string} text */
function isTooShort(text) {
  return text.length < SHORTEST && !/[\u3040-\u30ff\u3400-\u9fff]/.test(text);
}
