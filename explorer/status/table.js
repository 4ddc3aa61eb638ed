/** The table of sources: sorted, filtered, each row opens to its details. Narrow, its rows are cards. */
import { byId, fill, h } from "../page/dom.js";
import { t } from "../page/texts.js";
import { COLUMNS, sortOf, toHead } from "./columns.js";
import { toDetails } from "./details.js";
import { healthOf } from "./health.js";
import { followPointer } from "./strip.js";

/** @typedef {import("./columns.js").Column} Column */

/** Rows at once; with thousands of sources the page stays quick. */
const PAGE = 150;
const NAME = { id: "name", value: (/** @type {any} */ { name }) => name, cell: toHead };

/** @param {{ shown: (count: number) => void }} given */
export function createTable({ shown }) {
  /** @type {readonly any[]} */
  let sources = [];
  const wish = { text: "", health: "", column: "state", descending: true, most: PAGE };
  /** @type {Map<string, { row: HTMLElement, more: HTMLElement, text: string }>} */
  const rows = new Map();
  /** @type {Set<string>} */
  const open = new Set();
  /** Ids of elements have no space, which ids of sources may have. */
  let made = 0;
  const body = h("tbody", { role: "rowgroup" });
  const heads = [NAME, ...COLUMNS].map((column) => toColumnHead(column, sortBy));
  const table = byId("sources");
  const more = byId("more");
  fill(
    table,
    h(
      "thead",
      { role: "rowgroup" },
      h("tr", { role: "row" }, heads, h("td", { role: "cell", class: "opener" })),
    ),
    body,
  );
  const order = byId("order");
  fill(
    order,
    [NAME, ...COLUMNS].map(({ id }) => h("option", { value: id }, t(`status.column.${id}`))),
  );
  order.addEventListener("change", () => sortBy(order.value, firstWay(order.value)));
  more.addEventListener("click", () => {
    wish.most += PAGE;
    show();
  });
  followPointer(table, (strip) => {
    const id = strip.closest("tr")?.dataset["id"];
    return sources.find((source) => source.id === id)?.history ?? null;
  });

  /** The other way round where it was sorted by it already. @param {string} id @param {boolean} [descending] */
  function sortBy(id, descending) {
    wish.descending = descending ?? (wish.column === id ? !wish.descending : firstWay(id));
    wish.column = id;
    show();
  }

  function show() {
    const text = wish.text.trim().toLowerCase();
    const wanted = sources
      .filter(
        (source) =>
          (wish.health === "" || healthOf(source) === wish.health) && toText(source).includes(text),
      )
      .toSorted(toOrder(wish));
    const visible = wanted.slice(0, wish.most);
    for (const [i, head] of heads.entries()) markSorted(head, [NAME, ...COLUMNS][i], wish);
    order.value = wish.column;
    place(visible.flatMap((source) => draw(source)));
    more.hidden = wanted.length <= visible.length;
    more.textContent = t("status.more", { n: wanted.length - visible.length });
    byId("none").hidden = wanted.length > 0 || sources.length === 0;
    shown(wanted.length);
  }

  /** Moves what is elsewhere only, so that the focus stays where it is. @param {HTMLElement[]} wanted */
  function place(wanted) {
    const kept = new Set(wanted);
    for (const row of [...body.children]) if (!kept.has(row)) row.remove();
    for (const [i, row] of wanted.entries())
      if (body.children[i] !== row) body.insertBefore(row, body.children[i] ?? null);
  }

  /** Its row, and the details where it is open. @param {any} source @returns {HTMLElement[]} */
  function draw(source) {
    const known = rows.get(source.id);
    const text = JSON.stringify(source);
    const drawn =
      known?.text === text
        ? known
        : { ...toRows(source, toggle, known ?? toEmptyRows(source.id, (made += 1))), text };
    rows.set(source.id, drawn);
    const isOpen = open.has(source.id);
    drawn.row.querySelector(".opener button")?.setAttribute("aria-expanded", String(isOpen));
    return isOpen ? [drawn.row, drawn.more] : [drawn.row];
  }

  /** @param {string} id */
  function toggle(id) {
    if (!open.delete(id)) open.add(id);
    show();
  }

  return {
    /** @param {readonly any[]} given */
    setSources(given) {
      sources = given;
      const ids = new Set(given.map(({ id }) => id));
      for (const id of rows.keys()) if (!ids.has(id)) rows.delete(id);
      show();
    },
    /** @param {{ text?: string, health?: string }} change */
    setFilter(change) {
      Object.assign(wish, change, { most: PAGE });
      show();
    },
  };
}

