/**
 * The little Markdown that descriptions use, as nodes: paragraphs, lists, `code`, **strong** and
 * links to http(s). Anything else is shown as the text it is; no text becomes markup.
 */
import { h } from "../page/dom.js";

/** Longer texts are cut: a description is prose. */
const LONGEST = 10_000;
/** References to the contract, which readers of this page do not have. */
const CITATION = / \(§[^()]{0,60}\)/g;

/** Paragraphs and lists. @param {string} text @returns {any[]} */
export function toBlocks(text) {
  return text.slice(0, LONGEST).split("\n\n").map(toBlock);
}

/** @param {string} block */
function toBlock(block) {
  const lines = block.split("\n");
  if (lines.every((line) => line.startsWith("- ")))
    return h(
      "ul",
      {},
      lines.map((line) => h("li", {}, toInline(line.slice(2)))),
    );
  return h("p", {}, toInline(block));
}

const SPANS =
  /`([^`]{1,300})`|\*\*([^*]{1,300})\*\*|\[([^[\]]{1,300})\]\((https?:\/\/[^\s()]{1,500})\)/g;

/** Text with its code, strong words and links. @param {string} text @returns {any[]} */
export function toInline(text) {
  const plain = text.slice(0, LONGEST).replaceAll(CITATION, "");
  /** @type {any[]} */
  const parts = [];
  let from = 0;
  for (const found of plain.matchAll(SPANS)) {
    const [whole, code, strong, label, address] = found;
    parts.push(plain.slice(from, found.index));
    if (code !== undefined) parts.push(h("code", {}, code));
    else if (strong !== undefined) parts.push(h("strong", {}, strong));
    else parts.push(toLink(whole, label ?? "", address ?? ""));
    from = found.index + whole.length;
  }
  return [...parts, plain.slice(from)].filter((part) => part !== "");
}

/** @param {string} whole @param {string} label @param {string} address */
function toLink(whole, label, address) {
  if (!URL.canParse(address)) return whole;
  return h("a", { href: address, rel: "noopener noreferrer nofollow" }, label);
}
