/** Streets and lines of the simulated city that is looked at. */
import { metresBetween } from "./geometry.js";

/** @typedef {import("../page/settings.js").City} City @typedef {import("./base.js").Box} Box */

const CITY_REACH_M = 40_000;
const NEAR_ZOOM = 10;
/** Degrees around a city that its plan counts as covered. */
const AROUND = 0.12;

/** @param {readonly City[]} cities @returns {Box[]} */
export function toCityBoxes(cities) {
  return cities.map(({ lat, lon }) => {
    const wide = AROUND / Math.cos((lat * Math.PI) / 180);
    return [lon - wide, lat - AROUND, lon + wide, lat + AROUND];
  });
}

/** Where a base has the streets, only the lines are of the plan. @param {any} map @param {readonly City[]} cities @param {readonly Box[]} bases */
export function createCities(map, cities, bases) {
  let shown = "";
  const look = async () => {
    if (!map.getSource("city") || map.getZoom() < NEAR_ZOOM) return;
    const { lat, lng } = map.getCenter();
    const near = cities.find((city) => metresBetween(city, { lat, lon: lng }) < CITY_REACH_M);
    if (!near || near.id === shown) return;
    shown = near.id;
    const based = bases.some(
      ([west, south, east, north]) =>
        near.lon > west && near.lon < east && near.lat > south && near.lat < north,
    );
    const plan = based ? await readLines(near.plan) : near.plan;
    if (shown === near.id) map.getSource("city")?.setData(plan);
  };
  map.on("moveend", () => void look());
  return {
    /** The style was replaced. */
    again() {
      shown = "";
      void look();
    },
  };
}

/** @param {string} address */
async function readLines(address) {
  const response = await fetch(address).catch(() => null);
  const plan = response?.ok ? await response.json().catch(() => null) : null;
  const features = (plan?.features ?? []).filter(
    (/** @type {any} */ one) => one.properties.kind === "rail",
  );
  return { type: "FeatureCollection", features };
}
