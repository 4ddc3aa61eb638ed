/** Bars of a plot as an image; what they say is in its name, and in the table behind it. */

/** @typedef {{ kind: string, parts: { name: string, share: number }[] }} Bar */

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 100;
/** Of a time of which nothing is known, or in which it was not asked. */
const STUMPS = /** @type {Record<string, number>} */ ({ unknown: 2, quiet: 5 });
/** What is there is seen. */
const LEAST = 3;

/** @param {readonly Bar[]} bars @param {string} label */
export function toPlot(bars, label) {
  const svg = document.createElementNS(SVG, "svg");
  const given = {
    class: "bars",
    viewBox: `0 0 ${bars.length} ${HEIGHT}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": label,
  };
  for (const [name, value] of Object.entries(given)) svg.setAttribute(name, value);
  /** @type {Record<string, string>} */
  const outlines = {};
  for (const [i, { kind, parts }] of bars.entries()) {
    let y = HEIGHT;
    const stump = STUMPS[kind];
    const drawn = stump === undefined ? parts : [{ name: kind, share: stump / HEIGHT }];
    for (const { name, share } of drawn) {
      if (share <= 0) continue;
      const height = Math.min(y, Math.max(LEAST, share * HEIGHT));
      y -= height;
      outlines[name] = `${outlines[name] ?? ""}M${i + 0.06} ${y}v${height}h0.88v-${height}z`;
    }
  }
  for (const [name, outline] of Object.entries(outlines)) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", outline);
    path.setAttribute("class", name);
    svg.append(path);
  }
  return svg;
}
