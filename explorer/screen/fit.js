/** Shows as many rows as there is room for, and says how many more there are. */
import { t } from "../page/texts.js";

/** @param {any} section with rows in `.rows` and a place for what is left in `.more` */
export function fitRows(section) {
  const rows = [...section.querySelectorAll(".rows > li")];
  const more = section.querySelector(".more");
  const beyond = Number(section.dataset["beyond"] ?? 0);
  for (const row of rows) row.hidden = false;
  const say = (/** @type {number} */ left) => {
    more.textContent = left > 0 ? t("screen.more", { n: left }) : "";
  };
  say(beyond);
  // The last rows leave until nothing is cut; one always stays.
  for (let shown = rows.length; shown > 1 && isCut(section); shown -= 1) {
    rows[shown - 1].hidden = true;
    say(beyond + rows.length - shown + 1);
  }
}

/** @param {any} section */
function isCut({ scrollHeight, clientHeight }) {
  return scrollHeight > clientHeight + 1;
}
