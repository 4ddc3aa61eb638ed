/** An operation as curl, and a form that sends it: fields, request, reply. */
import { toJsonTree } from "../panel/json-tree.js";
import { fill, h, put } from "../page/dom.js";
import { toCode } from "./code.js";
import { toField } from "./fields.js";
import { watchKey } from "./key.js";
import { findOffer, isPublic, keyFor, lacksKey, refusalOf, toExamples, toJson } from "./offers.js";
import { send, toCurl, toTarget } from "./request.js";

/** @typedef {import("./spec.js").Operation} Operation @typedef {import("./request.js").Request} Request */

/** The request is shown at once; the form is made when it is opened. @param {Operation} operation @returns {any} */
export function toTrial(operation) {
  const { element, code } = toCode("curl", `curl, ${operation.summary}`);
  let read = () => ({ values: toExamples(operation), body: toBody(operation) });
  const toRequest = () => {
    const { values, body } = read();
    const { method } = operation;
    return { method, target: toTarget(operation, values), body, key: keyFor(operation) };
  };
  const show = () => {
    const request = toRequest();
    const { key } = request;
    code.textContent = toCurl(request, key !== null && isPublic(key) ? key : "$VICINITY_API_KEY");
  };
  const details = h("details", { class: "trial" }, h("summary", {}, "Try it"));
  const open = async () => {
    const form = await toForm(operation, toRequest, show);
    if ("read" in form) ({ read } = form);
    details.append(form.element);
    show();
  };
  details.addEventListener("toggle", () => void open(), { once: true });
  watchKey(show);
  show();
  return h("div", { class: "try" }, element, details);
}

/** @param {Operation} operation @returns {string | null} */
function toBody({ body }) {
  const [first] = Object.values(body?.["examples"] ?? {});
  return first === undefined ? null : JSON.stringify(first.value, null, 2);
}

/** @param {Operation} operation @param {() => Request} toRequest @param {() => void} changed */
async function toForm(operation, toRequest, changed) {
  const refusal = refusalOf(operation);
  if (refusal !== null) return { element: h("p", { class: "refusal" }, refusal) };
  const { values, notes } = await findOffer(operation);
  const given = { ...toExamples(operation), ...values };
  const shown = operation.parameters.filter(
    ({ name, deprecated }) => name !== "token" && !deprecated,
  );
  const fields = shown.map((one) => toField(operation.id, one, given[one.name] ?? ""));
  const first = fields.filter((_, n) => given[shown[n]?.name ?? ""] !== undefined);
  const others = fields.filter((field) => !first.includes(field));
  const text = toBodyField(operation);
  const result = h("div", { class: "result" });
  const access = h("p", { class: "access" });
  const button = h("button", { class: "primary" }, "Send");
  const showAccess = () => {
    fill(access, toAccess(operation));
    button.disabled = lacksKey(operation);
  };
  watchKey(showAccess);
  showAccess();
  const element = h(
    "form",
    { novalidate: true, oninput: changed },
    first.map((field) => field.element),
    others.length === 0
      ? null
      : h(
          "details",
          { class: "fold" },
          h("summary", {}, `${others.length} more parameters`),
          others.map((field) => field.element),
        ),
    text && h("label", {}, "Body", text),
    notes.map((note) => h("p", { class: "quiet" }, note)),
    access,
    button,
    result,
  );
  element.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    void run(toRequest(), result);
  });
  const read = () => ({
    values: Object.fromEntries(fields.map((field) => [field.name, field.read()])),
    body: text ? text.value : null,
  });
  return { element, read };
}

/** @param {Operation} operation */
function toBodyField(operation) {
  const body = toBody(operation);
  if (body === null) return null;
  const area = h("textarea", { rows: 12, spellcheck: "false" });
  area.value = body;
  return area;
}

/** Whom the request goes out for. @param {Operation} operation */
function toAccess(operation) {
  const key = keyFor(operation);
  const link = h("a", { href: "#keys" }, "set a key");
  if (operation.auth === "none") return "No key is read.";
  if (key === null)
    return [
      lacksKey(operation) ? "This operation needs a key" : "Goes out without a key",
      ": ",
      link,
      ".",
    ];
  return isPublic(key)
    ? "Goes out with the sandbox’s key."
    : ["Goes out with your key. ", h("a", { href: "#keys" }, "Change it"), "."];
}

/** @param {Request} request @param {any} result */
async function run(request, result) {
  fill(result, h("p", { role: "status" }, "Sending …"));
  const reply = await send(request);
  if (typeof reply === "string")
    return void fill(result, h("p", { role: "alert", class: "bad" }, reply));
  const { status, ms, bytes, headers, text } = reply;
  const good = status < 400;
  fill(
    result,
    h(
      "p",
      { role: "status" },
      h("strong", { class: good ? "status good" : "status bad" }, status),
      ` ${ms} ms, ${bytes.toLocaleString("en")} bytes`,
    ),
  );
  const list = h(
    "dl",
    { class: "facts" },
    headers.flatMap(([name, value]) => [h("dt", {}, h("code", {}, name)), h("dd", {}, value)]),
  );
  put(result, h("details", { class: "fold" }, h("summary", {}, `${headers.length} headers`), list));
  const body = toJson(text);
  const label = { class: "json", tabindex: "0", role: "group", "aria-label": "Body of the reply" };
  put(result, h("div", label, body === null ? text.slice(0, 20_000) : toJsonTree(body)));
}
