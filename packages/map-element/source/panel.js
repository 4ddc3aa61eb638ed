/** All of the element but the map itself: texts, the list, the card of a thing, the link that remains. */
import { useOf } from "./drawing.js";
import { make, toCredit } from "./parts.js";
import { fill } from "./texts.js";

/** @typedef {import("./drawing.js").Item} Item @typedef {import("./texts.js").Texts} Texts */
/**
 * @typedef {{ t: Texts, src: string, page: (id?: string) => string,
 *   select: (id: string | null) => void, zoom: (by: number) => void }} Wiring
 */

export class Panel {
  /** Where the map is drawn. */
  map = make("div", { className: "map" });
  #wiring;
  #list;
  #zoom;
  #card = make("div", { className: "card", role: "status", hidden: true });
  #age = make("span");
  #credits = make("span", { className: "credits" });
  #reason = make("p");
  #fallback;
  /** Buttons of the list by id, so that what has the focus keeps it. */
  #rows = /** @type {Map<string, any>} */ (new Map());

  /** @param {ShadowRoot} root @param {Wiring} wiring */
  constructor(root, wiring) {
    const { t, page, zoom } = (this.#wiring = wiring);
    const button = (
      /** @type {string} */ label,
      /** @type {string} */ sign,
      /** @type {number} */ by,
    ) => make("button", { "aria-label": label, textContent: sign, onclick: () => zoom(by) });
    this.#list = make("ul", { className: "list", "aria-label": t.list });
    this.#zoom = make("div", { className: "zoom" }, button(t.in, "+", 1), button(t.out, "−", -1));
    const link = make("slot", {}, make("a", { href: page(), textContent: t.open }));
    this.#fallback = make(
      "div",
      { className: "fallback", role: "status", hidden: true },
      this.#reason,
      link,
    );
    const foot = make("div", { className: "foot" }, this.#age, this.#credits);
    root.replaceChildren(this.map, this.#list, this.#zoom, this.#card, foot, this.#fallback);
    this.note(t.wait);
  }

  /** How old what is shown is, or why there is none. @param {string} text */
  note(text) {
    if (this.#age.textContent !== text) this.#age.textContent = text;
  }

  /** Shows the link in place of the map; null: the map is there again. @param {string | null} reason */
  fall(reason) {
    this.#reason.textContent = reason ?? "";
    this.#fallback.hidden = reason === null;
    this.#zoom.hidden = this.#list.hidden = reason !== null;
  }

  /** @param {string[]} networks @param {Iterable<string>} notes of the map's sources */
  credit(networks, notes) {
    const { src, t } = this.#wiring;
    const names = networks.slice(0, 3).join(", ") + (networks.length > 3 ? "…" : "");
    const parts = [...notes, names].filter(Boolean);
    // What has the focus keeps it.
    if (this.#credits.title === parts.join() && this.#credits.firstChild) return;
    this.#credits.title = parts.join();
    const link = make("a", { href: `${src}/v1/sources`, rel: "license", textContent: t.licences });
    this.#credits.replaceChildren(link, ...parts.flatMap((part) => [" · ", ...toCredit(part)]));
  }

  /** @param {{ item: Item, away_m: number }[]} nearest */
  list(nearest) {
    const rows = nearest.map(({ item, away_m }) => {
      const row =
        this.#rows.get(item.id) ??
        make("li", {}, make("button", { onclick: () => this.#wiring.select(item.id) }));
      const text = `${this.#nameOf(item)}, ${this.#countOf(item)}, ${Math.round(away_m / 10) * 10} m`;
      if (row.textContent !== text) row.firstChild.textContent = text;
      return /** @type {const} */ ([item.id, row]);
    });
    // While it is read its rows stay where they are.
    if (this.#list.matches(":focus-within")) return;
    this.#rows = new Map(rows);
    this.#list.replaceChildren(...this.#rows.values());
  }

  /** @param {Item | null} item null: none is chosen @param {string} age */
  card(item, age) {
    const { t, page, select } = this.#wiring;
    const card = this.#card;
    card.hidden = item === null;
    if (!item) return;
    const lines = [this.#nameOf(item), this.#countOf(item), "", age];
    if (item.kind === "station") lines[2] = `${t.docks}: ${item.docks ?? t.unknown}`;
    else lines[2] = `${t.battery}: ${item.battery == null ? t.unknown : `${item.battery} %`}`;
    if (card.id !== item.id) {
      card.id = item.id;
      const close = make("button", {
        "aria-label": t.close,
        textContent: "×",
        onclick: () => select(null),
      });
      const more = make("a", { href: page(item.id), textContent: t.open });
      // An age that grows is not read out.
      const texts = lines.map((_, at) => make("p", { "aria-live": at === 3 ? "off" : "polite" }));
      card.replaceChildren(close, ...texts, more);
    }
    const texts = card.querySelectorAll("p");
    for (const [at, line] of lines.entries())
      if (texts[at].textContent !== line) texts[at].textContent = line;
  }

  /** @param {Item} item */
  #nameOf({ name, modes, network_id }) {
    return name ?? `${this.#wiring.t[modes[0] ?? "bicycle"]} (${network_id})`;
  }

  /** @param {Item} item */
  #countOf(item) {
    const { t } = this.#wiring;
    const use = useOf(item);
    if (use === "no") return t.no;
    if (item.kind === "station") return `${t.available}: ${item.vehicles ?? t.unknown}`;
    return use === "yes" ? t.yes : `${t.yes}: ${t.unknown}`;
  }
}

/** As texts have ages. @param {Texts} t @param {number | null} age_s */
export function toAge(t, age_s) {
  if (age_s === null) return t.unknown;
  return fill(t.age, age_s < 100 ? `${age_s} s` : `${Math.round(age_s / 60)} min`);
}
