/** The calls behind what is seen, as one would make them oneself, each with its answer. */
import { toTarget } from "../data/api.js";
import { byId, fill, h, line } from "../page/dom.js";
import { unit } from "../page/format.js";
import { t } from "../page/texts.js";
import { toJsonTree } from "./json-tree.js";
import { copyText } from "./menu.js";
import { LANGUAGES, toSnippet } from "./snippets.js";

/** @typedef {import("../data/api.js").Call} Call */

/** @param {{ toggled: () => void }} handlers */
export function createRequest({ toggled }) {
  const box = byId("request");
  const opener = byId("open-request");
  /** @type {Call[]} */
  let calls = [];
  let chosen = "nearby";
  let language = "URL";
  let drawn = "";

  const draw = () => {
    if (box.hidden) return;
    const now = calls.find(({ id }) => id === chosen) ?? calls[0];
    const signature = JSON.stringify([
      calls.map(({ id }) => id),
      now?.id,
      now?.request_id,
      language,
    ]);
    if (signature === drawn) return;
    drawn = signature;
    fill(box, toHead(), now ? toCall(now) : h("p", { class: "quiet" }, t("request.none")));
  };
  const toHead = () =>
    h(
      "div",
      { class: "head" },
      h("h2", {}, t("request.title")),
      h(
        "select",
        {
          "aria-label": t("request.which"),
          onchange: (/** @type {any} */ event) => pick(event.target.value),
        },
        calls.map(({ id, title, path }) =>
          h("option", { value: id, selected: id === chosen }, `${title} · ${path}`),
        ),
      ),
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          "aria-label": t("request.close"),
          onclick: () => open(false),
        },
        line("M6 6l12 12M18 6 6 18"),
      ),
    );
  const pick = (/** @type {string} */ id) => {
    chosen = id;
    draw();
  };
  const toCall = (/** @type {Call} */ one) => {
    const text = toSnippet(language, location.origin, toTarget(one), one);
    const copy = h(
      "button",
      {
        type: "button",
        class: "copy quiet",
        onclick: () =>
          void copyText(text, t("request.copied")).then((said) => (copy.textContent = said)),
      },
      t("request.copy"),
    );
    const tabs = LANGUAGES.map((name) =>
      h(
        "button",
        { type: "button", "aria-pressed": String(name === language), onclick: () => speak(name) },
        name,
      ),
    );
    return h(
      "div",
      { class: "call" },
      h(
        "div",
        { class: "languages", role: "group", "aria-label": t("request.language") },
        tabs,
        copy,
      ),
      h("pre", { class: "snippet", tabindex: "0" }, h("code", {}, text)),
      h(
        "p",
        { class: "quiet meta" },
        [
          one.status === null ? one.problem : `HTTP ${one.status}`,
          unit(one.ms, "millisecond", 0),
          one.cache,
          one.request_id ? `x-request-id ${one.request_id}` : null,
        ]
          .filter(Boolean)
          .join(" · "),
      ),
      h(
        "div",
        { class: "json", tabindex: "0", role: "group", "aria-label": t("request.answer") },
        one.body === null ? h("p", { class: "quiet" }, t("request.empty")) : toJsonTree(one.body),
      ),
    );
  };
  const speak = (/** @type {string} */ name) => {
    language = name;
    draw();
    [...box.querySelectorAll(".languages button")].find((one) => one.textContent === name)?.focus();
  };
  const open = (/** @type {boolean} */ is) => {
    box.hidden = !is;
    opener.setAttribute("aria-expanded", String(is));
    document.documentElement.classList.toggle("with-request", is);
    drawn = "";
    draw();
    toggled();
    (is ? box.querySelector("select") : opener)?.focus();
  };
  opener.addEventListener("click", () => open(box.hidden));
  box.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    open(false);
  });
  return {
    /** Shows these calls; opens on one of them when it is named. @param {string | null} id @param {Call[]} next */
    show(id, next) {
      const extra = calls.filter((one) => one.id === "why" && id === null);
      calls = [
        ...next.filter((one, at) => next.findIndex((other) => other.id === one.id) === at),
        ...extra,
      ];
      if (id === null) return draw();
      chosen = id;
      calls = [
        ...next.filter((one) => one.id !== id),
        ...next.filter((one) => one.id === id).slice(-1),
      ];
      open(true);
    },
  };
}
