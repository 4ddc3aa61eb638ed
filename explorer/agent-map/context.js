/** How the host shows the view: its theme, its font, the room it leaves and the edges it covers. */

const SIDES = ["top", "right", "bottom", "left"];

/** Applies what is stated of a context; what is not stated stays as it was. @param {any} context @returns {boolean | null} whether it is dark; null: not stated */
export function applyContext(context) {
  const root = document.documentElement;
  const { theme, safeAreaInsets, containerDimensions, styles, displayMode } = context ?? {};
  for (const side of SIDES) {
    const inset = safeAreaInsets?.[side];
    if (typeof inset === "number")
      root.style.setProperty(`--safe-${side}`, `${Math.max(0, inset)}px`);
  }
  const font = styles?.variables?.["--font-sans"];
  if (typeof font === "string") root.style.setProperty("--font-sans", font);
  if (containerDimensions || displayMode) applyRoom(root, containerDimensions ?? {}, displayMode);
  if (theme !== "light" && theme !== "dark") return null;
  root.dataset["theme"] = theme;
  return theme === "dark";
}

/** A height that is fixed is filled; of one that is bounded no more is taken. @param {HTMLElement} root @param {{ height?: unknown, maxHeight?: unknown }} room @param {unknown} mode */
function applyRoom(root, { height, maxHeight }, mode) {
  root.toggleAttribute("data-filled", typeof height === "number" || mode === "fullscreen");
  root.style.maxHeight = typeof maxHeight === "number" ? `${maxHeight}px` : "";
}

/** Calls with the size of what is rendered, whenever that changes. @param {(size: { width: number, height: number }) => void} changed */
export function watchSize(changed) {
  const root = document.documentElement;
  let last = "";
  const observer = new ResizeObserver(() => {
    const { width, height } = root.getBoundingClientRect();
    const size = { width: Math.ceil(width), height: Math.ceil(height) };
    if (last === `${size.width} ${size.height}`) return;
    last = `${size.width} ${size.height}`;
    changed(size);
  });
  observer.observe(root);
  return () => observer.disconnect();
}
