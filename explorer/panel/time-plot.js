/** Counts over time as an image: a bar for each place that has one, and nothing where none is known. */

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 100;
/** A zero is seen, and is not a gap. */
const LEAST = 4;

/**
 * @param {readonly { place: number, value: number }[]} bars
 * @param {{ places: number, most: number, label: string }} of `most`: the value of the full height
 */
export function toTimePlot(bars, { places, most, label }) {
  const svg = document.createElementNS(SVG, "svg");
  const given = {
    ...{ class: "counts", viewBox: `0 0 ${places} ${HEIGHT}`, preserveAspectRatio: "none" },
    ...{ role: "img", "aria-label": label },
  };
  for (const [name, value] of Object.entries(given)) svg.setAttribute(name, value);
  for (const [name, d] of Object.entries(toOutlines(bars, most))) {
    if (d === "") continue;
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", name);
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

/** Bars that touch are one shape; zeros are another. @param {readonly { place: number, value: number }[]} bars @param {number} most */
export function toOutlines(bars, most) {
  const outlines = { some: "", none: "" };
  for (const { place, value } of bars) {
    const share = Math.min(1, Math.max(0, value / most));
    const height = Math.max(LEAST, Math.round(share * HEIGHT));
    outlines[value > 0 ? "some" : "none"] += `M${place} ${HEIGHT}v-${height}h1v${height}z`;
  }
  return outlines;
}
