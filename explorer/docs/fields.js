/** A field of a form for one parameter: a choice where the values are named, else text. */
import { h } from "../page/dom.js";
import { valuesOf } from "./spec.js";

/**
 * @typedef {import("./spec.js").Parameter} Parameter
 * @typedef {{ name: string, element: any, read(): string }} Field
 */

/** @param {string} operation @param {Parameter} parameter @param {string} value empty: left to its default @returns {Field} */
export function toField(operation, parameter, value) {
  const { name, schema } = parameter;
  if (schema["x-items"]) return toBoxes(parameter, value);
  const values = schema["type"] === "boolean" ? ["true", "false"] : valuesOf(schema);
  const input = values.length > 0 ? toSelect(parameter, values) : toInput(parameter);
  input.value = value;
  input.id = `${operation}-${name}`;
  const element = h("label", {}, toName(parameter), input);
  return { name, element, read: () => input.value };
}

/** @param {Parameter} parameter */
function toName({ name, required }) {
  return h("span", {}, h("code", {}, name), required ? " required" : null);
}

/** @param {Parameter} parameter */
function toInput({ example, schema }) {
  const number = schema["type"] === "number" || schema["type"] === "integer";
  return h("input", {
    type: "text",
    inputmode: number ? "decimal" : null,
    placeholder: example === "" ? null : `such as ${example}`,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
  });
}

/** @param {Parameter} parameter @param {string[]} values */
function toSelect({ required, schema }, values) {
  const usual = schema["default"] === undefined ? "not sent" : `not sent (${schema["default"]})`;
  return h(
    "select",
    {},
    required ? null : h("option", { value: "" }, usual),
    values.map((value) => h("option", { value }, value)),
  );
}

/** @param {Parameter} parameter @param {string} value @returns {Field} */
function toBoxes(parameter, value) {
  const { name, schema } = parameter;
  const chosen = new Set(value.split(","));
  const boxes = valuesOf(schema).map((one) => {
    const box = h("input", { type: "checkbox", value: one });
    box.checked = chosen.has(one);
    return box;
  });
  const element = h(
    "fieldset",
    {},
    h("legend", {}, toName(parameter)),
    boxes.map((box) => h("label", { class: "box" }, box, box.value)),
  );
  const read = () =>
    boxes
      .filter((box) => box.checked)
      .map((box) => box.value)
      .join(",");
  return { name, element, read };
}
