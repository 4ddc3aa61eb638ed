/** What is known of one thing, and the link to where it is rented. */
import { fill, h, icon, toSafeHref } from "../page/dom.js";
import { ago, capital, counted, distance, kindName, onFoot, plain, USABLE } from "./words.js";

/** @typedef {import("./things.js").Thing} Thing */
/**
 * `now_ms`: of the service, as far as is known; `read_ms`: when the search was made, null: not known.
 * @typedef {{ now_ms: number, read_ms: number | null, nameOf(source: string): string,
 *   open: ((url: string) => void) | null, close(): void }} About
 */

/** @param {HTMLElement} card @param {Thing | null} thing @param {About} about */
export function showCard(card, thing, about) {
  card.hidden = thing === null;
  if (thing === null) return void fill(card);
  const { name, icon: own, color, sources } = thing;
  const names = [...new Set(sources.map(about.nameOf))];
  fill(
    card,
    h(
      "div",
      { class: "head" },
      h("span", { class: "badge", style: { "--own": color } }, icon(own, 16)),
      h("h2", {}, h("bdi", {}, name)),
      h("button", { type: "button", "aria-label": "Close", onclick: about.close }, "×"),
    ),
    h(
      "p",
      { class: "quiet" },
      kindName(thing),
      thing.operator ? [" · ", h("bdi", {}, thing.operator)] : null,
    ),
    h(
      "dl",
      {},
      toFacts(thing).map(([term, text]) => h("div", {}, h("dt", {}, term), h("dd", {}, text))),
    ),
    toLink(thing, about),
    h(
      "p",
      { class: "quiet" },
      "Source: ",
      names.length === 0 ? "unknown" : h("bdi", {}, names.join(", ")),
    ),
  );
  showAge(card, thing, about);
}

/** Ages grow while a card is open. @param {HTMLElement} card @param {Thing | null} thing @param {Pick<About, "now_ms" | "read_ms">} about */
export function showAge(card, thing, { now_ms, read_ms }) {
  const at_ms = thing?.observed_at ? Date.parse(thing.observed_at) : read_ms;
  for (const place of card.querySelectorAll(".age"))
    fill(place, at_ms === null ? "unknown" : ago(now_ms - at_ms));
}

/** @param {Thing} thing @returns {[string, any][]} */
function toFacts(thing) {
  const { layer, free, docks, total, battery, range_m } = thing;
  const usable = `${capital(USABLE[thing.usable])}${thing.state === "unknown" ? "" : ` (${plain(thing.state)})`}`;
  const walk = onFoot(thing.walk);
  const always = /** @type {[string, any][]} */ ([
    ...(walk === null ? [] : [["On foot", walk]]),
    ["Distance", distance(thing.distance)],
    ["State", usable],
  ]);
  const age = /** @type {[string, any]} */ (["Updated", h("span", { class: "age" })]);
  const until =
    thing.until === null
      ? []
      : [/** @type {[string, any]} */ (["Until", thing.until.slice(0, 16).replace("T", " ")])];
  switch (layer) {
    case "station":
      return [...always, ["Free", counted(free)], ["Empty docks", counted(docks)], age];
    case "vehicle":
      return [
        ...always,
        ["Battery", battery === null ? "unknown" : `${Math.round(battery)} %`],
        ["Range", range_m === null ? "unknown" : distance(range_m)],
        age,
      ];
    case "service": {
      const plugs =
        thing.of === "charging"
          ? [["Free connectors", `${counted(free)} of ${counted(total)}`]]
          : [];
      const facts = thing.facts.map(([term, text]) => [capital(plain(term)), h("bdi", {}, text)]);
      return /** @type {[string, any][]} */ ([...always, ...until, ...plugs, ...facts, age]);
    }
  }
}

/** A host that opens no links shows the address as text. @param {Thing} thing @param {About} about */
function toLink({ link }, { open }) {
  const href = toSafeHref(link);
  if (href === null) return null;
  if (open === null) return h("p", { class: "address" }, href);
  const { hostname } = new URL(href);
  return h(
    "button",
    { type: "button", class: "link", onclick: () => open(href) },
    "Open at ",
    h("bdi", {}, hostname),
  );
}
