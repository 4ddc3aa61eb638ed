/** Sets dark or light before anything is drawn, so that nothing flashes. */
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("vicinity-theme");
  } catch {
    // Then the system decides.
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset["theme"] = chosen ?? (dark ? "dark" : "light");
})();
