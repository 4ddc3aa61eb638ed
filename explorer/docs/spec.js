/** What the reference reads of /openapi.json: operations, schemas, and both in words. */

/**
 * @typedef {Record<string, any>} Json
 * @typedef {{ name: string, in: "path" | "query", required: boolean, deprecated: boolean,
 *   description: string, schema: Json, example: string }} Parameter
 * @typedef {{ id: string, method: string, path: string, tag: string, summary: string,
 *   paragraphs: string[], units: string, caching: string, auth: "none" | "optional" | "required",
 *   scopes: string[], deprecated: boolean, parameters: Parameter[], body: Json | null,
 *   responses: [status: string, response: Json][] }} Operation
 */

const METHODS = ["get", "post", "put", "patch", "delete"];

/** Every operation, in the order of the description. @param {Json} spec @returns {Operation[]} */
export function listOperations(spec) {
  return Object.entries(spec["paths"] ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) =>
      toOperation(path, method.toUpperCase(), item[method]),
    ),
  );
}

/**
 * Operations by tag, in the order of the tags; a tag that is not declared comes last.
 * @param {Json} spec @param {Operation[]} operations
 */
export function listTags(spec, operations) {
  const rows = /** @type {Json[]} */ (spec["tags"] ?? []);
  const descriptions = new Map(
    rows.map((row) => [String(row["name"]), String(row["description"])]),
  );
  const names = new Set([...descriptions.keys(), ...operations.map((one) => one.tag)]);
  return [...names].map((name) => ({
    name,
    description: descriptions.get(name) ?? "",
    members: operations.filter((one) => one.tag === name),
  }));
}

/** The last paragraph of every description: price, scope and caching. */
const TERMS = /^Units: (.+?)\. (?:Scope a key needs: .+?\. )?Cache-Control: (.+)$/;

/** @param {string} path @param {string} method @param {Json} row @returns {Operation} */
function toOperation(path, method, row) {
  const paragraphs = String(row["description"] ?? "").split("\n\n");
  const terms = TERMS.exec(paragraphs.at(-1) ?? "");
  return {
    id: String(row["operationId"]),
    method,
    path,
    tag: String(row["tags"]?.[0] ?? ""),
    summary: String(row["summary"] ?? ""),
    paragraphs: terms ? paragraphs.slice(0, -1) : paragraphs,
    units: terms?.[1] ?? "",
    caching: terms?.[2] ?? "",
    auth: toAuth(row["security"] ?? []),
    scopes: row["x-scopes"] ?? [],
    deprecated: row["deprecated"] === true,
    parameters: (row["parameters"] ?? []).map(toParameter),
    body: row["requestBody"]?.content?.["application/json"] ?? null,
    responses: Object.entries(row["responses"] ?? {}),
  };
}

/** @param {Json[]} security @returns {Operation["auth"]} */
function toAuth(security) {
  if (security.length === 0) return "none";
  return security.some((way) => Object.keys(way).length === 0) ? "optional" : "required";
}

/** @param {Json} row @returns {Parameter} */
function toParameter(row) {
  return {
    name: String(row["name"]),
    in: row["in"],
    required: row["required"] === true,
    deprecated: row["deprecated"] === true,
    description: String(row["description"] ?? ""),
    schema: row["schema"] ?? {},
    example: row["example"] === undefined ? "" : String(row["example"]),
  };
}

const REF = "#/components/schemas/";

/** The schema behind a reference, with its name; an unknown one is {}. @param {Json} spec @param {Json} schema */
export function resolve(spec, schema) {
  /** @type {string | null} */
  let name = null;
  let found = schema;
  for (let step = 0; step < 10 && typeof found["$ref"] === "string"; step += 1) {
    name = found["$ref"].slice(REF.length);
    const { components } = spec;
    found = components?.schemas?.[name] ?? {};
  }
  return { name, schema: found };
}

/** A type in words: `integer`, `list of Station`, `text or null`. @param {Json} spec @param {Json} given @returns {string} */
export function typeOf(spec, given, depth = 0) {
  const { name, schema } = resolve(spec, given);
  // Deeper ones are read in the tree.
  if (depth > 3) return name ?? "any";
  const inner = (/** @type {Json} */ one) => typeOf(spec, one, depth + 1);
  if (schema["anyOf"]) return [...new Set(schema["anyOf"].slice(0, 10).map(inner))].join(" or ");
  if (schema["type"] === "array") return `list of ${inner(schema["items"] ?? {})}`;
  if (schema["type"] === "object") return name ?? "object";
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  if (schema["format"] !== undefined) return FORMATS[schema["format"]] ?? schema["format"];
  return WORDS[schema["type"]] ?? schema["type"] ?? "any";
}

const FORMATS = /** @type {Record<string, string>} */ ({
  "date-time": "time, RFC 3339",
  date: "date",
  uri: "address (URI)",
});
const WORDS = /** @type {Record<string, string>} */ ({ string: "text" });

/** What a schema says where it is not null, so that bounds and values can be read. @param {Json} spec @param {Json} given */
export function withoutNull(spec, given) {
  const { schema } = resolve(spec, given);
  const forms = (schema["anyOf"] ?? []).filter((/** @type {Json} */ one) => one["type"] !== "null");
  return forms.length === 1 ? resolve(spec, forms[0]).schema : schema;
}

/** The values a schema names, if it names all of them. @param {Json} schema @returns {string[]} */
export function valuesOf(schema) {
  return (schema["x-items"] ?? schema["enum"] ?? []).map(String);
}

/** Bounds in words: `1 to 20`, `at least 1`. @param {Json} schema @returns {string[]} */
export function boundsOf(schema) {
  return [
    toRange(schema["minimum"], schema["maximum"], ""),
    schema["exclusiveMinimum"] === undefined ? "" : `more than ${schema["exclusiveMinimum"]}`,
    toRange(
      schema["minLength"] > 1 ? schema["minLength"] : undefined,
      schema["maxLength"],
      " characters",
    ),
    toRange(schema["minItems"] > 1 ? schema["minItems"] : undefined, schema["maxItems"], " items"),
    toPattern(schema),
  ].filter((text) => text !== "");
}

/** @param {number | undefined} low @param {number | undefined} high @param {string} unit */
function toRange(low, high, unit) {
  if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}`;
  if (low !== undefined) return `at least ${low}${unit}`;
  return high === undefined ? "" : `at most ${high}${unit}`;
}

/** A pattern says something where no list of values does, and it is neither trivial nor long. @param {Json} schema */
function toPattern(schema) {
  const { pattern = "" } = schema;
  if (valuesOf(schema).length > 0 || pattern.length < 9 || pattern.length > 60) return "";
  return `pattern ${pattern}`;
}
