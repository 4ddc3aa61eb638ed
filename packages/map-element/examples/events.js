/** What events.html does with the events of the map. */
const map = /** @type {HTMLElement} */ (document.querySelector("vicinity-map"));
const say = (/** @type {string} */ id, /** @type {string} */ text) =>
  document.getElementById(id)?.replaceChildren(text);

map.addEventListener("vicinity-select", (event) => {
  const { name, network_id, vehicles } = /** @type {CustomEvent} */ (event).detail;
  say("chosen", `${name ?? network_id} : ${vehicles ?? "inconnu"}`);
});
map.addEventListener("vicinity-error", (event) => {
  say("fault", /** @type {CustomEvent} */ (event).detail.message);
});
