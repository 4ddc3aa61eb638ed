/** The panel: which of its views is open and, on a phone, how much of it is up. */
import { byId } from "../page/dom.js";
import { t } from "../page/texts.js";

const VIEWS = /** @type {const} */ (["results", "answer", "detail"]);
const STOPS = /** @type {const} */ (["peek", "half", "full"]);
/** Movement that is a drag and no tap, pixels; speed that goes on to the next stop, pixels a millisecond. */
const SLOP = 6;
const FLICK = 0.5;
/** Way of a swipe that raises the sheet, pixels. */
const RAISE = 24;

/** @param {{ moved: () => void }} given `moved`: the map has more or less room */
export function createSheet({ moved }) {
  const sheet = byId("sheet");
  const tabs = [byId("tab-list"), byId("tab-answer")];
  let tab = /** @type {"results" | "answer"} */ ("results");
  /** @param {(typeof VIEWS)[number]} view */
  const open = (view) => {
    for (const one of VIEWS) byId(one).hidden = one !== view;
    sheet.dataset["view"] = view;
  };
  /** @param {number} at */
  const choose = (at) => {
    tabs.forEach((one, n) => {
      one.setAttribute("aria-selected", String(n === at));
      one.tabIndex = n === at ? 0 : -1;
    });
    tab = at === 0 ? "results" : "answer";
    open(tab);
    byId(tab).dispatchEvent(new Event("opened"));
  };
  tabs.forEach((one, n) => {
    one.addEventListener("click", () => choose(n));
    one.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
      choose(1 - n);
      tabs[1 - n].focus();
    });
  });
  const stops = createStops(sheet, moved);
  // The bar is over the column; how tall it is depends on its text.
  new ResizeObserver(() => {
    document.documentElement.style.setProperty("--bar", `${byId("bar").offsetHeight}px`);
  }).observe(byId("bar"));
  return {
    detail() {
      open("detail");
      if (stops.at() === "peek") stops.go("half");
    },
    back: () => open(tab),
    /** Makes room on a phone. */
    lower() {
      if (isSheet()) stops.go("peek");
    },
  };
}

/** The three heights of the sheet: dragged by its head, or a step at each press of the handle. @param {any} sheet @param {() => void} moved */
function createStops(sheet, moved) {
  const handle = byId("handle");
  const grips = [handle, byId("summary")];
  const at = () => /** @type {(typeof STOPS)[number]} */ (sheet.dataset["size"] ?? "half");
  const go = (/** @type {(typeof STOPS)[number]} */ stop) => {
    sheet.style.removeProperty("height");
    sheet.classList.remove("dragged");
    const isNew = at() !== stop;
    sheet.dataset["size"] = stop;
    document.documentElement.dataset["sheet"] = stop;
    handle.setAttribute("aria-label", t(`sheet.${stop}`));
    if (isNew) moved();
  };
  go("half");
  /** Heights of the stops, as the style sheet has them. */
  const heights = () => {
    const style = getComputedStyle(document.documentElement);
    return STOPS.map((stop) => [
      stop,
      Number.parseFloat(style.getPropertyValue(`--sheet-${stop}`)),
    ]).map(
      ([stop, share]) =>
        /** @type {[(typeof STOPS)[number], number]} */ ([
          stop,
          /** @type {number} */ (share) > 1 ? share : Number(share) * innerHeight,
        ]),
    );
  };
  let drag =
    /** @type {{ y: number, height: number, last_y: number, last_ms: number, speed: number, moved: boolean } | null} */ (
      null
    );
  for (const grip of grips) {
    grip.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      // What is pressed there gets its click: a grip that has the pointer would take it.
      const isPressed =
        event.target instanceof Element && event.target.closest("select, a, #summary button");
      if (!isSheet() || isPressed) return;
      drag = {
        y: event.clientY,
        height: sheet.offsetHeight,
        last_y: event.clientY,
        last_ms: event.timeStamp,
        speed: 0,
        moved: false,
      };
      grip.setPointerCapture(event.pointerId);
    });
    grip.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (drag === null) return;
      const up = drag.y - event.clientY;
      if (!drag.moved && Math.abs(up) < SLOP) return;
      drag.moved = true;
      const passed_ms = Math.max(1, event.timeStamp - drag.last_ms);
      drag.speed = (drag.last_y - event.clientY) / passed_ms;
      [drag.last_y, drag.last_ms] = [event.clientY, event.timeStamp];
      sheet.classList.add("dragged");
      sheet.style.height = `${Math.max(60, Math.min(innerHeight, drag.height + up))}px`;
    });
    const end = () => {
      if (drag === null) return;
      const { moved: isDrag, speed } = drag;
      drag = null;
      if (!isDrag) return;
      isDragged = true;
      const now = sheet.offsetHeight;
      const all = heights();
      const next =
        Math.abs(speed) < FLICK
          ? all.toSorted((a, b) => Math.abs(a[1] - now) - Math.abs(b[1] - now))[0]
          : speed > 0
            ? (all.find(([, one]) => one > now) ?? all.at(-1))
            : (all.findLast(([, one]) => one < now) ?? all[0]);
      go(next?.[0] ?? "half");
    };
    grip.addEventListener("pointerup", end);
    grip.addEventListener("pointercancel", end);
  }
  raiseBySwipe(
    sheet,
    () => at() === "half" && isSheet(),
    () => go("full"),
  );
  /** A drag ends with a click on the handle, which is none. */
  let isDragged = false;
  handle.addEventListener("click", () => {
    if (isDragged) return void (isDragged = false);
    go(STOPS[(STOPS.indexOf(at()) + 1) % STOPS.length] ?? "half");
  });
  return { at, go };
}

/** A swipe upwards on what is half in sight shows more of it first. @param {any} sheet @param {() => boolean} isHalf @param {() => void} raise */
function raiseBySwipe(sheet, isHalf, raise) {
  let start_y = /** @type {number | null} */ (null);
  sheet.addEventListener(
    "touchstart",
    (/** @type {TouchEvent} */ { touches }) => {
      start_y = touches.length === 1 && isHalf() ? (touches[0]?.clientY ?? null) : null;
    },
    { passive: true },
  );
  sheet.addEventListener(
    "touchmove",
    (/** @type {TouchEvent} */ { touches, target }) => {
      const isListed = target instanceof Element && target.closest("#results, #answer, #detail");
      if (start_y === null || !isListed || start_y - (touches[0]?.clientY ?? start_y) < RAISE)
        return;
      start_y = null;
      raise();
    },
    { passive: true },
  );
}

/** Whether the panel is a sheet from below. */
function isSheet() {
  return matchMedia("(max-width: 760px) and (orientation: portrait)").matches;
}
