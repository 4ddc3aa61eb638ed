/** How old the imported map is that a place is from. */

/** From this age on a map may have missed what came and went, ms. */
const OLD_MS = 366 * 86_400_000;
/** As the service names places of the open map. */
const OPEN_MAP = /openstreetmap|openbase/;

/**
 * The newest imported map that a place may be from, and whether it is over a year old; null: it is of
 * none, or that is not known.
 * @param {{ layer: string, lat: number, lon: number, raw: any }} item @param {readonly any[]} sources of /v1/sources @param {number} [now_ms]
 * @returns {{ at_ms: number, isOld: boolean } | null}
 */
export function mapOf({ layer, lat, lon, raw }, sources, now_ms = Date.now()) {
  if (layer !== "service") return null;
  const others = (raw.attributes?.sources ?? []).map((/** @type {any} */ one) => one.source_id);
  if (![raw.source_id, ...others].some((name) => OPEN_MAP.test(name ?? ""))) return null;
  const times = sources.flatMap(({ base, bbox }) => {
    const isIn =
      bbox && lat >= bbox.south && lat <= bbox.north && lon >= bbox.west && lon <= bbox.east;
    return isIn && base?.data_at ? [Date.parse(base.data_at)] : [];
  });
  if (times.length === 0) return null;
  const at_ms = Math.max(...times);
  return { at_ms, isOld: now_ms - at_ms > OLD_MS };
}
