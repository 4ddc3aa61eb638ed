/** Code that can be copied. */
import { h } from "../page/dom.js";

/** A block to be filled. @param {string} title @param {string} label what it is, for a screen reader */
export function toCode(title, label) {
  const code = h("code");
  return {
    element: framed(
      title,
      label,
      h("pre", { tabindex: "0", role: "group", "aria-label": label }, code),
    ),
    code,
  };
}

/** Puts a frame with a button around a block of the page. @param {string} title @param {string} label @param {any} pre */
export function framed(title, label, pre) {
  const button = h(
    "button",
    { type: "button", class: "copy", "aria-label": `Copy: ${label}` },
    "Copy",
  );
  button.addEventListener("click", async () => {
    const done = await copy(pre.textContent ?? "");
    button.textContent = done ? "Copied" : "Not allowed";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  return h("div", { class: "code" }, h("div", { class: "label" }, title, button), pre);
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
