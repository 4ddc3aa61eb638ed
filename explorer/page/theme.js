/** Dark or light: as the system says, until the user chooses. */

const KEY = "vicinity-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

/** @returns {"dark" | "light"} */
export function currentTheme() {
  const chosen = read();
  if (chosen === "dark" || chosen === "light") return chosen;
  return dark.matches ? "dark" : "light";
}

/** @param {(theme: "dark" | "light") => void} changed */
export function watchTheme(changed) {
  const apply = () => {
    const theme = currentTheme();
    document.documentElement.dataset["theme"] = theme;
    changed(theme);
  };
  dark.addEventListener("change", apply);
  apply();
  return () => {
    write(currentTheme() === "dark" ? "light" : "dark");
    apply();
  };
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
