/** /docs: completes the guide with what only the service knows, and adds the reference. */
import { addOperations, watchPlace, watchSearch, watchWidth } from "./docs/contents.js";
import { framed } from "./docs/code.js";
import { showCodes, showCosts, showLimits } from "./docs/guide.js";
import { currentKey, setKey, watchKey } from "./docs/key.js";
import { toBlocks } from "./docs/markdown.js";
import { isPublic, toJson } from "./docs/offers.js";
import { toOperationSection } from "./docs/operation.js";
import { send } from "./docs/request.js";
import { listOperations, listTags } from "./docs/spec.js";
import { byId, fill, h, put } from "./page/dom.js";
import { readSettings } from "./page/settings.js";
import { loadTexts } from "./page/texts.js";
import { watchTheme } from "./page/theme.js";

const settings = readSettings();

const turnTheme = watchTheme((theme) => {
  byId("theme").textContent = theme === "dark" ? "Light" : "Dark";
});
byId("theme").addEventListener("click", turnTheme);
byId("mode").hidden = settings.mode !== "sandbox";
showOrigin();
watchWidth();
watchSearch();
watchKeyForm();
// Without them, a label of the tree of JSON is missing.
loadTexts(settings.assets, { tag: "en" }).catch(() => {});
await Promise.all([showCodes(settings.assets), showReference()]);
watchPlace();
// Its section was not there when the page was opened.
if (location.hash !== "") location.replace(location.hash);
performance.mark("vicinity-docs");

/** Code of the guide calls this deployment. */
function showOrigin() {
  for (const pre of document.querySelectorAll("pre[data-label]")) {
    const code = /** @type {Element} */ (pre.firstElementChild);
    code.textContent = (code.textContent ?? "").replaceAll(
      "http://127.0.0.1:8080",
      location.origin,
    );
    const label = pre.getAttribute("data-label") ?? "";
    const mark = document.createComment("");
    pre.replaceWith(mark);
    for (const [name, value] of [
      ["tabindex", "0"],
      ["role", "group"],
      ["aria-label", label],
    ])
      pre.setAttribute(/** @type {string} */ (name), /** @type {string} */ (value));
    mark.replaceWith(framed(label, label, pre));
  }
  if (settings.reference.changelog)
    fill(
      byId("changelog"),
      "The changes of each release, for programs and for people: ",
      h("a", { href: "/changelog.json" }, "/changelog.json"),
      ".",
    );
}

async function showReference() {
  const reply = await send({ method: "GET", target: "/openapi.json", body: null, key: null });
  const spec = typeof reply === "string" ? null : toJson(reply.text);
  if (!spec?.paths)
    return void fill(
      byId("reading"),
      "The description cannot be read. ",
      typeof reply === "string" ? reply : "",
    );
  const operations = listOperations(spec);
  const tags = listTags(spec, operations);
  addOperations(tags);
  showCosts(operations);
  fill(
    byId("reference"),
    h("h2", { id: "operations" }, "Operations"),
    tags.flatMap(({ name, description, members }) => [
      h("div", { class: "tag" }, h("h2", {}, name), toBlocks(description)),
      ...members.map((one) => toOperationSection(spec, one)),
    ]),
  );
}

function watchKeyForm() {
  const input = byId("key");
  const show = () => {
    const key = currentKey();
    byId("key-forget").hidden = key === null;
    byId("key-state").textContent =
      key === null
        ? "No key: requests go out anonymous. A key is kept until this tab is closed."
        : `In use: …${key.slice(-4)}${isPublic(key) ? ", the sandbox’s" : ""}. It is kept until this tab is closed.`;
    void showLimits(key);
  };
  byId("key-form").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const given = input.value.trim();
    input.value = "";
    if (given !== "") setKey(given);
  });
  byId("key-forget").addEventListener("click", () => setKey(null));
  const { key: offered } = settings.reference;
  if (offered !== null)
    put(
      byId("key-forget").parentElement,
      h("button", { type: "button", onclick: () => setKey(offered) }, "Use the sandbox’s"),
    );
  watchKey(show);
  show();
}
