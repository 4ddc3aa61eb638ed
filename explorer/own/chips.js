/** The visitor's places as chips, with what is there now, and the list in which they are changed. */
import { byId, fill, h, icon, line } from "../page/dom.js";
import { age } from "../page/format.js";
import { KINDS } from "../page/kinds.js";
import { t } from "../page/texts.js";
import { NAME_MOST } from "./favourites.js";

/**
 * @typedef {import("./favourites.js").Favourite} Favourite @typedef {import("./favourites.js").Favourites} Favourites
 * @typedef {import("./places-now.js").Known} Known
 */

const HOUSE = "M4 11.500 12 5l8 6.500M6.500 10v9h11v-9";
const CASE = "M4 8h16v11H4zM9 8V5h6v3M4 13h16";
export const STAR =
  "M12 4l2.400 5 5.600.700-4.100 3.800 1.100 5.500-5-2.800-5 2.800 1.100-5.500L4 9.700 9.600 9Z";
const PEN = "M5 19l1-4L16 5l3 3L9 18Z";
const BIN = "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13";

/** @param {{ own: Favourites, find: (id: string) => Known | null, go: (favourite: Favourite) => void }} given */
export function createChips({ own, find, go }) {
  const row = byId("own");
  const list = byId("own-list");
  const chips = h("ul", {});
  const edit = h(
    "button",
    {
      ...{ type: "button", class: "chip", id: "open-own", popovertarget: "own-list" },
      "aria-label": t("own.edit"),
      title: t("own.edit"),
    },
    line(PEN, 16),
  );
  for (const part of [row, list]) part.setAttribute("aria-label", t("own.title"));
  fill(row, chips, edit);
  let listed = "";
  list.addEventListener("toggle", () => {
    listed = "";
    drawList();
  });

  function draw() {
    const favourites = own.list();
    row.hidden = favourites.length === 0;
    const known = new Map([...chips.children].map((one) => [one.dataset.id, one]));
    const wanted = favourites.map((one) => {
      const item = known.get(one.id) ?? toItem(one.id);
      drawChip(item.firstElementChild, one, find(one.id));
      return item;
    });
    for (const [n, item] of wanted.entries())
      if (chips.children[n] !== item) chips.insertBefore(item, chips.children[n] ?? null);
    while (chips.children.length > wanted.length) chips.lastElementChild.remove();
    drawList();
  }

  /** @param {string} id */
  function toItem(id) {
    const press = () => {
      const favourite = own.list().find((one) => one.id === id);
      if (favourite) go(favourite);
    };
    return h(
      "li",
      { "data-id": id },
      h("button", { type: "button", class: "chip", onclick: press }),
    );
  }

  /** Names can be changed while what is there now comes in: the list is drawn again when it has others. */
  function drawList() {
    if (!list.matches(":popover-open")) return;
    const text = JSON.stringify([own.list().map(({ id }) => id), own.isKept]);
    if (text === listed) return;
    listed = text;
    fill(
      list,
      h("h2", {}, t("own.title")),
      h("ul", {}, own.list().map(toRow)),
      own.list().length === 0 ? h("p", {}, t("own.empty")) : null,
      h("p", { class: "quiet" }, t(own.isKept ? "own.privacy" : "own.unkept")),
      h(
        "button",
        { type: "button", popovertarget: "own-list", popovertargetaction: "hide" },
        t("filters.done"),
      ),
    );
  }

  /** @param {Favourite} favourite */
  function toRow(favourite) {
    const { id } = favourite;
    const name = h("input", {
      ...{ type: "text", value: nameOf(favourite), maxlength: NAME_MOST, dir: "auto" },
      "aria-label": t("own.name", { name: nameOf(favourite) }),
      onchange: () => own.rename(id, name.value),
    });
    const remove = () => {
      const n = own.list().findIndex((one) => one.id === id);
      own.remove(id);
      const buttons = list.querySelectorAll("li button");
      (buttons[Math.min(n, buttons.length - 1)] ?? list.querySelector("button"))?.focus();
    };
    const label = t("own.remove", { name: nameOf(favourite) });
    return h(
      "li",
      {},
      markOf(favourite),
      name,
      h(
        "button",
        { type: "button", class: "quiet", "aria-label": label, onclick: remove },
        line(BIN, 18),
      ),
    );
  }

  return { draw };
}

/** @param {Pick<Favourite, "name" | "role">} favourite */
export function nameOf({ name, role }) {
  return name === "" ? t(`own.${role ?? "place"}`) : name;
}

/** @param {Favourite} favourite */
function markOf({ role, thing }) {
  if (role !== null) return line(role === "home" ? HOUSE : CASE, 16);
  const kind = thing && KINDS.find(({ id }) => id === thing.kind);
  return kind ? icon(kind.icon, 15) : line(STAR, 16);
}

/** @param {any} chip @param {Favourite} favourite @param {Known | null} known */
function drawChip(chip, favourite, known) {
  const now = known === null ? "" : nowWords(known);
  const signature = JSON.stringify([favourite, now]);
  if (chip.dataset.drawn === signature) return;
  chip.dataset.drawn = signature;
  const isFresh = known?.now.state === "counts" && known.kept_at_ms === null;
  chip.classList.toggle("old", known !== null && !isFresh);
  fill(
    chip,
    markOf(favourite),
    h("bdi", { class: "name" }, nameOf(favourite)),
    now === "" ? null : h("span", { class: "now" }, ` · ${now}`),
  );
}

/** @param {Known} known */
function nowWords({ now, kept_at_ms }) {
  const words = stateWords(now);
  if (kept_at_ms === null || words === "") return words;
  return `${words} · ${t("list.old", { age: age((Date.now() - kept_at_ms) / 1_000) })}`;
}

/** @param {import("./now.js").Now} now */
function stateWords(now) {
  if (now.state === "gone") return t("own.gone");
  if (now.state === "old")
    return now.age_s === null ? t("map.stale") : t("list.old", { age: age(now.age_s) });
  if (now.state !== "counts") return "";
  if (now.counts.length === 0) return t("own.none");
  return now.counts.map(({ kind, n }) => t(`own.count.${kind}`, { n })).join(" · ");
}
