/** What a box of text suggests: a list that is walked through while the focus stays in the box. */
import { byId, fill, h, icon } from "../page/dom.js";

/**
 * `key`: the same for one that is offered again; `icon`: of the kind that it is
 * @typedef {{ key: string, name: string, label: string, icon?: string, run: () => void }} Suggestion
 */

/**
 * The list below `input`, as a combobox has it. `say`: announces to a screen reader.
 * @param {any} input @param {(text: string) => void} say
 */
export function createSuggestions(input, say) {
  const box = byId("found-box");
  const list = byId("found");
  const note = byId("found-note");
  /** @type {readonly Suggestion[]} */
  let offered = [];
  let marked = -1;
  /** The user has gone through the list: what is marked stays so while more comes. */
  let isWalked = false;

  const mark = (/** @type {number} */ n) => {
    marked = n;
    [...list.children].forEach((element, at) =>
      element.setAttribute("aria-selected", String(at === n)),
    );
    if (n < 0) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", `found-${n}`);
    list.children[n]?.scrollIntoView({ block: "nearest" });
  };
  const toOption = (/** @type {Suggestion} */ { name, label, ...one }, /** @type {number} */ n) =>
    h(
      "li",
      {
        id: `found-${n}`,
        role: "option",
        "aria-selected": "false",
        "data-key": one.key,
        onmousedown: (/** @type {Event} */ event) => event.preventDefault(),
        onclick: one.run,
      },
      one.icon ? icon(one.icon, 15) : null,
      h("span", { dir: "auto" }, name),
      h("small", { dir: "auto" }, label),
    );

  return {
    isOpen: () => !box.hidden,
    /** Shows suggestions and what there is to say of them. @param {readonly Suggestion[]} next @param {{ text?: string | null, isAbove?: boolean }} [said] */
    show(next, { text = null, isAbove = false } = {}) {
      const before = isWalked ? offered[marked]?.key : undefined;
      const kept = before === undefined ? -1 : next.findIndex(({ key }) => key === before);
      offered = next;
      fill(list, offered.map(toOption));
      list.hidden = offered.length === 0;
      note.hidden = text === null;
      note.textContent = text ?? "";
      note.classList.toggle("above", isAbove);
      box.hidden = offered.length === 0 && text === null;
      input.setAttribute("aria-expanded", String(offered.length > 0));
      isWalked = kept >= 0;
      mark(kept >= 0 ? kept : offered.length > 0 ? 0 : -1);
    },
    /** Says aloud what is offered. @param {string} text */
    announce(text) {
      if (document.activeElement === input) say(text);
    },
    close() {
      box.hidden = true;
      offered = [];
      fill(list);
      isWalked = false;
      input.setAttribute("aria-expanded", "false");
      mark(-1);
    },
    /** @param {number} step 1 or -1 */
    move(step) {
      if (offered.length === 0) return;
      isWalked = true;
      mark((marked + step + offered.length) % offered.length);
    },
    /** Takes what is marked; whether there was something. */
    take() {
      const one = offered[marked];
      one?.run();
      return one !== undefined;
    },
  };
}