/** @param {string} id */
function firstWay(id) {
  return COLUMNS.find((column) => column.id === id)?.descending ?? false;
}

/** @param {Column} column @param {(id: string) => void} sortBy */
function toColumnHead({ id }, sortBy) {
  const name = t(`status.column.${id}`);
  return h(
    "th",
    { scope: "col", role: "columnheader", class: `c-${id}` },
    h(
      "button",
      { type: "button", onclick: () => sortBy(id) },
      name,
      h("span", { class: "way", "aria-hidden": "true" }),
    ),
  );
}

/** @param {HTMLElement} head @param {Column | undefined} column @param {{ column: string, descending: boolean }} wish */
function markSorted(head, column, wish) {
  if (column?.id !== wish.column) head.removeAttribute("aria-sort");
  else head.setAttribute("aria-sort", wish.descending ? "descending" : "ascending");
}

/** Unknown is last in either direction; equal ones by name. @param {{ column: string, descending: boolean }} wish */
function toOrder({ column, descending }) {
  const { value } = COLUMNS.find(({ id }) => id === column) ?? NAME;
  const way = descending ? -1 : 1;
  return (/** @type {any} */ a, /** @type {any} */ b) => {
    const [x, y] = [value(a), value(b)];
    if (x !== y && (x === null || y === null)) return x === null ? 1 : -1;
    const first =
      typeof x === "string" ? x.localeCompare(String(y)) : Number(x ?? 0) - Number(y ?? 0);
    return first * way || a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1);
  };
}

/** What is searched of a source. @param {any} source */
function toText(source) {
  const { id, name, state, licence, attribution, problem } = source;
  const sort = t(`status.sort.${sortOf(source)}`);
  return [id, name, state, licence, attribution, problem?.word, problem?.message, sort]
    .join(" ")
    .toLowerCase();
}

/**
 * @param {any} source @param {(id: string) => void} toggle
 * @param {{ row: HTMLElement, more: HTMLElement }} known whose elements are filled again
 */
function toRows(source, toggle, known) {
  const { id, name } = source;
  const { row, more } = known;
  const opener =
    row.querySelector(".opener") ??
    h(
      "td",
      { role: "cell", class: "opener" },
      h(
        "button",
        {
          type: "button",
          "aria-expanded": "false",
          "aria-controls": more.id,
          "aria-label": t("status.details", { name }),
          onclick: () => toggle(id),
        },
        h("span", { "aria-hidden": "true" }),
      ),
    );
  const cells = [
    h("th", { scope: "row", role: "rowheader" }, toHead(source)),
    ...COLUMNS.map((column) =>
      h(
        "td",
        { role: "cell", class: `c-${column.id}`, "data-label": t(`status.column.${column.id}`) },
        column.cell(source),
      ),
    ),
  ];
  // The button stays the element that it is: it may have the focus.
  for (const cell of [...row.children]) if (cell !== opener) cell.remove();
  row.prepend(...cells);
  if (opener.parentNode !== row) row.append(opener);
  fill(more, h("td", { role: "cell", colspan: COLUMNS.length + 2 }, toDetails(source)));
  return { row, more };
}

/** @param {string} id @param {number} n */
function toEmptyRows(id, n) {
  return {
    row: h("tr", { role: "row", "data-id": id }),
    more: h("tr", { role: "row", class: "opened", id: `details-${n}` }),
  };
}
