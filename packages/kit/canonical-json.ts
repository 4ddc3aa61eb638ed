/**
 * JSON in one spelling (RFC 8785): members in the order of their UTF-16 code units, no white space,
 * numbers and strings as ECMAScript writes them. Equal values make equal text, however they were
 * built.
 */

/**
 * Writes plain JSON: null, booleans, finite numbers, strings, arrays, objects. A member that is
 * undefined is left out, as JSON.stringify does; half a surrogate pair is written as its escape.
 * Throws a RangeError at what is no JSON: that is a programmer's mistake, since a validator comes
 * first.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  switch (typeof value) {
    case "object":
      return value === null ? "null" : ofObject(value as Readonly<Record<string, unknown>>);
    case "number":
      if (!Number.isFinite(value)) throw new RangeError(`${value} is no JSON`);
      return JSON.stringify(value);
    case "string":
    case "boolean":
      return JSON.stringify(value);
    default:
      throw new RangeError(`a ${typeof value} is no JSON`);
  }
}

function ofObject(object: Readonly<Record<string, unknown>>): string {
  let out = "";
  for (const name of Object.keys(object).sort()) {
    const value = object[name];
    if (value === undefined) continue;
    out += `${out === "" ? "" : ","}${JSON.stringify(name)}:${canonicalJson(value)}`;
  }
  return `{${out}}`;
}
