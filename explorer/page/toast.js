/** A line of text that is shown for a moment. */
import { byId } from "./dom.js";

const SHOWN_MS = 3_000;
let timer = 0;

/** @param {string} text */
export function toast(text) {
  const box = byId("toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => (box.hidden = true), SHOWN_MS);
}
