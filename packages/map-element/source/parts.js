/** The parts of the element in its shadow: made without markup, so that no text becomes any. */

/** @param {string} name @param {object} [given] its properties, and attributes with a hyphen @param {(Node | string)[]} children @returns {any} */
export function make(name, given = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(given))
    if (key.includes("-") || key === "role" || key === "part") node.setAttribute(key, value);
    else Object.assign(node, { [key]: value });
  node.append(...children);
  return node;
}

const CSS = `:host{display:block;position:relative;height:24rem;contain:content;font:13px/1.4 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
:host([hidden]),[hidden]{display:none!important}
.map,canvas{position:absolute;inset:0}
.map{bottom:1.9em}
.maplibregl-canvas-container{height:100%;cursor:grab;touch-action:pan-x pan-y}
.maplibregl-control-container{display:none}
.maplibregl-cooperative-gesture-screen{position:absolute;inset:0;display:grid;place-items:center;background:#000a;color:#fff;font-size:1.3em;opacity:0;pointer-events:none}
.maplibregl-cooperative-gesture-screen.maplibregl-show{opacity:1}
.maplibregl-mobile-message{display:none}
.foot{position:absolute;inset:auto 0 0;height:1.9em;padding:.2em .6em;box-sizing:border-box;display:grid;grid-template-columns:1fr 1fr;gap:1em;white-space:nowrap;background:var(--paper)}
.foot span{overflow:hidden;text-overflow:ellipsis}
.credits{text-align:end}
.card,.list,.fallback{position:absolute;z-index:1;box-sizing:border-box;padding:.7em .9em;background:var(--paper);border:1px solid var(--off);border-radius:6px;max-width:calc(100% - 5em)}
.card,.list{top:.6em;inset-inline-start:.6em;max-height:calc(100% - 4em);overflow:auto}
.card p{margin:.2em 2.5em .2em 0}
.card p:first-of-type{font-weight:600}
.card button{position:absolute;top:.4em;inset-inline-end:.4em}
.fallback{inset:0;border:0;border-radius:0;max-width:none;display:grid;place-content:center;text-align:center}
.fallback p{margin:0 0 .8em}
.list:not(:focus-within){width:1px;height:1px;padding:0;border:0;overflow:hidden;clip-path:inset(50%)}
ul{margin:0;padding:0;list-style:none}
a{color:var(--accent)}
button{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--off);border-radius:4px;min-width:2em;min-height:2em;cursor:pointer}
li button{border:0;text-align:start}
.zoom{position:absolute;z-index:1;top:.6em;inset-inline-end:.6em;display:grid;gap:.3em}
:focus-visible{outline:3px solid var(--accent);outline-offset:-3px}`;

/** Not bound by the policy of the page on styles. @param {{ paper: string, ink: string, accent: string, off: string }} colours */
export function toSheet({ paper, ink, accent, off }) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:host{--paper:${paper};--ink:${ink};--accent:${accent};--off:${off}}${CSS}`);
  return sheet;
}

/** A note of the map's sources: its links stay links, and all else is text. @param {string} markup @returns {(Node | string)[]} */
export function toCredit(markup) {
  const plain = (/** @type {string} */ text) =>
    text
      .replace(/<[^<>]*>/g, "")
      .replace("&copy;", "©")
      .replace("&amp;", "&");
  return markup.split(/(<a [^<>]*>[^<>]*<\/a>)/).map((part) => {
    const [, href] = /^<a [^<>]*href="(https?:[^"<>]*)"/.exec(part) ?? [];
    return href ? make("a", { href, textContent: plain(part) }) : plain(part);
  });
}
