/** Sets dark or light before anything is drawn, as the address or the system says; nothing is stored or read. */
(() => {
  const wanted = new URLSearchParams(location.search).get("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const isNamed = wanted === "dark" || wanted === "light";
  document.documentElement.dataset["theme"] = isNamed ? wanted : dark ? "dark" : "light";
})();
