/** Dots where there are systems, for those who look from far. */
import { NEAR } from "./base-style.js";
import { createLabel } from "./label.js";

/** @typedef {{ south: number, west: number, north: number, east: number }} Box @typedef {{ lat: number, lon: number }} Point */

/** Layers in base-style.js. */
const DOTS = "box-dots";
const TOUCH_PX = 8;
/** Degrees; what is larger is no place. */
const LARGEST = 6;
/** Names that a label has. */
const NAMES = 4;

/** @param {any} map @param {HTMLElement} container @param {() => import("./view.js").Padding} paddingOf */
export function createSystems(map, container, paddingOf) {
  const label = createLabel(container, paddingOf);
  /** By id: a later answer may have fewer of them. @type {Map<string, { name: string, areas: Box[] }>} */
  const known = new Map();
  const draw = () => {
    const features = [...known.values()].flatMap(({ name, areas }) =>
      areas.flatMap((area) => toFeature(name, area)),
    );
    map.getSource("boxes")?.setData({ type: "FeatureCollection", features });
  };
  /** @param {{ x: number, y: number }} at @returns {any[]} */
  const find = ({ x, y }) => {
    if (map.getZoom() >= NEAR || !map.getLayer(DOTS)) return [];
    const box = [
      [x - TOUCH_PX, y - TOUCH_PX],
      [x + TOUCH_PX, y + TOUCH_PX],
    ];
    return map.queryRenderedFeatures(box, { layers: [DOTS] });
  };
  return {
    again: draw,
    /** @param {any[]} sources */
    add(sources) {
      const before = known.size;
      for (const { id, name, areas } of sources)
        if (areas && !known.has(id)) known.set(id, { name: name ?? id, areas });
      if (known.size !== before) draw();
    },
    /** The place of the dot at a pixel; null: there is none. @param {{ x: number, y: number }} at @returns {Point | null} */
    find(at) {
      // Of the properties, since a tile from afar has places to a kilometre.
      const [first] = find(at);
      return first ? { lat: first.properties.lat, lon: first.properties.lon } : null;
    },
    /** Names what is at a pixel, and says whether there is something. @param {{ x: number, y: number } | null} at */
    point(at) {
      const found = at ? find(at) : [];
      const names = [...new Set(found.map(({ properties }) => String(properties.name)))];
      const more = names.length > NAMES ? [`and ${names.length - NAMES} more`] : [];
      label.show([...names.slice(0, NAMES), ...more]);
      if (at) label.put(at, { above: TOUCH_PX, below: TOUCH_PX });
      return found.length > 0;
    },
  };
}

/** @param {string} name @param {Box} area */
function toFeature(name, { south, west, north, east }) {
  const right = east < west ? east + 360 : east;
  if (right - west > LARGEST || north - south > LARGEST) return [];
  const [lat, lon] = [(south + north) / 2, (west + right) / 2];
  const geometry = { type: "Point", coordinates: [lon, lat] };
  return [{ type: "Feature", properties: { name, lat, lon }, geometry }];
}
