/**
 * Markup that the library of the API reference may make: text with plain elements that carry no
 * attribute. Anything else is shown as the text it is, and no text ever becomes a script.
 */
(() => {
  const types = /** @type {any} */ (globalThis).trustedTypes;
  if (!types) return;
  const plain = /^(?:[^<]|<\/?(?:p|code|em|strong|ul|ol|li|br|pre)>)*$/;
  const entities = /** @type {Record<string, string>} */ ({
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  });
  types.createPolicy("default", {
    createHTML: (/** @type {string} */ text) =>
      plain.test(text) ? text : text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? ""),
  });
  // The library's sanitiser would make a policy of its own, which lets everything pass.
  Object.defineProperty(globalThis, "trustedTypes", { value: undefined });
})();
