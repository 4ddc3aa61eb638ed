/** A schema as a tree that folds: members with type, bounds, values and description. */
import { h, put } from "../page/dom.js";
import { toInline } from "./markdown.js";
import { boundsOf, resolve, typeOf, valuesOf, withoutNull } from "./spec.js";

/** @typedef {import("./spec.js").Json} Json */

/** Members of an object, or forms of a choice; more are not listed. */
const SHOWN = 200;

/** The members of a schema, open one level. @param {Json} spec @param {Json} given @returns {any} */
export function toSchemaTree(spec, given) {
  const { schema } = resolve(spec, given);
  const rows = toRows(spec, schema);
  if (rows.length > 0) return h("ul", { class: "tree" }, rows);
  return h("ul", { class: "tree" }, h("li", {}, toHead(spec, "", schema, true)));
}

/** What is one level below a schema, as rows. @param {Json} spec @param {Json} schema @returns {any[]} */
function toRows(spec, schema) {
  const inner = schema["type"] === "array" ? resolve(spec, schema["items"] ?? {}).schema : schema;
  if (inner["anyOf"]) return toForms(spec, inner);
  const required = new Set(inner["required"] ?? []);
  const named = Object.entries(inner["properties"] ?? {}).slice(0, SHOWN);
  const rows = named.map(([name, member]) => toRow(spec, name, member, required.has(name)));
  const others = [
    ...Object.values(inner["patternProperties"] ?? {}),
    inner["additionalProperties"],
  ];
  for (const member of others)
    if (typeof member === "object") rows.push(toRow(spec, "any name", member, false));
  return rows;
}

/** Forms of a choice that have something to unfold; null is said in the type. @param {Json} spec @param {Json} schema */
function toForms(spec, schema) {
  const forms = schema["anyOf"]
    .slice(0, SHOWN)
    .map((/** @type {Json} */ one) => resolve(spec, one));
  const deep = forms.filter((/** @type {any} */ form) => hasInside(spec, form.schema));
  if (deep.length === 1) return toRows(spec, deep[0].schema);
  return deep.map((/** @type {any} */ form, /** @type {number} */ n) =>
    toRow(
      spec,
      `form ${n + 1}`,
      form.name ? { $ref: `#/components/schemas/${form.name}` } : form.schema,
      true,
    ),
  );
}

/** @param {Json} spec @param {string} name @param {Json} given @param {boolean} required */
function toRow(spec, name, given, required) {
  const { schema } = resolve(spec, given);
  const head = toHead(spec, name, given, required);
  if (!hasInside(spec, schema)) return h("li", {}, head);
  const details = h("details", {}, h("summary", {}, head));
  details.addEventListener(
    "toggle",
    () => put(details, h("ul", { class: "tree" }, toRows(spec, schema))),
    { once: true },
  );
  return h("li", {}, details);
}

/** Whether there is a level below. @param {Json} spec @param {Json} schema @returns {boolean} */
function hasInside(spec, schema, depth = 0) {
  if (depth > 4) return false;
  if (schema["properties"] && Object.keys(schema["properties"]).length > 0) return true;
  if (schema["patternProperties"] || typeof schema["additionalProperties"] === "object")
    return true;
  const parts = [
    ...(schema["anyOf"] ?? []),
    ...(schema["type"] === "array" ? [schema["items"] ?? {}] : []),
  ];
  return parts.some((part) => hasInside(spec, resolve(spec, part).schema, depth + 1));
}

/** Name, type and what else is known of a member. @param {Json} spec @param {string} name @param {Json} given @param {boolean} required */
function toHead(spec, name, given, required) {
  const { schema } = resolve(spec, given);
  const notes = [...boundsOf(withoutNull(spec, schema)), ...(required ? [] : ["may be absent"])];
  return h(
    "span",
    { class: "member" },
    name === "" ? null : h("code", { class: "name" }, name),
    " ",
    h("span", { class: "type" }, typeOf(spec, given)),
    notes.map((note) => h("span", { class: "note" }, note)),
    given["x-stability"] ? h("span", { class: "badge warn" }, given["x-stability"]) : null,
    toValues(withoutNull(spec, schema)),
    (given["description"] ?? schema["description"])
      ? h(
          "span",
          { class: "said" },
          toInline(String(given["description"] ?? schema["description"])),
        )
      : null,
  );
}

/** @param {Json} schema */
function toValues(schema) {
  const values = valuesOf(schema).slice(0, SHOWN);
  if (values.length === 0) return null;
  return h(
    "span",
    { class: "values" },
    "one of ",
    values.flatMap((value, n) => [n === 0 ? null : " ", h("code", {}, value)]),
  );
}
