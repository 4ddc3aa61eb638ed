/** The buttons that ask for a notice, and the notice. The permission is asked for when one is pressed. */
import { h, line } from "../page/dom.js";
import { t } from "../page/texts.js";
import { listWaits, MOST, Watches } from "./watches.js";

/** @typedef {import("../data/items.js").Item} Item @typedef {import("./watches.js").What} What */

const BELL = "M6 16V11a6 6 0 0 1 12 0v5l2 2H4ZM10 20.500h4";

/** @param {{ report: (text: string) => void, icon: string, changed: () => void }} given `changed`: what is waited for is another */
export function createNotify({ report, icon, changed }) {
  const watches = new Watches({
    free(item, what) {
      const text = t(`watch.free.${what}`, { name: item.name });
      report(text);
      void notify(text, icon, item);
      changed();
    },
    lost(item, message) {
      report(`${t("watch.lost", { name: item.name })} ${message}`.trim());
      changed();
    },
  });

  /** @param {Item} item @param {What} what */
  async function press(item, what) {
    if (watches.has(item, what)) {
      watches.end(item, what);
      report(t("watch.ended"));
    } else if ((await Notification.requestPermission()) !== "granted") report(t("watch.refused"));
    else if (watches.begin(item, what)) report(t("watch.begun"));
    else report(t("watch.full", { n: MOST }));
    changed();
  }

  return {
    /** What is pressed for a thing, with what it does; none where the browser has no notices. @param {Item} item */
    toButtons(item) {
      if (!("Notification" in globalThis)) return [];
      const waits = listWaits(item);
      const buttons = waits.map((what) => {
        const isOn = watches.has(item, what);
        return h(
          "button",
          { type: "button", "aria-pressed": String(isOn), onclick: () => void press(item, what) },
          line(BELL, 18),
          h("span", {}, t(`watch.for.${what}`)),
        );
      });
      return buttons.length === 0 ? [] : [...buttons, h("p", { class: "quiet" }, t("watch.note"))];
    },
  };
}

/** By the worker where there is one: phones show no others. @param {string} body @param {string} icon @param {Item} item */
async function notify(body, icon, item) {
  const options = {
    body,
    icon,
    tag: `vicinity-${item.id}`,
    data: location.pathname + location.search,
  };
  try {
    const registration = await navigator.serviceWorker?.getRegistration("/");
    if (registration?.active) await registration.showNotification("Vicinity", options);
    else {
      const shown = new Notification("Vicinity", options);
      shown.addEventListener("click", () => globalThis.focus());
    }
  } catch {
    // It has been said on the page.
  }
}
