/** One operation of the reference: what it costs, takes and answers, and a form to try it. */
import { toJsonTree } from "../panel/json-tree.js";
import { h, put } from "../page/dom.js";
import { toBlocks, toInline } from "./markdown.js";
import { toSchemaTree } from "./schema.js";
import { boundsOf, resolve, typeOf, valuesOf } from "./spec.js";
import { toTrial } from "./trial.js";

/**
 * @typedef {import("./spec.js").Json} Json
 * @typedef {import("./spec.js").Operation} Operation
 * @typedef {import("./spec.js").Parameter} Parameter
 */

/** @param {Json} spec @param {Operation} operation @returns {any} */
export function toOperationSection(spec, operation) {
  const { id, summary, deprecated, paragraphs } = operation;
  const said = h(
    "div",
    { class: "said" },
    paragraphs.flatMap(toBlocks),
    toFacts(operation),
    toParameters(spec, operation.parameters),
    toBody(spec, operation.body),
    toResponses(spec, operation.responses),
  );
  return h(
    "section",
    { id, class: "operation", "aria-labelledby": `${id}-title` },
    h(
      "h3",
      { id: `${id}-title` },
      h("a", { href: `#${id}`, class: "anchor" }, summary),
      deprecated ? h("span", { class: "badge warn" }, "deprecated") : null,
    ),
    toRoute(operation),
    h("div", { class: "halves" }, said, toTrial(operation)),
  );
}

/** Method and path, which may be broken after a slash. @param {Operation} operation */
function toRoute({ method, path }) {
  const parts = path.split("/").flatMap((part, n) => (n === 0 ? [part] : ["/", h("wbr"), part]));
  return h(
    "p",
    { class: "route" },
    h("span", { class: `method ${method.toLowerCase()}` }, method),
    " ",
    h("code", {}, parts),
  );
}

/** @param {Operation} operation */
function toFacts({ units, caching, auth, scopes }) {
  const rows = /** @type {[string, any][]} */ ([
    ["Access", toAccess(auth, scopes)],
    ["Units", toInline(units)],
    ["Caching", toInline(caching)],
  ]);
  return h(
    "dl",
    { class: "facts" },
    rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
  );
}

/** @param {Operation["auth"]} auth @param {string[]} scopes */
function toAccess(auth, scopes) {
  if (auth === "none") return "Open to all; a key is not read.";
  const codes = scopes.flatMap((scope, n) => [n === 0 ? null : " or ", h("code", {}, scope)]);
  const scope = codes.length === 0 ? "any key" : ["a key with the scope ", codes];
  return auth === "required" ? ["Only with ", scope, "."] : ["Anonymous, or ", scope, "."];
}

/** @param {Json} spec @param {Parameter[]} parameters */
function toParameters(spec, parameters) {
  if (parameters.length === 0) return null;
  return [
    h("h4", {}, "Parameters"),
    h(
      "ul",
      { class: "parameters" },
      parameters.map((parameter) => toParameterRow(spec, parameter)),
    ),
  ];
}

/** @param {Json} spec @param {Parameter} parameter */
function toParameterRow(spec, parameter) {
  const { name, schema, required, deprecated, description } = parameter;
  const items = schema["x-items"] !== undefined;
  const { default: usual } = schema;
  const all = items && String(usual) === valuesOf(schema).join(",");
  return h(
    "li",
    {},
    h("code", { class: "name" }, name),
    " ",
    h("span", { class: "type" }, items ? "comma-separated list" : typeOf(spec, schema)),
    h("span", { class: "note" }, parameter.in === "path" ? "in the path" : "in the query"),
    required ? h("span", { class: "badge" }, "required") : null,
    deprecated ? h("span", { class: "badge warn" }, "deprecated") : null,
    schema["x-stability"] ? h("span", { class: "badge warn" }, schema["x-stability"]) : null,
    boundsOf(schema).map((text) => h("span", { class: "note" }, text)),
    usual === undefined
      ? null
      : h("span", { class: "note" }, "default ", all ? "all" : h("code", {}, String(usual))),
    h("span", { class: "said" }, toInline(description)),
    toValues(valuesOf(schema), items),
  );
}

/** @param {string[]} values @param {boolean} items */
function toValues(values, items) {
  if (values.length === 0) return null;
  return h(
    "span",
    { class: "values" },
    items ? "any of " : "one of ",
    values.flatMap((value, n) => [n === 0 ? null : " ", h("code", {}, value)]),
  );
}

/** @param {Json} spec @param {Json | null} body */
function toBody(spec, body) {
  if (body === null) return null;
  return [
    h("h4", {}, "Body"),
    h("p", {}, h("code", {}, "application/json"), ", strict: unknown members are refused."),
    toSchemaTree(spec, body["schema"] ?? {}),
    toExamples(body),
  ];
}

/** @param {Json} spec @param {[string, Json][]} responses */
function toResponses(spec, responses) {
  const good = responses.filter(([status]) => status < "300");
  const bad = responses.filter(([status]) => status >= "300");
  return [
    h("h4", {}, "Responses"),
    good.flatMap(([status, response]) => toResponse(spec, status, response)),
    bad.length === 0
      ? null
      : h(
          "dl",
          { class: "refusals" },
          bad.flatMap(([status, { description }]) => [
            h("dt", {}, status),
            h("dd", {}, toCodes(String(description ?? ""))),
          ]),
        ),
  ];
}

/** `code: when` paragraphs, as links to the table of errors. @param {string} description */
function toCodes(description) {
  return description.split("\n\n").map((paragraph) => {
    const [, code, when] = /^`([a-z_]{1,60})`: (.*)$/s.exec(paragraph) ?? [];
    if (code === undefined) return h("p", {}, toInline(paragraph));
    return h(
      "p",
      {},
      h("a", { href: `#error-${code}` }, h("code", {}, code)),
      " ",
      toInline(when ?? ""),
    );
  });
}

/** @param {Json} spec @param {string} status @param {Json} response */
function toResponse(spec, status, response) {
  const forms = Object.entries(response["content"] ?? {});
  return [
    h(
      "p",
      {},
      h("strong", { class: "status good" }, status),
      " ",
      toInline(String(response["description"])),
    ),
    forms.map(([type, form]) =>
      toFold(
        [
          h("code", {}, type),
          " ",
          h("span", { class: "type" }, resolve(spec, form["schema"] ?? {}).name),
        ],
        () => [toSchemaTree(spec, form["schema"] ?? {}), toExamples(form)],
      ),
    ),
    toFold("Headers", () => toHeaders(spec, response["headers"] ?? {})),
  ];
}

/** @param {Json} spec @param {Json} headers */
function toHeaders(spec, headers) {
  const { components } = spec;
  const rows = Object.entries(headers).flatMap(([name, given]) => {
    const header = components?.headers?.[String(given["$ref"]).split("/").at(-1) ?? ""] ?? given;
    return [
      h("dt", {}, h("code", {}, name)),
      h("dd", {}, toInline(String(header["description"] ?? ""))),
    ];
  });
  return h("dl", { class: "facts" }, rows);
}

/** @param {Json} form */
function toExamples(form) {
  return Object.entries(form["examples"] ?? {}).map(([name, { value }]) =>
    toFold(`Example: ${name.replaceAll("_", " ")}`, () =>
      h("div", { class: "json" }, toJsonTree(value)),
    ),
  );
}

/** What is folded is made when it is opened. @param {any} title @param {() => any} make */
function toFold(title, make) {
  const details = h("details", { class: "fold" }, h("summary", {}, title));
  details.addEventListener("toggle", () => put(details, make()), { once: true });
  return details;
}
