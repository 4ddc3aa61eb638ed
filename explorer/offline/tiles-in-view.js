/** Which tiles of a map are in view. Pure. */

const RADIANS = Math.PI / 180;
/** Of a view that is larger none is named. */
const MOST = 64;

/**
 * Paths by a template with `{z}`, `{x}` and `{y}`, at the zoom that the map draws.
 * @param {string} template @param {{ west: number, south: number, east: number, north: number }} view
 * @param {number} zoom of the map, whose tiles have 512 pixels @param {number} zoom_max of the tiles @returns {string[]}
 */
export function listTiles(template, view, zoom, zoom_max) {
  const z = Math.max(0, Math.min(zoom_max, Math.floor(zoom)));
  const side = 2 ** z;
  const [left, right] = [toColumn(view.west, side), toColumn(view.east, side)];
  const [top, bottom] = [toRow(view.north, side), toRow(view.south, side)];
  if ((right - left + 1) * (bottom - top + 1) > MOST) return [];
  /** @type {string[]} */
  const paths = [];
  for (let x = left; x <= right; x += 1)
    for (let y = top; y <= bottom; y += 1) {
      const column = ((x % side) + side) % side;
      const named = { z, x: column, y };
      paths.push(
        template.replaceAll(/\{([zxy])\}/g, (_, name) => String(named[/** @type {"z"} */ (name)])),
      );
    }
  return [...new Set(paths)];
}

/** @param {number} lon @param {number} side */
function toColumn(lon, side) {
  return Math.floor(((lon + 180) / 360) * side);
}

/** @param {number} lat @param {number} side */
function toRow(lat, side) {
  const sine = Math.sin(lat * RADIANS);
  const share = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return Math.max(0, Math.min(side - 1, Math.floor(share * side)));
}
