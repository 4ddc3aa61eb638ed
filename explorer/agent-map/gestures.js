/** Hands on the map: wheel, drag, pinch, click and keys, as moves and zooms in pixels of the map. */

/**
 * @typedef {{ x: number, y: number }} At
 * @typedef {{ move(by: At): void, zoom(factor: number, at: At | null): boolean, press(at: Element | null): void,
 *   reset(): void, escape(): void }} Hands
 * `zoom` returns whether anything changed; `at` null: around the middle.
 */

/** Pixels that a pointer may move before a press is a drag. */
const STILL = 6;
const WHEEL = 0.002;
const STEP = 48;
const KEY_ZOOM = 1.5;

/** @param {HTMLElement} map @param {Hands} hands */
export function watch(map, hands) {
  const at = (/** @type {MouseEvent} */ event) => {
    const { left, top } = map.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  map.addEventListener(
    "wheel",
    (event) => {
      const lines = event.deltaMode === 1 ? 16 : 1;
      const factor = Math.exp(-event.deltaY * lines * WHEEL * (event.ctrlKey ? 4 : 1));
      // What does not zoom scrolls the page around it.
      if (hands.zoom(factor, at(event))) event.preventDefault();
    },
    { passive: false },
  );
  watchPointers(map, hands, at);
  map.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : undefined;
    if (!act) return;
    event.preventDefault();
    act(hands);
  });
}

/** @type {Record<string, (hands: Hands) => void>} */
const KEYS = {
  ArrowLeft: (hands) => hands.move({ x: STEP, y: 0 }),
  ArrowRight: (hands) => hands.move({ x: -STEP, y: 0 }),
  ArrowUp: (hands) => hands.move({ x: 0, y: STEP }),
  ArrowDown: (hands) => hands.move({ x: 0, y: -STEP }),
  "+": (hands) => void hands.zoom(KEY_ZOOM, null),
  "=": (hands) => void hands.zoom(KEY_ZOOM, null),
  "-": (hands) => void hands.zoom(1 / KEY_ZOOM, null),
  0: (hands) => hands.reset(),
  Home: (hands) => hands.reset(),
  Escape: (hands) => hands.escape(),
};

/** One pointer drags, two pinch; one that stays where it was is a press. @param {HTMLElement} map @param {Hands} hands @param {(event: MouseEvent) => At} at */
function watchPointers(map, hands, at) {
  /** @type {Map<number, At>} */
  const down = new Map();
  let moved = 0;
  map.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (down.size === 0) moved = 0;
    down.set(event.pointerId, at(event));
  });
  map.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    const now = at(event);
    const by = { x: now.x - before.x, y: now.y - before.y };
    moved += Math.hypot(by.x, by.y);
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    if (!other && moved < STILL) return;
    if (!map.hasPointerCapture(event.pointerId)) map.setPointerCapture(event.pointerId);
    down.set(event.pointerId, now);
    if (!other) return hands.move(by);
    const factor = apart(now, other) / Math.max(1, apart(before, other));
    hands.move({ x: by.x / 2, y: by.y / 2 });
    hands.zoom(factor, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
  });
  const lift = (/** @type {PointerEvent} */ event) => {
    const was = down.delete(event.pointerId);
    if (was && event.type === "pointerup" && down.size === 0 && moved < STILL)
      hands.press(event.target instanceof Element ? event.target : null);
  };
  map.addEventListener("pointerup", lift);
  map.addEventListener("pointercancel", lift);
}

/** @param {At} a @param {At} b */
function apart(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
