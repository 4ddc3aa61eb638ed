/** Dark or light: as the system says, until the user chooses. */

const KEY = "vicinity-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

/** @returns {"dark" | "light"} */
export function currentTheme() {
  const chosen = read();
  if (chosen === "dark" || chosen === "light") return chosen;
  return dark.matches ? "dark" : "light";
}

/** @type {Set<(theme: "dark" | "light") => void>} */
const watchers = new Set();
dark.addEventListener("change", apply);

/** Calls it with the theme now and with every other one; returns what turns to the other. @param {(theme: "dark" | "light") => void} changed */
export function watchTheme(changed) {
  const theme = currentTheme();
  document.documentElement.dataset["theme"] = theme;
  changed(theme);
  watchers.add(changed);
  return () => {
    write(currentTheme() === "dark" ? "light" : "dark");
    apply();
  };
}

/** Marks the document, and calls who watches. */
function apply() {
  const theme = currentTheme();
  document.documentElement.dataset["theme"] = theme;
  for (const changed of watchers) changed(theme);
}

/** Storage may be forbidden; then a choice lasts as long as the page. */
let kept = /** @type {string | null} */ (null);

function read() {
  try {
    return kept ?? localStorage.getItem(KEY);
  } catch {
    return kept;
  }
}

/** @param {string} theme */
function write(theme) {
  kept = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Then it is not remembered.
  }
}
