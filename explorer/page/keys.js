/** Keys of the whole page: `/` leads to the search, Escape back from what is open. */
import { byId } from "./dom.js";

/** @param {() => void} leave Escape was pressed, and no popover is open, which the browser closes itself */
export function followKeys(leave) {
  document.addEventListener("keydown", (event) => {
    const isPopover = document.querySelector(":popover-open") !== null;
    if (event.key === "Escape" && !isPopover) leave();
    const isTyping =
      event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (event.key === "/" && !isTyping) {
      event.preventDefault();
      byId("q").focus();
    }
  });
}
