/** Adds what moves to a map that has been drawn. */
import { createCounts } from "../map/counts.js";
import { loadSheet } from "../page/sheet-link.js";
import { Live } from "./live.js";
import { Outside } from "./outside.js";

/**
 * @param {{ map: Awaited<ReturnType<typeof import("../map/map.js").openMap>>, theme: "light" | "dark", assets: string,
 *   state: import("../page/state.js").State, changed: (isListTouched: boolean) => void, found: () => void }} given
 * `changed`: called when things have changed, and whether those of the list have; `found`: when more is known of the chosen one
 */
export async function openLive({ map, theme, assets, state, changed, found }) {
  await loadSheet(assets, "live/live.css");
  const counts = createCounts(map.map, theme);
  map.over = counts;
  const live = new Live({ map: map.map, counts, state, changed });
  return { live, outside: new Outside({ state, found }) };
}
