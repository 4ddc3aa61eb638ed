/** What tests of the element share: things, the policy of the page, and how its shadow is read. */
import type { Page } from "playwright-core";
import type { LiveItemValue } from "#api/live.ts";

export const station = (
  id: string,
  lon: number,
  more: Partial<LiveItemValue> = {},
): LiveItemValue => ({
  ...{ id, kind: "station", location: { lat: 48.8566, lon }, modes: ["bicycle"] },
  ...{ network_id: "metro", name: id, state: "operational", pickup: "available_now" },
  ...{ return: "available_now", vehicles: 7, docks: 12, capacity: 20, ...more },
});
export const scooter = (
  id: string,
  lon: number,
  more: Partial<LiveItemValue> = {},
): LiveItemValue => ({
  ...{ id, kind: "vehicle", location: { lat: 48.858, lon }, modes: ["scooter"] },
  ...{ network_id: "metro", state: "operational", pickup: "available_now" },
  ...{ battery: 70, form_factor: "scooter_standing", ...more },
});
export const ITEMS = [
  station("Hall", 2.3522),
  station("Port", 2.355, { vehicles: null, docks: null }),
  station("Shut", 2.349, { state: "maintenance", pickup: "unavailable_now", vehicles: 3 }),
  scooter("s1", 2.3505),
  scooter("s2", 2.3535, { pickup: "unknown", battery: null }),
];

/** As README.md says it, for a library that the server gives. */
export const policyOf = (src: string): string =>
  `default-src 'none'; script-src 'self' ${src}; connect-src ${src}; worker-src blob: ${src}; style-src 'self'`;

export type Drawn = { id: string; text: string; x: number; y: number };

/** Notes what moves in the page and what the element reports. */
export const NOTES = `window.shifts = []; window.faults = []; window.chosen = [];
const nameOf = ({ node, previousRect: a, currentRect: b }) => (node?.className || node?.nodeName || "?") + JSON.stringify([a, b]);
new PerformanceObserver((list) => shifts.push(...list.getEntries().flatMap(({ sources }) => sources.map(nameOf))))
  .observe({ type: "layout-shift", buffered: true });
document.addEventListener("vicinity-error", ({ detail }) => faults.push({ code: detail.code, message: detail.message }));
document.addEventListener("vicinity-select", ({ detail }) => chosen.push(detail.id));`;

/** In the page: what has the focus in the element, by its name. */
declare function focusOf(): string;

declare function readAll(): Drawn[];

const READ = `window.focusOf = () => {
  const { activeElement } = document.querySelector("vicinity-map").shadowRoot;
  return activeElement?.getAttribute("aria-label") ?? activeElement?.textContent ?? "";
};
window.readAll = () => {
  const { map } = document.querySelector("vicinity-map");
  const found = map?.getLayer("station") ? map.queryRenderedFeatures({ layers: ["station", "vehicle"] }) : [];
  const all = found.map(({ properties: { id, text }, geometry }) => ({ id, text, ...map.project(geometry.coordinates) }));
  return [...new Map(all.map((one) => [one.id, one])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
};`;

export async function untilDrawn(page: Page, ids: readonly string[]): Promise<void> {
  await page.evaluate(READ);
  await page.waitForFunction(
    (all) => JSON.stringify(readAll().map(({ id }) => id)) === all,
    JSON.stringify(ids),
  );
}

export async function readDrawn(page: Page): Promise<Drawn[]> {
  return await page.evaluate(() => readAll());
}

/** All that the element says, once it says this. */
export async function untilText(page: Page, text: string): Promise<string> {
  const all = await page.waitForFunction((wanted) => {
    const { textContent } = document.querySelector("vicinity-map")!.shadowRoot!;
    return textContent.includes(wanted) ? textContent : null;
  }, text);
  return (await all.jsonValue()) ?? "";
}
