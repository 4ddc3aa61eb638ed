/** One line over everything: where, how far, how much. */
import { byId, fill, h } from "../page/dom.js";
import { coordinates, distance } from "../page/format.js";
import { RADII } from "../page/state.js";

/** @param {{ radius: (metres: number) => void }} given */
export function createSummary({ radius }) {
  let said = "";
  const choice = h("select", {
    id: "radius",
    "aria-label": "How far",
    onchange: () => radius(Number(choice.value)),
  });
  const where = h("h2", {});
  const how = h("p", {});
  fill(byId("summary"), h("div", { class: "where" }, where, choice), how);
  let options = "";
  return {
    text: () => said,
    /** @param {{ state: any, items: any[], unseen: number, waiting: number, address: string | null, calls: any[] }} now */
    show({ state, items, unseen, waiting, address, calls }) {
      const radii = [...new Set([...RADII, state.radius])].toSorted((a, b) => a - b);
      if (options !== radii.join()) {
        options = radii.join();
        fill(
          choice,
          radii.map((one) => h("option", { value: one }, distance(one))),
        );
      }
      choice.value = String(state.radius);
      choice.hidden = state.at === null;
      where.textContent = state.at
        ? address || coordinates(state.at)
        : "What can I use near here, right now?";
      const total = items.length + unseen;
      said =
        state.at === null
          ? "Search a place or click the map. Dots are systems we can ask."
          : waiting > 0 && total === 0
            ? "Looking around …"
            : total === 0
              ? "Nothing found inside the circle."
              : `${total} things within ${distance(state.radius)}${usable(items)}${notPotable(calls)}`;
      how.textContent = said;
    },
  };
}

/** Water that is left out, since it is known not to be for drinking. @param {any[]} calls */
function notPotable(calls) {
  const count = calls.find(({ id }) => id === "services")?.body?.not_potable ?? 0;
  if (count === 0) return "";
  return ` · ${count} water ${count === 1 ? "point" : "points"} not potable`;
}

/** How many of them can be taken this moment. @param {import("../data/items.js").Item[]} items */
function usable(items) {
  let free = 0;
  for (const { layer, free: here, state } of items) {
    if (layer === "vehicle" && state === "operational") free += 1;
    if (layer === "station" && here !== null && state === "operational") free += here;
  }
  return free === 0 ? "" : ` · ${free} vehicles to take now`;
}
