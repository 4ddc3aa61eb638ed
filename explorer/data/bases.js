/** Where the imported bases are, by what the service says of its sources. Pure. */

/** @typedef {{ lat: number, lon: number, name: string }} Base the middle of its box, and its id */

const PREFIX = "openbase:";
/** Degrees of longitude: what is wider is no area to begin in. */
const MOST_WIDE = 60;

/** @param {readonly any[]} sources of /v1/sources @returns {Base[]} */
export function listBases(sources) {
  return sources.flatMap(({ id, base, bbox }) => {
    if (!base || !bbox || !id.startsWith(PREFIX)) return [];
    const { south, west, north, east } = bbox;
    const wide = east >= west ? east - west : east - west + 360;
    if (wide > MOST_WIDE) return [];
    const lon = west + wide / 2;
    return [
      {
        lat: toMicro((south + north) / 2),
        lon: toMicro(lon > 180 ? lon - 360 : lon),
        name: id.slice(PREFIX.length),
      },
    ];
  });
}

/** Degrees as an address has them. @param {number} degrees */
function toMicro(degrees) {
  return Math.round(degrees * 1e6) / 1e6;
}
