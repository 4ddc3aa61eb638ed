/** Colours of lines, as their publishers chose them, with text that can be read on them. */

/** Only what is a colour becomes one. @param {any} route @returns {Record<string, string>} */
export function routeColors({ color, text_color }) {
  const sound = (/** @type {unknown} */ hex) =>
    typeof hex === "string" && /^[0-9a-f]{6}$/i.test(hex);
  return sound(color)
    ? {
        "--route": `#${color}`,
        "--route-text":
          sound(text_color) && contrast(color, text_color) >= 4.5
            ? `#${text_color}`
            : contrast(color, "ffffff") >= contrast(color, "000000")
              ? "#ffffff"
              : "#000000",
      }
    : {};
}

/** WCAG 2 contrast of two colours. @param {string} a @param {string} b */
function contrast(a, b) {
  const light = (/** @type {string} */ hex) => {
    const [r = 0, g = 0, blue = 0] = [0, 2, 4].map((at) => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * blue;
  };
  const [one, two] = [light(a), light(b)];
  return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
}
