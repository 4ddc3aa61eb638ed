/** What to show: kinds, wishes, operator and order, in a panel that wraps. */
import { operatorsOf } from "../data/wishes.js";
import { byId, fill, h, icon, line } from "../page/dom.js";
import { kindTitle } from "../page/format.js";
import { KINDS, SHOWN_AT_FIRST } from "../page/kinds.js";
import { SORTS, WISHES } from "../page/state.js";
import { t } from "../page/texts.js";

/** @typedef {import("../data/items.js").Item} Item @typedef {import("../page/state.js").State} State */

const GROUPS = /** @type {const} */ (["mode", "transit", "service"]);

/**
 * @param {{ state: State, kinds: () => void, wishes: () => void }} given `kinds`: other kinds are
 * wanted, so that they have to be asked for; `wishes`: of what is known, other things are shown
 */
export function createFilters({ state, kinds, wishes }) {
  /** Ways without steps have to be asked for; of the others, what is known is chosen from. @param {import("../page/state.js").Wish} wish */
  const flip = (wish) => {
    if (!state.wishes.delete(wish)) state.wishes.add(wish);
    changed(wish === "wheelchair" ? kinds : wishes);
  };
  const chips = new Map(KINDS.map((kind) => [kind.id, toSwitch(kind)]));
  const quick = toggle("usable");
  const opener = h(
    "button",
    { type: "button", id: "open-filters", class: "chip", popovertarget: "filter-panel" },
    line("M4 6h16M7 12h10M10 18h4", 16),
    h("span", {}),
  );
  const operator = h("select", {
    id: "operator",
    onchange: () => {
      state.operator = operator.value || null;
      changed(wishes);
    },
  });
  const sort = h(
    "select",
    {
      id: "sort",
      "aria-label": t("filters.sort"),
      onchange: () => {
        state.sort = sort.value;
        changed(wishes);
      },
    },
    SORTS.map((one) => h("option", { value: one }, t(`sort.${one}`))),
  );
  const only = new Map(KINDS.map((kind) => [kind.id, toOnly(kind)]));
  const others = WISHES.filter((wish) => wish !== "usable").map((wish) => toggle(wish));
  fill(byId("filters"), opener, quick.chip);
  fill(byId("kinds"), [...only.values()]);
  byId("kinds").setAttribute("aria-label", t("filters.one"));
  fill(
    byId("filter-panel"),
    h("h2", {}, t("filters.title")),
    GROUPS.map((group) =>
      h(
        "div",
        { class: "chips", role: "group", "aria-label": t(`group.${group}`) },
        KINDS.filter((kind) => kind.group === group).map(({ id }) => chips.get(id)),
      ),
    ),
    h(
      "div",
      { class: "chips", role: "group", "aria-label": t("filters.only") },
      others.map(({ chip }) => chip),
    ),
    h("p", { class: "quiet" }, t("filters.unknown")),
    h("label", {}, t("filters.operator"), operator),
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", onclick: reset }, t("filters.reset")),
      h(
        "button",
        {
          type: "button",
          class: "main",
          popovertarget: "filter-panel",
          popovertargetaction: "hide",
        },
        t("filters.done"),
      ),
    ),
  );
  let operators = "?";

  /** @param {import("../page/kinds.js").Kind} kind @param {"kind" | "only"} role @param {() => void} press */
  function toChip({ id, color, icon: name }, role, press) {
    return h(
      "button",
      {
        type: "button",
        class: "chip",
        [`data-${role}`]: id,
        style: { "--kind": color },
        onclick: () => {
          press();
          changed(kinds);
        },
      },
      icon(name, 15),
      h("span", {}, kindTitle(id)),
    );
  }

  /** @param {import("../page/kinds.js").Kind} kind */
  function toSwitch(kind) {
    return toChip(kind, "kind", () => {
      if (!state.kinds.delete(kind.id)) state.kinds.add(kind.id);
    });
  }

  /** This kind alone; pressed again, all that is shown at first. @param {import("../page/kinds.js").Kind} kind */
  function toOnly(kind) {
    return toChip(kind, "only", () => {
      const isAlone = state.kinds.size === 1 && state.kinds.has(kind.id);
      state.kinds = new Set(isAlone ? SHOWN_AT_FIRST : [kind.id]);
    });
  }

  /** @param {import("../page/state.js").Wish} wish */
  function toggle(wish) {
    const chip = h(
      "button",
      {
        type: "button",
        class: "chip wish",
        "data-wish": wish,
        onclick: () => flip(wish),
      },
      t(`wish.${wish}`),
    );
    return { wish, chip };
  }

  function reset() {
    state.kinds = new Set(SHOWN_AT_FIRST);
    state.wishes.clear();
    state.operator = null;
    state.sort = "kind";
    state.by = "walk";
    changed(kinds);
  }

  /** @param {() => void} report */
  function changed(report) {
    mark();
    report();
  }

  function mark() {
    for (const [id, chip] of chips) chip.setAttribute("aria-pressed", String(state.kinds.has(id)));
    for (const [id, chip] of only) {
      const isAlone = state.kinds.size === 1 && state.kinds.has(id);
      chip.setAttribute("aria-pressed", String(isAlone));
      if (isAlone) chip.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    for (const { wish, chip } of [quick, ...others])
      chip.setAttribute("aria-pressed", String(state.wishes.has(wish)));
    sort.value = state.sort;
    const count =
      [...state.wishes].filter((wish) => wish !== "usable").length + (state.operator ? 1 : 0);
    const label = opener.querySelector("span");
    label.textContent = count > 0 ? t("filters.some", { n: count }) : t("filters.title");
  }
  mark();
  return {
    /** Makes the controls agree with the state. */
    mark,
    /** Switches a wish on or off. */
    flip,
    /** Shows a kind alone. @param {string} kind */
    only(kind) {
      state.kinds = new Set([kind]);
      changed(kinds);
    },
    /** The choice of an order, which is at the head of the list. */
    sort,
    /** Offers the operators of what was found. @param {readonly Item[]} items */
    offer(items) {
      const names = operatorsOf(items);
      if (state.operator !== null && !names.includes(state.operator)) names.push(state.operator);
      if (names.join("\n") === operators) return;
      operators = names.join("\n");
      fill(
        operator,
        h("option", { value: "" }, t("filters.any")),
        names.map((name) => h("option", { value: name }, name)),
      );
      operator.value = state.operator ?? "";
    },
  };
}
