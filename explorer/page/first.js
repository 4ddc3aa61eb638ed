/** Sets dark or light before anything is drawn, so that nothing flashes, and leaves room for saved places. */
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("vicinity-theme");
    const has_own = localStorage.getItem("vicinity-own") !== null;
    if (has_own) document.documentElement.dataset["own"] = "";
  } catch {
    // Then the system decides.
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset["theme"] = chosen ?? (dark ? "dark" : "light");
})();
