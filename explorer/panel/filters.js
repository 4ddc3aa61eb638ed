/** Chips for modes and types. */
import { fill, byId, h, icon } from "../page/dom.js";
import { KINDS } from "../page/kinds.js";

/** @param {{ state: import("../page/state.js").State, changed: () => void }} given */
export function createFilters({ state, changed }) {
  const chips = KINDS.map((kind) => {
    const pressed = () => String(state.kinds.has(kind.id));
    const onclick = () => {
      if (!state.kinds.delete(kind.id)) state.kinds.add(kind.id);
      chip.setAttribute("aria-pressed", pressed());
      changed();
    };
    const props = {
      type: "button",
      class: "chip",
      "data-kind": kind.id,
      "aria-pressed": pressed(),
      onclick,
      style: { "--kind": kind.color },
    };
    const chip = h("button", props, icon(kind.icon, 15), h("span", {}, kind.name));
    return { group: kind.group, chip };
  });
  const modes = chips.filter(({ group }) => group === "mode").map(({ chip }) => chip);
  const others = chips.filter(({ group }) => group !== "mode").map(({ chip }) => chip);
  fill(byId("filters"), h("div", { class: "modes" }, modes), h("div", { class: "types" }, others));
}
