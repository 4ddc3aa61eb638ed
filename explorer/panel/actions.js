/** What a user can do with a thing, as buttons and links above its facts. */
import { h, line } from "../page/dom.js";
import { coordinates } from "../page/format.js";
import { t } from "../page/texts.js";
import { platformOf, toDirections, toRent } from "./hrefs.js";
import { copyText, shareAddress } from "./menu.js";

/** @typedef {import("../data/items.js").Item} Item */

const ARROW = "M12 3l9 9-9 9-9-9zM9.500 14v-3h5M12.500 9l2 2-2 2";
const KEY = "M15 9a4 4 0 1 0-4 4l1 0 0 2 2 0 0 2 2 0 3 3 2 0 0-3-5.500-5.500";
const COPY = "M9 9h11v11H9zM15 9V4H4v11h5";
const SHARE =
  "M8 12l8-4.500M8 12l8 4.500M6 12a2 2 0 1 0 .01 0M18 6.500a2 2 0 1 0 .01 0M18 17.500a2 2 0 1 0 .01 0";

/** @param {Item} item @param {{ report: (text: string) => void }} given `report`: says something for a moment */
export function toActions(item, { report }) {
  const platform = platformOf(navigator);
  const raw = item.layer === "vehicle" ? item.raw.source : item.raw;
  const rent = toRent(raw.rental_uris, platform);
  const copy = async () => report(await copyText(coordinates(item), t("action.copied")));
  const share = async () => report(await shareAddress(location.href, item.name));
  return h(
    "ul",
    { class: "do", "aria-label": t("action.label") },
    toLink(t("action.directions"), ARROW, toDirections(item, platform)),
    rent && toLink(t(rent.isApp ? "action.app" : "action.rent"), KEY, rent.href),
    toButton(t("action.copy"), COPY, copy),
    toButton(t("action.share"), SHARE, share),
  );
}

/** @param {string} text @param {string} d @param {string} href which is safe */
function toLink(text, d, href) {
  // An app opens in place of a page: a tab of its own would stay empty.
  const isPage = href.startsWith("https:");
  const props = { href, rel: "noopener noreferrer nofollow", target: isPage ? "_blank" : null };
  return h("li", {}, h("a", props, line(d, 20), text));
}

/** @param {string} text @param {string} d @param {() => Promise<void>} act */
function toButton(text, d, act) {
  return h("li", {}, h("button", { type: "button", onclick: () => void act() }, line(d, 20), text));
}
